package funnel.bench;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Peers in CUDA C++: builds {@code peers.cu} or another source with nvcc and runs it as a separate
 * process. Meanwhile this process must not use the device.
 */
final class CudaPeers {

  private static final Logger LOG = LoggerFactory.getLogger(CudaPeers.class);
  private static final Pattern FIELD =
      Pattern.compile("\"(\\w+)\":(?:\"([^\"]*)\"|\\[([^\\]]*)\\]|([^,}]+))");
  private static final Path SOURCES = Path.of("src", "bench", "cuda");

  private CudaPeers() {}

  /**
   * The peers' output.
   *
   * @param device the line about the device
   * @param lines one line for each subject and workload, as fields by name
   */
  record Printed(Map<String, String> device, List<Map<String, String>> lines) {}

  /** The peers are not available; the message says why. */
  static final class UnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    UnavailableException(String message) {
      super(message);
    }
  }

  /**
   * Builds and runs a program.
   *
   * @param name the source's name
   * @param source its path, or null to look for it in {@code src/bench/cuda}, first below the
   *     working directory, then below the parent of the folder with Funnel's jar
   * @param arguments the program's arguments
   * @throws UnavailableException if the source or nvcc is missing, or either program fails
   */
  static Printed run(String name, @Nullable Path source, List<String> arguments)
      throws UnavailableException {
    Path nvcc =
        onPath("nvcc")
            .orElseThrow(
                () ->
                    new UnavailableException(
                        "no nvcc on the PATH to build %s with".formatted(name)));
    Path file = find(name, source);
    try {
      Path folder = Files.createTempDirectory("funnel-peers");
      try {
        Path program = folder.resolve("peers");
        build(nvcc, file, program);
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(arguments);
        return run(command);
      } finally {
        Files.deleteIfExists(folder.resolve("peers"));
        Files.deleteIfExists(folder);
      }
    } catch (IOException e) {
      throw new UnavailableException("%s cannot be built or run: %s".formatted(name, e));
    }
  }

  private static Optional<Path> onPath(String program) {
    String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
    return Arrays.stream(path.split(File.pathSeparator, -1))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static Path find(String name, @Nullable Path given) throws UnavailableException {
    List<Path> places = new ArrayList<>();
    if (given != null) {
      places.add(given);
    } else {
      places.add(SOURCES.resolve(name));
      CodeSource code = CudaPeers.class.getProtectionDomain().getCodeSource();
      if (code != null) {
        try {
          Path jar = Path.of(code.getLocation().toURI()).toAbsolutePath();
          Path home = jar.getParent() == null ? null : jar.getParent().getParent();
          if (home != null) {
            places.add(home.resolve(SOURCES).resolve(name));
          }
        } catch (URISyntaxException e) {
          LOG.debug("no folder of Funnel's own: {}", e.getMessage());
        }
      }
    }
    for (Path place : places) {
      if (Files.isRegularFile(place)) {
        return place;
      }
    }
    throw new UnavailableException(
        "no %s at %s: name it with --cuda-source".formatted(name, places));
  }

  /** For the machine's device; if nvcc cannot query it, for an H100 or H200. */
  private static void build(Path nvcc, Path source, Path program)
      throws IOException, UnavailableException {
    StringBuilder output = new StringBuilder();
    for (String architecture : List.of("native", "sm_90")) {
      Process process =
          new ProcessBuilder(
                  nvcc.toString(),
                  "-O3",
                  "-std=c++17",
                  "-arch=" + architecture,
                  "-o",
                  program.toString(),
                  source.toString())
              .redirectErrorStream(true)
              .start();
      process.getOutputStream().close();
      try (BufferedReader reader = process.inputReader()) {
        reader.lines().forEach(line -> output.append(line).append(System.lineSeparator()));
      }
      if (exit(process) == 0 && Files.isExecutable(program)) {
        return;
      }
    }
    throw new UnavailableException("nvcc does not compile %s:%n%s".formatted(source, output));
  }

  private static Printed run(List<String> command) throws IOException, UnavailableException {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    process.getOutputStream().close();
    Map<String, String> device = Map.of();
    List<Map<String, String>> lines = new ArrayList<>();
    try (BufferedReader reader = process.inputReader()) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        Map<String, String> fields = fields(line);
        if ("device".equals(fields.get("record"))) {
          device = fields;
        } else {
          lines.add(fields);
        }
      }
    } catch (IOException | UnavailableException e) {
      process.destroy();
      throw e;
    }
    int code = exit(process);
    if (code != 0) {
      throw new UnavailableException(
          "%s ended with exit code %s after %s results; its message is above"
              .formatted(String.join(" ", command), code, lines.size()));
    }
    return new Printed(device, lines);
  }

  private static int exit(Process process) throws UnavailableException {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new UnavailableException("interrupted");
    }
  }

  /** The fields of a line of peers.cu; an array is its elements, separated by commas. */
  static Map<String, String> fields(String line) throws UnavailableException {
    Map<String, String> fields = new HashMap<>();
    Matcher matcher = FIELD.matcher(line);
    while (matcher.find()) {
      String value =
          Stream.of(2, 3, 4).map(matcher::group).filter(Objects::nonNull).findFirst().orElse("");
      fields.put(matcher.group(1), value);
    }
    if (fields.isEmpty()) {
      throw new UnavailableException("not a line of peers.cu: " + line);
    }
    return fields;
  }

  /** The times in a line, or null. */
  static @Nullable Timing timing(@Nullable String nanos) {
    return nanos == null || nanos.isEmpty()
        ? null
        : new Timing(
            Arrays.stream(nanos.split(",", -1)).mapToDouble(Double::parseDouble).toArray());
  }
}
