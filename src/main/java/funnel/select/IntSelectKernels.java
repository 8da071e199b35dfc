package funnel.select;

import funnel.block.BlockReduce;
import funnel.jit.Element;
import funnel.jit.Placeholder;
import funnel.jit.StampedWords;
import funnel.jit.Twins;
import funnel.jit.Value;
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
   * COUNT counts the tile's kept elements. STORE stages the tile in local memory, where each thread
   * tests consecutive elements and has a bit for each that is kept. A scan of the numbers of bits
   * gives each element its rank, and the element's place in the tile goes to local memory at that
   * rank: kept ones from the front, rejected ones from the back. So one loop stores in order what
   * is consecutive in the output, elements or positions or both; a partition needs two such loops.
   *
   * The tile's start is the sum of one word per thread: the counts of earlier tiles of its chunk,
   * the totals of earlier chunks of its group, and the group's start. Sums of counts are exact in
   * any order, so all words are read at once; for the first time before the tile's elements are
   * loaded, when those of most blocks are there.
   *
   * Warps add by shuffles (WarpCounts), exactly: the totals of the 32 chunks that a warp adds are
   * at most 2^24. A group's start may be larger, and goes to the others as an int. So a block that
   * stores has three barriers, and one that counts has one.
   *
   * AHEAD does both in one launch, with the order of blocks that scans have: blocks that count run
   * two chunks ahead of blocks that store. Words are stamped with the number of the run. A word
   * that has not arrived after all polls counts as 0, which keeps all places inside the arrays, and
   * the run is given up. In the form of four launches the stamp is always 0: each launch finds the
   * words of the one before, and totals and starts have their own launches.
   *
   * In full tiles a thread loads eight elements at a time; in others loads are clamped. Ranks have
   * a gap after each 32 in local memory, so that the threads of a warp, which may be 4, 8 or 16
   * apart, use different banks. Four values are read before the first of them is stored. Rounds are
   * counted by a number from the shape array, since loops of constant length are unrolled
   * completely. In the last round of a loop over ranks, what is read after the last rank is
   * garbage, masked to be a place of the tile, and not stored.
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

  private static final int OTHERS = REJECTED | JOINED;

  private static final int ROUND = 8;
  private static final int THREADS = SelectTiles.THREADS;
  private static final int CHUNK = SelectTiles.CHUNK;
  private static final int GROUP = SelectTiles.GROUP;
  private static final int LANES = 32;
  private static final int WARPS = THREADS / LANES;
  private static final int CHUNK_WARPS = CHUNK / LANES;
  private static final int GROUP_WARPS = GROUP / LANES;

  private IntSelectKernels() {}

  /* All phases are in one long method, since they share local arrays, which TornadoVM cannot pass
   * to another.
   */
  static void tiles(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      ByteArray flags,
      IntArray bits,
      @Element IntArray kept,
      IntArray positions,
      @Element IntArray rejected,
      LongArray words,
      IntArray count,
      IntArray countRejected,
      IntArray gaveUp,
      int by,
      int keeps,
      int outputs,
      int items,
      int lead,
      int phase,
      int shapeAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int length = shape.get(shapeAt + SelectTiles.LENGTH_AT);
    int offset = length > 0 ? shape.get(shapeAt) : 0;
    int tiles = shape.get(shapeAt + SelectTiles.TILES_AT);
    int mostTiles = shape.get(shapeAt + SelectTiles.MOST_TILES_AT);
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
      int first = tile * (THREADS * items) - lead;
      int left = length - first;
      int before = Scalars.max(-first, 0);
      int isFull = first >= 0 & left >= THREADS * items ? 1 : 0;
      int fullRounds = rounds * isFull;
      if (stores == 0) {
        int own = 0;
        for (int r = 0; r < fullRounds; r++) {
          int i0 = first + r * ROUND * THREADS + thread;
          @Value int v0 = Scalars.value(values.get(offset + i0));
          @Value int v1 = Scalars.value(values.get(offset + i0 + THREADS));
          @Value int v2 = Scalars.value(values.get(offset + i0 + 2 * THREADS));
          @Value int v3 = Scalars.value(values.get(offset + i0 + 3 * THREADS));
          @Value int v4 = Scalars.value(values.get(offset + i0 + 4 * THREADS));
          @Value int v5 = Scalars.value(values.get(offset + i0 + 5 * THREADS));
          @Value int v6 = Scalars.value(values.get(offset + i0 + 6 * THREADS));
          @Value int v7 = Scalars.value(values.get(offset + i0 + 7 * THREADS));
          own += holds(by, values, flags, bits, offset, flagsFrom, i0, v0);
          own += holds(by, values, flags, bits, offset, flagsFrom, i0 + THREADS, v1);
          own += holds(by, values, flags, bits, offset, flagsFrom, i0 + 2 * THREADS, v2);
          own += holds(by, values, flags, bits, offset, flagsFrom, i0 + 3 * THREADS, v3);
          own += holds(by, values, flags, bits, offset, flagsFrom, i0 + 4 * THREADS, v4);
          own += holds(by, values, flags, bits, offset, flagsFrom, i0 + 5 * THREADS, v5);
          own += holds(by, values, flags, bits, offset, flagsFrom, i0 + 6 * THREADS, v6);
          own += holds(by, values, flags, bits, offset, flagsFrom, i0 + 7 * THREADS, v7);
        }
        for (int c = fullRounds * ROUND; c < rounds * ROUND; c++) {
          int item = c * THREADS + thread;
          int index = first + Scalars.max(Scalars.min(item, left - 1), before);
          index = Scalars.max(index, 0);
          @Value int value = Scalars.value(values.get(offset + index));
          int is = holds(by, values, flags, bits, offset, flagsFrom, index, value);
          own += item < left & item >= before ? is : 0;
        }
        int ofWarp = WarpCounts.sum(context, own);
        int[] ofWarps = WarpCounts.ofWarps(context, thread, THREADS, ofWarp);
        if (thread == 0) {
          int sum = 0;
          for (int w = 0; w < WARPS; w++) {
            sum += ofWarps[thread + w];
          }
          int inside = Scalars.min(left, THREADS * items) - before;
          int ofTile = keeps == 1 ? sum : inside - sum;
          StampedWords.write(words, SelectTiles.countAt(tile), 0, run, ofTile);
        }
      }
      if (stores == 1) {
        int chunk = tile / CHUNK;
        int position = tile % CHUNK;
        int group = chunk / GROUP;
        int inGroup = chunk % GROUP;
        int wanted = position > 0 ? position : Scalars.min(CHUNK, tiles - chunk * CHUNK);
        int wordAt = SelectTiles.countAt(chunk * CHUNK + Scalars.min(thread, wanted - 1));
        int isWanted = thread < wanted ? 1 : 0;
        if (thread >= CHUNK) {
          isWanted = thread - CHUNK < inGroup ? 1 : 0;
          wordAt =
              SelectTiles.totalAt(mostTiles, group * GROUP + Scalars.min(thread - CHUNK, inGroup));
        }
        if (thread == SelectTiles.STARTER) {
          isWanted = group > 0 ? 1 : 0;
          wordAt = SelectTiles.startAt(mostTiles, group);
        }
        long word = 0L;
        if (isWanted == 1) {
          word = words.get(wordAt);
        }
        int place = thread + thread / items;
        int pitch = THREADS + THREADS / items;
        @Value int[] staged = context.allocateIntLocalArray(THREADS * (items + 1));
        // flags use the ranks' memory, with gaps after a thread's items
        int[] ranked =
            context.allocateIntLocalArray(THREADS * items * 33 / 32 + 3 * (THREADS + WARPS));
        for (int r = 0; r < fullRounds; r++) {
          int from = offset + first + r * ROUND * THREADS + thread;
          int at = place + r * ROUND * pitch;
          @Value int v0 = Scalars.value(values.get(from));
          @Value int v1 = Scalars.value(values.get(from + THREADS));
          @Value int v2 = Scalars.value(values.get(from + 2 * THREADS));
          @Value int v3 = Scalars.value(values.get(from + 3 * THREADS));
          @Value int v4 = Scalars.value(values.get(from + 4 * THREADS));
          @Value int v5 = Scalars.value(values.get(from + 5 * THREADS));
          @Value int v6 = Scalars.value(values.get(from + 6 * THREADS));
          @Value int v7 = Scalars.value(values.get(from + 7 * THREADS));
          staged[at] = v0;
          staged[at + pitch] = v1;
          staged[at + 2 * pitch] = v2;
          staged[at + 3 * pitch] = v3;
          staged[at + 4 * pitch] = v4;
          staged[at + 5 * pitch] = v5;
          staged[at + 6 * pitch] = v6;
          staged[at + 7 * pitch] = v7;
        }
        for (int c = fullRounds * ROUND; c < rounds * ROUND; c++) {
          int index = first + Scalars.min(c * THREADS + thread, left - 1);
          staged[place + c * pitch] = Scalars.value(values.get(offset + Scalars.max(index, 0)));
        }
        if (by == FLAGS) {
          for (int r = 0; r < fullRounds; r++) {
            int from = flagsFrom + first + r * ROUND * THREADS + thread;
            int at = place + r * ROUND * pitch;
            int f0 = flags.get(from);
            int f1 = flags.get(from + THREADS);
            int f2 = flags.get(from + 2 * THREADS);
            int f3 = flags.get(from + 3 * THREADS);
            int f4 = flags.get(from + 4 * THREADS);
            int f5 = flags.get(from + 5 * THREADS);
            int f6 = flags.get(from + 6 * THREADS);
            int f7 = flags.get(from + 7 * THREADS);
            ranked[at] = f0;
            ranked[at + pitch] = f1;
            ranked[at + 2 * pitch] = f2;
            ranked[at + 3 * pitch] = f3;
            ranked[at + 4 * pitch] = f4;
            ranked[at + 5 * pitch] = f5;
            ranked[at + 6 * pitch] = f6;
            ranked[at + 7 * pitch] = f7;
          }
          for (int c = fullRounds * ROUND; c < rounds * ROUND; c++) {
            int index = first + Scalars.min(c * THREADS + thread, left - 1);
            ranked[place + c * pitch] = flags.get(flagsFrom + Scalars.max(index, 0));
          }
        }
        int at = thread * (items + 1);
        @Value int previous = Scalars.value(values.get(offset + Scalars.max(first - 1, 0)));
        context.localBarrier();
        if (by == HEADS) {
          previous = thread == 0 ? previous : staged[Scalars.max(at - 2, 0)];
        }
        int ownFirst = thread * items;
        int mask = 0;
        for (int r = 0; r < rounds; r++) {
          int ofRound = 0;
          int from = at + r * ROUND;
          int item = ownFirst + r * ROUND;
          for (int k = 0; k < ROUND; k++) {
            @Value int value = staged[from + k];
            int is = 0;
            if (by == TEST) {
              is = Placeholder.test(first + item + k, value) ? 1 : 0;
            }
            if (by == FLAGS) {
              is = ranked[from + k] == 0 ? 0 : 1;
            }
            if (by == BITS) {
              int index = first + Scalars.min(item + k, left - 1);
              is = bit(bits, flagsFrom, Scalars.max(index, 0));
            }
            if (by == HEADS) {
              int isFirst = first + item + k == 0 ? 1 : 0;
              is = Differs.of(value, previous) | isFirst;
              previous = value;
            }
            ofRound = ofRound | (is << k);
          }
          mask = mask | (ofRound << (r * ROUND));
        }
        int until = Scalars.max(Scalars.min(left - ownFirst, items), 0);
        int since = Scalars.min(Scalars.max(before - ownFirst, 0), until);
        int inside = (1 << until) - (1 << since);
        mask = (keeps == 1 ? mask : ~mask) & inside;
        int own = Integer.bitCount(mask);
        int prefix = WarpCounts.before(context, thread, own);
        int ofWord = 0;
        if (isWanted == 1) {
          if (StampedWords.stamp(word) != run) {
            word = StampedWords.read(context, words, wordAt, run, polls);
          }
          int isThere = StampedWords.stamp(word) == run ? 1 : 0;
          ofWord = isThere == 1 ? (int) (word & 0xffffffffL) : 0;
          if (isThere == 0) {
            gaveUp.set(shape.get(shapeAt + SelectTiles.GAVE_UP_AT), tile + 1);
          }
        }
        int ofWords = WarpCounts.sum(context, thread < SelectTiles.STARTER ? ofWord : 0);
        int warp = thread / LANES;
        int[] ofWarps = context.allocateIntLocalArray(2 * WARPS + 1);
        if (thread % LANES == LANES - 1) {
          ofWarps[warp] = prefix + own;
          ofWarps[WARPS + warp] = ofWords;
        }
        if (thread == SelectTiles.STARTER) {
          ofWarps[thread + 2 * WARPS - SelectTiles.STARTER] = ofWord;
        }
        context.localBarrier();
        int zero = thread / THREADS;
        int all = 0;
        for (int w = 0; w < WARPS; w++) {
          int next = ofWarps[zero + w];
          prefix += w < warp ? next : 0;
          all += next;
        }
        int inner = 0;
        for (int w = 0; w < CHUNK_WARPS; w++) {
          inner += ofWarps[zero + WARPS + w];
        }
        int start = ofWarps[zero + 2 * WARPS];
        for (int w = 0; w < GROUP_WARPS; w++) {
          start += ofWarps[zero + WARPS + CHUNK_WARPS + w];
        }
        if (phase == AHEAD) {
          if (thread == 0 & position == 0) {
            StampedWords.write(words, SelectTiles.totalAt(mostTiles, chunk), 0, run, inner);
            if (inGroup == GROUP - 1) {
              int next = SelectTiles.startAt(mostTiles, group + 1);
              StampedWords.write(words, next, 0, run, start + inner);
            }
          }
        }
        start += position > 0 ? inner : 0;
        int rank = prefix;
        int rejectedRank = THREADS * items - 1 - (Scalars.max(ownFirst - before, 0) - prefix);
        int others = inside & ~mask;
        for (int r = 0; r < rounds; r++) {
          int ofRound = (mask >> (r * ROUND)) & 0xff;
          int othersOfRound = (others >> (r * ROUND)) & 0xff;
          int item = ownFirst + r * ROUND;
          for (int k = 0; k < ROUND; k++) {
            if ((ofRound & (1 << k)) != 0) {
              ranked[gapped(rank)] = item + k;
              rank = rank + 1;
            }
            if ((outputs & OTHERS) != 0) {
              if ((othersOfRound & (1 << k)) != 0) {
                ranked[gapped(rejectedRank)] = item + k;
                rejectedRank = rejectedRank - 1;
              }
            }
          }
        }
        context.localBarrier();
        int places = THREADS * items - 1;
        int rows = items == 8 ? 3 : 4; // shifts, since divisions are of signed numbers
        int to = shape.get(shapeAt + SelectTiles.KEPT_TO_AT) + start;
        int positionsTo = shape.get(shapeAt + SelectTiles.POSITIONS_TO_AT) + start;
        for (int i = thread; i < all; i += 4 * THREADS) {
          int slot = gapped(i);
          int item0 = ranked[slot];
          int item1 = ranked[slot + THREADS + WARPS] & places;
          int item2 = ranked[slot + 2 * (THREADS + WARPS)] & places;
          int item3 = ranked[slot + 3 * (THREADS + WARPS)] & places;
          int more = all - i;
          if ((outputs & ELEMENTS) != 0) {
            @Value int v0 = staged[item0 + (item0 >> rows)];
            @Value int v1 = staged[item1 + (item1 >> rows)];
            @Value int v2 = staged[item2 + (item2 >> rows)];
            @Value int v3 = staged[item3 + (item3 >> rows)];
            kept.set(to + i, (@Element int) Placeholder.map(first + item0, v0));
            if (more > THREADS) {
              kept.set(to + i + THREADS, (@Element int) Placeholder.map(first + item1, v1));
            }
            if (more > 2 * THREADS) {
              kept.set(to + i + 2 * THREADS, (@Element int) Placeholder.map(first + item2, v2));
            }
            if (more > 3 * THREADS) {
              kept.set(to + i + 3 * THREADS, (@Element int) Placeholder.map(first + item3, v3));
            }
          }
          if ((outputs & POSITIONS) != 0) {
            positions.set(positionsTo + i, first + item0);
            if (more > THREADS) {
              positions.set(positionsTo + i + THREADS, first + item1);
            }
            if (more > 2 * THREADS) {
              positions.set(positionsTo + i + 2 * THREADS, first + item2);
            }
            if (more > 3 * THREADS) {
              positions.set(positionsTo + i + 3 * THREADS, first + item3);
            }
          }
        }
        int allInside = Scalars.min(left, THREADS * items) - before;
        int startRejected = first + before - start;
        if ((outputs & OTHERS) != 0) {
          int rejectedTo = shape.get(shapeAt + SelectTiles.REJECTED_TO_AT) + startRejected;
          int joinedAt = startRejected - start;
          if ((outputs & JOINED) != 0) {
            int groups = (SelectTiles.chunks(tiles) + GROUP - 1) / GROUP;
            joinedAt += (int) (words.get(SelectTiles.startAt(mostTiles, groups)) & 0xffffffffL);
          }
          for (int i = thread; i < allInside - all; i += THREADS) {
            int item = ranked[gapped(THREADS * items - 1 - i)];
            if ((outputs & JOINED) != 0) {
              kept.set(to + joinedAt + i, (@Element int) staged[item + (item >> rows)]);
            }
            if ((outputs & REJECTED) != 0) {
              rejected.set(rejectedTo + i, (@Element int) staged[item + (item >> rows)]);
            }
          }
        }
        if (tile == tiles - 1 & thread == 0) {
          int countAt = shape.get(shapeAt + SelectTiles.COUNT_AT);
          int countRejectedAt = shape.get(shapeAt + SelectTiles.COUNT_REJECTED_AT);
          int gaveUpAt = shape.get(shapeAt + SelectTiles.GAVE_UP_AT);
          int runs = RunCounter.next(gaveUp.get(gaveUpAt + 1));
          count.set(countAt, start + all);
          count.set(countAt + 1, runs);
          countRejected.set(countRejectedAt, length - (start + all));
          countRejected.set(countRejectedAt + 1, runs);
          gaveUp.set(gaveUpAt + 1, runs);
          if (phase == AHEAD) {
            words.set(0, run);
          }
        }
      }
    }
  }

  /** 1 if the criterion holds for an element, else 0. */
  private static int holds(
      int by,
      @Element IntArray values,
      ByteArray flags,
      IntArray bits,
      int offset,
      int flagsFrom,
      int index,
      @Value int value) {
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
      @Value int previous = Scalars.value(values.get(offset + Scalars.max(index - 1, 0)));
      is = Differs.of(value, previous) | (index == 0 ? 1 : 0);
    }
    return is;
  }

  private static int gapped(int rank) {
    return rank + (rank >> 5);
  }

  private static int bit(IntArray bits, int from, int index) {
    return (bits.get(from + index / 32) >> (index & 31)) & 1;
  }

  /** Counts the kept elements of each chunk, one block per chunk. */
  static void totals(KernelContext context, IntArray shape, LongArray words, int shapeAt) {
    int thread = context.localIdx;
    int chunk = context.groupIdx;
    int tiles = shape.get(shapeAt + SelectTiles.TILES_AT);
    int mostTiles = shape.get(shapeAt + SelectTiles.MOST_TILES_AT);
    int wanted = Scalars.min(CHUNK, tiles - chunk * CHUNK);
    int tile = chunk * CHUNK + Scalars.max(Scalars.min(thread, wanted - 1), 0);
    int ofTile = (int) (words.get(SelectTiles.countAt(tile)) & 0xffffffffL);
    int total = BlockReduce.sum(context, thread, CHUNK, thread < wanted ? ofTile : 0);
    if (thread == 0) {
      StampedWords.write(words, SelectTiles.totalAt(mostTiles, chunk), 0, 0, total);
    }
  }

  /** Counts the kept elements before each group, and all of them, in one block. */
  static void starts(KernelContext context, IntArray shape, LongArray words, int shapeAt) {
    int thread = context.localIdx;
    int mostTiles = shape.get(shapeAt + SelectTiles.MOST_TILES_AT);
    int chunks = SelectTiles.chunks(shape.get(shapeAt + SelectTiles.TILES_AT));
    int groups = (chunks + GROUP - 1) / GROUP;
    int start = 0;
    for (int group = 0; group < groups; group++) {
      int chunk = Scalars.min(group * GROUP + thread, chunks - 1);
      int total = (int) (words.get(SelectTiles.totalAt(mostTiles, chunk)) & 0xffffffffL);
      total = group * GROUP + thread < chunks ? total : 0;
      start += BlockReduce.sum(context, thread, GROUP, total);
      if (thread == 0) {
        StampedWords.write(words, SelectTiles.startAt(mostTiles, group + 1), 0, 0, start);
      }
    }
  }
}
