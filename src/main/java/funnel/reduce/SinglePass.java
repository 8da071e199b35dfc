package funnel.reduce;

/** Sizes of {@link LadderVariant#SINGLE_PASS}. */
final class SinglePass {

  /**
   * Elements from one block's partial result to the next: at least the 128 bytes of a cache line.
   */
  static final int PITCH = 32;

  /** Ints of its shape: offset, length, elements of a block. */
  static final int SHAPE_INTS = 3;

  /** The number of threads that fills any device, so that more blocks would not help. */
  private static final int MOST_THREADS = 1 << 18;

  /** The number of elements that a thread should have before another block is added. */
  private static final int PER_THREAD = 8;

  private SinglePass() {}

  /** Blocks for up to {@code capacity} elements: a power of two. */
  static int blocks(int capacity, int threads) {
    int wanted = Math.clamp(capacity / (threads * PER_THREAD), 1, MOST_THREADS / threads);
    return Integer.highestOneBit(wanted);
  }

  /** Offset, length, and elements of each block, a multiple of the block size. */
  static int[] shape(int offset, int length, int blocks, int threads) {
    return new int[] {offset, length, Math.ceilDiv(length, blocks * threads) * threads};
  }
}
