package funnel.docs;

import funnel.emulator.Emulator;
import funnel.jit.FusedMultiplyAdd;
import funnel.kernel.AtLaunch;
import funnel.kernel.BlockSize;
import funnel.kernel.FloatingMethods;
import funnel.kernel.IntegerMethods;
import funnel.kernel.Kernel;
import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import funnel.kernel.LookUps;
import funnel.kernel.Scalars;
import funnel.kernel.ShapeLongs;
import java.util.Map;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoBackend;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * The examples of {@link KernelTask}, {@link Kernel}, {@link AtLaunch}, {@link BlockSize}, {@link
 * Scalars} and {@link FusedMultiplyAdd}.
 */
final class KernelSnippets {

  private KernelSnippets() {}

  // @start region="task"
  /** A kernel: one thread an element. */
  static void scale(KernelContext context, FloatArray in, FloatArray out, float factor) {
    int i = context.globalIdx;
    if (i < in.getSize()) {
      out.set(i, factor * in.get(i));
    }
  }

  /** Its launch: blocks of 64 threads, and a factor that is a constant of the kernel. */
  static KernelTask doubled(FloatArray in, FloatArray out) {
    Grid grid = Grid.of(Math.ceilDiv(in.getSize(), 64), 64);
    return KernelTask.of("doubled", grid, KernelSnippets::scale, in, out, 2f);
  }

  static void emulate(FloatArray in, FloatArray out) {
    Emulator.builder().build().run(doubled(in, out)); // of 1, 2, 3 it makes 2, 4, 6
  }

  // @end

  // @start region="named"
  /** A launch of {@link #scale} whose arguments are given by its parameters' names. */
  static KernelTask tripled(FloatArray in, FloatArray out) {
    Grid grid = Grid.of(Math.ceilDiv(in.getSize(), 64), 64);
    Kernel scale = Kernel.of(KernelSnippets.class, "scale");
    return scale.task("tripled", grid, Map.of("in", in, "out", out, "factor", 3f));
  }

  // @end

  // @start region="at-launch"
  /** Copies the 64 elements from {@code from} on; one compiled kernel serves every {@code from}. */
  static void part(KernelContext context, FloatArray in, FloatArray out, @AtLaunch int from) {
    int i = context.globalIdx;
    if (i < out.getSize() && from + i < in.getSize()) {
      out.set(i, in.get(from + i));
    }
  }

  static KernelTask partFrom(FloatArray in, FloatArray out, int from) {
    return KernelTask.of("part", Grid.of(1, 64), KernelSnippets::part, in, out, from);
  }

  // @end

  // @start region="graph"
  /** The same launch in a graph of TornadoVM's, whose plan is to use the scheduler. */
  static TaskGraph graph(FloatArray in, FloatArray out, GridScheduler scheduler) {
    TaskGraph graph = new TaskGraph("scaling");
    graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, in);
    doubled(in, out).addTo(graph, scheduler);
    graph.transferToHost(DataTransferMode.EVERY_EXECUTION, out);
    return graph;
  }

  // @end

  // @start region="block-size"
  /** A collective of one's own for 2^k threads: all get the values of all, joined by {@code |}. */
  static int union(KernelContext context, int thread, int threads, int value) {
    BlockSize.require(threads); // in a block of 4 threads, threads=8 is refused by the emulator
    int[] all = context.allocateIntLocalArray(threads);
    all[thread] = value;
    context.localBarrier();
    for (int distance = 1; distance < threads; distance = distance * 2) {
      int other = all[thread ^ distance];
      context.localBarrier();
      all[thread] = all[thread] | other;
      context.localBarrier();
    }
    return all[thread]; // of 1, 2, 4, 8 it is 15
  }

  static void unions(KernelContext context, IntArray x, int threads) {
    int i = context.globalIdx;
    x.set(i, union(context, context.localIdx, threads, x.get(i)));
  }

  // @end

  // @start region="scalars"
  /** The highest of each key's eight hexadecimal digits: of 1, 0x70000000, -1 it is 0, 7, 15. */
  static void digits(KernelContext context, IntArray keys, IntArray digits) {
    int i = context.globalIdx;
    if (i < keys.getSize()) {
      digits.set(i, Scalars.shiftRightUnsigned(keys.get(i), 28)); // Java's keys.get(i) >>> 28
    }
  }

  // @end

  // @start region="integer-methods"
  /** The number of ones in each key: of 7, 0, -1 it is 3, 0, 32. */
  static void ones(KernelContext context, IntArray keys, IntArray ones) {
    int i = context.globalIdx;
    if (i < keys.getSize()) {
      ones.set(i, IntegerMethods.bitCount(keys.get(i)));
    }
  }

  // @end

  // @start region="floating-methods"
  /** Angles below a full turn, in degrees: of 370, -30, 0.5 they are 10, -30, 0.5. */
  static void turns(KernelContext context, FloatArray degrees, FloatArray turns) {
    int i = context.globalIdx;
    if (i < degrees.getSize()) {
      turns.set(i, FloatingMethods.remainder(degrees.get(i), 360)); // Java's degrees.get(i) % 360
    }
  }

  // @end

  // @start region="fma"
  /** Before the first kernel with {@code Math.fma} is compiled. */
  static String teach(TornadoBackend backend) {
    try {
      FusedMultiplyAdd.teach(backend);
      return "Math.fma is an instruction";
    } catch (IllegalStateException e) {
      return e.getMessage(); // ... start with tornado-config/tornado.argfile, ...
    }
  }

  /** Errors of squares that were rounded: x * x - squares, with one rounding. */
  static void errors(KernelContext context, FloatArray x, FloatArray squares, FloatArray errors) {
    int i = context.globalIdx;
    if (i < x.getSize()) {
      errors.set(i, Math.fma(x.get(i), x.get(i), -squares.get(i)));
    }
  }

  // @end

  /** A long as ints, and back, as a kernel reads it. */
  static long throughInts(long value) {
    // @start region="longs"
    IntArray ints = IntArray.fromArray(ShapeLongs.ints(value)); // (1L << 22) + 3: 3, 1, 0
    long again = ShapeLongs.get(ints, 0);
    // @end
    return again;
  }

  // @start region="lookUp"
  /** A kernel of one thread: the element of a table at any index, and whether there is none. */
  static void lookUp(
      KernelContext context, IntArray table, IntArray element, LongArray misses, int index) {
    misses.set(0, 0);
    element.set(0, LookUps.at(table, table.getSize(), index, misses, 0, 2));
  }

  /** For index 9 of an array of 5: table 2 has no element 9. */
  static String missed(IntArray table, LongArray misses) {
    long miss = misses.get(0);
    return miss == 0
        ? "found"
        : "table %s has no element %s".formatted(LookUps.number(miss), LookUps.index(miss));
  }
  // @end
}
