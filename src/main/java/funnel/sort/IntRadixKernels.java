package funnel.sort;

import funnel.block.BlockReduce;
import funnel.block.BlockScan;
import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.kernel.Scalars;
import funnel.operation.LengthRule;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of one pass of a {@link RadixSort}. */
@Twins({"Byte", "Long"})
final class IntRadixKernels {

  /* A tile is 128 threads' items: 32 of bytes and ints alone, 16 of longs or with positions. Places
   * after the last key are read somewhere inside, and count as keys of the highest digit: they get
   * the last ranks of the tile, and are not stored.
   *
   * Counting: 64 threads a tile. Each has a counter of 8 bits for each digit, which its 64 keys
   * cannot overflow, four of them in an int of local memory: digit d is in byte d / 32 of word
   * d % 32. A warp's counters are in 32 banks, whatever the digits.
   *
   * Ranking. Digits alone are ranked. They are loaded coalesced and go through local memory to the
   * threads that rank them, consecutive ones each, as equal keys have to stay in order. A key's rank
   * has three parts: keys of lower digits, or of its digit in groups of threads before; those of its
   * digit in threads before it in its group; and those that its own thread has counted before it,
   * which are kept next to the digit. Each thread scans the counters of a word in a group, which come
   * to 240 at most; the groups' totals are scanned by a thread for each digit.
   *
   * Then the keys are loaded once more, from the cache, and put where their ranks are in local
   * memory; from there, now in the order of their digits, neighbours go to neighbouring places in
   * runs of one digit. Keys of 32 items lie where the counters were. Positions do, where there are
   * any, and keys then have an array of their own, as longs have.
   *
   * Whatever threads hand on lies in local memory, not in registers, since ptx keeps arrays of a
   * thread's own in global memory. Columns of counters are permuted so that the threads of a warp
   * that scan different groups, from words on that differ by four with their rows, meet 32 banks.
   * The number of rounds comes from the shape array: loops of known length would be unrolled.
   *
   * In a single tile ranks are places, and nothing is counted before.
   *
   * All of it is one method, since a local array cannot go to another.
   *
   * Between counting and ranking, up to 16 blocks a digit turn counts of tiles into starts. Each one
   * sums its digit's counts before its own chunk of tiles first; they come from the second-level
   * cache, and another launch costs more.
   */

  /** Bits of a digit. */
  static final int BITS = 7;

  /** Digits. */
  static final int DIGITS = 1 << BITS;

  static final int THREADS = 128;

  /** Items of a thread where keys are narrow and alone, and where not. */
  static final int MANY = 32;

  static final int FEW = 16;

  /** Items in which rounds are counted. */
  static final int ROUND = 8;

  /** No positions go with the keys. */
  static final int NONE = 0;

  /** Positions are written, and are where the keys are now. */
  static final int NUMBERED = 1;

  /** Positions are read and written. */
  static final int MOVED = 2;

  /** Added where keys are not written. */
  static final int WITHOUT_KEYS = 4;

  static final int COUNT_THREADS = 64;
  private static final int ROWS = DIGITS / 4;

  /** Tiles whose counts a block scans together. */
  static final int CHUNK_STEP = 1024;

  private static final int MOST_CHUNKS = 16;
  private static final int START_THREADS = 256;

  /** Counts of which a thread makes starts in a step. */
  private static final int STARTS = CHUNK_STEP / START_THREADS;

  private static final int WARP = 32;

  /** Places of the threads' n-th items. */
  private static final int PITCH = THREADS + 1;

  private IntRadixKernels() {}

  /** Tiles over keys, none if there are none. */
  static LengthRule tiles(int items) {
    return LengthRule.parts(THREADS * items);
  }

  /** Threads of a block that makes starts of counts: a warp where a warp can do it in one step. */
  static int startThreads(int mostTiles) {
    return mostTiles <= STARTS * WARP ? WARP : START_THREADS;
  }

  /** Chunks that so many tiles are cut into at most. */
  static int chunks(int mostTiles) {
    return Math.clamp(Math.ceilDiv(mostTiles, CHUNK_STEP), 1, MOST_CHUNKS);
  }

  /** Tiles of a chunk of the tiles over keys, which are cut into so many at most. */
  static LengthRule chunk(int items, int chunks) {
    return LengthRule.parts(THREADS * items * CHUNK_STEP * chunks)
        .within(1, Integer.MAX_VALUE)
        .times(CHUNK_STEP);
  }

  static void count(
      KernelContext context,
      IntArray shape,
      @Element IntArray keys,
      IntArray counts,
      int shapeAt,
      int shift,
      int mask,
      int flip,
      int fromAt,
      int items) {
    int thread = context.localIdx;
    int tile = context.groupIdx;
    int length = shape.get(shapeAt);
    int tiles = shape.get(shapeAt + 1);
    int rounds = 2 * shape.get(shapeAt + 2);
    int from = shape.get(shapeAt + fromAt);
    if (tile < tiles) {
      int first = tile * (THREADS * items);
      int left = length - first;
      int[] counters = context.allocateIntLocalArray(ROWS * COUNT_THREADS);
      int[] sums = context.allocateIntLocalArray(2 * COUNT_THREADS);
      int[] loaded = new int[ROUND];
      for (int k = 0; k < ROWS; k++) {
        counters[k * COUNT_THREADS + thread] = 0;
      }
      for (int r = 0; r < rounds; r++) {
        int own = r * (ROUND * COUNT_THREADS) + thread;
        for (int k = 0; k < ROUND; k++) {
          int item = own + k * COUNT_THREADS;
          @Value int key = Scalars.value(keys.get(from + first + Scalars.min(item, left - 1)));
          loaded[k] = KeyWords.low((key >> shift) & mask) ^ flip;
        }
        for (int k = 0; k < ROUND; k++) {
          int item = own + k * COUNT_THREADS;
          int isInside = item < left ? 1 : 0;
          int d = loaded[k];
          int at = (d & (ROWS - 1)) * COUNT_THREADS + thread;
          counters[at] = counters[at] + (isInside << ((d >> 2) & 24));
        }
      }
      context.localBarrier();
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
      counts.set(thread * tiles + tile, sum & 0xffff);
      counts.set((thread + COUNT_THREADS) * tiles + tile, (sum >> 16) & 0xffff);
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
    int chunk = shape.get(shapeAt + RadixSort.CHUNK);
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
      @Element IntArray keys,
      IntArray positions,
      IntArray starts,
      IntArray totals,
      @Element IntArray sortedKeys,
      IntArray sortedPositions,
      IntArray done,
      int shapeAt,
      int doneAt,
      int shift,
      int mask,
      int flip,
      int fromAt,
      int toAt,
      int payload,
      int items,
      int single,
      int last) {
    int thread = context.localIdx;
    int tile = context.groupIdx;
    int length = shape.get(shapeAt);
    int tiles = shape.get(shapeAt + 1);
    int rounds = shape.get(shapeAt + 2);
    if (tile < tiles) {
      int first = tile * (THREADS * items);
      int left = length - first;
      int from = shape.get(shapeAt + fromAt) + first;
      int total = 0;
      int start = 0;
      if (single == 0) {
        total = totals.get(thread);
        start = starts.get(thread * tiles + tile);
      }
      int[] places = context.allocateIntLocalArray(items * PITCH);
      int[] counters = context.allocateIntLocalArray(ROWS * THREADS);
      int[] groups = context.allocateIntLocalArray(items / 2 * (DIGITS + 64 / items));
      int[] offsets = context.allocateIntLocalArray(DIGITS);
      @Value int[] ranked = context.allocateIntLocalArray(1 + (MANY - items) * THREADS);
      int[] loaded = new int[ROUND];
      int column = thread ^ (thread / WARP);
      for (int k = 0; k < ROWS; k++) {
        counters[k * THREADS + column] = 0;
      }
      for (int r = 0; r < rounds; r++) {
        int own = r * (ROUND * THREADS) + thread;
        for (int k = 0; k < ROUND; k++) {
          int inside = Scalars.min(own + k * THREADS, left - 1);
          @Value int key = Scalars.value(keys.get(from + inside));
          loaded[k] = KeyWords.low((key >> shift) & mask) ^ flip;
        }
        for (int k = 0; k < ROUND; k++) {
          int item = own + k * THREADS;
          places[(item & (items - 1)) * PITCH + item / items] = item < left ? loaded[k] : mask;
        }
      }
      int digitStart = BlockScan.exclusiveSum(context, thread, THREADS, total);
      context.localBarrier();
      for (int r = 0; r < rounds; r++) {
        for (int k = 0; k < ROUND; k++) {
          int place = (r * ROUND + k) * PITCH + thread;
          int d = places[place];
          int at = (d & (ROWS - 1)) * THREADS + column;
          int inWord = (d >> 2) & 24;
          int word = counters[at];
          counters[at] = word + (1 << inWord);
          places[place] = d | (((word >> inWord) & 0xff) << BITS);
        }
      }
      context.localBarrier();
      int group = 256 / items;
      int inGroups = items / 2;
      int pitch = DIGITS + 64 / items;
      for (int r = 0; r < rounds; r++) {
        int pair = r * THREADS + thread;
        int row = pair / inGroups;
        int mine = pair & (inGroups - 1);
        int begin = 4 * (row & (group / 4 - 1));
        int at = row * THREADS + mine * group;
        int turned = mine * group / WARP;
        int before = 0;
        int even = 0;
        int odd = 0;
        for (int k = 0; k < group; k++) {
          int j = (k + begin) & (group - 1);
          int word = counters[at + (j ^ turned)];
          before = before + (j < begin ? word : 0);
          even = even + (word & 0x00ff00ff);
          odd = odd + ((word >> 8) & 0x00ff00ff);
        }
        for (int k = 0; k < group; k++) {
          int j = (k + begin) & (group - 1);
          int word = counters[at + (j ^ turned)];
          before = j == 0 ? 0 : before;
          counters[at + (j ^ turned)] = before;
          before = before + word;
        }
        int to = mine * pitch + row;
        groups[to] = even & 0xffff;
        groups[to + ROWS] = odd & 0xffff;
        groups[to + 2 * ROWS] = (even >> 16) & 0xffff;
        groups[to + 3 * ROWS] = (odd >> 16) & 0xffff;
      }
      context.localBarrier();
      int sum = 0;
      for (int k = 0; k < inGroups; k++) {
        sum = sum + groups[k * pitch + thread];
      }
      int lower = BlockScan.exclusiveSum(context, thread, THREADS, sum);
      int running = lower;
      for (int k = 0; k < inGroups; k++) {
        int count = groups[k * pitch + thread];
        groups[k * pitch + thread] = running;
        running = running + count;
      }
      offsets[thread] = single == 1 ? 0 : digitStart + start - lower;
      context.localBarrier();
      int own = thread / group * pitch;
      for (int r = 0; r < rounds; r++) {
        for (int k = 0; k < ROUND; k++) {
          int place = (r * ROUND + k) * PITCH + thread;
          int d = places[place] & (DIGITS - 1);
          int word = counters[(d & (ROWS - 1)) * THREADS + column];
          int inThread = places[place] / DIGITS;
          places[place] = groups[own + d] + ((word >> ((d >> 2) & 24)) & 0xff) + inThread;
        }
      }
      context.localBarrier();
      int fromPositions = shape.get(shapeAt + fromAt + RadixSort.POSITIONS) + first;
      for (int r = 0; r < rounds; r++) {
        for (int k = 0; k < ROUND; k++) {
          int item = r * (ROUND * THREADS) + k * THREADS + thread;
          int inside = Scalars.min(item, left - 1);
          int rank = places[(item & (items - 1)) * PITCH + item / items];
          @Value int key = Scalars.value(keys.get(from + inside));
          if (items == MANY) {
            counters[rank] = KeyWords.low(key);
          }
          if (items == FEW) {
            ranked[rank] = key;
          }
          if ((payload & NUMBERED) != 0) {
            counters[rank] = first + item;
          }
          if ((payload & MOVED) != 0) {
            counters[rank] = positions.get(fromPositions + inside);
          }
        }
      }
      context.localBarrier();
      int to = shape.get(shapeAt + toAt);
      int toPositions = shape.get(shapeAt + toAt + RadixSort.POSITIONS);
      for (int r = 0; r < rounds; r++) {
        for (int k = 0; k < ROUND; k++) {
          int rank = r * (ROUND * THREADS) + k * THREADS + thread;
          @Value int key = (@Value int) counters[rank];
          if (items == FEW) {
            key = ranked[rank];
          }
          int at = offsets[KeyWords.low((key >> shift) & mask) ^ flip] + rank;
          if (rank < left) {
            if ((payload & WITHOUT_KEYS) == 0) {
              sortedKeys.set(to + at, (@Element int) key);
            }
            if ((payload & (NUMBERED | MOVED)) != 0) {
              sortedPositions.set(toPositions + at, counters[rank]);
            }
          }
        }
      }
    }
    if (last == 1 & thread == 0 & tile == 0) {
      done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
    }
  }
}
