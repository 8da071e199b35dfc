package funnel.transform;

import funnel.jit.FunctionCopies;
import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.LengthRule;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;

/**
 * The transpose of a matrix, {@code y[c * rows + r] = x[r * columns + c]}: see {@link Transpose}.
 *
 * @param id the name of the array, and of the primitive in its tasks' names
 * @param input the input
 * @param type of the input and the array
 * @param columns the number of elements of a row
 * @param capacity the largest number of elements
 */
record TransposeStep(String id, String input, ElementType type, int columns, int capacity)
    implements Primitive {

  /* The kernels' check has the first elements alone: then rows are short, so that there are many.
   * The tiles are those of the whole matrix, since their sizes are compiled in.
   */

  /** Rows and columns of a tile, of a matrix that has at least as many of both. */
  private static final int SIDE = 64;

  /** The JVM form, for any type. */
  interface Loops {
    /**
     * Writes the transpose of a matrix in tiles of {@code height} rows and {@code width} columns.
     */
    void transpose(
        MemorySegment values, MemorySegment output, int rows, int columns, int height, int width);
  }

  /** Elements of a row of a tile: more than a side if there are few rows, so that it is full. */
  private int width() {
    int rows = Math.max(1, capacity / columns);
    return rows < SIDE
        ? Math.min(columns, IntTransposeKernels.TILE / rows)
        : Math.ceilDiv(columns, Math.ceilDiv(columns, SIDE));
  }

  /** Rows of a tile: more than a side if they are short, as far as there is local memory. */
  private int height() {
    int most =
        Math.min(
            IntTransposeKernels.TILE / width(),
            IntTransposeKernels.PLACES / IntTransposeKernels.pitch(width()));
    return Math.clamp(capacity / columns, 1, most);
  }

  @Override
  public Step in(Setting setting) {
    int most = setting.capacity(capacity);
    int across = most < capacity ? Math.min(columns, SIDE + 1) : columns;
    int tiles = Math.max(1, Math.ceilDiv(most / across, height()) * Math.ceilDiv(across, width()));
    return Step.of(this, setting)
        .reads("values", input, IntTransposeKernels.FROM_AT)
        .derives(IntTransposeKernels.ROWS_AT, input, LengthRule.wholeParts(across))
        .number(IntTransposeKernels.COLUMNS_AT, across)
        .writes(
            "output",
            id,
            type,
            most,
            input,
            LengthRule.wholeParts(across).times(across),
            IntTransposeKernels.TO_AT)
        .needsLength(input) // a multiple of the columns, which is checked before a run
        .requires(lengths -> requireRows(lengths.length(input)))
        .counts()
        .onDevice(
            launches ->
                launches
                    .value("height", height())
                    .value("width", width())
                    .kernels(IntTransposeKernels.class, type)
                    .launch("transpose", "transpose", Grid.of(tiles, IntTransposeKernels.THREADS)))
        .onJvm(
            run ->
                FunctionCopies.instance(
                        MethodHandles.lookup(),
                        Loops.class,
                        TwinClass.of(IntTransposeLoops.class, type))
                    .transpose(
                        run.input(input),
                        run.output(id),
                        run.length(input) / across,
                        across,
                        height(),
                        width()));
  }

  private void requireRows(int length) {
    if (length % columns != 0) {
      throw new IllegalArgumentException(
          "transpose %s takes whole rows: length of %s=%s is not a multiple of columns=%s"
              .formatted(id, input, length, columns));
    }
  }
}
