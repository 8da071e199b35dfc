package funnel.cli;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jshell.SourceCodeAnalysis;

/** Lets a notebook's shell show the documentation of Funnel's classes: it knows the JDK's alone. */
final class NotebookSources {

  /*
   * JShell takes documentation from sources, and has no way to name more than those of the JDK, but
   * for a private list. It compares signatures, so that what marks types of masters must not be in
   * them. Of an inherited method it looks into the source of the class that inherits it, and finds
   * nothing: so the classes of the root package, which notebooks call, are written anew with the
   * members and imports of what they extend. They are only parsed; what is there twice or has no
   * meaning there does no harm.
   */

  private static final List<String> FOLDERS =
      List.of(
          "src/main/java", "target/generated-sources/twins", "target/generated-sources/templates");

  /** Where a bundle has what {@link #main} has written. */
  private static final String BUNDLED = "app/sources";

  private static final Pattern EXPORTED = Pattern.compile("(?m)^ *exports ([\\w.]+);");
  private static final Pattern PUBLIC = Pattern.compile("(?m)^public ");
  private static final Pattern CODE = Pattern.compile(".*(Kernels|Loops)\\.java");
  private static final Pattern MARK = Pattern.compile("@(Element|Accumulator) ");
  private static final Pattern PACKAGE = Pattern.compile("(?s)^.*?package funnel;");
  private static final Pattern NO_PARENTS =
      Pattern.compile("(?s)<[^<>]*(<[^<>]*>[^<>]*)*>|\\bpermits .*");
  private static final Pattern IMPORTS = Pattern.compile("(?m)^import [^;]+;");
  private static final Pattern HEADER =
      Pattern.compile("(?m)^[a-z -]*(?:class|interface) \\w+([^{]*)\\{");

  private NotebookSources() {}

  /**
   * Writes the sources that a bundle has: of the public classes in the packages for users, but for
   * those of kernels and loops, which have more code than documentation.
   *
   * @param args Funnel's folder after a build, and the folder to write into
   */
  public static void main(String[] args) throws IOException {
    Path home = Path.of(args[0]);
    List<Path> folders = folders(home);
    Path to = written(folders, Path.of(args[1]));
    String module = Files.readString(home.resolve("src/main/module/module-info.java"));
    for (MatchResult each : EXPORTED.matcher(module).results().toList()) {
      Path name = Path.of(each.group(1).replace('.', '/'));
      if (name.getNameCount() > 1) {
        Path made = Files.createDirectories(to.resolve(name));
        for (Map.Entry<String, String> source : texts(folders, name).entrySet()) {
          Files.writeString(made.resolve(source.getKey() + ".java"), source.getValue());
        }
      }
    }
    try (Stream<Path> files = Files.walk(to)) {
      for (Path each : files.filter(Files::isRegularFile).toList()) {
        if (CODE.matcher(each.toString()).matches()
            || !PUBLIC.matcher(Files.readString(each)).find()) {
          Files.delete(each);
        }
      }
    }
  }

  private static List<Path> folders(Path home) {
    return FOLDERS.stream().map(home::resolve).filter(Files::isDirectory).toList();
  }

  /**
   * Adds the sources of Funnel to those of the JDK.
   *
   * @param shell what shows documentation
   * @param home Funnel's folder; nothing is added if there are no sources
   */
  static void add(SourceCodeAnalysis shell, Path home)
      throws IOException, ReflectiveOperationException {
    List<Object> all = new ArrayList<>();
    if (Files.isDirectory(home.resolve(BUNDLED))) {
      all.add(home.resolve(BUNDLED));
    } else {
      List<Path> folders = folders(home);
      if (folders.isEmpty()) {
        return;
      }
      all.add(written(folders, home.resolve("target/jupyter/sources")));
      all.addAll(folders);
    }
    Class<?> secrets = Class.forName("jdk.internal.access.SharedSecrets");
    Class.forName("jdk.internal.access.JavaLangAccess")
        .getMethod("addOpensToAllUnnamed", Module.class, String.class)
        .invoke(
            secrets.getMethod("getJavaLangAccess").invoke(null),
            shell.getClass().getModule(),
            shell.getClass().getPackageName());
    Method find = shell.getClass().getDeclaredMethod("findSources");
    find.setAccessible(true);
    all.addAll((List<?>) find.invoke(shell));
    Field sources = shell.getClass().getDeclaredField("availableSources");
    sources.setAccessible(true);
    sources.set(shell, all);
  }

  /** The sources of a package, by names of classes. */
  private static Map<String, String> texts(List<Path> folders, Path name) throws IOException {
    Map<String, String> texts = new TreeMap<>();
    for (Path folder : folders) {
      Path root = folder.resolve(name);
      try (Stream<Path> files = Files.isDirectory(root) ? Files.list(root) : Stream.empty()) {
        for (Path each : files.filter(f -> f.toString().endsWith(".java")).toList()) {
          String type = root.relativize(each).toString().replace(".java", "");
          texts.put(type, MARK.matcher(Files.readString(each)).replaceAll(""));
        }
      }
    }
    return texts;
  }

  private static Path written(List<Path> folders, Path to) throws IOException {
    Map<String, String> texts = texts(folders, Path.of("funnel"));
    Path root = Files.createDirectories(to.resolve("funnel"));
    for (Map.Entry<String, String> each : texts.entrySet()) {
      StringBuilder imports = new StringBuilder("package funnel; ");
      StringBuilder merged = new StringBuilder(PACKAGE.matcher(each.getValue()).replaceFirst(""));
      inherit(each.getValue(), texts, imports, merged);
      Files.writeString(root.resolve(each.getKey() + ".java"), imports.append(merged));
    }
    return to;
  }

  /** Puts the members of what a class extends before its last brace, and the imports before it. */
  private static void inherit(
      String text, Map<String, String> texts, StringBuilder imports, StringBuilder merged) {
    Matcher header = HEADER.matcher(text);
    if (!header.find()) {
      return;
    }
    for (String name : NO_PARENTS.matcher(header.group(1)).replaceAll("").split("\\W+")) {
      String of = texts.getOrDefault(name, "");
      Matcher body = HEADER.matcher(of);
      if (body.find()) {
        imports.append(
            IMPORTS.matcher(of).results().map(i -> i.group()).collect(Collectors.joining(" ")));
        merged.insert(merged.lastIndexOf("}"), of.substring(body.end(), of.lastIndexOf('}')));
        inherit(of, texts, imports, merged);
      }
    }
  }
}
