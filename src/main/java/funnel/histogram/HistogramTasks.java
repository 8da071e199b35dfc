package funnel.histogram;

import funnel.jit.FunctionCopies;
import funnel.jit.KernelTask;
import funnel.jit.TwinClass;
import funnel.operator.ElementType;
import java.lang.invoke.MethodHandles;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** The tasks that go through samples of one type: what a kernel class offers. */
interface HistogramTasks {

  /**
   * What the kernels work on.
   *
   * @param shape the plan's shape array, see {@link HistogramShape}
   * @param samples the input, a TornadoVM array of the samples' type
   * @param counts where they count: see the tasks
   * @param tallies what each block found in no bin: row 0 the blocks' numbers of samples below, row
   *     1 above, row 2 NaN; row 3 the position of the first sample that is no key, or the largest
   *     int; rows 4 and 5 the upper and the lower half of that sample
   * @param edges edges of integer ranges
   * @param limits edges of floating-point ranges
   * @param shapeAt where the histogram's part of the shape array begins
   * @param bins the bins
   * @param blocks blocks of the launch, of each of its passes
   */
  record Arguments(
      IntArray shape,
      Object samples,
      IntArray counts,
      IntArray tallies,
      LongArray edges,
      DoubleArray limits,
      int shapeAt,
      Bins bins,
      int blocks) {}

  /** Rows of {@link Arguments#tallies}. */
  int TALLIES = 6;

  /** The row of positions. */
  int WRONG = 3;

  /**
   * Counts without atomic additions, in {@link HistogramShape#passes} passes. Leaves what block
   * {@code b} of a pass has counted in counter {@code c} in {@code counts[c * blocks + b]}.
   */
  KernelTask threadCounters(String id, Arguments arguments);

  /** Adds to the counters one by one, in global memory; each thread its own part of the samples. */
  KernelTask sectioned(String id, Arguments arguments);

  /** Adds to the counters one by one, in global memory; neighbouring threads take neighbours. */
  KernelTask strided(String id, Arguments arguments);

  /** Adds to counters of the block's own one by one, and these to the counters. */
  KernelTask privatised(String id, Arguments arguments);

  /**
   * Writes each sample's number to {@code counts}: {@code channel * bins + bin}, or the number of
   * all counters.
   */
  KernelTask numbers(String id, Arguments arguments);

  /** Tasks over samples of a type. */
  static HistogramTasks of(ElementType element) {
    return FunctionCopies.instance(
        MethodHandles.lookup(),
        HistogramTasks.class,
        TwinClass.of(MethodHandles.lookup(), IntHistogramKernels.class, element));
  }
}
