package funnel.reduce;

import funnel.jit.Accumulator;
import funnel.jit.Calls;
import funnel.jit.Combine;
import funnel.jit.Element;
import funnel.jit.Placeholder;
import funnel.jit.Twins;
import funnel.kernel.Scalars;
import funnel.operation.ParallelRows;
import funnel.operator.ElementType;
import funnel.operator.OperatorCode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** JVM form of reductions over one element and one accumulator type: see {@link ReduceTree}. */
@Twins({
  "IntToLong",
  "IntToDouble",
  "LongToLong",
  "LongToDouble",
  "FloatToFloat",
  "FloatToDouble",
  "DoubleToDouble",
  "ByteToInt",
  "ByteToLong",
  "ByteToDouble"
})
final class IntToIntReduceLoops implements ReduceLoops {

  /* Rows are reduced in parallel, GROUP neighbouring ones by one thread, whose tiles then lie next to
   * each other; then their results.
   *
   * Integers under the operators that we ship come out the same in any order; where they need not be
   * widened they are reduced in stretches, which C2 turns into vector reductions.
   *
   * Always run as a copy of this class in which Placeholder.operator() and .transform() are
   * constants: the switches fold, and accumulate becomes a loop over two int arrays that C2 turns
   * into vector instructions. Off-heap input is first copied into a block of the first-level
   * cache's size, since loops that mix off-heap reads with stores to arrays are not vectorised; nor
   * are loops over two arrays of one type, which might overlap, so that elements of the
   * accumulator's type are copied behind the lanes in the same array, at a distance that C2 knows.
   */

  private static final ElementType ELEMENT = ElementType.INT;
  private static final ElementType ACCUMULATOR = ElementType.INT;
  private static final int LEAD = ReduceTree.lead(ELEMENT);
  private static final int BLOCK = ReduceTree.TILE;
  private static final int LEAST_STRETCH = 1 << 15;
  private static final int MOST_STRETCHES = 64;

  /** Rows whose lanes fit into the first-level cache together. */
  private static final int GROUP = 8;

  /** For the copies. */
  public IntToIntReduceLoops() {}

  @Override
  public Number reduce(
      MemorySegment values,
      MemorySegment others,
      int length,
      @Nullable Object operator,
      @Nullable Object transform,
      Number identity,
      Number parameter,
      boolean ordered) {
    @Accumulator int start = (@Accumulator Integer) identity;
    @Accumulator int mean = (@Accumulator Integer) parameter;
    boolean anyOrder =
        ELEMENT == ACCUMULATOR
            && !ACCUMULATOR.isFloating()
            && Placeholder.operator() <= OperatorCode.XOR;
    int rows = ordered ? ReduceTree.orderedRows(length) : ReduceTree.stripedRows(length, LEAD);
    if (anyOrder) {
      rows = Math.clamp(length / LEAST_STRETCH, 1, MOST_STRETCHES);
    }
    @Accumulator int[] partials = new @Accumulator int[rows];
    ParallelRows.run(
        rows,
        ParallelRows.mayBeShared(values, others) ? length : 0,
        (from, to) -> {
          if (anyOrder) {
            stretches(from, to, length, values, others, operator, transform, start, mean, partials);
          } else if (ordered) {
            orderedRows(
                from, to, length, values, others, operator, transform, start, mean, partials);
          } else {
            stripedRows(
                from, to, length, values, others, operator, transform, start, mean, partials);
          }
        });
    return ordered
        ? finishOrdered(partials, operator, start)
        : finishStriped(partials, operator, start);
  }

  /** Reduces stretches of neighbouring elements, for operators whose result no order changes. */
  private static void stretches(
      int fromStretch,
      int toStretch,
      int length,
      MemorySegment values,
      MemorySegment others,
      @Nullable Object operator,
      @Nullable Object transform,
      @Accumulator int identity,
      @Accumulator int mean,
      @Accumulator int[] partials) {
    @Element int[] x = new @Element int[BLOCK];
    @Element int[] y = new @Element int[BLOCK];
    for (int stretch = fromStretch; stretch < toStretch; stretch++) {
      long begin = (long) length * stretch / partials.length;
      long end = (long) length * (stretch + 1) / partials.length;
      @Accumulator int sum = identity;
      boolean inArrays = elements(values, 0, 0, x) != x && elements(others, 0, 0, y) != y;
      long step = inArrays ? Math.max(1, end - begin) : BLOCK;
      for (long at = begin; at < end; at += step) {
        int count = (int) Math.min(step, end - at);
        @Element int[] first = elements(values, at, count, x);
        int firstAt = first == x ? 0 : heapIndex(values, at);
        @Element int[] second = first;
        int secondAt = firstAt;
        if (Placeholder.transform() == TransformCode.PRODUCT) {
          second = elements(others, at, count, y);
          secondAt = second == y ? 0 : heapIndex(others, at);
        }
        sum =
            combineAll(
                sum, identity, first, firstAt, second, secondAt, count, mean, operator, transform);
      }
      partials[stretch] = sum;
    }
  }

  /** Four quarters at once: as many streams keep more of memory busy than one. */
  private static @Accumulator int combineAll(
      @Accumulator int start,
      @Accumulator int identity,
      @Element int[] first,
      int firstAt,
      @Element int[] second,
      int secondAt,
      int count,
      @Accumulator int mean,
      @Nullable Object operator,
      @Nullable Object transform) {
    @Accumulator int sum0 = start;
    @Accumulator int sum1 = identity;
    @Accumulator int sum2 = identity;
    @Accumulator int sum3 = identity;
    int quarter = count / 4;
    int half = 2 * quarter;
    int most = 3 * quarter;
    for (int i = 0; i < quarter; i++) {
      int a = firstAt + i;
      int b = secondAt + i;
      sum0 = combine(sum0, item(first, a, second, b, mean, transform), operator);
      sum1 =
          combine(sum1, item(first, a + quarter, second, b + quarter, mean, transform), operator);
      sum2 = combine(sum2, item(first, a + half, second, b + half, mean, transform), operator);
      sum3 = combine(sum3, item(first, a + most, second, b + most, mean, transform), operator);
    }
    sum0 = combine(combine(sum0, sum1, operator), combine(sum2, sum3, operator), operator);
    for (int i = 4 * quarter; i < count; i++) {
      sum0 =
          combine(sum0, item(first, firstAt + i, second, secondAt + i, mean, transform), operator);
    }
    return sum0;
  }

  private static @Accumulator int item(
      @Element int[] first,
      int a,
      @Element int[] second,
      int b,
      @Accumulator int mean,
      @Nullable Object transform) {
    @Element int x = first[a];
    @Element int y = x;
    if (Placeholder.transform() == TransformCode.PRODUCT) {
      y = second[b];
    }
    return transformed(x, y, mean, transform);
  }

  private static void stripedRows(
      int fromRow,
      int toRow,
      int length,
      MemorySegment values,
      MemorySegment others,
      @Nullable Object operator,
      @Nullable Object transform,
      @Accumulator int identity,
      @Accumulator int mean,
      @Accumulator int[] partials) {
    int rows = ReduceTree.stripedRows(length, LEAD);
    long tiles = ReduceTree.tiles(length, LEAD);
    @Accumulator int[][] lanes = new @Accumulator int[GROUP][ReduceTree.LANES + ReduceTree.TILE];
    @Element int[] x = new @Element int[ReduceTree.TILE];
    @Element int[] y = new @Element int[ReduceTree.TILE];
    boolean inPlace = ELEMENT == ACCUMULATOR && Placeholder.transform() != TransformCode.PRODUCT;
    for (int group = fromRow; group < toRow; group += GROUP) {
      int endOfGroup = Math.min(group + GROUP, toRow);
      for (@Accumulator int[] row : lanes) {
        Arrays.fill(row, 0, ReduceTree.LANES, identity);
      }
      for (long base = 0; base < tiles; base += rows) {
        for (int row = group; row < endOfGroup && base + row < tiles; row++) {
          @Accumulator int[] lanesOfRow = lanes[row - group];
          long begin = (base + row) * ReduceTree.TILE - LEAD;
          long from = Math.max(0, begin);
          int count = (int) (Math.min(begin + ReduceTree.TILE, length) - from);
          if (inPlace && count == ReduceTree.TILE) {
            copy(values, from, count, lanesOfRow, ReduceTree.LANES);
            accumulateTile(lanesOfRow, mean, operator, transform);
            continue;
          }
          int skipped = (int) (from - begin);
          @Element int[] first = elements(values, from, count, x);
          int firstAt = first == x ? 0 : heapIndex(values, from);
          @Element int[] second = first;
          int secondAt = firstAt;
          if (Placeholder.transform() == TransformCode.PRODUCT) {
            second = elements(others, from, count, y);
            secondAt = second == y ? 0 : heapIndex(others, from);
          }
          int upper = Math.min(count, ReduceTree.LANES - skipped);
          accumulate(
              lanesOfRow,
              skipped,
              first,
              firstAt,
              second,
              secondAt,
              upper,
              mean,
              operator,
              transform);
          accumulate(
              lanesOfRow,
              0,
              first,
              firstAt + upper,
              second,
              secondAt + upper,
              count - upper,
              mean,
              operator,
              transform);
        }
      }
      for (int row = group; row < endOfGroup; row++) {
        partials[row] = foldLanes(lanes[row - group], operator);
      }
    }
  }

  /** Combines the tile behind the lanes, in the same array, into the lanes. */
  private static void accumulateTile(
      @Accumulator int[] lanes,
      @Accumulator int mean,
      @Nullable Object operator,
      @Nullable Object transform) {
    for (int lane = 0; lane < ReduceTree.LANES; lane++) {
      @Element int first = (@Element int) lanes[lane + ReduceTree.LANES];
      @Element int second = (@Element int) lanes[lane + ReduceTree.TILE];
      @Accumulator
      int sum = combine(lanes[lane], transformed(first, first, mean, transform), operator);
      lanes[lane] = combine(sum, transformed(second, second, mean, transform), operator);
    }
  }

  private static void orderedRows(
      int fromRow,
      int toRow,
      int length,
      MemorySegment values,
      MemorySegment others,
      @Nullable Object operator,
      @Nullable Object transform,
      @Accumulator int identity,
      @Accumulator int mean,
      @Accumulator int[] partials) {
    int perSegment = ReduceTree.itemsOfSegment(length);
    @Accumulator int[] segments = new @Accumulator int[ReduceTree.ORDERED_THREADS];
    @Element int[] x = new @Element int[BLOCK];
    @Element int[] y = new @Element int[BLOCK];
    for (int row = fromRow; row < toRow; row++) {
      long begin = (long) row * ReduceTree.ORDERED_THREADS * perSegment;
      for (int s = 0; s < ReduceTree.ORDERED_THREADS; s++) {
        long from = begin + (long) s * perSegment;
        long to = Math.min(from + perSegment, length);
        @Accumulator int sum = identity;
        for (long at = from; at < to; at += BLOCK) {
          int count = (int) Math.min(BLOCK, to - at);
          @Element int[] first = elements(values, at, count, x);
          int firstAt = first == x ? 0 : heapIndex(values, at);
          @Element int[] second = first;
          int secondAt = firstAt;
          if (Placeholder.transform() == TransformCode.PRODUCT) {
            second = elements(others, at, count, y);
            secondAt = second == y ? 0 : heapIndex(others, at);
          }
          for (int i = 0; i < count; i++) {
            sum =
                combine(
                    sum,
                    transformed(first[firstAt + i], second[secondAt + i], mean, transform),
                    operator);
          }
        }
        segments[s] = sum;
      }
      partials[row] = foldNeighbours(segments, operator);
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
      @Accumulator int mean,
      @Nullable Object operator,
      @Nullable Object transform) {
    for (int lane = 0; lane < count; lane++) {
      @Element int x = first[firstAt + lane];
      @Element int y = x;
      if (Placeholder.transform() == TransformCode.PRODUCT) {
        y = second[secondAt + lane];
      }
      lanes[lanesAt + lane] =
          combine(lanes[lanesAt + lane], transformed(x, y, mean, transform), operator);
    }
  }

  private static Number finishStriped(
      @Accumulator int[] partials, @Nullable Object operator, @Accumulator int identity) {
    @Accumulator int[] lanes = new @Accumulator int[ReduceTree.LANES];
    Arrays.fill(lanes, identity);
    for (int i = 0; i < partials.length; i++) {
      int lane = i % ReduceTree.LANES;
      lanes[lane] = combine(lanes[lane], partials[i], operator);
    }
    return foldLanes(lanes, operator);
  }

  private static Number finishOrdered(
      @Accumulator int[] partials, @Nullable Object operator, @Accumulator int identity) {
    int perSegment = ReduceTree.ORDERED_ROWS_PER_THREAD;
    @Accumulator int[] segments = new @Accumulator int[ReduceTree.ORDERED_THREADS];
    for (int s = 0; s < ReduceTree.ORDERED_THREADS; s++) {
      @Accumulator int sum = identity;
      for (int i = s * perSegment; i < Math.min((s + 1) * perSegment, partials.length); i++) {
        sum = combine(sum, partials[i], operator);
      }
      segments[s] = sum;
    }
    return foldNeighbours(segments, operator);
  }

  private static @Accumulator int foldLanes(@Accumulator int[] lanes, @Nullable Object operator) {
    for (int half = ReduceTree.LANES / 2; half > 0; half /= 2) {
      for (int lane = 0; lane < half; lane++) {
        lanes[lane] = combine(lanes[lane], lanes[lane + half], operator);
      }
    }
    return lanes[0];
  }

  private static @Accumulator int foldNeighbours(
      @Accumulator int[] segments, @Nullable Object operator) {
    for (int stride = 1; stride < segments.length; stride *= 2) {
      for (int left = 0; left < segments.length; left += 2 * stride) {
        segments[left] = combine(segments[left], segments[left + stride], operator);
      }
    }
    return segments[0];
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

  private static @Accumulator int transformed(
      @Element int x, @Element int y, @Accumulator int parameter, @Nullable Object transform) {
    return switch (Placeholder.transform()) {
      case Calls.TEST -> Calls.test(transform, Scalars.value(x)) ? 1 : 0;
      case Calls.MAP -> Calls.map(transform, (@Accumulator int) Scalars.value(x));
      default -> IntToIntReduceKernels.transformed(Placeholder.transform(), x, y, parameter);
    };
  }

  /** The array behind a segment on the heap, or {@code buffer} filled with the elements. */
  private static @Element int[] elements(
      MemorySegment segment, long at, int count, @Element int[] buffer) {
    Object heap = segment.heapBase().orElse(null);
    if (buffer.getClass().isInstance(heap) && segment.address() % ELEMENT.bytes() == 0) {
      return (@Element int[]) heap;
    }
    copy(segment, at, count, buffer, 0);
    return buffer;
  }

  private static void copy(MemorySegment segment, long at, int count, Object array, int to) {
    ValueLayout.@Element OfInt layout = ValueLayout.JAVA_INT_UNALIGNED;
    MemorySegment.copy(segment, layout, at * layout.byteSize(), array, to, count);
  }

  /** The index in the array behind a heap segment of the segment's element {@code at}. */
  private static int heapIndex(MemorySegment segment, long at) {
    ValueLayout.@Element OfInt layout = ValueLayout.JAVA_INT_UNALIGNED;
    return (int) (segment.address() / layout.byteSize() + at);
  }
}
