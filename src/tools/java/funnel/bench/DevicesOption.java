package funnel.bench;

import funnel.Funnel;
import funnel.operation.Device;
import funnel.operation.EngineUnavailableException;
import funnel.operation.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The option {@code --devices}. */
public final class DevicesOption {

  @Option(
      names = "--devices",
      paramLabel = "N",
      split = ",",
      description =
          "One or more devices by number, such as 0,1, or all. Files and streams are processed"
              + " by all of them. Default: one.")
  private @Nullable List<String> devices;

  /** The option, for picocli. */
  public DevicesOption() {}

  /**
   * Opens the named devices; if none are named, the engine.
   *
   * @param engine the value of {@code --engine}, or null
   * @param best opens the best engine, if {@code engine} is null
   * @param usage makes the exception for wrong usage
   * @throws EngineUnavailableException if a device or the engine is not available
   */
  public Funnel open(
      @Nullable Target engine, Supplier<Funnel> best, Function<String, ParameterException> usage) {
    if (devices == null) {
      return engine == null ? best.get() : Funnel.open(engine);
    }
    if (engine != null && engine != Target.TORNADO) {
      throw usage.apply("--devices needs the engine tornado, not %s".formatted(Named.of(engine)));
    }
    List<Device> chosen = chosen(devices, usage);
    if (chosen.isEmpty()) {
      throw new EngineUnavailableException("no device: run funnel doctor", null);
    }
    return Funnel.open(chosen.toArray(Device[]::new));
  }

  private static List<Device> chosen(
      List<String> devices, Function<String, ParameterException> usage) {
    List<Device> there = Funnel.devices();
    if (devices.equals(List.of("all"))) {
      return there;
    }
    List<Device> chosen = new ArrayList<>();
    for (String number : devices) {
      if (!number.matches("[0-9]{1,4}")) {
        throw usage.apply("--devices %s: give numbers, such as 0,1, or all".formatted(number));
      }
      int index = Integer.parseInt(number);
      if (!there.isEmpty() && index >= there.size()) {
        throw usage.apply("--devices %s: there are devices=%s".formatted(index, there.size()));
      }
      there.stream().skip(index).findFirst().ifPresent(chosen::add);
    }
    return chosen.stream().distinct().toList();
  }
}
