package funnel.docs;

import funnel.emulator.Access;
import funnel.emulator.Emulator;
import funnel.emulator.EmulatorEngine;
import funnel.emulator.Interleaving;
import funnel.emulator.Order;
import funnel.emulator.Probe;
import funnel.engine.Engine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.engine.device.Launcher;
import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Device;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The examples of the emulator. */
final class EmulatorSnippets {

  private EmulatorSnippets() {}

  // @start region="emulator"
  /** The sum of each block's elements, by a tree in local memory. */
  static void sum(KernelContext context, IntArray in, IntArray sums, int threads) {
    int thread = context.localIdx;
    int[] partial = context.allocateIntLocalArray(threads);
    partial[thread] = in.get(context.globalIdx);
    for (int stride = threads / 2; stride > 0; stride /= 2) {
      context.localBarrier();
      if (thread < stride) {
        partial[thread] += partial[thread + stride];
      }
    }
    if (thread == 0) {
      sums.set(context.groupIdx, partial[0]);
    }
  }

  /** Runs it in every order; an exception is a mistake that the emulator has found. */
  static IntArray sums(IntArray in) {
    IntArray sums = new IntArray(2);
    KernelTask task = KernelTask.of("sum", Grid.of(2, 4), EmulatorSnippets::sum, in, sums, 4);
    for (Order order : Order.values()) {
      Emulator.builder().order(order).seed(7).detectRaces(true).build().run(task);
      // compare: for 1, 2, 3, 4, 5, 6, 7, 8 in each order 10, 26
    }
    return sums;
  }

  // @end

  // @start region="order"
  /** Moves elements one place up, and lacks a barrier between reading and writing. */
  static void shift(KernelContext context, IntArray x) {
    int i = context.globalIdx;
    if (i > 0) {
      x.set(i, x.get(i - 1));
    }
  }

  static IntArray shifted(Order order) {
    IntArray x = IntArray.fromElements(1, 2, 3, 4);
    KernelTask task = KernelTask.of("shift", Grid.of(1, 4), EmulatorSnippets::shift, x);
    Emulator.builder().order(order).build().run(task);
    return x; // REVERSE: 1, 1, 2, 3, by luck; FORWARD: 1, 1, 1, 1, which shows the mistake
  }

  // @end

  // @start region="engine"
  /** A program's results from x to y, whatever the order of threads. */
  static int[] inEveryOrder(Program program, int[] values) {
    int[] y = new int[values.length];
    for (Order order : Order.values()) {
      Emulator emulator = Emulator.builder().order(order).seed(7).detectRaces(true).build();
      try (Engine engine = new EmulatorEngine(emulator);
          LoadedProgram loaded = engine.load(program, Map.of())) {
        loaded.set("x", MemorySegment.ofArray(values)); // 1, 2, 3
        loaded.run();
        loaded.fetch("y", MemorySegment.ofArray(y)); // 3, 6, 9 if y is three times x
      }
    }
    return y;
  }

  // @end

  // @start region="launcher"
  /** A program on a device of one's own, which an emulator stands in for. */
  static LoadedProgram onOwnDevice(Program program, Emulator emulator) {
    Device device = new Device("a device of one's own", "emulator");
    return Launcher.load(program.on(device, Map.of()), Map.of(), device, emulator::launcher);
  }

  // @end

  // @start region="interleaving"
  /** Each thread increments the same element, without an atomic. */
  static void increment(KernelContext context, IntArray m) {
    int old = m.get(0);
    m.set(0, old + 1);
  }

  static List<Interleaving<Integer>> increments() {
    return Interleaving.all(
        () ->
            KernelTask.of("increment", Grid.of(1, 2), EmulatorSnippets::increment, new IntArray(1)),
        task -> ((IntArray) task.arguments().getFirst()).get(0)); // results: 2, 2, 1, 1
  }

  // @end

  // @start region="access"
  /** How an update is lost, access by access. */
  static List<String> lostUpdate() {
    for (Interleaving<Integer> one : increments()) {
      if (one.result() == 1) {
        return one.accesses().stream().map(EmulatorSnippets::line).toList();
        // thread 1: 0 = m[0]
        // thread 0: 0 = m[0]
        // thread 0: m[0] = 1
        // thread 1: m[0] = 1
      }
    }
    return List.of();
  }

  static String line(Access access) {
    return switch (access.kind()) {
      case READ ->
          "thread %s: %s = m[%s]".formatted(access.thread(), access.value(), access.index());
      case WRITE, ADD ->
          "thread %s: m[%s] = %s".formatted(access.thread(), access.index(), access.value());
    };
  }

  // @end

  // @start region="probe"
  /** A kernel as it is written. */
  static void reverse(KernelContext context, IntArray x, int threads) {
    int i = context.localIdx;
    int[] tile = context.allocateIntLocalArray(threads);
    tile[i] = x.get(i);
    context.localBarrier();
    x.set(i, tile[threads - 1 - i]); // 1, 2, 3 becomes 3, 2, 1
  }

  /** What its copy does where races in local memory are detected. */
  static void copyOfReverse(KernelContext context, IntArray x, int threads) {
    int i = context.localIdx;
    int[] tile = Probe.allocateIntLocalArray(context, threads, "Kernels.reverse(Kernels.java:3)");
    Probe.checkIndex(i, x.getSize(), "IntArray");
    int own = x.get(i);
    Probe.write(tile, i, own);
    tile[i] = own;
    Probe.localBarrier(context, "Kernels.reverse(Kernels.java:5)");
    Probe.read(tile, threads - 1 - i);
    int other = tile[threads - 1 - i];
    Probe.checkIndex(i, x.getSize(), "IntArray");
    x.set(i, other);
  }
  // @end
}
