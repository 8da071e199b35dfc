package funnel.histogram;

import funnel.jit.Accumulator;
import funnel.jit.Combine;
import funnel.jit.Element;
import funnel.jit.Placeholder;
import funnel.jit.Twins;
import funnel.operation.ParallelRows;
import funnel.operator.ElementType;
import funnel.operator.OperatorCode;
import funnel.scan.SegmentedTree;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * JVM form of the part that writes the output of a {@link ScatterReduce}, over the types of the
 * values and the output.
 */
@Twins({
  "IntToLong",
  "IntToDouble",
  "LongToLong",
  "LongToDouble",
  "FloatToFloat",
  "FloatToDouble",
  "DoubleToDouble"
})
final class IntToIntScatterReduceLoops implements ScatterReduceStep.Loops {

  /* Builds the tree of the sorted keys from keys in any order. The counts of the keys say where
   * each key's values are in the sorted order, and so where the rows of the tree's threads begin
   * within them. So each key has a running value, and the number of places before its last row.
   * Only the scan's result for a key's last value is needed. Rows before a key's last row start
   * from the neutral value, and their totals are stored. Before the last row begins, they are
   * combined, as by the scan, to its start.
   *
   * The neutral value is combined wherever the scan combines it, since a user-defined operator may
   * then change the bits of a value. Only where the scan combines it several times in a row, once
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

  /** Elements that are combined at a time. */
  private static final int BLOCK = Bins.CHUNK;

  /** Called by the copies. */
  public IntToIntScatterReduceLoops() {}

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
      MemorySegment keys, MemorySegment come, int length, MemorySegment output, int size) {
    for (int i = 0; i < length; i++) {
      int key = index(keys, i);
      boolean isEnd = i == length - 1 || index(keys, i + 1) != key;
      if (isEnd && key >= 0 && key < size) {
        set(output, key, combine(get(output, key), get(come, i)));
      }
    }
  }

  @Override
  public void oneByOne(
      MemorySegment indices, MemorySegment values, int length, MemorySegment output) {
    int size = size(output);
    for (int i = 0; i < length; i++) {
      int index = index(indices, i);
      if (index < size) {
        set(output, index, combine(get(output, index), value(values, i)));
      }
    }
  }

  @Override
  public boolean all(
      Supplier<Keys> keys,
      MemorySegment values,
      int length,
      int workers,
      MemorySegment old,
      MemorySegment output,
      int limit,
      Number neutral) {
    ValueLayout.@Accumulator OfInt layout = ValueLayout.JAVA_INT_UNALIGNED;
    int size = size(output);
    @Accumulator int[][] sums = new @Accumulator int[workers][];
    @Accumulator int[] before = new @Accumulator int[limit];
    MemorySegment.copy(old, layout, 0, before, 0, size); // other threads must not read it
    AtomicBoolean isOutside = new AtomicBoolean();
    ParallelRows.parts(
        length,
        workers,
        (worker, first, end) -> {
          @Accumulator int[] y = before.clone(); // in its own cache lines
          sums[worker] = y;
          if (worker > 0) {
            Arrays.fill(y, (@Accumulator Integer) neutral);
          }
          boolean areInside =
              blocks(
                  keys.get(),
                  values,
                  first,
                  end,
                  (some, keyAt, x, at, count) ->
                      combineAll(some, keyAt, (@Element int[]) x, at, count, y));
          if (!areInside) {
            isOutside.set(true);
          }
        });
    if (isOutside.get()) {
      return false;
    }
    ParallelRows.run(
        size,
        (int) Math.min((workers - 1L) * size, Integer.MAX_VALUE),
        (from, to) -> {
          for (int worker = 1; worker < workers; worker++) {
            for (int key = from; key < to; key++) {
              sums[0][key] = combine(sums[0][key], sums[worker][key]);
            }
          }
        });
    MemorySegment.copy(sums[0], 0, output, layout, 0, size);
    return true;
  }

  private static int size(MemorySegment output) {
    return (int) (output.byteSize() / ACCUMULATOR.bytes());
  }

  /** Work on keys and values of some arrays; whether all keys are inside. */
  private interface Body {
    boolean block(int[] keys, int keyAt, Object values, int valueAt, int count);
  }

  /** Runs work on keys and values, which are in their own array or copied to one. */
  private static boolean blocks(Keys keys, MemorySegment values, int from, int to, Body body) {
    ValueLayout.@Element OfInt layout = ValueLayout.JAVA_INT_UNALIGNED;
    boolean inArray =
        values.heapBase().orElse(null) instanceof @Element int[]
            && values.address() % layout.byteSize() == 0;
    Object x =
        inArray ? values.heapBase().orElseThrow() : new @Element int[Math.min(BLOCK, to - from)];
    for (int first = from; first < to; ) {
      int count = Math.min(BLOCK, to - first);
      int at = inArray ? (int) (values.address() / layout.byteSize()) + first : 0;
      if (!inArray) {
        MemorySegment.copy(values, layout, first * layout.byteSize(), x, 0, count);
      }
      if (!body.block(keys.load(first, count), keys.at(first), x, at, count)) {
        return false;
      }
      first += count;
    }
    return true;
  }

  private static boolean combineAll(
      int[] keys,
      int keyAt,
      @Element int[] values,
      int valueAt,
      int count,
      @Accumulator int[] sums) {
    for (int i = 0; i < count; i++) {
      int key = keys[keyAt + i];
      if (key < 0 || key >= sums.length) {
        return false;
      }
      sums[key] = combine(sums[key], (@Accumulator int) values[valueAt + i]);
    }
    return true;
  }

  @Override
  public void tree(
      Keys keys,
      int[] counts,
      MemorySegment values,
      int length,
      MemorySegment old,
      MemorySegment output,
      int limit,
      Number neutral) {
    int[] starts = counts;
    int place = LEAD; // from 2^31 on it is negative, like all places
    for (int key = 0; key <= limit; key++) {
      int count = counts[key];
      starts[key] = place;
      place += count;
    }
    @Accumulator int none = (@Accumulator Integer) neutral;
    int[] toLastRow = new int[limit];
    for (int key = 0; key < limit; key++) {
      toLastRow[key] = (starts[key + 1] - 1 & -ROW) - starts[key];
    }
    @Accumulator int[] running = new @Accumulator int[limit];
    Arrays.fill(running, none);
    @Accumulator int[] rows = new @Accumulator int[length + LEAD >>> ROW_BITS];
    blocks(
        keys,
        values,
        0,
        length,
        (some, keyAt, x, at, count) -> {
          goOn(some, keyAt, (@Element int[]) x, at, count, starts, toLastRow, running, rows, none);
          return true;
        });
    for (int key = 0; key < size(output); key++) {
      @Accumulator int before = get(old, key);
      boolean isThere = starts[key + 1] != starts[key];
      set(output, key, isThere ? combine(before, running[key]) : before);
    }
  }

  private static void goOn(
      int[] keys,
      int keyAt,
      @Element int[] values,
      int valueAt,
      int count,
      int[] starts,
      int[] toLastRow,
      @Accumulator int[] running,
      @Accumulator int[] rows,
      @Accumulator int neutral) {
    for (int i = 0; i < count; i++) {
      int key = keys[keyAt + i];
      @Accumulator int value = combine(running[key], (@Accumulator int) values[valueAt + i]);
      running[key] = value;
      int places = toLastRow[key] - 1;
      toLastRow[key] = places;
      if ((places & ROW - 1) == 0 && places >= 0) {
        int row = (starts[key + 1] - 1 >>> ROW_BITS) - (places >>> ROW_BITS);
        rows[row - 1] = value;
        running[key] = places > 0 ? neutral : before(rows, starts[key] >>> ROW_BITS, row, neutral);
      }
    }
  }

  /** The scan's prefix before a row whose segment begins in another row. */
  private static @Accumulator int before(
      @Accumulator int[] rows, int first, int row, @Accumulator int neutral) {
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
        ofRows = combine(ofRows, rows[r]);
        if (behind % NEIGHBOURS == 0) {
          before = combine(before, ofRows);
          ofRows = neutral;
        }
        continue;
      }
      @Accumulator int ofTile = combine(combine(before, ofRows), rows[r]);
      ofTiles = combine(ofTiles, ofTile);
      if (behind % (NEIGHBOURS * THREADS) == 0) {
        beforeTiles = combine(beforeTiles, ofTiles);
        ofTiles = neutral;
      }
      if (behind % CHUNK == 0) {
        // a block that scans a chunk's tiles has more threads than tiles
        @Accumulator int ofChunk = combine(beforeTiles, neutral);
        beforeTiles = neutral;
        ofChunks = combine(ofChunks, ofChunk);
        startOfChunk = combine(startOfChunk, ofChunk);
      }
      if (behind % GROUP == 0) {
        startOfGroup = combine(startOfGroup, ofChunks);
        startOfChunk = startOfGroup;
        ofChunks = neutral;
      }
      ofRows = neutral;
      before = neutral;
      if (row - behind < THREADS) {
        @Accumulator int inChunk = combine(beforeTiles, ofTiles);
        before = combine(startOfChunk, inChunk);
      }
    }
    return combine(before, ofRows);
  }

  private static @Accumulator int combine(@Accumulator int left, @Accumulator int right) {
    return switch (Placeholder.operator()) {
      case OperatorCode.MIN -> Math.min(left, right);
      case OperatorCode.MAX -> Math.max(left, right);
      default -> Combine.apply(Placeholder.operator(), left, right);
    };
  }
}
