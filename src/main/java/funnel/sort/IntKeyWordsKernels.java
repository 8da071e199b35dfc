package funnel.sort;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Converts the bits of floating-point numbers to {@link KeyWords} and back on a device. */
@Twins("Long")
final class IntKeyWordsKernels {

  static final int LENGTH_AT = 0;
  static final int FROM_AT = 1;
  static final int TO_AT = 2;

  static final int THREADS = 256;
  private static final int ITEMS = 4;

  private IntKeyWordsKernels() {}

  static int blocks(int capacity) {
    return Math.max(1, Math.ceilDiv(capacity, ITEMS * THREADS));
  }

  static void turn(
      KernelContext context,
      IntArray shape,
      @Element IntArray from,
      @Element IntArray to,
      IntArray done,
      int shapeAt,
      int doneAt,
      int turned,
      int isBack) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int first = block * (ITEMS * THREADS);
    int left = shape.get(shapeAt) - first;
    int source = shape.get(shapeAt + FROM_AT) + first;
    int target = shape.get(shapeAt + TO_AT) + first;
    for (int k = 0; k < ITEMS; k++) {
      int item = k * THREADS + thread;
      if (item < left) {
        @Element int bits = from.get(source + item);
        to.set(
            target + item,
            isBack == 1 ? KeyWords.ofOutput(bits, turned) : KeyWords.ofInput(bits, turned));
      }
    }
    if (thread == 0 & block == 0) {
      done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
    }
  }
}
