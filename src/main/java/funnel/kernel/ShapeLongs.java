package funnel.kernel;

import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * A long in an array of ints, as three non-negative ints: 2^22 + 3 as 3, 1, 0. As a constant of the
 * kernel, each value would need another compilation.
 *
 * {@snippet class="funnel.docs.KernelSnippets" region="longs"}
 */
public final class ShapeLongs {

  /** The number of ints for a long. */
  public static final int INTS = 3;

  private static final int BITS = 22;
  private static final long MASK = (1L << BITS) - 1;

  private ShapeLongs() {}

  /** The ints of a long. */
  public static int[] ints(long value) {
    return new int[] {
      (int) (value & MASK), (int) ((value >>> BITS) & MASK), (int) ((value >>> (2 * BITS)) & MASK)
    };
  }

  /** In a kernel: the long that begins at an index. */
  public static long get(IntArray shape, int at) {
    long high = shape.get(at + 2);
    long middle = shape.get(at + 1);
    return (high << (2 * BITS)) | (middle << BITS) | shape.get(at);
  }
}
