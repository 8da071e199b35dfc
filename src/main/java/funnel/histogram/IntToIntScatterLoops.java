package funnel.histogram;

import funnel.jit.Accumulator;
import funnel.jit.Calls;
import funnel.jit.Combine;
import funnel.jit.Element;
import funnel.jit.Placeholder;
import funnel.jit.Twins;
import funnel.operator.ElementType;
import funnel.operator.OperatorCode;
import funnel.scan.SegmentedTree;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** JVM form of what writes a {@link ScatterReduce}'s output, over the values' and its own type. */
@Twins({
  "IntToLong",
  "IntToDouble",
  "LongToLong",
  "LongToDouble",
  "FloatToFloat",
  "FloatToDouble",
  "DoubleToDouble"
})
final class IntToIntScatterLoops implements ScatterLoops {

  /* The tree over keys in the order in which they come. How often each key is there says where its
   * values are in the sorted order, and that, where the rows of the tree's threads begin within them.
   * So each key has a running value, and a place that goes on with it. Only what a scan gives for a
   * key's last value is wanted. Rows before a key's last one begin with the neutral value; what they
   * come to is put down. Before the last one begins, they are combined, as a scan would, to what is
   * before it, and from that it goes on.
   *
   * The neutral value stands wherever a scan has it, since a user's operator may make of it and a
   * value another one with other bits. Only where a scan combines with it several times on end, once
   * is enough.
   */

  private static final ElementType ACCUMULATOR = ElementType.INT;

  /** Places of a row: a power of two. */
  private static final int ROW = SegmentedTree.items(ACCUMULATOR);

  private static final int ROW_BITS = Integer.numberOfTrailingZeros(ROW);
  private static final int LEAD = SegmentedTree.lead(ACCUMULATOR);
  private static final int THREADS = SegmentedTree.THREADS;
  private static final int NEIGHBOURS = SegmentedTree.NEIGHBOURS;
  private static final int CHUNK = SegmentedTree.CHUNK * THREADS;
  private static final int GROUP = SegmentedTree.GROUP * CHUNK;

  /** Elements that are copied at a time. */
  private static final int BLOCK = 1 << 12;

  /** For the copies. */
  public IntToIntScatterLoops() {}

  private static int index(MemorySegment indices, int i) {
    return indices.get(ValueLayout.JAVA_INT_UNALIGNED, 4L * i);
  }

  private static @Accumulator int value(MemorySegment values, int i) {
    ValueLayout.@Element OfInt layout = ValueLayout.JAVA_INT_UNALIGNED;
    return (@Accumulator int) values.get(layout, i * layout.byteSize());
  }

  private static @Accumulator int get(MemorySegment output, int i) {
    ValueLayout.@Accumulator OfInt layout = ValueLayout.JAVA_INT_UNALIGNED;
    return output.get(layout, i * layout.byteSize());
  }

  private static void set(MemorySegment output, int i, @Accumulator int value) {
    ValueLayout.@Accumulator OfInt layout = ValueLayout.JAVA_INT_UNALIGNED;
    output.set(layout, i * layout.byteSize(), value);
  }

  @Override
  public void ends(
      MemorySegment keys,
      MemorySegment come,
      int length,
      MemorySegment output,
      int size,
      @Nullable Object operator) {
    for (int i = 0; i < length; i++) {
      int key = index(keys, i);
      boolean isEnd = i == length - 1 || index(keys, i + 1) != key;
      if (isEnd && key >= 0 && key < size) {
        set(output, key, combine(get(output, key), get(come, i), operator));
      }
    }
  }

  @Override
  public void all(
      MemorySegment indices,
      MemorySegment values,
      int length,
      MemorySegment output,
      int size,
      @Nullable Object operator) {
    if (indices.heapBase().orElse(null) instanceof int[] at
        && values.heapBase().orElse(null) instanceof @Element int[] x
        && output.heapBase().orElse(null) instanceof @Accumulator int[] y
        && indices.address() == 0
        && values.address() == 0
        && output.address() == 0) {
      inArrays(at, x, length, y, size, operator);
      return;
    }
    for (int i = 0; i < length; i++) {
      int index = index(indices, i);
      if (index >= 0 && index < size) {
        set(output, index, combine(get(output, index), value(values, i), operator));
      }
    }
  }

  private static void inArrays(
      int[] indices,
      @Element int[] values,
      int length,
      @Accumulator int[] output,
      int size,
      @Nullable Object operator) {
    for (int i = 0; i < length; i++) {
      int index = indices[i];
      if (index >= 0 && index < size) {
        output[index] = combine(output[index], (@Accumulator int) values[i], operator);
      }
    }
  }

  @Override
  public void tree(
      MemorySegment keys,
      MemorySegment values,
      int length,
      MemorySegment output,
      int size,
      @Nullable Object operator,
      Number neutral) {
    @Accumulator int none = (@Accumulator Integer) neutral;
    int[] starts = starts(keys, length, size);
    int[] places = Arrays.copyOf(starts, size);
    @Accumulator int[] running = new @Accumulator int[size];
    Arrays.fill(running, none);
    @Accumulator int[] rows = new @Accumulator int[length + LEAD >>> ROW_BITS];
    ValueLayout.@Element OfInt layout = ValueLayout.JAVA_INT_UNALIGNED;
    int[] some = new int[Math.min(BLOCK, length)];
    @Element int[] x = new @Element int[some.length];
    for (int first = 0; first < length; first += some.length) {
      int count = Math.min(some.length, length - first);
      MemorySegment.copy(keys, ValueLayout.JAVA_INT_UNALIGNED, 4L * first, some, 0, count);
      MemorySegment.copy(values, layout, first * layout.byteSize(), x, 0, count);
      goOn(some, x, count, starts, places, running, rows, operator, none);
    }
    for (int key = 0; key < size; key++) {
      if (places[key] != starts[key]) {
        set(output, key, combine(get(output, key), running[key], operator));
      }
    }
  }

  /** The place of each key's first value in the sorted order, and that behind the last's. */
  private static int[] starts(MemorySegment keys, int length, int size) {
    int[] starts = new int[size + 1];
    int[] some = new int[Math.min(BLOCK, length)];
    for (int first = 0; first < length; first += some.length) {
      int count = Math.min(some.length, length - first);
      MemorySegment.copy(keys, ValueLayout.JAVA_INT_UNALIGNED, 4L * first, some, 0, count);
      count(some, count, starts, size);
    }
    int place = LEAD; // from 2^31 on it is negative, like all places
    for (int key = 0; key <= size; key++) {
      int count = starts[key];
      starts[key] = place;
      place += count;
    }
    return starts;
  }

  private static void count(int[] keys, int count, int[] counts, int size) {
    for (int i = 0; i < count; i++) {
      int key = keys[i];
      if (key >= 0 && key < size) {
        counts[key]++;
      }
    }
  }

  private static void goOn(
      int[] keys,
      @Element int[] values,
      int count,
      int[] starts,
      int[] places,
      @Accumulator int[] running,
      @Accumulator int[] rows,
      @Nullable Object operator,
      @Accumulator int neutral) {
    for (int i = 0; i < count; i++) {
      int key = keys[i];
      if (key >= 0 && key < places.length) {
        @Accumulator int value = combine(running[key], (@Accumulator int) values[i], operator);
        running[key] = value;
        int place = places[key] + 1;
        places[key] = place;
        if ((place & ROW - 1) == 0) {
          int first = starts[key] >>> ROW_BITS;
          running[key] = next(rows, first, place, starts[key + 1], value, operator, neutral);
        }
      }
    }
  }

  /** What a key goes on with at the end of a row. */
  private static @Accumulator int next(
      @Accumulator int[] rows,
      int first,
      int place,
      int end,
      @Accumulator int value,
      @Nullable Object operator,
      @Accumulator int neutral) {
    int left = end - place;
    if (left == 0) {
      return value;
    }
    int row = place >>> ROW_BITS;
    rows[row - 1] = value;
    return left > ROW ? neutral : before(rows, first, row, operator, neutral);
  }

  /** What a scan has before a row whose segment begins in another one. */
  private static @Accumulator int before(
      @Accumulator int[] rows,
      int first,
      int row,
      @Nullable Object operator,
      @Accumulator int neutral) {
    @Accumulator int ofRows = neutral;
    @Accumulator int before = neutral;
    @Accumulator int ofTiles = neutral;
    @Accumulator int beforeTiles = neutral;
    @Accumulator int ofChunks = neutral;
    @Accumulator int startOfChunk = neutral;
    @Accumulator int startOfGroup = neutral;
    for (int r = first; r < row; r++) {
      int behind = r + 1;
      if (behind % THREADS > 0) {
        ofRows = combine(ofRows, rows[r], operator);
        if (behind % NEIGHBOURS == 0) {
          before = combine(before, ofRows, operator);
          ofRows = neutral;
        }
        continue;
      }
      @Accumulator int ofTile = combine(combine(before, ofRows, operator), rows[r], operator);
      ofTiles = combine(ofTiles, ofTile, operator);
      if (behind % (NEIGHBOURS * THREADS) == 0) {
        beforeTiles = combine(beforeTiles, ofTiles, operator);
        ofTiles = neutral;
      }
      if (behind % CHUNK == 0) {
        // a block that scans a chunk's tiles has more threads than these are
        @Accumulator int ofChunk = combine(beforeTiles, neutral, operator);
        beforeTiles = neutral;
        ofChunks = combine(ofChunks, ofChunk, operator);
        startOfChunk = combine(startOfChunk, ofChunk, operator);
      }
      if (behind % GROUP == 0) {
        startOfGroup = combine(startOfGroup, ofChunks, operator);
        startOfChunk = startOfGroup;
        ofChunks = neutral;
      }
      ofRows = neutral;
      before = neutral;
      if (row - behind < THREADS) {
        @Accumulator int inChunk = combine(beforeTiles, ofTiles, operator);
        before = combine(startOfChunk, inChunk, operator);
      }
    }
    return combine(before, ofRows, operator);
  }

  private static @Accumulator int combine(
      @Accumulator int left, @Accumulator int right, @Nullable Object operator) {
    return switch (Placeholder.operator()) {
      case OperatorCode.MIN -> Math.min(left, right);
      case OperatorCode.MAX -> Math.max(left, right);
      case Calls.OPERATOR -> Calls.combine(operator, left, right);
      default -> Combine.apply(Placeholder.operator(), left, right);
    };
  }
}
