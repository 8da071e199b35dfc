package funnel.bench;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option {@code --seconds}, and the effort that follows from it. */
final class EffortOption {

  private static final Effort QUICK = new Effort(0.02, 10, 3, 20);
  private static final int MOST = 500;
  private static final int WARM_UPS = 2000;
  private static final int ENGINE_RUNS = 20;
  private static final int ENGINE_WARM_UPS = 10_000;
  private static final double ENGINE_WARM_UP_SECONDS = 5;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  private double seconds;

  @Option(
      names = "--seconds",
      paramLabel = "SECONDS",
      defaultValue = "0.3",
      description = "Time for each measurement, and at most as much for its warm-up.")
  private void seconds(double given) {
    if (!(given > 0)) {
      throw new ParameterException(spec.commandLine(), "--seconds must be positive: " + given);
    }
    seconds = given;
  }

  /**
   * The effort of one measurement.
   *
   * @param fewest the least number of runs that count
   */
  Effort effort(boolean isQuick, int fewest) {
    return isQuick ? QUICK : new Effort(seconds, WARM_UPS, fewest, MOST);
  }

  /** How long to run the engine before measurements begin. */
  static Effort engineWarmUp(boolean isQuick) {
    return isQuick
        ? QUICK
        : new Effort(ENGINE_WARM_UP_SECONDS, ENGINE_WARM_UPS, ENGINE_RUNS, ENGINE_RUNS);
  }
}
