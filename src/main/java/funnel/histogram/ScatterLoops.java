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
   * @param indices one for each value; those behind the output are passed over
   * @param values the values
   * @param length how many
   * @param output the old contents
   * @param operator the operator's function, called where it could not be copied into the loops
   */
  void oneByOne(
      MemorySegment indices,
      MemorySegment values,
      int length,
      MemorySegment output,
      @Nullable Object operator);

  /**
   * The same of many values, in arrays like the output, which is as it was if an index is outside.
   *
   * @param old the old contents
   * @param output where they go, combined with the values
   * @param limit indices are below; what those behind the output come to is dropped
   * @param neutral what leaves each value as it is
   * @return whether all indices are inside
   */
  boolean all(
      MemorySegment indices,
      MemorySegment values,
      int length,
      MemorySegment old,
      MemorySegment output,
      int limit,
      @Nullable Object operator,
      Number neutral);

  /**
   * Combines the old contents with what the values of each key come to in the tree of a segmented
   * scan over the sorted keys, without a sort. The output is as it was if a key is outside.
   *
   * @param keys one for each value
   * @param values the values
   * @param length how many
   * @param old the old contents
   * @param output where they go, combined
   * @param limit keys are below; what those behind the output come to is dropped
   * @param operator the operator's function, called where it could not be copied into the loops
   * @param neutral what leaves each value as it is
   * @return whether all keys are inside
   */
  boolean tree(
      MemorySegment keys,
      MemorySegment values,
      int length,
      MemorySegment old,
      MemorySegment output,
      int limit,
      @Nullable Object operator,
      Number neutral);
}
