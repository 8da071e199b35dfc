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

  /* Two trees over one value a thread, each with log2(threads) barriers.
   *
   * interleaved: the upper half is folded onto the lower one, so active threads stay packed and
   * their accesses hit different banks; operands are not neighbours.
   * neighboured: pairs of neighbours, then of pairs; operands are always neighbours, left first;
   * active threads touch every second, fourth, ... word, which costs bank conflicts.
   *
   * Where the number of threads is no power of two, the trees are those of the next one, without the
   * operands that are not there. What decides that is a constant, so for powers of two no code comes
   * of it.
   *
   * The result is read at an index that is not a constant: TornadoVM would carry a constant-index
   * read of a local array over the barrier.
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
