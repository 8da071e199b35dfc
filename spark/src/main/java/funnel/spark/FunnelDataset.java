package funnel.spark;

import funnel.reduce.Reduction;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.types.StructField;

/**
 * A data set whose columns Funnel computes on, by their names.
 *
 * {@snippet :
 * import static funnel.spark.ColumnAggregate.*;
 *
 * Number total = FunnelSpark.of(sales).sum("cents");
 * Dataset<Row> shops =
 *     FunnelSpark.of(sales).groupBy("shop").agg(sum("cents").as("total"), count());
 * }
 *
 * <p>For the rows (7, 3), (9, 4) and (7, 1) of the columns shop and cents, the total is 8, and
 * shops has the rows (7, 4, 2) and (9, 4, 1) of the columns shop, total and count.
 *
 * <p><b>Types.</b> Columns are of int, bigint, float, double, date or timestamp; cast others
 * before. A null is not left out, as in Spark SQL, but fails: the cause of Spark's exception names
 * the column.
 *
 * <p><b>Order.</b> All columns of a call are read together, in one pass. Integers, minima and
 * maxima do not depend on the order of rows; floating-point sums, first and last elements have the
 * same bits in every run if the data set has the same rows in the same partitions and order.
 *
 * <p>Immutable.
 */
public final class FunnelDataset {

  private static final int ROWS = 1 << 22;

  private final FunnelSpark funnel;
  private final Dataset<?> dataset;
  private final int rows;

  private FunnelDataset(FunnelSpark funnel, Dataset<?> dataset, int rows) {
    this.funnel = funnel;
    this.dataset = dataset;
    this.rows = rows;
  }

  static FunnelDataset of(Dataset<?> dataset) {
    Objects.requireNonNull(dataset, "dataset");
    return new FunnelDataset(
        FunnelSpark.on(ColumnChunks.classic(dataset).sparkSession()), dataset, ROWS);
  }

  /** The same on GPUs, as {@link FunnelSpark#withGpus}, which also says what is refused. */
  public FunnelDataset withGpus(double perTask) {
    return new FunnelDataset(funnel.withGpus(perTask), dataset, rows);
  }

  /**
   * The same with another number of rows in a chunk, which one run of Funnel works on; 2^22 without
   * this call.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public FunnelDataset withChunksOf(int rowsOfChunk) {
    FunnelSpark.requireRows(rowsOfChunk);
    return new FunnelDataset(funnel, dataset, rowsOfChunk);
  }

  /**
   * A column as chunks, for all other calls of {@link FunnelSpark}: scans, sorts, quantiles.
   *
   * @throws IllegalArgumentException if there is no such column, or it is of another type
   */
  public Chunks<?> chunks(String column) {
    return funnel.chunks(dataset, column, rows);
  }

  /**
   * The sum of a column: 8 for 3, 4, 1. A Long, which wraps around, for int and bigint; a Double
   * for float and double; 0 without rows.
   *
   * @throws IllegalArgumentException if there is no such column, or it is of another type, or of
   *     dates or timestamps
   */
  public Number sum(String column) {
    Chunks<?> chunks = numbers("sum", column);
    return funnel.reduce(
        chunks,
        chunks.elementType().isFloating() ? Reduction.sumAsDouble() : Reduction.sumAsLong());
  }

  /**
   * The mean of a column: 8/3 for 3, 4, 1.
   *
   * @throws java.util.NoSuchElementException if there are no rows
   * @throws IllegalArgumentException as {@link #sum}
   */
  public double mean(String column) {
    return funnel.reduce(numbers("mean", column), Reduction.mean()).doubleValue();
  }

  /**
   * The least element of a column: 1 for 3, 4, 1; NaN if there is one. An Integer, Long, Float or
   * Double; of dates the day, of timestamps the microsecond, since 1970.
   *
   * @throws java.util.NoSuchElementException if there are no rows
   * @throws IllegalArgumentException as {@link #chunks}
   */
  public Number min(String column) {
    return funnel.reduce(chunks(column), Reduction.min());
  }

  /**
   * The largest element of a column: 4 for 3, 4, 1; NaN if there is one. Types as {@link #min}.
   *
   * @throws java.util.NoSuchElementException if there are no rows
   * @throws IllegalArgumentException as {@link #chunks}
   */
  public Number max(String column) {
    return funnel.reduce(chunks(column), Reduction.max());
  }

  private Chunks<?> numbers(String function, String column) {
    Chunks<?> chunks = chunks(column);
    StructField field = dataset.select(column).schema().fields()[0];
    ColumnAggregate.requireNumbers("%s(%s)".formatted(function, column), field);
    return chunks;
  }

  /**
   * Groups of the rows with equal keys, whose aggregates are asked for next.
   *
   * @param keys the names of one or more columns of int, bigint, date or timestamp
   * @throws IllegalArgumentException if there are no keys
   */
  public GroupedDataset groupBy(String... keys) {
    return new GroupedDataset(funnel, dataset, rows, List.of(keys));
  }
}
