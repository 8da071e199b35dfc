package funnel.bench;

import picocli.CommandLine.Command;

/**
 * {@code funnel bench}: measures the primitives and their peers on this machine.
 *
 * {@snippet class="funnel.docs.CommandSnippets" region="bench"}
 */
@Command(
    name = "bench",
    description =
        "Measures the primitives and their peers on this machine, and checks all results.",
    subcommands = {
      ReduceBench.class,
      LadderBench.class,
      ScanBench.class,
      SelectBench.class,
      SortBench.class,
      HistogramBench.class,
      HeatBench.class,
      CallsBench.class,
      JobsBench.class,
      StreamsBench.class
    },
    mixinStandardHelpOptions = true,
    footer = {
      "  funnel bench reduce --quick",
      "  funnel bench scan --type int --op sum --sizes 2^20..2^28 --png scan.png"
    },
    synopsisSubcommandLabel = "COMMAND")
public final class BenchCommand {

  /** The command, for picocli. */
  public BenchCommand() {}
}
