package funnel.cli;

import picocli.CommandLine.Command;

/** {@code funnel jupyter}. */
@Command(
    name = "jupyter",
    description = "Notebooks: Funnel in Jupyter, through a Java kernel.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = JupyterInstallCommand.class,
    footer = {"  funnel jupyter install", "  funnel jupyter install --help"})
final class JupyterCommand extends FunnelCommand {

  @Override
  public Integer call() {
    throw usage("a command is missing");
  }
}
