package funnel.spark;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Column;
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
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of one partition of some columns of a data set, which are read together: an array of
 * objects has the corresponding chunks of all columns.
 *
 * <p>A row object for each value costs ten times as much as a column vector. So a plan that ends by
 * converting column vectors to rows, as one over Parquet files does, is cut off before that step.
 * Other plans are read as Spark's internal rows, in which numbers are not objects.
 */
abstract class ColumnChunks implements Iterator<Object[]> {

  /**
   * Columns as chunks.
   *
   * @param fields the columns' names and types
   */
  record Columns(JavaRDD<Object[]> rdd, List<StructField> fields, ChunkType... types) {}

  private static final int FIRST_LENGTH = 1 << 16;

  private final ChunkType[] types;
  private final String[] columns;
  private final int rows;
  private Object[] chunks;
  private int room;
  private int length;

  private ColumnChunks(ChunkType[] types, String[] columns, int rows) {
    this.types = types;
    this.columns = columns;
    this.rows = rows;
    this.chunks = allocate(Math.min(rows, FIRST_LENGTH));
  }

  /**
   * Columns of a data set, in this order.
   *
   * @throws IllegalArgumentException if there is no such column, or it is of another type
   */
  static Columns of(Dataset<?> dataset, List<String> columns, int rows) {
    List<String> read = inOrder(dataset, columns);
    Dataset<Row> values =
        dataset.select(read.stream().map(name -> column(dataset, name)).toArray(Column[]::new));
    StructField[] fields = values.schema().fields();
    String[] names = read.toArray(String[]::new);
    ChunkType[] types =
        IntStream.range(0, names.length)
            .mapToObj(i -> type(names[i], fields[i].dataType()))
            .toArray(ChunkType[]::new);
    QueryExecution execution = classic(values).queryExecution();
    SparkPlan vectors = vectors(execution.executedPlan());
    JavaRDD<Object[]> chunks =
        vectors != null
            ? vectors
                .executeColumnar()
                .toJavaRDD()
                .mapPartitions(batches -> new OfVectors(types, names, rows, batches))
            : execution
                .toRdd()
                .toJavaRDD()
                .mapPartitions(internal -> new OfRows(types, names, rows, internal));
    int[] places = columns.stream().mapToInt(read::indexOf).toArray();
    return new Columns(
        chunks.map(each -> IntStream.of(places).mapToObj(i -> each[i]).toArray()),
        IntStream.of(places).mapToObj(i -> fields[i]).toList(),
        IntStream.of(places).mapToObj(i -> types[i]).toArray(ChunkType[]::new));
  }

  /**
   * Each column once, in the data set's order: a plan that changes it has no vectors at its end.
   */
  static List<String> inOrder(Dataset<?> dataset, List<String> columns) {
    List<String> order = Arrays.asList(dataset.columns());
    return columns.stream().distinct().sorted(Comparator.comparing(order::indexOf)).toList();
  }

  private static Column column(Dataset<?> dataset, String name) {
    try {
      return dataset.col(name);
    } catch (Exception e) { // an AnalysisException, which Java does not see
      throw new IllegalArgumentException(
          "column %s is missing, or not the only one of this name: the data set has %s"
              .formatted(name, Arrays.toString(dataset.columns())),
          e);
    }
  }

  /**
   * A data set whose plan can be executed here.
   *
   * @throws UnsupportedOperationException if it is of Spark Connect
   */
  static <T> org.apache.spark.sql.classic.Dataset<T> classic(Dataset<T> dataset) {
    if (dataset instanceof org.apache.spark.sql.classic.Dataset<T> classic) {
      return classic;
    }
    throw new UnsupportedOperationException(
        "%s is not of this process, but of Spark Connect: run the driver where the session is"
            .formatted(dataset.getClass().getName()));
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
   * Copies values of all columns.
   *
   * @return how many of each, at least one and at most {@code most}; 0 at the end
   */
  abstract int read(Object[] into, int at, int most);

  final RuntimeException nullFound(int column) {
    return new IllegalArgumentException(
        "column %s has a null in partition %s: drop or fill nulls before, with na() of the data set"
            .formatted(columns[column], TaskContext.getPartitionId()));
  }

  private void fill() {
    while (length < rows) {
      if (length == room) {
        resize((int) Math.min(2L * room, rows));
        continue;
      }
      int count = read(chunks, length, room - length);
      if (count == 0) {
        return;
      }
      length += count;
    }
  }

  private Object[] allocate(int to) {
    room = to;
    return Stream.of(types).map(type -> type.allocate(to)).toArray();
  }

  private void resize(int to) {
    Object[] before = chunks;
    chunks = allocate(to);
    for (int i = 0; i < before.length; i++) {
      System.arraycopy(before[i], 0, chunks[i], 0, length);
    }
  }

  @Override
  public final boolean hasNext() {
    fill();
    return length > 0;
  }

  @Override
  public final Object[] next() {
    if (!hasNext()) {
      throw new NoSuchElementException("no chunk is left");
    }
    if (length < room) {
      resize(length);
    }
    Object[] full = chunks;
    chunks = allocate(length < rows ? 1 : rows);
    length = 0;
    return full;
  }

  private static final class OfVectors extends ColumnChunks {
    private final Iterator<ColumnarBatch> batches;
    private ColumnarBatch batch = new ColumnarBatch(new ColumnVector[0], 0);
    private int row;
    private int end; // kept here, since the iterator reuses the batch

    OfVectors(ChunkType[] types, String[] columns, int rows, Iterator<ColumnarBatch> batches) {
      super(types, columns, rows);
      this.batches = batches;
    }

    @Override
    int read(Object[] into, int at, int most) {
      while (row == end) {
        if (!batches.hasNext()) {
          return 0;
        }
        batch = batches.next();
        row = 0;
        end = batch.numRows();
      }
      int count = Math.min(most, end - row);
      for (int c = 0; c < into.length; c++) {
        ColumnVector vector = batch.column(c);
        for (int i = row; vector.hasNull() && i < row + count; i++) {
          if (vector.isNullAt(i)) {
            throw nullFound(c);
          }
        }
        Object values =
            switch (into[c]) {
              case int[] _ -> vector.getInts(row, count);
              case long[] _ -> vector.getLongs(row, count);
              case float[] _ -> vector.getFloats(row, count);
              default -> vector.getDoubles(row, count);
            };
        System.arraycopy(values, 0, into[c], at, count);
      }
      row += count;
      return count;
    }
  }

  private static final class OfRows extends ColumnChunks {
    private final Iterator<InternalRow> internal;

    OfRows(ChunkType[] types, String[] columns, int rows, Iterator<InternalRow> internal) {
      super(types, columns, rows);
      this.internal = internal;
    }

    @Override
    int read(Object[] into, int at, int most) {
      int to = at;
      while (to < at + most && internal.hasNext()) {
        InternalRow row = internal.next();
        for (int c = 0; c < into.length; c++) {
          if (row.isNullAt(c)) {
            throw nullFound(c);
          }
          switch (into[c]) {
            case int[] ints -> ints[to] = row.getInt(c);
            case long[] longs -> longs[to] = row.getLong(c);
            case float[] floats -> floats[to] = row.getFloat(c);
            case double[] doubles -> doubles[to] = row.getDouble(c);
            default -> throw new IllegalStateException("no column of " + into[c].getClass());
          }
        }
        to++;
      }
      return to - at;
    }
  }
}
