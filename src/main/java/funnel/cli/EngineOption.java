package funnel.cli;

import funnel.Funnel;
import funnel.operation.Target;
import java.util.Locale;
import picocli.CommandLine.Option;

/** The option {@code --engine}. */
final class EngineOption {

  /** What can be asked for. */
  enum Choice {
    AUTO,
    JVM,
    TORNADO,
    EMULATOR;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--engine",
      paramLabel = "ENGINE",
      defaultValue = "${sys:" + Funnel.ENGINE_PROPERTY + ":-auto}",
      description =
          "${COMPLETION-CANDIDATES}; auto is the device if TornadoVM finds one, else the JVM."
              + " Property: "
              + Funnel.ENGINE_PROPERTY)
  private Choice choice = Choice.AUTO;

  /**
   * Opens the engine.
   *
   * @throws funnel.operation.EngineUnavailableException if it cannot be had
   */
  Funnel open() {
    return switch (choice) {
      case AUTO -> Funnel.open(Target.TORNADO, Target.JVM);
      case JVM -> Funnel.open(Target.JVM);
      case TORNADO -> Funnel.open(Target.TORNADO);
      case EMULATOR -> Funnel.open(Target.EMULATOR);
    };
  }
}
