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

import funnel.block.BlockScan;
import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** What moves keys, in the device form of a {@link RadixSort}. */
@Twins({"Byte", "Long"})
final class IntRadixKernels {

  /* What a pass does is told by a step, see RadixSteps.
   *
   * A tile is 128 threads' items: 32 of bytes and ints alone, 16 of longs or with positions. Places
   * after the last key are read somewhere inside, and count as keys of the highest digit: they get
   * the last ranks of the tile, and are not stored.
   *
   * Ranking. Digits alone are ranked. They are loaded coalesced and go through local memory to the
   * threads that rank them, consecutive ones each, as equal keys have to stay in order. A key's rank
   * has three parts: keys of lower digits, or of its digit in groups of threads before; those of its
   * digit in threads before it in its group; and those that its own thread has counted before it,
   * which are kept next to the digit. A thread has a counter of 8 bits for each digit, four of them
   * in a word: digit d is in byte d / 32 of word d % 32. Each thread scans the counters of a word in
   * a group, which come to 224 at most; the groups' totals are scanned by a thread for each digit.
   *
   * Then the keys are loaded once more, from the cache, and put where their ranks are in local
   * memory; from there, now in the order of their digits, neighbours go to neighbouring places in
   * runs of one digit. Keys of 32 items lie where the counters were. Positions do, where there are
   * any, and keys then have an array of their own, as longs have. Ranks have gaps there, so that
   * keys that were sorted before, whose ranks are 32 or 16 apart, are in different banks.
   *
   * What is read is read eight at a time before any of it is stored: the cuda backend's compiler
   * takes it that a store to local memory may be to what is read next, and waits. Arrays of eight
   * are registers. A full tile is read without bounds, from an array chosen once for eight keys.
   *
   * Whatever threads hand on lies in local memory. Columns of counters are permuted so that the
   * threads of a warp that scan different groups, from words on that differ by four with their rows,
   * meet 32 banks. The number of rounds comes from the shape array: loops of known length would be
   * unrolled.
   *
   * In a single tile ranks are places, nothing is counted before, and a block takes all passes. What a
   * pass does in a tile is one method, since a local array cannot go to another.
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

  private static final int ROWS = DIGITS / 4;
  private static final int WARP = 32;

  /** Words that a thread adds up at once. */
  private static final int QUARTER = 4;

  /** Places of the threads' n-th items. */
  private static final int PITCH = THREADS + 1;

  private IntRadixKernels() {}

  /** A key in one of three arrays. */
  static @Value int key(
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
  static int offset(IntArray shape, int at, int place) {
    return place == OTHER ? 0 : shape.get(at + place / 2);
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
    int isFull = left >= THREADS * items ? 1 : 0;
    int keysFrom = steps.get(step);
    int shift = steps.get(step + SHIFT);
    int mask = steps.get(step + MASK);
    int flip = steps.get(step + FLIP);
    int from = offset(shape, shapeAt + RadixSort.IN_INPUT, keysFrom) + first;
    int[] places = context.allocateIntLocalArray(items * PITCH);
    int[] counters = context.allocateIntLocalArray(ROWS * THREADS + (items - FEW) * 8);
    int[] groups = context.allocateIntLocalArray(items / 2 * (DIGITS + 64 / items));
    int[] offsets = context.allocateIntLocalArray(DIGITS);
    @Value int[] ranked = context.allocateIntLocalArray(1 + (MANY - items) * (THREADS + 8));
    @Value int[] keys = new @Value int[ROUND];
    int[] ints = new int[ROUND];
    int[] words = new int[FEW];
    int[] sums = new int[QUARTER];
    @Value int outside = ((@Value int) (mask ^ flip)) << shift; // of the highest digit
    int column = thread ^ (thread / WARP);
    int slot = (thread & (items - 1)) * PITCH + thread / items;
    for (int k = 0; k < ROWS; k++) {
      counters[k * THREADS + column] = 0;
    }
    for (int r = 0; r < rounds; r++) {
      int own = r * (ROUND * THREADS) + thread;
      int at = from + own;
      if (isFull == 0) {
        for (int k = 0; k < ROUND; k++) {
          int inside = Scalars.min(own + k * THREADS, left - 1);
          @Value int key = key(keysFrom, input, otherKeys, sortedKeys, from + inside);
          keys[k] = own + k * THREADS < left ? key : outside;
        }
      }
      if (isFull == 1 & keysFrom == INPUT) {
        for (int k = 0; k < ROUND; k++) {
          keys[k] = Scalars.value(input.get(at + k * THREADS));
        }
      }
      if (isFull == 1 & keysFrom == OTHER) {
        for (int k = 0; k < ROUND; k++) {
          keys[k] = Scalars.value(otherKeys.get(at + k * THREADS));
        }
      }
      if (isFull == 1 & keysFrom == OUTPUT) {
        for (int k = 0; k < ROUND; k++) {
          keys[k] = Scalars.value(sortedKeys.get(at + k * THREADS));
        }
      }
      for (int k = 0; k < ROUND; k++) {
        int d = KeyWords.low((keys[k] >> shift) & mask) ^ flip;
        places[slot + (r * ROUND + k) * (THREADS / items)] = d;
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
    int quarters = group / QUARTER;
    int pitch = DIGITS + 64 / items;
    for (int r = 0; r < rounds; r++) {
      int pair = r * THREADS + thread;
      int row = pair / inGroups;
      int mine = pair & (inGroups - 1);
      int turned = row & (quarters - 1);
      int swapped = (QUARTER * turned) ^ (mine * group / WARP);
      int at = row * THREADS + mine * group;
      int even = 0;
      int odd = 0;
      for (int k = 0; k < group; k++) {
        words[k] = counters[at + (k ^ swapped)];
      }
      for (int q = 0; q < quarters; q++) {
        int sum = words[QUARTER * q] + words[QUARTER * q + 1];
        sum = sum + words[QUARTER * q + 2] + words[QUARTER * q + 3];
        sums[q] = sum;
        even = even + (sum & 0x00ff00ff);
        odd = odd + ((sum >> 8) & 0x00ff00ff);
      }
      for (int q = 0; q < quarters; q++) {
        int before = 0;
        for (int p = 0; p < quarters; p++) {
          before = before + ((p ^ turned) < (q ^ turned) ? sums[p] : 0);
        }
        for (int k = QUARTER * q; k < QUARTER * q + QUARTER; k++) {
          counters[at + (k ^ swapped)] = before;
          before = before + words[k];
        }
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
    int ownGroups = thread / group * pitch;
    for (int r = 0; r < rounds; r++) {
      for (int k = 0; k < ROUND; k++) {
        ints[k] = places[(r * ROUND + k) * PITCH + thread];
      }
      for (int k = 0; k < ROUND; k++) {
        int d = ints[k] & (DIGITS - 1);
        int word = counters[(d & (ROWS - 1)) * THREADS + column];
        int before = groups[ownGroups + d] + ((word >> ((d >> 2) & 24)) & 0xff);
        ints[k] = before + (ints[k] >> BITS);
      }
      for (int k = 0; k < ROUND; k++) {
        places[(r * ROUND + k) * PITCH + thread] = ints[k];
      }
    }
    context.localBarrier();
    int gap = items == MANY ? 5 : 4;
    int positionsFrom = steps.get(step + POSITIONS_FROM);
    int fromPositions = offset(shape, shapeAt + RadixSort.IN_GIVEN, positionsFrom) + first;
    for (int r = 0; r < rounds; r++) {
      int own = r * (ROUND * THREADS) + thread;
      int at = from + own;
      if (isFull == 0) {
        for (int k = 0; k < ROUND; k++) {
          int inside = Scalars.min(own + k * THREADS, left - 1);
          keys[k] = key(keysFrom, input, otherKeys, sortedKeys, from + inside);
        }
      }
      if (isFull == 1 & keysFrom == INPUT) {
        for (int k = 0; k < ROUND; k++) {
          keys[k] = Scalars.value(input.get(at + k * THREADS));
        }
      }
      if (isFull == 1 & keysFrom == OTHER) {
        for (int k = 0; k < ROUND; k++) {
          keys[k] = Scalars.value(otherKeys.get(at + k * THREADS));
        }
      }
      if (isFull == 1 & keysFrom == OUTPUT) {
        for (int k = 0; k < ROUND; k++) {
          keys[k] = Scalars.value(sortedKeys.get(at + k * THREADS));
        }
      }
      if ((payload & POSITIONS) != 0) {
        for (int k = 0; k < ROUND; k++) {
          int item = own + k * THREADS;
          int inside = fromPositions + Scalars.min(item, left - 1);
          ints[k] =
              positionsFrom == OTHER
                  ? otherPositions.get(inside)
                  : positionsFrom == OUTPUT
                      ? sortedPositions.get(inside)
                      : (payload & GIVEN) != 0 ? given.get(inside) : first + item;
        }
      }
      for (int k = 0; k < ROUND; k++) {
        int rank = places[slot + (r * ROUND + k) * (THREADS / items)];
        words[k] = rank + (rank >> gap);
      }
      for (int k = 0; k < ROUND; k++) {
        if (items == MANY) {
          counters[words[k]] = KeyWords.low(keys[k]);
        }
        if (items == FEW) {
          ranked[words[k]] = keys[k];
        }
        if ((payload & POSITIONS) != 0) {
          counters[words[k]] = ints[k];
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
      int own = r * (ROUND * THREADS) + thread;
      int here = left - own;
      int ownRanked = thread + (thread >> gap) + r * ROUND * (THREADS + (THREADS >> gap));
      for (int k = 0; k < ROUND; k++) {
        int at = ownRanked + k * (THREADS + (THREADS >> gap));
        keys[k] = items == FEW ? ranked[at] : (@Value int) counters[at];
        ints[k] = counters[at];
      }
      for (int k = 0; k < ROUND; k++) {
        int d = KeyWords.low((keys[k] >> shift) & mask) ^ flip;
        words[k] = offsets[d] + own + k * THREADS;
      }
      if (keysTo == OTHER) {
        for (int k = 0; k < ROUND; k++) {
          if (k * THREADS < here) {
            otherKeys.set(words[k], (@Element int) keys[k]);
          }
        }
      }
      if (keysTo == OUTPUT) {
        for (int k = 0; k < ROUND; k++) {
          if (k * THREADS < here) {
            sortedKeys.set(to + words[k], (@Element int) keys[k]);
          }
        }
      }
      if ((payload & POSITIONS) != 0 & positionsTo == OTHER) {
        for (int k = 0; k < ROUND; k++) {
          if (k * THREADS < here) {
            otherPositions.set(words[k], ints[k]);
          }
        }
      }
      if ((payload & POSITIONS) != 0 & positionsTo == OUTPUT) {
        for (int k = 0; k < ROUND; k++) {
          if (k * THREADS < here) {
            sortedPositions.set(toPositions + words[k], ints[k]);
          }
        }
      }
    }
  }
}
