package funnel.cli;

import funnel.Funnel;
import funnel.bench.DevicesOption;
import funnel.operation.EngineUnavailableException;
import funnel.operation.Target;
import java.util.Locale;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options {@code --engine} and {@code --devices}. */
final class EngineOption {

  /** The values of the option. */
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

  @Mixin private DevicesOption devices = new DevicesOption();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  /**
   * Opens the engine.
   *
   * @throws EngineUnavailableException if it is not available
   */
  Funnel open() {
    Target target =
        switch (choice) {
          case AUTO -> null;
          case JVM -> Target.JVM;
          case TORNADO -> Target.TORNADO;
          case EMULATOR -> Target.EMULATOR;
        };
    return devices.open(
        target,
        () -> Funnel.open(Target.TORNADO, Target.JVM),
        message -> new ParameterException(spec.commandLine(), message));
  }
}
