package funnel.scan;

import funnel.block.BlockScan;
import funnel.jit.Accumulator;
import funnel.jit.Combine;
import funnel.jit.Element;
import funnel.jit.Placeholder;
import funnel.jit.StampedWords;
import funnel.jit.Twins;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Device form of scans over one element and one accumulator type: see {@link ScanTree}. */
@Twins({
  "IntToLong",
  "LongToLong",
  "FloatToFloat",
  "FloatToDouble",
  "DoubleToDouble",
  "ByteToInt",
  "ByteToLong"
})
final class IntToIntScanKernels {

  /* One block per tile. The block loads it coalesced, with eight loads per thread in flight, and
   * stages it in local memory. Padding keeps both a thread's consecutive items and a warp's
   * neighbours on different banks. The tile is scanned there in place and stored coalesced.
   *
   * What a block does is a phase, a constant of the task:
   *
   * SUMS stops at the tile's sum. SCAN computes the tile's start from the sums of its chunk, the
   * totals of its group and the group's start, which earlier launches have left in `sums`. It
   * begins with the last tiles, which are still in the second-level cache.
   *
   * AHEAD does both in one launch. Blocks begin in the order of their numbers. The first two
   * chunks' worth of blocks sum tiles; then a chunk's worth scans and one sums in turn, so that a
   * chunk is summed two chunks before it is scanned. The second read of a tile is served by the
   * second-level cache and normally waits for no other block. Sums are passed on as StampedWords.
   * The first block to scan a chunk stores the chunk's total; that of a group's last chunk stores
   * the next group's start. A word that has not arrived after all polls is replaced by the
   * identity, so that garbage does not reach an operator, and the run is given up: it is repeated
   * in the other form.
   *
   * Word 0 is the number of the last run. The block that scans the last tile updates it. By then
   * all blocks that sum have read it, since their sums have arrived. A scanning block that is
   * delayed at its first load for that long would wait for the next run's words and give up.
   *
   * Full tiles are loaded and stored without bounds checks: integers are otherwise bound by
   * instructions and not by memory. The first and the last tile use the loop after that one, which
   * a full tile runs zero times, since loops in both arms of an if are miscompiled. There the
   * identity stands for items outside the input: loads are clamped and the identity selected.
   * Counts of items decrease from the remaining number, since a growing index could pass 2^31.
   *
   * Where the identity would be an operand, it passes through a selection that no compiler can
   * decide: TornadoVM generates invalid code for a double infinity there.
   *
   * Rounds of eight items are counted by a number from the shape array and not by a constant: loops
   * of constant length are unrolled completely, and need so many registers that fewer blocks fit.
   */

  /* Where the kernels find their ints in the shape array; ScanTree has the last two. */
  static final int FROM_AT = 0;
  static final int LENGTH_AT = 1;
  static final int TO_AT = 2;
  static final int TILES_AT = 3;
  static final int MOST_TILES_AT = 4;
  static final int ROUNDS_AT = 5;
  static final int POLLS_AT = 6;
  static final int INITIAL_AT = 7;

  static final int SUMS = 0;
  static final int SCAN = 1;
  static final int AHEAD = 2;

  /** Chunks that are summed before the first is scanned. */
  static final int AHEAD_CHUNKS = 2;

  /** Loads of a thread that are in flight at once. */
  private static final int ROUND = 8;

  private static final int THREADS = ScanTree.THREADS;
  private static final int CHUNK = ScanTree.CHUNK;
  private static final int GROUP = ScanTree.GROUP;

  private IntToIntScanKernels() {}

  static void tiles(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      @Accumulator IntArray output,
      @Accumulator IntArray initial,
      @Accumulator IntArray sums,
      LongArray words,
      @Accumulator IntArray result,
      IntArray gaveUp,
      int operator,
      @Accumulator int identity,
      @AtLaunch int shapeAt,
      int items,
      int lead,
      int inclusive,
      int phase) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int length = shape.get(shapeAt + LENGTH_AT);
    int offset = length > 0 ? shape.get(shapeAt) : 0;
    int to = shape.get(shapeAt + TO_AT);
    int tiles = shape.get(shapeAt + TILES_AT);
    int mostTiles = shape.get(shapeAt + MOST_TILES_AT);
    int rounds = shape.get(shapeAt + ROUNDS_AT);
    int polls = shape.get(shapeAt + POLLS_AT);
    int plane = items < 32 ? ScanTree.places(mostTiles) : 0;
    int run = 0;
    int tile = phase == SCAN ? tiles - 1 - block : block;
    int scans = phase;
    if (phase == AHEAD) {
      run = (int) words.get(0) + 1;
      int turn = block / CHUNK;
      int later = Scalars.max(turn - AHEAD_CHUNKS, 0);
      scans = turn < AHEAD_CHUNKS ? 0 : later & 1;
      int chunk = turn < AHEAD_CHUNKS ? turn : later / 2 + AHEAD_CHUNKS * (1 - scans);
      tile = chunk * CHUNK + block % CHUNK;
    }
    @Accumulator int nothing = thread < THREADS ? identity : initial.get(0);
    if (tile >= 0 & tile < tiles) {
      int first = tile * (THREADS * items) - lead;
      int left = length - first;
      int before = Scalars.max(-first, 0);
      int place = thread + thread / items;
      int pitch = THREADS + THREADS / items;
      int isFull = first >= 0 & left >= THREADS * items ? 1 : 0;
      int fullRounds = rounds * isFull;
      @Accumulator
      int[] staged =
          staged(context, values, thread, offset, first, left, nothing, items, rounds, fullRounds);
      context.localBarrier();
      int own = thread * (items + 1);
      @Accumulator int sum = nothing;
      for (int r = 0; r < rounds; r++) {
        for (int k = 0; k < ROUND; k++) {
          sum = Combine.apply(operator, sum, staged[own + r * ROUND + k]);
        }
      }
      @Accumulator
      int prefix = BlockScan.exclusive(context, operator, thread, THREADS, sum, nothing);
      if (scans == 0) {
        if (thread == THREADS - 1) {
          @Accumulator int all = Combine.apply(operator, prefix, sum);
          if (phase == SUMS) {
            sums.set(ScanTree.sumAt(tile), all);
          }
          if (phase == AHEAD) {
            StampedWords.write(words, ScanTree.sumAt(tile), plane, run, Scalars.bits(all));
          }
        }
      }
      if (scans == 1) {
        int chunk = tile / CHUNK;
        int position = tile % CHUNK;
        int group = chunk / GROUP;
        int inGroup = chunk % GROUP;
        int wanted = position > 0 ? position : Scalars.min(CHUNK, tiles - chunk * CHUNK);
        int sumAt = ScanTree.sumAt(chunk * CHUNK + Scalars.min(thread, wanted - 1));
        int headAt = ScanTree.totalAt(mostTiles, group * GROUP + thread - 1);
        if (thread == 0) {
          headAt = ScanTree.startAt(mostTiles, group);
        }
        @Accumulator
        int head = thread == 0 ? initial.get(shape.get(shapeAt + INITIAL_AT)) : nothing;
        int hasHead = (thread == 0 & group > 0) | (thread > 0 & thread <= inGroup) ? 1 : 0;
        @Accumulator int tileSum = nothing;
        if (phase == SCAN) {
          tileSum = sums.get(sumAt);
          if (hasHead == 1) {
            head = sums.get(headAt);
          }
        }
        if (phase == AHEAD) {
          long low = StampedWords.read(context, words, sumAt, run, polls);
          long high = low;
          if (plane > 0) {
            high = StampedWords.read(context, words, plane + sumAt, run, polls);
          }
          int there = StampedWords.areOf(run, high, low);
          tileSum = Scalars.ofBits(StampedWords.bits(high, low), nothing);
          tileSum = there == 1 ? tileSum : nothing;
          if (hasHead == 1) {
            low = StampedWords.read(context, words, headAt, run, polls);
            high = low;
            if (plane > 0) {
              high = StampedWords.read(context, words, plane + headAt, run, polls);
            }
            int headThere = StampedWords.areOf(run, high, low);
            @Accumulator int handed = Scalars.ofBits(StampedWords.bits(high, low), nothing);
            head = headThere == 1 ? handed : nothing;
            there = there & headThere;
          }
          if (there == 0) {
            gaveUp.set(shape.get(shapeAt + ScanTree.GAVE_UP_AT), tile + 1);
          }
        }
        tileSum = thread < wanted ? tileSum : nothing;
        @Accumulator int[] heads = context.allocateIntLocalArray(GROUP);
        if (thread < GROUP) {
          heads[thread] = head;
        }
        @Accumulator
        int inner = BlockScan.total(context, operator, thread, THREADS, tileSum, nothing);
        @Accumulator int start = heads[thread / THREADS];
        @Accumulator int ofGroup = nothing;
        for (int k = 1; k <= inGroup; k++) {
          @Accumulator int total = heads[k];
          start = Combine.apply(operator, start, total);
          ofGroup = Combine.apply(operator, ofGroup, total);
        }
        if (phase == AHEAD) {
          if (thread == 0 & position == 0) {
            StampedWords.write(
                words, ScanTree.totalAt(mostTiles, chunk), plane, run, Scalars.bits(inner));
            if (inGroup == GROUP - 1) {
              @Accumulator int next = Combine.apply(operator, ofGroup, inner);
              next = Combine.apply(operator, head, next);
              StampedWords.write(
                  words, ScanTree.startAt(mostTiles, group + 1), plane, run, Scalars.bits(next));
            }
          }
        }
        inner = position > 0 ? inner : nothing;
        @Accumulator int running = Combine.apply(operator, start, inner);
        running = Combine.apply(operator, running, prefix);
        for (int r = 0; r < rounds; r++) {
          for (int k = 0; k < ROUND; k++) {
            int at = own + r * ROUND + k;
            @Accumulator int next = Combine.apply(operator, running, staged[at]);
            staged[at] = inclusive == 1 ? next : running;
            running = next;
          }
        }
        context.localBarrier();
        for (int r = 0; r < fullRounds; r++) {
          for (int k = 0; k < ROUND; k++) {
            int c = r * ROUND + k;
            output.set(to + first + c * THREADS + thread, staged[place + c * pitch]);
          }
        }
        for (int c = fullRounds * ROUND; c < rounds * ROUND; c++) {
          int item = c * THREADS + thread;
          if (item < left & item >= before) {
            output.set(to + first + item, staged[place + c * pitch]);
          }
        }
        int lastThread = Scalars.max(left - 1, 0) / items;
        if (tile == tiles - 1 & thread == lastThread) {
          int resultAt = shape.get(shapeAt + ScanTree.RESULT_AT);
          result.set(resultAt, running);
          int counterAt = shape.get(shapeAt + ScanTree.GAVE_UP_AT) + 1;
          int runs = RunCounter.next(gaveUp.get(counterAt));
          gaveUp.set(counterAt, runs);
          result.set(resultAt + 1, runs);
          if (phase == AHEAD) {
            words.set(0, run);
          }
        }
      }
    }
  }

  /** Stages the tile's items in local memory, with a place left free after every {@code items}. */
  private static @Accumulator int[] staged(
      KernelContext context,
      @Element IntArray values,
      int thread,
      int offset,
      int first,
      int left,
      @Accumulator int identity,
      int items,
      int rounds,
      int fullRounds) {
    @Accumulator int[] staged = context.allocateIntLocalArray(THREADS * (items + 1));
    int before = Scalars.max(-first, 0);
    int place = thread + thread / items;
    int pitch = THREADS + THREADS / items;
    int last = Scalars.max(left - 1, 0);
    for (int r = 0; r < fullRounds; r++) {
      int from = offset + first + r * ROUND * THREADS + thread;
      int at = place + r * ROUND * pitch;
      @Accumulator int v0 = value(from - offset, values.get(from));
      @Accumulator int v1 = value(from + THREADS - offset, values.get(from + THREADS));
      @Accumulator int v2 = value(from + 2 * THREADS - offset, values.get(from + 2 * THREADS));
      @Accumulator int v3 = value(from + 3 * THREADS - offset, values.get(from + 3 * THREADS));
      @Accumulator int v4 = value(from + 4 * THREADS - offset, values.get(from + 4 * THREADS));
      @Accumulator int v5 = value(from + 5 * THREADS - offset, values.get(from + 5 * THREADS));
      @Accumulator int v6 = value(from + 6 * THREADS - offset, values.get(from + 6 * THREADS));
      @Accumulator int v7 = value(from + 7 * THREADS - offset, values.get(from + 7 * THREADS));
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
      int item = c * THREADS + thread;
      @Accumulator int value = element(values, offset, first, item, last);
      staged[place + c * pitch] = item < left & item >= before ? value : identity;
    }
    return staged;
  }

  private static @Accumulator int element(
      @Element IntArray values, int offset, int first, int item, int last) {
    int at = offset + Scalars.max(first + Scalars.min(item, last), 0);
    return value(at - offset, values.get(at));
  }

  /** An element, or in a copy with a user-defined function, its value. */
  private static @Accumulator int value(int index, @Element int element) {
    return (@Accumulator int) Placeholder.map(index, Scalars.value(element));
  }

  static void totals(
      KernelContext context,
      IntArray shape,
      @Accumulator IntArray sums,
      int operator,
      @Accumulator int identity,
      @AtLaunch int shapeAt) {
    int thread = context.localIdx;
    int chunk = context.groupIdx;
    int tiles = shape.get(shapeAt + TILES_AT);
    int mostTiles = shape.get(shapeAt + MOST_TILES_AT);
    int wanted = Scalars.min(CHUNK, tiles - chunk * CHUNK);
    int at = chunk * CHUNK + Scalars.max(Scalars.min(thread, wanted - 1), 0);
    @Accumulator int sum = sums.get(ScanTree.sumAt(at));
    sum = thread < wanted ? sum : identity;
    @Accumulator int total = BlockScan.total(context, operator, thread, THREADS, sum, identity);
    if (thread == 0) {
      sums.set(ScanTree.totalAt(mostTiles, chunk), total);
    }
  }

  static void starts(
      KernelContext context,
      IntArray shape,
      @Accumulator IntArray initial,
      @Accumulator IntArray sums,
      int operator,
      @Accumulator int identity,
      @AtLaunch int shapeAt) {
    int thread = context.localIdx;
    int tiles = shape.get(shapeAt + TILES_AT);
    int mostTiles = shape.get(shapeAt + MOST_TILES_AT);
    int chunks = (tiles + CHUNK - 1) / CHUNK;
    int groups = (chunks + GROUP - 1) / GROUP;
    @Accumulator int[] ofGroups = context.allocateIntLocalArray(THREADS);
    @Accumulator int first = initial.get(shape.get(shapeAt + INITIAL_AT));
    @Accumulator int total = thread < THREADS ? identity : first;
    for (int k = 0; k < GROUP; k++) {
      int chunk = thread * GROUP + k;
      @Accumulator int next = sums.get(ScanTree.totalAt(mostTiles, Scalars.min(chunk, chunks - 1)));
      next = chunk < chunks ? next : identity;
      total = Combine.apply(operator, total, next);
    }
    ofGroups[thread] = total;
    context.localBarrier();
    @Accumulator int running = first;
    for (int group = 0; group < groups; group++) {
      if (thread == 0) {
        sums.set(ScanTree.startAt(mostTiles, group), running);
      }
      running = Combine.apply(operator, running, ofGroups[group]);
    }
  }
}
