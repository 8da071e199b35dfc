package funnel.histogram;

import funnel.block.BlockReduce;
import funnel.block.BlockScan;
import funnel.kernel.Scalars;
import funnel.operation.LengthRule;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of one pass of a {@link KeySort}. */
final class KeySortKernels {

  /* A tile is 4096 keys; the first one begins LEAD places before key 0, so that warps load whole
   * lines in spite of TornadoVM's header. Places outside of the input are read somewhere inside and
   * counted as 0 keys.
   *
   * Counting: 64 threads a tile. Each has a counter of 8 bits for each digit, which its 64 keys
   * cannot overflow, four of them in an int of local memory: digit d is in byte d / 16 of word
   * d % 16. A warp's counters are in 32 banks, whatever the digits.
   *
   * Ranking: 256 threads of 16 keys. Keys are loaded coalesced and go through local memory to the
   * threads that rank them, 16 consecutive ones each, as equal keys have to stay in order. A thread
   * has a counter of 8 bits for each digit, again four in an int. A key's rank has three parts: keys
   * of lower digits, or of its digit in groups of 16 threads before; those of its digit in threads
   * before it in its group; and those that its own thread has seen. A thread first counts its keys.
   * Then each thread scans the counters of a word in a group, which come to 240 at most; the groups'
   * totals, in the order (digit, group), are scanned by all threads; and a thread goes through its
   * keys once more, counting on. Its counter may reach 256 with its very last key, and spill over
   * into one that is no longer needed.
   *
   * Keys are written to their ranks in local memory, and from there, now in the order of their
   * digits, to global memory: neighbours go to neighbouring places in runs of one digit. Positions
   * take the same way after them, and are not loaded before.
   *
   * Whatever threads hand on lies in local memory, not in registers, since ptx keeps arrays of a
   * thread's own in global memory here; it is all that 48 KB hold. Ranked keys lie where counters
   * were, ranked positions where the keys were before. What is written in one arrangement and read in
   * the other has pitches by which a warp meets 32 banks in both.
   *
   * Digits of keys outside of the limit are as masked as any other: whatever the keys, each one has
   * a place of its own in the output.
   *
   * Between counting and ranking, up to 16 blocks a digit turn counts of tiles into starts. Each one
   * sums its digit's counts before its own chunk of tiles first. So counts are summed several times;
   * but they are 1/64 of the keys and come from the second-level cache, and another launch costs more.
   */

  /** Bits of a digit. */
  static final int BITS = 6;

  /** Digits. */
  static final int DIGITS = 1 << BITS;

  /** Keys of a tile. */
  static final int TILE = 4096;

  /** Rounds of eight keys in which a tile is counted. */
  static final int ROUNDS = 8;

  /** Tiles whose counts a block scans together. */
  static final int CHUNK_STEP = 1024;

  /** No positions go with the keys. */
  static final int NONE = 0;

  /** Positions are written, and are where the keys are now. */
  static final int NUMBERED = 1;

  /** Positions are read and written. */
  static final int MOVED = 2;

  private static final int LEAD = 4;
  private static final int MOST_CHUNKS = 16;

  static final int COUNT_THREADS = 64;
  private static final int COUNT_WORDS = DIGITS / 4;
  private static final int ROUND = 8;

  static final int THREADS = 256;
  private static final int ITEMS = TILE / THREADS;
  private static final int WARP = 32;

  /** Counts of which a thread makes starts in a step. */
  private static final int STARTS = CHUNK_STEP / THREADS;

  private static final int WORDS = DIGITS / 4;
  private static final int GROUP = 16;

  /** Places of the threads' words of counters: a group's next to each other, and one free. */
  private static final int COUNTER_PITCH = THREADS + THREADS / GROUP;

  /** Places of the threads' n-th keys. */
  private static final int KEY_PITCH = THREADS + 2;

  /** Places of the threads' n-th pairs of ranks. */
  private static final int RANK_PITCH = THREADS + 4;

  /** Totals, by digit and group. */
  private static final int TOTALS = DIGITS * THREADS / GROUP;

  private static final int IN_OUTPUT = 4;

  private KeySortKernels() {}

  /** Tiles over keys, none if there are none. */
  static LengthRule tiles() {
    return LengthRule.parts(TILE).beginning(LEAD);
  }

  /** Threads of a block that makes starts of counts: a warp where a warp can do it in one step. */
  static int startThreads(int mostTiles) {
    return mostTiles <= STARTS * WARP ? WARP : THREADS;
  }

  /** Chunks that so many tiles are cut into at most. */
  static int chunks(int mostTiles) {
    return Math.clamp(Math.ceilDiv(mostTiles, CHUNK_STEP), 1, MOST_CHUNKS);
  }

  /** Tiles of a chunk of the tiles over keys, which are cut into so many at most. */
  static LengthRule chunk(int chunks) {
    return LengthRule.parts(TILE * CHUNK_STEP * chunks)
        .beginning(LEAD)
        .within(1, Integer.MAX_VALUE)
        .times(CHUNK_STEP);
  }

  static void count(
      KernelContext context,
      IntArray shape,
      IntArray keys,
      IntArray counts,
      int shapeAt,
      int shift,
      int mask,
      int fromAt) {
    int thread = context.localIdx;
    int tile = context.groupIdx;
    int length = shape.get(shapeAt);
    int tiles = shape.get(shapeAt + 1);
    int rounds = shape.get(shapeAt + 2);
    int from = shape.get(shapeAt + fromAt);
    if (tile < tiles) {
      int first = tile * TILE - LEAD;
      int left = length - first;
      int before = Scalars.max(-first, 0);
      int[] counters = context.allocateIntLocalArray(COUNT_WORDS * COUNT_THREADS);
      int[] sums = context.allocateIntLocalArray(2 * COUNT_THREADS);
      int[] loaded = new int[ROUND];
      for (int k = 0; k < COUNT_WORDS; k++) {
        counters[k * COUNT_THREADS + thread] = 0;
      }
      for (int r = 0; r < rounds; r++) {
        int own = r * (ROUND * COUNT_THREADS) + thread;
        for (int k = 0; k < ROUND; k++) {
          int item = own + k * COUNT_THREADS;
          loaded[k] = keys.get(from + first + Scalars.max(Scalars.min(item, left - 1), before));
        }
        for (int k = 0; k < ROUND; k++) {
          int item = own + k * COUNT_THREADS;
          int isInside = item < left & item >= before ? 1 : 0;
          int d = (loaded[k] >> shift) & mask;
          int at = (d & 15) * COUNT_THREADS + thread;
          counters[at] = counters[at] + (isInside << ((d >> 1) & 24));
        }
      }
      context.localBarrier();
      int row = thread / 4;
      int quarter = thread & 3;
      int turn = (row & 7) + 8 * (quarter / 2);
      int even = 0;
      int odd = 0;
      for (int u = 0; u < 16; u++) {
        int word = counters[row * COUNT_THREADS + quarter * 16 + ((u + turn) & 15)];
        even = even + (word & 0x00ff00ff);
        odd = odd + ((word >> 8) & 0x00ff00ff);
      }
      sums[thread] = even;
      sums[COUNT_THREADS + thread] = odd;
      context.localBarrier();
      int inByte = thread / 16;
      int at = (inByte & 1) * COUNT_THREADS + (thread & 15) * 4;
      int sum = sums[at] + sums[at + 1] + sums[at + 2] + sums[at + 3];
      counts.set(thread * tiles + tile, (sum >> ((inByte & 2) * 8)) & 0xffff);
    }
  }

  static void starts(
      KernelContext context,
      IntArray shape,
      IntArray counts,
      IntArray starts,
      IntArray totals,
      int shapeAt,
      int chunks,
      int threads) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int tiles = shape.get(shapeAt + 1);
    int chunk = shape.get(shapeAt + 7);
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
  }

  static void scatter(
      KernelContext context,
      IntArray shape,
      IntArray keys,
      IntArray positions,
      IntArray starts,
      IntArray totals,
      IntArray sortedKeys,
      IntArray sortedPositions,
      int shapeAt,
      int shift,
      int mask,
      int fromAt,
      int payload,
      int toAt) {
    int thread = context.localIdx;
    int tile = context.groupIdx;
    int length = shape.get(shapeAt);
    int tiles = shape.get(shapeAt + 1);
    int from = shape.get(shapeAt + fromAt);
    int to = shape.get(shapeAt + toAt);
    int rounds = shape.get(shapeAt + 2) / 4;
    if (tile < tiles) {
      int first = tile * TILE - LEAD;
      int left = length - first;
      int before = Scalars.max(-first, 0);
      int total = totals.get(thread & (DIGITS - 1));
      int start = starts.get((thread & (DIGITS - 1)) * tiles + tile);
      int[] counters = context.allocateIntLocalArray(WORDS * COUNTER_PITCH);
      int[] items = context.allocateIntLocalArray(ITEMS * KEY_PITCH);
      int[] ranks = context.allocateIntLocalArray(ITEMS / 2 * RANK_PITCH);
      int[] groups = context.allocateIntLocalArray(TOTALS + TOTALS / 32);
      int[] offsets = context.allocateIntLocalArray(DIGITS);
      int[] loaded = new int[ROUND];
      int column = thread + thread / GROUP;
      for (int k = 0; k < WORDS; k++) {
        counters[k * COUNTER_PITCH + column] = 0;
      }
      for (int r = 0; r < rounds; r++) {
        int own = r * (ROUND * THREADS) + thread;
        for (int k = 0; k < ROUND; k++) {
          int item = own + k * THREADS;
          loaded[k] = keys.get(from + first + Scalars.max(Scalars.min(item, left - 1), before));
        }
        for (int k = 0; k < ROUND; k++) {
          int item = own + k * THREADS;
          items[(item & (ITEMS - 1)) * KEY_PITCH + item / ITEMS] = loaded[k];
        }
      }
      context.localBarrier();
      for (int k = 0; k < ITEMS; k++) {
        int item = thread * ITEMS + k;
        int isInside = item < left & item >= before ? 1 : 0;
        int d = (items[k * KEY_PITCH + thread] >> shift) & mask;
        int at = (d & (WORDS - 1)) * COUNTER_PITCH + column;
        counters[at] = counters[at] + (isInside << ((d >> 1) & 24));
      }
      context.localBarrier();
      int scanned = thread * (GROUP + 1);
      int running = 0;
      for (int k = 0; k < GROUP - 1; k++) {
        int word = counters[scanned + k];
        counters[scanned + k] = running;
        running = running + word;
      }
      int last = counters[scanned + GROUP - 1];
      counters[scanned + GROUP - 1] = running;
      int even = (running & 0x00ff00ff) + (last & 0x00ff00ff);
      int odd = ((running >> 8) & 0x00ff00ff) + ((last >> 8) & 0x00ff00ff);
      int totalAt = thread + thread / 32;
      int quarter = THREADS + THREADS / 32;
      groups[totalAt] = even & 0xffff;
      groups[totalAt + quarter] = odd & 0xffff;
      groups[totalAt + 2 * quarter] = (even >> 16) & 0xffff;
      groups[totalAt + 3 * quarter] = (odd >> 16) & 0xffff;
      context.localBarrier();
      int fourAt = 4 * thread + thread / 8;
      int t0 = groups[fourAt];
      int t1 = groups[fourAt + 1];
      int t2 = groups[fourAt + 2];
      int t3 = groups[fourAt + 3];
      int lower = BlockScan.exclusiveSum(context, thread, THREADS, t0 + t1 + t2 + t3);
      groups[fourAt] = lower;
      groups[fourAt + 1] = lower + t0;
      groups[fourAt + 2] = lower + t0 + t1;
      groups[fourAt + 3] = lower + t0 + t1 + t2;
      int digitStart =
          BlockScan.exclusiveSum(context, thread, THREADS, thread < DIGITS ? total : 0);
      if (thread < DIGITS) {
        offsets[thread] = digitStart + start - groups[thread * GROUP + thread / 2];
      }
      for (int pair = 0; pair < ITEMS / 2; pair++) {
        int both = 0;
        for (int k = 0; k < 2; k++) {
          int item = thread * ITEMS + 2 * pair + k;
          int isInside = item < left & item >= before ? 1 : 0;
          int d = (items[(2 * pair + k) * KEY_PITCH + thread] >> shift) & mask;
          int at = (d & (WORDS - 1)) * COUNTER_PITCH + column;
          int byteAt = (d >> 1) & 24;
          int word = counters[at];
          counters[at] = word + (isInside << byteAt);
          int rank = groups[d * GROUP + d / 2 + thread / GROUP] + ((word >> byteAt) & 0xff);
          both = both | ((rank & 0xffff) << (16 * k));
        }
        ranks[pair * RANK_PITCH + thread] = both;
      }
      context.localBarrier();
      for (int k = 0; k < ITEMS; k++) {
        int item = thread * ITEMS + k;
        int rank = (ranks[k / 2 * RANK_PITCH + thread] >> (k % 2 * 16)) & 0xffff;
        int key = items[k * KEY_PITCH + thread];
        if (item < left & item >= before) {
          counters[rank] = key;
        }
      }
      if (payload != NONE) {
        context.localBarrier();
        int fromPositions = fromAt == IN_OUTPUT ? shape.get(shapeAt + 6) : 0;
        for (int r = 0; r < rounds; r++) {
          int own = r * (ROUND * THREADS) + thread;
          for (int k = 0; k < ROUND; k++) {
            int item = own + k * THREADS;
            loaded[k] = first + item;
            if (payload == MOVED) {
              int at = first + Scalars.max(Scalars.min(item, left - 1), before);
              loaded[k] = positions.get(fromPositions + at);
            }
          }
          for (int k = 0; k < ROUND; k++) {
            int item = own + k * THREADS;
            int pair = (item & (ITEMS - 1)) / 2;
            int both = ranks[pair * RANK_PITCH + item / ITEMS];
            int rank = (both >> ((item & 1) * 16)) & 0xffff;
            if (item < left & item >= before) {
              items[rank] = loaded[k];
            }
          }
        }
      }
      context.localBarrier();
      int count = Scalars.min(left, TILE) - before;
      int toPositions = toAt == IN_OUTPUT ? shape.get(shapeAt + 6) : 0;
      for (int k = 0; k < ITEMS; k++) {
        int rank = k * THREADS + thread;
        if (rank < count) {
          int key = counters[rank];
          int at = offsets[(key >> shift) & mask] + rank;
          sortedKeys.set(to + at, key);
          if (payload != NONE) {
            sortedPositions.set(toPositions + at, items[rank]);
          }
        }
      }
    }
  }
}
