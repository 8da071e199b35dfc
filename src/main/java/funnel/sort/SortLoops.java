package funnel.sort;

import funnel.operation.ParallelRows;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * JVM form of a {@link RadixSort}.
 *
 * @param order what is compared of keys
 */
record SortLoops(KeyOrder order) {

  /* Keys alone are the JDK's to sort, which does it with vectors: as ints and longs whose order is
   * the one that is wanted, of descending ones the complements. Among them equal ones are alike.
   *
   * Positions go with their keys by least significant digits first: both in a long, or the
   * positions next to keys of 64 bits. The keys are cut into parts, which several threads count and
   * move: counts in the order (digit, part) give where each part's keys of a digit begin. Digits
   * that are the same in all keys are passed over.
   */

  private static final int BITS = 8;
  private static final int DIGITS = 1 << BITS;
  private static final int ELEMENTS_OF_A_PART = 1 << 15;
  private static final int BLOCK = 1 << 13;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  /**
   * Puts the keys into their order, or positions, or both.
   *
   * @param given positions that belong to the keys, if they are not 0, 1, 2 and so on
   * @param sorted for the keys, which are integers if positions are wanted too
   * @param positions for the positions
   */
  void sort(
      MemorySegment keys,
      int length,
      @Nullable MemorySegment given,
      @Nullable MemorySegment sorted,
      @Nullable MemorySegment positions) {
    if (sorted != null && positions == null && order.isOfAllBits()) {
      sort(keys, length, sorted);
    } else if (length > 0) {
      move(keys, length, given, sorted, positions);
    }
  }

  private void sort(MemorySegment keys, int length, MemorySegment output) {
    switch (order.type()) {
      case BYTE -> sortBytes(keys, length, output);
      case INT, FLOAT -> {
        int[] words = output.heapBase().orElse(null) instanceof int[] all ? all : null;
        int from = words == null ? 0 : (int) (output.address() / Integer.BYTES);
        if (words == null || output.address() % Integer.BYTES != 0) {
          words = new int[length];
          from = 0;
        }
        MemorySegment in = MemorySegment.ofArray(words).asSlice(4L * from, 4L * length);
        MemorySegment.copy(keys, 0, in, 0, 4L * length);
        turnInts(words, from, from + length, true);
        Arrays.parallelSort(words, from, from + length);
        turnInts(words, from, from + length, false);
        copyBack(in, output, 4L * length);
      }
      case LONG, DOUBLE -> {
        long[] words = output.heapBase().orElse(null) instanceof long[] all ? all : null;
        int from = words == null ? 0 : (int) (output.address() / Long.BYTES);
        if (words == null || output.address() % Long.BYTES != 0) {
          words = new long[length];
          from = 0;
        }
        MemorySegment in = MemorySegment.ofArray(words).asSlice(8L * from, 8L * length);
        MemorySegment.copy(keys, 0, in, 0, 8L * length);
        turnLongs(words, from, from + length, true);
        Arrays.parallelSort(words, from, from + length);
        turnLongs(words, from, from + length, false);
        copyBack(in, output, 8L * length);
      }
    }
  }

  private static void copyBack(MemorySegment words, MemorySegment output, long bytes) {
    if (!words.heapBase().equals(output.heapBase())) {
      MemorySegment.copy(words, 0, output, 0, bytes);
    }
  }

  /** Keys to words whose ascending order is the one that is wanted, or back. */
  private void turnInts(int[] words, int first, int last, boolean isThere) {
    boolean isTurned = order.type() == ElementType.FLOAT;
    int flip = (order.isDescending() ? -1 : 0) ^ (order.isSigned() ? 0 : Integer.MIN_VALUE);
    if (isTurned || flip != 0) {
      ParallelRows.run(
          last - first,
          last - first,
          (from, to) -> {
            for (int i = first + from; i < first + to; i++) {
              int word = words[i];
              words[i] =
                  !isTurned
                      ? word ^ flip
                      : isThere ? KeyWords.word(word) ^ flip : KeyWords.bits(word ^ flip);
            }
          });
    }
  }

  private void turnLongs(long[] words, int first, int last, boolean isThere) {
    boolean isTurned = order.type() == ElementType.DOUBLE;
    long flip = (order.isDescending() ? -1 : 0) ^ (order.isSigned() ? 0 : Long.MIN_VALUE);
    if (isTurned || flip != 0) {
      ParallelRows.run(
          last - first,
          last - first,
          (from, to) -> {
            for (int i = first + from; i < first + to; i++) {
              long word = words[i];
              words[i] =
                  !isTurned
                      ? word ^ flip
                      : isThere ? KeyWords.word(word) ^ flip : KeyWords.bits(word ^ flip);
            }
          });
    }
  }

  private void sortBytes(MemorySegment keys, int length, MemorySegment output) {
    int parts = parts(length, keys, output);
    int[][] counts = new int[parts][DIGITS];
    ParallelRows.deal(
        parts,
        part -> {
          int[] own = counts[part];
          int[] others = new int[DIGITS]; // so that equal neighbours need not wait
          byte[] block = new byte[BLOCK];
          int end = bound(length, parts, part + 1);
          for (int left = end - bound(length, parts, part); left > 0; left -= BLOCK) {
            int count = Math.min(BLOCK, left); // the end may be near 2^31
            MemorySegment.copy(keys, ValueLayout.JAVA_BYTE, end - left, block, 0, count);
            for (int i = 0; i + 1 < count; i += 2) {
              own[block[i] & 0xff]++;
              others[block[i + 1] & 0xff]++;
            }
            if (count % 2 == 1) {
              own[block[count - 1] & 0xff]++;
            }
          }
          Arrays.setAll(own, key -> own[key] + others[key]);
        });
    long at = 0;
    for (int k = 0; k < DIGITS; k++) {
      int key = (order.isDescending() ? DIGITS - 1 - k : k) ^ (order.isSigned() ? DIGITS / 2 : 0);
      for (int[] own : counts) {
        output.asSlice(at, own[key]).fill((byte) key);
        at += own[key];
      }
    }
  }

  private static int parts(int length, @Nullable MemorySegment... memory) {
    return ParallelRows.mayBeShared(memory)
        ? Math.clamp(length / ELEMENTS_OF_A_PART, 1, ParallelRows.cores())
        : 1;
  }

  /** Where a part of so many begins. */
  private static int bound(int length, int parts, int part) {
    return (int) ((long) length * part / parts);
  }

  /** What turns an integer into one that is compared without sign. */
  private long flip() {
    long sign = order.isSigned() ? 1L << 8 * order.type().bytes() - 1 : 0;
    return (order.isDescending() ? -1 : 0) ^ (order.comparesSign() ? sign : 0);
  }

  /** A key as an integer of which some bits are compared, without sign. */
  private long word(MemorySegment keys, int i, long flip) {
    return flip
        ^ switch (order.type()) {
          case BYTE -> keys.get(ValueLayout.JAVA_BYTE, i);
          case INT -> keys.get(INT, 4L * i);
          case FLOAT -> KeyWords.merged(KeyWords.word(keys.get(INT, 4L * i)));
          case LONG -> keys.get(LONG, 8L * i);
          case DOUBLE -> KeyWords.merged(KeyWords.word(keys.get(LONG, 8L * i)));
        };
  }

  private void move(
      MemorySegment keys,
      int length,
      @Nullable MemorySegment given,
      @Nullable MemorySegment sorted,
      @Nullable MemorySegment positions) {
    boolean isPacked = order.type().bytes() < Long.BYTES;
    int parts = parts(length, keys, given, sorted, positions);
    Moved moved =
        new Moved(length, isPacked, parts, order.fromBit() + (isPacked ? 32 : 0), order.bits());
    long flip = flip();
    long first = word(keys, 0, flip);
    long[] varying = new long[parts];
    ParallelRows.deal(
        parts,
        part -> {
          long any = 0;
          int last = bound(length, parts, part + 1);
          for (int i = bound(length, parts, part); i < last; i++) {
            long word = word(keys, i, flip);
            int position = given == null ? i : given.get(INT, 4L * i);
            any |= word ^ first;
            moved.words[i] = isPacked ? (word << 32) | (position & 0xffffffffL) : word;
            if (!isPacked) {
              moved.positions[i] = position;
            }
          }
          varying[part] = isPacked ? any << 32 : any;
        });
    moved.sort(Arrays.stream(varying).reduce(0, (a, b) -> a | b));
    ParallelRows.deal(
        parts,
        part -> {
          int last = bound(length, parts, part + 1);
          for (int i = bound(length, parts, part); i < last; i++) {
            if (positions != null) {
              positions.set(INT, 4L * i, isPacked ? (int) moved.words[i] : moved.positions[i]);
            }
            if (sorted != null) {
              long key = (isPacked ? moved.words[i] >> 32 : moved.words[i]) ^ flip;
              switch (order.type()) {
                case BYTE -> sorted.set(ValueLayout.JAVA_BYTE, i, (byte) key);
                case INT, FLOAT -> sorted.set(INT, 4L * i, (int) key);
                case LONG, DOUBLE -> sorted.set(LONG, 8L * i, key);
              }
            }
          }
        });
  }

  /** Keys and positions on their way. */
  private static final class Moved {
    private final int length;
    private final int parts;
    private final int fromBit;
    private final int bits;
    private long[] words;
    private long[] otherWords;
    private int[] positions;
    private int[] otherPositions;

    Moved(int length, boolean isPacked, int parts, int fromBit, int bits) {
      this.length = length;
      this.parts = parts;
      this.fromBit = fromBit;
      this.bits = bits;
      words = new long[length];
      otherWords = new long[length];
      positions = new int[isPacked ? 0 : length];
      otherPositions = new int[positions.length];
    }

    /**
     * Sorts them.
     *
     * @param varying bits that are not the same in all keys
     */
    void sort(long varying) {
      for (int from = 0; from < bits; from += BITS) {
        int width = Math.min(BITS, bits - from);
        int shift = fromBit + from;
        if ((varying >>> shift & (1L << width) - 1) != 0) {
          pass(shift, width);
        }
      }
    }

    private void pass(int shift, int width) {
      int mask = (1 << width) - 1;
      int[][] starts = new int[parts][mask + 1];
      ParallelRows.deal(
          parts,
          part -> {
            int[] counts = starts[part];
            for (int i = bound(length, parts, part); i < bound(length, parts, part + 1); i++) {
              counts[(int) (words[i] >>> shift) & mask]++;
            }
          });
      int start = 0;
      for (int digit = 0; digit <= mask; digit++) {
        for (int[] counts : starts) {
          int count = counts[digit];
          counts[digit] = start;
          start += count;
        }
      }
      ParallelRows.deal(parts, part -> move(starts[part], part, shift, mask));
      long[] sorted = otherWords;
      otherWords = words;
      words = sorted;
      int[] sortedPositions = otherPositions;
      otherPositions = positions;
      positions = sortedPositions;
    }

    private void move(int[] next, int part, int shift, int mask) {
      long[] from = words;
      long[] to = otherWords;
      int[] fromPositions = positions;
      int[] toPositions = otherPositions;
      int last = bound(length, parts, part + 1);
      if (fromPositions.length == 0) {
        for (int i = bound(length, parts, part); i < last; i++) {
          long word = from[i];
          to[next[(int) (word >>> shift) & mask]++] = word;
        }
      } else {
        for (int i = bound(length, parts, part); i < last; i++) {
          long word = from[i];
          int at = next[(int) (word >>> shift) & mask]++;
          to[at] = word;
          toPositions[at] = fromPositions[i];
        }
      }
    }
  }
}
