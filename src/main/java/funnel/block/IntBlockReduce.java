package funnel.block;

import funnel.jit.Combine;
import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.kernel.BlockSize;
import funnel.kernel.Scalars;
import uk.ac.manchester.tornado.api.KernelContext;

/** {@link BlockReduce} over one element type. */
@Twins({"Long", "Float", "Double"})
final class IntBlockReduce {

  /* Two trees over one value per thread, each with log2(threads) barriers.
   *
   * interleaved: the upper half is folded onto the lower one, so active threads stay packed and
   * access different banks; operands are not neighbours.
   *
   * neighboured: pairs of neighbours, then pairs of pairs; operands are always neighbours, left
   * first; active threads access every second, fourth, ... word, which causes bank conflicts.
   *
   * If the number of threads is not a power of two, the trees are those of the next power, without
   * the missing operands. The condition is a constant, so it generates no code for powers of two.
   *
   * The result is read at a non-constant index: TornadoVM would move a constant-index read of a
   * local array across the barrier.
   */

  private IntBlockReduce() {}

  static @Element int interleaved(
      KernelContext context, int operator, int thread, int threads, @Element int value) {
    BlockSize.require(threads);
    int whole = BlockReduce.powerOfTwo(threads);
    @Element int[] scratch = context.allocateIntLocalArray(threads);
    scratch[thread] = value;
    context.localBarrier();
    for (int stride = whole / 2; stride > 0; stride = stride / 2) {
      int pairs = threads == whole ? stride : Scalars.min(stride, threads - stride);
      if (thread < pairs) {
        scratch[thread] = Combine.apply(operator, scratch[thread], scratch[thread + stride]);
      }
      context.localBarrier();
    }
    return scratch[thread / threads];
  }

  static @Element int neighboured(
      KernelContext context, int operator, int thread, int threads, @Element int value) {
    BlockSize.require(threads);
    int whole = BlockReduce.powerOfTwo(threads);
    @Element int[] scratch = context.allocateIntLocalArray(threads);
    scratch[thread] = value;
    context.localBarrier();
    for (int stride = 1; stride < threads; stride = stride * 2) {
      int left = 2 * stride * thread;
      int end = threads == whole ? threads : threads - stride;
      if (left < end) {
        scratch[left] = Combine.apply(operator, scratch[left], scratch[left + stride]);
      }
      context.localBarrier();
    }
    return scratch[thread / threads];
  }
}
