package funnel.lessons;

import funnel.jit.Combine;
import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link Ladder} over one element type. */
@Twins({"Long", "Float", "Double"})
final class IntLadderKernels {

  /* All trees combine one value per thread in local memory. Missing elements are the identity, so
   * that all threads take part and reach all barriers. The identity is only ever selected, never
   * combined as a constant: TornadoVM would generate invalid code for a double infinity. Each
   * kernel is written out, since TornadoVM cannot pass a local array to a method; only loading and
   * delivering are shared.
   *
   * The last warp. As usually taught, the last six steps have no barriers: the array is volatile,
   * and the 32 threads of a warp execute each instruction together. Since Volta they need not: each
   * thread has its own program counter, so one may run ahead and read a word that another has yet
   * to write. CUDA's answer is __syncwarp between the steps, or shuffles. TornadoVM has no warp
   * barrier, and shuffles of floats only, so each step here has a block barrier. What remains of
   * the idea is that the steps are written out: no loop counter, no comparison with it. Since all
   * threads must reach a barrier, idle warps wait there too.
   *
   * TornadoVM compiles `threads` as a constant, so that completeUnrolling's comparisons with it
   * cost nothing, as with the original's template parameter.
   *
   * Results are read at a non-constant index: TornadoVM would move a read of a constant index in a
   * local array across a barrier.
   *
   * singlePass does without a fence and without an atomic that returns the old value, since
   * TornadoVM 5.2.0 lacks both:
   *
   *   publish   Thread 0 of each block stores its partial result, adds 1 to the word after it, and
   *             reads that word back. An addition is done in the L2 cache and drops the word's line
   *             from the L1 cache, so the read must come from L2, and both words are in one sector:
   *             once the 1 is seen, the result before it is in L2, where all blocks see it.
   *   count     Only then, and depending on the value read, it adds 1 to the count of finished
   *             blocks, and reads the count back. In launch k the count ends at k * blocks, and the
   *             block that added last reads that. Several blocks may; all of them compute and write
   *             the same, so this does no harm.
   *   combine   That block's other threads read the partial results after the barrier. No line with
   *             a partial result has been in their L1 cache during this launch, except in a block
   *             that wrote one there itself: each result has its own line.
   *
   * The order of a store and a later addition to the same sector is guaranteed by the hardware, not
   * by the memory model: SinglePassProbe tests it on the device before the variant may be used. If
   * a word read back is not 1, the block is not counted, and the host sees that the run is missing.
   */

  static final int FROM_AT = 0;
  static final int LENGTH_AT = 1;

  private IntLadderKernels() {}

  static void neighbouredPairs(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      @Element IntArray out,
      int operator,
      @Element int identity,
      int shapeAt,
      int outAt,
      int threads,
      int last) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    @Element int[] scratch = context.allocateIntLocalArray(threads);
    scratch[thread] = own(shape, values, shapeAt, block * threads, thread, identity);
    context.localBarrier();
    for (int stride = 1; stride < threads; stride = stride * 2) {
      if (thread % (2 * stride) == 0) {
        scratch[thread] = Combine.apply(operator, scratch[thread], scratch[thread + stride]);
      }
      context.localBarrier();
    }
    @Element int result = scratch[thread / threads];
    deliver(out, outAt, block, thread, result, last);
  }

  static void neighbouredLessDivergence(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      @Element IntArray out,
      int operator,
      @Element int identity,
      int shapeAt,
      int outAt,
      int threads,
      int last) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    @Element int[] scratch = context.allocateIntLocalArray(threads);
    scratch[thread] = own(shape, values, shapeAt, block * threads, thread, identity);
    context.localBarrier();
    for (int stride = 1; stride < threads; stride = stride * 2) {
      int place = 2 * stride * thread;
      if (place < threads) {
        scratch[place] = Combine.apply(operator, scratch[place], scratch[place + stride]);
      }
      context.localBarrier();
    }
    @Element int result = scratch[thread / threads];
    deliver(out, outAt, block, thread, result, last);
  }

  static void interleavedPairs(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      @Element IntArray out,
      int operator,
      @Element int identity,
      int shapeAt,
      int outAt,
      int threads,
      int last) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    @Element int[] scratch = context.allocateIntLocalArray(threads);
    scratch[thread] = own(shape, values, shapeAt, block * threads, thread, identity);
    context.localBarrier();
    for (int stride = threads / 2; stride > 0; stride = stride / 2) {
      if (thread < stride) {
        scratch[thread] = Combine.apply(operator, scratch[thread], scratch[thread + stride]);
      }
      context.localBarrier();
    }
    @Element int result = scratch[thread / threads];
    deliver(out, outAt, block, thread, result, last);
  }

  static void unrolling2(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      @Element IntArray out,
      int operator,
      @Element int identity,
      int shapeAt,
      int outAt,
      int threads,
      int last) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    @Element int[] scratch = context.allocateIntLocalArray(threads);
    int offset = shape.get(shapeAt);
    int begin = block * 2 * threads;
    int from = offset + begin + thread;
    int left = Scalars.max(shape.get(shapeAt + LENGTH_AT) - begin, 0) - thread;
    @Element int first = element(values, from, 0, left, identity);
    @Element int second = element(values, from, threads, left, identity);
    scratch[thread] = Combine.apply(operator, first, second);
    context.localBarrier();
    for (int stride = threads / 2; stride > 0; stride = stride / 2) {
      if (thread < stride) {
        scratch[thread] = Combine.apply(operator, scratch[thread], scratch[thread + stride]);
      }
      context.localBarrier();
    }
    @Element int result = scratch[thread / threads];
    deliver(out, outAt, block, thread, result, last);
  }

  static void unrolling8LastWarp(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      @Element IntArray out,
      int operator,
      @Element int identity,
      int shapeAt,
      int outAt,
      int threads,
      int last) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    @Element int[] scratch = context.allocateIntLocalArray(threads);
    int offset = shape.get(shapeAt);
    int begin = block * 8 * threads;
    int from = offset + begin + thread;
    int left = Scalars.max(shape.get(shapeAt + LENGTH_AT) - begin, 0) - thread;
    @Element int first = four(operator, values, from, 0, threads, left, identity);
    @Element int second = four(operator, values, from, 4 * threads, threads, left, identity);
    scratch[thread] = Combine.apply(operator, first, second);
    context.localBarrier();
    for (int stride = threads / 2; stride > 32; stride = stride / 2) {
      if (thread < stride) {
        scratch[thread] = Combine.apply(operator, scratch[thread], scratch[thread + stride]);
      }
      context.localBarrier();
    }
    if (thread < 32) {
      scratch[thread] = Combine.apply(operator, scratch[thread], scratch[thread + 32]);
    }
    context.localBarrier();
    if (thread < 16) {
      scratch[thread] = Combine.apply(operator, scratch[thread], scratch[thread + 16]);
    }
    context.localBarrier();
    if (thread < 8) {
      scratch[thread] = Combine.apply(operator, scratch[thread], scratch[thread + 8]);
    }
    context.localBarrier();
    if (thread < 4) {
      scratch[thread] = Combine.apply(operator, scratch[thread], scratch[thread + 4]);
    }
    context.localBarrier();
    if (thread < 2) {
      scratch[thread] = Combine.apply(operator, scratch[thread], scratch[thread + 2]);
    }
    context.localBarrier();
    if (thread < 1) {
      scratch[thread] = Combine.apply(operator, scratch[thread], scratch[thread + 1]);
    }
    context.localBarrier();
    @Element int result = scratch[thread / threads];
    deliver(out, outAt, block, thread, result, last);
  }

  static void completeUnrolling(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      @Element IntArray out,
      int operator,
      @Element int identity,
      int shapeAt,
      int outAt,
      int threads,
      int last) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    @Element int[] scratch = context.allocateIntLocalArray(threads);
    int offset = shape.get(shapeAt);
    int begin = block * 8 * threads;
    int from = offset + begin + thread;
    int left = Scalars.max(shape.get(shapeAt + LENGTH_AT) - begin, 0) - thread;
    @Element int first = four(operator, values, from, 0, threads, left, identity);
    @Element int second = four(operator, values, from, 4 * threads, threads, left, identity);
    scratch[thread] = Combine.apply(operator, first, second);
    context.localBarrier();
    if (threads >= 1024) {
      if (thread < 512) {
        scratch[thread] = Combine.apply(operator, scratch[thread], scratch[thread + 512]);
      }
      context.localBarrier();
    }
    if (threads >= 512) {
      if (thread < 256) {
        scratch[thread] = Combine.apply(operator, scratch[thread], scratch[thread + 256]);
      }
      context.localBarrier();
    }
    if (threads >= 256) {
      if (thread < 128) {
        scratch[thread] = Combine.apply(operator, scratch[thread], scratch[thread + 128]);
      }
      context.localBarrier();
    }
    if (threads >= 128) {
      if (thread < 64) {
        scratch[thread] = Combine.apply(operator, scratch[thread], scratch[thread + 64]);
      }
      context.localBarrier();
    }
    if (thread < 32) {
      scratch[thread] = Combine.apply(operator, scratch[thread], scratch[thread + 32]);
    }
    context.localBarrier();
    if (thread < 16) {
      scratch[thread] = Combine.apply(operator, scratch[thread], scratch[thread + 16]);
    }
    context.localBarrier();
    if (thread < 8) {
      scratch[thread] = Combine.apply(operator, scratch[thread], scratch[thread + 8]);
    }
    context.localBarrier();
    if (thread < 4) {
      scratch[thread] = Combine.apply(operator, scratch[thread], scratch[thread + 4]);
    }
    context.localBarrier();
    if (thread < 2) {
      scratch[thread] = Combine.apply(operator, scratch[thread], scratch[thread + 2]);
    }
    context.localBarrier();
    if (thread < 1) {
      scratch[thread] = Combine.apply(operator, scratch[thread], scratch[thread + 1]);
    }
    context.localBarrier();
    @Element int result = scratch[thread / threads];
    deliver(out, outAt, block, thread, result, last);
  }

  /** The element of a thread in the block that begins there, or the identity. */
  private static @Element int own(
      IntArray shape,
      @Element IntArray values,
      int shapeAt,
      int begin,
      int thread,
      @Element int identity) {
    int from = shape.get(shapeAt) + begin + thread;
    int left = Scalars.max(shape.get(shapeAt + LENGTH_AT) - begin, 0) - thread;
    return element(values, from, 0, left, identity);
  }

  /** Combines four elements, {@code step} apart. TornadoVM refuses to inline larger methods. */
  private static @Element int four(
      int operator,
      @Element IntArray values,
      int from,
      int ahead,
      int step,
      int left,
      @Element int identity) {
    @Element int v0 = element(values, from, ahead, left, identity);
    @Element int v1 = element(values, from, ahead + step, left, identity);
    @Element int v2 = element(values, from, ahead + 2 * step, left, identity);
    @Element int v3 = element(values, from, ahead + 3 * step, left, identity);
    @Element int three = Combine.apply(operator, Combine.apply(operator, v0, v1), v2);
    return Combine.apply(operator, three, v3);
  }

  /**
   * The element {@code ahead} of {@code from} if fewer than {@code left}, else the identity. The
   * load itself is not in a branch, so that several can be in flight at once.
   */
  private static @Element int element(
      @Element IntArray values, int from, int ahead, int left, @Element int identity) {
    @Element int value = values.get(ahead < left ? from + ahead : 0);
    return ahead < left ? value : identity;
  }

  private static void deliver(
      @Element IntArray out, int outAt, int block, int thread, @Element int value, int last) {
    if (thread == 0) {
      out.set(outAt + block, value);
      if (last == 1) {
        out.set(outAt + 1, RunCounter.next(out.get(outAt + 1)));
      }
    }
  }
}
