package funnel.sort;

import funnel.operation.ParallelRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a column as numbers in the order of a key, which threads read in blocks.
 *
 * @param isNanLeast whether NaN is less than all numbers
 */
record KeyNumbers(MemorySegment column, KeyOrder order, boolean isNanLeast) {

  private static final int BLOCK = 1 << 10;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  interface Block {
    /** Takes the numbers of some rows from {@code first} on. */
    void take(int part, int first, long[] numbers, int count);
  }

  /** The least and the largest of some numbers; of none the least is above the largest. */
  record Range(long least, long most) {

    Range and(Range other) {
      return new Range(Math.min(least, other.least), Math.max(most, other.most));
    }

    /** How many bits the numbers have, counted from the least one on. */
    int bits() {
      return least > most ? 0 : Long.SIZE - Long.numberOfLeadingZeros(most - least);
    }
  }

  /** Gives all numbers out, each part of the rows in a thread. */
  void inBlocks(int length, int parts, Block block) {
    ParallelRows.parts(
        length,
        parts,
        (part, first, end) -> {
          long[] numbers = new long[BLOCK];
          for (int left = end - first; left > 0; left -= BLOCK) { // the end may be near 2^31
            int count = Math.min(BLOCK, left);
            read(end - left, numbers, count);
            block.take(part, end - left, numbers, count);
          }
        });
  }

  Range range(int length, int parts) {
    @Nullable Range[] ranges = new Range[parts];
    inBlocks(
        length,
        parts,
        (part, _, numbers, count) -> {
          long least = Long.MAX_VALUE;
          long most = Long.MIN_VALUE;
          for (int i = 0; i < count; i++) {
            least = Math.min(least, numbers[i]);
            most = Math.max(most, numbers[i]);
          }
          Range range = new Range(least, most);
          Range before = ranges[part];
          ranges[part] = before == null ? range : range.and(before);
        });
    Range all = new Range(Long.MAX_VALUE, Long.MIN_VALUE);
    for (Range range : ranges) {
      all = range == null ? all : all.and(range);
    }
    return all;
  }

  /** Reads the numbers of some rows from {@code first} on. */
  void read(int first, long[] to, int count) {
    switch (order.type()) {
      case BYTE -> {
        for (int i = 0; i < count; i++) {
          to[i] = column.get(ValueLayout.JAVA_BYTE, first + i);
        }
      }
      case INT -> {
        int[] block = ints(first, count);
        for (int i = 0; i < count; i++) {
          to[i] = block[i];
        }
      }
      case LONG -> MemorySegment.copy(column, LONG, 8L * first, to, 0, count);
      case FLOAT -> {
        int[] block = ints(first, count);
        for (int i = 0; i < count; i++) {
          long word = KeyWords.merged(KeyWords.word(block[i]));
          boolean isNan = (block[i] & Integer.MAX_VALUE) > 0x7f800000;
          to[i] = isNanLeast && isNan ? Integer.MIN_VALUE - 1L : word;
        }
      }
      case DOUBLE -> {
        MemorySegment.copy(column, LONG, 8L * first, to, 0, count);
        for (int i = 0; i < count; i++) {
          long word = KeyWords.merged(KeyWords.word(to[i]));
          boolean isNan = (to[i] & Long.MAX_VALUE) > 0x7ff0000000000000L;
          to[i] = !isNanLeast ? word : isNan ? Long.MIN_VALUE : word + 1; // numbers begin there
        }
      }
    }
    turn(to, count);
  }

  private int[] ints(int first, int count) {
    int[] block = new int[count];
    MemorySegment.copy(column, INT, 4L * first, block, 0, count);
    return block;
  }

  /** Makes numbers ascend in the order of the key. */
  private void turn(long[] numbers, int count) {
    boolean isFloating = order.type().isFloating();
    int up = isFloating ? 0 : Long.SIZE - order.toBit();
    int down = isFloating ? 0 : up + order.fromBit();
    boolean hasSign = isFloating || order.comparesSign();
    long flip = (order.isDescending() ? -1 : 0) ^ (!hasSign && down == 0 ? Long.MIN_VALUE : 0);
    for (int i = 0; i < count; i++) {
      long number = numbers[i] << up;
      numbers[i] = (hasSign ? number >> down : number >>> down) ^ flip;
    }
  }
}
