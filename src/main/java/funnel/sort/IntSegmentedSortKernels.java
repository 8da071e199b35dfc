package funnel.sort;

import funnel.block.BlockReduce;
import funnel.block.BlockScan;
import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import funnel.operator.OperatorCode;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of a {@link SegmentedSortStep}. */
@Twins({"Byte", "Long"})
final class IntSegmentedSortKernels {

  /* A block sorts the segments that begin in its tile, all together, in local memory: those that
   * end within a chunk, counted from the tile's beginning. Only the last one may be longer. Such a
   * segment is cut into chunks from its own beginning. The block in whose tile a chunk begins sorts
   * it; then chunks are merged, by two, four and so on. As chunks are longer than tiles, a block
   * has at most three pieces: its segments, a chunk of an earlier segment, and the first chunk of
   * its last one.
   *
   * For this a block must know where the last segment before a tile begins, and the first one from
   * there on, for its tile and for the next: SegmentLinkKernels. If all segments are assumed to end
   * within the chunk of the tile in which they begin, the block finds that out alone, from the bits
   * of its chunk: then this is the only launch. If one does not, the block says so.
   *
   * Within a piece segments do not move, so heads belong to places and not to keys. A thread
   * compares its own 8 keys in pairs: if both keys of a pair are in one segment and out of order,
   * their ranks change. If all segments of the block are short, a thread then compares its keys with
   * those of their segments before and after them, and counts, a byte for each key, how many of
   * these must change places with it. Otherwise each segment is merged on its own: its stretches in threads by two,
   * four and so on, from the thread on in which it begins. So there are as many rounds as the
   * longest segment in the block needs, wherever segments begin: at most two for 16 elements. A
   * thread takes part in the segments of its first and its last place. A binary search finds where
   * the stretches meet that its places come from. Keys stay where they were loaded; their places in
   * local memory are sorted, alternating between two halves of an array.
   *
   * A segment of several chunks alternates between two arrays, and begins in the one from which its
   * last merge goes to the output; segments of one chunk go there directly. A launch for a level
   * that no segment needs returns immediately. In other launches the blocks take chunks in turn,
   * and all threads together search for where a chunk's part of its two runs begins and ends, one
   * half of them each.
   *
   * The last loop of the sort has a stride that the compiler does not know: unrolled, it takes ints
   * to 72 registers on cuda, with which three blocks fit on a multiprocessor instead of four.
   *
   * Keys are compared by a mask of bits, after inversion of the bits whose order or sign is
   * reversed. Methods are long since a local array cannot be passed to another one. A thread's own
   * keys are variables, since an array would stay in memory on ptx.
   */

  static final int THREADS = 256;
  static final int ITEMS = 8;

  /** Keys that a block sorts together. */
  static final int CHUNK = THREADS * ITEMS;

  /** Keys of a tile: short segments that begin in it end within the chunk. */
  static final int TILE = CHUNK - 256;

  /** Keys that a segment and up to 7 before it have, if it is sorted by counting. */
  private static final int FEW = 40;

  static final int PIECES = 3;
  static final int MOST_BLOCKS = 1024;

  /** Levels of merges for the chunks of the longest possible array. */
  static final int MOST_LEVELS = 20;

  /** Where the number of the level is, alternating between two places. */
  private static final int LEVEL_AT = MOST_LEVELS;

  /** Ints that say which levels are needed, and the level. */
  static final int NEEDED = MOST_LEVELS + 2;

  private static final int PROBES = THREADS / 2;
  private static final int PITCH = THREADS + THREADS / 32;
  private static final int PLACES = ITEMS * PITCH;
  private static final int WORD = Integer.SIZE;

  /* Outputs. */
  static final int KEYS = 1;
  static final int POSITIONS = 2;

  /* Indices in the ints of the shape. */
  static final int LENGTH = 0;
  static final int TILES = 1;
  static final int PIECES_AT = 2;
  static final int IN_INPUT = 3;
  static final int IN_KEYS = 4;
  static final int IN_POSITIONS = 5;
  static final int FROM_BIT = 6;
  static final int LAST_BIT = 7;

  /** Whether the highest bit's order is reversed. */
  static final int TURNS_SIGN = 8;

  static final int DESCENDING = 9;
  static final int LEVELS = 10;

  /** Items of a thread: loops of known length would be unrolled. */
  static final int ITEMS_AT = 11;

  private IntSegmentedSortKernels() {}

  /** Levels of merges of a segment, or of everything. */
  static int levels(int length) {
    int levels = 0;
    for (int chunks = (length - 1) / CHUNK; chunks > 0; chunks = chunks / 2) {
      levels = levels + 1;
    }
    return levels;
  }

  private static int place(int item) {
    return item + ((item >> 5) & (CHUNK / 32 - 1));
  }

  /** The lowest bit that is set. */
  static int lowest(int bits) {
    return Integer.bitCount((bits & (0 - bits)) - 1);
  }

  /** The highest bit that is set in a positive number. */
  static int highest(int bits) {
    int all = bits | (bits >> 1);
    all = all | (all >> 2);
    all = all | (all >> 4);
    all = all | (all >> 8);
    return Integer.bitCount(all | (all >> 16)) - 1;
  }

  private static @Value int mask(IntArray shape, int shapeAt) {
    @Value int one = 1;
    @Value int highest = one << shape.get(shapeAt + LAST_BIT);
    return highest + highest - (one << shape.get(shapeAt + FROM_BIT));
  }

  private static @Value int flip(IntArray shape, int shapeAt, @Value int mask) {
    @Value int one = 1;
    @Value int sign = one << shape.get(shapeAt + LAST_BIT);
    @Value int none = 0;
    return (shape.get(shapeAt + TURNS_SIGN) == 1 ? sign : none)
        ^ (shape.get(shapeAt + DESCENDING) == 1 ? mask : none);
  }

  /** 1 if the later one of two keys comes before the earlier one, else 0. */
  private static int overtakes(@Value int later, @Value int earlier, @Value int mask) {
    return (later & mask) < (earlier & mask) ? 1 : 0;
  }

  /** A count of a key is a byte; the first {@code n} of the four in an int. */
  private static int bytes(int n) {
    return n <= 0 ? 0 : n >= 4 ? -1 : (1 << ((8 * n) & (WORD - 1))) - 1;
  }

  /** The first head in a range of words, or -1. */
  private static int head(IntArray bits, int from, int until) {
    int at = from;
    int word = from < until ? bits.get(from) : 0;
    while (word == 0 & at + 1 < until) {
      at = at + 1;
      word = bits.get(at);
    }
    return word == 0 ? -1 : at * WORD + lowest(word);
  }

  /** The change of ranks if the later one of two keys overtakes the earlier one. */
  private static int change(@Value int earlier, @Value int later, int cuts, int change) {
    return ((later < earlier ? 1 : 0) & (cuts == 0 ? 1 : 0)) == 1 ? change : 0;
  }

  /** The distance from a tile's beginning to a segment's first chunk that begins in it, or -1. */
  private static int chunk(int start, int end, int begin, int isOwn) {
    int ahead = begin - start;
    int rest = ahead & (CHUNK - 1);
    int at = ahead <= 0 ? 0 - ahead : rest == 0 ? 0 : CHUNK - rest;
    int isOfTile = (ahead > 0 ? 1 : 0) ^ isOwn;
    int isInside = (at < TILE ? 1 : 0) & (at < end - begin ? 1 : 0) & (start < 0 ? 0 : 1);
    int isLong = end - Scalars.max(start, 0) / TILE * TILE > CHUNK ? 1 : 0;
    return (isOfTile & isInside & isLong) == 1 ? at : -1;
  }

  /** Sorts the segments of a tile, and the chunks of longer ones that begin in it. */
  static void sort(
      KernelContext context,
      IntArray shape,
      @Element IntArray input,
      @Element IntArray sortedKeys,
      @Element IntArray otherKeys,
      IntArray sortedPositions,
      IntArray otherPositions,
      IntArray bits,
      IntArray previous,
      IntArray next,
      IntArray done,
      @AtLaunch int shapeAt,
      @AtLaunch int doneAt,
      int outputs,
      int turned,
      int turnedBack,
      int isAlone) {
    int thread = context.localIdx;
    int tile = context.groupIdx;
    int length = shape.get(shapeAt);
    int tiles = shape.get(shapeAt + TILES);
    int pieces = tile < tiles ? shape.get(shapeAt + PIECES_AT) : 0;
    @Value int mask = mask(shape, shapeAt);
    @Value int flip = flip(shape, shapeAt, mask);
    @Value int[] loaded = context.allocateIntLocalArray(PLACES);
    int[] order = context.allocateIntLocalArray(2 * PLACES);
    int[] ends = context.allocateIntLocalArray(THREADS);
    int[] flag = context.allocateIntLocalArray(1);
    int begin = tile * TILE;
    int own = thread * ITEMS;
    int base = place(own);
    int stride = shape.get(shapeAt + ITEMS_AT) * (THREADS / ITEMS);
    for (int piece = 0; piece < pieces; piece++) {
      int start = 0;
      int end = 0;
      int levels = 0;
      int from = 0;
      int to = 0;
      if (isAlone == 1) {
        int words = length / WORD + ((length & (WORD - 1)) > 0 ? 1 : 0);
        int word = begin / WORD;
        int wordsUntil = Scalars.min(word + TILE / WORD, words);
        int wordsEnd = Scalars.min(word + CHUNK / WORD + 1, words);
        int head = head(bits, word, wordsUntil);
        int after = head(bits, wordsUntil, wordsEnd);
        end = after >= 0 ? after : wordsEnd == words ? length : begin + CHUNK + 1;
        int isLong = (head >= 0 ? 1 : 0) & (end - begin > CHUNK ? 1 : 0);
        from = head < 0 ? begin : head;
        to = head < 0 | isLong == 1 ? from : end;
        if (thread == 0 & isLong == 1) {
          done.set(doneAt, 1);
        }
      }
      if (isAlone == 0) {
        int at = piece == 1 ? tile : tile + 1;
        start = previous.get(at);
        end = next.get(at);
        from = next.get(tile);
        to = end - begin > CHUNK ? start : end;
        to = start < begin ? from : to;
      }
      if (isAlone == 0 & piece > 0) {
        int after = chunk(start, end, begin, piece - 1);
        levels = after < 0 ? 0 : levels(end - start);
        from = after < 0 ? end : begin + after;
        to = from + Scalars.min(CHUNK, end - from);
      }
      int count = to - from;
      if (count > 0) {
        int inInput = shape.get(shapeAt + IN_INPUT) + from;
        int most = count - 1;
        @Value
        int k0 =
            KeyWords.ofInput(Scalars.value(input.get(inInput + Scalars.min(thread, most))), turned);
        @Value
        int k1 =
            KeyWords.ofInput(
                Scalars.value(input.get(inInput + Scalars.min(thread + THREADS, most))), turned);
        @Value
        int k2 =
            KeyWords.ofInput(
                Scalars.value(input.get(inInput + Scalars.min(thread + 2 * THREADS, most))),
                turned);
        @Value
        int k3 =
            KeyWords.ofInput(
                Scalars.value(input.get(inInput + Scalars.min(thread + 3 * THREADS, most))),
                turned);
        @Value
        int k4 =
            KeyWords.ofInput(
                Scalars.value(input.get(inInput + Scalars.min(thread + 4 * THREADS, most))),
                turned);
        @Value
        int k5 =
            KeyWords.ofInput(
                Scalars.value(input.get(inInput + Scalars.min(thread + 5 * THREADS, most))),
                turned);
        @Value
        int k6 =
            KeyWords.ofInput(
                Scalars.value(input.get(inInput + Scalars.min(thread + 6 * THREADS, most))),
                turned);
        @Value
        int k7 =
            KeyWords.ofInput(
                Scalars.value(input.get(inInput + Scalars.min(thread + 7 * THREADS, most))),
                turned);
        int first = place(thread);
        loaded[first] = k0 ^ flip;
        loaded[first + PITCH] = k1 ^ flip;
        loaded[first + 2 * PITCH] = k2 ^ flip;
        loaded[first + 3 * PITCH] = k3 ^ flip;
        loaded[first + 4 * PITCH] = k4 ^ flip;
        loaded[first + 5 * PITCH] = k5 ^ flip;
        loaded[first + 6 * PITCH] = k6 ^ flip;
        loaded[first + 7 * PITCH] = k7 ^ flip;
        int inside = (1 << Scalars.max(Scalars.min(count - own, ITEMS), 0)) - 1;
        int heads = 0;
        if (piece == 0) {
          int head = Scalars.min(from + own, length - 1);
          int low = bits.get(head / WORD);
          int high = bits.get(Scalars.min(head / WORD + 1, (length - 1) / WORD));
          long both = ((long) high << WORD) | (low & 0xffffffffL);
          heads = (int) (both >> (head & (WORD - 1))) & inside;
        }
        heads = thread == 0 ? heads | 1 : heads;
        int lastHead = heads == 0 ? -1 : own + highest(heads);
        int before = BlockScan.exclusive(context, OperatorCode.MAX, thread, THREADS, lastHead, -1);
        ends[thread] = count;
        if (thread == 0) {
          flag[0] = 0;
        }
        context.localBarrier();
        if (heads != 0 & before >= 0) {
          ends[before / ITEMS] = own + lowest(heads);
        }
        k0 = loaded[base] & mask;
        k1 = loaded[base + 1] & mask;
        k2 = loaded[base + 2] & mask;
        k3 = loaded[base + 3] & mask;
        k4 = loaded[base + 4] & mask;
        k5 = loaded[base + 5] & mask;
        k6 = loaded[base + 6] & mask;
        k7 = loaded[base + 7] & mask;
        int cuts = heads | (0xff ^ inside);
        int ranks = 0x76543210;
        ranks = ranks + change(k0, k1, cuts & 0x02, 0x1 - 0x10);
        ranks = ranks + change(k0, k2, cuts & 0x06, 0x1 - 0x100);
        ranks = ranks + change(k0, k3, cuts & 0x0e, 0x1 - 0x1000);
        ranks = ranks + change(k0, k4, cuts & 0x1e, 0x1 - 0x10000);
        ranks = ranks + change(k0, k5, cuts & 0x3e, 0x1 - 0x100000);
        ranks = ranks + change(k0, k6, cuts & 0x7e, 0x1 - 0x1000000);
        ranks = ranks + change(k0, k7, cuts & 0xfe, 0x1 - 0x10000000);
        ranks = ranks + change(k1, k2, cuts & 0x04, 0x10 - 0x100);
        ranks = ranks + change(k1, k3, cuts & 0x0c, 0x10 - 0x1000);
        ranks = ranks + change(k1, k4, cuts & 0x1c, 0x10 - 0x10000);
        ranks = ranks + change(k1, k5, cuts & 0x3c, 0x10 - 0x100000);
        ranks = ranks + change(k1, k6, cuts & 0x7c, 0x10 - 0x1000000);
        ranks = ranks + change(k1, k7, cuts & 0xfc, 0x10 - 0x10000000);
        ranks = ranks + change(k2, k3, cuts & 0x08, 0x100 - 0x1000);
        ranks = ranks + change(k2, k4, cuts & 0x18, 0x100 - 0x10000);
        ranks = ranks + change(k2, k5, cuts & 0x38, 0x100 - 0x100000);
        ranks = ranks + change(k2, k6, cuts & 0x78, 0x100 - 0x1000000);
        ranks = ranks + change(k2, k7, cuts & 0xf8, 0x100 - 0x10000000);
        ranks = ranks + change(k3, k4, cuts & 0x10, 0x1000 - 0x10000);
        ranks = ranks + change(k3, k5, cuts & 0x30, 0x1000 - 0x100000);
        ranks = ranks + change(k3, k6, cuts & 0x70, 0x1000 - 0x1000000);
        ranks = ranks + change(k3, k7, cuts & 0xf0, 0x1000 - 0x10000000);
        ranks = ranks + change(k4, k5, cuts & 0x20, 0x10000 - 0x100000);
        ranks = ranks + change(k4, k6, cuts & 0x60, 0x10000 - 0x1000000);
        ranks = ranks + change(k4, k7, cuts & 0xe0, 0x10000 - 0x10000000);
        ranks = ranks + change(k5, k6, cuts & 0x40, 0x100000 - 0x1000000);
        ranks = ranks + change(k5, k7, cuts & 0xc0, 0x100000 - 0x10000000);
        ranks = ranks + change(k6, k7, cuts & 0x80, 0x1000000 - 0x10000000);
        context.localBarrier();
        int lastStart = heads == 0 ? before : lastHead;
        int lastEnd = ends[lastStart / ITEMS];
        int firstStart = (heads & 1) == 1 ? own : before;
        int others = heads & 0xfe;
        int firstEnd = others == 0 ? lastEnd : own + lowest(others);
        int sides = others != 0 & firstStart < own ? 2 : 1;
        int span = own < count ? lastEnd - (lastStart & (0 - ITEMS)) : 0;
        if (span > FEW) {
          flag[0] = 1;
        }
        context.localBarrier();
        int isMerging = flag[thread / THREADS];
        int counts = (isMerging ^ 1) & (own < count ? 1 : 0);
        int otherFrom = counts == 1 ? firstStart : own;
        int othersEnd = counts == 1 ? lastEnd : own;
        int passed = 0;
        int passedHigh = 0;
        for (int other = otherFrom; other < own; other++) {
          @Value int key = loaded[place(other)] & mask;
          passed = passed + (k0 < key ? 1 : 0);
          passed = passed + (k1 < key ? 0x100 : 0);
          passed = passed + (k2 < key ? 0x10000 : 0);
          passed = passed + (k3 < key ? 0x1000000 : 0);
          passedHigh = passedHigh + (k4 < key ? 1 : 0);
          passedHigh = passedHigh + (k5 < key ? 0x100 : 0);
          passedHigh = passedHigh + (k6 < key ? 0x10000 : 0);
          passedHigh = passedHigh + (k7 < key ? 0x1000000 : 0);
        }
        int passing = 0;
        int passingHigh = 0;
        for (int other = own + ITEMS; other < othersEnd; other++) {
          @Value int key = loaded[place(other)] & mask;
          passing = passing + (key < k0 ? 1 : 0);
          passing = passing + (key < k1 ? 0x100 : 0);
          passing = passing + (key < k2 ? 0x10000 : 0);
          passing = passing + (key < k3 ? 0x1000000 : 0);
          passingHigh = passingHigh + (key < k4 ? 1 : 0);
          passingHigh = passingHigh + (key < k5 ? 0x100 : 0);
          passingHigh = passingHigh + (key < k6 ? 0x10000 : 0);
          passingHigh = passingHigh + (key < k7 ? 0x1000000 : 0);
        }
        int ofFirst = firstEnd - own;
        int ofOthers = lastStart - own;
        int moves = 0x40404040 + (passing & ~bytes(ofOthers)) - (passed & bytes(ofFirst));
        int movesHigh =
            0x40404040 + (passingHigh & ~bytes(ofOthers - 4)) - (passedHigh & bytes(ofFirst - 4));
        int zero = own - 0x40;
        order[place(zero + (ranks & 7) + (moves & 0xff))] = own;
        order[place(zero + ((ranks >> 4) & 7) + ((moves >> 8) & 0xff))] = own + 1;
        order[place(zero + ((ranks >> 8) & 7) + ((moves >> 16) & 0xff))] = own + 2;
        order[place(zero + ((ranks >> 12) & 7) + ((moves >> 24) & 0xff))] = own + 3;
        order[place(zero + ((ranks >> 16) & 7) + (movesHigh & 0xff))] = own + 4;
        order[place(zero + ((ranks >> 20) & 7) + ((movesHigh >> 8) & 0xff))] = own + 5;
        order[place(zero + ((ranks >> 24) & 7) + ((movesHigh >> 16) & 0xff))] = own + 6;
        order[place(zero + ((ranks >> 28) & 7) + ((movesHigh >> 24) & 0xff))] = own + 7;
        context.localBarrier();
        int longest = 0;
        if (isMerging == 1) {
          longest = BlockReduce.max(context, thread, THREADS, span);
        }
        int in = 0;
        for (int width = ITEMS; width < longest; width = 2 * width) {
          int out = PLACES - in;
          for (int k = 0; k < ITEMS; k++) {
            order[out + base + k] = order[in + base + k];
          }
          for (int side = 0; side < sides; side++) {
            int segment = side == 0 ? lastStart : firstStart;
            int segmentEnd = side == 0 ? lastEnd : firstEnd;
            int anchor = segment & (0 - ITEMS);
            int pair = anchor + ((own - anchor) & (0 - 2 * width));
            int middle = pair + width;
            int isMerged = (middle < segmentEnd ? 1 : 0) & (own < count ? 1 : 0);
            int runs = Scalars.max(segment, pair);
            int runsEnd = Scalars.min(segmentEnd, pair + 2 * width);
            int item = Scalars.max(own, runs);
            int itemEnd = isMerged == 1 ? Scalars.min(own + ITEMS, runsEnd) : item;
            if (item < itemEnd) {
              int diagonal = item - runs;
              int low = Scalars.max(0, diagonal - (runsEnd - middle));
              int high = Scalars.min(diagonal, middle - runs);
              while (low < high) {
                int half = low + (high - low) / 2;
                int early = order[in + place(runs + half)];
                int late = order[in + place(middle + diagonal - 1 - half)];
                int isLate = overtakes(loaded[place(late)], loaded[place(early)], mask);
                high = isLate == 1 ? half : high;
                low = isLate == 1 ? low : half + 1;
              }
              int a = runs + low;
              int b = middle + diagonal - low;
              int early = order[in + place(Scalars.min(a, most))];
              int late = order[in + place(Scalars.min(b, most))];
              @Value int earlyKey = loaded[place(early)] & mask;
              @Value int lateKey = loaded[place(late)] & mask;
              for (int i = item; i < itemEnd; i++) {
                int isLate =
                    (b < runsEnd ? 1 : 0) & ((a < middle ? 0 : 1) | (lateKey < earlyKey ? 1 : 0));
                order[out + place(i)] = isLate == 1 ? late : early;
                a = a + 1 - isLate;
                b = b + isLate;
                int following = order[in + place(Scalars.min(isLate == 1 ? b : a, most))];
                @Value int followingKey = loaded[place(following)] & mask;
                early = isLate == 1 ? early : following;
                late = isLate == 1 ? following : late;
                earlyKey = isLate == 1 ? earlyKey : followingKey;
                lateKey = isLate == 1 ? followingKey : lateKey;
              }
            }
          }
          context.localBarrier();
          in = out;
        }
        int inKeys = shape.get(shapeAt + IN_KEYS) + from;
        int inPositions = shape.get(shapeAt + IN_POSITIONS) + from;
        int isOther = levels & 1;
        int writesKeys = (outputs & KEYS) != 0 | levels > 0 ? 1 : 0;
        for (int item = thread; item < count; item += stride) {
          int source = order[in + place(item)];
          @Value int key = loaded[place(source)] ^ flip;
          if (writesKeys == 1 & isOther == 1) {
            otherKeys.set(from + item, (@Element int) key);
          }
          if (writesKeys == 1 & isOther == 0) {
            @Value int made = levels == 0 ? KeyWords.ofOutput(key, turnedBack) : key;
            sortedKeys.set(inKeys + item, (@Element int) made);
          }
          if ((outputs & POSITIONS) != 0) {
            if (isOther == 1) {
              otherPositions.set(from + item, from + source);
            }
            if (isOther == 0) {
              sortedPositions.set(inPositions + item, from + source);
            }
          }
        }
        context.localBarrier();
      }
    }
    if (thread == 0 & tile == 0 & shape.get(shapeAt + LEVELS) == 0) {
      done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
    }
  }

  private static @Value int key(
      int isOther, @Element IntArray otherKeys, @Element IntArray sortedKeys, int at, int in) {
    return isOther == 1 ? Scalars.value(otherKeys.get(at)) : Scalars.value(sortedKeys.get(in + at));
  }

  /** Merges the runs of segments that need a level, a chunk of the output at a time. */
  static void merge(
      KernelContext context,
      IntArray shape,
      @Element IntArray sortedKeys,
      @Element IntArray otherKeys,
      IntArray sortedPositions,
      IntArray otherPositions,
      IntArray previous,
      IntArray next,
      IntArray needed,
      IntArray done,
      @AtLaunch int shapeAt,
      @AtLaunch int doneAt,
      int turn,
      @AtLaunch int blocks,
      int outputs,
      int turnedBack) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int level = needed.get(LEVEL_AT + turn);
    int units = needed.get(level) == 0 ? 0 : 2 * shape.get(shapeAt + TILES);
    int run = CHUNK << level;
    @Value int mask = mask(shape, shapeAt);
    @Value int flip = flip(shape, shapeAt, mask);
    @Value int[] loaded = context.allocateIntLocalArray(PLACES);
    int[] order = context.allocateIntLocalArray(PLACES);
    int[] flags = context.allocateIntLocalArray(THREADS + 1);
    int[] bounds = context.allocateIntLocalArray(4);
    int own = thread * shape.get(shapeAt + ITEMS_AT);
    int ofEnd = thread / PROBES;
    int probe = thread & (PROBES - 1);
    for (int unit = block; unit < units; unit += blocks) {
      int tile = unit / 2;
      int begin = tile * TILE;
      int start = previous.get(tile + (unit & 1));
      int end = next.get(tile + (unit & 1));
      int after = chunk(start, end, begin, unit & 1);
      int levels = after < 0 ? 0 : levels(end - start);
      if (level < levels) {
        int from = begin + after;
        int count = Scalars.min(CHUNK, end - from);
        int most = count - 1;
        int isOther = (levels - level) & 1;
        int inKeys = shape.get(shapeAt + IN_KEYS);
        int inPositions = shape.get(shapeAt + IN_POSITIONS);
        int pair = start + ((from - start) & (0 - 2 * run));
        int ofFirst = Scalars.min(run, end - pair);
        int ofSecond = Scalars.min(run, end - pair - ofFirst);
        int diagonal = from - pair + (ofEnd == 1 ? count : 0);
        int low = Scalars.max(0, diagonal - ofSecond);
        int high = Scalars.min(diagonal, ofFirst);
        for (int left = ofFirst; left > 0; left = (left - 1) / PROBES) {
          int step = (left - 1) / PROBES + 1;
          int x = low + probe * step;
          int isLate = 1;
          if (x < high) {
            @Value int early = key(isOther, otherKeys, sortedKeys, pair + x, inKeys);
            int lateAt = pair + ofFirst + diagonal - 1 - x;
            @Value int late = key(isOther, otherKeys, sortedKeys, lateAt, inKeys);
            isLate = overtakes(late ^ flip, early ^ flip, mask);
          }
          flags[thread] = isLate;
          context.localBarrier();
          int isLastOne = probe == PROBES - 1 ? 1 : flags[thread + 1];
          if (isLate == 0 & isLastOne == 1) {
            bounds[2 * ofEnd] = x + 1;
            bounds[2 * ofEnd + 1] = Scalars.min(high, x + step);
          }
          if (isLate == 1 & probe == 0) {
            bounds[2 * ofEnd] = low;
            bounds[2 * ofEnd + 1] = low;
          }
          context.localBarrier();
          low = bounds[2 * ofEnd];
          high = bounds[2 * ofEnd + 1];
        }
        int split = bounds[0];
        int early = Scalars.max(bounds[2] - split, 0);
        int a = pair + split;
        int b = from + ofFirst - split - early;
        @Value int k0 = keyOf(isOther, otherKeys, sortedKeys, inKeys, thread, most, early, a, b);
        @Value
        int k1 = keyOf(isOther, otherKeys, sortedKeys, inKeys, thread + THREADS, most, early, a, b);
        @Value
        int k2 =
            keyOf(isOther, otherKeys, sortedKeys, inKeys, thread + 2 * THREADS, most, early, a, b);
        @Value
        int k3 =
            keyOf(isOther, otherKeys, sortedKeys, inKeys, thread + 3 * THREADS, most, early, a, b);
        @Value
        int k4 =
            keyOf(isOther, otherKeys, sortedKeys, inKeys, thread + 4 * THREADS, most, early, a, b);
        @Value
        int k5 =
            keyOf(isOther, otherKeys, sortedKeys, inKeys, thread + 5 * THREADS, most, early, a, b);
        @Value
        int k6 =
            keyOf(isOther, otherKeys, sortedKeys, inKeys, thread + 6 * THREADS, most, early, a, b);
        @Value
        int k7 =
            keyOf(isOther, otherKeys, sortedKeys, inKeys, thread + 7 * THREADS, most, early, a, b);
        int first = place(thread);
        loaded[first] = k0 ^ flip;
        loaded[first + PITCH] = k1 ^ flip;
        loaded[first + 2 * PITCH] = k2 ^ flip;
        loaded[first + 3 * PITCH] = k3 ^ flip;
        loaded[first + 4 * PITCH] = k4 ^ flip;
        loaded[first + 5 * PITCH] = k5 ^ flip;
        loaded[first + 6 * PITCH] = k6 ^ flip;
        loaded[first + 7 * PITCH] = k7 ^ flip;
        context.localBarrier();
        low = Scalars.max(0, own - (count - early));
        high = Scalars.min(own, early);
        while (low < high) {
          int half = low + (high - low) / 2;
          int lateAt = early + own - 1 - half;
          int isLate = overtakes(loaded[place(lateAt)], loaded[place(half)], mask);
          high = isLate == 1 ? half : high;
          low = isLate == 1 ? low : half + 1;
        }
        int earlyAt = low;
        int lateAt = early + own - low;
        @Value int earlyKey = loaded[place(Scalars.min(earlyAt, most))] & mask;
        @Value int lateKey = loaded[place(Scalars.min(lateAt, most))] & mask;
        int ownEnd = Scalars.min(own + ITEMS, count);
        for (int item = own; item < ownEnd; item++) {
          int isLate =
              (lateAt < count ? 1 : 0) & ((earlyAt < early ? 0 : 1) | (lateKey < earlyKey ? 1 : 0));
          order[place(item)] = isLate == 1 ? lateAt : earlyAt;
          earlyAt = earlyAt + 1 - isLate;
          lateAt = lateAt + isLate;
          int following = Scalars.min(isLate == 1 ? lateAt : earlyAt, most);
          @Value int followingKey = loaded[place(following)] & mask;
          earlyKey = isLate == 1 ? earlyKey : followingKey;
          lateKey = isLate == 1 ? followingKey : lateKey;
        }
        context.localBarrier();
        int writesKeys = (outputs & KEYS) != 0 | level + 1 < levels ? 1 : 0;
        for (int item = thread; item < count; item += THREADS) {
          int source = order[place(item)];
          @Value int key = loaded[place(source)] ^ flip;
          int position = source < early ? a + source : b + source;
          if (writesKeys == 1 & isOther == 0) {
            otherKeys.set(from + item, (@Element int) key);
          }
          if (writesKeys == 1 & isOther == 1) {
            @Value int made = level + 1 == levels ? KeyWords.ofOutput(key, turnedBack) : key;
            sortedKeys.set(inKeys + from + item, (@Element int) made);
          }
          if ((outputs & POSITIONS) != 0) {
            if (isOther == 0) {
              otherPositions.set(from + item, sortedPositions.get(inPositions + position));
            }
            if (isOther == 1) {
              sortedPositions.set(inPositions + from + item, otherPositions.get(position));
            }
          }
        }
        context.localBarrier();
      }
    }
    if (thread == 0 & block == 0) {
      needed.set(LEVEL_AT + 1 - turn, level + 1);
      if (level + 1 == shape.get(shapeAt + LEVELS)) {
        done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
      }
    }
  }

  /** The key of an item of a chunk: the first ones are from one run, the others from the next. */
  private static @Value int keyOf(
      int isOther,
      @Element IntArray otherKeys,
      @Element IntArray sortedKeys,
      int in,
      int item,
      int most,
      int early,
      int a,
      int b) {
    int inside = Scalars.min(item, most);
    return key(isOther, otherKeys, sortedKeys, inside < early ? a + inside : b + inside, in);
  }
}
