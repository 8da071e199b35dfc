package funnel.cli;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What commands have in common: their help, where they write, and what they refuse. */
@Command(
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    footerHeading = "%nExamples:%n")
abstract class FunnelCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  final CommandSpec spec() {
    return spec;
  }

  final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  final ParameterException usage(String message, @Nullable Object... values) {
    return new ParameterException(
        spec.commandLine(), values.length == 0 ? message : message.formatted(values));
  }

  final void requireRange(String option, long value, long least, long most) {
    if (value < least || value > most) {
      throw usage("%s=%d is out of range: %d to %d", option, value, least, most);
    }
  }

  /* What has an output's name may only be a regular file: a device, of which one might think that
   * it swallows output, would be replaced. A link stays, and the file behind it is replaced. */
  final void requireReplaceable(String option, Path file, boolean force) {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw usage("%s %s: there is no folder %s", option, file, folder);
    }
    if (!Files.isWritable(folder)) {
      throw usage("%s %s: may not write to %s", option, file, folder);
    }
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw usage("%s %s is no regular file", option, file);
    }
    requireForce(option, file, force);
  }

  /** Refuses to replace a file without being told to. */
  final void requireForce(String option, @Nullable Path file, boolean force) {
    if (file != null && !force && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      throw exists(option, file);
    }
  }

  final ParameterException exists(String option, Path file) {
    return usage("%s %s exists: --force replaces it", option, file);
  }
}
