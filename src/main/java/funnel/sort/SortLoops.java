package funnel.sort;

import funnel.operation.ParallelRows;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * JVM form of a {@link RadixSort}.
 *
 * @param type of the keys
 * @param isDescending whether the largest key comes first
 * @param fromBit the lowest bit that is compared
 * @param toBit the one after the highest
 */
record SortLoops(ElementType type, boolean isDescending, int fromBit, int toBit) {

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

  /** Puts the keys into the output in their order. */
  void sort(MemorySegment keys, int length, MemorySegment output) {
    if (toBit - fromBit < 8 * type.bytes()) {
      sortByBits(keys, length, output);
      return;
    }
    switch (type) {
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
    boolean isTurned = type == ElementType.FLOAT;
    int flip = isDescending ? -1 : 0;
    if (isTurned || isDescending) {
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
    boolean isTurned = type == ElementType.DOUBLE;
    long flip = isDescending ? -1 : 0;
    if (isTurned || isDescending) {
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
    int parts = parts(keys, output, length);
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
      int key = isDescending ? DIGITS - 1 - k : k;
      for (int[] own : counts) {
        output.asSlice(at, own[key]).fill((byte) key);
        at += own[key];
      }
    }
  }

  /** By the positions, since keys that are equal in some bits may not be alike. */
  private void sortByBits(MemorySegment keys, int length, MemorySegment output) {
    MemorySegment positions = MemorySegment.ofArray(new int[length]);
    order(keys, length, positions);
    for (int i = 0; i < length; i++) {
      int at = positions.get(INT, 4L * i);
      switch (type) {
        case BYTE -> output.set(ValueLayout.JAVA_BYTE, i, keys.get(ValueLayout.JAVA_BYTE, at));
        case INT, FLOAT -> output.set(INT, 4L * i, keys.get(INT, 4L * at));
        case LONG, DOUBLE -> output.set(LONG, 8L * i, keys.get(LONG, 8L * at));
      }
    }
  }

  private static int parts(MemorySegment keys, MemorySegment output, int length) {
    return ParallelRows.mayBeShared(keys, output)
        ? Math.clamp(length / ELEMENTS_OF_A_PART, 1, ParallelRows.cores())
        : 1;
  }

  /** Where a part of so many begins. */
  private static int bound(int length, int parts, int part) {
    return (int) ((long) length * part / parts);
  }

  /** A key as an integer of which some bits are compared, without sign. */
  private long word(MemorySegment keys, int i) {
    boolean hasSign = toBit == 8 * type.bytes();
    long word =
        switch (type) {
          case BYTE -> keys.get(ValueLayout.JAVA_BYTE, i);
          case INT -> keys.get(INT, 4L * i) ^ (hasSign ? Integer.MIN_VALUE : 0);
          case FLOAT -> KeyWords.merged(KeyWords.word(keys.get(INT, 4L * i))) ^ Integer.MIN_VALUE;
          case LONG -> keys.get(LONG, 8L * i) ^ (hasSign ? Long.MIN_VALUE : 0);
          case DOUBLE -> KeyWords.merged(KeyWords.word(keys.get(LONG, 8L * i))) ^ Long.MIN_VALUE;
        };
    return isDescending ? ~word : word;
  }

  /** Puts the keys' positions into the output, in the keys' order. */
  void order(MemorySegment keys, int length, MemorySegment output) {
    if (length == 0) {
      return;
    }
    boolean isPacked = type.bytes() < Long.BYTES;
    int parts = parts(keys, output, length);
    Moved moved =
        new Moved(length, isPacked, parts, fromBit + (isPacked ? 32 : 0), toBit - fromBit);
    long first = word(keys, 0);
    long[] varying = new long[parts];
    ParallelRows.deal(
        parts,
        part -> {
          long any = 0;
          int last = bound(length, parts, part + 1);
          for (int i = bound(length, parts, part); i < last; i++) {
            long word = word(keys, i);
            any |= word ^ first;
            moved.words[i] = isPacked ? (word << 32) | i : word;
            if (!isPacked) {
              moved.positions[i] = i;
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
            output.set(INT, 4L * i, isPacked ? (int) moved.words[i] : moved.positions[i]);
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
