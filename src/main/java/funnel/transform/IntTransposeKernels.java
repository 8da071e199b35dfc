package funnel.transform;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link TransposeStep}. */
@Twins({"Byte", "Long", "Float", "Double"})
final class IntTransposeKernels {

  /* One block per tile, which passes through local memory: neighbouring threads load neighbouring
   * elements of a row, and store neighbouring elements of a column. The places of a row are an odd
   * number, so that the elements of a column are in different banks.
   *
   * In place of a missing item another one is loaded, without a branch, and loads come before the
   * stores to local memory, which cuda does not move behind them: so eight are in flight at once.
   * Indices are computed of items inside alone: those do not pass 2^31.
   */

  static final int FROM_AT = 0;
  static final int ROWS_AT = 1;
  static final int COLUMNS_AT = 2;
  static final int TO_AT = 3;

  static final int THREADS = 256;
  private static final int ITEMS = 16;

  /** The largest number of elements of a tile. */
  static final int TILE = ITEMS * THREADS;

  /** Room for 64 rows of 64 elements, each with a place left free. */
  static final int PLACES = TILE + 64;

  private IntTransposeKernels() {}

  /** Places for a row of a tile in local memory. */
  static int pitch(int width) {
    return width | 1;
  }

  /** An item of the tile that begins at an index, or another one if it is outside the matrix. */
  private static @Value int load(
      @Element IntArray values, int begin, int item, int width, int high, int wide, int columns) {
    int row = Scalars.min(item / width, high - 1);
    int column = Scalars.min(item % width, wide - 1);
    return Scalars.value(values.get(begin + row * columns + column));
  }

  /** Where an item is put in local memory: outside the tile if it is of a missing row. */
  private static int place(int item, int width, int high, int thread) {
    int row = item / width;
    return row < high ? row * pitch(width) + item % width : PLACES + thread;
  }

  static void transpose(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      @Element IntArray output,
      IntArray done,
      int height,
      int width,
      @AtLaunch int shapeAt,
      @AtLaunch int doneAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int from = shape.get(shapeAt);
    int rows = shape.get(shapeAt + ROWS_AT);
    int columns = shape.get(shapeAt + COLUMNS_AT);
    int to = shape.get(shapeAt + TO_AT);
    int across = (columns - 1) / width + 1;
    int firstRow = block / across * height;
    int firstColumn = block % across * width;
    int high = Scalars.min(rows - firstRow, height);
    int wide = Scalars.min(columns - firstColumn, width);
    @Value int[] tile = context.allocateIntLocalArray(PLACES + THREADS);
    if (high > 0) {
      int begin = from + firstRow * columns + firstColumn;
      for (int k = 0; k < ITEMS; k += 8) {
        int item = k * THREADS + thread;
        @Value int v0 = load(values, begin, item, width, high, wide, columns);
        @Value int v1 = load(values, begin, item + THREADS, width, high, wide, columns);
        @Value int v2 = load(values, begin, item + 2 * THREADS, width, high, wide, columns);
        @Value int v3 = load(values, begin, item + 3 * THREADS, width, high, wide, columns);
        @Value int v4 = load(values, begin, item + 4 * THREADS, width, high, wide, columns);
        @Value int v5 = load(values, begin, item + 5 * THREADS, width, high, wide, columns);
        @Value int v6 = load(values, begin, item + 6 * THREADS, width, high, wide, columns);
        @Value int v7 = load(values, begin, item + 7 * THREADS, width, high, wide, columns);
        tile[place(item, width, high, thread)] = v0;
        tile[place(item + THREADS, width, high, thread)] = v1;
        tile[place(item + 2 * THREADS, width, high, thread)] = v2;
        tile[place(item + 3 * THREADS, width, high, thread)] = v3;
        tile[place(item + 4 * THREADS, width, high, thread)] = v4;
        tile[place(item + 5 * THREADS, width, high, thread)] = v5;
        tile[place(item + 6 * THREADS, width, high, thread)] = v6;
        tile[place(item + 7 * THREADS, width, high, thread)] = v7;
      }
    }
    context.localBarrier();
    if (high > 0) {
      for (int k = 0; k < ITEMS; k++) {
        int row = (k * THREADS + thread) % height;
        int column = (k * THREADS + thread) / height;
        if (row < high & column < wide) {
          int at = to + (firstColumn + column) * rows + firstRow + row;
          output.set(at, (@Element int) tile[row * pitch(width) + column]);
        }
      }
    }
    if (thread == 0 & block == 0) {
      done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
    }
  }
}
