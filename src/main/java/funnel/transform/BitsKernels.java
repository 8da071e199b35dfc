package funnel.transform;

import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device forms of {@link BitsStep} and {@link FlagsOfBitsStep}. */
final class BitsKernels {

  /* Threads load four neighbouring bytes in each of eight rounds, so that a warp's loads are
   * coalesced. Through local memory, each then gets the bits of the 32 bytes of its own int. In
   * place of bytes after the last one this is loaded again, and its bits are cleared at the end.
   *
   * The loop advances by `one`, which is 1, so that nvrtc unrolls no more than is written.
   */

  static final int LENGTH_AT = 0;
  static final int FROM_AT = 1;
  static final int TO_AT = 2;
  static final int ONE_AT = 3;

  static final int THREADS = 256;

  /** Flags of a block. */
  static final int TILE = Integer.SIZE * THREADS;

  /** Flags that a block of {@link #unpack} writes. */
  static final int UNPACKED = 8 * THREADS;

  private BitsKernels() {}

  /** A bit for each of four bytes that is not zero. */
  private static int four(ByteArray flags, int from, int at, int last) {
    int b0 = flags.get(from + Scalars.min(at, last)) & 0xff;
    int b1 = flags.get(from + Scalars.min(at + 1, last)) & 0xff;
    int b2 = flags.get(from + Scalars.min(at + 2, last)) & 0xff;
    int b3 = flags.get(from + Scalars.min(at + 3, last)) & 0xff;
    int all = b0 | (b1 << 8) | (b2 << 16) | (b3 << 24);
    int high = (((all & 0x7f7f7f7f) + 0x7f7f7f7f) | all) >> 7;
    return (((high & 0x01010101) * 0x01020408) >> 24) & 15;
  }

  static void pack(
      KernelContext context,
      IntArray shape,
      ByteArray flags,
      IntArray bits,
      IntArray length,
      @AtLaunch int shapeAt,
      @AtLaunch int lengthAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int n = shape.get(shapeAt);
    int from = shape.get(shapeAt + FROM_AT);
    int to = shape.get(shapeAt + TO_AT);
    int one = shape.get(shapeAt + ONE_AT);
    int first = block * TILE;
    int left = Scalars.min(n - first, TILE);
    int words = n / 32 + ((n & 31) > 0 ? 1 : 0);
    if (left > 0) {
      int[] marks = context.allocateIntLocalArray(THREADS + THREADS / 32);
      int own = 0;
      for (int round = 0; round < 8; round += 2 * one) {
        int at = (round * THREADS + thread) * 4;
        int low = four(flags, from + first, at, left - 1);
        int high = four(flags, from + first, at + 4 * THREADS, left - 1);
        own = own | ((low | (high << 4)) << (4 * round));
      }
      marks[thread + thread / 32] = own;
      context.localBarrier();
      int unit = thread * 8;
      int at = unit & (THREADS - 1);
      int shift = unit / THREADS * 4;
      int packed = 0;
      for (int u = 0; u < 8; u++) {
        packed = packed | (((marks[at + at / 32 + u] >> shift) & 15) << (4 * u));
      }
      int there = Scalars.max(Scalars.min(left - 32 * thread, 32), 0);
      if (there > 0) {
        bits.set(to + block * THREADS + thread, packed & (int) ((1L << there) - 1L));
      }
    }
    if (thread == 0 & block == 0) {
      length.set(lengthAt, words);
      length.set(lengthAt + 1, RunCounter.next(length.get(lengthAt + 1)));
    }
  }

  static void unpack(
      KernelContext context,
      IntArray shape,
      IntArray bits,
      ByteArray flags,
      IntArray done,
      @AtLaunch int shapeAt,
      @AtLaunch int doneAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int from = shape.get(shapeAt + FROM_AT);
    int to = shape.get(shapeAt + TO_AT);
    int first = block * UNPACKED;
    int left = Scalars.min(shape.get(shapeAt) - first, UNPACKED);
    for (int k = thread; k < left; k += THREADS) {
      int i = first + k;
      flags.set(to + i, (byte) ((bits.get(from + i / 32) >> (i & 31)) & 1));
    }
    if (thread == 0 & block == 0) {
      done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
    }
  }
}
