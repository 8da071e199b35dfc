package funnel.transform;

import funnel.jit.Accumulator;
import funnel.jit.Element;
import funnel.jit.Placeholder;
import funnel.jit.Twins;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link ElementwiseStep} for functions of the index alone. */
@Twins({
  "IntToByte",
  "IntToLong",
  "IntToFloat",
  "IntToDouble",
  "LongToByte",
  "LongToInt",
  "LongToLong",
  "LongToFloat",
  "LongToDouble",
  "FloatToByte",
  "FloatToInt",
  "FloatToLong",
  "FloatToFloat",
  "FloatToDouble",
  "DoubleToByte",
  "DoubleToInt",
  "DoubleToLong",
  "DoubleToFloat",
  "DoubleToDouble"
})
final class IntToIntIndexFunctionKernels {

  /* The function may read elements itself. A thread computes all of its values before it writes one,
   * so that all of its reads are in flight at once. In place of a missing item the last one is
   * computed again. Tiles are those of the other form.
   */

  static final int LENGTH_AT = 0;
  static final int TO_AT = 1;
  static final int LEAD_AT = 2;

  private static final int THREADS = IntToIntElementwiseKernels.THREADS;
  private static final int TILE = IntToIntElementwiseKernels.TILE;

  private IntToIntIndexFunctionKernels() {}

  private static @Accumulator int result(int cast, int index) {
    @Element int value = Placeholder.map(index, (@Element int) index);
    return switch (cast) {
      case IntToIntElementwiseKernels.BY_INTS -> (@Accumulator int) Scalars.toInt(value);
      case IntToIntElementwiseKernels.BY_LONGS -> (@Accumulator int) Scalars.toLong(value);
      default -> (@Accumulator int) value;
    };
  }

  static void tabulate(
      KernelContext context,
      IntArray shape,
      @Accumulator IntArray output,
      IntArray done,
      int cast,
      @AtLaunch int shapeAt,
      @AtLaunch int doneAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int length = shape.get(shapeAt);
    int to = shape.get(shapeAt + TO_AT);
    int lead = shape.get(shapeAt + LEAD_AT);
    int start = block * TILE - lead;
    int skipped = block == 0 ? lead : 0;
    int rest = length - start - skipped;
    if (rest > 0) {
      int left = skipped + Scalars.min(rest, TILE - skipped);
      int i0 = start + Scalars.min(Scalars.max(thread, skipped), left - 1);
      int i1 = start + Scalars.min(thread + THREADS, left - 1);
      int i2 = start + Scalars.min(thread + 2 * THREADS, left - 1);
      int i3 = start + Scalars.min(thread + 3 * THREADS, left - 1);
      int i4 = start + Scalars.min(thread + 4 * THREADS, left - 1);
      int i5 = start + Scalars.min(thread + 5 * THREADS, left - 1);
      int i6 = start + Scalars.min(thread + 6 * THREADS, left - 1);
      int i7 = start + Scalars.min(thread + 7 * THREADS, left - 1);
      @Accumulator int v0 = result(cast, i0);
      @Accumulator int v1 = result(cast, i1);
      @Accumulator int v2 = result(cast, i2);
      @Accumulator int v3 = result(cast, i3);
      @Accumulator int v4 = result(cast, i4);
      @Accumulator int v5 = result(cast, i5);
      @Accumulator int v6 = result(cast, i6);
      @Accumulator int v7 = result(cast, i7);
      if (thread >= skipped & thread < left) {
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
      if (thread + 4 * THREADS < left) {
        output.set(to + i4, v4);
      }
      if (thread + 5 * THREADS < left) {
        output.set(to + i5, v5);
      }
      if (thread + 6 * THREADS < left) {
        output.set(to + i6, v6);
      }
      if (thread + 7 * THREADS < left) {
        output.set(to + i7, v7);
      }
    }
    if (thread == 0 & block == 0) {
      done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
    }
  }
}
