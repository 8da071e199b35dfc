package funnel.scan;

import funnel.block.BlockScan;
import funnel.jit.Combine;
import funnel.jit.Element;
import funnel.jit.Placeholder;
import funnel.jit.StampedWords;
import funnel.jit.Twins;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import funnel.operator.ElementType;
import funnel.operator.OperatorCode;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Device form of segmented scans over one type: see {@link SegmentedTree}. */
@Twins({"Long", "Float", "Double"})
final class IntSegmentedScanKernels {

  /* There are two forms. In both, one block per tile either stores the tile's pair or scans the
   * tile. In the form of four launches, one block per chunk then turns the tiles' pairs into those
   * before each, and a single block finds the chunks' starts. The other form is one launch, in
   * which blocks that sum run ahead of blocks that scan. The order of blocks, the words that pass
   * on sums, and the handling of missing words are as in IntToIntScanKernels. A pair's flag is part
   * of its word. Values are staged in local memory as there.
   *
   * A thread has the heads of its items in a register, one bit each: HeadBits. Other kinds of
   * segments have been converted to bits by an earlier launch: reading bytes or keys here would
   * displace values from the cache between their two reads, and would repeat as many instructions.
   * The form of four launches copies bits too, so that the output may be the very array of keys or
   * bits.
   *
   * Everything is combined as `(head ? start : running) op item`: a selection and no branch, and
   * the operator never sees operands of two segments. A tile's start has no flag: since element 0
   * begins a segment, it is always the running value of some segment.
   *
   * The scan of a block's pairs has three steps. One thread of 16 scans 16 pairs in local memory;
   * one warp scans those 16 totals, from the tile's start; then each thread combines its group's
   * start with its own prefix in the group. That takes one barrier more than letting every thread
   * read all totals, but these kernels are bound by instructions. The next 16 threads scan the
   * pairs of the chunk's tiles in the same steps.
   *
   * Loops over rounds advance by `one`, which is 1 in the shape array, and are bounded by a
   * minimum: nvrtc unrolls any loop that it can count, and needs registers for it, so that fewer
   * blocks fit on a multiprocessor. To save registers, values that are needed late are read again.
   * Place 0 of `sums` is the initial value.
   */

  private static final ElementType ELEMENT = ElementType.INT;

  /** In a kernel, later versions of TornadoVM read no field of an enum's constant. */
  private static final boolean WIDE = ELEMENT.bytes() > 4;

  static final int PAIRS = 0;
  static final int SCAN = 1;
  static final int AHEAD = 2;

  /** Loads of a thread that are in flight at once; as for scans, full tiles check no bounds. */
  private static final int ROUND = SegmentedTree.ROUND;

  /** Pairs that a thread combines together. */
  private static final int SERIAL = 4;

  private static final int THREADS = SegmentedTree.THREADS;
  private static final int CHUNK = SegmentedTree.CHUNK;
  private static final int GROUP = SegmentedTree.GROUP;

  /** Neighbours that one thread combines in the scan of a block's pairs, and their groups. */
  private static final int NEIGHBOURS = 16;

  /* Places of pairs in local memory: those of the threads, each group followed by its total;
   * likewise those of the chunk's tiles; the start of the group of chunks and the totals of earlier
   * chunks; the start of each group of threads.
   */

  private static final int TILES_AT = THREADS + NEIGHBOURS;
  private static final int CHUNKS_AT = TILES_AT + CHUNK + CHUNK / NEIGHBOURS;
  private static final int STARTS_AT = CHUNKS_AT + GROUP;
  private static final int PLACES = STARTS_AT + NEIGHBOURS;

  private IntSegmentedScanKernels() {}

  /* All phases are in one long method, since they share local arrays, which TornadoVM cannot pass
   * to a method. With separate arrays for each phase fewer blocks would fit. Code that needs no
   * local array is in other methods.
   */
  static void tiles(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      IntArray bits,
      @Element IntArray output,
      @Element IntArray sums,
      IntArray flags,
      LongArray words,
      @Element IntArray result,
      IntArray gaveUp,
      int operator,
      @Element int identity,
      @AtLaunch int shapeAt,
      int items,
      int lead,
      int inclusive,
      int isPacked,
      int mayBeWrong,
      int phase) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int ahead = shape.get(shapeAt + SegmentedTree.AHEAD_AT);
    int length = shape.get(shapeAt + SegmentedTree.LENGTH_AT);
    int offset = length > 0 ? shape.get(shapeAt) : 0;
    int tiles = shape.get(shapeAt + SegmentedTree.TILES_AT);
    int mostTiles = shape.get(shapeAt + SegmentedTree.MOST_TILES_AT);
    int bitsAt =
        length > 0 & isPacked == 0 ? shape.get(shapeAt + SegmentedTree.SEGMENTS_FROM_AT) : 0;
    int one = shape.get(shapeAt + SegmentedTree.ONE_AT);
    int plane = WIDE ? SegmentedTree.places(mostTiles) : 0;
    int run = 0;
    int tile = phase == SCAN ? tiles - 1 - block : block;
    int scans = phase;
    if (phase == AHEAD) {
      run = StampedWords.nextRun(words.get(0));
      int turn = block / CHUNK;
      int later = Scalars.max(turn - ahead, 0);
      scans = turn < ahead ? 0 : later & 1;
      int chunk = turn < ahead ? turn : later / 2 + ahead * (1 - scans);
      tile = chunk * CHUNK + (block & (CHUNK - 1));
    }
    if (tile >= 0 & tile < tiles) {
      int first = tile * (THREADS * items) - lead;
      int left = length - first;
      int before = Scalars.max(-first, 0);
      int place = thread + thread / items;
      int pitch = THREADS + THREADS / items;
      int isFull = first >= 0 & left >= THREADS * items ? 1 : 0;
      int full = items * isFull;
      int own = thread * items;
      @Element int initial = sums.get(0);
      @Element int nothing = thread < THREADS ? identity : initial;
      int mask = HeadBits.ofBits(bits, bitsAt, first + own, length);
      mask = HeadBits.inside(mask, own, before, left, items, first);
      @Element
      int[] staged =
          staged(context, values, thread, offset, first, left, nothing, items, full, one);
      context.localBarrier();
      int at = thread * (items + 1);
      int heads = mask;
      @Element int sum = nothing;
      for (int c = 0; c < items; c = Scalars.min(c + one * ROUND, items)) {
        for (int k = 0; k < ROUND; k++) {
          @Element int item = staged[at + c + k];
          sum = Combine.apply(operator, (heads & (1 << k)) == 0 ? sum : initial, item);
        }
        heads = heads >> ROUND;
      }
      int flag = mask == 0 ? 0 : 1;
      @Element int[] pairs = context.allocateIntLocalArray(PLACES);
      int[] marks = context.allocateIntLocalArray(PLACES);
      int hand = thread + thread / NEIGHBOURS;
      pairs[hand] = sum;
      marks[hand] = flag;
      int chunk = tile / CHUNK;
      int position = tile & (CHUNK - 1);
      int group = chunk / GROUP;
      int inGroup = chunk & (GROUP - 1);
      int scanned = NEIGHBOURS;
      if (phase == AHEAD) {
        if (scans == 1) {
          int polls = shape.get(shapeAt + SegmentedTree.POLLS_AT);
          scanned = NEIGHBOURS + CHUNK / NEIGHBOURS;
          int wanted = position > 0 ? position : Scalars.min(CHUNK, tiles - chunk * CHUNK);
          int pairAt = SegmentedTree.pairAt(chunk * CHUNK + Scalars.min(thread, wanted - 1));
          long low = StampedWords.readFlagged(context, words, pairAt, run, polls);
          long high = low;
          if (plane > 0) {
            high = StampedWords.readFlagged(context, words, plane + pairAt, run, polls);
          }
          int there = StampedWords.areFrom(run, high, low);
          int isWanted = thread < wanted ? there : 0;
          @Element int ofTile = Scalars.ofBits(StampedWords.bits(high, low), nothing);
          ofTile = isWanted == 1 ? ofTile : nothing;
          int tileFlag = StampedWords.flag(low) & isWanted;
          if (thread < CHUNK) {
            pairs[TILES_AT + hand] = ofTile;
            marks[TILES_AT + hand] = tileFlag;
          }
          int headAt = SegmentedTree.totalAt(mostTiles, group * GROUP + thread - 1);
          if (thread == 0) {
            headAt = SegmentedTree.startAt(mostTiles, group);
          }
          int hasHead = (thread == 0 & group > 0) | (thread > 0 & thread <= inGroup) ? 1 : 0;
          @Element int handed = nothing;
          int handedFlag = 0;
          if (hasHead == 1) {
            low = StampedWords.readFlagged(context, words, headAt, run, polls);
            high = low;
            if (plane > 0) {
              high = StampedWords.readFlagged(context, words, plane + headAt, run, polls);
            }
            int headThere = StampedWords.areFrom(run, high, low);
            handed = Scalars.ofBits(StampedWords.bits(high, low), nothing);
            handed = headThere == 1 ? handed : nothing;
            handedFlag = StampedWords.flag(low) & headThere;
            there = there & headThere;
          }
          if (thread < GROUP) {
            pairs[CHUNKS_AT + thread] = handed;
            marks[CHUNKS_AT + thread] = handedFlag;
          }
          if (there == 0) {
            gaveUp.set(shape.get(shapeAt + SegmentedTree.GAVE_UP_AT), tile + 1);
          }
        }
      }
      context.localBarrier();
      one = shape.get(shapeAt + SegmentedTree.ONE_AT);
      if (thread < scanned) {
        int from = thread * (NEIGHBOURS + 1);
        @Element int running = nothing;
        int seen = 0;
        for (int c = 0; c < NEIGHBOURS; c = Scalars.min(c + one * SERIAL, NEIGHBOURS)) {
          for (int k = 0; k < SERIAL; k++) {
            @Element int next = pairs[from + c + k];
            int head = marks[from + c + k];
            pairs[from + c + k] = running;
            marks[from + c + k] = seen;
            running = Combine.apply(operator, head == 0 ? running : nothing, next);
            seen = seen | head;
          }
        }
        pairs[from + NEIGHBOURS] = running;
        marks[from + NEIGHBOURS] = seen;
      }
      context.localBarrier();
      one = shape.get(shapeAt + SegmentedTree.ONE_AT);
      if (thread < NEIGHBOURS) {
        @Element int running = nothing;
        if (phase == SCAN) {
          @Element int ofChunk = sums.get(SegmentedTree.startAt(mostTiles, chunk));
          @Element int ofTile = sums.get(SegmentedTree.pairAt(tile));
          int seen = flags.get(SegmentedTree.pairAt(tile));
          running = Combine.apply(operator, seen == 0 ? ofChunk : nothing, ofTile);
        }
        if (phase == AHEAD) {
          if (scans == 1) {
            @Element int handed = pairs[CHUNKS_AT + thread / THREADS];
            @Element int ofChunk = handed;
            @Element int ofGroup = nothing;
            int groupFlag = 0;
            for (int k = 1; k <= inGroup; k++) {
              @Element int total = pairs[CHUNKS_AT + k];
              int head = marks[CHUNKS_AT + k];
              ofChunk = Combine.apply(operator, head == 0 ? ofChunk : nothing, total);
              ofGroup = Combine.apply(operator, head == 0 ? ofGroup : nothing, total);
              groupFlag = groupFlag | head;
            }
            @Element int ofTile = nothing;
            int seen = 0;
            int groups = CHUNK / NEIGHBOURS;
            for (int c = 0; c < groups; c = Scalars.min(c + one * SERIAL, groups)) {
              int totalAt = TILES_AT + c * (NEIGHBOURS + 1) + NEIGHBOURS;
              for (int k = 0; k < SERIAL; k++) {
                @Element int total = pairs[totalAt + k * (NEIGHBOURS + 1)];
                int head = marks[totalAt + k * (NEIGHBOURS + 1)];
                ofTile = Combine.apply(operator, head == 0 ? ofTile : nothing, total);
                seen = seen | head;
              }
            }
            if (thread == 0 & position == 0) {
              handOn(
                  words, operator, nothing, mostTiles, chunk, plane, run, handed, ofGroup,
                  groupFlag, ofTile, seen);
            }
            ofTile = position > 0 ? ofTile : nothing;
            seen = position > 0 ? seen : 0;
            running = Combine.apply(operator, seen == 0 ? ofChunk : nothing, ofTile);
          }
        }
        @Element int begins = running;
        int any = 0;
        for (int c = 0; c < NEIGHBOURS; c = Scalars.min(c + one * SERIAL, NEIGHBOURS)) {
          int totalAt = c * (NEIGHBOURS + 1) + NEIGHBOURS;
          for (int k = 0; k < SERIAL; k++) {
            begins = c + k == thread ? running : begins;
            int head = marks[totalAt + k * (NEIGHBOURS + 1)];
            @Element int total = pairs[totalAt + k * (NEIGHBOURS + 1)];
            running = Combine.apply(operator, head == 0 ? running : nothing, total);
            any = any | head;
          }
        }
        pairs[STARTS_AT + thread] = begins;
        marks[STARTS_AT + thread] = any;
      }
      context.localBarrier();
      @Element int running = pairs[STARTS_AT + thread / NEIGHBOURS];
      running = Combine.apply(operator, marks[hand] == 0 ? running : nothing, pairs[hand]);
      if (scans == 0) {
        if (thread == THREADS - 1) {
          @Element int all = Combine.apply(operator, flag == 0 ? running : nothing, sum);
          int allFlag = marks[STARTS_AT + thread / THREADS];
          int pairAt = SegmentedTree.pairAt(tile);
          if (phase == PAIRS) {
            sums.set(pairAt, all);
            flags.set(pairAt, allFlag);
          }
          if (phase == AHEAD) {
            StampedWords.writeFlagged(words, pairAt, plane, run, allFlag, Scalars.bits(all));
          }
        }
      }
      if (scans == 1) {
        int to = shape.get(shapeAt + SegmentedTree.TO_AT);
        int written = left;
        int writtenFull = full;
        if (mayBeWrong == 1) {
          int isWritten = flags.get(0) == 0 ? 1 : 0;
          written = left * isWritten;
          writtenFull = full * isWritten;
        }
        heads = mask;
        one = shape.get(shapeAt + SegmentedTree.ONE_AT);
        for (int c = 0; c < items; c = Scalars.min(c + one * ROUND, items)) {
          for (int k = 0; k < ROUND; k++) {
            @Element int base = (heads & (1 << k)) == 0 ? running : initial;
            running = Combine.apply(operator, base, staged[at + c + k]);
            staged[at + c + k] = inclusive == 1 ? running : base;
          }
          heads = heads >> ROUND;
        }
        context.localBarrier();
        for (int c = 0; c < writtenFull; c = Scalars.min(c + one * ROUND, writtenFull)) {
          int into = to + first + c * THREADS + thread;
          int from = place + c * pitch;
          for (int k = 0; k < ROUND; k++) {
            output.set(into + k * THREADS, staged[from + k * pitch]);
          }
        }
        for (int c = writtenFull; c < items; c = Scalars.min(c + one, items)) {
          int item = c * THREADS + thread;
          if (item < written & item >= before) {
            output.set(to + first + item, staged[place + c * pitch]);
          }
        }
        if (tile == shape.get(shapeAt + SegmentedTree.TILES_AT) - 1 & thread == THREADS - 1) {
          deliver(shape, result, gaveUp, words, shapeAt, running, initial, phase, run);
        }
      }
    }
  }

  /** Passes on a chunk's total, and after a group's last chunk the next group's start. */
  private static void handOn(
      LongArray words,
      int operator,
      @Element int nothing,
      int mostTiles,
      int chunk,
      int plane,
      int run,
      @Element int handed,
      @Element int before,
      int beforeFlag,
      @Element int ofChunk,
      int flag) {
    int totalAt = SegmentedTree.totalAt(mostTiles, chunk);
    StampedWords.writeFlagged(words, totalAt, plane, run, flag, Scalars.bits(ofChunk));
    if ((chunk & (GROUP - 1)) == GROUP - 1) {
      @Element int ofGroup = Combine.apply(operator, flag == 0 ? before : nothing, ofChunk);
      int groupFlag = beforeFlag | flag;
      @Element int next = Combine.apply(operator, groupFlag == 0 ? handed : nothing, ofGroup);
      int startAt = SegmentedTree.startAt(mostTiles, chunk / GROUP + 1);
      StampedWords.writeFlagged(words, startAt, plane, run, 0, Scalars.bits(next));
    }
  }

  /** Delivers the last value and counts the run. */
  private static void deliver(
      IntArray shape,
      @Element IntArray result,
      IntArray gaveUp,
      LongArray words,
      int shapeAt,
      @Element int running,
      @Element int initial,
      int phase,
      int run) {
    int resultAt = shape.get(shapeAt + SegmentedTree.RESULT_AT);
    result.set(resultAt, shape.get(shapeAt + SegmentedTree.LENGTH_AT) > 0 ? running : initial);
    int counterAt = shape.get(shapeAt + SegmentedTree.GAVE_UP_AT) + 1;
    int runs = RunCounter.next(gaveUp.get(counterAt));
    gaveUp.set(counterAt, runs);
    result.set(resultAt + 1, runs);
    if (phase == AHEAD) {
      words.set(0, run);
    }
  }

  /**
   * The tile's items, or the user's function of them, with a place left free after every {@code
   * items}.
   */
  private static @Element int[] staged(
      KernelContext context,
      @Element IntArray values,
      int thread,
      int offset,
      int first,
      int left,
      @Element int identity,
      int items,
      int full,
      int one) {
    @Element int[] staged = context.allocateIntLocalArray(THREADS * (items + 1));
    int before = Scalars.max(-first, 0);
    int place = thread + thread / items;
    int pitch = THREADS + THREADS / items;
    int last = Scalars.max(left - 1, 0);
    for (int c = 0; c < full; c = Scalars.min(c + one * ROUND, full)) {
      int index = first + c * THREADS + thread;
      int from = offset + index;
      int at = place + c * pitch;
      @Element int v0 = Placeholder.map(index, values.get(from));
      @Element int v1 = Placeholder.map(index + THREADS, values.get(from + THREADS));
      @Element int v2 = Placeholder.map(index + 2 * THREADS, values.get(from + 2 * THREADS));
      @Element int v3 = Placeholder.map(index + 3 * THREADS, values.get(from + 3 * THREADS));
      @Element int v4 = Placeholder.map(index + 4 * THREADS, values.get(from + 4 * THREADS));
      @Element int v5 = Placeholder.map(index + 5 * THREADS, values.get(from + 5 * THREADS));
      @Element int v6 = Placeholder.map(index + 6 * THREADS, values.get(from + 6 * THREADS));
      @Element int v7 = Placeholder.map(index + 7 * THREADS, values.get(from + 7 * THREADS));
      staged[at] = v0;
      staged[at + pitch] = v1;
      staged[at + 2 * pitch] = v2;
      staged[at + 3 * pitch] = v3;
      staged[at + 4 * pitch] = v4;
      staged[at + 5 * pitch] = v5;
      staged[at + 6 * pitch] = v6;
      staged[at + 7 * pitch] = v7;
    }
    for (int c = full; c < items; c = Scalars.min(c + one, items)) {
      int item = c * THREADS + thread;
      int index = Scalars.max(first + Scalars.min(item, last), 0);
      @Element int value = Placeholder.map(index, values.get(offset + index));
      staged[place + c * pitch] = item < left & item >= before ? value : identity;
    }
    return staged;
  }

  static void prefixes(
      KernelContext context,
      IntArray shape,
      @Element IntArray sums,
      IntArray flags,
      int operator,
      @Element int identity,
      @AtLaunch int shapeAt) {
    int thread = context.localIdx;
    int chunk = context.groupIdx;
    int tiles = shape.get(shapeAt + SegmentedTree.TILES_AT);
    int mostTiles = shape.get(shapeAt + SegmentedTree.MOST_TILES_AT);
    int wanted = Scalars.min(CHUNK, tiles - chunk * CHUNK);
    int at = SegmentedTree.pairAt(chunk * CHUNK + Scalars.max(Scalars.min(thread, wanted - 1), 0));
    @Element int sum = sums.get(at);
    int flag = flags.get(at);
    sum = thread < wanted ? sum : identity;
    flag = thread < wanted ? flag : 0;
    @Element
    int prefix =
        IntSegmentedBlockScan.exclusive(context, operator, thread, flag, sum, identity, identity);
    int seen = BlockScan.exclusive(context, OperatorCode.OR, thread, THREADS, flag, 0);
    if (thread < wanted) {
      sums.set(at, prefix);
      flags.set(at, seen);
    }
    if (thread == THREADS - 1) {
      int totalAt = SegmentedTree.totalAt(mostTiles, chunk);
      sums.set(totalAt, Combine.apply(operator, flag == 1 ? identity : prefix, sum));
      flags.set(totalAt, seen | flag);
    }
  }

  static void starts(
      KernelContext context,
      IntArray shape,
      @Element IntArray sums,
      IntArray flags,
      int operator,
      @Element int identity,
      @AtLaunch int shapeAt) {
    int thread = context.localIdx;
    int tiles = shape.get(shapeAt + SegmentedTree.TILES_AT);
    int mostTiles = shape.get(shapeAt + SegmentedTree.MOST_TILES_AT);
    int one = shape.get(shapeAt + SegmentedTree.ONE_AT);
    int chunks = (tiles + CHUNK - 1) / CHUNK;
    int groups = (chunks + GROUP - 1) / GROUP;
    @Element int[] ofGroups = context.allocateIntLocalArray(THREADS);
    int[] flagsOfGroups = context.allocateIntLocalArray(THREADS);
    @Element int none = thread < THREADS ? identity : sums.get(0);
    @Element int sum = none;
    int flag = 0;
    for (int k = 0; k < GROUP; k = Scalars.min(k + one, GROUP)) {
      int chunk = thread * GROUP + k;
      int at = SegmentedTree.totalAt(mostTiles, Scalars.min(chunk, chunks - 1));
      @Element int next = sums.get(at);
      int head = flags.get(at);
      next = chunk < chunks ? next : none;
      head = chunk < chunks ? head : 0;
      sum = Combine.apply(operator, head == 1 ? none : sum, next);
      flag = flag | head;
    }
    ofGroups[thread] = sum;
    flagsOfGroups[thread] = flag;
    context.localBarrier();
    @Element int before = none;
    @Element int running = none;
    for (int group = 0; group < groups; group++) {
      before = group == thread ? running : before;
      int head = flagsOfGroups[group];
      running = Combine.apply(operator, head == 1 ? none : running, ofGroups[group]);
    }
    for (int k = 0; k < GROUP; k = Scalars.min(k + one, GROUP)) {
      int chunk = thread * GROUP + k;
      int at = SegmentedTree.totalAt(mostTiles, Scalars.min(chunk, chunks - 1));
      @Element int next = sums.get(at);
      int head = flags.get(at);
      if (chunk < chunks) {
        sums.set(SegmentedTree.startAt(mostTiles, chunk), before);
      }
      before = Combine.apply(operator, head == 1 ? none : before, next);
    }
  }
}
