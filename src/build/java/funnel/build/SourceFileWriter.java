package funnel.build;

import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.attribute.SourceFileAttribute;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Makes the class files of twins name their master as their source file, so that stack traces lead
 * to a file that is kept. See {@link TwinWriter}: their lines are the master's. Public twins keep
 * their own: javac warns who uses a class that is named unlike its file.
 *
 * <p>Usage: {@code SourceFileWriter <folder of twins> <folder of classes>}. Files are touched only
 * if they name another file.
 */
public final class SourceFileWriter {

  private static final Pattern HEADER = Pattern.compile("/\\* Written from (\\w+\\.java) ");

  private static final Pattern PUBLIC = Pattern.compile("^public ", Pattern.MULTILINE);

  private SourceFileWriter() {}

  /**
   * Rewrites the class files.
   *
   * @param args the folder of the twins' sources and the folder of classes
   * @throws IOException if a file cannot be read or written
   */
  public static void main(String[] args) throws IOException {
    if (args.length != 2 || !Files.isDirectory(Path.of(args[0]))) {
      System.err.println("usage: SourceFileWriter <folder of twins, existing> <folder of classes>");
      System.exit(2);
    }
    Path twins = Path.of(args[0]);
    Path classes = Path.of(args[1]);
    for (Path twin : files(twins, "\\w+\\.java")) {
      String text = Files.readString(twin);
      Matcher header = HEADER.matcher(text);
      if (header.lookingAt() && !PUBLIC.matcher(text).find()) {
        String name = twin.getFileName().toString().replace(".java", "");
        Path folder = classes.resolve(twins.relativize(twin).getParent());
        for (Path file : files(folder, name + "(\\$.*)?\\.class")) {
          name(file, header.group(1));
        }
      }
    }
  }

  private static List<Path> files(Path folder, String name) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(f -> f.getFileName().toString().matches(name)).toList();
    }
  }

  private static void name(Path file, String master) throws IOException {
    ClassModel model = ClassFile.of().parse(file);
    if (model
        .findAttribute(Attributes.sourceFile())
        .filter(known -> known.sourceFile().equalsString(master))
        .isPresent()) {
      return;
    }
    SourceFileAttribute source = SourceFileAttribute.of(master);
    ClassTransform naming =
        ClassTransform.dropping(SourceFileAttribute.class::isInstance)
            .andThen(ClassTransform.endHandler(builder -> builder.with(source)));
    Files.write(file, ClassFile.of().transformClass(model, naming));
  }
}
