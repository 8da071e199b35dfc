package funnel.scan;

import funnel.jit.Calls;
import funnel.jit.Combine;
import funnel.jit.Element;
import funnel.jit.Placeholder;
import funnel.jit.Twins;
import funnel.operation.ParallelRows;
import funnel.operator.ElementType;
import funnel.operator.OperatorCode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** JVM form of segmented scans over one type: see {@link SegmentedTree}. */
@Twins({"Long", "Float", "Double"})
final class IntSegmentedScanLoops implements SegmentedScanLoops {

  /* Integers, whose results do not depend on the association: the input is cut into parts; each
   * one's running value at its end is found, then what each begins with, then each is scanned. A part
   * in which a segment begins is run through from its last head only.
   *
   * Floating-point numbers: the tree as it is defined, tile by tile, in the kernels' steps.
   */

  private static final ElementType ELEMENT = ElementType.INT;
  private static final int THREADS = SegmentedTree.THREADS;
  private static final int CHUNK = SegmentedTree.CHUNK;
  private static final int GROUP = SegmentedTree.GROUP;
  private static final int NEIGHBOURS = SegmentedTree.NEIGHBOURS;
  private static final int ELEMENTS_OF_A_PART = 1 << 16;
  private static final int MOST_PARTS = 512;

  /** Elements that are copied at a time where they are not in an array. */
  private static final int BLOCK = 1 << 13;

  /** For the copies. */
  public IntSegmentedScanLoops() {}

  @Override
  public Number scan(
      MemorySegment values,
      long[] heads,
      MemorySegment output,
      int length,
      @Nullable Object operator,
      Number identity,
      Number initial,
      boolean inclusive) {
    @Element int none = (@Element Integer) identity;
    @Element int start = (@Element Integer) initial;
    if (length == 0) {
      return start;
    }
    int shared = ParallelRows.mayBeShared(values, output) ? length : 0;
    return ELEMENT.isFloating()
        ? tree(values, heads, output, length, shared, operator, none, start, inclusive)
        : parts(values, heads, output, length, shared, operator, start, inclusive);
  }

  /** The array behind a segment on the heap, or a new one for some of its elements at a time. */
  private static @Element int[] array(MemorySegment segment, int size) {
    Object heap = segment.heapBase().orElse(null);
    return heap instanceof @Element int[] array && segment.address() % ELEMENT.bytes() == 0
        ? array
        : new @Element int[size];
  }

  private static boolean isBehind(MemorySegment segment, @Element int[] array) {
    return segment.heapBase().orElse(null) == array;
  }

  /** By how much the places of elements from {@code first} on differ from their numbers. */
  private static int shift(MemorySegment segment, int first, @Element int[] array) {
    return isBehind(segment, array) ? (int) (segment.address() / ELEMENT.bytes()) : -first;
  }

  /** Copies elements into an array that is not behind the segment; its shift. */
  private static int load(MemorySegment values, int first, int behind, @Element int[] x) {
    if (!isBehind(values, x)) {
      ValueLayout.@Element OfInt layout = ValueLayout.JAVA_INT_UNALIGNED;
      MemorySegment.copy(values, layout, first * layout.byteSize(), x, 0, behind - first);
    }
    return shift(values, first, x);
  }

  private static void store(@Element int[] y, MemorySegment output, int first, int behind) {
    if (!isBehind(output, y)) {
      ValueLayout.@Element OfInt layout = ValueLayout.JAVA_INT_UNALIGNED;
      MemorySegment.copy(y, 0, output, layout, first * layout.byteSize(), behind - first);
    }
  }

  // Integers

  private static @Element int parts(
      MemorySegment values,
      long[] heads,
      MemorySegment output,
      int length,
      int shared,
      @Nullable Object operator,
      @Element int start,
      boolean inclusive) {
    int parts =
        ParallelRows.cores() == 1 ? 1 : Math.clamp(shared / ELEMENTS_OF_A_PART, 1, MOST_PARTS);
    @Element int[] sums = new @Element int[parts];
    boolean[] begun = new boolean[parts];
    if (parts > 1) {
      ParallelRows.run(
          parts,
          shared,
          (from, to) -> {
            for (int p = from; p < to; p++) {
              int first = bound(length, parts, p);
              int behind = bound(length, parts, p + 1);
              int head = lastHead(heads, first, behind);
              begun[p] = head >= first;
              sums[p] = sum(values, Math.max(head, first), behind, operator, begun[p], start);
            }
          });
    }
    @Element int[] starts = new @Element int[parts];
    starts[0] = start;
    for (int p = 1; p < parts; p++) {
      starts[p] = begun[p - 1] ? sums[p - 1] : combine(starts[p - 1], sums[p - 1], operator);
    }
    @Element int[] ends = new @Element int[parts];
    ParallelRows.run(
        parts,
        shared,
        (from, to) -> {
          @Element int[] x = array(values, Math.min(BLOCK, length));
          @Element int[] y = array(output, Math.min(BLOCK, length));
          for (int p = from; p < to; p++) {
            @Element int running = starts[p];
            int end = bound(length, parts, p + 1);
            for (int first = bound(length, parts, p); first < end; first += BLOCK) {
              int behind = first + Math.min(BLOCK, end - first);
              int xShift = load(values, first, behind, x);
              int yShift = shift(output, first, y);
              running =
                  scanItems(
                      x, xShift, y, yShift, heads, first, behind, operator, start, inclusive,
                      running);
              store(y, output, first, behind);
            }
            ends[p] = running;
          }
        });
    return ends[parts - 1];
  }

  /** The sum of elements, on top of the start if a segment begins with the first one. */
  private static @Element int sum(
      MemorySegment values,
      int from,
      int behind,
      @Nullable Object operator,
      boolean isHead,
      @Element int start) {
    @Element int[] x = array(values, Math.min(BLOCK, behind - from));
    @Element int running = start;
    for (int first = from; first < behind; first += BLOCK) {
      int end = first + Math.min(BLOCK, behind - first);
      int shift = load(values, first, end, x);
      int i = first;
      if (i == from && !isHead) {
        running = x[i + shift];
        i++;
      }
      for (; i < end; i++) {
        running = combine(running, x[i + shift], operator);
      }
    }
    return running;
  }

  /** Scans elements from a running value on and returns it after the last. */
  private static @Element int scanItems(
      @Element int[] x,
      int xShift,
      @Element int[] y,
      int yShift,
      long[] heads,
      int from,
      int behind,
      @Nullable Object operator,
      @Element int initial,
      boolean inclusive,
      @Element int before) {
    @Element int running = before;
    if (inclusive) {
      for (int i = from; i < behind; i++) {
        @Element int base = SegmentedHeads.at(heads, i) ? initial : running;
        running = combine(base, x[i + xShift], operator);
        y[i + yShift] = running;
      }
    } else {
      for (int i = from; i < behind; i++) {
        @Element int base = SegmentedHeads.at(heads, i) ? initial : running;
        running = combine(base, x[i + xShift], operator);
        y[i + yShift] = base;
      }
    }
    return running;
  }

  private static int bound(int length, int parts, int p) {
    return (int) ((long) length * p / parts);
  }

  /** The last head from {@code first} and before {@code behind}, or -1. */
  private static int lastHead(long[] heads, int first, int behind) {
    int w = behind - 1 >> 6;
    long word = heads[w] & -1L >>> -behind;
    while (word == 0 && w > first >> 6) {
      word = heads[--w];
    }
    int head = w * Long.SIZE + Long.SIZE - 1 - Long.numberOfLeadingZeros(word);
    return head >= first ? head : -1;
  }

  // The tree

  /** Values of pairs and their flags, side by side. */
  private static final class Pairs {
    final @Element int[] values;
    final boolean[] flags;

    Pairs(int count, @Element int identity) {
      values = new @Element int[count];
      flags = new boolean[count];
      Arrays.fill(values, identity);
    }

    void set(int at, @Element int value, boolean flag) {
      values[at] = value;
      flags[at] = flag;
    }
  }

  /** The items of a tile's threads: where a thread's begin and end, within the input. */
  private static int item(int tile, int thread, int length) {
    int items = SegmentedTree.items(ELEMENT);
    long place = (long) tile * THREADS * items + (long) thread * items;
    return (int) Math.clamp(place - SegmentedTree.lead(ELEMENT), 0, (long) length);
  }

  /** What a thread comes to, whose places may go on behind the input: with the identity. */
  private static @Element int padded(
      @Element int running,
      int tile,
      int thread,
      int length,
      @Nullable Object operator,
      @Element int identity) {
    int items = SegmentedTree.items(ELEMENT);
    long behind = ((long) tile * THREADS + thread + 1) * items - SegmentedTree.lead(ELEMENT);
    return behind > length ? combine(running, identity, operator) : running;
  }

  private static @Element int tree(
      MemorySegment values,
      long[] heads,
      MemorySegment output,
      int length,
      int shared,
      @Nullable Object operator,
      @Element int identity,
      @Element int initial,
      boolean inclusive) {
    int tiles = SegmentedTree.tiles(ELEMENT, length);
    Pairs ofTiles = new Pairs(tiles, identity);
    ParallelRows.run(
        tiles,
        shared,
        (from, to) -> {
          @Element int[] x = array(values, SegmentedTree.tile(ELEMENT));
          for (int tile = from; tile < to; tile++) {
            Pairs threads = threads(values, x, heads, length, tile, operator, identity, initial);
            setTotal(ofTiles, tile, threads, operator, identity);
          }
        });
    @Element int[] starts = starts(ofTiles, operator, identity);
    @Element int[] ends = new @Element int[tiles];
    ParallelRows.run(
        tiles,
        shared,
        (from, to) -> {
          @Element int[] x = array(values, SegmentedTree.tile(ELEMENT));
          @Element int[] y = array(output, SegmentedTree.tile(ELEMENT));
          for (int tile = from; tile < to; tile++) {
            Pairs threads = threads(values, x, heads, length, tile, operator, identity, initial);
            int first = item(tile, 0, length);
            int xShift = shift(values, first, x);
            int yShift = shift(output, first, y);
            @Element int[] before = exclusive(threads, starts[tile], operator, identity);
            for (int thread = 0; thread < THREADS; thread++) {
              @Element
              int running =
                  scanItems(
                      x,
                      xShift,
                      y,
                      yShift,
                      heads,
                      item(tile, thread, length),
                      item(tile, thread + 1, length),
                      operator,
                      initial,
                      inclusive,
                      before[thread]);
              ends[tile] = padded(running, tile, thread, length, operator, identity);
            }
            store(y, output, first, item(tile, THREADS, length));
          }
        });
    return ends[tiles - 1];
  }

  /** The pairs of a tile's threads. Places outside of the input are the identity. */
  private static Pairs threads(
      MemorySegment values,
      @Element int[] x,
      long[] heads,
      int length,
      int tile,
      @Nullable Object operator,
      @Element int identity,
      @Element int initial) {
    Pairs threads = new Pairs(THREADS, identity);
    int shift = load(values, item(tile, 0, length), item(tile, THREADS, length), x);
    for (int thread = 0; thread < THREADS; thread++) {
      @Element int running = identity;
      boolean flag = false;
      int behind = item(tile, thread + 1, length);
      for (int i = item(tile, thread, length); i < behind; i++) {
        boolean head = SegmentedHeads.at(heads, i);
        running = combine(head ? initial : running, x[i + shift], operator);
        flag |= head;
      }
      threads.set(thread, padded(running, tile, thread, length, operator, identity), flag);
    }
    return threads;
  }

  /** What is before each of a block's pairs, beginning with {@code start}. */
  private static @Element int[] exclusive(
      Pairs pairs, @Element int start, @Nullable Object operator, @Element int identity) {
    @Element int[] results = new @Element int[THREADS];
    @Element int before = start;
    for (int first = 0; first < THREADS; first += NEIGHBOURS) {
      @Element int running = identity;
      boolean seen = false;
      for (int t = first; t < first + NEIGHBOURS; t++) {
        results[t] = combine(seen ? identity : before, running, operator);
        running = combine(pairs.flags[t] ? identity : running, pairs.values[t], operator);
        seen |= pairs.flags[t];
      }
      before = combine(seen ? identity : before, running, operator);
    }
    return results;
  }

  /** Combines a block's pairs to one: the last one's prefix and the last one. */
  private static void setTotal(
      Pairs totals, int at, Pairs pairs, @Nullable Object operator, @Element int identity) {
    int last = THREADS - 1;
    @Element int prefix = exclusive(pairs, identity, operator, identity)[last];
    boolean any = false;
    for (boolean flag : pairs.flags) {
      any |= flag;
    }
    totals.set(
        at, combine(pairs.flags[last] ? identity : prefix, pairs.values[last], operator), any);
  }

  /** What each tile begins with. */
  private static @Element int[] starts(
      Pairs ofTiles, @Nullable Object operator, @Element int identity) {
    int tiles = ofTiles.values.length;
    int chunks = SegmentedTree.chunks(tiles);
    Pairs ofChunks = new Pairs(chunks, identity);
    @Element int[] starts = new @Element int[tiles];
    boolean[] seen = new boolean[tiles];
    for (int chunk = 0; chunk < chunks; chunk++) {
      Pairs pairs = new Pairs(THREADS, identity);
      int first = chunk * CHUNK;
      int count = Math.min(CHUNK, tiles - first);
      for (int t = 0; t < count; t++) {
        pairs.set(t, ofTiles.values[first + t], ofTiles.flags[first + t]);
        seen[first + t] = t > 0 && (seen[first + t - 1] || pairs.flags[t - 1]);
      }
      @Element int[] prefixes = exclusive(pairs, identity, operator, identity);
      System.arraycopy(prefixes, 0, starts, first, count);
      setTotal(ofChunks, chunk, pairs, operator, identity);
    }
    @Element int ofGroup = identity;
    for (int first = 0; first < chunks; first += GROUP) {
      @Element int running = ofGroup;
      @Element int sum = identity;
      boolean flag = false;
      for (int chunk = first; chunk < Math.min(first + GROUP, chunks); chunk++) {
        for (int tile = chunk * CHUNK; tile < Math.min((chunk + 1) * CHUNK, tiles); tile++) {
          starts[tile] = combine(seen[tile] ? identity : running, starts[tile], operator);
        }
        boolean head = ofChunks.flags[chunk];
        running = combine(head ? identity : running, ofChunks.values[chunk], operator);
        sum = combine(head ? identity : sum, ofChunks.values[chunk], operator);
        flag |= head;
      }
      ofGroup = combine(flag ? identity : ofGroup, sum, operator);
    }
    return starts;
  }

  private static @Element int combine(
      @Element int left, @Element int right, @Nullable Object operator) {
    return switch (Placeholder.operator()) {
      case OperatorCode.MIN -> Math.min(left, right);
      case OperatorCode.MAX -> Math.max(left, right);
      case Calls.OPERATOR -> Calls.combine(operator, left, right);
      default -> Combine.apply(Placeholder.operator(), left, right);
    };
  }
}
