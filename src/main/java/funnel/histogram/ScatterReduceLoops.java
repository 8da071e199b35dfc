package funnel.histogram;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Supplier;

/**
 * JVM form of the part that writes the output of a {@link ScatterReduce}, for any type of values.
 */
interface ScatterReduceLoops {

  /**
   * Combines the output's elements with each key's scanned value at the end of its run.
   *
   * @param keys sorted
   * @param come the scanned values, in the keys' order
   * @param length the number of values
   * @param output the old contents
   * @param size the number of its elements; keys outside are skipped
   */
  void ends(MemorySegment keys, MemorySegment come, int length, MemorySegment output, int size);

  /**
   * Combines the output's elements with values, one after the other.
   *
   * @param indices one for each value; those after the end of the output are skipped
   * @param values the values
   * @param length the number of values
   * @param output the old contents
   */
  void oneByOne(MemorySegment indices, MemorySegment values, int length, MemorySegment output);

  /** Keys of values, a block of at most {@link BinLoops#CHUNK} at a time, for one thread. */
  interface Keys {
    /** An array that contains {@code count} keys from {@code first} on. */
    int[] load(int first, int count);

    /** The index of the first of them in that array. */
    default int at(int first) {
      return 0;
    }

    /** Keys in memory: read from a Java array, or copied to one. */
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
   * Combines the old contents with values in copies of the output, one for each worker. If a key is
   * outside, the output is unchanged.
   *
   * @param keys gives each worker its own view of the keys, one for each value
   * @param values the values
   * @param length the number of values
   * @param workers the number of threads, each of which takes a part of the values
   * @param old the old contents
   * @param output the destination of the combined elements
   * @param limit keys are less than this; results of keys after the end of the output are dropped
   * @param neutral the value that leaves each value unchanged
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
      Number neutral);

  /**
   * Combines the old contents with the total of each key's values, in the tree of a segmented scan
   * over the sorted keys, but without a sort.
   *
   * @param keys one for each value
   * @param counts how often each key occurs, and one more element; it is overwritten
   * @param values the values
   * @param length the number of values
   * @param old the old contents
   * @param output the destination of the combined elements
   * @param limit keys are less than this; results of keys after the end of the output are dropped
   * @param neutral the value that leaves each value unchanged
   */
  void tree(
      Keys keys,
      int[] counts,
      MemorySegment values,
      int length,
      MemorySegment old,
      MemorySegment output,
      int limit,
      Number neutral);
}
