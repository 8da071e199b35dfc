package funnel.sort;

import static funnel.sort.RadixSteps.FLIP;
import static funnel.sort.RadixSteps.INPUT;
import static funnel.sort.RadixSteps.IS_LAST;
import static funnel.sort.RadixSteps.MASK;
import static funnel.sort.RadixSteps.NONE;
import static funnel.sort.RadixSteps.OTHER;
import static funnel.sort.RadixSteps.OUTPUT;
import static funnel.sort.RadixSteps.SHIFT;
import static funnel.sort.RadixSteps.TO;

import funnel.block.BlockScan;
import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.kernel.Scalars;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * How the keys of a tile are ranked by a digit and moved, in the device form of a {@link
 * RadixSort}.
 */
@Twins({"Byte", "Long"})
final class IntRadixTileKernels {

  /* Tiles begin where a warp's keys are aligned. Places after the last key are read somewhere inside,
   * and count as keys of the highest digit: they get the last ranks of the tile, and are not stored.
   * Those before the first key count as keys of the lowest digit, and get the first ranks.
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
   * any, and keys then lie where the groups' totals were, as longs do. Ranks have gaps there, so that
   * keys that were sorted before, whose ranks are 32 or 16 apart, are in different banks.
   *
   * What is read is read eight at a time before any of it is stored: the cuda backend's compiler
   * takes it that a store to local memory may be to what is read next, and waits. The eight are
   * variables and not an array, and so this method is long: an array of a thread's own stays in
   * memory on ptx if it is used in several loops, and moving a tile took twice the time. A full tile
   * is read without bounds, from an array chosen once for eight keys.
   *
   * Whatever threads hand on lies in local memory. Columns of counters are permuted so that the
   * threads of a warp that scan different groups, from words on that differ by four with their rows,
   * meet 32 banks. The number of rounds comes from the shape array: loops of known length would be
   * unrolled. All is one method, since a local array cannot go to another.
   */

  private static final int DIGITS = IntRadixKernels.DIGITS;
  private static final int BITS = IntRadixKernels.BITS;
  private static final int THREADS = IntRadixKernels.THREADS;
  private static final int MANY = IntRadixKernels.MANY;
  private static final int FEW = IntRadixKernels.FEW;
  private static final int ROUND = IntRadixKernels.ROUND;
  private static final int KEYS = IntRadixKernels.KEYS;
  private static final int POSITIONS = IntRadixKernels.POSITIONS;
  private static final int GIVEN = IntRadixKernels.GIVEN;
  private static final int ROWS = DIGITS / 4;
  private static final int WARP = 32;

  /** Threads of a group. */
  private static final int GROUP = 8;

  private static final int GROUPS = THREADS / GROUP;
  private static final int PITCH_OF_GROUPS = DIGITS + 2;

  /** Places of the threads' n-th items. */
  private static final int PITCH = THREADS + 1;

  private IntRadixTileKernels() {}

  private static int digit(@Value int key, int shift, int mask, int flip) {
    return KeyWords.low((key >> shift) & mask) ^ flip;
  }

  /** The row of the counters of a digit, and above its bits of anything else. */
  private static int row(int digit) {
    return digit & (ROWS - 1);
  }

  /** A digit's counter in its word. */
  private static int inByte(int word, int digit) {
    return (word >> ((digit >> 2) & 24)) & 0xff;
  }

  private static void store(
      int place,
      @Element IntArray otherKeys,
      @Element IntArray sortedKeys,
      int left,
      int to,
      int at,
      @Value int key) {
    if (left > 0 & place == OTHER) {
      otherKeys.set(at, (@Element int) key);
    }
    if (left > 0 & place == OUTPUT) {
      sortedKeys.set(to + at, (@Element int) key);
    }
  }

  private static void put(
      int place,
      IntArray otherPositions,
      IntArray sortedPositions,
      int left,
      int to,
      int at,
      int position) {
    if (left > 0 & place == OTHER) {
      otherPositions.set(at, position);
    }
    if (left > 0 & place == OUTPUT) {
      sortedPositions.set(to + at, position);
    }
  }

  /** Moves the keys and positions of a tile by a step. */
  static void move(
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
      int items,
      int turned) {
    int rounds = shape.get(shapeAt + 2);
    int first = tile * (THREADS * items) - shape.get(shapeAt + RadixSort.LEAD);
    int left = shape.get(shapeAt) - first;
    int lead = Scalars.max(0 - first, 0);
    int isFull = left >= THREADS * items & lead == 0 ? 1 : 0;
    int keysFrom = steps.get(step);
    int shift = steps.get(step + SHIFT);
    int mask = steps.get(step + MASK);
    int flip = steps.get(step + FLIP);
    int from = IntRadixKernels.offset(shape, shapeAt + RadixSort.IN_INPUT, keysFrom) + first;
    int[] places = context.allocateIntLocalArray(items * PITCH);
    int[] counters = context.allocateIntLocalArray(ROWS * THREADS + (items - FEW) * 8);
    int[] offsets = context.allocateIntLocalArray(DIGITS);
    @Value
    int[] ranked = context.allocateIntLocalArray(GROUPS * PITCH_OF_GROUPS + (MANY - items) * 6);
    @Value int outside = ((@Value int) (mask ^ flip)) << shift; // of the highest digit
    int column = thread ^ (thread / WARP);
    int pitchOfSlots = THREADS / items;
    int slot = (thread & (items - 1)) * PITCH + thread / items;
    for (int k = 0; k < ROWS; k++) {
      counters[k * THREADS + column] = 0;
    }
    for (int r = 0; r < rounds; r++) {
      int own = r * (ROUND * THREADS) + thread;
      int at = from + own;
      @Value int k0 = outside;
      @Value int k1 = outside;
      @Value int k2 = outside;
      @Value int k3 = outside;
      @Value int k4 = outside;
      @Value int k5 = outside;
      @Value int k6 = outside;
      @Value int k7 = outside;
      if (isFull == 1 & keysFrom == INPUT) {
        k0 = KeyWords.ofInput(Scalars.value(input.get(at)), turned);
        k1 = KeyWords.ofInput(Scalars.value(input.get(at + THREADS)), turned);
        k2 = KeyWords.ofInput(Scalars.value(input.get(at + 2 * THREADS)), turned);
        k3 = KeyWords.ofInput(Scalars.value(input.get(at + 3 * THREADS)), turned);
        k4 = KeyWords.ofInput(Scalars.value(input.get(at + 4 * THREADS)), turned);
        k5 = KeyWords.ofInput(Scalars.value(input.get(at + 5 * THREADS)), turned);
        k6 = KeyWords.ofInput(Scalars.value(input.get(at + 6 * THREADS)), turned);
        k7 = KeyWords.ofInput(Scalars.value(input.get(at + 7 * THREADS)), turned);
      }
      if (isFull == 1 & keysFrom == OTHER) {
        k0 = Scalars.value(otherKeys.get(at));
        k1 = Scalars.value(otherKeys.get(at + THREADS));
        k2 = Scalars.value(otherKeys.get(at + 2 * THREADS));
        k3 = Scalars.value(otherKeys.get(at + 3 * THREADS));
        k4 = Scalars.value(otherKeys.get(at + 4 * THREADS));
        k5 = Scalars.value(otherKeys.get(at + 5 * THREADS));
        k6 = Scalars.value(otherKeys.get(at + 6 * THREADS));
        k7 = Scalars.value(otherKeys.get(at + 7 * THREADS));
      }
      if (isFull == 1 & keysFrom == OUTPUT) {
        k0 = Scalars.value(sortedKeys.get(at));
        k1 = Scalars.value(sortedKeys.get(at + THREADS));
        k2 = Scalars.value(sortedKeys.get(at + 2 * THREADS));
        k3 = Scalars.value(sortedKeys.get(at + 3 * THREADS));
        k4 = Scalars.value(sortedKeys.get(at + 4 * THREADS));
        k5 = Scalars.value(sortedKeys.get(at + 5 * THREADS));
        k6 = Scalars.value(sortedKeys.get(at + 6 * THREADS));
        k7 = Scalars.value(sortedKeys.get(at + 7 * THREADS));
      }
      int to = slot + r * ROUND * pitchOfSlots;
      if (isFull == 1) {
        places[to] = digit(k0, shift, mask, flip);
        places[to + pitchOfSlots] = digit(k1, shift, mask, flip);
        places[to + 2 * pitchOfSlots] = digit(k2, shift, mask, flip);
        places[to + 3 * pitchOfSlots] = digit(k3, shift, mask, flip);
        places[to + 4 * pitchOfSlots] = digit(k4, shift, mask, flip);
        places[to + 5 * pitchOfSlots] = digit(k5, shift, mask, flip);
        places[to + 6 * pitchOfSlots] = digit(k6, shift, mask, flip);
        places[to + 7 * pitchOfSlots] = digit(k7, shift, mask, flip);
      }
      if (isFull == 0) {
        for (int k = 0; k < ROUND; k++) {
          int item = own + k * THREADS;
          int inside = from + Scalars.max(Scalars.min(item, left - 1), lead);
          @Value int key = IntRadixKernels.key(keysFrom, turned, input, otherKeys, sortedKeys, inside);
          int d = digit(item < left ? key : outside, shift, mask, flip);
          places[to + k * pitchOfSlots] = item < lead ? 0 : d;
        }
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
    for (int r = 0; r < ROWS / ROUND; r++) {
      int pair = r * THREADS + thread;
      int row = pair / GROUPS;
      int mine = pair & (GROUPS - 1);
      int isOdd = row & 1;
      int swapped = (4 * isOdd) ^ (mine * GROUP / WARP);
      int at = row * THREADS + mine * GROUP;
      int w0 = counters[at + (0 ^ swapped)];
      int w1 = counters[at + (1 ^ swapped)];
      int w2 = counters[at + (2 ^ swapped)];
      int w3 = counters[at + (3 ^ swapped)];
      int w4 = counters[at + (4 ^ swapped)];
      int w5 = counters[at + (5 ^ swapped)];
      int w6 = counters[at + (6 ^ swapped)];
      int w7 = counters[at + (7 ^ swapped)];
      int lower = w0 + w1 + w2 + w3;
      int upper = w4 + w5 + w6 + w7;
      int before = isOdd == 0 ? 0 : upper;
      counters[at + swapped] = before;
      counters[at + (1 ^ swapped)] = before + w0;
      counters[at + (2 ^ swapped)] = before + w0 + w1;
      counters[at + (3 ^ swapped)] = before + w0 + w1 + w2;
      before = isOdd == 0 ? lower : 0;
      counters[at + (4 ^ swapped)] = before;
      counters[at + (5 ^ swapped)] = before + w4;
      counters[at + (6 ^ swapped)] = before + w4 + w5;
      counters[at + (7 ^ swapped)] = before + w4 + w5 + w6;
      int even = (lower & 0x00ff00ff) + (upper & 0x00ff00ff);
      int odd = ((lower >> 8) & 0x00ff00ff) + ((upper >> 8) & 0x00ff00ff);
      int to = mine * PITCH_OF_GROUPS + row;
      ranked[to] = even & 0xffff;
      ranked[to + ROWS] = odd & 0xffff;
      ranked[to + 2 * ROWS] = (even >> 16) & 0xffff;
      ranked[to + 3 * ROWS] = (odd >> 16) & 0xffff;
    }
    context.localBarrier();
    int sum = 0;
    for (int k = 0; k < GROUPS; k++) {
      sum = sum + KeyWords.low(ranked[k * PITCH_OF_GROUPS + thread]);
    }
    int lower = BlockScan.exclusiveSum(context, thread, THREADS, sum);
    int running = lower;
    for (int k = 0; k < GROUPS; k++) {
      int count = KeyWords.low(ranked[k * PITCH_OF_GROUPS + thread]);
      ranked[k * PITCH_OF_GROUPS + thread] = running;
      running = running + count;
    }
    int ahead = thread == 0 ? lead : 0;
    offsets[thread] = single == 1 ? 0 : digitStart + start - lower - ahead;
    context.localBarrier();
    int ownGroups = thread / GROUP * PITCH_OF_GROUPS;
    for (int r = 0; r < rounds; r++) {
      int at = r * ROUND * PITCH + thread;
      int c0 = places[at];
      int c1 = places[at + PITCH];
      int c2 = places[at + 2 * PITCH];
      int c3 = places[at + 3 * PITCH];
      int c4 = places[at + 4 * PITCH];
      int c5 = places[at + 5 * PITCH];
      int c6 = places[at + 6 * PITCH];
      int c7 = places[at + 7 * PITCH];
      int w0 = counters[row(c0) * THREADS + column];
      int w1 = counters[row(c1) * THREADS + column];
      int w2 = counters[row(c2) * THREADS + column];
      int w3 = counters[row(c3) * THREADS + column];
      int w4 = counters[row(c4) * THREADS + column];
      int w5 = counters[row(c5) * THREADS + column];
      int w6 = counters[row(c6) * THREADS + column];
      int w7 = counters[row(c7) * THREADS + column];
      int g0 = KeyWords.low(ranked[ownGroups + (c0 & (DIGITS - 1))]);
      int g1 = KeyWords.low(ranked[ownGroups + (c1 & (DIGITS - 1))]);
      int g2 = KeyWords.low(ranked[ownGroups + (c2 & (DIGITS - 1))]);
      int g3 = KeyWords.low(ranked[ownGroups + (c3 & (DIGITS - 1))]);
      int g4 = KeyWords.low(ranked[ownGroups + (c4 & (DIGITS - 1))]);
      int g5 = KeyWords.low(ranked[ownGroups + (c5 & (DIGITS - 1))]);
      int g6 = KeyWords.low(ranked[ownGroups + (c6 & (DIGITS - 1))]);
      int g7 = KeyWords.low(ranked[ownGroups + (c7 & (DIGITS - 1))]);
      places[at] = g0 + inByte(w0, c0) + (c0 >> BITS);
      places[at + PITCH] = g1 + inByte(w1, c1) + (c1 >> BITS);
      places[at + 2 * PITCH] = g2 + inByte(w2, c2) + (c2 >> BITS);
      places[at + 3 * PITCH] = g3 + inByte(w3, c3) + (c3 >> BITS);
      places[at + 4 * PITCH] = g4 + inByte(w4, c4) + (c4 >> BITS);
      places[at + 5 * PITCH] = g5 + inByte(w5, c5) + (c5 >> BITS);
      places[at + 6 * PITCH] = g6 + inByte(w6, c6) + (c6 >> BITS);
      places[at + 7 * PITCH] = g7 + inByte(w7, c7) + (c7 >> BITS);
    }
    context.localBarrier();
    int gap = items == MANY ? 5 : 4;
    int pitch = THREADS + (THREADS >> gap);
    int positionsFrom = keysFrom;
    int begin = IntRadixKernels.offset(shape, shapeAt + RadixSort.IN_GIVEN, positionsFrom);
    for (int r = 0; r < rounds; r++) {
      int own = r * (ROUND * THREADS) + thread;
      int at = from + own;
      int last = from + left - 1;
      @Value int k0 = outside;
      @Value int k1 = outside;
      @Value int k2 = outside;
      @Value int k3 = outside;
      @Value int k4 = outside;
      @Value int k5 = outside;
      @Value int k6 = outside;
      @Value int k7 = outside;
      if (isFull == 1 & keysFrom == INPUT) {
        k0 = KeyWords.ofInput(Scalars.value(input.get(at)), turned);
        k1 = KeyWords.ofInput(Scalars.value(input.get(at + THREADS)), turned);
        k2 = KeyWords.ofInput(Scalars.value(input.get(at + 2 * THREADS)), turned);
        k3 = KeyWords.ofInput(Scalars.value(input.get(at + 3 * THREADS)), turned);
        k4 = KeyWords.ofInput(Scalars.value(input.get(at + 4 * THREADS)), turned);
        k5 = KeyWords.ofInput(Scalars.value(input.get(at + 5 * THREADS)), turned);
        k6 = KeyWords.ofInput(Scalars.value(input.get(at + 6 * THREADS)), turned);
        k7 = KeyWords.ofInput(Scalars.value(input.get(at + 7 * THREADS)), turned);
      }
      if (isFull == 1 & keysFrom == OTHER) {
        k0 = Scalars.value(otherKeys.get(at));
        k1 = Scalars.value(otherKeys.get(at + THREADS));
        k2 = Scalars.value(otherKeys.get(at + 2 * THREADS));
        k3 = Scalars.value(otherKeys.get(at + 3 * THREADS));
        k4 = Scalars.value(otherKeys.get(at + 4 * THREADS));
        k5 = Scalars.value(otherKeys.get(at + 5 * THREADS));
        k6 = Scalars.value(otherKeys.get(at + 6 * THREADS));
        k7 = Scalars.value(otherKeys.get(at + 7 * THREADS));
      }
      if (isFull == 1 & keysFrom == OUTPUT) {
        k0 = Scalars.value(sortedKeys.get(at));
        k1 = Scalars.value(sortedKeys.get(at + THREADS));
        k2 = Scalars.value(sortedKeys.get(at + 2 * THREADS));
        k3 = Scalars.value(sortedKeys.get(at + 3 * THREADS));
        k4 = Scalars.value(sortedKeys.get(at + 4 * THREADS));
        k5 = Scalars.value(sortedKeys.get(at + 5 * THREADS));
        k6 = Scalars.value(sortedKeys.get(at + 6 * THREADS));
        k7 = Scalars.value(sortedKeys.get(at + 7 * THREADS));
      }
      int in = slot + r * ROUND * pitchOfSlots;
      int p0 = places[in];
      int p1 = places[in + pitchOfSlots];
      int p2 = places[in + 2 * pitchOfSlots];
      int p3 = places[in + 3 * pitchOfSlots];
      int p4 = places[in + 4 * pitchOfSlots];
      int p5 = places[in + 5 * pitchOfSlots];
      int p6 = places[in + 6 * pitchOfSlots];
      int p7 = places[in + 7 * pitchOfSlots];
      if (isFull == 0) {
        int inside = Scalars.max(Scalars.min(at, last), from + lead);
        k0 = IntRadixKernels.key(keysFrom, turned, input, otherKeys, sortedKeys, inside);
        k1 =
            IntRadixKernels.key(
                keysFrom, turned, input, otherKeys, sortedKeys, Scalars.min(at + THREADS, last));
        k2 =
            IntRadixKernels.key(
                keysFrom, turned, input, otherKeys, sortedKeys, Scalars.min(at + 2 * THREADS, last));
        k3 =
            IntRadixKernels.key(
                keysFrom, turned, input, otherKeys, sortedKeys, Scalars.min(at + 3 * THREADS, last));
        k4 =
            IntRadixKernels.key(
                keysFrom, turned, input, otherKeys, sortedKeys, Scalars.min(at + 4 * THREADS, last));
        k5 =
            IntRadixKernels.key(
                keysFrom, turned, input, otherKeys, sortedKeys, Scalars.min(at + 5 * THREADS, last));
        k6 =
            IntRadixKernels.key(
                keysFrom, turned, input, otherKeys, sortedKeys, Scalars.min(at + 6 * THREADS, last));
        k7 =
            IntRadixKernels.key(
                keysFrom, turned, input, otherKeys, sortedKeys, Scalars.min(at + 7 * THREADS, last));
      }
      p0 += p0 >> gap;
      p1 += p1 >> gap;
      p2 += p2 >> gap;
      p3 += p3 >> gap;
      p4 += p4 >> gap;
      p5 += p5 >> gap;
      p6 += p6 >> gap;
      p7 += p7 >> gap;
      if (items == MANY) {
        counters[p0] = KeyWords.low(k0);
        counters[p1] = KeyWords.low(k1);
        counters[p2] = KeyWords.low(k2);
        counters[p3] = KeyWords.low(k3);
        counters[p4] = KeyWords.low(k4);
        counters[p5] = KeyWords.low(k5);
        counters[p6] = KeyWords.low(k6);
        counters[p7] = KeyWords.low(k7);
      }
      if (items == FEW) {
        ranked[p0] = k0;
        ranked[p1] = k1;
        ranked[p2] = k2;
        ranked[p3] = k3;
        ranked[p4] = k4;
        ranked[p5] = k5;
        ranked[p6] = k6;
        ranked[p7] = k7;
      }
      if ((payload & POSITIONS) != 0) {
        int item = first + own;
        int ofItem = begin + item;
        int end = begin + first + left - 1;
        int i0 = item;
        int i1 = item + THREADS;
        int i2 = item + 2 * THREADS;
        int i3 = item + 3 * THREADS;
        int i4 = item + 4 * THREADS;
        int i5 = item + 5 * THREADS;
        int i6 = item + 6 * THREADS;
        int i7 = item + 7 * THREADS;
        if (positionsFrom == OTHER) {
          i0 = otherPositions.get(Scalars.max(Scalars.min(ofItem, end), begin));
          i1 = otherPositions.get(Scalars.min(ofItem + THREADS, end));
          i2 = otherPositions.get(Scalars.min(ofItem + 2 * THREADS, end));
          i3 = otherPositions.get(Scalars.min(ofItem + 3 * THREADS, end));
          i4 = otherPositions.get(Scalars.min(ofItem + 4 * THREADS, end));
          i5 = otherPositions.get(Scalars.min(ofItem + 5 * THREADS, end));
          i6 = otherPositions.get(Scalars.min(ofItem + 6 * THREADS, end));
          i7 = otherPositions.get(Scalars.min(ofItem + 7 * THREADS, end));
        }
        if (positionsFrom == OUTPUT) {
          i0 = sortedPositions.get(Scalars.max(Scalars.min(ofItem, end), begin));
          i1 = sortedPositions.get(Scalars.min(ofItem + THREADS, end));
          i2 = sortedPositions.get(Scalars.min(ofItem + 2 * THREADS, end));
          i3 = sortedPositions.get(Scalars.min(ofItem + 3 * THREADS, end));
          i4 = sortedPositions.get(Scalars.min(ofItem + 4 * THREADS, end));
          i5 = sortedPositions.get(Scalars.min(ofItem + 5 * THREADS, end));
          i6 = sortedPositions.get(Scalars.min(ofItem + 6 * THREADS, end));
          i7 = sortedPositions.get(Scalars.min(ofItem + 7 * THREADS, end));
        }
        if (positionsFrom == INPUT & (payload & GIVEN) != 0) {
          i0 = given.get(Scalars.max(Scalars.min(ofItem, end), begin));
          i1 = given.get(Scalars.min(ofItem + THREADS, end));
          i2 = given.get(Scalars.min(ofItem + 2 * THREADS, end));
          i3 = given.get(Scalars.min(ofItem + 3 * THREADS, end));
          i4 = given.get(Scalars.min(ofItem + 4 * THREADS, end));
          i5 = given.get(Scalars.min(ofItem + 5 * THREADS, end));
          i6 = given.get(Scalars.min(ofItem + 6 * THREADS, end));
          i7 = given.get(Scalars.min(ofItem + 7 * THREADS, end));
        }
        counters[p0] = i0;
        counters[p1] = i1;
        counters[p2] = i2;
        counters[p3] = i3;
        counters[p4] = i4;
        counters[p5] = i5;
        counters[p6] = i6;
        counters[p7] = i7;
      }
    }
    context.localBarrier();
    int positionsTo = steps.get(step + TO);
    int to = IntRadixKernels.offset(shape, shapeAt + RadixSort.IN_INPUT, positionsTo);
    int toPositions = IntRadixKernels.offset(shape, shapeAt + RadixSort.IN_GIVEN, positionsTo);
    int isLast = steps.get(step + IS_LAST);
    int turnedBack = isLast == 1 ? turned : KeyWords.NOT_TURNED;
    int keysTo = (payload & KEYS) == 0 & isLast == 1 ? NONE : positionsTo;
    for (int r = 0; r < rounds; r++) {
      int own = r * (ROUND * THREADS) + thread;
      int here = left - own;
      int isBefore = own < lead ? 1 : 0;
      int here0 = isBefore == 1 ? 0 : here;
      int at = thread + (thread >> gap) + r * ROUND * pitch;
      @Value int k0 = items == FEW ? ranked[at] : (@Value int) counters[at];
      @Value int k1 = items == FEW ? ranked[at + pitch] : (@Value int) counters[at + pitch];
      @Value int k2 = items == FEW ? ranked[at + 2 * pitch] : (@Value int) counters[at + 2 * pitch];
      @Value int k3 = items == FEW ? ranked[at + 3 * pitch] : (@Value int) counters[at + 3 * pitch];
      @Value int k4 = items == FEW ? ranked[at + 4 * pitch] : (@Value int) counters[at + 4 * pitch];
      @Value int k5 = items == FEW ? ranked[at + 5 * pitch] : (@Value int) counters[at + 5 * pitch];
      @Value int k6 = items == FEW ? ranked[at + 6 * pitch] : (@Value int) counters[at + 6 * pitch];
      @Value int k7 = items == FEW ? ranked[at + 7 * pitch] : (@Value int) counters[at + 7 * pitch];
      int p0 = own + offsets[digit(k0, shift, mask, flip)];
      int p1 = own + THREADS + offsets[digit(k1, shift, mask, flip)];
      int p2 = own + 2 * THREADS + offsets[digit(k2, shift, mask, flip)];
      int p3 = own + 3 * THREADS + offsets[digit(k3, shift, mask, flip)];
      int p4 = own + 4 * THREADS + offsets[digit(k4, shift, mask, flip)];
      int p5 = own + 5 * THREADS + offsets[digit(k5, shift, mask, flip)];
      int p6 = own + 6 * THREADS + offsets[digit(k6, shift, mask, flip)];
      int p7 = own + 7 * THREADS + offsets[digit(k7, shift, mask, flip)];
      store(keysTo, otherKeys, sortedKeys, here0, to, p0, KeyWords.ofOutput(k0, turnedBack));
      store(keysTo, otherKeys, sortedKeys, here - THREADS, to, p1, KeyWords.ofOutput(k1, turnedBack));
      store(keysTo, otherKeys, sortedKeys, here - 2 * THREADS, to, p2, KeyWords.ofOutput(k2, turnedBack));
      store(keysTo, otherKeys, sortedKeys, here - 3 * THREADS, to, p3, KeyWords.ofOutput(k3, turnedBack));
      store(keysTo, otherKeys, sortedKeys, here - 4 * THREADS, to, p4, KeyWords.ofOutput(k4, turnedBack));
      store(keysTo, otherKeys, sortedKeys, here - 5 * THREADS, to, p5, KeyWords.ofOutput(k5, turnedBack));
      store(keysTo, otherKeys, sortedKeys, here - 6 * THREADS, to, p6, KeyWords.ofOutput(k6, turnedBack));
      store(keysTo, otherKeys, sortedKeys, here - 7 * THREADS, to, p7, KeyWords.ofOutput(k7, turnedBack));
      if ((payload & POSITIONS) != 0) {
        int i0 = counters[at];
        int i1 = counters[at + pitch];
        int i2 = counters[at + 2 * pitch];
        int i3 = counters[at + 3 * pitch];
        int i4 = counters[at + 4 * pitch];
        int i5 = counters[at + 5 * pitch];
        int i6 = counters[at + 6 * pitch];
        int i7 = counters[at + 7 * pitch];
        put(positionsTo, otherPositions, sortedPositions, here0, toPositions, p0, i0);
        put(positionsTo, otherPositions, sortedPositions, here - THREADS, toPositions, p1, i1);
        put(positionsTo, otherPositions, sortedPositions, here - 2 * THREADS, toPositions, p2, i2);
        put(positionsTo, otherPositions, sortedPositions, here - 3 * THREADS, toPositions, p3, i3);
        put(positionsTo, otherPositions, sortedPositions, here - 4 * THREADS, toPositions, p4, i4);
        put(positionsTo, otherPositions, sortedPositions, here - 5 * THREADS, toPositions, p5, i5);
        put(positionsTo, otherPositions, sortedPositions, here - 6 * THREADS, toPositions, p6, i6);
        put(positionsTo, otherPositions, sortedPositions, here - 7 * THREADS, toPositions, p7, i7);
      }
    }
  }
}
