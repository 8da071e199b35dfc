package funnel.spark;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.ColumnarToRowExec;
import org.apache.spark.sql.execution.InputAdapter;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.WholeStageCodegenExec;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of one partition of a data set's column.
 *
 * <p>A row object for each value costs ten times as much as a column vector. So a plan that ends by
 * converting column vectors to rows, as one over Parquet files does, is cut off before that step.
 * Other plans are read as Spark's internal rows, in which numbers are not objects.
 */
abstract class ColumnChunks implements Iterator<Object> {

  private static final int FIRST_LENGTH = 1 << 16;

  private final ChunkType type;
  private final String column;
  private final int rows;
  private Object chunk;
  private int length;

  private ColumnChunks(ChunkType type, String column, int rows) {
    this.type = type;
    this.column = column;
    this.rows = rows;
    this.chunk = type.allocate(Math.min(rows, FIRST_LENGTH));
  }

  static Chunks<?> of(Dataset<?> dataset, String column, int rows) {
    Dataset<Row> values = dataset.select(column);
    DataType of = values.schema().fields()[0].dataType();
    ChunkType type = type(column, of);
    if (!(values instanceof org.apache.spark.sql.classic.Dataset<Row> classic)) {
      throw new UnsupportedOperationException(
          "%s is not of this process, but of Spark Connect: run the driver where the session is"
              .formatted(values.getClass().getName()));
    }
    QueryExecution execution = classic.queryExecution();
    SparkPlan vectors = vectors(execution.executedPlan());
    JavaRDD<Object> chunks =
        vectors != null
            ? vectors
                .executeColumnar()
                .toJavaRDD()
                .mapPartitions(batches -> new OfVectors(type, column, rows, batches))
            : execution
                .toRdd()
                .toJavaRDD()
                .mapPartitions(internal -> new OfRows(type, column, rows, internal));
    return Chunks.of(chunks, type);
  }

  /** Whether a data set's plan has column vectors at its end. */
  static boolean hasVectors(Dataset<?> dataset) {
    return dataset instanceof org.apache.spark.sql.classic.Dataset<?> classic
        && vectors(classic.queryExecution().executedPlan()) != null;
  }

  private static ChunkType type(String column, DataType of) {
    if (of.equals(DataTypes.IntegerType) || of.equals(DataTypes.DateType)) {
      return ChunkType.INTS;
    }
    if (of.equals(DataTypes.LongType) || of.equals(DataTypes.TimestampType)) {
      return ChunkType.LONGS;
    }
    if (of.equals(DataTypes.FloatType)) {
      return ChunkType.FLOATS;
    }
    if (of.equals(DataTypes.DoubleType)) {
      return ChunkType.DOUBLES;
    }
    throw new IllegalArgumentException(
        "column %s is of type %s: cast it to int, bigint, float or double"
            .formatted(column, of.simpleString()));
  }

  /**
   * The part of a plan that gives column vectors, which its end converts to rows; null if there is
   * none.
   */
  private static @Nullable SparkPlan vectors(SparkPlan plan) {
    if (plan.supportsColumnar()) { // and rows too, as over a cached data set of numbers
      return plan;
    }
    SparkPlan end = plan instanceof WholeStageCodegenExec compiled ? compiled.child() : plan;
    if (!(end instanceof ColumnarToRowExec rows)) {
      return null;
    }
    return rows.child() instanceof InputAdapter adapter ? adapter.child() : rows.child();
  }

  /**
   * Copies values.
   *
   * @return how many, at least one and at most {@code most}; 0 at the end
   */
  abstract int read(Object into, int at, int most);

  final ChunkType type() {
    return type;
  }

  final RuntimeException nullFound() {
    return new IllegalArgumentException(
        "column %s has a null in partition %s: drop or fill nulls before, with na() of the data set"
            .formatted(column, TaskContext.getPartitionId()));
  }

  private void fill() {
    while (length < rows) {
      int room = ChunkType.length(chunk);
      if (length == room) {
        resize((int) Math.min(2L * room, rows));
        continue;
      }
      int count = read(chunk, length, room - length);
      if (count == 0) {
        return;
      }
      length += count;
    }
  }

  private void resize(int to) {
    Object resized = type.allocate(to);
    System.arraycopy(chunk, 0, resized, 0, length);
    chunk = resized;
  }

  @Override
  public final boolean hasNext() {
    fill();
    return length > 0;
  }

  @Override
  public final Object next() {
    if (!hasNext()) {
      throw new NoSuchElementException("no chunk is left");
    }
    if (length < ChunkType.length(chunk)) {
      resize(length);
    }
    Object full = chunk;
    chunk = type.allocate(length < rows ? 1 : rows);
    length = 0;
    return full;
  }

  private static final class OfVectors extends ColumnChunks {
    private final Iterator<ColumnarBatch> batches;
    private ColumnarBatch batch = new ColumnarBatch(new ColumnVector[0], 0);
    private int row;
    private int end; // kept here, since the iterator reuses the batch

    OfVectors(ChunkType type, String column, int rows, Iterator<ColumnarBatch> batches) {
      super(type, column, rows);
      this.batches = batches;
    }

    @Override
    int read(Object into, int at, int most) {
      while (row == end) {
        if (!batches.hasNext()) {
          return 0;
        }
        batch = batches.next();
        row = 0;
        end = batch.numRows();
      }
      int count = Math.min(most, end - row);
      ColumnVector vector = batch.column(0);
      for (int i = row; vector.hasNull() && i < row + count; i++) {
        if (vector.isNullAt(i)) {
          throw nullFound();
        }
      }
      Object values =
          switch (type()) {
            case INTS -> vector.getInts(row, count);
            case LONGS -> vector.getLongs(row, count);
            case FLOATS -> vector.getFloats(row, count);
            case DOUBLES -> vector.getDoubles(row, count);
            case BYTES -> vector.getBytes(row, count);
          };
      System.arraycopy(values, 0, into, at, count);
      row += count;
      return count;
    }
  }

  private static final class OfRows extends ColumnChunks {
    private final Iterator<InternalRow> internal;

    OfRows(ChunkType type, String column, int rows, Iterator<InternalRow> internal) {
      super(type, column, rows);
      this.internal = internal;
    }

    @Override
    int read(Object into, int at, int most) {
      int to = at;
      while (to < at + most && internal.hasNext()) {
        InternalRow row = internal.next();
        if (row.isNullAt(0)) {
          throw nullFound();
        }
        switch (into) {
          case int[] ints -> ints[to] = row.getInt(0);
          case long[] longs -> longs[to] = row.getLong(0);
          case float[] floats -> floats[to] = row.getFloat(0);
          case double[] doubles -> doubles[to] = row.getDouble(0);
          default -> throw new IllegalStateException("no column of " + type());
        }
        to++;
      }
      return to - at;
    }
  }
}
