package funnel.reduce;

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

/** JVM form of reductions over one element and one accumulator type: see {@link ReductionTree}. */
@Twins({
  "IntToLong",
  "IntToDouble",
  "LongToInt",
  "LongToLong",
  "LongToDouble",
  "FloatToInt",
  "FloatToFloat",
  "FloatToDouble",
  "DoubleToInt",
  "DoubleToDouble",
  "ByteToInt",
  "ByteToLong",
  "ByteToDouble"
})
final class IntToIntReductionLoops implements ReductionStep.Loops {

  /* Rows are reduced in parallel, GROUP neighbouring ones by one thread, so that its tiles are
   * adjacent; then their results.
   *
   * The shipped operators on integers give the same result in any order, and so do min and max of
   * floating-point numbers: these are reduced in stretches, which C2 turns into vector reductions.
   *
   * Always run as a copy of this class in which Placeholder.operator() and .transform() are
   * constants: the switches fold, and accumulate becomes a loop over two int arrays that C2 turns
   * into vector instructions. Off-heap input is first copied into a block of the first-level
   * cache's size, since loops that mix off-heap reads with stores to arrays are not vectorised; nor
   * are loops over two arrays of one type, which might overlap, so that elements of the
   * accumulator's type are copied after the lanes into the same array, at a distance that C2 knows.
   */

  private static final ElementType ELEMENT = ElementType.INT;
  private static final ElementType ACCUMULATOR = ElementType.INT;
  private static final int LEAD = ReductionTree.lead(ELEMENT);
  private static final int BLOCK = ReductionTree.TILE;
  private static final int LEAST_STRETCH = 1 << 15;
  private static final int MOST_STRETCHES = 64;

  /** The number of rows whose lanes together fit into the first-level cache. */
  private static final int GROUP = 8;

  /** Called by the copies. */
  public IntToIntReductionLoops() {}

  @Override
  public Number reduce(
      MemorySegment values,
      MemorySegment others,
      int length,
      Number identity,
      Number parameter,
      boolean ordered) {
    @Accumulator int start = (@Accumulator Integer) identity;
    @Accumulator int mean = (@Accumulator Integer) parameter;
    @Element int[] first = new @Element int[1];
    copy(values, 0, Math.min(1, length), first, 0);
    @Element int origin = first[0];
    int code = Placeholder.operator();
    boolean anyOrder =
        code <= OperatorCode.XOR
            && (!ACCUMULATOR.isFloating() || code == OperatorCode.MIN || code == OperatorCode.MAX);
    int rows = (ordered ? ReductionTree.orderedRows() : ReductionTree.stripedRows(LEAD)).of(length);
    if (anyOrder) {
      rows = Math.clamp(length / LEAST_STRETCH, 1, MOST_STRETCHES);
    }
    @Accumulator int[] partials = new @Accumulator int[rows];
    ParallelRows.run(
        rows,
        ParallelRows.mayBeShared(values, others) ? length : 0,
        (from, to) -> {
          if (anyOrder) {
            stretches(from, to, length, values, others, start, origin, mean, partials);
          } else if (ordered) {
            orderedRows(from, to, length, values, others, start, origin, mean, partials);
          } else {
            stripedRows(from, to, length, values, others, start, origin, mean, partials);
          }
        });
    if (ordered) {
      return finishOrdered(partials, start);
    }
    return anyOrder ? inAnyOrder(partials, start) : finishStriped(partials, start);
  }

  /**
   * Reduces stretches of neighbouring elements, for operators whose result does not depend on the
   * order.
   */
  private static void stretches(
      int fromStretch,
      int toStretch,
      int length,
      MemorySegment values,
      MemorySegment others,
      @Accumulator int identity,
      @Element int origin,
      @Accumulator int mean,
      @Accumulator int[] partials) {
    @Element int[] x = array(values, length);
    @Element int[] y = array(others, length);
    boolean inArrays = isBehind(values, x) && isBehind(others, y);
    for (int stretch = fromStretch; stretch < toStretch; stretch++) {
      long begin = (long) length * stretch / partials.length;
      long end = (long) length * (stretch + 1) / partials.length;
      @Accumulator int sum = identity;
      long step = inArrays ? Math.max(1, end - begin) : BLOCK;
      for (long at = begin; at < end; at += step) {
        int count = (int) Math.min(step, end - at);
        int firstAt = load(values, at, count, x);
        int secondAt = firstAt;
        if (Placeholder.transform() == TransformCode.PRODUCT) {
          secondAt = load(others, at, count, y);
        }
        int shift = (int) (at - firstAt);
        sum = combineAll(sum, identity, x, firstAt, y, secondAt, count, shift, origin, mean);
      }
      partials[stretch] = sum;
    }
  }

  /**
   * Reduces four quarters at the same time, since several streams use more of the memory bandwidth
   * than one. If elements are transformed first there is one stream, since C2 does not vectorize
   * four.
   */
  private static @Accumulator int combineAll(
      @Accumulator int start,
      @Accumulator int identity,
      @Element int[] first,
      int firstAt,
      @Element int[] second,
      int secondAt,
      int count,
      int shift,
      @Element int origin,
      @Accumulator int mean) {
    @Accumulator int sum0 = start;
    @Accumulator int sum1 = identity;
    @Accumulator int sum2 = identity;
    @Accumulator int sum3 = identity;
    boolean isPlain =
        (ELEMENT == ACCUMULATOR || ELEMENT == ElementType.BYTE)
            && Placeholder.transform() == TransformCode.IDENTITY;
    int quarter = isPlain ? count / 4 : 0;
    int half = 2 * quarter;
    int most = 3 * quarter;
    for (int i = 0; i < quarter; i++) {
      int a = firstAt + i;
      int b = secondAt + i;
      sum0 = combine(sum0, item(first, a, second, b, shift, origin, mean));
      sum1 = combine(sum1, item(first, a + quarter, second, b + quarter, shift, origin, mean));
      sum2 = combine(sum2, item(first, a + half, second, b + half, shift, origin, mean));
      sum3 = combine(sum3, item(first, a + most, second, b + most, shift, origin, mean));
    }
    sum0 = combine(combine(sum0, sum1), combine(sum2, sum3));
    int apart = secondAt - firstAt;
    for (int a = firstAt + 4 * quarter; a < firstAt + count; a++) {
      sum0 = combine(sum0, item(first, a, second, a + apart, shift, origin, mean));
    }
    return sum0;
  }

  /** The value of an element; its index in the input is its index in the array plus a shift. */
  private static @Accumulator int item(
      @Element int[] first,
      int a,
      @Element int[] second,
      int b,
      int shift,
      @Element int origin,
      @Accumulator int mean) {
    @Element int x = first[a];
    @Element int y = x;
    if (Placeholder.transform() == TransformCode.PRODUCT) {
      y = second[b];
    }
    return transformed(a + shift, x, y, origin, mean);
  }

  private static void stripedRows(
      int fromRow,
      int toRow,
      int length,
      MemorySegment values,
      MemorySegment others,
      @Accumulator int identity,
      @Element int origin,
      @Accumulator int mean,
      @Accumulator int[] partials) {
    int rows = ReductionTree.stripedRows(LEAD).of(length);
    long tiles = ReductionTree.tiles(length, LEAD);
    boolean inPlace = ELEMENT == ACCUMULATOR && Placeholder.transform() != TransformCode.PRODUCT;
    int most = Math.min(GROUP, toRow - fromRow);
    int places =
        ReductionTree.LANES + (inPlace && length >= ReductionTree.TILE ? ReductionTree.TILE : 0);
    @Accumulator int[][] lanes = new @Accumulator int[most][places];
    @Element int[] x = array(values, length);
    @Element int[] y = array(others, length);
    for (int group = fromRow; group < toRow; group += GROUP) {
      int endOfGroup = Math.min(group + GROUP, toRow);
      for (@Accumulator int[] row : lanes) {
        Arrays.fill(row, 0, ReductionTree.LANES, identity);
      }
      for (long base = 0; base < tiles; base += rows) {
        for (int row = group; row < endOfGroup && base + row < tiles; row++) {
          @Accumulator int[] lanesOfRow = lanes[row - group];
          long begin = (base + row) * ReductionTree.TILE - LEAD;
          long from = Math.max(0, begin);
          int count = (int) (Math.min(begin + ReductionTree.TILE, length) - from);
          if (inPlace && count == ReductionTree.TILE) {
            copy(values, from, count, lanesOfRow, ReductionTree.LANES);
            accumulateTile(lanesOfRow, (int) from, origin, mean);
            continue;
          }
          int firstAt = load(values, from, count, x);
          int secondAt = firstAt;
          if (Placeholder.transform() == TransformCode.PRODUCT) {
            secondAt = load(others, from, count, y);
          }
          int skipped = (int) (from - begin);
          int upper = Math.min(count, ReductionTree.LANES - skipped);
          int shift = (int) (from - firstAt);
          accumulate(lanesOfRow, skipped, x, firstAt, y, secondAt, upper, shift, origin, mean);
          accumulate(
              lanesOfRow,
              0,
              x,
              firstAt + upper,
              y,
              secondAt + upper,
              count - upper,
              shift,
              origin,
              mean);
        }
      }
      for (int row = group; row < endOfGroup; row++) {
        partials[row] = foldLanes(lanes[row - group]);
      }
    }
  }

  /** Combines the tile after the lanes, in the same array, into the lanes. */
  private static void accumulateTile(
      @Accumulator int[] lanes, int from, @Element int origin, @Accumulator int mean) {
    for (int lane = 0; lane < ReductionTree.LANES; lane++) {
      @Element int first = (@Element int) lanes[lane + ReductionTree.LANES];
      @Element int second = (@Element int) lanes[lane + ReductionTree.TILE];
      @Accumulator
      int sum = combine(lanes[lane], transformed(from + lane, first, first, origin, mean));
      int next = from + ReductionTree.LANES + lane;
      lanes[lane] = combine(sum, transformed(next, second, second, origin, mean));
    }
  }

  private static void orderedRows(
      int fromRow,
      int toRow,
      int length,
      MemorySegment values,
      MemorySegment others,
      @Accumulator int identity,
      @Element int origin,
      @Accumulator int mean,
      @Accumulator int[] partials) {
    int rows = ReductionTree.orderedRows().of(length);
    int perSegment = ReductionTree.itemsOfSegment(0).of(length, rows);
    @Accumulator int[] segments = new @Accumulator int[ReductionTree.ORDERED_THREADS];
    @Element int[] x = array(values, length);
    @Element int[] y = array(others, length);
    for (int row = fromRow; row < toRow; row++) {
      long begin = (long) row * ReductionTree.ORDERED_THREADS * perSegment;
      for (int s = 0; s < ReductionTree.ORDERED_THREADS; s++) {
        long from = begin + (long) s * perSegment;
        long to = Math.min(from + perSegment, length);
        @Accumulator int sum = identity;
        for (long at = from; at < to; at += BLOCK) {
          int count = (int) Math.min(BLOCK, to - at);
          int firstAt = load(values, at, count, x);
          int secondAt = firstAt;
          if (Placeholder.transform() == TransformCode.PRODUCT) {
            secondAt = load(others, at, count, y);
          }
          int shift = (int) (at - firstAt);
          for (int i = 0; i < count; i++) {
            sum = combine(sum, item(x, firstAt + i, y, secondAt + i, shift, origin, mean));
          }
        }
        segments[s] = sum;
      }
      partials[row] = foldNeighbours(segments);
    }
  }

  private static void accumulate(
      @Accumulator int[] lanes,
      int lanesAt,
      @Element int[] first,
      int firstAt,
      @Element int[] second,
      int secondAt,
      int count,
      int shift,
      @Element int origin,
      @Accumulator int mean) {
    for (int lane = 0; lane < count; lane++) {
      lanes[lanesAt + lane] =
          combine(
              lanes[lanesAt + lane],
              item(first, firstAt + lane, second, secondAt + lane, shift, origin, mean));
    }
  }

  private static Number inAnyOrder(@Accumulator int[] partials, @Accumulator int identity) {
    @Accumulator int sum = identity;
    for (@Accumulator int partial : partials) {
      sum = combine(sum, partial);
    }
    return sum;
  }

  private static Number finishStriped(@Accumulator int[] partials, @Accumulator int identity) {
    if (partials.length == 1) { // the other lanes are the identity
      @Accumulator int sum = combine(identity, partials[0]);
      for (int half = ReductionTree.LANES / 2; half > 0; half /= 2) {
        sum = combine(sum, identity);
      }
      return sum;
    }
    @Accumulator int[] lanes = new @Accumulator int[ReductionTree.LANES];
    Arrays.fill(lanes, identity);
    for (int i = 0; i < partials.length; i++) {
      int lane = i % ReductionTree.LANES;
      lanes[lane] = combine(lanes[lane], partials[i]);
    }
    return foldLanes(lanes);
  }

  private static Number finishOrdered(@Accumulator int[] partials, @Accumulator int identity) {
    int perSegment = ReductionTree.ORDERED_ROWS_PER_THREAD;
    @Accumulator int[] segments = new @Accumulator int[ReductionTree.ORDERED_THREADS];
    for (int s = 0; s < ReductionTree.ORDERED_THREADS; s++) {
      @Accumulator int sum = identity;
      for (int i = s * perSegment; i < Math.min((s + 1) * perSegment, partials.length); i++) {
        sum = combine(sum, partials[i]);
      }
      segments[s] = sum;
    }
    return foldNeighbours(segments);
  }

  private static @Accumulator int foldLanes(@Accumulator int[] lanes) {
    for (int half = ReductionTree.LANES / 2; half > 0; half /= 2) {
      for (int lane = 0; lane < half; lane++) {
        lanes[lane] = combine(lanes[lane], lanes[lane + half]);
      }
    }
    return lanes[0];
  }

  private static @Accumulator int foldNeighbours(@Accumulator int[] segments) {
    for (int stride = 1; stride < segments.length; stride *= 2) {
      for (int left = 0; left < segments.length; left += 2 * stride) {
        segments[left] = combine(segments[left], segments[left + stride]);
      }
    }
    return segments[0];
  }

  private static @Accumulator int combine(@Accumulator int left, @Accumulator int right) {
    return switch (Placeholder.operator()) {
      case OperatorCode.MIN -> Math.min(left, right);
      case OperatorCode.MAX -> Math.max(left, right);
      default -> Combine.apply(Placeholder.operator(), left, right);
    };
  }

  private static @Accumulator int transformed(
      int index, @Element int x, @Element int y, @Element int origin, @Accumulator int mean) {
    @Accumulator int value = (@Accumulator int) JvmValues.of(x);
    if (Placeholder.transform() == TransformCode.DISTANCE
        || Placeholder.transform() == TransformCode.SQUARED_DEVIATION) {
      value = (@Accumulator int) Distance.of(JvmValues.of(x), JvmValues.of(origin));
    }
    return switch (Placeholder.transform()) {
      case TransformCode.SQUARE -> value * value;
      case TransformCode.PRODUCT -> value * (@Accumulator int) JvmValues.of(y);
      case TransformCode.SQUARED_DEVIATION -> (value - mean) * (value - mean);
      case TransformCode.TEST -> Placeholder.test(index, JvmValues.of(x)) ? 1 : 0;
      case TransformCode.MAP -> Placeholder.map(index, value);
      default -> value;
    };
  }

  /** The array of a segment on the heap, or a new one for blocks of its elements. */
  private static @Element int[] array(MemorySegment segment, int length) {
    Object heap = segment.heapBase().orElse(null);
    return heap instanceof @Element int[] array && segment.address() % ELEMENT.bytes() == 0
        ? array
        : new @Element int[Math.min(BLOCK, length)];
  }

  private static boolean isBehind(MemorySegment segment, @Element int[] array) {
    return segment.heapBase().orElse(null) == array;
  }

  /** The index of elements in an array: the segment's array, or one that they are copied to. */
  private static int load(MemorySegment segment, long at, int count, @Element int[] array) {
    if (isBehind(segment, array)) {
      return (int) (segment.address() / ELEMENT.bytes() + at);
    }
    copy(segment, at, count, array, 0);
    return 0;
  }

  private static void copy(MemorySegment segment, long at, int count, Object array, int to) {
    ValueLayout.@Element OfInt layout = ValueLayout.JAVA_INT_UNALIGNED;
    MemorySegment.copy(segment, layout, at * layout.byteSize(), array, to, count);
  }
}
