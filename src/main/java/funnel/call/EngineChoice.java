package funnel.call;

import funnel.emulator.EmulatorEngine;
import funnel.engine.Engine;
import funnel.engine.JvmEngine;
import funnel.engine.tornado.TornadoEngine;
import funnel.operation.Device;
import funnel.operation.EngineUnavailableException;
import funnel.operation.ParallelRows;
import funnel.operation.Target;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine that a Funnel opens, and the choice of where its one-shot calls run.
 *
 * @param engine the first or only engine
 * @param devices engines by their devices, where they have any
 */
public record EngineChoice(
    Engine engine, SequencedMap<Device, Engine> devices, @Nullable CallPlaces placement) {

  private static final Logger LOG = LoggerFactory.getLogger("funnel.Funnel");

  private static final String API = "uk.ac.manchester.tornado.api.TaskGraph";

  /** What a Funnel opens that names no engine, where this is stated. */
  private static final ScopedValue<EngineChoice> STATED = ScopedValue.newInstance();

  /** Opens a Funnel that names no engine on this one, whatever the property says. */
  public <T> T opened(Supplier<T> open) {
    return ScopedValue.where(STATED, this).call(open::get);
  }

  /** The engine that a property names, else the best. */
  public static EngineChoice byProperty(String property) {
    if (STATED.isBound()) {
      return STATED.get();
    }
    String forced = System.getProperty(property);
    if (forced == null || forced.isBlank()) {
      return of(true, Target.TORNADO, Target.JVM);
    }
    for (Target target : Target.values()) {
      if (target.name().equals(forced.strip().toUpperCase(Locale.ROOT))) {
        return of(false, target);
      }
    }
    throw new IllegalArgumentException(
        "property %s=%s is not an engine: use jvm, tornado or emulator"
            .formatted(property, forced));
  }

  /**
   * The first of several engines that is available.
   *
   * @param placed whether one-shot calls may run on the JVM although there is a device
   */
  public static EngineChoice of(boolean placed, Target... targets) {
    if (Objects.requireNonNull(targets, "targets").length == 0) {
      throw new IllegalArgumentException("no target given: name at least one, such as Target.JVM");
    }
    List<String> reasons = new ArrayList<>();
    List<EngineUnavailableException> refusals = new ArrayList<>();
    for (Target target : targets) {
      try {
        Engine engine = engine(Objects.requireNonNull(target, "target"));
        LOG.info("{}", said(engine, refusals));
        SequencedMap<Device, Engine> devices = new LinkedHashMap<>();
        Placement placement = null;
        if (engine instanceof TornadoEngine tornado) {
          devices.put(tornado.device(), engine);
          placement = placed ? new Placement(target, tornado.link()) : null;
        }
        return new EngineChoice(engine, devices, placement);
      } catch (EngineUnavailableException e) {
        reasons.add(target + " is not available: " + e.getMessage());
        refusals.add(e);
        LOG.debug("{}", reasons.getLast(), e);
      }
    }
    if (refusals.size() == 1) {
      throw refusals.getFirst();
    }
    throw new EngineUnavailableException(String.join("; ", reasons), refusals.getLast());
  }

  /** Where everything runs, and why not on an earlier target. */
  private static String said(Engine engine, List<EngineUnavailableException> refusals) {
    String on =
        switch (engine.target()) {
          case JVM -> "the JVM (%s cores)".formatted(ParallelRows.cores());
          case EMULATOR -> "the emulator";
          case TORNADO -> engine.description();
        };
    if (refusals.isEmpty()) {
      return "running on " + on;
    }
    String why =
        TornadoEngine.isSdkThere()
            ? refusals.getFirst().getMessage()
            : "no TornadoVM SDK (TORNADOVM_HOME). Details: funnel doctor";
    return "running on %s: %s".formatted(on, why);
  }

  /** Engines that exist already; the first one runs what is not spread. */
  public static EngineChoice of(SequencedMap<Device, Engine> devices) {
    return new EngineChoice(devices.firstEntry().getValue(), devices, null);
  }

  /** Devices, all of them or none. */
  public static EngineChoice of(Device... given) {
    if (Objects.requireNonNull(given, "devices").length == 0) {
      throw new IllegalArgumentException(
          "no device given: name at least one of Funnel.devices(), or call open()");
    }
    SequencedMap<Device, Engine> devices = new LinkedHashMap<>();
    try {
      for (Device device : given) {
        if (devices.containsKey(Objects.requireNonNull(device, "device"))) {
          throw new IllegalArgumentException("device %s is given twice".formatted(device));
        }
        devices.put(device, opened(device));
      }
    } catch (RuntimeException e) {
      devices.values().forEach(Engine::close);
      throw e;
    }
    devices.values().forEach(engine -> LOG.info("{}", said(engine, List.of())));
    return of(devices);
  }

  private static Engine opened(Device device) {
    if (!device.isUsable()) {
      throw new EngineUnavailableException(device.refusal(), null);
    }
    TornadoEngine engine = TornadoEngine.open(device.index());
    if (!engine.device().equals(device)) {
      engine.close();
      throw new IllegalArgumentException(
          "device %s is none of Funnel.devices(): that one is %s"
              .formatted(device, engine.device()));
    }
    return engine;
  }

  /** The devices that TornadoVM finds; empty, with a log line, if TornadoVM is not available. */
  public static List<Device> found() {
    try {
      return TornadoEngine.devices();
    } catch (EngineUnavailableException e) {
      LOG.info("no devices: {}", e.getMessage());
      return List.of();
    }
  }

  private static Engine engine(Target target) {
    try {
      Class.forName(API, false, EngineChoice.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new EngineUnavailableException(
          "TornadoVM's API is not on the class path, which is needed without TornadoVM too: depend"
              + " on funnel:funnel of classifier jvm, which has it, or add the one of classifier"
              + " jvm-api",
          e);
    }
    return switch (target) {
      case JVM -> new JvmEngine();
      case TORNADO -> TornadoEngine.open();
      case EMULATOR -> new EmulatorEngine();
    };
  }
}
