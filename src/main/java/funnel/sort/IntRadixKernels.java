package funnel.sort;

import static funnel.sort.RadixSteps.COUNTED;
import static funnel.sort.RadixSteps.FLIP;
import static funnel.sort.RadixSteps.INPUT;
import static funnel.sort.RadixSteps.IS_LAST;
import static funnel.sort.RadixSteps.KEYS_TO;
import static funnel.sort.RadixSteps.MASK;
import static funnel.sort.RadixSteps.MOVED;
import static funnel.sort.RadixSteps.NONE;
import static funnel.sort.RadixSteps.OTHER;
import static funnel.sort.RadixSteps.OUTPUT;
import static funnel.sort.RadixSteps.POSITIONS_FROM;
import static funnel.sort.RadixSteps.POSITIONS_TO;
import static funnel.sort.RadixSteps.SHIFT;

import funnel.block.BlockReduce;
import funnel.block.BlockScan;
import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of a {@link RadixSort}. */
@Twins({"Byte", "Long"})
final class IntRadixKernels {

  /* What a pass does is told by a step, see RadixSteps.
   *
   * A tile is 128 threads' items: 32 of bytes and ints alone, 16 of longs or with positions. Places
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
   * In a single tile ranks are places, nothing is counted before, and a block takes all passes. What a
   * pass does in a tile is one method, since a local array cannot go to another.
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

  /** Keys are wanted. */
  static final int KEYS = 1;

  /** Positions are wanted. */
  static final int POSITIONS = 2;

  /** Positions are given with the keys, and are not numbered. */
  static final int GIVEN = 4;

  static final int COUNT_THREADS = 64;
  private static final int ROWS = DIGITS / 4;

  /** Tiles whose counts a block scans together. */
  static final int CHUNK_STEP = 1024;

  static final int START_THREADS = 256;

  /** Counts of which a thread makes starts in a step. */
  static final int STARTS = CHUNK_STEP / START_THREADS;

  static final int WARP = 32;

  /** Places of the threads' n-th items. */
  private static final int PITCH = THREADS + 1;

  private IntRadixKernels() {}

  /** A key in one of three arrays. */
  private static @Value int key(
      int place,
      @Element IntArray input,
      @Element IntArray otherKeys,
      @Element IntArray sortedKeys,
      int at) {
    return place == INPUT
        ? Scalars.value(input.get(at))
        : place == OTHER ? Scalars.value(otherKeys.get(at)) : Scalars.value(sortedKeys.get(at));
  }

  /** Offset of the input's or the output's elements, from an int of the shape on. */
  private static int offset(IntArray shape, int at, int place) {
    return place == OTHER ? 0 : shape.get(at + place / 2);
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
      int place,
      int items) {
    int thread = context.localIdx;
    int tile = context.groupIdx;
    int length = shape.get(shapeAt);
    int tiles = shape.get(shapeAt + 1);
    int rounds = 2 * shape.get(shapeAt + 2);
    int step = finds == 1 ? 0 : RadixSteps.at(steps.get(COUNTED));
    int keysFrom = finds == 1 ? place : steps.get(step);
    if (tile < tiles & keysFrom != NONE) {
      int bit = shape.get(shapeAt + RadixSort.FROM_BIT);
      int width = shape.get(shapeAt + RadixSort.FIRST_BITS);
      int shift = finds == 1 ? bit : steps.get(step + SHIFT);
      int mask = finds == 1 ? (1 << width) - 1 : steps.get(step + MASK);
      int flip = finds == 1 ? RadixSteps.flip(shape, shapeAt, bit, width) : steps.get(step + FLIP);
      int begin = offset(shape, shapeAt + RadixSort.IN_INPUT, keysFrom);
      int first = tile * (THREADS * items);
      int left = length - first;
      int[] counters = context.allocateIntLocalArray(ROWS * COUNT_THREADS);
      int[] sums = context.allocateIntLocalArray(2 * COUNT_THREADS);
      @Value int[] differences = context.allocateIntLocalArray(finds == 1 ? COUNT_THREADS : 1);
      int[] loaded = new int[ROUND];
      for (int k = 0; k < ROWS; k++) {
        counters[k * COUNT_THREADS + thread] = 0;
      }
      @Value int firstKey = key(keysFrom, input, otherKeys, sortedKeys, begin);
      @Value int difference = 0;
      for (int r = 0; r < rounds; r++) {
        int own = r * (ROUND * COUNT_THREADS) + thread;
        for (int k = 0; k < ROUND; k++) {
          int at = begin + first + Scalars.min(own + k * COUNT_THREADS, left - 1);
          @Value int key = key(keysFrom, input, otherKeys, sortedKeys, at);
          loaded[k] = KeyWords.low((key >> shift) & mask) ^ flip;
          if (finds == 1) {
            difference = difference | (key ^ firstKey);
          }
        }
        for (int k = 0; k < ROUND; k++) {
          int item = own + k * COUNT_THREADS;
          int isInside = item < left ? 1 : 0;
          int d = loaded[k];
          int at = (d & (ROWS - 1)) * COUNT_THREADS + thread;
          counters[at] = counters[at] + (isInside << ((d >> 2) & 24));
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
      counts.set(thread * tiles + tile, sum & 0xffff);
      counts.set((thread + COUNT_THREADS) * tiles + tile, (sum >> 16) & 0xffff);
    }
  }

  /** Makes the steps, of all tiles' bits that vary. */
  static void plan(
      KernelContext context,
      IntArray shape,
      @Value IntArray varying,
      IntArray steps,
      int shapeAt,
      int place) {
    int thread = context.localIdx;
    int tiles = shape.get(shapeAt + 1);
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
      RadixSteps.plan(shape, steps, difference, shapeAt, place);
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
    int tiles = steps.get(RadixSteps.at(pass)) == NONE ? 0 : shape.get(shapeAt + 1);
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
    if (thread == 0 & block == 0) {
      steps.set(MOVED, pass);
    }
  }

  static void scatter(
      KernelContext context,
      IntArray shape,
      @Element IntArray input,
      @Element IntArray otherKeys,
      @Element IntArray sortedKeys,
      IntArray given,
      IntArray otherPositions,
      IntArray sortedPositions,
      IntArray steps,
      IntArray starts,
      IntArray totals,
      IntArray done,
      int shapeAt,
      int doneAt,
      int payload,
      int items,
      int last) {
    int thread = context.localIdx;
    int tile = context.groupIdx;
    int tiles = shape.get(shapeAt + 1);
    int pass = steps.get(MOVED);
    int step = RadixSteps.at(pass);
    if (tile < tiles & steps.get(step) != NONE) {
      int total = totals.get(thread);
      int start = starts.get(thread * tiles + tile);
      move(
          context,
          shape,
          input,
          otherKeys,
          sortedKeys,
          given,
          otherPositions,
          sortedPositions,
          steps,
          shapeAt,
          thread,
          tile,
          step,
          total,
          start,
          0,
          payload,
          items);
    }
    if (thread == 0 & tile == 0) {
      steps.set(COUNTED, pass + 1);
      if (last == 1 & pass + 1 == shape.get(shapeAt + RadixSort.PASSES)) {
        done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
      }
    }
  }

  /** All passes over a single tile. */
  static void sort(
      KernelContext context,
      IntArray shape,
      @Element IntArray input,
      @Element IntArray otherKeys,
      @Element IntArray sortedKeys,
      IntArray given,
      IntArray otherPositions,
      IntArray sortedPositions,
      IntArray steps,
      IntArray done,
      int shapeAt,
      int doneAt,
      int place,
      int payload,
      int items,
      int last) {
    int thread = context.localIdx;
    int length = shape.get(shapeAt);
    int passes = length == 0 ? 0 : shape.get(shapeAt + RadixSort.PASSES);
    int begin = offset(shape, shapeAt + RadixSort.IN_INPUT, place);
    @Value int[] differences = context.allocateIntLocalArray(THREADS);
    @Value int difference = 0;
    for (int at = thread; at < length; at += THREADS) {
      @Value int key = key(place, input, otherKeys, sortedKeys, begin + at);
      difference = difference | (key ^ key(place, input, otherKeys, sortedKeys, begin));
    }
    differences[thread] = difference;
    context.localBarrier();
    if (thread == 0) {
      for (int k = 1; k < THREADS; k++) {
        difference = difference | differences[k];
      }
      RadixSteps.plan(shape, steps, difference, shapeAt, place);
    }
    context.localBarrier();
    for (int pass = 0; pass < passes; pass++) {
      if (steps.get(RadixSteps.at(pass)) != NONE) {
        move(
            context,
            shape,
            input,
            otherKeys,
            sortedKeys,
            given,
            otherPositions,
            sortedPositions,
            steps,
            shapeAt,
            thread,
            0,
            RadixSteps.at(pass),
            0,
            0,
            1,
            payload,
            items);
      }
      context.localBarrier();
    }
    if (last == 1 & thread == 0) {
      done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
    }
  }

  /** Moves the keys and positions of a tile by a step. */
  private static void move(
      KernelContext context,
      IntArray shape,
      @Element IntArray input,
      @Element IntArray otherKeys,
      @Element IntArray sortedKeys,
      IntArray given,
      IntArray otherPositions,
      IntArray sortedPositions,
      IntArray steps,
      int shapeAt,
      int thread,
      int tile,
      int step,
      int total,
      int start,
      int single,
      int payload,
      int items) {
    int rounds = shape.get(shapeAt + 2);
    int first = tile * (THREADS * items);
    int left = shape.get(shapeAt) - first;
    int keysFrom = steps.get(step);
    int shift = steps.get(step + SHIFT);
    int mask = steps.get(step + MASK);
    int flip = steps.get(step + FLIP);
    int from = offset(shape, shapeAt + RadixSort.IN_INPUT, keysFrom) + first;
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
        int at = from + Scalars.min(own + k * THREADS, left - 1);
        @Value int key = key(keysFrom, input, otherKeys, sortedKeys, at);
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
    int positionsFrom = steps.get(step + POSITIONS_FROM);
    int fromPositions = offset(shape, shapeAt + RadixSort.IN_GIVEN, positionsFrom) + first;
    for (int r = 0; r < rounds; r++) {
      for (int k = 0; k < ROUND; k++) {
        int item = r * (ROUND * THREADS) + k * THREADS + thread;
        int inside = Scalars.min(item, left - 1);
        int rank = places[(item & (items - 1)) * PITCH + item / items];
        @Value int key = key(keysFrom, input, otherKeys, sortedKeys, from + inside);
        if (items == MANY) {
          counters[rank] = KeyWords.low(key);
        }
        if (items == FEW) {
          ranked[rank] = key;
        }
        if ((payload & POSITIONS) != 0) {
          counters[rank] =
              positionsFrom == OTHER
                  ? otherPositions.get(fromPositions + inside)
                  : positionsFrom == OUTPUT
                      ? sortedPositions.get(fromPositions + inside)
                      : (payload & GIVEN) != 0 ? given.get(fromPositions + inside) : first + item;
        }
      }
    }
    context.localBarrier();
    int keysTo = steps.get(step + KEYS_TO);
    int positionsTo = steps.get(step + POSITIONS_TO);
    int to = offset(shape, shapeAt + RadixSort.IN_INPUT, keysTo);
    int toPositions = offset(shape, shapeAt + RadixSort.IN_GIVEN, positionsTo);
    keysTo = (payload & KEYS) == 0 & steps.get(step + IS_LAST) == 1 ? NONE : keysTo;
    for (int r = 0; r < rounds; r++) {
      for (int k = 0; k < ROUND; k++) {
        int rank = r * (ROUND * THREADS) + k * THREADS + thread;
        @Value int key = (@Value int) counters[rank];
        if (items == FEW) {
          key = ranked[rank];
        }
        int at = offsets[KeyWords.low((key >> shift) & mask) ^ flip] + rank;
        if (rank < left) {
          if (keysTo == OTHER) {
            otherKeys.set(at, (@Element int) key);
          }
          if (keysTo == OUTPUT) {
            sortedKeys.set(to + at, (@Element int) key);
          }
          if ((payload & POSITIONS) != 0 & positionsTo == OTHER) {
            otherPositions.set(at, counters[rank]);
          }
          if ((payload & POSITIONS) != 0 & positionsTo == OUTPUT) {
            sortedPositions.set(toPositions + at, counters[rank]);
          }
        }
      }
    }
  }
}
