package funnel.spark;

import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operator.ElementType;
import funnel.reduce.Reduction;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;

/**
 * Funnel on a Spark cluster: each call works on {@link Chunks}, in tasks on the executors, which
 * compute on the JVM unless Spark is asked to give them GPUs.
 *
 * {@snippet :
 * FunnelSpark funnel = FunnelSpark.on(sparkContext);
 * Chunks<?> amounts = funnel.chunks(dataset, "amount", 1 << 22);
 * Number total = funnel.reduce(amounts, Reduction.sumAsLong());
 * }
 *
 * <p><b>On the class path</b> of driver and executors have to be the jars of Funnel, as {@code
 * docs/spark.md} says, with what executors need to find a GPU. Operators and functions of yours
 * travel by the class that they were written in, which comes with your program's jar.
 *
 * <p><b>Failures.</b> A task that fails is run again by Spark, and the result is the same. What a
 * task throws in the end is the cause of Spark's exception. What can be seen before, such as an
 * operator that is not defined on the elements, is refused by the call itself, which then starts
 * nothing.
 *
 * <p>Thread-safe.
 */
public final class FunnelSpark {

  private final JavaSparkContext spark;

  private FunnelSpark(JavaSparkContext spark) {
    this.spark = spark;
  }

  /** Funnel on the cluster of a Spark context, which stays the caller's to stop. */
  public static FunnelSpark on(JavaSparkContext spark) {
    return new FunnelSpark(Objects.requireNonNull(spark, "spark"));
  }

  /**
   * A column of a data set as chunks of {@code rows} elements, of which the last one of each
   * partition may have fewer. Nothing is read yet. Where the data set's plan has column vectors, as
   * over Parquet files or a cached one, no rows are made.
   *
   * <p>Columns of int and date become {@code int[]}, bigint and timestamp {@code long[]}, float
   * {@code float[]} and double {@code double[]}; {@link Chunks#as} gives them their Java type. A
   * null in the column fails the task that meets it, with an IllegalArgumentException.
   *
   * @param rows elements of a chunk; some million are few enough for memory, and enough for a
   *     device
   * @throws IllegalArgumentException if the column is of another type, or {@code rows} is not
   *     positive
   */
  public Chunks<?> chunks(Dataset<?> dataset, String column, int rows) {
    Objects.requireNonNull(dataset, "dataset");
    Objects.requireNonNull(column, "column");
    if (rows < 1 || rows > Input.LARGEST_CAPACITY) {
      throw new IllegalArgumentException(
          "rows=%d: a chunk has from 1 to %d".formatted(rows, Input.LARGEST_CAPACITY));
    }
    return ColumnChunks.of(dataset, column, rows);
  }

  /**
   * One reduction of all elements: the sum of {@code [3, 1] [4]} is 8.
   *
   * <p>Each chunk is reduced by itself, and the chunks' values on the driver, in their order. Of
   * integers, minima, maxima and counts the result is that of one array. The indices of {@link
   * Reduction#argMin} and {@link Reduction#argMax} are those of the whole sequence, as Long.
   * Variances of chunks combine by the formula of Chan, Golub and LeVeque, 1979.
   *
   * @return an Integer, Long, Float or Double, see {@link Reduction#resultType}
   * @throws java.util.NoSuchElementException if there are no elements, and the reduction has no
   *     value then
   * @throws IllegalArgumentException if the reduction has no meaning on the elements' type, takes
   *     two inputs, or has two outputs
   */
  public Number reduce(Chunks<?> chunks, Reduction reduction) {
    require(Objects.requireNonNull(reduction, "reduction"), chunks.elementType());
    if (reduction.isPairOfElements()) {
      throw new IllegalArgumentException(
          "%s has two outputs: ask for the smallest and the largest in two calls"
              .formatted(reduction));
    }
    return ChunkReduction.of(reduction, chunks.type).run(chunks.rdd());
  }

  /** Has an operation refuse inputs that are not for it. */
  private static void require(Operation operation, ElementType... inputs) {
    Objects.requireNonNull(operation, "operation");
    var _ =
        operation.expand(
            "result", Stream.of(inputs).map(type -> new Input("elements", type, 1)).toList());
  }
}
