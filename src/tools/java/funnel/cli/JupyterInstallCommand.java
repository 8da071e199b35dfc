package funnel.cli;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code funnel jupyter install}. */
@Command(
    name = "install",
    description = {
      "Install Funnel as a Jupyter kernel.",
      "",
      "Writes a kernelspec that starts a Java kernel with the java, class path and options that"
          + " this command runs with: on TornadoVM if TORNADOVM_HOME is set, on the JVM otherwise."
          + " Install again after one of them has changed. A kernelspec of the same name is"
          + " replaced if this command made it.",
      ""
    },
    footer = {
      "  funnel jupyter install",
      "  funnel --backend none jupyter install --name funnel-jvm",
      "  funnel jupyter install --kernel-jar ijava-1.3.0.jar --name funnel-ijava",
      "  jupyter notebook docs/notebooks/quickstart.ipynb       and then"
    })
final class JupyterInstallCommand extends FunnelCommand {

  /** Property with the jar of the default kernel; the launcher sets it. */
  static final String DEFAULT_JAR = "funnel.kernel.jar";

  @Option(
      names = "--kernel-jar",
      paramLabel = "FILE",
      description = {
        "Jar of IJava, JJava or rapaio-jupyter-kernel.",
        "Default: the last of these, from Maven Central."
      })
  private @Nullable Path kernelJar;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      defaultValue = "funnel",
      description = "The name of the kernel in Jupyter. Default: ${DEFAULT-VALUE}.")
  private String name = "funnel";

  @ArgGroup private Place place = new Place();

  /** Where to. */
  private static final class Place {
    @Option(names = "--user", description = "For this user. The default.")
    private boolean user;

    @Option(
        names = "--prefix",
        paramLabel = "FOLDER",
        description = "Into FOLDER/share/jupyter/kernels: a Python environment, say.")
    private @Nullable Path prefix;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (!name.matches("[A-Za-z0-9._-]+")) {
      throw usage("--name=%s: Jupyter allows letters, digits, '.', '_' and '-'", name);
    }
    Jupyter jupyter = new Jupyter(System.getenv());
    jupyter.require();
    KernelJar kernel = KernelJar.read(jar());
    KernelSettings settings =
        KernelSettings.of(
            System.getenv(),
            System.getProperties(),
            ManagementFactory.getRuntimeMXBean().getInputArguments());
    Path data = place.prefix == null ? jupyter.userData() : place.prefix.resolve("share/jupyter");
    Path folder = settings.kernelspec(name, kernel).install(data);
    out()
        .println(
            "installed kernel '%s' (%s, %s) in %s"
                .formatted(name, kernel.family().title(), settings.engines(), folder));
    return ExitCode.OK;
  }

  private Path jar() {
    if (kernelJar != null) {
      return kernelJar;
    }
    String known = System.getProperty(DEFAULT_JAR, "");
    if (known.isEmpty() || !Files.exists(Path.of(known))) {
      throw new KernelJarException(
          "the kernel's jar is not here: start through the launcher 'funnel' in a source tree,"
              + " which gets it from Maven Central, or in a bundle made with --jupyter, or name one"
              + " with --kernel-jar");
    }
    return Path.of(known);
  }
}
