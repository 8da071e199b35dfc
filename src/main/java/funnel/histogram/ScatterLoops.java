package funnel.histogram;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** JVM form of what writes a {@link ScatterReduce}'s output, whatever the values' type. */
interface ScatterLoops {

  /**
   * Combines the output's elements with what each key has come to at the end of its run.
   *
   * @param keys sorted
   * @param come what each key has come to, in the keys' order
   * @param length how many
   * @param output the old contents
   * @param size its elements; keys outside are passed over
   * @param operator the operator's function, called where it could not be copied into the loops
   */
  void ends(
      MemorySegment keys,
      MemorySegment come,
      int length,
      MemorySegment output,
      int size,
      @Nullable Object operator);

  /**
   * Combines the output's elements with values, one after the other.
   *
   * @param indices one for each value; those outside are passed over
   * @param values the values
   * @param length how many
   * @param output the old contents
   * @param size its elements
   * @param operator the operator's function, called where it could not be copied into the loops
   */
  void all(
      MemorySegment indices,
      MemorySegment values,
      int length,
      MemorySegment output,
      int size,
      @Nullable Object operator);
}
