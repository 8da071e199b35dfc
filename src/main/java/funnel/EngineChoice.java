package funnel;

import funnel.emulator.EmulatorEngine;
import funnel.engine.Engine;
import funnel.engine.JvmEngine;
import funnel.engine.TornadoEngine;
import funnel.operation.EngineUnavailableException;
import funnel.operation.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The engine that a {@link Funnel} opens, and who chooses where its one-shot calls run. */
record EngineChoice(Engine engine, @Nullable Placement placement) {

  private static final Logger LOG = LoggerFactory.getLogger(Funnel.class);

  /** The one that a property names, else the best. */
  static EngineChoice byProperty(String property) {
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
        "property %s=%s names no engine: use jvm, tornado or emulator".formatted(property, forced));
  }

  /**
   * The first of several engines that can be had.
   *
   * @param placed whether one-shot calls may run on the JVM beside a device
   */
  static EngineChoice of(boolean placed, Target... targets) {
    if (Objects.requireNonNull(targets, "targets").length == 0) {
      throw new IllegalArgumentException("no target given: name at least one, such as Target.JVM");
    }
    List<String> reasons = new ArrayList<>();
    List<EngineUnavailableException> refusals = new ArrayList<>();
    for (Target target : targets) {
      try {
        Engine engine = engine(Objects.requireNonNull(target, "target"));
        String why = reasons.isEmpty() ? "first choice" : String.join("; ", reasons);
        LOG.info("engine: {} ({})", engine.description(), why);
        return new EngineChoice(
            engine,
            placed && engine instanceof TornadoEngine tornado
                ? new Placement(target, tornado.link())
                : null);
      } catch (EngineUnavailableException e) {
        reasons.add(target + " cannot be had: " + e.getMessage());
        refusals.add(e);
      }
    }
    if (refusals.size() == 1) {
      throw refusals.getFirst();
    }
    throw new EngineUnavailableException(String.join("; ", reasons), refusals.getLast());
  }

  private static Engine engine(Target target) {
    return switch (target) {
      case JVM -> new JvmEngine();
      case TORNADO -> TornadoEngine.open();
      case EMULATOR -> new EmulatorEngine();
    };
  }
}
