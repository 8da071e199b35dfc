package funnel.transform;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link HalvesStep}. */
@Twins("Float")
final class IntHalvesKernels {

  static final int LENGTH_AT = 0;
  static final int FROM_AT = 1;
  static final int TO_AT = 2;

  static final int THREADS = 256;

  /** Numbers of a block. */
  static final int TILE = 8 * THREADS;

  private IntHalvesKernels() {}

  static void widen(
      KernelContext context,
      IntArray shape,
      ByteArray input,
      @Element IntArray output,
      IntArray length,
      int signed,
      @AtLaunch int shapeAt,
      @AtLaunch int lengthAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int from = shape.get(shapeAt + FROM_AT);
    int to = shape.get(shapeAt + TO_AT);
    int first = block * TILE;
    int n = shape.get(shapeAt);
    int left = Scalars.min(n - first, TILE);
    for (int k = thread; k < left; k += THREADS) {
      int i = first + k;
      int at = from + 2 * i;
      int bits = (input.get(at) & 0xff) | ((input.get(at + 1) & 0xff) << 8);
      output.set(to + i, Halves.widened(bits, signed, (@Element int) 0));
    }
    if (thread == 0 & block == 0) {
      length.set(lengthAt, n);
      length.set(lengthAt + 1, RunCounter.next(length.get(lengthAt + 1)));
    }
  }

  static void narrow(
      KernelContext context,
      IntArray shape,
      @Element IntArray input,
      ByteArray output,
      IntArray length,
      @AtLaunch int shapeAt,
      @AtLaunch int lengthAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int from = shape.get(shapeAt + FROM_AT);
    int to = shape.get(shapeAt + TO_AT);
    int first = block * TILE;
    int n = shape.get(shapeAt);
    int left = Scalars.min(n - first, TILE);
    for (int k = thread; k < left; k += THREADS) {
      int i = first + k;
      int bits = Halves.narrowed(input.get(from + i));
      output.set(to + 2 * i, (byte) bits);
      output.set(to + 2 * i + 1, (byte) ((bits >> 8) & 0xff));
    }
    if (thread == 0 & block == 0) {
      length.set(lengthAt, 2 * n);
      length.set(lengthAt + 1, RunCounter.next(length.get(lengthAt + 1)));
    }
  }
}
