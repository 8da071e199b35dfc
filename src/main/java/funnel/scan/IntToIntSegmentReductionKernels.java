package funnel.scan;

import funnel.jit.Accumulator;
import funnel.jit.Combine;
import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link SegmentReductionStep}: the tree is that of {@link SegmentedTree}. */
@Twins({
  "IntToLong",
  "IntToDouble",
  "LongToLong",
  "LongToDouble",
  "FloatToFloat",
  "FloatToDouble",
  "DoubleToDouble"
})
final class IntToIntSegmentReductionKernels {

  /* Values are read once, and only one value per segment is written. One block per tile stages it
   * and sums it, as a segmented scan's first launch does. A segment that begins and ends in the
   * tile does not depend on earlier tiles: its result is written at once. A segment that began
   * before the tile is finished by the last launch, which knows the tile's start. For it the block
   * stores the sums of the groups of threads, the prefix of the end's thread in its group, and
   * where the end is; the few items before the end are read again. A tile within one segment has
   * neither heads nor ends, and its items are processed only once.
   *
   * A thread finds the segments that end at its items by a search among those of the tile; the
   * tile's segment numbers at every GRAIN elements have been found earlier, by one thread each.
   * From one end to the next it takes one step, or another search if there are empty segments
   * between them; these got the identity from the launch that checks offsets. So many empty
   * segments at one place cost nothing.
   *
   * Wrong offsets count as none, so that every loop ends.
   *
   * If a bit is set for each value that begins a segment, a thread reads those of its items at
   * once, and the numbers of segments are counts of bits, which are scanned with the threads'
   * pairs. Segments may then be short and many, so threads put the places of their results in local
   * memory, from which they are stored in the order of segments.
   */

  private static final int GRAIN = SegmentBitsKernels.GRAIN;

  /** Accumulators of a tile for the segment that began earlier: 16 sums, and a prefix. */
  static final int OPEN = SegmentedTree.NEIGHBOURS + 1;

  private static final int THREADS = SegmentedTree.THREADS;
  private static final int NEIGHBOURS = SegmentedTree.NEIGHBOURS;
  private static final int ROUND = SegmentedTree.ROUND;
  private static final int SERIAL = 4;

  /** Segments that a tile's threads store together. */
  private static final int SLOTS = 1024;

  private static final int PLACES = THREADS + THREADS / NEIGHBOURS;

  private IntToIntSegmentReductionKernels() {}

  /** How many starts are at most {@code value}; the answer is from {@code low} to {@code high}. */
  static int upTo(IntArray starts, int from, int low, int high, int value) {
    int least = low;
    int most = high;
    while (least < most) {
      int middle = least + (most - least) / 2;
      int isBefore = starts.get(from + middle) <= value ? 1 : 0;
      least = isBefore == 1 ? middle + 1 : least;
      most = isBefore == 1 ? most : middle;
    }
    return least;
  }

  /** The start of segment {@code j}; for the one after the last, the end. */
  private static int start(IntArray starts, int from, int count, int length, int j) {
    int start = starts.get(from + Scalars.max(Scalars.min(j, count - 1), 0));
    return j < count ? Scalars.min(start, length) : length;
  }

  /** One more than the last segment that begins where {@code j} does. */
  private static int next(IntArray starts, int from, int count, int length, int most, int j) {
    int here = start(starts, from, count, length, j);
    int after = start(starts, from, count, length, j + 1);
    return upTo(starts, from, j + 1, after > here ? j + 1 : most, here);
  }

  static void tiles(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      IntArray starts,
      IntArray bits,
      IntArray numbers,
      @Accumulator IntArray output,
      @Accumulator IntArray sums,
      IntArray flags,
      @Accumulator IntArray open,
      IntArray ends,
      int operator,
      @Accumulator int identity,
      int items,
      int lead,
      int isOfBits,
      int bitsGrain,
      int bitsLead,
      @AtLaunch int shapeAt) {
    int thread = context.localIdx;
    int tile = context.groupIdx;
    int length = shape.get(shapeAt + SegmentedTree.LENGTH_AT);
    int offset = length > 0 ? shape.get(shapeAt) : 0;
    int tiles = shape.get(shapeAt + SegmentedTree.TILES_AT);
    int one = shape.get(shapeAt + SegmentedTree.ONE_AT);
    if (tile < tiles) {
      int first = tile * (THREADS * items) - lead;
      int left = length - first;
      int before = Scalars.max(-first, 0);
      int isFull = first >= 0 & left >= THREADS * items ? 1 : 0;
      @Accumulator int initial = sums.get(0);
      @Accumulator int nothing = thread < THREADS ? identity : initial;
      @Accumulator
      int[] staged =
          staged(context, values, thread, offset, first, left, nothing, items, items * isFull, one);
      int own = thread * items;
      int mine = first + Scalars.min(own, left);
      int count = 0;
      int from = 0;
      int high = 0;
      int segment = 0;
      int begun = -1;
      int ended = 0;
      int mask = 0;
      if (isOfBits == 0) {
        count = flags.get(0) == 0 ? shape.get(shapeAt + SegmentedTree.OFFSETS_AT) : 0;
        from = count > 0 ? shape.get(shapeAt + SegmentedTree.SEGMENTS_FROM_AT) : 0;
        int low = numbers.get(Scalars.max(first, 0) / GRAIN);
        high = numbers.get((first + Scalars.min(left, THREADS * items)) / GRAIN + 1);
        low = Scalars.min(low, count);
        high = Scalars.min(high, count);
        int j = upTo(starts, from, low, high, mine);
        begun = start(starts, from, count, length, j - 1);
        begun = j > 0 ? begun : -1;
        segment = j;
        int place = start(starts, from, count, length, j);
        int until = left > own ? Scalars.min(left - own, items) : -1;
        while (place - mine <= until) {
          ended = ended | (1 << ((place - mine - 1) & 31));
          until = place < length ? until : -1;
          j = next(starts, from, count, length, high, j);
          place = start(starts, from, count, length, j);
        }
        mask = (ended << 1) | (begun == mine & segment > 0 ? 1 : 0);
      }
      if (isOfBits == 1) {
        int e = first + own + bitsLead;
        mask = HeadBits.ofBits(bits, 0, e, length + bitsLead);
        ended = HeadBits.ofBits(bits, 0, e + 1, length + bitsLead);
        ended = HeadBits.inside(ended, own, before, left - 1, items, 1);
        int last = left - 1 - own;
        int isLast = last >= 0 & last < items & length > 0 ? 1 : 0;
        ended = ended | (isLast << (last & 31));
      }
      mask = HeadBits.inside(mask, own, before, left, items, first);
      context.localBarrier();
      int at = thread * (items + 1);
      int heads = mask;
      @Accumulator int sum = nothing;
      for (int c = 0; c < items; c = Scalars.min(c + one * ROUND, items)) {
        for (int k = 0; k < ROUND; k++) {
          @Accumulator int item = staged[at + c + k];
          sum = Combine.apply(operator, (heads & (1 << k)) == 0 ? sum : initial, item);
        }
        heads = heads >> ROUND;
      }
      int ofThread = Integer.bitCount(mask);
      @Accumulator int[] pairs = context.allocateIntLocalArray(PLACES);
      int[] marks = context.allocateIntLocalArray(PLACES + 1);
      int group = thread / NEIGHBOURS;
      int hand = thread + group;
      pairs[hand] = sum;
      marks[hand] = ofThread;
      int lastItem = Scalars.min(left, THREADS * items) - 1 - own;
      if (lastItem >= 0 & lastItem < items) {
        marks[PLACES] = (ended >> (lastItem & 31)) & 1;
      }
      if (thread == 0) {
        ends.set(2 * tile, 0);
      }
      context.localBarrier();
      if (thread < NEIGHBOURS) {
        int hands = thread * (NEIGHBOURS + 1);
        @Accumulator int running = nothing;
        int seen = 0;
        for (int c = 0; c < NEIGHBOURS; c = Scalars.min(c + one * SERIAL, NEIGHBOURS)) {
          for (int k = 0; k < SERIAL; k++) {
            @Accumulator int next = pairs[hands + c + k];
            int head = marks[hands + c + k];
            pairs[hands + c + k] = running;
            marks[hands + c + k] = seen;
            running = Combine.apply(operator, head == 0 ? running : nothing, next);
            seen = seen + head;
          }
        }
        pairs[hands + NEIGHBOURS] = running;
        marks[hands + NEIGHBOURS] = seen;
        open.set(tile * OPEN + thread, running);
      }
      context.localBarrier();
      @Accumulator int running = nothing;
      int inTile = 0;
      int slot = 0;
      for (int c = 0; c < NEIGHBOURS; c = Scalars.min(c + one * SERIAL, NEIGHBOURS)) {
        for (int k = 0; k < SERIAL; k++) {
          int totalAt = (c + k) * (NEIGHBOURS + 1) + NEIGHBOURS;
          int head = marks[totalAt];
          @Accumulator
          int next = Combine.apply(operator, head == 0 ? running : nothing, pairs[totalAt]);
          running = c + k < group ? next : running;
          slot = slot + (c + k < group ? head : 0);
          inTile = inTile + head;
        }
      }
      slot = slot + marks[hand];
      running = Combine.apply(operator, marks[hand] == 0 ? running : nothing, pairs[hand]);
      if (thread == THREADS - 1) {
        int pairAt = SegmentedTree.pairAt(tile);
        sums.set(pairAt, Combine.apply(operator, ofThread == 0 ? running : nothing, sum));
        flags.set(pairAt, inTile == 0 ? 0 : 1);
      }
      int walked = ended == 0 ? 0 : items;
      heads = mask;
      for (int c = 0; c < walked; c = Scalars.min(c + one * ROUND, walked)) {
        for (int k = 0; k < ROUND; k++) {
          @Accumulator int base = (heads & (1 << k)) == 0 ? running : initial;
          running = Combine.apply(operator, base, staged[at + c + k]);
          staged[at + c + k] = running;
        }
        heads = heads >> ROUND;
      }
      int to = shape.get(shapeAt + SegmentedTree.TO_AT);
      if (isOfBits == 0) {
        int until = ended == 0 ? -1 : Scalars.min(left - own, items);
        int j = segment;
        int place = start(starts, from, count, length, j);
        while (place - mine <= until) {
          int isOpen = j == segment & begun < first ? 1 : 0;
          if (j > 0 & isOpen == 0) {
            output.set(to + j - 1, staged[at + Scalars.max(place - mine - 1, 0)]);
          }
          if (j > 0 & isOpen == 1) {
            open.set(tile * OPEN + NEIGHBOURS, pairs[hand]);
            ends.set(2 * tile, place);
            ends.set(2 * tile + 1, j - 1);
          }
          until = place < length ? until : -1;
          j = next(starts, from, count, length, high, j);
          place = start(starts, from, count, length, j);
        }
      }
      if (isOfBits == 1) {
        int begin = begin(bits, numbers, tile * (THREADS * items), bitsGrain, bitsLead - lead);
        int lowest = ended ^ (ended & (ended - 1));
        int upToLowest = (lowest << 1) - 1;
        int next = slot + Integer.bitCount(mask & upToLowest);
        int rest = ended;
        if (next == 0 & ended != 0) {
          open.set(tile * OPEN + NEIGHBOURS, pairs[hand]);
          ends.set(2 * tile, first + own + Integer.bitCount(lowest - 1) + 1);
          ends.set(2 * tile + 1, begin - 1);
          rest = ended & (ended - 1);
          next = 1;
        }
        int[] places = context.allocateIntLocalArray(SLOTS + SLOTS / 32);
        int all = inTile > 0 ? inTile - 1 + marks[PLACES] : 0;
        for (int base = 1; base <= all; base += SLOTS) {
          while (rest != 0 & next < base + SLOTS) {
            int after = rest & (rest - 1);
            places[next - base + (next - base) / 32] = at + Integer.bitCount((rest ^ after) - 1);
            next = next + 1;
            rest = after;
          }
          context.localBarrier();
          int stored = Scalars.min(all + 1 - base, SLOTS);
          for (int i = thread; i < stored; i += THREADS) {
            output.set(to + begin + base - 1 + i, staged[places[i + i / 32]]);
          }
          context.localBarrier();
        }
      }
    }
  }

  /** How many segments begin before a tile, whose first value is {@code shift} before a place. */
  private static int begin(IntArray bits, IntArray numbers, int place, int grain, int shift) {
    int begin = numbers.get(place / grain);
    if (shift > 0) {
      begin = begin + Integer.bitCount(bits.get(place / 32) & ((1 << shift) - 1));
    }
    if (shift < 0) {
      int last = bits.get(Scalars.max(place / 32 - 1, 0)) >> (32 + shift);
      begin = begin - (place > 0 ? Integer.bitCount(last & ((1 << (0 - shift)) - 1)) : 0);
    }
    return begin;
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
      int full,
      int one) {
    @Accumulator int[] staged = context.allocateIntLocalArray(THREADS * (items + 1));
    int before = Scalars.max(-first, 0);
    int place = thread + thread / items;
    int pitch = THREADS + THREADS / items;
    int last = Scalars.max(left - 1, 0);
    for (int c = 0; c < full; c = Scalars.min(c + one * ROUND, full)) {
      int from = offset + first + c * THREADS + thread;
      int at = place + c * pitch;
      @Accumulator int v0 = value(values.get(from));
      @Accumulator int v1 = value(values.get(from + THREADS));
      @Accumulator int v2 = value(values.get(from + 2 * THREADS));
      @Accumulator int v3 = value(values.get(from + 3 * THREADS));
      @Accumulator int v4 = value(values.get(from + 4 * THREADS));
      @Accumulator int v5 = value(values.get(from + 5 * THREADS));
      @Accumulator int v6 = value(values.get(from + 6 * THREADS));
      @Accumulator int v7 = value(values.get(from + 7 * THREADS));
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
      int at = offset + Scalars.max(first + Scalars.min(item, last), 0);
      @Accumulator int value = value(values.get(at));
      staged[place + c * pitch] = item < left & item >= before ? value : identity;
    }
    return staged;
  }

  private static @Accumulator int value(@Element int element) {
    return (@Accumulator int) Scalars.value(element);
  }

  /** The results of segments that begin and end in different tiles: a thread for each tile. */
  static void finish(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      @Accumulator IntArray output,
      @Accumulator IntArray sums,
      IntArray flags,
      @Accumulator IntArray open,
      IntArray ends,
      IntArray done,
      int operator,
      @Accumulator int identity,
      int items,
      int lead,
      @AtLaunch int shapeAt,
      @AtLaunch int doneAt) {
    int tile = context.groupIdx * THREADS + context.localIdx;
    int tiles = shape.get(shapeAt + SegmentedTree.TILES_AT);
    int mostTiles = shape.get(shapeAt + SegmentedTree.MOST_TILES_AT);
    int one = shape.get(shapeAt + SegmentedTree.ONE_AT);
    int end = ends.get(2 * Scalars.min(tile, tiles - 1));
    if (tile < tiles & end > 0) {
      @Accumulator int initial = sums.get(0);
      @Accumulator int nothing = tile >= 0 ? identity : initial;
      int first = tile * (THREADS * items) - lead;
      int last = end - 1 - first;
      int group = last / items / NEIGHBOURS;
      int pairAt = SegmentedTree.pairAt(tile);
      @Accumulator
      int ofChunk = sums.get(SegmentedTree.startAt(mostTiles, tile / SegmentedTree.CHUNK));
      @Accumulator
      int running =
          Combine.apply(operator, flags.get(pairAt) == 0 ? ofChunk : nothing, sums.get(pairAt));
      for (int g = 0; g < NEIGHBOURS; g = Scalars.min(g + one, NEIGHBOURS)) {
        @Accumulator int next = Combine.apply(operator, running, open.get(tile * OPEN + g));
        running = g < group ? next : running;
      }
      running = Combine.apply(operator, running, open.get(tile * OPEN + NEIGHBOURS));
      int own = last / items * items;
      int from = shape.get(shapeAt) + first + own;
      for (int k = 0; k < items; k = Scalars.min(k + one, items)) {
        @Accumulator int item = value(values.get(from + Scalars.min(k, last - own)));
        @Accumulator int next = Combine.apply(operator, running, item);
        running = k <= last - own ? next : running;
      }
      output.set(shape.get(shapeAt + SegmentedTree.TO_AT) + ends.get(2 * tile + 1), running);
    }
    if (tile == 0) {
      done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
    }
  }
}
