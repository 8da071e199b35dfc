package funnel.docs;

import funnel.Funnel;
import funnel.Plan;
import funnel.docs.PrimitiveSnippets.Scaled;
import funnel.engine.Engine;
import funnel.engine.JvmEngine;
import funnel.engine.KeptArray;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.engine.tornado.TornadoEngine;
import funnel.jit.CallChain;
import funnel.operation.EngineUnavailableException;
import funnel.operation.FunnelDeviceException;
import funnel.operation.FunnelMemoryException;
import funnel.operation.Input;
import funnel.operation.ParallelRows;
import funnel.operation.Setting;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;

/** The examples of engines and of what they refuse. */
final class EngineSnippets {

  private EngineSnippets() {}

  // @start region="target"
  /** The sum by the first of these that is available, such as {@code TORNADO, JVM}. */
  static String sum(int[] values, Target... bestFirst) {
    try (Funnel funnel = Funnel.open(bestFirst)) {
      String where =
          switch (funnel.target()) {
            case TORNADO -> "on the device";
            case JVM -> "on the cores";
            case EMULATOR -> "in the emulator";
          };
      return funnel.sum(values) + " " + where; // for 1, 2, 3: 6 on the cores
    }
  }

  // @end

  // @start region="unavailable"
  /** The sum by a device and nothing else, or why there is none. */
  static String sumOnDevice(int[] values) {
    try (Funnel funnel = Funnel.open(Target.TORNADO)) {
      return "sum: " + funnel.sum(values);
    } catch (EngineUnavailableException e) {
      return "no sum: " + e.getMessage(); // ... (funnel doctor says what is missing)
    }
  }

  // @end

  // @start region="memory"
  /** A plan over {@code capacity} elements, or over as many as there is memory for. */
  static Plan fitting(IntFunction<Plan> plans, int capacity) {
    try {
      return plans.apply(capacity);
    } catch (FunnelMemoryException e) {
      double share = (double) e.freeBytes() / e.neededBytes();
      return plans.apply((int) (0.9 * share * capacity)); // work in chunks of so many
    }
  }

  // @end

  // @start region="device-failure"
  /** A program from x to y on a device or, should that fail, on the JVM. */
  static int[] run(Engine device, Program program, int[] values, Consumer<String> log) {
    try {
      return run(device, program, values);
    } catch (FunnelDeviceException e) {
      log.accept(e.getMessage()); // what failed where, with versions
      return run(new JvmEngine(), program, values);
    }
  }

  static int[] run(Engine engine, Program program, int[] values) {
    try (LoadedProgram loaded = engine.load(program, Map.of())) {
      loaded.set("x", MemorySegment.ofArray(values));
      loaded.run();
      int[] y = new int[loaded.length("y")];
      loaded.fetch("y", MemorySegment.ofArray(y));
      return y;
    }
  }

  // @end

  // @start region="best"
  /** The device through TornadoVM, or the cores. */
  static Engine best(Consumer<String> log) {
    try {
      Engine engine = TornadoEngine.open();
      log.accept(engine.description()); // NVIDIA H200 through TornadoVM 5.2.0 (PTX backend)
      return engine;
    } catch (EngineUnavailableException e) {
      log.accept(e.getMessage());
      return new JvmEngine();
    }
  }

  // @end

  // @start region="reference"
  /** Whether an engine computes what the JVM does: a check for a new primitive. */
  static boolean agreesWithJvm(Engine engine, int[] values) {
    Input x = new Input("x", ElementType.INT, values.length);
    Program program = Program.of(List.of(x), List.of(new Scaled("y", x, 3)));
    try (Engine jvm = new JvmEngine()) {
      return Arrays.equals(run(jvm, program, values), run(engine, program, values)); // true
    }
  }

  // @end

  // @start region="atomics"
  /** The form of a histogram's kernel in a setting, and why. */
  static String form(Setting setting) {
    return setting
        .localAtomics()
        .mistake()
        .map(mistake -> "counts of its own for each thread: " + mistake)
        .orElse("counts in local memory"); // in the emulator
  }

  // @end

  // @start region="chain"
  /** A table that several threads fill by a function, which may not look into it meanwhile. */
  record Table(double[] entries) {
    void fill(IntToDoubleFunction function) {
      CallChain.current()
          .with(this)
          .run(
              () -> ParallelRows.deal(entries.length, i -> entries[i] = function.applyAsDouble(i)));
    }

    double at(int i) {
      if (CallChain.current().contains(this)) {
        throw new IllegalStateException("the table is being filled: entry=" + i);
      }
      return entries[i];
    }
  }

  // @end

  // @start region="kept"
  /** Numbers that stay in the engine's memory while programs come and go. */
  static int[] keptAndRead(Engine engine, int... values) {
    try (KeptArray array = engine.keep(ElementType.INT, values.length)) {
      array.write(MemorySegment.ofArray(values)); // once
      int[] last = new int[1];
      array.read(values.length - 1, MemorySegment.ofArray(last));
      return last; // for 3, 1, 2: 2
    }
  }
  // @end
}
