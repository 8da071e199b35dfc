package funnel.lessons;

import funnel.block.BlockScan;
import funnel.jit.Combine;
import funnel.jit.Element;
import funnel.jit.StampedWords;
import funnel.jit.Twins;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Device form of {@link ScanVariant#CHAINED} over one element type. */
@Twins("Long")
final class IntChainedKernels {

  /* In the textbook the blocks share one counter: block b polls it by atomicAdd(counter, 0) until
   * it is b, reads the last element that block b - 1 stored, and increments the counter after it
   * has stored its own. That needs an addition that returns the old value, and a fence between the
   * element and the counter; TornadoVM 5.2.0 has neither. So the counter and the last element are
   * one of the StampedWords, and each block has its own. Word 0 is the number of the last run.
   *
   * A block that has waited too long reports it, and continues as if nothing came before it: what
   * it passes on is wrong, but keeps the next block from waiting as long again. Even then the
   * operator only sees the identity and true neighbours.
   *
   * The block with the last element counts the run. All blocks before it have read word 0 by then,
   * since each has passed something on after that, unless one gave up; later blocks do not use it.
   */

  /** Polls of a word before a block gives up: about a tenth of a second. */
  private static final int POLLS = 1 << 16;

  private IntChainedKernels() {}

  static void chained(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      @Element IntArray out,
      LongArray words,
      @Element IntArray result,
      IntArray gaveUp,
      int operator,
      @Element int identity,
      int shapeAt,
      int resultAt,
      int gaveUpAt,
      int threads,
      int pitch) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int begin = block * threads;
    int length = shape.get(shapeAt + VariantScan.LENGTH_AT);
    int left = length - begin;
    int run = (int) words.get(0) + 1;
    @Element int[] come = context.allocateIntLocalArray(1);
    if (begin < Scalars.max(length, 1)) {
      @Element int value = values.get(thread < left ? shape.get(shapeAt) + begin + thread : 0);
      value = thread < left ? value : identity;
      @Element
      int running = BlockScan.inclusive(context, operator, thread, threads, value, identity);
      if (thread == 0) {
        @Element int before = identity;
        if (block > 0) {
          long low = StampedWords.read(context, words, block, run, POLLS);
          int missing = StampedWords.stamp(low) == run ? 0 : 1;
          long high = low;
          if (pitch > 0) {
            high = StampedWords.read(context, words, pitch + block, run, POLLS);
            missing = missing + (StampedWords.stamp(high) == run ? 0 : 1);
          }
          before = Scalars.ofBits(StampedWords.bits(high, low), identity);
          before = missing > 0 ? identity : before;
          if (missing > 0) {
            gaveUp.set(gaveUpAt, block + 1);
          }
        }
        come[thread] = before;
      }
      context.localBarrier();
      @Element int start = come[thread / threads];
      if (block > 0) {
        running = Combine.apply(operator, start, running);
      }
      if (thread == threads - 1) {
        StampedWords.write(words, block + 1, pitch, run, Scalars.bits(running));
      }
      if (thread < left) {
        out.set(shape.get(shapeAt + VariantScan.TO_AT) + begin + thread, running);
      }
      if (thread == Scalars.max(length, 1) - 1 - begin) {
        result.set(resultAt, running);
        int runs = RunCounter.next(gaveUp.get(gaveUpAt + 1));
        result.set(resultAt + 1, (@Element int) runs);
        gaveUp.set(gaveUpAt + 1, runs);
        words.set(0, run);
      }
    }
  }
}
