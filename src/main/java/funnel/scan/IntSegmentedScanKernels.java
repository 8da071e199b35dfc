package funnel.scan;

import funnel.block.BlockScan;
import funnel.engine.RunCounter;
import funnel.jit.Combine;
import funnel.jit.Element;
import funnel.jit.KernelTask;
import funnel.jit.Scalars;
import funnel.jit.Twins;
import funnel.operator.ElementType;
import funnel.operator.OperatorCode;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Device form of segmented scans over one type: see {@link SegmentedTree}. */
@Twins({"Long", "Float", "Double"})
final class IntSegmentedScanKernels implements SegmentedScanTasks {

  /* Four launches. One block a tile sums it (pairs) and scans it (scan); between them, one block a
   * chunk turns the tiles' pairs into those before each tile, and a single block finds the chunks'
   * starts. Values are staged in local memory as in IntToIntScanKernels.
   *
   * Where segments begin is read only by the first launch, coalesced, staged beside the values, and
   * left as one int a thread, whose bits are the heads among the thread's items. So the second
   * reading is of values and 1/16 or 1/8 as many ints, whatever the segments are given by; and the
   * output may be the very array of keys or bits, which no block then reads any more.
   *
   * Everything is combined as `(head ? start : running) op item`: a selection and no branch, and the
   * operator never sees operands of two segments. No flag goes with a tile's start, since element 0
   * begins a segment: what a tile begins with is always the running value of some segment.
   *
   * A tile's flag is cleared by one thread and set, behind the barrier, by all that have a head: no
   * local memory goes into that, of which six blocks just fit a multiprocessor.
   *
   * Of the arrays that segments can be given by, a launch is passed all three, two of them of one
   * element; which one is read is a constant of the task.
   */

  private static final ElementType ELEMENT = ElementType.INT;

  /** Loads of a thread that are in flight together; as for scans, full tiles look at no bounds. */
  private static final int ROUND = 8;

  private static final int THREADS = SegmentedTree.THREADS;
  private static final int CHUNK = SegmentedTree.CHUNK;
  private static final int GROUP = SegmentedTree.GROUP;

  /** For the copies that are made with a user's operator. */
  public IntSegmentedScanKernels() {}

  /** Constants of a task in one int, which TornadoVM's tasks have few of. */
  private static int layout(Arguments a) {
    return SegmentedTree.items(ELEMENT)
        + 64 * SegmentedTree.lead(ELEMENT)
        + 1024 * (a.inclusive() ? 1 : 0)
        + 2048 * a.segments();
  }

  @Override
  public KernelTask pairs(String id, int tiles, Arguments a) {
    return KernelTask.of(
        id,
        KernelTask.Grid.of(tiles, THREADS),
        IntSegmentedScanKernels::pairs,
        a.shape(),
        (@Element IntArray) a.values(),
        a.bytes(),
        a.segments() == OFFSETS ? a.bits() : a.ints(),
        a.longs(),
        (@Element IntArray) a.initial(),
        (@Element IntArray) a.sums(),
        a.flags(),
        a.masks(),
        a.operator(),
        (@Element Integer) a.identity(),
        a.shapeAt(),
        layout(a));
  }

  @Override
  public KernelTask prefixes(String id, int tiles, Arguments a) {
    return KernelTask.of(
        id,
        KernelTask.Grid.of(SegmentedTree.chunks(tiles), THREADS),
        IntSegmentedScanKernels::prefixes,
        a.shape(),
        (@Element IntArray) a.sums(),
        a.flags(),
        a.operator(),
        (@Element Integer) a.identity(),
        a.shapeAt());
  }

  @Override
  public KernelTask starts(String id, int tiles, Arguments a) {
    return KernelTask.of(
        id,
        KernelTask.Grid.of(1, THREADS),
        IntSegmentedScanKernels::starts,
        a.shape(),
        (@Element IntArray) a.sums(),
        a.flags(),
        a.operator(),
        (@Element Integer) a.identity(),
        a.shapeAt());
  }

  @Override
  public KernelTask scan(String id, int tiles, Arguments a) {
    return KernelTask.of(
        id,
        KernelTask.Grid.of(tiles, THREADS),
        IntSegmentedScanKernels::scan,
        a.shape(),
        (@Element IntArray) a.values(),
        (@Element IntArray) a.output(),
        (@Element IntArray) a.initial(),
        (@Element IntArray) a.sums(),
        a.flags(),
        a.masks(),
        (@Element IntArray) a.result(),
        a.operator(),
        (@Element Integer) a.identity(),
        a.shapeAt(),
        layout(a),
        a.resultAt());
  }

  static void pairs(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      ByteArray bytes,
      IntArray ints,
      LongArray longs,
      @Element IntArray initial,
      @Element IntArray sums,
      IntArray flags,
      IntArray masks,
      int operator,
      @Element int identity,
      int shapeAt,
      int layout) {
    int thread = context.localIdx;
    int tile = context.groupIdx;
    int items = layout & 63;
    int lead = (layout / 64) & 15;
    int segments = layout / 2048;
    int length = shape.get(shapeAt + 1);
    int offset = length > 0 ? shape.get(shapeAt) : 0;
    int tiles = shape.get(shapeAt + 3);
    int segmentsAt = length > 0 & segments != OFFSETS ? shape.get(shapeAt + 5) : 0;
    if (tile < tiles) {
      int first = tile * (THREADS * items) - lead;
      int left = length - first;
      @Element
      int[] staged = staged(context, values, thread, offset, first, left, length, identity, items);
      int[] heads =
          heads(
              context,
              segments,
              bytes,
              ints,
              longs,
              thread,
              segmentsAt,
              first,
              left,
              length,
              items);
      int pairAt = SegmentedTree.pairAt(tile);
      if (thread == 0) {
        flags.set(pairAt, 0);
      }
      context.localBarrier();
      @Element int start = initial.get(0);
      @Element int sum = identity;
      int mask = 0;
      for (int c = 0; c < items; c++) {
        int at = thread * (items + 1) + c;
        int head = heads[at];
        sum = Combine.apply(operator, head == 1 ? start : sum, staged[at]);
        mask = mask | (head << c);
      }
      masks.set(tile * THREADS + thread, mask);
      int flag = mask > 0 ? 1 : 0;
      if (flag == 1) {
        flags.set(pairAt, 1);
      }
      @Element
      int prefix =
          IntSegmentedBlockScan.exclusive(context, operator, thread, flag, sum, identity, identity);
      if (thread == THREADS - 1) {
        sums.set(pairAt, Combine.apply(operator, flag == 1 ? identity : prefix, sum));
      }
    }
  }

  static void prefixes(
      KernelContext context,
      IntArray shape,
      @Element IntArray sums,
      IntArray flags,
      int operator,
      @Element int identity,
      int shapeAt) {
    int thread = context.localIdx;
    int chunk = context.groupIdx;
    int tiles = shape.get(shapeAt + 3);
    int mostTiles = shape.get(shapeAt + 4);
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
      int shapeAt) {
    int thread = context.localIdx;
    int tiles = shape.get(shapeAt + 3);
    int mostTiles = shape.get(shapeAt + 4);
    int chunks = (tiles + CHUNK - 1) / CHUNK;
    int groups = (chunks + GROUP - 1) / GROUP;
    @Element int[] ofGroups = context.allocateIntLocalArray(THREADS);
    int[] flagsOfGroups = context.allocateIntLocalArray(THREADS);
    @Element int none = thread < THREADS ? identity : sums.get(0);
    @Element int sum = none;
    int flag = 0;
    for (int k = 0; k < GROUP; k++) {
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
    for (int k = 0; k < GROUP; k++) {
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

  static void scan(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      @Element IntArray output,
      @Element IntArray initial,
      @Element IntArray sums,
      IntArray flags,
      IntArray masks,
      @Element IntArray result,
      int operator,
      @Element int identity,
      int shapeAt,
      int layout,
      int resultAt) {
    int thread = context.localIdx;
    int tile = context.groupIdx;
    int items = layout & 63;
    int lead = (layout / 64) & 15;
    int inclusive = (layout / 1024) & 1;
    int segments = layout / 2048;
    int length = shape.get(shapeAt + 1);
    int offset = length > 0 ? shape.get(shapeAt) : 0;
    int to = shape.get(shapeAt + 2);
    int tiles = shape.get(shapeAt + 3);
    int mostTiles = shape.get(shapeAt + 4);
    if (tile < tiles) {
      int first = tile * (THREADS * items) - lead;
      int left = length - first;
      int before = Scalars.max(-first, 0);
      int place = thread + thread / items;
      int pitch = THREADS + THREADS / items;
      @Element int start = initial.get(0);
      @Element int ofChunk = sums.get(SegmentedTree.startAt(mostTiles, tile / CHUNK));
      @Element int ofTile = sums.get(SegmentedTree.pairAt(tile));
      int seen = flags.get(SegmentedTree.pairAt(tile));
      int mask = masks.get(tile * THREADS + thread);
      int written = left;
      if (segments == OFFSETS) {
        written = flags.get(0) == 0 ? left : 0;
      }
      @Element
      int[] staged = staged(context, values, thread, offset, first, left, length, identity, items);
      context.localBarrier();
      @Element int sum = identity;
      for (int c = 0; c < items; c++) {
        int head = (mask >> c) & 1;
        @Element int item = staged[thread * (items + 1) + c];
        sum = Combine.apply(operator, head == 1 ? start : sum, item);
      }
      @Element int begun = Combine.apply(operator, seen == 1 ? identity : ofChunk, ofTile);
      @Element
      int running =
          IntSegmentedBlockScan.exclusive(
              context, operator, thread, mask > 0 ? 1 : 0, sum, begun, identity);
      for (int c = 0; c < items; c++) {
        int at = thread * (items + 1) + c;
        int head = (mask >> c) & 1;
        @Element int base = head == 1 ? start : running;
        running = Combine.apply(operator, base, staged[at]);
        staged[at] = inclusive == 1 ? running : base;
      }
      context.localBarrier();
      int fullRounds = fullRounds(first, written, items);
      for (int r = 0; r < fullRounds; r++) {
        for (int k = 0; k < ROUND; k++) {
          int c = r * ROUND + k;
          output.set(to + first + c * THREADS + thread, staged[place + c * pitch]);
        }
      }
      for (int c = fullRounds * ROUND; c < items; c++) {
        int item = c * THREADS + thread;
        if (item < written & item >= before) {
          output.set(to + first + item, staged[place + c * pitch]);
        }
      }
      if (tile == tiles - 1 & thread == THREADS - 1) {
        result.set(resultAt, length > 0 ? running : start);
        @Element int runs = result.get(resultAt + 1) + 1;
        if (runs > RunCounter.LAST) {
          runs = 0;
        }
        result.set(resultAt + 1, runs);
      }
    }
  }

  /** The tile's items in local memory, each behind {@code item / items} others' padding. */
  private static @Element int[] staged(
      KernelContext context,
      @Element IntArray values,
      int thread,
      int offset,
      int first,
      int left,
      int length,
      @Element int identity,
      int items) {
    @Element int[] staged = context.allocateIntLocalArray(THREADS * (items + 1));
    int before = Scalars.max(-first, 0);
    int place = thread + thread / items;
    int pitch = THREADS + THREADS / items;
    int last = Scalars.max(left - 1, 0);
    int fullRounds = fullRounds(first, left, items);
    for (int r = 0; r < fullRounds; r++) {
      int from = offset + first + r * ROUND * THREADS + thread;
      int at = place + r * ROUND * pitch;
      @Element int v0 = values.get(from);
      @Element int v1 = values.get(from + THREADS);
      @Element int v2 = values.get(from + 2 * THREADS);
      @Element int v3 = values.get(from + 3 * THREADS);
      @Element int v4 = values.get(from + 4 * THREADS);
      @Element int v5 = values.get(from + 5 * THREADS);
      @Element int v6 = values.get(from + 6 * THREADS);
      @Element int v7 = values.get(from + 7 * THREADS);
      staged[at] = v0;
      staged[at + pitch] = v1;
      staged[at + 2 * pitch] = v2;
      staged[at + 3 * pitch] = v3;
      staged[at + 4 * pitch] = v4;
      staged[at + 5 * pitch] = v5;
      staged[at + 6 * pitch] = v6;
      staged[at + 7 * pitch] = v7;
    }
    for (int c = fullRounds * ROUND; c < items; c++) {
      int item = c * THREADS + thread;
      @Element int value = values.get(offset + clamped(first, item, last));
      staged[place + c * pitch] = item < left & item >= before ? value : identity;
    }
    return staged;
  }

  /** An item's element, or the nearest one where it has none. */
  private static int clamped(int first, int item, int last) {
    return Scalars.max(first + Scalars.min(item, last), 0);
  }

  /** Which of the tile's items begin segments, 1 or 0, at the same places. */
  private static int[] heads(
      KernelContext context,
      int segments,
      ByteArray bytes,
      IntArray ints,
      LongArray longs,
      int thread,
      int from,
      int first,
      int left,
      int length,
      int items) {
    int[] heads = context.allocateIntLocalArray(THREADS * (items + 1));
    int before = Scalars.max(-first, 0);
    int place = thread + thread / items;
    int pitch = THREADS + THREADS / items;
    int last = Scalars.max(left - 1, 0);
    int fullRounds = fullRounds(first, left, items);
    for (int r = 0; r < fullRounds; r++) {
      for (int k = 0; k < ROUND; k++) {
        int c = r * ROUND + k;
        int e = first + c * THREADS + thread;
        heads[place + c * pitch] = head(segments, bytes, ints, longs, from, e, e - 1);
      }
    }
    for (int c = fullRounds * ROUND; c < items; c++) {
      int item = c * THREADS + thread;
      int e = clamped(first, item, last);
      int head = head(segments, bytes, ints, longs, from, e, Scalars.max(e - 1, 0));
      head = e == 0 ? 1 : head;
      heads[place + c * pitch] = item < left & item >= before ? head : 0;
    }
    return heads;
  }

  /**
   * 1 if any bit is set, else 0: by arithmetic, as cuda loses the negation of a comparison here.
   */
  private static int differ(int bits) {
    return ((bits | (0 - bits)) >> 31) & 1;
  }

  /** 1 if a segment begins at element {@code e}; {@code previous} is the one before it. */
  private static int head(
      int segments,
      ByteArray bytes,
      IntArray ints,
      LongArray longs,
      int from,
      int e,
      int previous) {
    int head = 0;
    if (segments == HEADS) {
      head = ((bytes.get(from + e) & 0xff) + 255) / 256;
    }
    if (segments == HEAD_BITS | segments == OFFSETS) {
      head = (ints.get(from + e / 32) >> (e & 31)) & 1;
    }
    if (segments == INT_KEYS) {
      head = differ(ints.get(from + e) ^ ints.get(from + previous));
    }
    if (segments == LONG_KEYS) {
      long bits = longs.get(from + e) ^ longs.get(from + previous);
      head = differ((int) bits | (int) ((bits >> 32) & 0xffffffffL));
    }
    return head;
  }

  /**
   * Rounds of eight items that need not look at bounds: all of a tile inside the input, or none.
   */
  private static int fullRounds(int first, int left, int items) {
    int isFull = first >= 0 & left >= THREADS * items ? 1 : 0;
    return isFull * (items / ROUND);
  }
}
