package funnel.cli;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * The settings for starting a kernel for notebooks: the same as for this process.
 *
 * @param java the command
 * @param options java's options except the class path
 * @param classPath the class path
 * @param variables environment variables: that of the SDK, and that for the folder of its libraries
 */
record KernelSettings(
    Path java, List<String> options, List<String> classPath, Map<String, String> variables) {

  /*
   * Not the SDK's argfile but the options of this process, which the launcher took from it: the
   * argfile contains the folder in which the SDK was built, quotes nothing, and loads drivers whose
   * libraries are missing here. See the launcher.
   */

  private static final String LIBRARIES = "LD_LIBRARY_PATH";
  private static final String LOG_LEVEL = "-Dorg.slf4j.simpleLogger.defaultLogLevel=";

  /**
   * The settings of a process with this environment, these properties and these options of java.
   *
   * @throws KernelSettingsException if a kernel cannot be started with them
   */
  static KernelSettings of(
      Map<String, String> environment, Properties properties, List<String> jvmOptions)
      throws IOException {
    Path java = Path.of(properties.getProperty("java.home", ""), "bin", "java");
    requireJdk(java, properties);
    String home = environment.getOrDefault(Surroundings.SDK, "");
    LinkedHashSet<String> classPath = new LinkedHashSet<>();
    for (String entry : properties.getProperty("java.class.path", "").split(File.pathSeparator)) {
      if (!entry.isEmpty()) {
        classPath.add(Path.of(entry).toAbsolutePath().normalize().toString());
      }
    }
    Map<String, String> variables = new HashMap<>();
    if (!home.isBlank()) {
      requireSdk(home, new Surroundings(environment, properties), jvmOptions);
      variables.put(Surroundings.SDK, home);
      variables.put(LIBRARIES, environment.getOrDefault(LIBRARIES, ""));
      // for the compiler of cells, which does not use the module path; the JVM uses the module's
      // classes
      classPath.addAll(apiJars(Path.of(home)));
    }
    if (jvmOptions.stream().noneMatch(option -> option.startsWith("--add-exports=java.base/"))) {
      throw new KernelSettingsException(
          "java was started without Funnel's options, and so would be a kernel: start it with the"
              + " launcher 'funnel'");
    }
    List<String> options = new ArrayList<>(jvmOptions);
    options.removeIf(
        option ->
            option.startsWith("-agentlib:")
                || option.startsWith("-javaagent:")
                || option.startsWith("-D" + JupyterInstallCommand.DEFAULT_JAR));
    if (options.stream().noneMatch(option -> option.startsWith(LOG_LEVEL))) {
      options.add(LOG_LEVEL + "warn"); // a notebook shows the log between its cells
    }
    return new KernelSettings(java, options, List.copyOf(classPath), variables);
  }

  private static void requireJdk(Path java, Properties properties) {
    String version = properties.getProperty("java.specification.version", "0");
    if (Double.parseDouble(version) < Surroundings.LEAST_JDK) {
      throw new KernelSettingsException(
          "JDK %s is too old: install JDK %s or later and set JAVA_HOME to it"
              .formatted(version, Surroundings.LEAST_JDK));
    }
    if (!Files.isExecutable(java)) {
      throw new KernelSettingsException(
          "there is no %s: set JAVA_HOME to a full JDK".formatted(java));
    }
    if (ModuleLayer.boot().findModule("jdk.jshell").isEmpty()) {
      throw new KernelSettingsException(
          "the Java runtime %s has no module jdk.jshell, which runs the cells: set JAVA_HOME to a"
                  .formatted(java)
              + " full JDK");
    }
  }

  private static void requireSdk(String home, Surroundings surroundings, List<String> jvmOptions) {
    Check sdk = surroundings.sdk();
    if (!sdk.isOk()) {
      throw new KernelSettingsException(
          "%s: %s; or unset it for a kernel without TornadoVM".formatted(sdk.found(), sdk.todo()));
    }
    if (jvmOptions.stream().noneMatch(option -> option.contains(home))) {
      throw new KernelSettingsException(
          "%s is set to %s but java was started without its options: start through the launcher"
                  .formatted(Surroundings.SDK, home)
              + " 'funnel'");
    }
  }

  private static List<String> apiJars(Path sdk) throws IOException {
    try (Stream<Path> jars = Files.list(sdk.resolve("share/java/tornado"))) {
      return jars.map(Path::toString)
          .filter(jar -> jar.contains("/tornado-api-"))
          .sorted()
          .toList();
    }
  }

  /** The engines of the kernel, for people. */
  String engines() {
    return variables.isEmpty()
        ? "on the JVM"
        : "with TornadoVM from " + variables.get(Surroundings.SDK);
  }

  /** A kernelspec with these settings. */
  Kernelspec kernelspec(String name, KernelJar kernel) {
    String title = name.equals("funnel") ? "Java + Funnel" : "Java + Funnel (%s)".formatted(name);
    return new Kernelspec(name, title, kernel, java, options, classPath, variables);
  }
}
