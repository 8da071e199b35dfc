package funnel.scan;

import funnel.jit.Accumulator;
import funnel.jit.Combine;
import funnel.jit.Element;
import funnel.jit.JvmValues;
import funnel.jit.Placeholder;
import funnel.jit.Twins;
import funnel.operation.ParallelRows;
import funnel.operator.ElementType;
import funnel.operator.OperatorCode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** JVM form of scans over one element and one accumulator type: see {@link ScanTree}. */
@Twins({
  "IntToLong",
  "LongToLong",
  "FloatToFloat",
  "FloatToDouble",
  "DoubleToDouble",
  "ByteToInt",
  "ByteToLong"
})
final class IntToIntScanLoops implements ScanStep.Loops {

  /* Tiles in turn, see OrderedTurns: a tile is cut into pieces, and the prefixes of the pieces'
   * sums are kept for the scan. In floating point a piece is what a thread of the kernels has,
   * combined in the same order. CHAINS pieces are summed at a time, since a plain loop waits for
   * the previous element's result; when they are scanned, the core works on the next pieces
   * meanwhile.
   *
   * Integers, min and max give the same result in any tree. So a tile is larger then, and has only
   * CHAINS pieces; and a single worker sums nothing, since it knows a tile's start when the tile
   * before is done.
   *
   * The identity stands for items outside the input. Where the kernels combine it several times in
   * a row, it is combined once here: x op identity is x, except for -0.0 + 0.0, which no longer
   * changes from the second time on.
   *
   * Always run as a copy of this class in which Placeholder.operator() is a constant. Arrays on the
   * heap are read and written directly; other segments are copied tile by tile.
   */

  private static final ElementType ELEMENT = ElementType.INT;
  private static final ElementType ACCUMULATOR = ElementType.INT;
  private static final boolean ANY_TREE =
      !ACCUMULATOR.isFloating()
          || Placeholder.operator() == OperatorCode.MIN
          || Placeholder.operator() == OperatorCode.MAX;
  private static final int TILE = (ANY_TREE ? 8 : 1) * ScanTree.tile(ACCUMULATOR);
  private static final int LEAD = ANY_TREE ? 0 : ScanTree.lead(ELEMENT);

  /** Pieces that are computed at a time. */
  private static final int CHAINS = 4;

  private static final int PIECES = ANY_TREE ? CHAINS : ScanTree.THREADS;
  private static final int PIECE = TILE / PIECES;

  /** Neighbours that a block's scan combines first: see {@link funnel.block.BlockScan}. */
  private static final int SERIES = ANY_TREE ? 1 : 16;

  /** Tiles that a worker takes together: 256 KB of accumulators. */
  private static final int TILES_AT_A_TIME = ANY_TREE ? 1 : 8;

  /* The running values of nextStart. */
  private static final int START_OF_GROUP = 0;
  private static final int START_OF_CHUNK = 1;
  private static final int CHUNKS_OF_GROUP = 2;
  private static final int SERIES_OF_CHUNK = 3;
  private static final int TILES_OF_SERIES = 4;
  private static final int RUNNING = 5;

  /** Called by the copies. */
  public IntToIntScanLoops() {}

  @Override
  public Number scan(
      MemorySegment values,
      MemorySegment output,
      int length,
      Number identity,
      Number initial,
      boolean inclusive) {
    @Accumulator int none = (@Accumulator Integer) identity;
    int tiles = Math.max(1, Math.toIntExact(Math.ceilDiv((long) length + LEAD, TILE)));
    @Accumulator int[] running = new @Accumulator int[RUNNING];
    Arrays.fill(running, none);
    running[START_OF_GROUP] = (@Accumulator Integer) initial;
    running[START_OF_CHUNK] = running[START_OF_GROUP];
    @Accumulator int[] total = new @Accumulator int[1];
    int places = (int) Math.min(TILE, (long) length + LEAD);
    @Element int @Nullable [] heap = elements(values);
    @Accumulator int @Nullable [] heapOutput = accumulators(output);
    int together = heap == null || heapOutput == null ? 1 : TILES_AT_A_TIME;
    int turns = Math.ceilDiv(tiles, together);
    int workers = OrderedTurns.workers(length, turns, ParallelRows.mayBeShared(values, output));
    if (workers == 1) {
      return scanAlone(values, output, length, none, running, inclusive);
    }
    OrderedTurns.run(
        turns,
        workers,
        () -> {
          @Element int[] x = heap == null ? new @Element int[places] : heap;
          @Accumulator int[] y = heapOutput == null ? new @Accumulator int[places] : heapOutput;
          @Accumulator int[][] prefixes = new @Accumulator int[together][PIECES];
          @Accumulator int[] sums = new @Accumulator int[together];
          return new OrderedTurns.Steps(
              turn -> {
                for (int t = 0; t < Math.min(together, tiles - turn * together); t++) {
                  long first = (long) (turn * together + t) * TILE - LEAD;
                  if (heap == null) {
                    load(values, first, length, x);
                  }
                  int xAt = heap == null ? 0 : index(values, ELEMENT, first);
                  sums[t] = sumTile(first, x, xAt, length, none, prefixes[t]);
                }
              },
              turn -> {
                for (int t = 0; t < Math.min(together, tiles - turn * together); t++) {
                  sums[t] = nextStart(turn * together + t, sums[t], running, none);
                }
              },
              turn -> {
                for (int t = 0; t < Math.min(together, tiles - turn * together); t++) {
                  int tile = turn * together + t;
                  long first = (long) tile * TILE - LEAD;
                  int xAt = heap == null ? 0 : index(values, ELEMENT, first);
                  int yAt = heapOutput == null ? 0 : index(output, ACCUMULATOR, first);
                  @Accumulator
                  int last =
                      scanTile(
                          first, x, xAt, y, yAt, length, none, inclusive, prefixes[t], sums[t]);
                  if (heapOutput == null) {
                    store(y, output, first, length);
                  }
                  if (tile == tiles - 1) {
                    total[0] = last;
                  }
                }
              });
        });
    return total[0];
  }

  /**
   * Scans in one thread. A tile is summed while the one before it is scanned, so that memory is
   * read and written at the same time.
   */
  private static @Accumulator int scanAlone(
      MemorySegment values,
      MemorySegment output,
      int length,
      @Accumulator int none,
      @Accumulator int[] running,
      boolean inclusive) {
    int places = (int) Math.min(TILE, (long) length + LEAD);
    @Element int @Nullable [] heap = elements(values);
    @Accumulator int @Nullable [] heapOutput = accumulators(output);
    @Element int[] x = heap == null ? new @Element int[places] : heap;
    @Accumulator int[] y = heapOutput == null ? new @Accumulator int[places] : heapOutput;
    @Accumulator int[] prefixes = new @Accumulator int[PIECES];
    @Accumulator int[] next = new @Accumulator int[PIECES];
    @Accumulator int last = running[START_OF_GROUP];
    boolean isSummed = false;
    long first = -LEAD;
    for (int tile = 0; tile == 0 || first < length; tile++, first += TILE) {
      if (heap == null) {
        load(values, first, length, x);
      }
      int xAt = heap == null ? 0 : index(values, ELEMENT, first);
      int yAt = heapOutput == null ? 0 : index(output, ACCUMULATOR, first);
      if (ANY_TREE) {
        int count = (int) Math.min(TILE, length - first);
        last = scanRun(x, xAt, (int) first - xAt, y, yAt, count, inclusive, last);
      } else {
        @Accumulator
        int sum =
            isSummed ? toPrefixes(prefixes, none) : sumTile(first, x, xAt, length, none, prefixes);
        @Accumulator int start = nextStart(tile, sum, running, none);
        isSummed = heap != null && first >= 0 && first + 2L * TILE <= length;
        last =
            isSummed
                ? scanAndSum(
                    x, xAt, (int) first - xAt, y, yAt, none, inclusive, prefixes, start, next)
                : scanTile(first, x, xAt, y, yAt, length, none, inclusive, prefixes, start);
        @Accumulator int[] scanned = prefixes;
        prefixes = next;
        next = scanned;
      }
      if (heapOutput == null) {
        store(y, output, first, length);
      }
    }
    return last;
  }

  /** The start of a tile, whose sum is then added to those before it. */
  private static @Accumulator int nextStart(
      int tile, @Accumulator int sum, @Accumulator int[] running, @Accumulator int none) {
    int position = tile % ScanTree.CHUNK;
    int inGroup = tile / ScanTree.CHUNK % ScanTree.GROUP;
    if (position == 0 && tile > 0) {
      @Accumulator int total = combine(running[SERIES_OF_CHUNK], none);
      @Accumulator int chunks = combine(running[CHUNKS_OF_GROUP], total);
      if (inGroup == 0) {
        running[START_OF_GROUP] = combine(running[START_OF_GROUP], chunks);
        running[START_OF_CHUNK] = running[START_OF_GROUP];
        running[CHUNKS_OF_GROUP] = none;
      } else {
        running[START_OF_CHUNK] = combine(running[START_OF_CHUNK], total);
        running[CHUNKS_OF_GROUP] = chunks;
      }
      running[SERIES_OF_CHUNK] = none;
    }
    @Accumulator int start = running[START_OF_CHUNK];
    if (inGroup < ScanTree.GROUP - 1) {
      start = combine(start, none);
    }
    @Accumulator int inner = none;
    if (position > 0) {
      inner = combine(running[TILES_OF_SERIES], none);
      inner = combine(running[SERIES_OF_CHUNK], inner);
      inner = combine(inner, none);
    }
    running[TILES_OF_SERIES] = combine(running[TILES_OF_SERIES], sum);
    if (position % SERIES == SERIES - 1) {
      running[SERIES_OF_CHUNK] = combine(running[SERIES_OF_CHUNK], running[TILES_OF_SERIES]);
      running[TILES_OF_SERIES] = none;
    }
    return combine(start, inner);
  }

  /** Sums a tile and leaves its pieces' prefixes. */
  private static @Accumulator int sumTile(
      long first,
      @Element int[] x,
      int xAt,
      int length,
      @Accumulator int none,
      @Accumulator int[] prefixes) {
    for (int piece = 0; piece < PIECES; piece += CHAINS) {
      int at = piece * PIECE;
      if (first + at >= 0 && first + at + CHAINS * PIECE <= length) {
        sumPieces(x, xAt + at, (int) first - xAt, none, prefixes, piece);
      } else {
        for (int p = piece; p < piece + CHAINS; p++) {
          prefixes[p] = sumPiece(x, xAt, first, p, length, none);
        }
      }
    }
    return toPrefixes(prefixes, none);
  }

  /** Sums {@link #CHAINS} pieces inside the input: indices are places and a shift. */
  private static void sumPieces(
      @Element int[] x,
      int at,
      int shift,
      @Accumulator int none,
      @Accumulator int[] sums,
      int sumsAt) {
    @Accumulator int r0 = none;
    @Accumulator int r1 = none;
    @Accumulator int r2 = none;
    @Accumulator int r3 = none;
    for (int c = 0; c < PIECE; c++) {
      int i = at + c;
      @Accumulator int v0 = value(i + shift, x[i]);
      @Accumulator int v1 = value(i + PIECE + shift, x[i + PIECE]);
      @Accumulator int v2 = value(i + 2 * PIECE + shift, x[i + 2 * PIECE]);
      @Accumulator int v3 = value(i + 3 * PIECE + shift, x[i + 3 * PIECE]);
      r0 = combine(r0, v0);
      r1 = combine(r1, v1);
      r2 = combine(r2, v2);
      r3 = combine(r3, v3);
    }
    sums[sumsAt] = r0;
    sums[sumsAt + 1] = r1;
    sums[sumsAt + 2] = r2;
    sums[sumsAt + 3] = r3;
  }

  private static @Accumulator int sumPiece(
      @Element int[] x, int xAt, long first, int piece, int length, @Accumulator int none) {
    int from = Math.clamp(-first, piece * PIECE, (piece + 1) * PIECE);
    int to = Math.clamp(length - first, from, (piece + 1) * PIECE);
    @Accumulator int sum = none;
    for (int i = from; i < to; i++) {
      sum = combine(sum, value((int) first + i, x[xAt + i]));
    }
    return to - from < PIECE ? combine(sum, none) : sum;
  }

  /** Replaces pieces' sums by their prefixes and returns the tile's sum. */
  private static @Accumulator int toPrefixes(@Accumulator int[] sums, @Accumulator int none) {
    @Accumulator int last = sums[PIECES - 1];
    @Accumulator int[] running = new @Accumulator int[PIECES / SERIES];
    Arrays.fill(running, none);
    for (int k = 0; k < SERIES; k++) {
      for (int series = 0; series < PIECES / SERIES; series++) {
        int piece = series * SERIES + k;
        @Accumulator int sum = sums[piece];
        sums[piece] = running[series];
        running[series] = combine(running[series], sum);
      }
    }
    @Accumulator int before = none;
    for (int series = 0; series < PIECES / SERIES; series++) {
      for (int piece = series * SERIES; piece < (series + 1) * SERIES; piece++) {
        sums[piece] = combine(before, sums[piece]);
      }
      before = combine(before, running[series]);
    }
    return combine(sums[PIECES - 1], last);
  }

  private static @Accumulator int scanTile(
      long first,
      @Element int[] x,
      int xAt,
      @Accumulator int[] y,
      int yAt,
      int length,
      @Accumulator int none,
      boolean inclusive,
      @Accumulator int[] prefixes,
      @Accumulator int start) {
    if (first >= 0 && first + TILE <= length) {
      return scanPieces(x, xAt, (int) first - xAt, y, yAt, inclusive, prefixes, start);
    }
    int lastPiece = Math.clamp(length - first - 1, 0, TILE - 1) / PIECE;
    @Accumulator int running = start;
    for (int piece = 0; piece <= lastPiece; piece++) {
      running = combine(start, prefixes[piece]);
      int from = piece * PIECE;
      int to = from + PIECE;
      if (first + from < 0) {
        running = combine(running, none);
        from = Math.clamp(-first, from, to);
      }
      int count = Math.clamp(length - first - from, 0, to - from);
      int shift = (int) first - xAt;
      running = scanRun(x, xAt + from, shift, y, yAt + from, count, inclusive, running);
      if (from + count < to) {
        running = combine(running, none);
      }
    }
    return running;
  }

  private static @Accumulator int scanPieces(
      @Element int[] x,
      int xAt,
      int shift,
      @Accumulator int[] y,
      int yAt,
      boolean inclusive,
      @Accumulator int[] prefixes,
      @Accumulator int start) {
    @Accumulator int running = start;
    for (int piece = 0; piece < PIECES; piece++) {
      running = combine(start, prefixes[piece]);
      int from = xAt + piece * PIECE;
      int to = yAt + piece * PIECE;
      for (int i = 0; i < PIECE; i++) {
        @Accumulator int before = running;
        running = combine(running, value(from + i + shift, x[from + i]));
        y[to + i] = inclusive ? running : before;
      }
    }
    return running;
  }

  /** Scans all pieces of a tile and sums those of the next one. */
  private static @Accumulator int scanAndSum(
      @Element int[] x,
      int xAt,
      int shift,
      @Accumulator int[] y,
      int yAt,
      @Accumulator int none,
      boolean inclusive,
      @Accumulator int[] prefixes,
      @Accumulator int start,
      @Accumulator int[] sums) {
    @Accumulator int running = start;
    for (int piece = 0; piece < PIECES; piece++) {
      running = combine(start, prefixes[piece]);
      @Accumulator int sum = none;
      int from = xAt + piece * PIECE;
      int to = yAt + piece * PIECE;
      for (int i = 0; i < PIECE; i++) {
        @Accumulator int before = running;
        running = combine(running, value(from + i + shift, x[from + i]));
        y[to + i] = inclusive ? running : before;
        sum = combine(sum, value(from + i + TILE + shift, x[from + i + TILE]));
      }
      sums[piece] = sum;
    }
    return running;
  }

  /** Scans elements one by one from a running value on and returns it after the last. */
  private static @Accumulator int scanRun(
      @Element int[] x,
      int xAt,
      int shift,
      @Accumulator int[] y,
      int yAt,
      int count,
      boolean inclusive,
      @Accumulator int start) {
    @Accumulator int running = start;
    if (inclusive) {
      for (int i = 0; i < count; i++) {
        running = combine(running, value(xAt + i + shift, x[xAt + i]));
        y[yAt + i] = running;
      }
    } else {
      for (int i = 0; i < count; i++) {
        @Accumulator int before = running;
        running = combine(running, value(xAt + i + shift, x[xAt + i]));
        y[yAt + i] = before;
      }
    }
    return running;
  }

  /** An element, or in a copy of this class with a user-defined function, its value. */
  private static @Accumulator int value(int index, @Element int element) {
    return (@Accumulator int) Placeholder.map(index, JvmValues.of(element));
  }

  private static @Accumulator int combine(@Accumulator int left, @Accumulator int right) {
    return switch (Placeholder.operator()) {
      case OperatorCode.MIN -> Math.min(left, right);
      case OperatorCode.MAX -> Math.max(left, right);
      default -> Combine.apply(Placeholder.operator(), left, right);
    };
  }

  private static @Element int @Nullable [] elements(MemorySegment segment) {
    Object heap = segment.heapBase().orElse(null);
    return heap instanceof @Element int[] && segment.address() % ELEMENT.bytes() == 0
        ? (@Element int[]) heap
        : null;
  }

  private static @Accumulator int @Nullable [] accumulators(MemorySegment segment) {
    Object heap = segment.heapBase().orElse(null);
    return heap instanceof @Accumulator int[] && segment.address() % ACCUMULATOR.bytes() == 0
        ? (@Accumulator int[]) heap
        : null;
  }

  /** The index of a place in the memory's array. */
  private static int index(MemorySegment memory, ElementType type, long place) {
    return (int) (memory.address() / type.bytes() + place);
  }

  /** Copies the part of a tile that is inside the input; the tile begins at place {@code first}. */
  private static void load(MemorySegment values, long first, int length, @Element int[] x) {
    ValueLayout.@Element OfInt layout = ValueLayout.JAVA_INT_UNALIGNED;
    long from = Math.max(0, first);
    int count = (int) (Math.min(first + TILE, length) - from);
    MemorySegment.copy(values, layout, from * layout.byteSize(), x, (int) (from - first), count);
  }

  private static void store(@Accumulator int[] y, MemorySegment output, long first, int length) {
    ValueLayout.@Accumulator OfInt layout = ValueLayout.JAVA_INT_UNALIGNED;
    long from = Math.max(0, first);
    int count = (int) (Math.min(first + TILE, length) - from);
    MemorySegment.copy(y, (int) (from - first), output, layout, from * layout.byteSize(), count);
  }
}
