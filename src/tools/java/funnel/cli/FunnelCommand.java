package funnel.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The common part of all commands: help, output, and checks of options. */
abstract class FunnelCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  private final Map<Path, String> outputs = new HashMap<>();
  private @Nullable OutputFile piped;

  final CommandSpec spec() {
    return spec;
  }

  /** Where results are printed: standard error if a file goes to standard output. */
  final PrintWriter out() {
    return piped == null ? spec.commandLine().getOut() : spec.commandLine().getErr();
  }

  /** Writes the file that goes to standard output, if there is one, at the end. */
  final void passOutput() throws IOException {
    if (piped != null) {
      piped.pass();
    }
  }

  final ParameterException usage(String message, @Nullable Object... values) {
    return new ParameterException(
        spec.commandLine(),
        values.length == 0 ? message : String.format(Locale.ROOT, message, values));
  }

  final void requireRange(String option, long value, long least, long most) {
    if (value < least || value > most) {
      throw usage("%s=%s is out of range: %s to %s", option, value, least, most);
    }
  }

  /*
   * An existing output must be a regular file: a device file would be replaced, although a user may
   * expect that it takes the output. A link stays, and its target is replaced.
   */
  final void requireReplaceable(String option, OutputFile output, boolean force)
      throws IOException {
    if (output.isStandard()) {
      if (piped != null) {
        throw usage("%s -: another output is - already", option);
      }
      piped = output;
      return;
    }
    Path file = output.file();
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw usage("%s %s: there is no folder %s", option, file, folder);
    }
    if (!Files.isWritable(folder)) {
      throw usage("%s %s: no permission to write to %s", option, file, folder);
    }
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw usage("%s %s is not a regular file", option, file);
    }
    if (!force && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      throw exists(option, file);
    }
    Path whole =
        Files.exists(file)
            ? file.toRealPath()
            : folder.toRealPath().resolve(String.valueOf(file.getFileName()));
    String other = outputs.put(whole, option);
    if (other != null) {
      throw usage("%s and %s are both %s: name two files", other, option, file);
    }
  }

  /** The same for elements, whose format is that of the file's name. */
  final void requireElements(String option, OutputFile output, boolean force) throws IOException {
    requireReplaceable(option, output, force);
    requireSuffix(option, output, "a .npy, or a .bin for raw elements", ".npy", ".bin");
  }

  /** Refuses a name that promises another format. */
  final void requireSuffix(String option, OutputFile output, String what, String... suffixes) {
    if (!output.isStandard() && Stream.of(suffixes).noneMatch(output::hasSuffix)) {
      throw usage("%s %s: name %s", option, output, what);
    }
  }

  /** The two ends of a range. */
  final String[] ends(String range) {
    String[] ends = range.split("[,:]", -1);
    if (ends.length != 2) {
      throw usage("--range %s is not of the form LOW,HIGH", range);
    }
    return ends;
  }

  final ParameterException exists(String option, Object file) {
    return usage("%s %s exists: --force replaces it", option, file);
  }
}
