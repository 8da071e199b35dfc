package funnel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** Ints in more than 2^31 bytes, copied by blocks: element by element, they take many seconds. */
public final class LargeInts {

  private static final int BLOCK = 1 << 16;

  private LargeInts() {}

  private static IntStream blocks(int n) {
    return IntStream.range(0, Math.ceilDiv(n, BLOCK)).parallel();
  }

  private static int end(int block, int n) {
    return (int) Math.min((block + 1L) * BLOCK, n);
  }

  /** Element i of the first n becomes i. */
  public static void fill(MemorySegment memory, int n) {
    blocks(n)
        .forEach(
            block -> {
              int from = block * BLOCK;
              int[] values = new int[end(block, n) - from];
              Arrays.setAll(values, k -> from + k);
              MemorySegment.copy(values, 0, memory, ValueLayout.JAVA_INT, 4L * from, values.length);
            });
  }

  /** The first of n elements that is not as expected at its index; -1 if there is none. */
  public static int firstWrong(MemorySegment memory, int n, IntUnaryOperator expected) {
    return blocks(n)
        .map(
            block -> {
              int from = block * BLOCK;
              int[] values = new int[end(block, n) - from];
              MemorySegment.copy(memory, ValueLayout.JAVA_INT, 4L * from, values, 0, values.length);
              for (int k = 0; k < values.length; k++) {
                if (values[k] != expected.applyAsInt(from + k)) {
                  return from + k;
                }
              }
              return -1;
            })
        .filter(wrong -> wrong >= 0)
        .min()
        .orElse(-1);
  }
}
