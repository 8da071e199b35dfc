package funnel.reduce;

import funnel.jit.Accumulator;
import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import funnel.operator.ElementType;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * Device form of reductions to two values: an element and its index, or the smallest and the
 * largest element.
 */
@Twins({
  "ByteToInt",
  "LongToInt",
  "FloatToInt",
  "DoubleToInt",
  "LongToLong",
  "FloatToFloat",
  "DoubleToDouble"
})
final class IntToIntPairReductionKernels {

  /* The rows of ReductionTree's striped tree, one lane per thread. Any order gives the same result,
   * since the index distinguishes elements of equal rank. In place of a missing item an existing
   * one is taken again, which changes nothing.
   *
   * The tree over a block's threads is in both kernels, since a local array cannot be passed to a
   * helper, nor can a helper return two values.
   *
   * A pair with the index -1 is empty. For smallest and largest, every pair starts with the row's
   * first element, so that no identity is needed and NaN needs no special case; rows without
   * elements take part as copies of element 0.
   */

  static final int FROM_AT = 0;
  static final int LENGTH_AT = 1;
  static final int ROWS_AT = 2;

  static final int THREADS = 256;
  private static final ElementType ELEMENT = ElementType.INT;

  private IntToIntPairReductionKernels() {}

  static void rows(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      @Value IntArray firstPartials,
      @Accumulator IntArray secondPartials,
      int code,
      @AtLaunch int shapeAt,
      int lead) {
    int thread = context.localIdx;
    int row = context.groupIdx;
    int offset = shape.get(shapeAt);
    int length = shape.get(shapeAt + LENGTH_AT);
    int step = shape.get(shapeAt + ROWS_AT) * ReductionTree.TILE;
    @Value int first = (@Value int) 0;
    if (length > 0) {
      first = Scalars.value(values.get(offset));
    }
    @Accumulator int second = secondOf(code, first, -1);
    int places = length > 0 ? length + lead : 0;
    for (int left = places - row * ReductionTree.TILE - thread; left > 0; left -= step) {
      int item = length - left;
      int i0 = item < 0 ? 0 : item;
      int i1 = THREADS < left ? item + THREADS : i0;
      int i2 = 2 * THREADS < left ? item + 2 * THREADS : i0;
      int i3 = 3 * THREADS < left ? item + 3 * THREADS : i0;
      int i4 = 4 * THREADS < left ? item + 4 * THREADS : i0;
      int i5 = 5 * THREADS < left ? item + 5 * THREADS : i0;
      int i6 = 6 * THREADS < left ? item + 6 * THREADS : i0;
      int i7 = 7 * THREADS < left ? item + 7 * THREADS : i0;
      @Value int v0 = Scalars.value(values.get(offset + i0));
      @Value int v1 = Scalars.value(values.get(offset + i1));
      @Value int v2 = Scalars.value(values.get(offset + i2));
      @Value int v3 = Scalars.value(values.get(offset + i3));
      @Value int v4 = Scalars.value(values.get(offset + i4));
      @Value int v5 = Scalars.value(values.get(offset + i5));
      @Value int v6 = Scalars.value(values.get(offset + i6));
      @Value int v7 = Scalars.value(values.get(offset + i7));
      @Accumulator int s0 = secondOf(code, v0, i0);
      @Accumulator int s1 = secondOf(code, v1, i1);
      @Accumulator int s2 = secondOf(code, v2, i2);
      @Accumulator int s3 = secondOf(code, v3, i3);
      @Accumulator int s4 = secondOf(code, v4, i4);
      @Accumulator int s5 = secondOf(code, v5, i5);
      @Accumulator int s6 = secondOf(code, v6, i6);
      @Accumulator int s7 = secondOf(code, v7, i7);
      @Value int v01 = first(code, v0, s0, v1, s1);
      @Accumulator int s01 = second(code, v0, s0, v1, s1);
      @Value int v23 = first(code, v2, s2, v3, s3);
      @Accumulator int s23 = second(code, v2, s2, v3, s3);
      @Value int v45 = first(code, v4, s4, v5, s5);
      @Accumulator int s45 = second(code, v4, s4, v5, s5);
      @Value int v67 = first(code, v6, s6, v7, s7);
      @Accumulator int s67 = second(code, v6, s6, v7, s7);
      @Value int low = first(code, v01, s01, v23, s23);
      @Accumulator int lowSecond = second(code, v01, s01, v23, s23);
      @Value int high = first(code, v45, s45, v67, s67);
      @Accumulator int highSecond = second(code, v45, s45, v67, s67);
      @Value int best = first(code, low, lowSecond, high, highSecond);
      @Accumulator int bestSecond = second(code, low, lowSecond, high, highSecond);
      @Value int nextFirst = first(code, first, second, best, bestSecond);
      second = second(code, first, second, best, bestSecond);
      first = nextFirst;
    }
    @Value int[] firsts = context.allocateIntLocalArray(THREADS);
    @Accumulator int[] seconds = context.allocateIntLocalArray(THREADS);
    firsts[thread] = first;
    seconds[thread] = second;
    context.localBarrier();
    for (int stride = THREADS / 2; stride > 0; stride = stride / 2) {
      if (thread < stride) {
        @Value int a = firsts[thread];
        @Accumulator int b = seconds[thread];
        @Value int otherA = firsts[thread + stride];
        @Accumulator int otherB = seconds[thread + stride];
        firsts[thread] = first(code, a, b, otherA, otherB);
        seconds[thread] = second(code, a, b, otherA, otherB);
      }
      context.localBarrier();
    }
    if (thread == 0) {
      firstPartials.set(row, firsts[thread]);
      secondPartials.set(row, seconds[thread]);
    }
  }

  static void finish(
      KernelContext context,
      @Value IntArray firstPartials,
      @Accumulator IntArray secondPartials,
      @Value IntArray firstResult,
      @Accumulator IntArray secondResult,
      @AtLaunch int count,
      int code,
      @AtLaunch int firstResultAt,
      @AtLaunch int secondResultAt) {
    int thread = context.localIdx;
    @Value int first = firstPartials.get(0);
    @Accumulator int second = secondPartials.get(0);
    for (int item = thread; item < count; item += THREADS) {
      @Value int value = firstPartials.get(item);
      @Accumulator int other = secondPartials.get(item);
      @Value int nextFirst = first(code, first, second, value, other);
      second = second(code, first, second, value, other);
      first = nextFirst;
    }
    @Value int[] firsts = context.allocateIntLocalArray(THREADS);
    @Accumulator int[] seconds = context.allocateIntLocalArray(THREADS);
    firsts[thread] = first;
    seconds[thread] = second;
    context.localBarrier();
    for (int stride = THREADS / 2; stride > 0; stride = stride / 2) {
      if (thread < stride) {
        @Value int a = firsts[thread];
        @Accumulator int b = seconds[thread];
        @Value int otherA = firsts[thread + stride];
        @Accumulator int otherB = seconds[thread + stride];
        firsts[thread] = first(code, a, b, otherA, otherB);
        seconds[thread] = second(code, a, b, otherA, otherB);
      }
      context.localBarrier();
    }
    if (thread == 0) {
      firstResult.set(firstResultAt, firsts[thread]);
      secondResult.set(secondResultAt, seconds[thread]);
      firstResult.set(firstResultAt + 1, RunCounter.next(firstResult.get(firstResultAt + 1)));
      secondResult.set(secondResultAt + 1, RunCounter.next(secondResult.get(secondResultAt + 1)));
    }
  }

  private static @Accumulator int secondOf(int code, @Value int value, int index) {
    return code == PairCode.MIN_MAX ? (@Accumulator int) value : (@Accumulator int) index;
  }

  private static @Value int first(
      int code, @Value int a, @Accumulator int b, @Value int otherA, @Accumulator int otherB) {
    if (code == PairCode.MIN_MAX) {
      return Scalars.min(a, otherA);
    }
    return takesOther(code, a, b, otherA, otherB) ? otherA : a;
  }

  private static @Accumulator int second(
      int code, @Value int a, @Accumulator int b, @Value int otherA, @Accumulator int otherB) {
    if (code == PairCode.MIN_MAX) {
      return Scalars.max(b, otherB);
    }
    return takesOther(code, a, b, otherA, otherB) ? otherB : b;
  }

  private static boolean takesOther(
      int code, @Value int a, @Accumulator int b, @Value int otherA, @Accumulator int otherB) {
    int better = isBefore(code, otherA, a);
    int equal = 1 - (better | isBefore(code, a, otherA));
    int sooner = equal & (otherB < b ? 1 : 0);
    int none = b < 0 ? 1 : 0;
    int other = otherB < 0 ? 0 : 1;
    return (other & (none | better | sooner)) != 0;
  }

  private static int isBefore(int code, @Value int a, @Value int b) {
    int smaller = Scalars.isSmaller(a, b) ? 1 : 0;
    int larger = Scalars.isLarger(a, b) ? 1 : 0;
    return code == PairCode.ARG_MIN ? smaller : larger;
  }
}
