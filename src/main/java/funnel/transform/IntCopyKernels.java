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

/** Device form of {@link CopyStep}, over the bits of elements. */
@Twins({"Byte", "Long"})
final class IntCopyKernels {

  /* One launch for each input. All that follows from lengths is computed here, since these may be
   * found on the device: how many elements there are before this input's in the output, how many it
   * has there itself, which of these are inside the input, and how long the output is.
   *
   * The first tile begins some places before the first element that it writes, so that warps store
   * whole lines of 128 bytes. All loads of a thread are in flight at once; in place of a missing
   * item, another one is read again.
   */

  static final int TO_AT = 0;
  static final int START_AT = 1;
  static final int MOST_AT = 2;
  static final int FILL_AT = 3;

  /** Of each input: its length, and its offset. */
  static final int INPUTS_AT = FILL_AT + ShapeLongs.INTS;

  static final int INPUT_INTS = 2;

  static final int THREADS = 256;
  static final int TILE = 8 * THREADS;

  /** Bytes that a warp moves together, for ints. */
  static final int LINE = 128;

  private IntCopyKernels() {}

  /** An item that the input has: {@code i}, if it is one. */
  private static int inside(int kind, int i, int low, int high) {
    return kind < CopyStep.FIXED ? i : Scalars.max(Scalars.min(i, high), low);
  }

  private static @Element int result(
      int kind, int i, int inside, @Element int value, @Element int fill) {
    return kind < CopyStep.FIXED | i == inside ? value : fill;
  }

  static void copy(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      @Element IntArray output,
      IntArray length,
      int kind,
      int inputs,
      int number,
      int line,
      int header,
      @AtLaunch int shapeAt,
      @AtLaunch int lengthAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int n = shape.get(shapeAt + INPUTS_AT + INPUT_INTS * number);
    int from = shape.get(shapeAt + INPUTS_AT + INPUT_INTS * number + 1);
    int most = shape.get(shapeAt + MOST_AT);
    int total = 0;
    int before = 0;
    for (int k = 0; k < inputs; k++) {
      int other = Scalars.min(shape.get(shapeAt + INPUTS_AT + INPUT_INTS * k), most);
      total += other;
      before += k < number ? other : 0;
    }
    int start = kind == CopyStep.LAST ? Scalars.max(n - most, 0) : shape.get(shapeAt + START_AT);
    int count =
        kind == CopyStep.SHIFT
            ? n
            : kind == CopyStep.FIXED ? most : Scalars.max(Scalars.min(n - start, most), 0);
    int low = Scalars.max(0 - start, 0);
    int high = Scalars.min(count, n - Scalars.max(start, 0)) - 1;
    int none = 0 - start; // the place of the first element, if the output has no place for any
    high = low <= high ? high : none;
    low = low <= high ? low : none;
    int to = shape.get(shapeAt + TO_AT) + before;
    int lead = (header + to) & (line - 1);
    int first = block * TILE - lead;
    int skipped = block == 0 ? lead : 0;
    int rest = count - first - skipped;
    if (rest > 0) {
      @Element
      int fill =
          (@Element int) Scalars.ofBits(ShapeLongs.get(shape, shapeAt + FILL_AT), (@Value int) 0);
      from = n > 0 ? from : 0; // an offset of no elements may be outside
      int left = skipped + Scalars.min(rest, TILE - skipped);
      int i0 = first + Scalars.min(Scalars.max(thread, skipped), left - 1);
      int i1 = first + Scalars.min(thread + THREADS, left - 1);
      int i2 = first + Scalars.min(thread + 2 * THREADS, left - 1);
      int i3 = first + Scalars.min(thread + 3 * THREADS, left - 1);
      int i4 = first + Scalars.min(thread + 4 * THREADS, left - 1);
      int i5 = first + Scalars.min(thread + 5 * THREADS, left - 1);
      int i6 = first + Scalars.min(thread + 6 * THREADS, left - 1);
      int i7 = first + Scalars.min(thread + 7 * THREADS, left - 1);
      int j0 = inside(kind, i0, low, high);
      int j1 = inside(kind, i1, low, high);
      int j2 = inside(kind, i2, low, high);
      int j3 = inside(kind, i3, low, high);
      int j4 = inside(kind, i4, low, high);
      int j5 = inside(kind, i5, low, high);
      int j6 = inside(kind, i6, low, high);
      int j7 = inside(kind, i7, low, high);
      @Element int v0 = values.get(from + start + j0);
      @Element int v1 = values.get(from + start + j1);
      @Element int v2 = values.get(from + start + j2);
      @Element int v3 = values.get(from + start + j3);
      @Element int v4 = values.get(from + start + j4);
      @Element int v5 = values.get(from + start + j5);
      @Element int v6 = values.get(from + start + j6);
      @Element int v7 = values.get(from + start + j7);
      if (thread >= skipped & thread < left) {
        output.set(to + i0, result(kind, i0, j0, v0, fill));
      }
      if (thread + THREADS < left) {
        output.set(to + i1, result(kind, i1, j1, v1, fill));
      }
      if (thread + 2 * THREADS < left) {
        output.set(to + i2, result(kind, i2, j2, v2, fill));
      }
      if (thread + 3 * THREADS < left) {
        output.set(to + i3, result(kind, i3, j3, v3, fill));
      }
      if (thread + 4 * THREADS < left) {
        output.set(to + i4, result(kind, i4, j4, v4, fill));
      }
      if (thread + 5 * THREADS < left) {
        output.set(to + i5, result(kind, i5, j5, v5, fill));
      }
      if (thread + 6 * THREADS < left) {
        output.set(to + i6, result(kind, i6, j6, v6, fill));
      }
      if (thread + 7 * THREADS < left) {
        output.set(to + i7, result(kind, i7, j7, v7, fill));
      }
    }
    if (thread == 0 & block == 0) {
      int runs = length.get(lengthAt + 1);
      length.set(lengthAt, inputs > 1 ? total : count);
      length.set(lengthAt + 1, number == inputs - 1 ? RunCounter.next(runs) : runs);
    }
  }
}
