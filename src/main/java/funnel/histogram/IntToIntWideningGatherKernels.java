package funnel.histogram;

import funnel.jit.Accumulator;
import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.kernel.AtLaunch;
import funnel.kernel.KernelTask;
import funnel.kernel.Scalars;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link WideningGatherStep} from one type to another. */
@Twins({
  "IntToLong",
  "IntToDouble",
  "LongToLong",
  "LongToDouble",
  "FloatToFloat",
  "FloatToDouble",
  "DoubleToDouble"
})
final class IntToIntWideningGatherKernels {

  /* Where the kernel finds its ints in the shape array. */
  static final int FROM_AT = 0;
  static final int LENGTH_AT = 1;

  private static final int THREADS = 256;
  private static final int ITEMS = 4;
  private static final int TILE = THREADS * ITEMS;

  private IntToIntWideningGatherKernels() {}

  static KernelTask.Grid grid(int capacity) {
    return KernelTask.Grid.of(Math.max(1, Math.ceilDiv(capacity, TILE)), THREADS);
  }

  static void gather(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      IntArray positions,
      @Accumulator IntArray gathered,
      @AtLaunch int shapeAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int from = shape.get(shapeAt);
    int length = shape.get(shapeAt + LENGTH_AT);
    int first = block * TILE;
    int left = length - first;
    if (left > 0) {
      int i0 = first + Scalars.min(thread, left - 1);
      int i1 = first + Scalars.min(thread + THREADS, left - 1);
      int i2 = first + Scalars.min(thread + 2 * THREADS, left - 1);
      int i3 = first + Scalars.min(thread + 3 * THREADS, left - 1);
      int p0 = positions.get(i0);
      int p1 = positions.get(i1);
      int p2 = positions.get(i2);
      int p3 = positions.get(i3);
      @Accumulator int v0 = (@Accumulator int) values.get(from + p0);
      @Accumulator int v1 = (@Accumulator int) values.get(from + p1);
      @Accumulator int v2 = (@Accumulator int) values.get(from + p2);
      @Accumulator int v3 = (@Accumulator int) values.get(from + p3);
      if (thread < left) {
        gathered.set(i0, v0);
      }
      if (thread + THREADS < left) {
        gathered.set(i1, v1);
      }
      if (thread + 2 * THREADS < left) {
        gathered.set(i2, v2);
      }
      if (thread + 3 * THREADS < left) {
        gathered.set(i3, v3);
      }
    }
  }
}
