package funnel.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code funnel jupyter}. */
@Command(
    name = "jupyter",
    description = "Notebooks: Funnel in Jupyter, through a Java kernel.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = JupyterInstallCommand.class,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the kernel is installed",
      "1:it is not, and nothing was changed",
      "2:the command line is wrong"
    },
    footerHeading = "%nExamples:%n",
    footer = {"  funnel jupyter install", "  funnel jupyter install --help"})
final class JupyterCommand implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }
}
