package funnel.sort;

import static funnel.sort.RadixSteps.COUNTED;
import static funnel.sort.RadixSteps.FLIP;
import static funnel.sort.RadixSteps.INPUT;
import static funnel.sort.RadixSteps.MASK;
import static funnel.sort.RadixSteps.MOVED;
import static funnel.sort.RadixSteps.NONE;
import static funnel.sort.RadixSteps.OTHER;
import static funnel.sort.RadixSteps.OUTPUT;
import static funnel.sort.RadixSteps.SHIFT;

import funnel.block.BlockReduce;
import funnel.block.BlockScan;
import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.kernel.Scalars;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The counting launches of a {@link RadixSortStep} on a device, before keys are moved. */
@Twins({"Byte", "Long"})
final class IntRadixCountKernels {

  /* Counting: 64 threads per tile. Each has a counter of 8 bits for each digit, which its 64 keys
   * cannot overflow. Four counters are in an int of local memory: digit d is in byte d / 32 of word
   * d % 32. A warp's counters are in 32 banks, whatever the digits. Places before the first key and
   * after the last count as that key, and are subtracted at the end.
   *
   * Between counting and ranking, up to 16 blocks per digit turn counts of tiles into starts. Each
   * block first sums its digit's counts before its own chunk of tiles; these come from the
   * second-level cache, and another launch would cost more.
   */

  static final int COUNT_THREADS = 64;
  private static final int ROWS = IntRadixKernels.DIGITS / 4;
  private static final int ROUND = IntRadixKernels.ROUND;

  /** Tiles for which a block scans counts together. */
  static final int CHUNK_STEP = 1024;

  static final int START_THREADS = 256;

  /** Counts that a thread turns into starts in one step. */
  static final int STARTS = CHUNK_STEP / START_THREADS;

  static final int WARP = 32;

  private IntRadixCountKernels() {}

  private static int digit(@Value int key, int shift, int mask, int flip) {
    return KeyWords.low((key >> shift) & mask) ^ flip;
  }

  static void count(
      KernelContext context,
      IntArray shape,
      @Element IntArray input,
      @Element IntArray otherKeys,
      @Element IntArray sortedKeys,
      IntArray steps,
      IntArray counts,
      @Value IntArray varying,
      int shapeAt,
      int finds,
      int turned,
      int items) {
    int thread = context.localIdx;
    int tile = context.groupIdx;
    int length = shape.get(shapeAt);
    int tiles = shape.get(shapeAt + RadixSortStep.TILES);
    int rounds = 2 * shape.get(shapeAt + RadixSortStep.ROUNDS);
    int step = finds == 1 ? 0 : RadixSteps.at(steps.get(COUNTED));
    int keysFrom = finds == 1 ? INPUT : steps.get(step);
    if (tile < tiles & keysFrom != NONE) {
      int bit = shape.get(shapeAt + RadixSortStep.FROM_BIT);
      int width = shape.get(shapeAt + RadixSortStep.FIRST_BITS);
      int shift = finds == 1 ? bit : steps.get(step + SHIFT);
      int mask = finds == 1 ? (1 << width) - 1 : steps.get(step + MASK);
      int flip = finds == 1 ? RadixSteps.flip(shape, shapeAt, bit, width) : steps.get(step + FLIP);
      int begin = IntRadixKernels.offset(shape, shapeAt + RadixSortStep.IN_INPUT, keysFrom);
      int first =
          tile * (IntRadixKernels.THREADS * items) - shape.get(shapeAt + RadixSortStep.LEAD);
      int left = length - first;
      int lead = Scalars.max(0 - first, 0);
      int isFull = left >= IntRadixKernels.THREADS * items & lead == 0 ? 1 : 0;
      int[] counters = context.allocateIntLocalArray(ROWS * COUNT_THREADS);
      int[] sums = context.allocateIntLocalArray(2 * COUNT_THREADS);
      @Value int[] differences = context.allocateIntLocalArray(finds == 1 ? COUNT_THREADS : 1);
      int[] digits = new int[ROUND];
      for (int k = 0; k < ROWS; k++) {
        counters[k * COUNT_THREADS + thread] = 0;
      }
      @Value
      int firstKey = IntRadixKernels.key(keysFrom, turned, input, otherKeys, sortedKeys, begin);
      @Value int difference = 0;
      for (int r = 0; r < rounds; r++) {
        int own = r * (ROUND * COUNT_THREADS) + thread;
        int at = begin + first + own;
        if (isFull == 0) {
          for (int k = 0; k < ROUND; k++) {
            int inside = Scalars.max(Scalars.min(own + k * COUNT_THREADS, left - 1), lead);
            @Value
            int key =
                IntRadixKernels.key(
                    keysFrom, turned, input, otherKeys, sortedKeys, begin + first + inside);
            digits[k] = digit(key, shift, mask, flip);
            difference = difference | (finds == 1 ? key ^ firstKey : 0);
          }
        }
        if (isFull == 1 & keysFrom == INPUT) {
          for (int k = 0; k < ROUND; k++) {
            @Value
            int key = KeyWords.ofInput(Scalars.value(input.get(at + k * COUNT_THREADS)), turned);
            digits[k] = digit(key, shift, mask, flip);
            difference = difference | (finds == 1 ? key ^ firstKey : 0);
          }
        }
        if (isFull == 1 & keysFrom == OTHER) {
          for (int k = 0; k < ROUND; k++) {
            @Value int key = Scalars.value(otherKeys.get(at + k * COUNT_THREADS));
            digits[k] = digit(key, shift, mask, flip);
          }
        }
        if (isFull == 1 & keysFrom == OUTPUT) {
          for (int k = 0; k < ROUND; k++) {
            @Value int key = Scalars.value(sortedKeys.get(at + k * COUNT_THREADS));
            digits[k] = digit(key, shift, mask, flip);
          }
        }
        for (int k = 0; k < ROUND; k++) {
          int d = digits[k];
          int to = (d & (ROWS - 1)) * COUNT_THREADS + thread;
          counters[to] = counters[to] + (1 << ((d >> 2) & 24));
        }
      }
      if (finds == 1) {
        differences[thread] = difference;
      }
      context.localBarrier();
      if (finds == 1 & thread == 0) {
        for (int k = 1; k < COUNT_THREADS; k++) {
          difference = difference | differences[k];
        }
        varying.set(tile, difference);
      }
      int row = thread / 2;
      int half = thread & 1;
      int turn = thread & 31;
      int even = 0;
      int odd = 0;
      for (int u = 0; u < WARP; u++) {
        int word = counters[row * COUNT_THREADS + half * WARP + ((u + turn) & 31)];
        even = even + (word & 0x00ff00ff);
        odd = odd + ((word >> 8) & 0x00ff00ff);
      }
      sums[thread] = even;
      sums[COUNT_THREADS + thread] = odd;
      context.localBarrier();
      int inByte = thread / ROWS;
      int at = inByte * COUNT_THREADS + 2 * (thread & (ROWS - 1));
      int sum = sums[at] + sums[at + 1];
      @Value
      int lastKey =
          IntRadixKernels.key(
              keysFrom,
              turned,
              input,
              otherKeys,
              sortedKeys,
              begin + first + Scalars.min(IntRadixKernels.THREADS * items, left) - 1);
      int d = digit(lastKey, shift, mask, flip);
      int tooMany = Scalars.max(IntRadixKernels.THREADS * items - left, 0);
      int f = digit(firstKey, shift, mask, flip);
      int upper = thread + COUNT_THREADS;
      int lower = (sum & 0xffff) - (d == thread ? tooMany : 0) - (f == thread ? lead : 0);
      int higher = ((sum >> 16) & 0xffff) - (d == upper ? tooMany : 0) - (f == upper ? lead : 0);
      counts.set(thread * tiles + tile, lower);
      counts.set(upper * tiles + tile, higher);
    }
  }

  /** Chooses the steps, from the bits that vary in any tile. */
  static void plan(
      KernelContext context, IntArray shape, @Value IntArray varying, IntArray steps, int shapeAt) {
    int thread = context.localIdx;
    int tiles = shape.get(shapeAt + RadixSortStep.TILES);
    @Value int[] differences = context.allocateIntLocalArray(START_THREADS);
    @Value int difference = 0;
    for (int at = thread; at < tiles; at += ROUND * START_THREADS) {
      for (int k = 0; k < ROUND; k++) {
        difference = difference | varying.get(Scalars.min(at + k * START_THREADS, tiles - 1));
      }
    }
    differences[thread] = difference;
    context.localBarrier();
    if (thread == 0) {
      for (int k = 1; k < START_THREADS; k++) {
        difference = difference | differences[k];
      }
      RadixSteps.plan(shape, steps, difference, shapeAt);
    }
  }

  static void starts(
      KernelContext context,
      IntArray shape,
      IntArray steps,
      IntArray counts,
      IntArray starts,
      IntArray totals,
      int shapeAt,
      int chunks,
      int threads) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int pass = steps.get(COUNTED);
    int tiles =
        steps.get(RadixSteps.at(pass)) == NONE ? 0 : shape.get(shapeAt + RadixSortStep.TILES);
    int chunk = shape.get(shapeAt + RadixSortStep.CHUNK);
    int digit = block / chunks;
    int row = digit * tiles;
    int begin = Scalars.min(block % chunks * chunk, tiles);
    int end = Scalars.min(begin + chunk, tiles);
    int sum = 0;
    for (int at = thread; at < begin; at += ROUND * threads) {
      for (int k = 0; k < ROUND; k++) {
        int tile = at + k * threads;
        int count = counts.get(row + Scalars.min(tile, begin - 1));
        sum = sum + (tile < begin ? count : 0);
      }
    }
    int running = BlockReduce.sum(context, thread, threads, sum);
    for (int at = begin; at < end; at += STARTS * threads) {
      int tile = at + thread * STARTS;
      int c0 = counts.get(row + Scalars.min(tile, end - 1));
      int c1 = counts.get(row + Scalars.min(tile + 1, end - 1));
      int c2 = counts.get(row + Scalars.min(tile + 2, end - 1));
      int c3 = counts.get(row + Scalars.min(tile + 3, end - 1));
      c0 = tile < end ? c0 : 0;
      c1 = tile + 1 < end ? c1 : 0;
      c2 = tile + 2 < end ? c2 : 0;
      c3 = tile + 3 < end ? c3 : 0;
      int[] prefixes = BlockScan.prefixSums(context, thread, threads, c0 + c1 + c2 + c3);
      int start = running + prefixes[thread];
      if (tile < end) {
        starts.set(row + tile, start);
      }
      if (tile + 1 < end) {
        starts.set(row + tile + 1, start + c0);
      }
      if (tile + 2 < end) {
        starts.set(row + tile + 2, start + c0 + c1);
      }
      if (tile + 3 < end) {
        starts.set(row + tile + 3, start + c0 + c1 + c2);
      }
      running = running + prefixes[threads + thread / threads];
      context.localBarrier();
    }
    if (thread == 0 & block % chunks == chunks - 1) {
      totals.set(digit, running);
    }
    if (thread == 0 & block == 0) {
      steps.set(MOVED, pass);
    }
  }
}
