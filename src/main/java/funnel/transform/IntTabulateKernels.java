package funnel.transform;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import funnel.kernel.ShapeLongs;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link TabulateStep}. */
@Twins({"Byte", "Long", "Float", "Double"})
final class IntTabulateKernels {

  /* The rule and the tile are constants of a launch: what other rules need is not compiled.
   *
   * Where reading is all the work, a thread's loads are in flight at once: in place of a missing
   * item, the last one is read again, and nothing is written. A difference reads its left
   * neighbour's element again, from the cache, so that no barrier is needed; only a thread's first
   * item can be the first element, which has no left neighbour.
   *
   * Elsewhere a thread computes one element after the other. A number's bits are decoded once a
   * thread, so that several elements share it. A place of a permutation takes as long as copying the
   * element, or longer by chance, so the more threads, the better; only for the largest arrays
   * there would be too many.
   */

  static final int LENGTH_AT = 0;
  static final int FROM_AT = 1;
  static final int TO_AT = 2;
  static final int START_AT = 3;
  static final int STEP_AT = START_AT + ShapeLongs.INTS;
  static final int SIZE_AT = STEP_AT + ShapeLongs.INTS;

  static final int THREADS = 256;

  private IntTabulateKernels() {}

  /** The number of elements of a block. */
  static int tile(int rule) {
    return THREADS * (rule <= TabulateStep.DIFFERENCE ? 4 : rule <= TabulateStep.POSITION ? 2 : 8);
  }

  private static @Element int element(
      @Element IntArray values, int rule, int from, int i, boolean hasLeft) {
    @Element int v = values.get(rule == TabulateStep.REVERSE ? from - i : from + i);
    @Element int left = rule == TabulateStep.REVERSE ? v : values.get(from + Scalars.max(i - 1, 0));
    return hasLeft & rule == TabulateStep.DIFFERENCE ? (@Element int) (v - left) : v;
  }

  static void read(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      @Element IntArray output,
      IntArray done,
      int rule,
      int tile,
      @AtLaunch int shapeAt,
      @AtLaunch int doneAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int length = shape.get(shapeAt);
    int from = shape.get(shapeAt + FROM_AT) + (rule == TabulateStep.REVERSE ? length - 1 : 0);
    int to = shape.get(shapeAt + TO_AT);
    int first = block * tile;
    int left = length - first;
    if (left > 0) {
      int i0 = first + Scalars.min(thread, left - 1);
      int i1 = first + Scalars.min(thread + THREADS, left - 1);
      int i2 = first + Scalars.min(thread + 2 * THREADS, left - 1);
      int i3 = first + Scalars.min(thread + 3 * THREADS, left - 1);
      @Element int v0 = element(values, rule, from, i0, i0 > 0);
      @Element int v1 = element(values, rule, from, i1, true);
      @Element int v2 = element(values, rule, from, i2, true);
      @Element int v3 = element(values, rule, from, i3, true);
      if (thread < left) {
        output.set(to + i0, v0);
      }
      if (thread + THREADS < left) {
        output.set(to + i1, v1);
      }
      if (thread + 2 * THREADS < left) {
        output.set(to + i2, v2);
      }
      if (thread + 3 * THREADS < left) {
        output.set(to + i3, v3);
      }
    }
    if (thread == 0 & block == 0) {
      done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
    }
  }

  static void compute(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      @Element IntArray output,
      IntArray done,
      int rule,
      int tile,
      @AtLaunch int sizeAt,
      @AtLaunch int shapeAt,
      @AtLaunch int doneAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int length = shape.get(shapeAt);
    int size = rule <= TabulateStep.POSITION ? shape.get(shapeAt + sizeAt) : length;
    int from = shape.get(shapeAt + FROM_AT);
    int to = shape.get(shapeAt + TO_AT);
    long start = ShapeLongs.get(shape, shapeAt + START_AT);
    long step = ShapeLongs.get(shape, shapeAt + STEP_AT);
    @Value int like = (@Value int) 0;
    @Value int base = rule == TabulateStep.PROGRESSION ? Scalars.ofBits(start, like) : like;
    @Value int by = rule == TabulateStep.PROGRESSION ? Scalars.ofBits(step, like) : like;
    int bits = rule <= TabulateStep.POSITION ? Bijection.bits(size) : 0;
    int first = block * tile;
    int end = Scalars.min(Scalars.min(length, size) - first, tile);
    for (int k = thread; k < end; k += THREADS) {
      int i = first + k;
      int at = rule <= TabulateStep.POSITION ? Bijection.at(i, size, bits, start) : i;
      @Element
      int value =
          switch (rule) {
            case TabulateStep.PERMUTE -> values.get(from + at);
            case TabulateStep.POSITION -> (@Element int) at;
            case TabulateStep.PROGRESSION -> (@Element int) Scalars.fma((@Value int) i, by, base);
            default -> (@Element int) SplitMix.value(start + (i + 1L) * step, base);
          };
      output.set(to + i, value);
    }
    if (thread == 0 & block == 0) {
      done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
    }
  }
}
