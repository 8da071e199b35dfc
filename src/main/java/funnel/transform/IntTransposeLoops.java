package funnel.transform;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.operation.ParallelRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** JVM form of {@link TransposeStep}. */
@Twins({"Byte", "Long", "Float", "Double"})
final class IntTransposeLoops implements TransposeStep.Loops {

  /* A tile is copied row by row to an array that the processor's cache holds, and from a second one
   * back: so memory is read and written in stretches. What is one stretch is copied at once.
   */

  private static final ValueLayout.@Element OfInt VALUES = ValueLayout.JAVA_INT_UNALIGNED;

  IntTransposeLoops() {}

  @Override
  public void transpose(
      MemorySegment values, MemorySegment output, int rows, int columns, int height, int width) {
    int across = Math.ceilDiv(columns, width);
    ParallelRows.run(
        Math.ceilDiv(rows, height) * across,
        ParallelRows.mayBeShared(values, output) ? rows * columns : 0,
        (from, to) -> {
          @Element int[] x = new @Element int[height * width];
          @Element int[] y = new @Element int[height * width];
          for (int tile = from; tile < to; tile++) {
            int row = tile / across * height;
            int column = tile % across * width;
            int high = Math.min(height, rows - row);
            int wide = Math.min(width, columns - column);
            copy(values, (long) row * columns + column, columns, x, high, wide, false);
            turn(x, y, high, wide);
            copy(output, (long) column * rows + row, rows, y, wide, high, true);
          }
        });
  }

  /** Copies rows of a matrix in memory to an array, or back. */
  private static void copy(
      MemorySegment memory,
      long first,
      int pitch,
      @Element int[] array,
      int rows,
      int length,
      boolean isBack) {
    int count = length == pitch ? rows * length : length;
    for (int at = 0; at < rows * length; at += count) {
      long offset = (first + (long) (at / length) * pitch) * VALUES.byteSize();
      if (isBack) {
        MemorySegment.copy(array, at, memory, VALUES, offset, count);
      } else {
        MemorySegment.copy(memory, VALUES, offset, array, at, count);
      }
    }
  }

  private static void turn(@Element int[] x, @Element int[] y, int high, int wide) {
    for (int column = 0; column < wide; column++) {
      for (int row = 0; row < high; row++) {
        y[column * high + row] = x[row * wide + column];
      }
    }
  }
}
