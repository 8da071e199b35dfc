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

  /**
   * Combines the output's elements with what the values of each key come to in the tree of a
   * segmented scan over the sorted keys, without a sort.
   *
   * @param keys one for each value; those outside are passed over, as they are behind all others
   * @param values the values
   * @param length how many
   * @param output the old contents
   * @param size its elements
   * @param operator the operator's function, called where it could not be copied into the loops
   * @param neutral what leaves each value as it is
   */
  void tree(
      MemorySegment keys,
      MemorySegment values,
      int length,
      MemorySegment output,
      int size,
      @Nullable Object operator,
      Number neutral);
}
