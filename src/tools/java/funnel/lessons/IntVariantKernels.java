package funnel.lessons;

import funnel.block.BlockScan;
import funnel.jit.Combine;
import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link VariantScan} by scan and propagation, over one element type. */
@Twins({"Long", "Float", "Double"})
final class IntVariantKernels {

  /* Missing elements of the last block are the identity, so that all threads take part and reach
   * all barriers. It is selected; these kernels never combine it as a constant. Blocks without any
   * element, which the grid has if the input is shorter than the capacity, scan only identities;
   * their totals are never read.
   *
   * The thread that stores the last element delivers it as the total. If there is no element, it
   * delivers the identity, in place of the missing first element.
   */

  /** Elements per thread of {@link #scanThenPropagate}, as in ScanVariant. */
  private static final int ITEMS = 4;

  private IntVariantKernels() {}

  static void hillisSteele(
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
    int begin = block * threads;
    int length = shape.get(shapeAt + VariantScan.LENGTH_AT);
    int left = length - begin;
    @Element int value = element(values, shape.get(shapeAt) + begin, thread, left, identity);
    @Element int running = BlockScan.hillisSteele(context, operator, thread, threads, value);
    if (thread < left) {
      out.set(shape.get(shapeAt + VariantScan.TO_AT) + begin + thread, running);
    }
    if (thread == threads - 1) {
      totals.set(block, running);
    }
    if (last == 1) {
      deliver(result, resultAt, thread == lastOf(length, begin) ? 1 : 0, running);
    }
  }

  static void blelloch(
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
    int begin = block * threads;
    int length = shape.get(shapeAt + VariantScan.LENGTH_AT);
    int left = length - begin;
    @Element int value = element(values, shape.get(shapeAt) + begin, thread, left, identity);
    @Element int running = BlockScan.blelloch(context, operator, thread, threads, value, identity);
    if (thread < left) {
      out.set(shape.get(shapeAt + VariantScan.TO_AT) + begin + thread, running);
    }
    if (thread == threads - 1) {
      totals.set(block, running);
    }
    if (last == 1) {
      deliver(result, resultAt, thread == lastOf(length, begin) ? 1 : 0, running);
    }
  }

  /* Loads and stores are striped, so that a warp accesses neighbouring words; the scan in between
   * is blocked, four neighbours per thread. One place in 33 is left free, so that a warp's threads,
   * four places apart, have no bank conflict; with 8-byte values, two of them do. More padding
   * would not fit together with the block scan's own memory at 1024 threads.
   */
  static void scanThenPropagate(
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
    int begin = block * (ITEMS * threads);
    int length = shape.get(shapeAt + VariantScan.LENGTH_AT);
    int left = length - begin;
    int from = shape.get(shapeAt) + begin;
    int to = shape.get(shapeAt + VariantScan.TO_AT) + begin;
    @Element int[] staged = context.allocateIntLocalArray(padded(ITEMS * threads));
    @Element int v0 = element(values, from, thread, left, identity);
    @Element int v1 = element(values, from, thread + threads, left, identity);
    @Element int v2 = element(values, from, thread + 2 * threads, left, identity);
    @Element int v3 = element(values, from, thread + 3 * threads, left, identity);
    staged[padded(thread)] = v0;
    staged[padded(thread + threads)] = v1;
    staged[padded(thread + 2 * threads)] = v2;
    staged[padded(thread + 3 * threads)] = v3;
    context.localBarrier();
    int first = padded(thread * ITEMS);
    @Element int sum = staged[first];
    for (int c = 1; c < ITEMS; c++) {
      sum = Combine.apply(operator, sum, staged[first + c]);
    }
    @Element int running = BlockScan.exclusive(context, operator, thread, threads, sum, identity);
    for (int c = 0; c < ITEMS; c++) {
      running = Combine.apply(operator, running, staged[first + c]);
      staged[first + c] = running;
    }
    context.localBarrier();
    for (int c = 0; c < ITEMS; c++) {
      int item = c * threads + thread;
      if (item < left) {
        out.set(to + item, staged[padded(item)]);
      }
    }
    if (thread == threads - 1) {
      totals.set(block, running);
    }
    if (last == 1) {
      int lastItem = lastOf(length, begin);
      int isHere = lastItem > -1 & lastItem < ITEMS * threads ? 1 : 0;
      int at = isHere == 1 ? lastItem : 0;
      @Element int total = staged[padded(at)];
      deliver(result, resultAt, isHere & (thread == (at & (threads - 1)) ? 1 : 0), total);
    }
  }

  static void propagate(
      KernelContext context,
      IntArray shape,
      @Element IntArray out,
      @Element IntArray scannedTotals,
      @Element IntArray result,
      int operator,
      @Element int identity,
      int shapeAt,
      int resultAt,
      int threads,
      int tile,
      int last) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int begin = block * tile;
    int length = shape.get(shapeAt + VariantScan.LENGTH_AT);
    int left = Scalars.min(length - begin, tile);
    int to = shape.get(shapeAt + VariantScan.TO_AT) + begin;
    if (block > 0) {
      @Element int before = scannedTotals.get(block - 1);
      for (int item = thread; item < left; item += threads) {
        out.set(to + item, Combine.apply(operator, before, out.get(to + item)));
      }
    }
    if (last == 1) {
      int lastItem = lastOf(length, begin);
      int isHere = lastItem > -1 & lastItem < tile ? 1 : 0;
      int at = isHere == 1 ? lastItem : 0;
      @Element int total = out.get(at < left ? to + at : 0);
      total = at < left ? total : identity;
      deliver(result, resultAt, isHere & (thread == (at & (threads - 1)) ? 1 : 0), total);
    }
  }

  private static int padded(int item) {
    return item + item / 32;
  }

  /** The last element's place in a block, or a missing first one's; outside it otherwise. */
  private static int lastOf(int length, int begin) {
    return Scalars.max(length, 1) - 1 - begin;
  }

  private static @Element int element(
      @Element IntArray values, int from, int ahead, int left, @Element int identity) {
    @Element int value = values.get(ahead < left ? from + ahead : 0);
    return ahead < left ? value : identity;
  }

  private static void deliver(
      @Element IntArray result, int resultAt, int isOwner, @Element int total) {
    if (isOwner == 1) {
      result.set(resultAt, total);
      result.set(resultAt + 1, RunCounter.next(result.get(resultAt + 1)));
    }
  }
}
