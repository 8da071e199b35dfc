package funnel.reduce;

import funnel.block.BlockReduce;
import funnel.jit.Accumulator;
import funnel.jit.Combine;
import funnel.jit.Element;
import funnel.jit.Placeholder;
import funnel.jit.StampedWords;
import funnel.jit.Twins;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import funnel.operator.ElementType;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * Device form of reductions over one element and one accumulator type: see {@link ReductionTree}.
 */
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
final class IntToIntReductionKernels {

  /* One block per row, then one block over the rows' results, in the same launch or in another.
   *
   * rows: a thread holds LANES / threads lanes in scalars (a private array would go to local
   * memory). It loads a tile's share of items before it combines them, so that loads overlap.
   * Before the first item and after the last, that item is loaded and the identity selected: a
   * branch per load would be slower, and a separate loop for full tiles would mean loops in both
   * arms of an if, which are miscompiled. The selection also keeps a product from being contracted
   * with the addition that follows, which would give different bits from the JVM's. The loop counts the
   * remaining items, since an index that grows by the rows' step could pass 2^31.
   *
   * orderedRows: thread t owns segment t of the row. For coalesced loads the block fetches the next
   * ORDERED_ITEMS of all segments together, eight neighbouring lanes one segment's sector, and
   * passes them on through local memory. A pitch of nine words avoids bank conflicts.
   *
   * In one launch, rows pass on their results as StampedWords. The block of the last row begins
   * after all others and combines the results as the second kernel would. Word 0 is the number of
   * the last run. That block updates it once the words of all others have arrived, since these have
   * then read it. So results need no order between writes of a block, and nothing is cleared
   * between runs. If a word has not arrived after all polls, the run is given up and repeated in
   * two launches.
   *
   * The last kernel writes the result and adds one to the counter after it: a launch that did not
   * take place shows on the host as an unchanged counter. Counters stay below 2^20, which a float
   * holds exactly.
   */

  static final int FROM_AT = 0;
  static final int LENGTH_AT = 1;
  static final int ROWS_AT = 2;
  static final int ITEMS_OF_SEGMENT_AT = 2; // instead, of the ordered tree

  /** The difference between the second input's offset and the first's. */
  static final int APART_AT = 3;

  /** The rows of the ordered tree, from which the items of a segment follow; no kernel reads it. */
  static final int ORDERED_ROWS_AT = 4;

  private static final ElementType ELEMENT = ElementType.INT;
  private static final int PITCH = ReductionTree.ORDERED_ITEMS + 1;

  private IntToIntReductionKernels() {}

  static void rows(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      @Element IntArray others,
      @Accumulator IntArray partials,
      LongArray words,
      @Accumulator IntArray result,
      @Accumulator IntArray gaveUp,
      int operator,
      int transform,
      @Accumulator int identity,
      @AtLaunch int shapeAt,
      @AtLaunch int parameterAt,
      @AtLaunch int resultAt,
      @AtLaunch int gaveUpAt,
      int lanes,
      int lead,
      int plane,
      int polls) {
    int thread = context.localIdx;
    int row = context.groupIdx;
    int threads = ReductionTree.LANES / lanes;
    int offset = shape.get(shapeAt);
    int length = shape.get(shapeAt + LENGTH_AT);
    int rows = shape.get(shapeAt + ROWS_AT);
    int step = rows * ReductionTree.TILE;
    int run = polls > 0 ? (int) words.get(0) + 1 : 0;
    @Accumulator int mean = identity;
    if (transform == TransformCode.SQUARED_DEVIATION) {
      mean = result.get(parameterAt) / length;
    }
    int apart = apart(transform, shape, shapeAt);
    @Element int origin = origin(transform, values, offset, length);
    @Accumulator int a0 = identity;
    @Accumulator int a1 = identity;
    @Accumulator int a2 = identity;
    @Accumulator int a3 = identity;
    int places = length > 0 ? length + lead : 0;
    for (int left = places - row * ReductionTree.TILE - thread; left > 0; left -= step) {
      int item = length - left;
      @Accumulator
      int v0 =
          element(
              transform,
              values,
              others,
              apart,
              offset,
              offset + Scalars.max(item, 0),
              origin,
              mean);
      v0 = item < 0 ? identity : v0;
      @Accumulator int v1 = identity;
      @Accumulator int v2 = identity;
      @Accumulator int v3 = identity;
      @Accumulator int v4 = identity;
      @Accumulator int v5 = identity;
      @Accumulator int v6 = identity;
      @Accumulator int v7 = identity;
      v1 =
          element(
              transform,
              values,
              others,
              apart,
              offset,
              offset + item + Scalars.min(threads, left - 1),
              origin,
              mean);
      v1 = threads < left ? v1 : identity;
      if (lanes > 1) {
        v2 =
            element(
                transform,
                values,
                others,
                apart,
                offset,
                offset + item + Scalars.min(2 * threads, left - 1),
                origin,
                mean);
        v2 = 2 * threads < left ? v2 : identity;
        v3 =
            element(
                transform,
                values,
                others,
                apart,
                offset,
                offset + item + Scalars.min(3 * threads, left - 1),
                origin,
                mean);
        v3 = 3 * threads < left ? v3 : identity;
      }
      if (lanes > 2) {
        v4 =
            element(
                transform,
                values,
                others,
                apart,
                offset,
                offset + item + Scalars.min(4 * threads, left - 1),
                origin,
                mean);
        v4 = 4 * threads < left ? v4 : identity;
        v5 =
            element(
                transform,
                values,
                others,
                apart,
                offset,
                offset + item + Scalars.min(5 * threads, left - 1),
                origin,
                mean);
        v5 = 5 * threads < left ? v5 : identity;
        v6 =
            element(
                transform,
                values,
                others,
                apart,
                offset,
                offset + item + Scalars.min(6 * threads, left - 1),
                origin,
                mean);
        v6 = 6 * threads < left ? v6 : identity;
        v7 =
            element(
                transform,
                values,
                others,
                apart,
                offset,
                offset + item + Scalars.min(7 * threads, left - 1),
                origin,
                mean);
        v7 = 7 * threads < left ? v7 : identity;
      }
      if (lanes == 4) {
        a0 = Combine.apply(operator, Combine.apply(operator, a0, v0), v4);
        a1 = Combine.apply(operator, Combine.apply(operator, a1, v1), v5);
        a2 = Combine.apply(operator, Combine.apply(operator, a2, v2), v6);
        a3 = Combine.apply(operator, Combine.apply(operator, a3, v3), v7);
      }
      if (lanes == 2) {
        a0 = Combine.apply(operator, Combine.apply(operator, a0, v0), v2);
        a1 = Combine.apply(operator, Combine.apply(operator, a1, v1), v3);
      }
      if (lanes == 1) {
        a0 = Combine.apply(operator, Combine.apply(operator, a0, v0), v1);
      }
    }
    @Accumulator int lane = folded(operator, lanes, a0, a1, a2, a3);
    @Accumulator int sum = BlockReduce.reduce(context, operator, thread, threads, lane);
    if (polls == 0) {
      if (thread == 0 & row < rows) {
        partials.set(row, sum);
      }
    }
    if (polls > 0) {
      if (thread == 0 & row < rows) {
        StampedWords.write(words, wordAt(row, plane), plane, run, Scalars.bits(sum));
      }
      int[] missing = context.allocateIntLocalArray(1);
      missing[thread / threads] = 0;
      context.localBarrier();
      if (row == rows - 1) {
        if (rows > 1) {
          for (int other = thread; other < rows; other += threads) {
            int at = wordAt(other, plane);
            long low = StampedWords.read(context, words, at, run, polls);
            long high = low;
            if (plane > 0) {
              high = StampedWords.read(context, words, at + plane, run, polls);
            }
            if (StampedWords.areOf(run, high, low) == 0) {
              missing[thread / threads] = 1;
            }
            partials.set(other, Scalars.ofBits(StampedWords.bits(high, low), identity));
          }
          lane = ofRows(partials, thread, rows, operator, identity, lanes);
          sum = BlockReduce.reduce(context, operator, thread, threads, lane);
        }
        if (thread == 0) {
          deliver(result, resultAt, sum);
          deliver(gaveUp, gaveUpAt, missing[thread / threads]);
          words.set(0, run);
        }
      }
    }
  }

  static void finish(
      KernelContext context,
      IntArray shape,
      @Accumulator IntArray partials,
      @Accumulator IntArray result,
      int operator,
      @Accumulator int identity,
      @AtLaunch int shapeAt,
      @AtLaunch int resultAt,
      int lanes) {
    int thread = context.localIdx;
    int threads = ReductionTree.LANES / lanes;
    int rows = shape.get(shapeAt + ROWS_AT);
    @Accumulator int lane = ofRows(partials, thread, rows, operator, identity, lanes);
    @Accumulator int sum = BlockReduce.reduce(context, operator, thread, threads, lane);
    if (thread == 0) {
      deliver(result, resultAt, sum);
    }
  }

  /** The place of a row's result: its words side by side, after the run's number. */
  private static int wordAt(int row, int plane) {
    return 1 + row + row * plane;
  }

  /** A thread's lanes of the rows' results, combined. */
  private static @Accumulator int ofRows(
      @Accumulator IntArray partials,
      int thread,
      int rows,
      int operator,
      @Accumulator int identity,
      int lanes) {
    int threads = ReductionTree.LANES / lanes;
    @Accumulator int a0 = identity;
    @Accumulator int a1 = identity;
    @Accumulator int a2 = identity;
    @Accumulator int a3 = identity;
    for (int row = thread; row < rows; row += ReductionTree.LANES) {
      a0 = Combine.apply(operator, a0, partial(partials, row, rows, identity));
      if (lanes > 1) {
        a1 = Combine.apply(operator, a1, partial(partials, row + threads, rows, identity));
      }
      if (lanes > 2) {
        a2 = Combine.apply(operator, a2, partial(partials, row + 2 * threads, rows, identity));
        a3 = Combine.apply(operator, a3, partial(partials, row + 3 * threads, rows, identity));
      }
    }
    return folded(operator, lanes, a0, a1, a2, a3);
  }

  static void orderedRows(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      @Element IntArray others,
      @Accumulator IntArray partials,
      int operator,
      int transform,
      @Accumulator int identity,
      @AtLaunch int shapeAt) {
    int thread = context.localIdx;
    int row = context.groupIdx;
    int offset = shape.get(shapeAt);
    int length = shape.get(shapeAt + LENGTH_AT);
    int itemsOfSegment = shape.get(shapeAt + ITEMS_OF_SEGMENT_AT);
    int apart = apart(transform, shape, shapeAt);
    @Element int origin = origin(transform, values, offset, length);
    long begin = (long) row * ReductionTree.ORDERED_THREADS * itemsOfSegment;
    int items = (int) (length - begin < 0 ? 0 : length - begin);
    int first = length - items;
    @Accumulator
    int[] staged = context.allocateIntLocalArray(ReductionTree.ORDERED_THREADS * PITCH);
    @Accumulator int sum = identity;
    for (int from = 0; from < itemsOfSegment; from += ReductionTree.ORDERED_ITEMS) {
      for (int c = 0; c < ReductionTree.ORDERED_ITEMS; c++) {
        int slot = c * ReductionTree.ORDERED_THREADS + thread;
        int segment = slot / ReductionTree.ORDERED_ITEMS;
        int place = slot % ReductionTree.ORDERED_ITEMS;
        int item = segment * itemsOfSegment + from + place;
        @Accumulator int value = identity;
        if (item < items) {
          value =
              element(
                  transform,
                  values,
                  others,
                  apart,
                  offset,
                  offset + first + item,
                  origin,
                  identity);
        }
        staged[segment * PITCH + place] = value;
      }
      context.localBarrier();
      for (int c = 0; c < ReductionTree.ORDERED_ITEMS; c++) {
        sum = Combine.apply(operator, sum, staged[thread * PITCH + c]);
      }
      context.localBarrier();
    }
    @Accumulator
    int total =
        BlockReduce.reduceInOrder(context, operator, thread, ReductionTree.ORDERED_THREADS, sum);
    if (thread == 0) {
      partials.set(row, total);
    }
  }

  static void orderedFinish(
      KernelContext context,
      IntArray shape,
      @Accumulator IntArray partials,
      @Accumulator IntArray result,
      @AtLaunch int count,
      int operator,
      @Accumulator int identity,
      @AtLaunch int shapeAt,
      @AtLaunch int resultAt) {
    int thread = context.localIdx;
    @Accumulator int sum = identity;
    for (int c = 0; c < ReductionTree.ORDERED_ROWS_PER_THREAD; c++) {
      int item = thread * ReductionTree.ORDERED_ROWS_PER_THREAD + c;
      if (item < count) {
        sum = Combine.apply(operator, sum, partials.get(item));
      }
    }
    @Accumulator
    int total =
        BlockReduce.reduceInOrder(context, operator, thread, ReductionTree.ORDERED_THREADS, sum);
    if (thread == 0) {
      deliver(result, resultAt, total);
    }
  }

  private static @Accumulator int folded(
      int operator,
      int lanes,
      @Accumulator int a0,
      @Accumulator int a1,
      @Accumulator int a2,
      @Accumulator int a3) {
    @Accumulator int lane = a0;
    if (lanes == 2) {
      lane = Combine.apply(operator, a0, a1);
    }
    if (lanes == 4) {
      lane =
          Combine.apply(operator, Combine.apply(operator, a0, a2), Combine.apply(operator, a1, a3));
    }
    return lane;
  }

  private static @Accumulator int partial(
      @Accumulator IntArray partials, int item, int count, @Accumulator int identity) {
    @Accumulator int value = partials.get(Scalars.min(item, count - 1));
    return item < count ? value : identity;
  }

  private static void deliver(@Accumulator IntArray result, int resultAt, @Accumulator int value) {
    result.set(resultAt, value);
    result.set(resultAt + 1, RunCounter.next(result.get(resultAt + 1)));
  }

  private static int apart(int transform, IntArray shape, int shapeAt) {
    int apart = 0;
    if (transform == TransformCode.PRODUCT_APART) {
      apart = shape.get(shapeAt + APART_AT);
    }
    return apart;
  }

  private static @Accumulator int element(
      int transform,
      @Element IntArray values,
      @Element IntArray others,
      int apart,
      int offset,
      int at,
      @Element int origin,
      @Accumulator int mean) {
    @Element int x = values.get(at);
    @Element int y = x;
    if (transform == TransformCode.PRODUCT) {
      y = others.get(at);
    }
    if (transform == TransformCode.PRODUCT_APART) {
      y = others.get(at + apart);
    }
    if (transform == TransformCode.DISTANCE | transform == TransformCode.SQUARED_DEVIATION) {
      y = origin;
    }
    return transformed(transform, at - offset, x, y, mean);
  }

  /** The first element, if the transform needs distances from it. */
  private static @Element int origin(
      int transform, @Element IntArray values, int offset, int length) {
    @Element int origin = 0;
    if (transform == TransformCode.DISTANCE | transform == TransformCode.SQUARED_DEVIATION) {
      origin = values.get(length > 0 ? offset : 0);
    }
    return origin;
  }

  static @Accumulator int transformed(
      int transform, int index, @Element int x, @Element int y, @Accumulator int mean) {
    @Accumulator int value = (@Accumulator int) Scalars.value(x);
    if (transform == TransformCode.DISTANCE | transform == TransformCode.SQUARED_DEVIATION) {
      value = (@Accumulator int) Distance.of(Scalars.value(x), Scalars.value(y));
    }
    return switch (transform) {
      case TransformCode.SQUARE -> value * value;
      case TransformCode.PRODUCT, TransformCode.PRODUCT_APART ->
          value * (@Accumulator int) Scalars.value(y);
      case TransformCode.SQUARED_DEVIATION -> (value - mean) * (value - mean);
      case TransformCode.TEST -> Placeholder.test(index, Scalars.value(x)) ? 1 : 0;
      case TransformCode.MAP -> Placeholder.map(index, value);
      default -> value;
    };
  }
}
