package funnel.select;

import funnel.block.BlockReduce;
import funnel.jit.Element;
import funnel.jit.Placeholder;
import funnel.jit.StampedWords;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Device form of {@link SelectStep}. */
@Twins({"Long", "Float", "Double", "Byte"})
final class IntSelectKernels {

  /* One block per tile. What a block does is a phase, a constant of the task:
   *
   * COUNT counts the tile's kept elements. STORE compacts them in local memory and stores them.
   * Each warp has consecutive elements of the tile, and its part of local memory: kept elements go
   * to its front, rejected ones to its end, so that the warp stores consecutive elements of each
   * output. If their places are wanted, these go to a second array; kept elements then do not, but
   * are read again by their places, unless rejected ones are wanted too. No thread branches by what
   * is kept: elements that have no place are written to one of the thread's own.
   *
   * In full tiles a thread loads four neighbours, and four one row of its warp later. The sums of
   * both fours over a warp go through shuffles as one number (WarpCounts), exactly. Neighbours of
   * eight bytes would be four lines for each load: they are loaded 32 apart, and the sums of four
   * rows go through shuffles as one number. In other tiles a warp's row is 32 elements, and loads
   * are clamped. Eight elements of each thread of a warp of which none is kept take no places.
   *
   * Whether elements of eight bytes or floating-point ones differ from those before is found out
   * once, by the blocks that count: of full tiles they pass a word with a thread's bits, and blocks
   * that store read kept elements alone.
   *
   * The tile's start is the sum of one word per thread: the counts of earlier tiles of its chunk,
   * the totals of earlier chunks of its group, each in four words, and the group's start. Sums of
   * counts are exact in any order, so all words are read at once. They are read after the tile's
   * elements: what is read too early stays in the first-level cache, and waiting for it was half of
   * the time of selections that keep nothing. The first block of a chunk, whose counts the others
   * of later chunks wait for, reads them first. A chunk's total has a cache line of its own, since
   * blocks of the chunks before have read its neighbours.
   *
   * A warp adds 32 totals of 32 tiles at most, which floats hold exactly. A group's start may be
   * larger, and goes to the others as an int. So each block has one barrier.
   *
   * AHEAD does both in one launch, with the order of blocks that scans have: blocks that count run
   * two chunks ahead of blocks that store. More would be too much for the second-level cache, from
   * which the second reading comes. Words are stamped with the number of the run. A word that has
   * not arrived after all polls counts as 0, which keeps all places inside the arrays, and the run
   * is given up. In the form of four launches the stamp is always 0: each launch finds the words of
   * the one before, and totals and starts have their own launches.
   *
   * The length of a run is the distance to the next place in the warp's part of local memory. A
   * warp's last run ends where a later warp's first one begins: a launch of RunLengthsKernels, with
   * a thread for each warp, stores that length. It finds the runs by the number of runs before each
   * warp's elements.
   *
   * Bits of elements that begin runs are for reductions by key. A thread's eight bits of a round
   * pass through local memory, from which a thread makes a word of 32 consecutive elements.
   *
   * Local memory has a gap after each 32, so that the threads of a warp, whose ranks may be 4
   * apart, use different banks. Four values are read before the first of them is stored. Rounds are
   * counted by a number from the shape array, since loops of constant length are unrolled
   * completely. In the last round of a loop over ranks, what is read after the last rank is
   * garbage, and not stored.
   */

  static final int TEST = 0;

  /** A byte that is not zero. */
  static final int FLAGS = 1;

  /** A bit, 32 per int. */
  static final int BITS = 2;

  /** The element differs from the one before, or is the first. */
  static final int HEADS = 4;

  static final int COUNT = 0;
  static final int STORE = 1;
  static final int AHEAD = 2;

  /** Chunks that are counted before the first is stored. */
  static final int AHEAD_CHUNKS = 2;

  /** Outputs: kept elements, their positions, rejected elements. */
  static final int ELEMENTS = 1;

  static final int POSITIONS = 2;
  static final int REJECTED = 4;

  /** Rejected elements follow kept ones in one array; not {@link #AHEAD}. */
  static final int JOINED = 8;

  /** The function whose values are kept takes an element's index too. */
  static final int INDEXED = 16;

  /** The distances of positions, except from a warp's last one; with {@link #POSITIONS}. */
  static final int LENGTHS = 32;

  /** A bit for each element, set if it is kept; not with {@link #BITS}. */
  static final int MARKS = 64;

  /** Elements are kept for which the criterion does not hold. */
  static final int REVERSED = 128;

  /** Elements are ints, of which two at an even place are read as one long. */
  static final int PAIRED = 256;

  /** A thread's elements of a round are a row of the warp apart; not with heads or marks. */
  static final int STRIPED = 512;

  /** Counting blocks pass a bit for each element of full tiles to those that store. */
  static final int PASSED = 1024;

  private static final int ROUND = 8;
  private static final int THREADS = SelectTiles.THREADS;
  private static final int CHUNK = SelectTiles.CHUNK;
  private static final int GROUP = SelectTiles.GROUP;
  private static final int LANES = 32;
  private static final int WARPS = THREADS / LANES;
  private static final int TOTALS = SelectTiles.TOTALS;
  private static final int OF_GROUP = GROUP * TOTALS;
  private static final int ROW = 4 * LANES;
  private static final int GAPPED = LANES + 1;

  /** Two counts of rows in a float. */
  private static final int FIELD = 1 << 12;

  /** Four counts of rows of a warp, each 32 at most, in a float. */
  private static final int ROW_BITS = 6;

  private static final int OF_ROW = (1 << ROW_BITS) - 1;

  private IntSelectKernels() {}

  /* All is in one long method, since TornadoVM cannot pass local arrays to another. */
  static void tiles(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      LongArray pairs,
      ByteArray flags,
      IntArray bits,
      @Element IntArray kept,
      IntArray positions,
      @Element IntArray rejected,
      IntArray lengths,
      IntArray numbers,
      LongArray words,
      IntArray count,
      IntArray countRejected,
      IntArray gaveUp,
      int by,
      int outputs,
      int items,
      int phase,
      @AtLaunch int shapeAt) {
    int keeps = 1 - (outputs & REVERSED) / REVERSED;
    int thread = context.localIdx;
    int lane = thread % LANES;
    int warp = thread / LANES;
    int block = context.groupIdx;
    int length = shape.get(shapeAt + SelectTiles.LENGTH_AT);
    int offset = length > 0 ? shape.get(shapeAt) : 0;
    int tiles = shape.get(shapeAt + SelectTiles.TILES_AT);
    int mostTiles = shape.get(shapeAt + SelectTiles.MOST_TILES_AT);
    int lead = shape.get(shapeAt + SelectTiles.LEAD_AT);
    int rounds = shape.get(shapeAt + SelectTiles.ROUNDS_AT);
    int polls = shape.get(shapeAt + SelectTiles.POLLS_AT);
    int flagsFrom = length > 0 ? shape.get(shapeAt + SelectTiles.FLAGS_FROM_AT) : 0;
    int run = 0;
    int tile = phase == STORE ? tiles - 1 - block : block;
    int stores = phase;
    if (phase == AHEAD) {
      run = (int) words.get(0) + 1;
      int turn = block / CHUNK;
      int later = Scalars.max(turn - AHEAD_CHUNKS, 0);
      stores = turn < AHEAD_CHUNKS ? 0 : later & 1;
      int chunkOfTurn = turn < AHEAD_CHUNKS ? turn : later / 2 + AHEAD_CHUNKS * (1 - stores);
      tile = chunkOfTurn * CHUNK + block % CHUNK;
    }
    if (tile >= 0 & tile < tiles) {
      int chunk = tile / CHUNK;
      int position = tile % CHUNK;
      int group = chunk / GROUP;
      int inGroup = chunk % GROUP;
      int isWanted = 0;
      int wordAt = 0;
      int ofWord = 0;
      if (stores == 1) {
        int wanted = position > 0 ? position : Scalars.min(CHUNK, tiles - chunk * CHUNK);
        isWanted = thread < wanted ? 1 : 0;
        wordAt = SelectTiles.countAt(chunk * CHUNK + thread);
        if (thread >= CHUNK) {
          isWanted = thread - CHUNK < inGroup * TOTALS ? 1 : 0;
          int total = thread - CHUNK;
          wordAt = SelectTiles.totalAt(mostTiles, group * GROUP + total / TOTALS, total % TOTALS);
        }
        if (thread == SelectTiles.STARTER) {
          isWanted = group > 0 ? 1 : 0;
          wordAt = SelectTiles.startAt(mostTiles, group);
        }
        if (phase == AHEAD & position == 0) {
          if (thread < wanted) {
            ofWord = count(context, words, wordAt, run, polls);
            isWanted = 0;
          }
          int total = WarpCounts.sum(context, thread < CHUNK ? Scalars.max(ofWord, 0) : 0);
          if (lane == 0 & warp < TOTALS) {
            StampedWords.write(words, SelectTiles.totalAt(mostTiles, chunk, warp), 0, run, total);
          }
        }
      }
      int needsValues = by == FLAGS | by == BITS ? stores : 1;
      int arePaired = (outputs & PAIRED) / PAIRED * (1 - (offset & 1));
      int size = THREADS * items * 33 / 32 + 3 * GAPPED;
      int hasOthers = ((outputs & REJECTED) / REJECTED) | ((outputs & JOINED) / JOINED);
      int isStriped = (outputs & STRIPED) / STRIPED;
      int isPassed = (outputs & PASSED) / PASSED;
      int hasPlaces =
          ((outputs & POSITIONS) / POSITIONS) | ((outputs & INDEXED) / INDEXED) | isPassed;
      int isGathered = (outputs & ELEMENTS) / ELEMENTS * hasPlaces * (1 - hasOthers);
      int hasElements = ((outputs & ELEMENTS) / ELEMENTS - isGathered) | hasOthers;
      int hasMarks = (outputs & MARKS) / MARKS;
      int hasNumbers = ((outputs & LENGTHS) / LENGTHS) | hasMarks;
      @Value int[] ranked = context.allocateIntLocalArray((size + THREADS) * hasElements + 1);
      int[] places = context.allocateIntLocalArray((size + THREADS) * hasPlaces + 1);
      int[] marks = context.allocateIntLocalArray(THREADS * items / ROUND * hasMarks + 1);
      int[] ofWarps = context.allocateIntLocalArray(2 * WARPS + 1);
      int nowhere = hasOthers == 1 ? -1 : size + thread;
      int ofLane = warp * (LANES * items);
      int first = tile * (THREADS * items) - lead;
      int left = length - first;
      int before = Scalars.max(-first, 0);
      int isFull = first > 0 & left >= THREADS * items ? 1 : 0;
      int fullRounds = rounds * isFull;
      int own = 0;
      int passed = 0;
      int passedAt = isPassed == 1 ? SelectTiles.passedAt(mostTiles, tile, thread) : 0;
      if (isPassed == 1 & stores == 1 & isFull == 1) {
        long word = StampedWords.read(context, words, passedAt, run, polls);
        passed = (int) (word & 0xffffffffL);
        if (StampedWords.stamp(word) != run) {
          gaveUp.set(shape.get(shapeAt + SelectTiles.GAVE_UP_AT), tile + 1);
        }
      }
      int reads = isPassed == 1 ? 1 - stores : needsValues;
      int step = isStriped == 1 ? LANES : 1;
      int since = Scalars.min(Scalars.max(before - ofLane, 0), LANES * items);
      for (int r = 0; r < fullRounds; r++) {
        int item = ofLane + r * (ROUND * LANES) + (isStriped == 1 ? lane : 4 * lane);
        int index = first + item;
        int at = offset + index;
        @Value int v0 = 0;
        @Value int v1 = 0;
        @Value int v2 = 0;
        @Value int v3 = 0;
        @Value int v4 = 0;
        @Value int v5 = 0;
        @Value int v6 = 0;
        @Value int v7 = 0;
        @Value int p0 = 0;
        @Value int p4 = 0;
        if (reads == 1 & arePaired == 1) {
          int two = at >> 1;
          long l0 = pairs.get(two);
          long l2 = pairs.get(two + 1);
          long l4 = pairs.get(two + ROW / 2);
          long l6 = pairs.get(two + ROW / 2 + 1);
          v0 = Scalars.ofBits(l0, v0);
          v1 = Scalars.ofBits(l0 >> 32, v1);
          v2 = Scalars.ofBits(l2, v2);
          v3 = Scalars.ofBits(l2 >> 32, v3);
          v4 = Scalars.ofBits(l4, v4);
          v5 = Scalars.ofBits(l4 >> 32, v5);
          v6 = Scalars.ofBits(l6, v6);
          v7 = Scalars.ofBits(l6 >> 32, v7);
        }
        if (reads == 1 & arePaired == 0) {
          v0 = Scalars.value(values.get(at));
          v1 = Scalars.value(values.get(at + step));
          v2 = Scalars.value(values.get(at + 2 * step));
          v3 = Scalars.value(values.get(at + 3 * step));
          v4 = Scalars.value(values.get(at + ROW));
          v5 = Scalars.value(values.get(at + ROW + step));
          v6 = Scalars.value(values.get(at + ROW + 2 * step));
          v7 = Scalars.value(values.get(at + ROW + 3 * step));
        }
        if (by == HEADS & reads == 1) {
          p0 = Scalars.value(values.get(at - 1));
          p4 = Scalars.value(values.get(at + ROW - 1));
        }
        int is0 = (passed >> (r * ROUND)) & 1;
        int is1 = (passed >> (r * ROUND + 1)) & 1;
        int is2 = (passed >> (r * ROUND + 2)) & 1;
        int is3 = (passed >> (r * ROUND + 3)) & 1;
        int is4 = (passed >> (r * ROUND + 4)) & 1;
        int is5 = (passed >> (r * ROUND + 5)) & 1;
        int is6 = (passed >> (r * ROUND + 6)) & 1;
        int is7 = (passed >> (r * ROUND + 7)) & 1;
        if (isPassed == 0 | stores == 0) {
          is0 = holds(by, keeps, flags, bits, flagsFrom, index, v0, p0);
          is1 = holds(by, keeps, flags, bits, flagsFrom, index + step, v1, v0);
          is2 = holds(by, keeps, flags, bits, flagsFrom, index + 2 * step, v2, v1);
          is3 = holds(by, keeps, flags, bits, flagsFrom, index + 3 * step, v3, v2);
          is4 = holds(by, keeps, flags, bits, flagsFrom, index + ROW, v4, p4);
          is5 = holds(by, keeps, flags, bits, flagsFrom, index + ROW + step, v5, v4);
          is6 = holds(by, keeps, flags, bits, flagsFrom, index + ROW + 2 * step, v6, v5);
          is7 = holds(by, keeps, flags, bits, flagsFrom, index + ROW + 3 * step, v7, v6);
        }
        int four = is0 | (is1 << 1) | (is2 << 2) | (is3 << 3);
        int eight = four | (is4 << 4) | (is5 << 5) | (is6 << 6) | (is7 << 7);
        int low = is0 + is1 + is2 + is3;
        int high = is4 + is5 + is6 + is7;
        if (stores == 0) {
          own += low + high;
          passed = isPassed == 1 ? passed | (eight << (r * ROUND)) : 0;
        }
        if (stores == 1) {
          if (hasMarks == 1) {
            marks[r * THREADS + thread] = eight;
          }
          int rank0 = ofLane + own;
          int rank1 = 0;
          int rank2 = 0;
          int rank3 = 0;
          int rank4 = 0;
          int rank5 = 0;
          int rank6 = 0;
          int rank7 = 0;
          int ownBefore = own;
          if (isStriped == 0) {
            float later = WarpCounts.since(context, thread, low + high * FIELD);
            int all = (int) context.simdBroadcastFirst(later);
            int earlier = all - (int) later;
            rank4 = rank0 + (all & (FIELD - 1)) + earlier / FIELD;
            rank0 += earlier & (FIELD - 1);
            rank1 = rank0 + is0;
            rank2 = rank1 + is1;
            rank3 = rank2 + is2;
            rank5 = rank4 + is4;
            rank6 = rank5 + is5;
            rank7 = rank6 + is6;
            own += (all & (FIELD - 1)) + all / FIELD;
          }
          if (isStriped == 1) {
            int lowRows = is0 | (is1 << ROW_BITS) | (is2 << 2 * ROW_BITS) | (is3 << 3 * ROW_BITS);
            int highRows = is4 | (is5 << ROW_BITS) | (is6 << 2 * ROW_BITS) | (is7 << 3 * ROW_BITS);
            float later = WarpCounts.since(context, thread, lowRows);
            float laterHigh = WarpCounts.since(context, thread, highRows);
            int all = (int) context.simdBroadcastFirst(later);
            int allHigh = (int) context.simdBroadcastFirst(laterHigh);
            int earlier = all - (int) later;
            int earlierHigh = allHigh - (int) laterHigh;
            rank1 = rank0 + (all & OF_ROW);
            rank2 = rank1 + ((all >> ROW_BITS) & OF_ROW);
            rank3 = rank2 + ((all >> 2 * ROW_BITS) & OF_ROW);
            rank4 = rank3 + (all >> 3 * ROW_BITS);
            rank5 = rank4 + (allHigh & OF_ROW);
            rank6 = rank5 + ((allHigh >> ROW_BITS) & OF_ROW);
            rank7 = rank6 + ((allHigh >> 2 * ROW_BITS) & OF_ROW);
            own = rank7 + (allHigh >> 3 * ROW_BITS) - ofLane;
            rank0 += earlier & OF_ROW;
            rank1 += (earlier >> ROW_BITS) & OF_ROW;
            rank2 += (earlier >> 2 * ROW_BITS) & OF_ROW;
            rank3 += earlier >> 3 * ROW_BITS;
            rank4 += earlierHigh & OF_ROW;
            rank5 += (earlierHigh >> ROW_BITS) & OF_ROW;
            rank6 += (earlierHigh >> 2 * ROW_BITS) & OF_ROW;
            rank7 += earlierHigh >> 3 * ROW_BITS;
          }
          if (hasOthers == 1 | own > ownBefore) {
            int back = LANES * items - 1 - (item - ofLane);
            int slot0 = slot(is0, rank0, back, nowhere);
            int slot1 = slot(is1, rank1, back - step, nowhere);
            int slot2 = slot(is2, rank2, back - 2 * step, nowhere);
            int slot3 = slot(is3, rank3, back - 3 * step, nowhere);
            int slot4 = slot(is4, rank4, back - ROW, nowhere);
            int slot5 = slot(is5, rank5, back - ROW - step, nowhere);
            int slot6 = slot(is6, rank6, back - ROW - 2 * step, nowhere);
            int slot7 = slot(is7, rank7, back - ROW - 3 * step, nowhere);
            if (hasElements == 1) {
              ranked[slot0] = v0;
              ranked[slot1] = v1;
              ranked[slot2] = v2;
              ranked[slot3] = v3;
              ranked[slot4] = v4;
              ranked[slot5] = v5;
              ranked[slot6] = v6;
              ranked[slot7] = v7;
            }
            if (hasPlaces == 1) {
              places[slot0] = item;
              places[slot1] = item + step;
              places[slot2] = item + 2 * step;
              places[slot3] = item + 3 * step;
              places[slot4] = item + ROW;
              places[slot5] = item + ROW + step;
              places[slot6] = item + ROW + 2 * step;
              places[slot7] = item + ROW + 3 * step;
            }
          }
        }
      }
      for (int c = fullRounds * ROUND; c < rounds * ROUND; c++) {
        int item = ofLane + c * LANES + lane;
        int index = Scalars.max(first + Scalars.max(Scalars.min(item, left - 1), before), 0);
        @Value int value = Scalars.value(values.get(offset + index));
        @Value int previous = Scalars.value(values.get(offset + Scalars.max(index - 1, 0)));
        int is = holds(by, keeps, flags, bits, flagsFrom, index, value, previous);
        if (by == HEADS) {
          is = is | (index == 0 ? 1 : 0);
        }
        int isInside = item < left & item >= before ? 1 : 0;
        is = is & isInside;
        if (stores == 0) {
          own += is;
        }
        if (stores == 1) {
          float later = WarpCounts.since(context, thread, is);
          int all = (int) context.simdBroadcastFirst(later);
          int rank = own + all - (int) later;
          own += all;
          if (hasMarks == 1) {
            int half = WarpCounts.sum(context, lane < 16 ? is << lane : 0);
            int upper = WarpCounts.sum(context, lane < 16 ? 0 : is << (lane - 16));
            if (lane == 0) {
              bits.set((tile * WARPS + warp) * items + c, half | (upper << 16));
            }
          }
          int back = LANES * items - 1 - (item - ofLane - since);
          int slot = slot(is, ofLane + rank, back, nowhere);
          if (hasElements == 1) {
            if (isInside == 1) {
              ranked[slot] = value;
            }
          }
          if (hasPlaces == 1) {
            if (isInside == 1) {
              places[slot] = item;
            }
          }
        }
      }
      int ofWords = 0;
      if (stores == 0) {
        own = WarpCounts.sum(context, own);
        if (isPassed == 1) {
          StampedWords.write(words, passedAt, 0, run, passed);
        }
      }
      if (stores == 1) {
        if (isWanted == 1) {
          ofWord = count(context, words, wordAt, run, polls);
        }
        if (ofWord < 0) {
          gaveUp.set(shape.get(shapeAt + SelectTiles.GAVE_UP_AT), tile + 1);
          ofWord = 0;
        }
        ofWords = WarpCounts.sum(context, thread < SelectTiles.STARTER ? ofWord : 0);
      }
      if (lane == LANES - 1) {
        ofWarps[warp] = own;
        ofWarps[WARPS + warp] = ofWords;
      }
      if (thread == SelectTiles.STARTER) {
        ofWarps[thread + 2 * WARPS - SelectTiles.STARTER] = ofWord;
      }
      context.localBarrier();
      int zero = thread / THREADS;
      int all = 0;
      int prefix = 0;
      for (int w = 0; w < WARPS; w++) {
        int next = ofWarps[zero + w];
        prefix += w < warp ? next : 0;
        all += next;
      }
      if (stores == 0 & thread == 0) {
        StampedWords.write(words, SelectTiles.countAt(tile), 0, run, all);
      }
      if (stores == 1) {
        int inner = 0;
        for (int w = 0; w < TOTALS; w++) {
          inner += ofWarps[zero + WARPS + w];
        }
        int start = ofWarps[zero + 2 * WARPS];
        for (int w = TOTALS; w < WARPS; w++) {
          start += ofWarps[zero + WARPS + w];
        }
        if (phase == AHEAD & position == 0 & inGroup == GROUP - 1 & thread == 0) {
          int next = SelectTiles.startAt(mostTiles, group + 1);
          StampedWords.write(words, next, 0, run, start + inner);
        }
        start += position > 0 ? inner : 0;
        int total = start + all;
        start += prefix;
        int warpOfAll = tile * WARPS + warp;
        if (hasNumbers == 1) {
          if (lane == 0) {
            numbers.set(warpOfAll, start);
          }
        }
        if (hasMarks == 1) {
          if (isFull == 1 & lane < items) {
            int word = 0;
            for (int u = 0; u < 8; u++) {
              int eight = marks[lane / 8 * THREADS + warp * LANES + lane % 4 * 8 + u];
              int nibble = (eight >> (lane / 4 % 2 * 4)) & 15;
              word = word | (nibble << (4 * u));
            }
            bits.set(warpOfAll * items + lane, word);
          }
        }
        int to = shape.get(shapeAt + SelectTiles.KEPT_TO_AT) + start;
        int positionsTo = shape.get(shapeAt + SelectTiles.POSITIONS_TO_AT) + start;
        int lengthsTo = shape.get(shapeAt + SelectTiles.LENGTHS_TO_AT) + start;
        for (int i = lane; i < own; i += 4 * LANES + zero) {
          int slot = gapped(ofLane + i);
          int item0 = 0;
          int item1 = 0;
          int item2 = 0;
          int item3 = 0;
          int more = own - i;
          if (hasPlaces == 1) {
            item0 = places[slot];
            item1 = more > LANES ? places[slot + GAPPED] : item0;
            item2 = more > 2 * LANES ? places[slot + 2 * GAPPED] : item0;
            item3 = more > 3 * LANES ? places[slot + 3 * GAPPED] : item0;
          }
          if ((outputs & ELEMENTS) != 0) {
            @Value int v0 = 0;
            @Value int v1 = 0;
            @Value int v2 = 0;
            @Value int v3 = 0;
            if (isGathered == 1) {
              v0 = Scalars.value(values.get(offset + first + item0));
              v1 = Scalars.value(values.get(offset + first + item1));
              v2 = Scalars.value(values.get(offset + first + item2));
              v3 = Scalars.value(values.get(offset + first + item3));
            }
            if (isGathered == 0) {
              v0 = ranked[slot];
              v1 = ranked[slot + GAPPED];
              v2 = ranked[slot + 2 * GAPPED];
              v3 = ranked[slot + 3 * GAPPED];
            }
            kept.set(to + i, (@Element int) Placeholder.map(first + item0, v0));
            if (more > LANES) {
              kept.set(to + i + LANES, (@Element int) Placeholder.map(first + item1, v1));
            }
            if (more > 2 * LANES) {
              kept.set(to + i + 2 * LANES, (@Element int) Placeholder.map(first + item2, v2));
            }
            if (more > 3 * LANES) {
              kept.set(to + i + 3 * LANES, (@Element int) Placeholder.map(first + item3, v3));
            }
          }
          if ((outputs & POSITIONS) != 0) {
            positions.set(positionsTo + i, first + item0);
            if (more > LANES) {
              positions.set(positionsTo + i + LANES, first + item1);
            }
            if (more > 2 * LANES) {
              positions.set(positionsTo + i + 2 * LANES, first + item2);
            }
            if (more > 3 * LANES) {
              positions.set(positionsTo + i + 3 * LANES, first + item3);
            }
          }
        }
        if ((outputs & LENGTHS) != 0) {
          for (int i = lane; i < own - 1; i += 2 * LANES + zero) {
            int slot = gapped(ofLane + i);
            int next = slot + 1 + lane / (LANES - 1);
            int length0 = places[next] - places[slot];
            int length1 = places[next + GAPPED] - places[slot + GAPPED];
            lengths.set(lengthsTo + i, length0);
            if (i + LANES < own - 1) {
              lengths.set(lengthsTo + i + LANES, length1);
            }
          }
        }
        if (hasOthers == 1) {
          int until = Scalars.min(Scalars.max(left - ofLane, 0), LANES * items);
          int others = Scalars.max(until - since, 0) - own;
          int othersTo = first + Scalars.max(ofLane, before) - start;
          int rejectedTo = shape.get(shapeAt + SelectTiles.REJECTED_TO_AT) + othersTo;
          int joinedTo = shape.get(shapeAt + SelectTiles.KEPT_TO_AT) + othersTo;
          if ((outputs & JOINED) != 0) {
            int groups = (SelectTiles.chunks(tiles) + GROUP - 1) / GROUP;
            joinedTo += (int) (words.get(SelectTiles.startAt(mostTiles, groups)) & 0xffffffffL);
          }
          for (int i = lane; i < others; i += LANES) {
            @Value int value = ranked[gapped(ofLane + LANES * items - 1 - i)];
            if ((outputs & JOINED) != 0) {
              kept.set(joinedTo + i, (@Element int) value);
            }
            if ((outputs & REJECTED) != 0) {
              rejected.set(rejectedTo + i, (@Element int) value);
            }
          }
        }
        if (tile == tiles - 1 & thread == 0) {
          if (hasNumbers == 1) {
            numbers.set(tiles * WARPS, total);
          }
          int countAt = shape.get(shapeAt + SelectTiles.COUNT_AT);
          int countRejectedAt = shape.get(shapeAt + SelectTiles.COUNT_REJECTED_AT);
          int gaveUpAt = shape.get(shapeAt + SelectTiles.GAVE_UP_AT);
          int runs = RunCounter.next(gaveUp.get(gaveUpAt + 1));
          count.set(countAt, total);
          count.set(countAt + 1, runs);
          countRejected.set(countRejectedAt, length - total);
          countRejected.set(countRejectedAt + 1, runs);
          gaveUp.set(gaveUpAt + 1, runs);
          if (phase == AHEAD) {
            words.set(0, run);
          }
        }
      }
    }
  }

  /** 1 if an element is kept, else 0. */
  private static int holds(
      int by,
      int keeps,
      ByteArray flags,
      IntArray bits,
      int flagsFrom,
      int index,
      @Value int value,
      @Value int previous) {
    int is = 0;
    if (by == TEST) {
      is = Placeholder.test(index, value) ? 1 : 0;
    }
    if (by == FLAGS) {
      is = flags.get(flagsFrom + index) == 0 ? 0 : 1;
    }
    if (by == BITS) {
      is = bit(bits, flagsFrom, index);
    }
    if (by == HEADS) {
      is = Differs.of(value, previous);
    }
    return keeps == 1 ? is : 1 - is;
  }

  /** A word's count once it is there, else -1. */
  private static int count(KernelContext context, LongArray words, int at, int run, int polls) {
    long word = StampedWords.read(context, words, at, run, polls);
    return StampedWords.stamp(word) == run ? (int) (word & 0xffffffffL) : -1;
  }

  /** Where an element is placed: one that is not kept goes nowhere, or so much further. */
  private static int slot(int is, int rank, int back, int nowhere) {
    return nowhere < 0 ? gapped(rank + (is == 1 ? 0 : back)) : is == 1 ? gapped(rank) : nowhere;
  }

  private static int gapped(int rank) {
    return rank + (rank >> 5);
  }

  private static int bit(IntArray bits, int from, int index) {
    return (bits.get(from + index / 32) >> (index & 31)) & 1;
  }

  /** Counts the kept elements of each chunk, one block per chunk. */
  static void totals(
      KernelContext context, IntArray shape, LongArray words, @AtLaunch int shapeAt) {
    int thread = context.localIdx;
    int chunk = context.groupIdx;
    int tiles = shape.get(shapeAt + SelectTiles.TILES_AT);
    int mostTiles = shape.get(shapeAt + SelectTiles.MOST_TILES_AT);
    int wanted = Scalars.min(CHUNK, tiles - chunk * CHUNK);
    int tile = chunk * CHUNK + Scalars.max(Scalars.min(thread, wanted - 1), 0);
    int ofTile = (int) (words.get(SelectTiles.countAt(tile)) & 0xffffffffL);
    int total = WarpCounts.sum(context, thread < wanted ? ofTile : 0);
    if (thread % LANES == 0) {
      int at = SelectTiles.totalAt(mostTiles, chunk, thread / LANES);
      StampedWords.write(words, at, 0, 0, total);
    }
  }

  /** Counts the kept elements before each group, and all of them, in one block. */
  static void starts(
      KernelContext context, IntArray shape, LongArray words, @AtLaunch int shapeAt) {
    int thread = context.localIdx;
    int mostTiles = shape.get(shapeAt + SelectTiles.MOST_TILES_AT);
    int totals = SelectTiles.chunks(shape.get(shapeAt + SelectTiles.TILES_AT)) * TOTALS;
    int groups = (totals + OF_GROUP - 1) / OF_GROUP;
    int start = 0;
    for (int group = 0; group < groups; group++) {
      int each = group * OF_GROUP + thread;
      int last = Scalars.min(each, totals - 1);
      int at = SelectTiles.totalAt(mostTiles, last / TOTALS, last % TOTALS);
      int total = (int) (words.get(at) & 0xffffffffL);
      start += BlockReduce.sum(context, thread, OF_GROUP, each < totals ? total : 0);
      if (thread == 0) {
        StampedWords.write(words, SelectTiles.startAt(mostTiles, group + 1), 0, 0, start);
      }
    }
  }
}
