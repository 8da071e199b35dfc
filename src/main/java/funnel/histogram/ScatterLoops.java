package funnel.histogram;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Supplier;
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

  /** Keys of values, a block of at most {@link BinLoops#CHUNK} at a time, for one thread. */
  interface Keys {
    /** An array that has so many. */
    int[] load(int first, int count);

    /** Where the first of them is in it. */
    default int at(int first) {
      return 0;
    }

    /** Keys in memory: they are in an array of Java's, or copied to one. */
    static Keys of(MemorySegment keys) {
      if (keys.heapBase().orElse(null) instanceof int[] all && keys.address() % 4 == 0) {
        return new Keys() {
          @Override
          public int[] load(int first, int count) {
            return all;
          }

          @Override
          public int at(int first) {
            return (int) (keys.address() / 4) + first;
          }
        };
      }
      int[] block = new int[BinLoops.CHUNK];
      return (first, count) -> {
        MemorySegment.copy(keys, ValueLayout.JAVA_INT_UNALIGNED, 4L * first, block, 0, count);
        return block;
      };
    }
  }

  /**
   * Combines the old contents with values in arrays like the output, one for each worker. If a key
   * is outside, the output is as it was.
   *
   * @param keys gives each worker its own view of the keys, one for each value
   * @param values the values
   * @param length how many
   * @param workers threads at a time, each of which takes a part of the values
   * @param old the old contents
   * @param output where they go, combined with the values
   * @param limit keys are below; what those behind the output come to is dropped
   * @param operator the operator's function, called where it could not be copied into the loops
   * @param neutral what leaves each value as it is
   * @return whether all keys are inside
   */
  boolean all(
      Supplier<Keys> keys,
      MemorySegment values,
      int length,
      int workers,
      MemorySegment old,
      MemorySegment output,
      int limit,
      @Nullable Object operator,
      Number neutral);

  /**
   * Combines the old contents with what the values of each key come to in the tree of a segmented
   * scan over the sorted keys, without a sort.
   *
   * @param keys one for each value
   * @param counts how often each key is there, and one element more; it is written over
   * @param values the values
   * @param length how many
   * @param old the old contents
   * @param output where they go, combined
   * @param limit keys are below; what those behind the output come to is dropped
   * @param operator the operator's function, called where it could not be copied into the loops
   * @param neutral what leaves each value as it is
   */
  void tree(
      Keys keys,
      int[] counts,
      MemorySegment values,
      int length,
      MemorySegment old,
      MemorySegment output,
      int limit,
      @Nullable Object operator,
      Number neutral);
}
