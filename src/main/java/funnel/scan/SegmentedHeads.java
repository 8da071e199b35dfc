package funnel.scan;

import funnel.operation.ParallelRows;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.function.IntFunction;

/** Where segments begin, on the JVM: one bit for each element, for all kinds of segments. */
final class SegmentedHeads {

  /* A separate copy, so that the output may be in the array that gives the segments. */

  private static final int WORDS_OF_A_BLOCK = 128;

  private static final VarHandle EIGHT_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private SegmentedHeads() {}

  /** Which of up to 64 elements, from {@code at} on, begin segments. */
  @FunctionalInterface
  private interface Word<A> {
    long of(A elements, int at, int count, boolean isFirst);
  }

  /** Elements are read from their own array, or are copied into one in blocks. */
  private static <A> long[] of(
      int length, MemorySegment given, ValueLayout layout, IntFunction<A> array, Word<A> word) {
    long[] words = new long[Math.ceilDiv(length, Long.SIZE)];
    long bytes = layout.byteSize();
    ParallelRows.run(
        words.length,
        ParallelRows.mayBeShared(given, given) ? length : 0,
        (from, to) -> {
          A none = array.apply(0);
          Object heap = given.heapBase().filter(none.getClass()::isInstance).orElse(none);
          boolean isArray = heap != none && given.address() % bytes == 0;
          @SuppressWarnings("unchecked")
          A elements =
              isArray ? (A) heap : array.apply(1 + Math.min(length, WORDS_OF_A_BLOCK * Long.SIZE));
          int step = isArray ? to - from : WORDS_OF_A_BLOCK;
          for (int block = from; block < to; block += step) {
            int first = block * Long.SIZE;
            int at = (int) (given.address() / bytes) + first;
            if (!isArray) {
              int before = Math.min(first, 1);
              int count = Math.min(length - first, WORDS_OF_A_BLOCK * Long.SIZE) + before;
              MemorySegment.copy(
                  given, layout, (first - before) * bytes, elements, 1 - before, count);
              at = 1;
            }
            for (int w = block; w < Math.min(block + step, to); w++, at += Long.SIZE) {
              int count = Math.min(Long.SIZE, length - w * Long.SIZE);
              words[w] = word.of(elements, at, count, w == 0);
            }
          }
        });
    return withFirst(words);
  }

  private static long[] withFirst(long[] words) {
    if (words.length > 0) {
      words[0] |= 1;
    }
    return words;
  }

  static long[] ofBytes(MemorySegment heads, int length) {
    return of(length, heads, ValueLayout.JAVA_BYTE, byte[]::new, SegmentedHeads::wordOfBytes);
  }

  private static long wordOfBytes(byte[] heads, int at, int count, boolean isFirst) {
    long word = 0;
    if (count == Long.SIZE) {
      for (int b = 0; b < Long.SIZE; b += 8) {
        long eight = (long) EIGHT_BYTES.get(heads, at + b);
        long high = ((eight & 0x7f7f7f7f7f7f7f7fL) + 0x7f7f7f7f7f7f7f7fL | eight) >>> 7;
        word |= (high & 0x0101010101010101L) * 0x0102040810204080L >>> 56 << b;
      }
      return word;
    }
    for (int b = 0; b < count; b++) {
      word |= heads[at + b] != 0 ? 1L << b : 0;
    }
    return word;
  }

  static long[] ofBits(MemorySegment bits, int length) {
    long[] words = new long[Math.ceilDiv(length, Long.SIZE)];
    long bytes = (long) Integer.BYTES * Math.ceilDiv(length, Integer.SIZE);
    MemorySegment.copy(bits, 0, MemorySegment.ofArray(words), 0, bytes);
    if (length % Long.SIZE > 0) {
      words[words.length - 1] &= (1L << length) - 1; // bits after the elements are undefined
    }
    return withFirst(words);
  }

  static long[] ofKeys(MemorySegment keys, ElementType type, int length) {
    return type == ElementType.INT
        ? of(length, keys, ValueLayout.JAVA_INT_UNALIGNED, int[]::new, SegmentedHeads::wordOfInts)
        : of(
            length,
            keys,
            ValueLayout.JAVA_LONG_UNALIGNED,
            long[]::new,
            SegmentedHeads::wordOfLongs);
  }

  private static long wordOfInts(int[] keys, int at, int count, boolean isFirst) {
    int before = keys[isFirst ? at : at - 1];
    long word = 0;
    for (int b = 0; b < count; b++) {
      int key = keys[at + b];
      word |= key != before ? 1L << b : 0;
      before = key;
    }
    return word;
  }

  private static long wordOfLongs(long[] keys, int at, int count, boolean isFirst) {
    long before = keys[isFirst ? at : at - 1];
    long word = 0;
    for (int b = 0; b < count; b++) {
      long key = keys[at + b];
      word |= key != before ? 1L << b : 0;
      before = key;
    }
    return word;
  }

  /**
   * The index of the first offset that is below the one before it, or outside the input, or of a
   * last one that is not the end; or -1.
   */
  static int wrong(MemorySegment offsets, int count, int length, boolean hasEnd) {
    int before = 0;
    for (int j = 0; j < count; j++) {
      int offset = offset(offsets, j);
      if (offset < before || offset > length) {
        return j;
      }
      before = offset;
    }
    return hasEnd && before < length ? count - 1 : -1;
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
    return withFirst(words);
  }
}
