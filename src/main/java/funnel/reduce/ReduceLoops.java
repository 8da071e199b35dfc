package funnel.reduce;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The JVM form of a reduction, for any types: what a loop class offers to {@link Reduce}. */
interface ReduceLoops {

  /**
   * Reduces a range of elements.
   *
   * @param values the input: little-endian elements, on the heap or off it
   * @param others the second input, or {@code values} again
   * @param length elements of the input
   * @param operator the operator's function, called if it could not be copied into the loops
   * @param transform the transform's function, called if it could not be copied into the loops
   * @param identity identity over the accumulator type
   * @param parameter a value that the transform may use: the mean
   * @param ordered whether to use the ordered tree of {@link ReduceTree}
   */
  Number reduce(
      MemorySegment values,
      MemorySegment others,
      int length,
      @Nullable Object operator,
      @Nullable Object transform,
      Number identity,
      Number parameter,
      boolean ordered);
}
