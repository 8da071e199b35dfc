package funnel.rank;

import funnel.operator.ElementType;
import funnel.sort.KeyWords;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Elements as words, in the lowest bits of longs, whose unsigned order is that of the elements. For
 * the bytes 3, 255 they are 3, 255, and descending 252, 0.
 */
record RankWords(MemorySegment values, ElementType type, boolean isDescending, boolean isMerged) {

  static final int BLOCK = 1 << 10;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  interface Block {
    /** Does the work; the first word is that of the element at {@code first}. */
    void words(long[] words, int count, int first);
  }

  long all() {
    return -1L >>> (Long.SIZE - 8 * type.bytes());
  }

  long flip() {
    long sign = type == ElementType.BYTE ? 0 : 1L << (8 * type.bytes() - 1);
    return (isDescending ? all() : 0) ^ sign;
  }

  /** Passes on the words of a range of elements, in blocks; for one thread at a time. */
  void elements(int from, int end, Block body) {
    long all = all();
    long flip = flip();
    int most = Math.min(BLOCK, end - from);
    long[] words = new long[most];
    byte[] bytes = new byte[type == ElementType.BYTE ? most : 0];
    int[] ints = new int[type.bytes() == Integer.BYTES ? most : 0];
    for (int left = end - from; left > 0; left -= BLOCK) { // the end may be near 2^31
      int count = Math.min(BLOCK, left);
      int first = end - left;
      switch (type) {
        case BYTE -> {
          MemorySegment.copy(values, ValueLayout.JAVA_BYTE, first, bytes, 0, count);
          for (int i = 0; i < count; i++) {
            words[i] = (bytes[i] & all) ^ flip;
          }
        }
        case INT -> {
          MemorySegment.copy(values, INT, 4L * first, ints, 0, count);
          for (int i = 0; i < count; i++) {
            words[i] = (ints[i] & all) ^ flip;
          }
        }
        case FLOAT -> {
          MemorySegment.copy(values, INT, 4L * first, ints, 0, count);
          for (int i = 0; i < count; i++) {
            int word = KeyWords.word(ints[i]);
            words[i] = ((isMerged ? KeyWords.merged(word) : word) & all) ^ flip;
          }
        }
        case LONG -> {
          MemorySegment.copy(values, LONG, 8L * first, words, 0, count);
          for (int i = 0; i < count; i++) {
            words[i] ^= flip;
          }
        }
        case DOUBLE -> {
          MemorySegment.copy(values, LONG, 8L * first, words, 0, count);
          for (int i = 0; i < count; i++) {
            long word = KeyWords.word(words[i]);
            words[i] = (isMerged ? KeyWords.merged(word) : word) ^ flip;
          }
        }
      }
      body.words(words, count, first);
    }
  }
}
