package funnel.transform;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.jit.Value;
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
   * In place of an item outside the matrix, one inside is loaded and dropped, so that all loads of
   * a thread are in flight at once. Indices are computed of items inside alone: those do not pass
   * 2^31.
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

  static void transpose(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      @Element IntArray output,
      IntArray done,
      int height,
      int width,
      int shapeAt,
      int doneAt) {
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
    @Value int[] tile = context.allocateIntLocalArray(PLACES);
    if (high > 0) {
      @Value int[] loaded = new @Value int[ITEMS];
      for (int k = 0; k < ITEMS; k++) {
        int item = k * THREADS + thread;
        int row = firstRow + Scalars.min(item / width, high - 1);
        int column = firstColumn + Scalars.min(item % width, wide - 1);
        loaded[k] = Scalars.value(values.get(from + row * columns + column));
      }
      for (int k = 0; k < ITEMS; k++) {
        int row = (k * THREADS + thread) / width;
        int column = (k * THREADS + thread) % width;
        if (row < high) {
          tile[row * pitch(width) + column] = loaded[k];
        }
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
