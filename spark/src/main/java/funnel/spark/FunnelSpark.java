package funnel.spark;

import funnel.Results;
import funnel.group.Aggregate;
import funnel.histogram.Histogram;
import funnel.histogram.Uncounted;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operator.ElementType;
import funnel.operator.Transform;
import funnel.rank.Quantiles;
import funnel.rank.TopK;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.select.Select;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.resource.ResourceProfile;
import org.apache.spark.resource.ResourceProfileBuilder;
import org.apache.spark.resource.TaskResourceRequests;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * Funnel on a Spark cluster: each call works on {@link Chunks}, in tasks on the executors. They
 * compute on the JVM unless Spark is asked for GPUs.
 *
 * {@snippet :
 * FunnelSpark funnel = FunnelSpark.on(sparkContext);
 * Chunks<?> amounts = funnel.chunks(dataset, "amount", 1 << 22);
 * Number total = funnel.reduce(amounts, Reduction.sumAsLong());
 * }
 *
 * <p><b>The class path</b> of driver and executors must contain the jars of Funnel; see {@code
 * docs/spark.md}, also for what executors need to find a GPU. User-defined operators and functions
 * are sent by the class that they were written in, which is in your program's jar.
 *
 * <p><b>Failures.</b> Spark runs a failed task again, and the result is the same. If a task fails
 * finally, its exception is the cause of Spark's exception. Errors that can be detected before,
 * such as an operator that is not defined on the elements, are refused by the call itself, which
 * then starts nothing.
 *
 * <p>Thread-safe.
 */
public final class FunnelSpark {

  private final JavaSparkContext spark;
  private final @Nullable ResourceProfile profile;

  private FunnelSpark(JavaSparkContext spark, @Nullable ResourceProfile profile) {
    this.spark = spark;
    this.profile = profile;
  }

  /** Funnel on the cluster of a Spark context; the caller must stop the context. */
  public static FunnelSpark on(JavaSparkContext spark) {
    return new FunnelSpark(Objects.requireNonNull(spark, "spark"), null);
  }

  /** Funnel on the cluster of a session. */
  public static FunnelSpark on(SparkSession session) {
    return on(JavaSparkContext.fromSparkContext(session.sparkContext()));
  }

  /**
   * Funnel on a data set, whose columns have names:
   *
   * {@snippet :
   * Dataset<Row> totals =
   *     FunnelSpark.of(sales).groupBy("shop").agg(sum("cents").as("total"), count());
   * Number all = FunnelSpark.of(sales).sum("cents");
   * }
   *
   * @throws UnsupportedOperationException if it is of Spark Connect
   */
  public static FunnelDataset of(Dataset<?> dataset) {
    return FunnelDataset.of(dataset);
  }

  /**
   * The same on GPUs: each task waits until Spark has a GPU for it, and computes there. An executor
   * has one GPU ({@code spark.executor.resource.gpu.amount=1}), and one Funnel on it for all of its
   * GPU tasks; tasks of an object without this call still run on the JVM. A task whose GPU cannot
   * be used fails with an {@link funnel.operation.EngineUnavailableException}: {@link #check} shows
   * which.
   *
   * <p>Spark schedules the stages by a resource profile, which local mode does not support. If
   * {@code spark.task.resource.gpu.amount} is set, all tasks have GPUs without this call.
   *
   * @param perTask 1, or at most 0.5 for tasks that share a GPU, on which they then take turns
   * @throws IllegalArgumentException if it is another number
   */
  public FunnelSpark withGpus(double perTask) {
    if (perTask != 1 && !(perTask > 0 && perTask <= 0.5)) {
      throw new IllegalArgumentException(
          "GPUs of a task=%s: give 1, or at most 0.5 for tasks that share one".formatted(perTask));
    }
    TaskResourceRequests gpus = new TaskResourceRequests().resource(TaskFunnel.GPU, perTask);
    return new FunnelSpark(spark, new ResourceProfileBuilder().require(gpus).build());
  }

  /**
   * Checks Funnel on the executors that are running, with the GPUs that this object asks for. The
   * result lists each executor's resources, and if Funnel cannot compute there, why.
   */
  public List<ExecutorCheck> check() {
    int tasks = Math.max(2, 2 * spark.defaultParallelism());
    return ExecutorCheck.all(placed(spark.parallelize(Collections.nCopies(tasks, 0), tasks)));
  }

  /** The input of tasks, in stages that have the GPUs. */
  private <T> JavaRDD<T> placed(JavaRDD<T> rdd) {
    return profile == null
        ? rdd
        : rdd.mapPartitions(elements -> elements, true).withResources(profile);
  }

  /** The result of a shuffle, computed by tasks that have GPUs too. */
  private <A> Chunks<A> shuffled(Chunks<A> chunks) {
    return profile == null ? chunks : Chunks.of(chunks.rdd().withResources(profile), chunks.array);
  }

  /**
   * A column of a data set as chunks of {@code rows} elements; the last chunk of each partition may
   * have fewer. Nothing is read yet. If the data set's plan has column vectors, as for Parquet
   * files or a cached data set of numbers, no rows are created.
   *
   * <p>Columns of int and date become {@code int[]}, bigint and timestamp {@code long[]}, float
   * {@code float[]} and double {@code double[]}; {@link Chunks#as} gives them their Java type. A
   * task that finds a null in the column fails with an IllegalArgumentException.
   *
   * @param rows the number of elements of a chunk; some million are few enough for memory, and
   *     enough for a device
   * @throws IllegalArgumentException if there is no such column, it is of another type, or {@code
   *     rows} is not positive
   */
  public Chunks<?> chunks(Dataset<?> dataset, String column, int rows) {
    Objects.requireNonNull(dataset, "dataset");
    Objects.requireNonNull(column, "column");
    requireRows(rows);
    ColumnChunks.Columns columns = ColumnChunks.of(dataset, List.of(column), rows);
    return Chunks.of(columns.rdd().map(each -> each[0]), columns.types()[0]);
  }

  /**
   * Computes any operation that is done {@linkplain Operation#inParts in parts}: reductions,
   * histograms, the largest elements, {@link funnel.select.FindFirst}, {@link
   * funnel.sort.IsSorted}, and operations of your own. Groups have {@link #groupBy}, whose results
   * stay on the cluster.
   *
   * <p>Each chunk is computed separately, and what is kept of the chunks is combined on the driver,
   * in their order; if that has the same bits, first by tasks.
   *
   * @param chunks the inputs, cut in the same way
   * @return its outputs, with the names of a one-shot call; counts and positions are longs, and
   *     positions are those in the whole sequence
   * @throws IllegalArgumentException if it is not done in parts, is not defined for these types, or
   *     inputs are not in equally many partitions
   */
  public Results run(Operation operation, Chunks<?>... chunks) {
    require(operation, Stream.of(chunks).map(Chunks::elementType).toArray(ElementType[]::new));
    ChunkType[] types = Stream.of(chunks).map(each -> each.type).toArray(ChunkType[]::new);
    List<JavaRDD<?>> inputs =
        Stream.of(chunks).<JavaRDD<?>>map(each -> placed(each.rdd())).toList();
    return ChunkParts.of(operation, types).run(ChunkParts.zipped(inputs));
  }

  /**
   * Reduces all elements to one value: the sum of {@code [3, 1] [4]} is 8.
   *
   * <p>Each chunk is reduced separately, and the chunks' values are reduced on the driver, in
   * order. For integers, minima, maxima and counts the result is the same as for one array. The
   * indices of {@link Reduction#argMin} and {@link Reduction#argMax} are those in the whole
   * sequence, as Long. Variances of chunks combine by the formula of Chan, Golub and LeVeque, 1979.
   *
   * @return an Integer, Long, Float or Double, see {@link Reduction#resultType}
   * @throws java.util.NoSuchElementException if there are no elements, and the reduction has no
   *     value for that
   * @throws IllegalArgumentException if the reduction is not defined for the elements' type, takes
   *     two inputs, or has two outputs
   */
  public Number reduce(Chunks<?> chunks, Reduction reduction) {
    if (Objects.requireNonNull(reduction, "reduction").isPairOfElements()) {
      throw new IllegalArgumentException(
          "%s has two outputs: call run(reduction, chunks) and read both".formatted(reduction));
    }
    return run(reduction, chunks).get("result");
  }

  /**
   * Scans all elements: the inclusive sums of {@code [3, 1] [4]} are {@code [3, 4] [8]}, in the
   * same chunks.
   *
   * <p>A job finds the total of each chunk before this returns; the results are computed when they
   * are asked for. So the input is read twice: persist it if it costs more to compute than to keep.
   * For integers, minima and maxima the results are the same as for one array; in floating point a
   * chunk starts from the sum of the sums of the chunks before.
   *
   * @return chunks of the scan's {@linkplain Scan#resultType result type}. Computing them throws
   *     {@link ChunksChangedException} if the chunks' lengths have changed
   * @throws IllegalArgumentException if the scan is not defined for the elements' type, or takes
   *     its initial value from an input
   */
  public Chunks<?> scan(Chunks<?> chunks, Scan scan) {
    require(Objects.requireNonNull(scan, "scan"), chunks.elementType());
    return new ChunkScan(scan, chunks.type).run(spark, placed(chunks.rdd()));
  }

  /**
   * Counts all elements by bins: for {@code [3, 1] [4]} and {@code Histogram.even(2, 0, 4)} the
   * counts are 1, 1, and one element is above. Counters are longs, whatever the histogram's counter
   * type.
   *
   * <p>Each partition has counters of its own, and these are added on the way to the driver.
   *
   * @param into where the counters go: at least as many elements as the histogram has counters
   * @return how many elements are in none of the bins
   * @throws IllegalArgumentException if the histogram is not defined for the elements' type, takes
   *     weights or previous counts, or {@code into} is too short
   */
  public Uncounted histogram(Chunks<?> chunks, Histogram histogram, long[] into) {
    Objects.requireNonNull(histogram, "histogram");
    if (into.length < histogram.counters()) {
      throw new IllegalArgumentException(
          "into is too short: length=%s, counters=%s".formatted(into.length, histogram.counters()));
    }
    Results counted = run(histogram, chunks);
    long[] counts = counted.longs("result");
    System.arraycopy(counts, 0, into, 0, counts.length);
    return histogram.isByKeys()
        ? new Uncounted(0, 0, 0)
        : new Uncounted(
            counted.getLong("result_below"),
            counted.getLong("result_above"),
            counted.getLong("result_nan"));
  }

  /** The same into a new array; elements in none of the bins are not counted. */
  public long[] histogram(Chunks<?> chunks, Histogram histogram) {
    long[] counts = new long[Objects.requireNonNull(histogram, "histogram").counters()];
    var _ = histogram(chunks, histogram, counts);
    return counts;
  }

  /**
   * The elements for which a predicate holds, in their order: {@code [3] [4]} for {@code [3, 1]
   * [4]} and "over 2". Chunks become shorter, empty chunks stay, and nothing is computed yet.
   *
   * @throws IllegalArgumentException if {@code predicate} is not a predicate, or of another type
   *     than the elements
   */
  public <A> Chunks<A> select(Chunks<A> chunks, Transform predicate) {
    require(Select.where(predicate), chunks.elementType());
    ChunkType type = chunks.type;
    JavaRDD<Object> selected =
        placed(chunks.rdd())
            .map(
                chunk ->
                    type.read(
                        TaskFunnel.get().run(Select.where(predicate), type.elements(chunk)),
                        "result"));
    return Chunks.of(selected, type).as(chunks.array);
  }

  /**
   * Sorts all elements in ascending order: {@code [3, 1] [4, 1]} in two partitions become {@code
   * [1, 1]} and {@code [3, 4]}. Each partition has its elements in one chunk, or has no chunk; the
   * order is that of {@link funnel.sort.Sort}, for integers and floating-point numbers.
   *
   * <p>Before this returns, a job takes samples, by which elements are later distributed to the
   * partitions: these have about equal lengths, even if few values are distinct. Sorting sends all
   * elements through the network once and needs memory for three times a partition.
   *
   * @param partitions the number of partitions of the result
   * @return chunks that are computed when they are asked for; a task fails with an
   *     IllegalStateException if its partition has more elements than an array can have
   * @throws IllegalArgumentException if {@code partitions} is not positive
   */
  public <A> Chunks<A> sort(Chunks<A> chunks, int partitions) {
    requirePartitions(partitions);
    Chunks<?> sorted = new ChunkSort(chunks.type, partitions).run(placed(chunks.rdd()));
    return shuffled(sorted.as(chunks.array));
  }

  /** The same in as many partitions as the chunks are in. */
  public <A> Chunks<A> sort(Chunks<A> chunks) {
    return sort(chunks, Math.max(1, chunks.rdd().getNumPartitions()));
  }

  /**
   * The largest or smallest elements, as one array: the 2 largest of {@code [3, 1] [4]} are 4, 3.
   * The order, and the result for fewer elements, are those of {@link TopK}.
   *
   * <p>Each task keeps {@code k} elements, and sends them through other tasks to the driver.
   *
   * @throws IllegalArgumentException if positions are wanted: {@link #run} has them
   */
  public <A> A topK(Chunks<A> chunks, TopK top) {
    if (top.hasPositions()) {
      throw new IllegalArgumentException("%s: call run(top, chunks) for positions".formatted(top));
    }
    return chunks.array.cast(run(top, chunks).array("result"));
  }

  /**
   * Exact quantiles of all elements: for {@code [3, 1] [4]} the quantile 0.5 is 3. They are the
   * same as those of {@link Quantiles} for one array. An empty input has none: the array is empty.
   *
   * <p>Chunks are read three times: persist them if they cost more to compute than to keep. The
   * second and third time they are sorted, one by one; for each quantile, about a thousandth of the
   * elements goes through the network.
   *
   * @param quantiles at most 1024 numbers from 0 to 1
   * @throws IllegalArgumentException if there are none or too many, or one is not from 0 to 1
   */
  public <A> A quantiles(Chunks<A> chunks, double... quantiles) {
    require(Quantiles.of(quantiles), chunks.elementType());
    return chunks.array.cast(
        new ChunkQuantiles(chunks.type).run(placed(chunks.rdd()), Quantiles.of(quantiles)));
  }

  /**
   * The same with interpolation between neighbouring elements, as {@link Quantiles#interpolated()}:
   * for {@code [3, 1] [4, 10]} the quantile 0.5 is 3.5.
   *
   * @throws IllegalArgumentException as {@link #quantiles}
   */
  public double[] interpolatedQuantiles(Chunks<?> chunks, double... quantiles) {
    require(Quantiles.of(quantiles), chunks.elementType());
    return (double[])
        new ChunkQuantiles(chunks.type)
            .run(placed(chunks.rdd()), Quantiles.of(quantiles).interpolated());
  }

  /**
   * Aggregates of the rows of each group: for the keys {@code [7, 9] [7]} and the column {@code [3,
   * 4] [1]}, {@code count()} and {@code sum(1)} are 2, 4 for 7 and 1, 4 for 9.
   *
   * <p>Rows consist of elements of corresponding chunks, which must be equally long, as those of
   * columns of one data set are. The groups of chunks are combined in their order; for integers the
   * results are the same as for one array. Floating-point sums, means and variances depend on the
   * chunks. Positions are those in the whole sequence, as longs.
   *
   * @param partitions the number of partitions of the result; the key determines the partition of a
   *     group
   * @param keys ints or longs
   * @param columns the columns, numbered from 1 in the aggregates
   * @throws IllegalArgumentException if there is no such column, an aggregate is not defined on it,
   *     {@code partitions} is not positive, or keys and columns are not in equally many partitions
   */
  public Groups groupBy(
      int partitions, Chunks<?> keys, List<Chunks<?>> columns, Aggregate... aggregates) {
    List<Chunks<?>> rows = new ArrayList<>(List.of(keys));
    rows.addAll(columns);
    return groups(
        ChunkParts.zipped(rows.stream().map(Chunks::rdd).toList()),
        rows.stream().map(column -> column.type).toArray(ChunkType[]::new),
        1,
        partitions,
        aggregates);
  }

  /** The groups of rows that have keys, then columns. */
  Groups groups(
      JavaRDD<Object[]> rows,
      ChunkType[] types,
      int keys,
      int partitions,
      Aggregate... aggregates) {
    requirePartitions(partitions);
    return new ChunkGroups(types, keys, partitions, aggregates).run(placed(rows), profile);
  }

  static void requireRows(int rows) {
    if (rows < 1 || rows > Input.LARGEST_CAPACITY) {
      throw new IllegalArgumentException(
          "rows=%s: a chunk has from 1 to %s".formatted(rows, Input.LARGEST_CAPACITY));
    }
  }

  private static void requirePartitions(int partitions) {
    if (partitions < 1) {
      throw new IllegalArgumentException("partitions=%s: give 1 at least".formatted(partitions));
    }
  }

  /** Refuses inputs that the operation does not support, and functions of an index in an array. */
  private static void require(Operation operation, ElementType... inputs) {
    Objects.requireNonNull(operation, "operation");
    operation
        .expand("result", Stream.of(inputs).map(type -> new Input("elements", type, 1)).toList())
        .primitives()
        .forEach(
            primitive -> primitive.asIs().combined().forEach(Primitive.Combined::requireNoIndex));
  }
}
