package funnel.transform;

import funnel.jit.Accumulator;
import funnel.jit.Element;
import funnel.jit.Placeholder;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link ElementwiseStep}. */
@Twins({
  "ByteToByte",
  "ByteToInt",
  "ByteToLong",
  "ByteToFloat",
  "ByteToDouble",
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
final class IntToIntElementwiseKernels {

  /* All loads of a thread are in flight at once. In place of a missing item the last one is read
   * again, and nothing is computed from it: in place, its own thread may have overwritten it.
   *
   * The number of arrays and the conversion of values are constants, so everything else folds away.
   *
   * The first tile begins some places before the output's first element, so that warps store whole
   * lines of 128 bytes: an array's elements come after a header of 16 bytes, and a line that two
   * warps share is moved twice.
   */

  static final int LENGTH_AT = 0;
  static final int FIRST_FROM_AT = 1;
  static final int SECOND_FROM_AT = 2;
  static final int THIRD_FROM_AT = 3;
  static final int TO_AT = 4;
  static final int LEAD_AT = 5;

  static final int THREADS = 256;
  static final int TILE = 8 * THREADS;

  /** Bytes that a warp moves together, for ints. */
  static final int LINE = 128;

  /** Converts by Java's cast if devices give the same result, else by way of ints or longs. */
  static final int PLAIN = 0;

  static final int BY_INTS = 1;
  static final int BY_LONGS = 2;

  private IntToIntElementwiseKernels() {}

  private static @Value int load(@Element IntArray values, boolean isThere, int at) {
    return isThere ? Scalars.value(values.get(at)) : (@Value int) 0;
  }

  private static @Accumulator int result(
      int arrays, int indexed, int cast, int index, @Value int a, @Value int b, @Value int c) {
    @Value int x = indexed == 1 ? (@Value int) index : a;
    @Value int y = indexed == 1 ? a : b;
    @Value int z = indexed == 1 ? b : c;
    @Value
    int value =
        switch (arrays + indexed) {
          case 1 -> Placeholder.map(index, x);
          case 2 -> Placeholder.combine(x, y);
          default -> Placeholder.map(x, y, z);
        };
    return switch (cast) {
      case BY_INTS -> (@Accumulator int) Scalars.toInt(value);
      case BY_LONGS -> (@Accumulator int) Scalars.toLong(value);
      default -> (@Accumulator int) value;
    };
  }

  static void apply(
      KernelContext context,
      IntArray shape,
      @Element IntArray first,
      @Element IntArray second,
      @Element IntArray third,
      @Accumulator IntArray output,
      IntArray done,
      int arrays,
      int indexed,
      int cast,
      @AtLaunch int shapeAt,
      @AtLaunch int doneAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int length = shape.get(shapeAt);
    int firstFrom = shape.get(shapeAt + FIRST_FROM_AT);
    int secondFrom = shape.get(shapeAt + SECOND_FROM_AT);
    int thirdFrom = shape.get(shapeAt + THIRD_FROM_AT);
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
      @Value int a0 = load(first, arrays > 0, firstFrom + i0);
      @Value int a1 = load(first, arrays > 0, firstFrom + i1);
      @Value int a2 = load(first, arrays > 0, firstFrom + i2);
      @Value int a3 = load(first, arrays > 0, firstFrom + i3);
      @Value int a4 = load(first, arrays > 0, firstFrom + i4);
      @Value int a5 = load(first, arrays > 0, firstFrom + i5);
      @Value int a6 = load(first, arrays > 0, firstFrom + i6);
      @Value int a7 = load(first, arrays > 0, firstFrom + i7);
      @Value int b0 = load(second, arrays > 1, secondFrom + i0);
      @Value int b1 = load(second, arrays > 1, secondFrom + i1);
      @Value int b2 = load(second, arrays > 1, secondFrom + i2);
      @Value int b3 = load(second, arrays > 1, secondFrom + i3);
      @Value int b4 = load(second, arrays > 1, secondFrom + i4);
      @Value int b5 = load(second, arrays > 1, secondFrom + i5);
      @Value int b6 = load(second, arrays > 1, secondFrom + i6);
      @Value int b7 = load(second, arrays > 1, secondFrom + i7);
      @Value int c0 = load(third, arrays > 2, thirdFrom + i0);
      @Value int c1 = load(third, arrays > 2, thirdFrom + i1);
      @Value int c2 = load(third, arrays > 2, thirdFrom + i2);
      @Value int c3 = load(third, arrays > 2, thirdFrom + i3);
      @Value int c4 = load(third, arrays > 2, thirdFrom + i4);
      @Value int c5 = load(third, arrays > 2, thirdFrom + i5);
      @Value int c6 = load(third, arrays > 2, thirdFrom + i6);
      @Value int c7 = load(third, arrays > 2, thirdFrom + i7);
      if (thread >= skipped & thread < left) {
        output.set(to + i0, result(arrays, indexed, cast, i0, a0, b0, c0));
      }
      if (thread + THREADS < left) {
        output.set(to + i1, result(arrays, indexed, cast, i1, a1, b1, c1));
      }
      if (thread + 2 * THREADS < left) {
        output.set(to + i2, result(arrays, indexed, cast, i2, a2, b2, c2));
      }
      if (thread + 3 * THREADS < left) {
        output.set(to + i3, result(arrays, indexed, cast, i3, a3, b3, c3));
      }
      if (thread + 4 * THREADS < left) {
        output.set(to + i4, result(arrays, indexed, cast, i4, a4, b4, c4));
      }
      if (thread + 5 * THREADS < left) {
        output.set(to + i5, result(arrays, indexed, cast, i5, a5, b5, c5));
      }
      if (thread + 6 * THREADS < left) {
        output.set(to + i6, result(arrays, indexed, cast, i6, a6, b6, c6));
      }
      if (thread + 7 * THREADS < left) {
        output.set(to + i7, result(arrays, indexed, cast, i7, a7, b7, c7));
      }
    }
    if (thread == 0 & block == 0) {
      done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
    }
  }
}
