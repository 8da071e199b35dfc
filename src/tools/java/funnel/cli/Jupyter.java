package funnel.cli;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** This machine's Jupyter: where it is, and where it looks for kernels. */
final class Jupyter {

  private static final String HOW =
      "on Debian or Ubuntu 'apt install jupyter-notebook', elsewhere 'python3 -m pip install"
          + " notebook'";

  private final Map<String, String> environment;

  Jupyter(Map<String, String> environment) {
    this.environment = environment;
  }

  /**
   * The folder of this user's kernels, according to Jupyter itself.
   *
   * @throws JupyterUnavailableException if there is no Jupyter
   */
  Path userData() throws IOException, InterruptedException {
    Path jupyter = require();
    Outcome outcome = Outcome.of(List.of(jupyter.toString(), "--data-dir"), environment);
    String folder = outcome.output().strip();
    if (outcome.exitCode() != 0 || !folder.startsWith("/")) {
      throw new JupyterUnavailableException(
          "'%s --data-dir' ended with %s and said '%s': install Jupyter again, %s"
              .formatted(
                  jupyter,
                  outcome.exitCode(),
                  folder.lines().reduce((first, last) -> last).orElse(""),
                  HOW));
    }
    return Path.of(folder);
  }

  /**
   * The command {@code jupyter}.
   *
   * @throws JupyterUnavailableException if there is none
   */
  Path require() {
    Path jupyter = onPath("jupyter");
    if (jupyter != null) {
      return jupyter;
    }
    Path python = onPath("python3") == null ? onPath("python") : onPath("python3");
    throw new JupyterUnavailableException(
        python == null
            ? "neither Python nor Jupyter is on the PATH: install both, " + HOW
            : "there is Python (%s) but no Jupyter on the PATH: install it, %s"
                .formatted(python, HOW));
  }

  private @Nullable Path onPath(String command) {
    for (String folder : environment.getOrDefault("PATH", "").split(File.pathSeparator)) {
      Path file = Path.of(folder, command);
      if (!folder.isEmpty() && Files.isRegularFile(file) && Files.isExecutable(file)) {
        return file;
      }
    }
    return null;
  }

  /** Kernels that {@code funnel jupyter install} made, wherever Jupyter looks for kernels. */
  List<Path> funnelKernels() {
    List<Path> kernels = new ArrayList<>();
    for (Path data : dataFolders()) {
      try (Stream<Path> specs = Files.list(data.resolve("kernels"))) {
        specs.filter(Kernelspec::isOurs).sorted().forEach(kernels::add);
      } catch (IOException e) {
        // most of the folders are not there
      }
    }
    return kernels;
  }

  private Set<Path> dataFolders() {
    Set<Path> folders = new LinkedHashSet<>();
    for (String folder : environment.getOrDefault("JUPYTER_PATH", "").split(File.pathSeparator)) {
      add(folders, folder, "");
    }
    String home = environment.getOrDefault("HOME", "");
    add(folders, environment.getOrDefault("JUPYTER_DATA_DIR", ""), "");
    add(folders, environment.getOrDefault("XDG_DATA_HOME", ""), "jupyter");
    add(folders, home, ".local/share/jupyter");
    add(folders, home, "Library/Jupyter");
    add(folders, environment.getOrDefault("VIRTUAL_ENV", ""), "share/jupyter");
    add(folders, environment.getOrDefault("CONDA_PREFIX", ""), "share/jupyter");
    add(folders, "/usr/local", "share/jupyter");
    add(folders, "/usr", "share/jupyter");
    return folders;
  }

  private static void add(Set<Path> folders, String folder, String below) {
    if (!folder.isBlank()) {
      folders.add(Path.of(folder, below));
    }
  }

  /**
   * A process that ran.
   *
   * @param exitCode its exit code
   * @param output what it wrote, to standard output and standard error
   */
  record Outcome(int exitCode, String output) {

    static Outcome of(List<String> command, Map<String, String> environment)
        throws IOException, InterruptedException {
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().clear();
      builder.environment().putAll(environment);
      Process process = builder.start();
      process.getOutputStream().close();
      byte[] output = process.getInputStream().readAllBytes();
      return new Outcome(process.waitFor(), new String(output, StandardCharsets.UTF_8));
    }
  }
}
