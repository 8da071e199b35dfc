package funnel.sort;

import funnel.operation.ParallelRows;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** JVM form of a {@link RadixSortStep}. */
record SortLoops(KeyOrder order) {

  /* Keys without positions are sorted as ints and longs, their complements for descending
   * order: equal keys are indistinguishable.
   *
   * Positions are moved with their keys, both in a long, or next to keys of 64 bits: see IntMovedKeys.
   */

  private static final int BYTES = 1 << Byte.SIZE;
  private static final int BLOCK = 1 << 13;

  /** The number of keys that are packed with their positions at a time. */
  private static final int PACKED = 1 << 10;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  /**
   * Sorts the keys, or the positions, or both.
   *
   * @param given the positions that belong to the keys; if null, 0, 1, 2 and so on
   * @param sorted memory for the keys, which are integers if there are positions too
   */
  void sort(
      MemorySegment keys,
      int length,
      @Nullable MemorySegment given,
      @Nullable MemorySegment sorted,
      @Nullable MemorySegment positions) {
    if (sorted != null && positions == null && order.isOfAllBits()) {
      sort(keys, length, null, sorted);
    } else if (length > 0) {
      move(keys, length, given, sorted, positions);
    }
  }

  /**
   * Sorts the keys of each segment by all of their bits.
   *
   * @param firsts for each key the position of the first key of its segment, if there are several
   *     segments
   */
  void sort(MemorySegment keys, int length, @Nullable MemorySegment firsts, MemorySegment output) {
    switch (order.type()) {
      case BYTE -> {
        if (firsts == null) {
          sortBytes(keys, length, output);
        } else {
          sortBytes(keys, length, firsts, output);
        }
      }
      case INT, FLOAT -> IntMovedKeys.sort(order, keys, length, firsts, output);
      case LONG, DOUBLE -> LongMovedKeys.sort(order, keys, length, firsts, output);
    }
  }

  interface Range {
    void sort(int begin, int end);
  }

  /**
   * Sorts the segments, several at a time; large ones one after the other, with several threads
   * each.
   */
  static void inSegments(@Nullable MemorySegment firsts, int length, Range alone, Range shared) {
    if (firsts == null) {
      shared.sort(0, length);
      return;
    }
    int parts = parts(length, firsts);
    List<int[]> wide = Collections.synchronizedList(new ArrayList<>());
    ParallelRows.parts(
        length,
        parts,
        (_, first, last) -> {
          int begin = segmentFrom(firsts, first, length);
          while (begin < last) {
            int end = segmentFrom(firsts, begin + 1, length);
            if (end - begin < IntMovedKeys.ELEMENTS_OF_A_PART) {
              alone.sort(begin, end);
            } else {
              wide.add(new int[] {begin, end});
            }
            begin = end;
          }
        });
    wide.forEach(range -> shared.sort(range[0], range[1]));
  }

  /** The first segment that begins at or after a place. */
  private static int segmentFrom(MemorySegment firsts, int from, int length) {
    int i = from;
    while (i < length && firsts.get(INT, 4L * i) != i) {
      i++;
    }
    return i;
  }

  private void sortBytes(MemorySegment keys, int length, MemorySegment output) {
    int parts = parts(length, keys, output);
    int[][] counts = new int[parts][];
    ParallelRows.parts(
        length,
        parts,
        (part, first, end) -> {
          int[] own = new int[BYTES];
          counts[part] = own;
          // two arrays: an increment need not wait for the one before to the same bin
          int[] others = new int[BYTES];
          byte[] block = new byte[BLOCK];
          for (int left = end - first; left > 0; left -= BLOCK) {
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
    for (int k = 0; k < BYTES; k++) {
      int key = (order.isDescending() ? BYTES - 1 - k : k) ^ (order.isSigned() ? BYTES / 2 : 0);
      for (int[] own : counts) {
        output.asSlice(at, own[key]).fill((byte) key);
        at += own[key];
      }
    }
  }

  private void sortBytes(
      MemorySegment keys, int length, MemorySegment firsts, MemorySegment output) {
    byte[] words = new byte[length];
    int flip = (order.isDescending() ? -1 : 0) ^ (order.isSigned() ? 0 : Byte.MIN_VALUE);
    for (int i = 0; i < length; i++) {
      words[i] = (byte) (keys.get(ValueLayout.JAVA_BYTE, i) ^ flip);
    }
    Range range = (begin, end) -> Arrays.sort(words, begin, end);
    inSegments(firsts, length, range, range);
    for (int i = 0; i < length; i++) {
      output.set(ValueLayout.JAVA_BYTE, i, (byte) (words[i] ^ flip));
    }
  }

  /** Into how many parts keys in this memory are cut. */
  static int parts(int length, @Nullable MemorySegment... memory) {
    return ParallelRows.mayBeShared(memory)
        ? Math.clamp(length / IntMovedKeys.ELEMENTS_OF_A_PART, 1, ParallelRows.cores())
        : 1;
  }

  /** The bits to invert so that an integer can be compared as an unsigned number. */
  private long flip() {
    long sign = order.isSigned() ? 1L << 8 * order.type().bytes() - 1 : 0;
    return (order.isDescending() ? -1 : 0) ^ (order.comparesSign() ? sign : 0);
  }

  /** A key as an integer, some bits of which are compared as an unsigned number. */
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

  /** Packs keys and positions into words, and returns which bits are not the same in all keys. */
  private long pack(
      int[] keys, int[] positions, int count, long flip, long one, long[] words, int at) {
    boolean isFloat = order.type() == ElementType.FLOAT;
    for (int i = 0; isFloat && i < count; i++) {
      keys[i] = KeyWords.merged(KeyWords.word(keys[i]));
    }
    long any = 0;
    for (int i = 0; i < count; i++) {
      long word = flip ^ keys[i];
      any |= word ^ one;
      words[at + i] = word << 32 | positions[i] & 0xffffffffL;
    }
    return any;
  }

  private static void unpack(long[] words, int at, int count, int shift, int flip, int[] half) {
    for (int i = 0; i < count; i++) {
      half[i] = (int) (words[at + i] >> shift) ^ flip;
    }
  }

  private void move(
      MemorySegment keys,
      int length,
      @Nullable MemorySegment given,
      @Nullable MemorySegment sorted,
      @Nullable MemorySegment positions) {
    boolean isPacked = order.type().bytes() < Long.BYTES;
    int parts = parts(length, keys, given, sorted, positions);
    LongMovedKeys moved =
        new LongMovedKeys(
            length, isPacked, parts, order.fromBit() + (isPacked ? 32 : 0), order.bits());
    long flip = flip();
    long first = word(keys, 0, flip);
    long[] varying = new long[parts];
    ParallelRows.parts(
        length,
        parts,
        (part, begin, last) -> {
          int[] block = new int[order.type().bytes() == Integer.BYTES ? PACKED : 0];
          int[] places = new int[PACKED];
          long any = 0;
          for (int left = last - begin; left > 0; left -= PACKED) {
            int from = last - left; // the end may be near 2^31
            int count = Math.min(PACKED, left);
            if (given == null) {
              for (int i = 0; i < count; i++) {
                places[i] = from + i;
              }
            } else {
              MemorySegment.copy(given, INT, 4L * from, places, 0, count);
            }
            if (block.length > 0) {
              MemorySegment.copy(keys, INT, 4L * from, block, 0, count);
              any |= pack(block, places, count, flip, first, moved.words, from);
              continue;
            }
            for (int i = 0; i < count; i++) {
              long word = word(keys, from + i, flip);
              any |= word ^ first;
              moved.words[from + i] = isPacked ? (word << 32) | (places[i] & 0xffffffffL) : word;
            }
            if (!isPacked) {
              System.arraycopy(places, 0, moved.positions, from, count);
            }
          }
          varying[part] = isPacked ? any << 32 : any;
        });
    moved.sort(Arrays.stream(varying).reduce(0, (a, b) -> a | b));
    ParallelRows.parts(
        length,
        parts,
        (_, begin, last) -> {
          int[] block = new int[PACKED];
          for (int left = last - begin; left > 0; left -= PACKED) {
            int from = last - left;
            int count = Math.min(PACKED, left);
            if (positions != null && isPacked) {
              unpack(moved.words, from, count, 0, 0, block);
              MemorySegment.copy(block, 0, positions, INT, 4L * from, count);
            } else if (positions != null) {
              MemorySegment.copy(moved.positions, from, positions, INT, 4L * from, count);
            }
            if (sorted != null && order.type().bytes() == Integer.BYTES) {
              unpack(moved.words, from, count, Integer.SIZE, (int) flip, block);
              MemorySegment.copy(block, 0, sorted, INT, 4L * from, count);
            } else if (sorted != null) {
              for (int i = from; i < from + count; i++) {
                if (isPacked) {
                  byte key = (byte) (moved.words[i] >> 32 ^ flip);
                  sorted.set(ValueLayout.JAVA_BYTE, i, key);
                } else {
                  sorted.set(LONG, 8L * i, moved.words[i] ^ flip);
                }
              }
            }
          }
        });
    moved.close();
  }
}
