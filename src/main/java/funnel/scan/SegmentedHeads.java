package funnel.scan;

import funnel.operation.ParallelRows;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Where segments begin, on the JVM: one bit for each element, whatever they are given by. */
final class SegmentedHeads {

  /* A copy of its own, so that the output may lie over the array that the segments are given by. */

  /* Constants: a layout that the JVM's compiler does not know makes each access check it. */
  private static final ValueLayout.OfInt INTS = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONGS = ValueLayout.JAVA_LONG_UNALIGNED;

  private SegmentedHeads() {}

  /** Whether a segment begins at an element. */
  @FunctionalInterface
  private interface Head {
    boolean at(int element);
  }

  /** Whether element {@code i} begins a segment. */
  static boolean at(long[] heads, int i) {
    return (heads[i >> 6] >>> i & 1) != 0;
  }

  private static long[] of(int length, MemorySegment segments, Head head) {
    long[] words = new long[Math.ceilDiv(length, Long.SIZE)];
    if (length == 0) {
      return words;
    }
    ParallelRows.run(
        words.length,
        ParallelRows.mayBeShared(segments, segments) ? length : 0,
        (from, to) -> {
          for (int w = from; w < to; w++) {
            int first = w * Long.SIZE;
            int places = Math.min(Long.SIZE, length - first);
            long word = 0;
            for (int b = 0; b < places; b++) {
              word |= head.at(first + b) ? 1L << b : 0;
            }
            words[w] = word;
          }
        });
    words[0] |= 1;
    return words;
  }

  static long[] ofBytes(MemorySegment heads, int length) {
    return of(length, heads, i -> heads.get(ValueLayout.JAVA_BYTE, i) != 0);
  }

  static long[] ofBits(MemorySegment bits, int length) {
    return of(
        length,
        bits,
        i -> (bits.get(ValueLayout.JAVA_INT_UNALIGNED, (i >> 5) * 4L) >>> i & 1) != 0);
  }

  static long[] ofKeys(MemorySegment keys, ElementType type, int length) {
    return of(
        length,
        keys,
        type == ElementType.INT
            ? i -> i > 0 && keys.get(INTS, i * 4L) != keys.get(INTS, i * 4L - 4)
            : i -> i > 0 && keys.get(LONGS, i * 8L) != keys.get(LONGS, i * 8L - 8));
  }

  /** The index of the first offset that is below the one before it, or outside, or -1. */
  static int wrong(MemorySegment offsets, int count, int length) {
    int before = 0;
    for (int j = 0; j < count; j++) {
      int offset = offset(offsets, j);
      if (offset < before || offset > length) {
        return j;
      }
      before = offset;
    }
    return -1;
  }

  static int offset(MemorySegment offsets, int j) {
    return offsets.get(ValueLayout.JAVA_INT_UNALIGNED, j * 4L);
  }

  static long[] ofOffsets(MemorySegment offsets, int count, int length) {
    long[] words = new long[Math.ceilDiv(length, Long.SIZE)];
    for (int j = 0; j < count; j++) {
      int offset = offset(offsets, j);
      if (offset < length) {
        words[offset >> 6] |= 1L << offset;
      }
    }
    if (length > 0) {
      words[0] |= 1;
    }
    return words;
  }
}
