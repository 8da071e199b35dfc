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
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import funnel.operator.OperatorCode;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The counting launches of a {@link RadixSortStep} on a device, before keys are moved. */
@Twins({"Byte", "Long"})
final class IntRadixCountKernels {

  /* Counting: a warp per tile. Each thread has a counter of 8 bits for each digit, which its at most
   * 184 keys cannot overflow. Four counters are in an int of local memory: digit d is in byte d / 64
   * of word d % 64. A warp's counters are in 32 banks, whatever the digits. Places before the first
   * key and after the last count as that key, and are subtracted at the end.
   *
   * The counts of a tile are neighbours, and so are its starts: blocks read and write whole rows of
   * 256 ints. Between counting and ranking, each block turns the counts of a chunk of tiles into
   * starts, two threads for each digit. It needs the totals of all chunks, of which the first launch
   * takes the sums. If tiles are few, one launch is enough, whose blocks take 8 digits each of all
   * tiles, 64 threads for each digit: then starts are the numbers of the same digit in the tiles
   * before, and the scatter adds the digits before, from their totals. The first block of the first
   * pass, or an additional one, plans all passes.
   */

  static final int COUNT_THREADS = 32;
  private static final int ROWS = IntRadixKernels.DIGITS / 4;
  private static final int ROUND = 8;

  /** The most chunks of tiles. */
  static final int CHUNKS = 256;

  /** A chunk has a multiple of so many tiles. */
  static final int CHUNK_STEP = 16;

  /**
   * So many tiles need no sums of chunks: they have less than 2^24 keys, of which floats are exact.
   */
  static final int FEW_TILES = 2048;

  /** Digits of a block of {@link #columns}, and its threads for each. */
  private static final int COLUMNS = 8;

  private static final int DIGITS = IntRadixKernels.DIGITS;
  private static final int HALVES = 2;

  static final int START_THREADS = HALVES * DIGITS;
  private static final int COLUMN_THREADS = START_THREADS / COLUMNS;
  static final int COLUMN_BLOCKS = DIGITS / COLUMNS;

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
      @AtLaunch int shapeAt,
      int finds,
      int turned,
      int items,
      int round) {
    int thread = context.localIdx;
    int tile = context.groupIdx;
    int length = shape.get(shapeAt);
    int tiles = shape.get(shapeAt + RadixSortStep.TILES);
    int rounds = shape.get(shapeAt + RadixSortStep.ROUNDS);
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
      @Value int[] differences = context.allocateIntLocalArray(finds == 1 ? COUNT_THREADS : 1);
      int[] digits = new int[round];
      for (int k = 0; k < ROWS; k++) {
        counters[k * COUNT_THREADS + thread] = 0;
      }
      @Value
      int firstKey = IntRadixKernels.key(keysFrom, turned, input, otherKeys, sortedKeys, begin);
      @Value int difference = 0;
      for (int r = 0; r < rounds; r++) {
        int own = r * (round * COUNT_THREADS) + thread;
        int at = begin + first + own;
        if (isFull == 0) {
          for (int k = 0; k < round; k++) {
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
          for (int k = 0; k < round; k++) {
            @Value
            int key = KeyWords.ofInput(Scalars.value(input.get(at + k * COUNT_THREADS)), turned);
            digits[k] = digit(key, shift, mask, flip);
            difference = difference | (finds == 1 ? key ^ firstKey : 0);
          }
        }
        if (isFull == 1 & keysFrom == OTHER) {
          for (int k = 0; k < round; k++) {
            @Value int key = Scalars.value(otherKeys.get(at + k * COUNT_THREADS));
            digits[k] = digit(key, shift, mask, flip);
          }
        }
        if (isFull == 1 & keysFrom == OUTPUT) {
          for (int k = 0; k < round; k++) {
            @Value int key = Scalars.value(sortedKeys.get(at + k * COUNT_THREADS));
            digits[k] = digit(key, shift, mask, flip);
          }
        }
        for (int k = 0; k < round; k++) {
          int d = digits[k];
          int to = (d & (ROWS - 1)) * COUNT_THREADS + thread;
          counters[to] = counters[to] + (1 << ((d >> 3) & 24));
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
      @Value
      int lastKey =
          IntRadixKernels.key(
              keysFrom,
              turned,
              input,
              otherKeys,
              sortedKeys,
              begin + first + Scalars.min(IntRadixKernels.THREADS * items, left) - 1);
      int last = digit(lastKey, shift, mask, flip);
      int tooMany = Scalars.max(IntRadixKernels.THREADS * items - left, 0);
      int earliest = digit(firstKey, shift, mask, flip);
      for (int row = thread; row < ROWS; row += COUNT_THREADS) {
        int even = 0;
        int odd = 0;
        for (int u = 0; u < COUNT_THREADS; u++) {
          int word = counters[row * COUNT_THREADS + ((u + thread) & (COUNT_THREADS - 1))];
          even = even + (word & 0x00ff00ff);
          odd = odd + ((word >> 8) & 0x00ff00ff);
        }
        for (int k = 0; k < 4; k++) {
          int d = row + k * ROWS;
          int count = ((k % 2 == 0 ? even : odd) >> (k / 2 * 16)) & 0xffff;
          int outside = (d == last ? tooMany : 0) + (d == earliest ? lead : 0);
          counts.set(tile * DIGITS + d, count - outside);
        }
      }
    }
  }

  /** Tiles of a chunk. */
  private static int chunk(int tiles) {
    return (tiles + CHUNKS * CHUNK_STEP - 1) / (CHUNKS * CHUNK_STEP) * CHUNK_STEP;
  }

  /** The counts of each chunk. */
  static void sums(
      KernelContext context,
      IntArray shape,
      IntArray steps,
      IntArray counts,
      IntArray totals,
      @AtLaunch int shapeAt,
      int finds) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int tiles = shape.get(shapeAt + RadixSortStep.TILES);
    int isStep = finds == 1 ? 1 : steps.get(RadixSteps.at(steps.get(COUNTED))) == NONE ? 0 : 1;
    int begin = Scalars.min(block * chunk(tiles), tiles);
    int end = isStep == 1 ? Scalars.min(begin + chunk(tiles), tiles) : begin;
    int digit = thread & (DIGITS - 1);
    int[] halves = context.allocateIntLocalArray(START_THREADS);
    int sum = 0;
    for (int at = begin + thread / DIGITS; at < end; at += HALVES * ROUND) {
      for (int k = 0; k < ROUND; k++) {
        int tile = at + k * HALVES;
        int count = counts.get(Scalars.min(tile, end - 1) * DIGITS + digit);
        sum = sum + (tile < end ? count : 0);
      }
    }
    halves[thread] = sum;
    context.localBarrier();
    if (thread < DIGITS & begin < end) {
      totals.set(block * DIGITS + digit, halves[thread] + halves[thread + DIGITS]);
    }
  }

  /** Turns counts into starts, and in the first pass chooses the steps. */
  static void starts(
      KernelContext context,
      IntArray shape,
      @Value IntArray varying,
      IntArray steps,
      IntArray counts,
      IntArray starts,
      IntArray totals,
      @AtLaunch int shapeAt,
      int finds) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int all = shape.get(shapeAt + RadixSortStep.TILES);
    int pass = finds == 1 ? 0 : steps.get(COUNTED);
    int tiles = finds == 1 ? all : steps.get(RadixSteps.at(pass)) == NONE ? 0 : all;
    int chunk = Scalars.max(chunk(tiles), 1);
    int begin = Scalars.min(block * chunk, tiles);
    int end = Scalars.min(begin + chunk, tiles);
    int digit = thread & (DIGITS - 1);
    int half = thread / DIGITS;
    int rows = (tiles + chunk - 1) / chunk;
    int before = 0;
    int sum = 0;
    for (int at = half; at < rows; at += HALVES * ROUND) {
      for (int k = 0; k < ROUND; k++) {
        int row = at + k * HALVES;
        int total = totals.get(Scalars.min(row, rows - 1) * DIGITS + digit);
        sum = sum + (row < rows ? total : 0);
        before = before + (row < Scalars.min(block, rows) ? total : 0);
      }
    }
    int from = Scalars.min(begin + half * (chunk / HALVES), end);
    int until = half == 0 ? Scalars.min(from + chunk / HALVES, end) : end;
    int own = sum(counts, from, until, digit);
    int[] parts = context.allocateIntLocalArray(3 * START_THREADS);
    parts[thread] = before;
    parts[thread + START_THREADS] = sum;
    parts[thread + 2 * START_THREADS] = own;
    context.localBarrier();
    int ofDigit = parts[digit + START_THREADS] + parts[digit + START_THREADS + DIGITS];
    int[] lower = BlockScan.prefixSums(context, thread, START_THREADS, half == 0 ? ofDigit : 0);
    int start = lower[digit] + parts[digit] + parts[digit + DIGITS];
    start = start + (half == 0 ? 0 : parts[digit + 2 * START_THREADS]);
    store(counts, starts, from, until, digit, start);
    if (block == 0) {
      plan(context, shape, varying, steps, shapeAt, finds, pass, all);
    }
  }

  /**
   * As {@link #starts} for few tiles, without sums: a block for each 8 digits turns counts into the
   * numbers of the same digits before, and the last block chooses the steps.
   */
  static void columns(
      KernelContext context,
      IntArray shape,
      @Value IntArray varying,
      IntArray steps,
      IntArray counts,
      IntArray starts,
      IntArray totals,
      @AtLaunch int shapeAt,
      int finds) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int all = shape.get(shapeAt + RadixSortStep.TILES);
    int pass = finds == 1 ? 0 : steps.get(COUNTED);
    int tiles = finds == 1 ? all : steps.get(RadixSteps.at(pass)) == NONE ? 0 : all;
    int digit = Scalars.min(block, COLUMN_BLOCKS - 1) * COLUMNS + thread % COLUMNS;
    int chunk = (tiles + COLUMN_THREADS - 1) / COLUMN_THREADS;
    int from = Scalars.min(thread / COLUMNS * chunk, tiles);
    int until = block == COLUMN_BLOCKS ? from : Scalars.min(from + chunk, tiles);
    int[] sums = context.allocateIntLocalArray(START_THREADS);
    int own = thread % COLUMNS * COLUMN_THREADS + thread / COLUMNS;
    sums[own] = sum(counts, from, until, digit);
    context.localBarrier();
    int[] before = BlockScan.prefixSums(context, thread, START_THREADS, sums[thread]);
    int first = before[own - thread / COLUMNS];
    store(counts, starts, from, until, digit, before[own] - first);
    if (thread / COLUMNS == COLUMN_THREADS - 1 & block < COLUMN_BLOCKS) {
      totals.set(digit, before[own] + sums[own] - first);
    }
    if (block == COLUMN_BLOCKS) {
      plan(context, shape, varying, steps, shapeAt, finds, pass, all);
    }
  }

  private static int sum(IntArray counts, int from, int until, int digit) {
    int sum = 0;
    for (int at = from; at < until; at += ROUND) {
      for (int k = 0; k < ROUND; k++) {
        int count = counts.get(Scalars.min(at + k, until - 1) * DIGITS + digit);
        sum = sum + (at + k < until ? count : 0);
      }
    }
    return sum;
  }

  private static void store(
      IntArray counts, IntArray starts, int from, int until, int digit, int first) {
    int start = first;
    for (int at = from; at < until; at += ROUND) {
      int[] found = new int[ROUND];
      for (int k = 0; k < ROUND; k++) {
        found[k] = counts.get(Scalars.min(at + k, until - 1) * DIGITS + digit);
      }
      for (int k = 0; k < ROUND; k++) {
        if (at + k < until) {
          starts.set((at + k) * DIGITS + digit, start);
        }
        start = start + found[k];
      }
    }
  }

  private static void plan(
      KernelContext context,
      IntArray shape,
      @Value IntArray varying,
      IntArray steps,
      @AtLaunch int shapeAt,
      int finds,
      int pass,
      @AtLaunch int tiles) {
    int thread = context.localIdx;
    if (finds == 1) {
      @Value int difference = 0;
      for (int at = thread; at < tiles; at += ROUND * START_THREADS) {
        for (int k = 0; k < ROUND; k++) {
          difference = difference | varying.get(Scalars.min(at + k * START_THREADS, tiles - 1));
        }
      }
      difference = BlockReduce.reduce(context, OperatorCode.OR, thread, START_THREADS, difference);
      if (thread == 0) {
        RadixSteps.plan(shape, steps, difference, shapeAt);
      }
    }
    if (thread == 0) {
      steps.set(MOVED, pass);
    }
  }
}
