package funnel.cli;

import funnel.file.Json;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A kernelspec: the folder that tells Jupyter how to start a kernel.
 *
 * @param name the folder's name, which is the kernel's name in Jupyter's commands
 * @param displayName the name that Jupyter shows
 * @param kernel the kernel
 * @param java the command
 * @param options java's options except the class path
 * @param classPath the class path except the kernel's own jar
 * @param variables environment variables for the kernel, for the template's placeholders
 */
record Kernelspec(
    String name,
    String displayName,
    KernelJar kernel,
    Path java,
    List<String> options,
    List<String> classPath,
    Map<String, String> variables) {

  /*
   * Beside kernel.json there are the kernel's jar, and java.argfile with options and class path:
   * with an SDK they are a hundred lines, which would make kernel.json unreadable. Everything is
   * created in a folder beside "kernels", tried with java's --dry-run, and only then renamed: so a
   * kernelspec is always complete, and an older one stays until the new one works.
   */

  private static final Logger LOG = LoggerFactory.getLogger(Kernelspec.class);
  private static final String ARGFILE = "java.argfile";
  private static final String KERNEL_JSON = "kernel.json";
  private static final Pattern PLACEHOLDER = Pattern.compile("\"\\$\\{([A-Za-z_-]+)\\}\"");
  private static final Pattern COMMAND = Pattern.compile("\"argv\"\\s*:\\s*\\[\\s*\"([^\"]*)\"");

  /** Whether a folder is a kernelspec that was made here. */
  static boolean isOurs(Path folder) {
    return Files.isRegularFile(folder.resolve(KERNEL_JSON))
        && Files.isRegularFile(folder.resolve(ARGFILE));
  }

  /** Missing files that a kernelspec made here needs. */
  static List<String> missing(Path folder) throws IOException {
    List<String> needed = new ArrayList<>();
    Matcher command = COMMAND.matcher(Files.readString(folder.resolve(KERNEL_JSON)));
    needed.add(command.find() ? command.group(1).replace("\\\\", "\\") : "java");
    List<String> lines = Files.readAllLines(folder.resolve(ARGFILE));
    String path = unquoted(lines.get(lines.indexOf(quoted("-cp")) + 1));
    needed.addAll(List.of(path.split(File.pathSeparator)));
    return needed.stream().filter(file -> !Files.exists(Path.of(file))).toList();
  }

  /**
   * Installs the kernelspec in one of Jupyter's data folders.
   *
   * @return its folder
   * @throws KernelSettingsException if java cannot be started with these settings
   */
  Path install(Path data) throws IOException, InterruptedException {
    Path folder = data.resolve("kernels").resolve(name).toAbsolutePath();
    if (Files.exists(folder) && !isOurs(folder)) {
      throw new KernelSettingsException(
          "%s exists and was not made by this command: choose another --name, or run 'jupyter kernelspec remove %s'"
              .formatted(folder, name));
    }
    Files.createDirectories(data.resolve("kernels"));
    boolean isLink = Files.isSymbolicLink(folder) && Files.exists(folder);
    Path place = isLink ? folder.toRealPath() : folder;
    Path beside = isLink ? place.resolveSibling("") : data;
    leftBehind(beside)
        .forEach(
            left ->
                LOG.warn(
                    "{} is of an install that was killed: delete it once the kernel works", left));
    String unique = ".%s-%s".formatted(name, ProcessHandle.current().pid());
    Path making = beside.resolve(unique + ".making");
    Path old = beside.resolve(unique + ".old");
    try {
      Files.createDirectory(making);
      keepModes(place, making);
      write(making, folder);
      keepModes(place, making);
      tryOut(making);
      if (Files.exists(place)) {
        Files.move(place, old, StandardCopyOption.ATOMIC_MOVE);
      }
      try {
        Files.move(making, place, StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException e) {
        if (Files.exists(old)) {
          Files.move(old, place, StandardCopyOption.ATOMIC_MOVE);
        }
        throw e;
      }
    } finally {
      delete(making);
      delete(old);
    }
    return folder;
  }

  /** Folders left by killed installs: the new kernelspec, or the old one. */
  List<Path> leftBehind(Path beside) throws IOException {
    Pattern of = Pattern.compile("\\.%s-(\\d+)\\.(making|old)".formatted(Pattern.quote(name)));
    try (Stream<Path> files = Files.list(beside)) {
      return files
          .filter(
              file -> {
                Matcher process = of.matcher(String.valueOf(file.getFileName()));
                return process.matches()
                    && ProcessHandle.of(Long.parseLong(process.group(1))).isEmpty();
              })
          .toList();
    }
  }

  private static void keepModes(Path before, Path now) throws IOException {
    try (Stream<Path> files = Files.walk(now)) {
      for (Path file : files.toList()) {
        Path same = before.resolve(now.relativize(file).toString());
        if (Files.exists(same)) {
          Files.setPosixFilePermissions(file, Files.getPosixFilePermissions(same));
        }
      }
    }
  }

  private void write(Path making, Path folder) throws IOException {
    try {
      writeFiles(making, folder);
    } catch (FileSystemException e) {
      throw e;
    } catch (IOException e) { // its message says only that no space is left
      throw new IOException("%s cannot be written: %s".formatted(making, e.getMessage()), e);
    }
  }

  private void writeFiles(Path making, Path folder) throws IOException {
    Files.copy(kernel.file(), making.resolve(jarName()));
    List<String> lines = new ArrayList<>(options);
    lines.add("-cp");
    lines.add(pathWith(folder));
    Files.write(making.resolve(ARGFILE), lines.stream().map(Kernelspec::quoted).toList());
    Files.writeString(making.resolve(KERNEL_JSON), json());
  }

  private String jarName() {
    return String.valueOf(kernel.file().getFileName());
  }

  /* The kernel's jar is last: older versions of our libraries in it must not hide ours. */
  private String pathWith(Path folder) {
    List<String> entries = new ArrayList<>(classPath);
    entries.add(folder.resolve(jarName()).toString());
    return String.join(File.pathSeparator, entries);
  }

  /* Loads the main class without running it. */
  private void tryOut(Path making) throws IOException, InterruptedException {
    Jupyter.Outcome outcome =
        Jupyter.Outcome.of(
            List.of(
                java.toString(),
                "@" + making.resolve(ARGFILE),
                "-cp",
                pathWith(making),
                "--dry-run",
                kernel.mainClass()),
            System.getenv());
    if (outcome.exitCode() != 0) {
      throw new KernelSettingsException(
          "%s cannot be started with %s, nothing was installed: %s"
              .formatted(
                  kernel.family().title(),
                  java,
                  outcome.output().lines().limit(3).collect(Collectors.joining("; "))));
    }
  }

  /**
   * The template with its placeholders filled; lines whose placeholder has no value are left out.
   */
  String json() throws IOException {
    StringBuilder json = new StringBuilder();
    for (String line : template().split("\n")) {
      Matcher placeholder = PLACEHOLDER.matcher(line);
      if (!placeholder.find()) {
        json.append(line).append('\n');
        continue;
      }
      String value = value(placeholder.group(1));
      if (!value.isEmpty()) {
        json.append(placeholder.replaceAll(Matcher.quoteReplacement(Json.of(value)))).append('\n');
      }
    }
    return json.toString();
  }

  private String template() throws IOException {
    String file = kernel.family().template();
    try (InputStream in = Kernelspec.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("no resource " + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /* In values of variables Jupyter replaces $NAME and ${NAME}. */
  private String value(String placeholder) {
    return switch (placeholder) {
      case "java" -> java.toString();
      case "main-class" -> kernel.startClass();
      case "display-name" -> displayName;
      default -> variables.getOrDefault(placeholder, "").replace("$", "$$");
    };
  }

  /* As java reads argfiles. */
  private static String quoted(String option) {
    return '"' + option.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static String unquoted(String line) {
    return line.substring(1, line.length() - 1).replace("\\\"", "\"").replace("\\\\", "\\");
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
