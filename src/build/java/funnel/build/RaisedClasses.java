package funnel.build;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.ConstantPoolSharingOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Copies jars into a folder, and gives class files of before Java 6 the version of Java 8 and the
 * stack maps that this asks for: the JVM's archives take no older ones. DuckDB's native library for
 * this machine goes beside its jar, where the driver finds it, and so need not be unpacked by each
 * process; those for others are left out.
 *
 * <p>Usage: {@code RaisedClasses <folder> <jar>...}.
 */
public final class RaisedClasses {

  private static final String DUCKDB = "libduckdb_java.so_";

  private RaisedClasses() {}

  /**
   * Copies them.
   *
   * @param args the folder and the jars
   * @throws IOException if a jar cannot be read or a copy cannot be written
   */
  public static void main(String[] args) throws IOException {
    if (args.length == 0 || !Files.isDirectory(Path.of(args[0]))) {
      System.err.println("usage: RaisedClasses <folder, existing> <jar>...");
      System.exit(2);
    }
    for (String name : List.of(args).subList(1, args.length)) {
      Path jar = Path.of(name);
      copy(jar, Path.of(args[0]).resolve(jar.getFileName()));
    }
  }

  private static void copy(Path jar, Path to) throws IOException {
    try (ZipFile in = new ZipFile(jar.toFile());
        URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()});
        ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(to))) {
      out.setLevel(Deflater.NO_COMPRESSION); // a bundle is compressed as a whole
      for (ZipEntry entry : Collections.list(in.entries())) {
        if (entry.getName().startsWith(DUCKDB)) {
          if (entry.getName().equals(DUCKDB + platform())) {
            try (InputStream bytes = in.getInputStream(entry)) {
              Files.copy(bytes, to.resolveSibling(entry.getName()));
            }
          }
          continue;
        }
        ZipEntry copy = new ZipEntry(entry.getName());
        copy.setTime(entry.getTime());
        out.putNextEntry(copy);
        try (InputStream bytes = in.getInputStream(entry)) {
          byte[] all = bytes.readAllBytes();
          out.write(entry.getName().endsWith(".class") ? raised(all, loader) : all);
        }
      }
    }
  }

  /** This machine in the names of DuckDB's libraries. */
  private static String platform() {
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String machine = System.getProperty("os.arch");
    return "%s_%s"
        .formatted(
            system.startsWith("mac") ? "macos" : system.startsWith("win") ? "windows" : system,
            machine.equals("x86_64") ? "amd64" : machine.equals("aarch64") ? "arm64" : machine);
  }

  private static byte[] raised(byte[] bytes, ClassLoader loader) {
    if (version(bytes) >= ClassFile.JAVA_6_VERSION) {
      return bytes;
    }
    ClassHierarchyResolver resolver =
        ClassHierarchyResolver.ofResourceParsing(loader)
            .orElse(ClassHierarchyResolver.defaultResolver());
    ClassTransform raise =
        (builder, element) -> {
          if (element instanceof ClassFileVersion) {
            builder.withVersion(ClassFile.JAVA_8_VERSION, 0);
          } else {
            builder.with(element);
          }
        };
    // methods are written anew, since stack maps are made only of code that is
    ClassFile classes =
        ClassFile.of(
            StackMapsOption.GENERATE_STACK_MAPS,
            ConstantPoolSharingOption.NEW_POOL,
            ClassHierarchyResolverOption.of(resolver));
    return classes.transformClass(
        classes.parse(bytes),
        ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL).andThen(raise));
  }

  private static int version(byte[] bytes) {
    return (bytes[6] & 0xff) << 8 | bytes[7] & 0xff;
  }
}
