package funnel.histogram;

import funnel.jit.FunctionCopies;
import funnel.jit.KernelTask;
import funnel.jit.TwinClass;
import funnel.operator.ElementType;
import java.lang.invoke.MethodHandles;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** The tasks that end a histogram with counters of one type: what a kernel class offers. */
interface CounterTasks {

  /**
   * What the kernels work on.
   *
   * @param shape the plan's shape array, see {@link HistogramShape}
   * @param counts counts of this run
   * @param tallies what blocks found in no bin, see {@link HistogramTasks.Arguments#tallies}
   * @param over the first counter that overflows, of each block that checks, or the largest int
   * @param old the counts so far, an array of the counters' type; read only if accumulating
   * @param output counters; it may be {@code old}
   * @param first what is told of samples in no bin, see {@link Outside}
   * @param second likewise
   * @param third likewise
   * @param overflow the first counter that overflows, or -1
   * @param shapeAt where the histogram's part of the shape array begins
   * @param firstAt index of {@code first}, and so on
   * @param secondAt likewise
   * @param thirdAt likewise
   * @param overflowAt likewise
   * @param bins the bins
   * @param isAccumulating whether the counts so far are added
   * @param blocks of the tallies
   */
  record Arguments(
      IntArray shape,
      IntArray counts,
      IntArray tallies,
      IntArray over,
      Object old,
      Object output,
      LongArray first,
      LongArray second,
      LongArray third,
      LongArray overflow,
      int shapeAt,
      int firstAt,
      int secondAt,
      int thirdAt,
      int overflowAt,
      Bins bins,
      boolean isAccumulating,
      int blocks) {

    /** The largest counter. */
    Number largest() {
      return output instanceof LongArray ? (Number) Long.MAX_VALUE : (Number) Integer.MAX_VALUE;
    }
  }

  /** Looks for counters that overflow. */
  KernelTask check(String id, Arguments arguments);

  /** Writes the output, unless a sample is no key or a counter overflows, and tells of both. */
  KernelTask finish(String id, Arguments arguments);

  /** Tasks over counters of a type. */
  static CounterTasks of(ElementType counter) {
    return FunctionCopies.instance(
        MethodHandles.lookup(),
        CounterTasks.class,
        TwinClass.of(MethodHandles.lookup(), IntCounterKernels.class, counter));
  }

  /**
   * Adds up rows of {@link ByteCounters}, writes the output and tells that nothing is refused: any
   * byte is a key, and an int counts all of an array.
   */
  KernelTask ofBytes(String id, Arguments a, IntArray rows, int rowCount);
}
