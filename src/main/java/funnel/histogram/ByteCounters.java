package funnel.histogram;

import funnel.kernel.AtLaunch;
import funnel.kernel.KernelTask;
import funnel.kernel.Scalars;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Counts bytes by their value, each thread in its own counters. */
final class ByteCounters {

  /* A thread has 128 words of local memory in its own bank, word `bin / 2`, so that nothing is
   * atomic and all byte values take the same time. A word counts two bins: both bins' bytes in its
   * lower half, the odd bin's in its upper half. The number to add is then the bin's lowest bit,
   * shifted by a constant, plus one. A thread never counts more than 65535 bytes, so that a half
   * cannot wrap and is emptied only once: 2^31 bytes over all threads of the grid are 42,400 each.
   *
   * Shifts, masks and comparisons use a unit that takes half as many operations per cycle as a warp
   * could issue; additions and multiplications use another one. So the one is a variable that no
   * compiler knows: then a single operation joins it to the shifted bit, with the mask, and the
   * rest is a plain addition.
   *
   * Blocks are single warps, twelve per multiprocessor, three for each scheduler. A thirteenth
   * would fit beside its 16 KB, but one scheduler with four warps takes longer than all others with
   * three: 143 us against 128 for 2^28 bytes.
   *
   * Bytes are read eight at a time as longs: otherwise the loads' addresses would take as many
   * operations as counting. The next eight longs are loaded before the last eight are counted. The
   * barrier keeps the compiler from moving the loads after the stores.
   *
   * A block stores its counts as a row, since atomic additions to the same 256 words would take
   * longer.
   *
   * Loads past the end repeat the last whole long instead of checking bounds. The first block
   * subtracts these repetitions and adds the bytes after the last whole long.
   */

  static final int THREADS = 32;

  /** Twelve on each of 132 multiprocessors, and enough for 2^31 bytes. */
  static final int BLOCKS = 1584;

  static final int BINS = 256;

  /** The beginning of a bin's row among the counters: bits of {@code bin * 16}. */
  private static final int ROWS = 0xfe0;

  /** Neighbouring bins that a block sums: a sector of memory. */
  static final int TOGETHER = 8;

  private static final int TOTALS_THREADS = 1024;

  /** The threads that sum rows. */
  static final KernelTask.Grid TOTALS = KernelTask.Grid.of(BINS / TOGETHER, TOTALS_THREADS);

  /** Longs of a thread that are in flight at once. */
  private static final int LOADS = 8;

  /** Longs that a block counts at a time. */
  private static final int TILE = LOADS * THREADS;

  private ByteCounters() {}

  /** Blocks that count a number of bytes. */
  static int blocks(int bytes) {
    return Math.clamp(Math.ceilDiv(bytes / Long.BYTES, TILE), 1, BLOCKS);
  }

  /** Sums the rows that {@link #count} leaves. */
  static void totals(KernelContext context, IntArray rows, IntArray counts, @AtLaunch int blocks) {
    int thread = context.localIdx;
    int bin = bin(context, thread);
    int sum = sum(context, thread, rows, blocks, bin);
    if (thread < TOGETHER) {
      counts.set(bin, sum);
    }
  }

  /** The bin for which a thread of {@link #TOTALS} sums some counts. */
  static int bin(KernelContext context, int thread) {
    return context.groupIdx * TOGETHER + (thread & (TOGETHER - 1));
  }

  /** The sum of a bin's counts, for the first {@link #TOGETHER} threads of a block. */
  static int sum(KernelContext context, int thread, IntArray rows, int blocks, int bin) {
    int[] sums = context.allocateIntLocalArray(TOTALS_THREADS);
    int sum = 0;
    int other = 0;
    int step = TOTALS_THREADS / TOGETHER;
    for (int row = thread / TOGETHER; row < blocks; row += 4 * step) {
      sum = sum + counted(rows, blocks, row, bin) + counted(rows, blocks, row + step, bin);
      other =
          other
              + counted(rows, blocks, row + 2 * step, bin)
              + counted(rows, blocks, row + 3 * step, bin);
    }
    sums[thread] = sum + other;
    context.localBarrier();
    for (int stride = TOTALS_THREADS / 2; stride > TOGETHER - 1; stride = stride / 2) {
      if (thread < stride) {
        sums[thread] = sums[thread] + sums[thread + stride];
      }
      context.localBarrier();
    }
    return sums[thread];
  }

  /** A bin's count in a row, 0 after the last row; loads do not wait for each other. */
  private static int counted(IntArray rows, int blocks, int row, int bin) {
    int count = rows.get(Scalars.min(row, blocks - 1) * BINS + bin);
    return row < blocks ? count : 0;
  }

  /**
   * Counts the bytes of each block's tiles.
   *
   * @param bytes eight per long, from the first long on
   * @param rows receives a row of {@link #BINS} counts of each block
   * @param tallies receives one block's results, see {@link HistogramShape#TALLIES}
   * @param blocks the number of {@link #blocks}
   */
  static void count(
      KernelContext context,
      IntArray shape,
      LongArray bytes,
      IntArray rows,
      IntArray tallies,
      @AtLaunch int shapeAt,
      @AtLaunch int blocks) {
    int t = context.localIdx;
    int block = context.groupIdx;
    int[] counters = context.allocateIntLocalArray(BINS / 2 * THREADS);
    int length = shape.get(shapeAt + HistogramShape.LENGTH);
    int one = Scalars.min(length, 1);
    int longs = length / Long.BYTES;
    int tiles = (longs + TILE - 1) / TILE;
    int last = Scalars.max(longs - 1, 0);
    for (int row = 0; row < BINS / 2; row++) {
      counters[row * THREADS + t] = 0;
    }
    int first = block * TILE + t;
    long x0 = bytes.get(Scalars.min(first, last));
    long x1 = bytes.get(Scalars.min(first + THREADS, last));
    long x2 = bytes.get(Scalars.min(first + 2 * THREADS, last));
    long x3 = bytes.get(Scalars.min(first + 3 * THREADS, last));
    long x4 = bytes.get(Scalars.min(first + 4 * THREADS, last));
    long x5 = bytes.get(Scalars.min(first + 5 * THREADS, last));
    long x6 = bytes.get(Scalars.min(first + 6 * THREADS, last));
    long x7 = bytes.get(Scalars.min(first + 7 * THREADS, last));
    for (int tile = block; tile < tiles; tile += blocks) {
      int at = (tile + blocks) * TILE + t;
      long next0 = bytes.get(Scalars.min(at, last));
      long next1 = bytes.get(Scalars.min(at + THREADS, last));
      long next2 = bytes.get(Scalars.min(at + 2 * THREADS, last));
      long next3 = bytes.get(Scalars.min(at + 3 * THREADS, last));
      long next4 = bytes.get(Scalars.min(at + 4 * THREADS, last));
      long next5 = bytes.get(Scalars.min(at + 5 * THREADS, last));
      long next6 = bytes.get(Scalars.min(at + 6 * THREADS, last));
      long next7 = bytes.get(Scalars.min(at + 7 * THREADS, last));
      context.localBarrier();
      for (int k = 0; k < LOADS; k++) {
        long x =
            k == 0
                ? x0
                : k == 1
                    ? x1
                    : k == 2 ? x2 : k == 3 ? x3 : k == 4 ? x4 : k == 5 ? x5 : k == 6 ? x6 : x7;
        int low = (int) x;
        int high = (int) (x >> 32);
        int a = ((low << 4) & ROWS) | t;
        counters[a] = counters[a] + (((low << 16) & 1 << 16) | one);
        int b = ((low >> 4) & ROWS) | t;
        counters[b] = counters[b] + (((low << 8) & 1 << 16) | one);
        int c = ((low >> 12) & ROWS) | t;
        counters[c] = counters[c] + ((low & 1 << 16) | one);
        int d = ((low >> 20) & ROWS) | t;
        counters[d] = counters[d] + ((((low >> 20) << 12) & 1 << 16) | one);
        int e = ((high << 4) & ROWS) | t;
        counters[e] = counters[e] + (((high << 16) & 1 << 16) | one);
        int f = ((high >> 4) & ROWS) | t;
        counters[f] = counters[f] + (((high << 8) & 1 << 16) | one);
        int g = ((high >> 12) & ROWS) | t;
        counters[g] = counters[g] + ((high & 1 << 16) | one);
        int h = ((high >> 20) & ROWS) | t;
        counters[h] = counters[h] + ((((high >> 20) << 12) & 1 << 16) | one);
      }
      x0 = next0;
      x1 = next1;
      x2 = next2;
      x3 = next3;
      x4 = next4;
      x5 = next5;
      x6 = next6;
      x7 = next7;
    }
    context.localBarrier();
    long whole = bytes.get(last);
    long behind = bytes.get(Scalars.min(longs, bytes.getSize() - 1));
    int isFirst = block == 0 ? 1 : 0;
    int repeated = tiles * TILE - longs;
    int rest = length - longs * Long.BYTES;
    for (int turn = 0; turn < BINS / 2 / THREADS; turn++) {
      int row = turn * THREADS + t;
      int both = 0;
      int odd = 0;
      for (int i = 0; i < THREADS; i++) {
        int word = counters[row * THREADS + ((i + t) & (THREADS - 1))];
        both += word & 0xffff;
        odd += (word >> 16) & 0xffff;
      }
      for (int i = 0; i < Long.BYTES * isFirst; i++) {
        int value = (int) (whole >> (8 * i)) & 0xff;
        int other = (int) (behind >> (8 * i)) & 0xff;
        int more = i < rest ? 1 : 0;
        both += (other / 2 == row ? more : 0) - (value / 2 == row ? repeated : 0);
        odd += (other == 2 * row + 1 ? more : 0) - (value == 2 * row + 1 ? repeated : 0);
      }
      if (both > -1 | both < 0) {
        rows.set(block * BINS + 2 * row, both - odd);
        rows.set(block * BINS + 2 * row + 1, odd);
      }
    }
    if (isFirst == 1 & t < HistogramShape.TALLIES) {
      tallies.set(t, t == HistogramShape.WRONG ? Integer.MAX_VALUE : 0);
    }
  }
}
