package funnel.scan;

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
final class IntSegmentedScanLoops implements SegmentedScanStep.Loops {

  /* Tiles in turn, see OrderedTurns: a tile's pieces are summed, which gives each piece's start and
   * the next tile's, and are then scanned. In floating point a piece is what a thread of the
   * kernels has, combined in the same order; a piece without a head is one plain loop.
   *
   * A single worker sums a tile while it scans the one before, so that memory is read and written
   * at the same time.
   *
   * Integers, min and max give the same result in any tree. So a tile is larger then, and is one
   * piece. A single worker then sums nothing, since it knows a tile's start when the tile before is
   * done.
   *
   * Only a part's last segment counts for its sum, so summing starts at the part's last head.
   */

  private static final ElementType ELEMENT = ElementType.INT;
  private static final boolean ANY_TREE =
      !ELEMENT.isFloating()
          || Placeholder.operator() == OperatorCode.MIN
          || Placeholder.operator() == OperatorCode.MAX;
  private static final int PIECES = ANY_TREE ? 1 : SegmentedTree.THREADS;
  private static final int PIECE = ANY_TREE ? 1 << 16 : SegmentedTree.items(ELEMENT);
  private static final int TILE = PIECES * PIECE;

  /** Elements that are scanned at a time, in a plain loop if no segment begins among them. */
  private static final int STEP = Math.min(PIECE, Long.SIZE);

  private static final int LEAD = ANY_TREE ? 0 : SegmentedTree.lead(ELEMENT);

  /** Neighbours that are combined first: threads of a block, tiles of a chunk. */
  private static final int SERIES = SegmentedTree.NEIGHBOURS;

  private static final int TILES_AT_A_TIME = ANY_TREE ? 1 : 8;

  /* The running values of setStart, and its flags. */
  private static final int START_OF_GROUP = 0;
  private static final int START_OF_CHUNK = 1;
  private static final int CHUNKS_OF_GROUP = 2;
  private static final int SERIES_OF_CHUNK = 3;
  private static final int TILES_OF_SERIES = 4;
  private static final int RUNNING = 5;
  private static final int IN_GROUP = 0;
  private static final int IN_CHUNK = 1;
  private static final int IN_SERIES = 2;
  private static final int FLAGS = 3;

  /** Called by the copies. */
  public IntSegmentedScanLoops() {}

  /** A worker's state for a tile: each value is that of a last segment, with a flag. */
  private static final class Tile {
    /** The sums of pieces, then what comes before each of them in its series. */
    final @Element int[] pieces;

    final boolean[] flags;
    final @Element int[] series;
    final boolean[] flagsOfSeries;
    @Element int sum;
    boolean flag;
    @Element int start;

    Tile(int count) {
      pieces = new @Element int[count];
      flags = new boolean[count];
      series = new @Element int[count / SERIES];
      flagsOfSeries = new boolean[count / SERIES];
    }
  }

  @Override
  public Number scan(
      MemorySegment values,
      long[] heads,
      MemorySegment output,
      int length,
      Number identity,
      Number initial,
      boolean inclusive) {
    @Element int none = (@Element Integer) identity;
    @Element int begin = (@Element Integer) initial;
    if (length == 0) {
      return begin;
    }
    int tiles = Math.toIntExact(Math.ceilDiv((long) length + LEAD, TILE));
    int workers = OrderedTurns.workers(length, tiles, ParallelRows.mayBeShared(values, output));
    boolean alone = ANY_TREE && workers == 1;
    boolean ahead = !ANY_TREE && workers == 1 && isArray(values);
    int together = !ahead && isArray(values) && isArray(output) ? TILES_AT_A_TIME : 1;
    int turns = Math.ceilDiv(tiles, together);
    @Element int[] running = new @Element int[RUNNING];
    Arrays.fill(running, none);
    boolean[] seen = new boolean[FLAGS];
    @Element int[] end = new @Element int[] {begin};
    OrderedTurns.run(
        turns,
        workers,
        () -> {
          @Element int[] x = array(values, Math.min(TILE, length));
          @Element int[] y = array(output, Math.min(TILE, length));
          Tile[] own = new Tile[Math.min(ahead ? 2 : together, tiles)];
          Arrays.setAll(own, _ -> new Tile(PIECES));
          return new OrderedTurns.Steps(
              turn -> {
                for (int t = turn * together; !alone && t < end(turn, together, tiles); t++) {
                  if (ahead && t > 0) {
                    continue;
                  }
                  int shift = load(values, bound(t, 0, length), bound(t, PIECES, length), x);
                  sumTile(x, shift, heads, t, length, none, begin, own[t % own.length]);
                }
              },
              turn -> {
                for (int t = turn * together; !alone && t < end(turn, together, tiles); t++) {
                  setStart(own[t % own.length], t, running, seen, none);
                }
              },
              turn -> {
                for (int t = turn * together; t < end(turn, together, tiles); t++) {
                  int first = bound(t, 0, length);
                  int behind = bound(t, PIECES, length);
                  Tile tile = own[t % own.length];
                  if (alone) {
                    load(values, first, behind, x);
                    tile.start = end[0];
                  }
                  @Element
                  int last =
                      scanTile(
                          x,
                          shift(values, first, x),
                          y,
                          shift(output, first, y),
                          heads,
                          t,
                          length,
                          none,
                          begin,
                          inclusive,
                          tile,
                          ahead && t + 1 < tiles ? own[(t + 1) % 2] : null);
                  store(y, output, first, behind);
                  if (alone || t == tiles - 1) {
                    end[0] = last;
                  }
                }
              });
        });
    return end[0];
  }

  private static int end(int turn, int together, int tiles) {
    return Math.min((turn + 1) * together, tiles);
  }

  private static boolean isArray(MemorySegment segment) {
    return segment.heapBase().orElse(null) instanceof @Element int[]
        && segment.address() % ELEMENT.bytes() == 0;
  }

  private static @Element int[] array(MemorySegment segment, int size) {
    return isArray(segment)
        ? (@Element int[]) segment.heapBase().orElseThrow()
        : new @Element int[size];
  }

  private static boolean isBehind(MemorySegment segment, @Element int[] array) {
    return segment.heapBase().orElse(null) == array;
  }

  /** The difference between the places of elements from {@code first} on and their indices. */
  private static int shift(MemorySegment segment, int first, @Element int[] array) {
    return isBehind(segment, array) ? (int) (segment.address() / ELEMENT.bytes()) : -first;
  }

  /** Copies elements into an array that is not the segment's; returns its shift. */
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

  /** Where a piece of a tile begins, within the input. */
  private static int bound(int tile, int piece, int length) {
    long place = (long) tile * TILE + (long) piece * PIECE - LEAD;
    return (int) Math.clamp(place, 0, (long) length);
  }

  /** The sum of a piece that may extend past the input, where places count as the identity. */
  private static @Element int padded(
      @Element int running, int tile, int piece, int length, @Element int none) {
    long behind = (long) tile * TILE + (piece + 1L) * PIECE - LEAD;
    return !ANY_TREE && behind > length ? combine(running, none) : running;
  }

  /** Whether elements begin segments, a bit each; {@code count} is from 1 to 64. */
  private static long bits(long[] heads, int from, int count) {
    int word = from >> 6;
    long bits = heads[word] >>> from;
    if ((from & 63) + count > Long.SIZE) {
      bits |= heads[word + 1] << -from;
    }
    return bits & -1L >>> -count;
  }

  /** The last head from {@code first} to {@code behind}, the latter excluded, or -1. */
  private static int lastHead(long[] heads, int first, int behind) {
    int w = behind - 1 >> 6;
    long word = heads[w] & -1L >>> -behind;
    while (word == 0 && w > first >> 6) {
      word = heads[--w];
    }
    int head = w * Long.SIZE + Long.SIZE - 1 - Long.numberOfLeadingZeros(word);
    return head >= first ? head : -1;
  }

  /** Sums a tile's pieces and the tile, and stores what comes before each piece in its series. */
  private static void sumTile(
      @Element int[] x,
      int shift,
      long[] heads,
      int number,
      int length,
      @Element int none,
      @Element int begin,
      Tile tile) {
    for (int piece = 0; piece < PIECES; piece++) {
      sumPiece(x, shift, heads, number, piece, length, none, begin, tile);
    }
    if (ANY_TREE) {
      tile.sum = tile.pieces[0];
      tile.flag = tile.flags[0];
    } else {
      combinePieces(tile, none);
    }
  }

  private static void sumPiece(
      @Element int[] x,
      int shift,
      long[] heads,
      int number,
      int piece,
      int length,
      @Element int none,
      @Element int begin,
      Tile tile) {
    int from = bound(number, piece, length);
    int behind = bound(number, piece + 1, length);
    int head = behind > from ? lastHead(heads, from, behind) : -1;
    @Element int sum = head >= 0 ? begin : none;
    if (head < 0 && behind - from == PIECE) { // the compiler knows how many
      for (int i = 0; i < PIECE; i++) {
        sum = combine(sum, value(x, shift, from + i));
      }
    } else {
      for (int i = Math.max(head, from); i < behind; i++) {
        sum = combine(sum, value(x, shift, i));
      }
    }
    tile.pieces[piece] = padded(sum, number, piece, length, none);
    tile.flags[piece] = head >= 0;
  }

  private static void combinePieces(Tile tile, @Element int none) {
    @Element int lastSum = tile.pieces[PIECES - 1];
    boolean lastFlag = tile.flags[PIECES - 1];
    @Element int before = none;
    tile.flag = false;
    for (int series = 0; series < PIECES / SERIES; series++) {
      @Element int running = none;
      boolean seen = false;
      for (int p = series * SERIES; p < (series + 1) * SERIES; p++) {
        @Element int sum = tile.pieces[p];
        boolean flag = tile.flags[p];
        tile.pieces[p] = running;
        tile.flags[p] = seen;
        running = combine(flag ? none : running, sum);
        seen |= flag;
      }
      tile.series[series] = running;
      tile.flagsOfSeries[series] = seen;
      tile.flag |= seen;
      if (series < PIECES / SERIES - 1) {
        before = combine(seen ? none : before, running);
      }
    }
    before = combine(tile.flags[PIECES - 1] ? none : before, tile.pieces[PIECES - 1]);
    tile.sum = combine(lastFlag ? none : before, lastSum);
  }

  /** Sets a tile's start and adds the tile to those before the next. */
  private static void setStart(
      Tile tile, int number, @Element int[] running, boolean[] seen, @Element int none) {
    if (ANY_TREE) {
      tile.start = running[START_OF_GROUP];
      running[START_OF_GROUP] = tile.flag ? tile.sum : combine(tile.start, tile.sum);
      return;
    }
    int position = number % SegmentedTree.CHUNK;
    if (position == 0 && number > 0) {
      @Element int total = combine(running[SERIES_OF_CHUNK], none);
      boolean flag = seen[IN_CHUNK];
      running[START_OF_CHUNK] = combine(flag ? none : running[START_OF_CHUNK], total);
      running[CHUNKS_OF_GROUP] = combine(flag ? none : running[CHUNKS_OF_GROUP], total);
      seen[IN_GROUP] |= flag;
      if (number / SegmentedTree.CHUNK % SegmentedTree.GROUP == 0) {
        running[START_OF_GROUP] =
            combine(seen[IN_GROUP] ? none : running[START_OF_GROUP], running[CHUNKS_OF_GROUP]);
        running[START_OF_CHUNK] = running[START_OF_GROUP];
        running[CHUNKS_OF_GROUP] = none;
        seen[IN_GROUP] = false;
      }
      running[SERIES_OF_CHUNK] = none;
      seen[IN_CHUNK] = false;
    }
    @Element
    int prefix =
        combine(seen[IN_SERIES] ? none : running[SERIES_OF_CHUNK], running[TILES_OF_SERIES]);
    tile.start = combine(seen[IN_CHUNK] ? none : running[START_OF_CHUNK], prefix);
    running[TILES_OF_SERIES] = combine(tile.flag ? none : running[TILES_OF_SERIES], tile.sum);
    seen[IN_SERIES] |= tile.flag;
    seen[IN_CHUNK] |= tile.flag;
    if (position % SERIES == SERIES - 1) {
      running[SERIES_OF_CHUNK] =
          combine(seen[IN_SERIES] ? none : running[SERIES_OF_CHUNK], running[TILES_OF_SERIES]);
      running[TILES_OF_SERIES] = none;
      seen[IN_SERIES] = false;
    }
  }

  /** Scans a tile, and sums the next one if it is not null; returns the last piece's result. */
  private static @Element int scanTile(
      @Element int[] x,
      int xShift,
      @Element int[] y,
      int yShift,
      long[] heads,
      int number,
      int length,
      @Element int none,
      @Element int begin,
      boolean inclusive,
      Tile tile,
      @Nullable Tile next) {
    @Element int before = tile.start;
    @Element int running = before;
    int from = bound(number, 0, length);
    for (int piece = 0; piece < PIECES; piece++) {
      if (!ANY_TREE) {
        running = combine(tile.flags[piece] ? none : before, tile.pieces[piece]);
        if (piece % SERIES == SERIES - 1) {
          int series = piece / SERIES;
          before = combine(tile.flagsOfSeries[series] ? none : before, tile.series[series]);
        }
      }
      int behind = bound(number, piece + 1, length);
      for (; from <= behind - STEP; from += STEP) {
        long bits = bits(heads, from, STEP);
        int to = from + yShift;
        if (bits != 0) {
          for (int i = 0; i < STEP; i++) {
            @Element int base = (bits & 1) != 0 ? begin : running;
            bits >>>= 1;
            running = combine(base, value(x, xShift, from + i));
            y[to + i] = inclusive ? running : base;
          }
        } else {
          for (int i = 0; i < STEP; i++) {
            @Element int base = running;
            running = combine(base, value(x, xShift, from + i));
            y[to + i] = inclusive ? running : base;
          }
        }
      }
      if (from < behind) {
        running = scanItems(x, xShift, y, yShift, heads, from, behind, begin, inclusive, running);
        from = behind;
      }
      running = padded(running, number, piece, length, none);
      if (!ANY_TREE && next != null) {
        sumPiece(x, xShift, heads, number + 1, piece, length, none, begin, next);
      }
    }
    if (!ANY_TREE && next != null) {
      combinePieces(next, none);
    }
    return running;
  }

  /**
   * Scans fewer than {@link #STEP} elements from a running value on and returns it after the last.
   */
  private static @Element int scanItems(
      @Element int[] x,
      int xShift,
      @Element int[] y,
      int yShift,
      long[] heads,
      int from,
      int behind,
      @Element int begin,
      boolean inclusive,
      @Element int before) {
    @Element int running = before;
    long bits = bits(heads, from, behind - from);
    for (int i = from; i < behind; i++) {
      @Element int base = (bits & 1) != 0 ? begin : running;
      bits >>>= 1;
      running = combine(base, value(x, xShift, i));
      y[i + yShift] = inclusive ? running : base;
    }
    return running;
  }

  /** An element, or in a copy of this class with a user-defined function, its value. */
  private static @Element int value(@Element int[] x, int shift, int i) {
    return Placeholder.map(i, x[i + shift]);
  }

  private static @Element int combine(@Element int left, @Element int right) {
    return switch (Placeholder.operator()) {
      case OperatorCode.MIN -> Math.min(left, right);
      case OperatorCode.MAX -> Math.max(left, right);
      default -> Combine.apply(Placeholder.operator(), left, right);
    };
  }
}
