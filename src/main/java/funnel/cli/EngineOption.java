package funnel.cli;

import funnel.Funnel;
import funnel.operation.Device;
import funnel.operation.EngineUnavailableException;
import funnel.operation.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options {@code --engine} and {@code --devices}. */
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

  @Option(
      names = "--devices",
      paramLabel = "N",
      split = ",",
      description =
          "One or more devices by their numbers, such as 0,1, or all: files are worked on by all"
              + " of them. Default: one.")
  private List<String> devices = List.of();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  private ParameterException usage(String message, Object... values) {
    return new ParameterException(spec.commandLine(), message.formatted(values));
  }

  private List<Device> devices() {
    List<Device> there = Funnel.devices();
    if (devices.equals(List.of("all"))) {
      return there;
    }
    List<Device> chosen = new ArrayList<>();
    for (String number : devices) {
      if (!number.matches("[0-9]{1,4}")) {
        throw usage("--devices %s: give numbers, such as 0,1, or all", number);
      }
      int index = Integer.parseInt(number);
      if (!there.isEmpty() && index >= there.size()) {
        throw usage("--devices %d: there are devices=%d", index, there.size());
      }
      there.stream().skip(index).findFirst().ifPresent(chosen::add);
    }
    return chosen.stream().distinct().toList();
  }

  /**
   * Opens the engine.
   *
   * @throws EngineUnavailableException if it cannot be had
   */
  Funnel open() {
    if (!devices.isEmpty()) {
      if (choice == Choice.JVM || choice == Choice.EMULATOR) {
        throw usage("--devices is for the engine tornado, not for %s", choice);
      }
      List<Device> chosen = devices();
      if (chosen.isEmpty()) {
        throw new EngineUnavailableException("no device: run funnel doctor", null);
      }
      return Funnel.open(chosen.toArray(Device[]::new));
    }
    return switch (choice) {
      case AUTO -> Funnel.open(Target.TORNADO, Target.JVM);
      case JVM -> Funnel.open(Target.JVM);
      case TORNADO -> Funnel.open(Target.TORNADO);
      case EMULATOR -> Funnel.open(Target.EMULATOR);
    };
  }
}
