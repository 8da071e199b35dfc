package funnel.cli;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Checks Funnel's environment before any engine is opened: JVM, SDK, driver, properties. */
final class Surroundings {

  static final String SDK = "TORNADOVM_HOME";
  static final int LEAST_JDK = 25;
  private static final String VERSION = "version=";

  /** The version that all tests run with, on GPUs. */
  private static final String TESTED = "5.2.0-";

  /** What TornadoVM looks for if none is named by its native library. */
  private static final List<String> COMPILERS = List.of("libnvrtc.so.13", "libnvrtc.so.12");

  private static final String TASK_GRAPH = "uk.ac.manchester.tornado.api.TaskGraph";
  private static final Path DRIVER = Path.of("/proc/driver/nvidia/version");
  private static final String BAILOUT = "tornado.recover.bailout";
  private static final String PROVIDER = "tornado.load.annotation.implementation";
  private static final String OUR_PROVIDER = "funnel.jit.GeneratedClasses";
  private static final String BACKEND = "funnel.backend";
  private static final String LEAVE_IN = "only needed for a GPU; start without --backend none";
  private static final Pattern NVRTC = Pattern.compile("libnvrtc\\.so\\.[0-9]+");
  private static final String USE_LAUNCHER = "start through the launcher 'funnel', which sets it";

  private final Map<String, String> environment;
  private final Properties properties;

  Surroundings(Map<String, String> environment, Properties properties) {
    this.environment = environment;
    this.properties = properties;
  }

  /** Checks that do not need TornadoVM. */
  List<Check> checks() throws IOException {
    List<Check> checks = new ArrayList<>();
    checks.add(jdk());
    checks.add(
        Check.ok(
            "JVM memory",
            String.format(
                Locale.ROOT, "heap of at most %,d MiB", Runtime.getRuntime().maxMemory() >> 20)));
    checks.add(Check.ok("cores", Integer.toString(Runtime.getRuntime().availableProcessors())));
    checks.add(driver());
    checks.add(sdk());
    untested().ifPresent(checks::add);
    compiler().ifPresent(checks::add);
    checks.add(api());
    checks.add(kernel());
    return checks;
  }

  private Check jdk() {
    int feature = Runtime.version().feature();
    String found = "%s %s".formatted(properties.getProperty("java.vendor", "?"), Runtime.version());
    return feature >= LEAST_JDK
        ? Check.ok("JDK", found)
        : Check.wrong("JDK", found, "install JDK %s or later".formatted(LEAST_JDK));
  }

  private static Check driver() {
    try (Stream<String> lines = Files.lines(DRIVER)) {
      return Check.ok("NVIDIA driver", lines.findFirst().orElse("?").replaceAll("\\s+", " "));
    } catch (IOException e) {
      return Check.notNeeded(
          "NVIDIA driver",
          "none seen",
          "only needed for a GPU; install it, and in a container pass the GPU on");
    }
  }

  Check sdk() {
    String home = environment.getOrDefault(SDK, "");
    if (isLeftOut()) {
      return Check.notNeeded("TornadoVM SDK", "left out", LEAVE_IN);
    }
    if (home.isBlank()) {
      return Check.notNeeded(
          "TornadoVM SDK",
          SDK + " is not set",
          "only needed for a GPU; set it to a TornadoVM SDK: 5.2.0 for JDK 25, 6 or 7");
    }
    Path sdk = Path.of(home);
    List<String> missing = new ArrayList<>();
    if (!Files.isRegularFile(sdk.resolve("tornado-argfile"))
        && !Files.isRegularFile(sdk.resolve("tornado-argfile.template"))) {
      missing.add("tornado-argfile");
    }
    if (!contains(sdk.resolve("share/java/tornado"), "tornado-api-", ".jar")) {
      missing.add("share/java/tornado/tornado-api-*.jar");
    }
    if (!hasOwnCompiler(sdk) && !contains(sdk.resolve("lib"), "libtornado-", "")) {
      missing.add("lib/libtornado-*");
    }
    return missing.isEmpty()
        ? Check.ok("TornadoVM SDK", "%s in %s".formatted(version(sdk), home))
        : Check.wrong(
            "TornadoVM SDK",
            "%s=%s has no %s".formatted(SDK, home, String.join(", ", missing)),
            "point it at an unpacked TornadoVM SDK; its installer writes the argfile");
  }

  /** Whether an SDK is of a version that has its own compiler, and calls the driver without JNI. */
  private static boolean hasOwnCompiler(Path sdk) {
    return contains(sdk.resolve("share/java/graalJars"), "tornado-graal-", ".jar");
  }

  private static String version(Path sdk) {
    try (Stream<String> lines = Files.lines(sdk.resolve("etc/tornado.release"))) {
      return lines
          .filter(line -> line.startsWith(VERSION))
          .map(line -> line.substring(VERSION.length()))
          .findFirst()
          .orElse("of unknown version");
    } catch (IOException e) {
      return "of unknown version";
    }
  }

  /** What Funnel was not tested for with the version of the SDK that is there. */
  Optional<Check> untested() {
    String version = version(Path.of(environment.getOrDefault(SDK, "")));
    if (!sdk().isOk() || version.startsWith(TESTED)) {
      return Optional.empty();
    }
    return Optional.of(
        Check.notNeeded(
            "tests with it",
            version.startsWith("6.")
                ? "few, with a build near 6.0: all kernels compile, and on one GPU the self-tests,"
                    + " the compiler's rules and a sixteenth of the programs passed; several GPUs"
                    + " and kept arrays are untested"
                : "none: Funnel was not tested with version " + version,
            "run 'funnel doctor --jit' and 'funnel test'; %s is tested on GPUs"
                .formatted(TESTED.substring(0, TESTED.length() - 1))));
  }

  private static boolean contains(Path folder, String begin, String end) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> Objects.toString(file.getFileName()))
          .anyMatch(name -> name.startsWith(begin) && name.endsWith(end));
    } catch (IOException e) {
      return false;
    }
  }

  private boolean isLeftOut() {
    return properties.getProperty(BACKEND, "").equals("none");
  }

  /**
   * The runtime compiler that the backend for CUDA C uses; of an older SDK the one it is linked
   * with.
   */
  Optional<Check> compiler() throws IOException {
    Path sdk = Path.of(environment.getOrDefault(SDK, ""));
    Path library = sdk.resolve("lib/libtornado-cuda.so");
    if (!properties.getProperty(BACKEND, "").equals("cuda")) {
      return Optional.empty();
    }
    List<String> names = hasOwnCompiler(sdk) ? COMPILERS : List.of();
    if (Files.isReadable(library)) {
      Matcher named = NVRTC.matcher(Files.readString(library, StandardCharsets.ISO_8859_1));
      names = named.find() ? List.of(named.group()) : names;
    }
    if (names.isEmpty()) {
      return Optional.empty();
    }
    Optional<String> found = names.stream().filter(Surroundings::isFound).findFirst();
    return Optional.of(
        found
            .map(name -> Check.ok("CUDA compiler", name))
            .orElse(
                Check.wrong(
                    "CUDA compiler",
                    names.getFirst() + " is not found",
                    "install CUDA %s, or 'pip install nvidia-cuda-nvrtc', or name its folder in LD_LIBRARY_PATH"
                        .formatted(names.getFirst().replaceFirst(".*\\.", "")))));
  }

  @SuppressWarnings("restricted") // it is looked for, and none of its functions called
  private static boolean isFound(String library) {
    try (Arena arena = Arena.ofConfined()) {
      SymbolLookup.libraryLookup(library, arena);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private Check api() {
    try {
      Class<?> graph = Class.forName(TASK_GRAPH, false, Surroundings.class.getClassLoader());
      return graph.getModule().isNamed()
          ? Check.ok("TornadoVM API", "on the module path, " + graph.getModule().getName())
          : Check.notNeeded(
              "TornadoVM API",
              "on the class path: the JVM's stand-in",
              isLeftOut()
                  ? LEAVE_IN
                  : "only needed for a GPU; start java with @$%s/tornado-argfile, as the launcher does"
                      .formatted(SDK));
    } catch (ClassNotFoundException e) {
      return Check.wrong(
          "TornadoVM API",
          "not there",
          "put the jar jvm-api on the class path, or start java with @$%s/tornado-argfile"
              .formatted(SDK));
    }
  }

  /** The kernel for notebooks: whether all its files still exist. */
  Check kernel() {
    String name = "Jupyter kernel";
    List<Path> kernels = new Jupyter(environment).funnelKernels();
    for (Path kernel : kernels) {
      try {
        List<String> missing = Kernelspec.missing(kernel);
        if (!missing.isEmpty()) {
          return Check.wrong(
              name,
              "%s needs %s, which is gone".formatted(kernel, missing.getFirst()),
              "run 'funnel jupyter install' again");
        }
      } catch (IOException e) {
        return Check.wrong(
            name, "%s cannot be read".formatted(kernel), "run 'funnel jupyter install' again");
      }
    }
    return kernels.isEmpty()
        ? Check.notNeeded(
            name, "not installed", "only needed for notebooks; funnel jupyter install")
        : Check.ok(name, String.join(", ", kernels.stream().map(Path::toString).toList()));
  }

  /** The properties that keep TornadoVM from failing silently; for a process that runs on it. */
  List<Check> properties() {
    String bailout = properties.getProperty(BAILOUT, "not set");
    String provider = properties.getProperty(PROVIDER, "not set");
    return List.of(
        bailout.toLowerCase(Locale.ROOT).equals("false")
            ? Check.ok(BAILOUT, bailout)
            : Check.wrong(BAILOUT, bailout, "set -D%s=False; %s".formatted(BAILOUT, USE_LAUNCHER)),
        provider.equals(OUR_PROVIDER)
            ? Check.ok(PROVIDER, provider)
            : Check.wrong(
                PROVIDER,
                provider,
                "set -D%s=%s, or operators of your own will be refused on the device; %s"
                    .formatted(PROVIDER, OUR_PROVIDER, USE_LAUNCHER)));
  }
}
