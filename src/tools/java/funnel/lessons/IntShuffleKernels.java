package funnel.lessons;

import funnel.block.BlockScan;
import funnel.block.WarpScan;
import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link ScanVariant#WARP_SHUFFLE} over one element type. */
@Twins("Float")
final class IntShuffleKernels {

  /* The kernels of IntVariantKernels with mirrored lanes: what is said there of threads holds here
   * of elements.
   */

  private IntShuffleKernels() {}

  static void warpShuffle(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      @Element IntArray out,
      @Element IntArray totals,
      @Element IntArray result,
      int operator,
      @Element int identity,
      int shapeAt,
      int resultAt,
      int threads,
      int last) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int element = WarpScan.element(thread);
    int begin = block * threads;
    int length = shape.get(shapeAt + VariantScan.LENGTH_AT);
    int left = length - begin;
    @Element int value = values.get(element < left ? shape.get(shapeAt) + begin + element : 0);
    value = element < left ? value : identity;
    @Element
    int running = BlockScan.warpShuffle(context, operator, thread, threads, value, identity);
    if (element < left) {
      out.set(shape.get(shapeAt + VariantScan.TO_AT) + begin + element, running);
    }
    if (element == threads - 1) {
      totals.set(block, running);
    }
    if (last == 1) {
      if (element == Scalars.max(length, 1) - 1 - begin) {
        result.set(resultAt, running);
        result.set(resultAt + 1, RunCounter.next(result.get(resultAt + 1)));
      }
    }
  }
}
