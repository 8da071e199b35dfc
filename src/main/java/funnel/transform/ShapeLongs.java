package funnel.transform;

import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * A long in the array of lengths, as non-negative ints: as a constant of the kernel, each value
 * would need another compilation.
 */
final class ShapeLongs {

  /** The number of ints for a long. */
  static final int INTS = 3;

  private static final int BITS = 22;
  private static final long MASK = (1L << BITS) - 1;

  private ShapeLongs() {}

  static int[] ints(long value) {
    return new int[] {
      (int) (value & MASK), (int) ((value >>> BITS) & MASK), (int) ((value >>> (2 * BITS)) & MASK)
    };
  }

  /** In a kernel: the long that begins at an index. */
  static long get(IntArray shape, int at) {
    long high = shape.get(at + 2);
    long middle = shape.get(at + 1);
    return (high << (2 * BITS)) | (middle << BITS) | shape.get(at);
  }
}
