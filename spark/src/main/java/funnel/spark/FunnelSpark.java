package funnel.spark;

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
import org.apache.spark.api.java.function.Function2;
import org.apache.spark.resource.ResourceProfile;
import org.apache.spark.resource.ResourceProfileBuilder;
import org.apache.spark.resource.TaskResourceRequests;
import org.apache.spark.sql.Dataset;
import org.jspecify.annotations.Nullable;

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
  private final @Nullable ResourceProfile profile;

  private FunnelSpark(JavaSparkContext spark, @Nullable ResourceProfile profile) {
    this.spark = spark;
    this.profile = profile;
  }

  /** Funnel on the cluster of a Spark context, which stays the caller's to stop. */
  public static FunnelSpark on(JavaSparkContext spark) {
    return new FunnelSpark(Objects.requireNonNull(spark, "spark"), null);
  }

  /**
   * The same on GPUs: its tasks wait until Spark has one for each, and compute there. An executor
   * has one GPU, which is {@code spark.executor.resource.gpu.amount=1}, and one Funnel on it for
   * all of its tasks; those that are to be on the JVM stay so. A task whose GPU cannot be used
   * fails, with an {@link funnel.operation.EngineUnavailableException}: {@link #check} shows which.
   *
   * <p>Spark schedules the stages by a resource profile, which it does not in local mode. Where
   * {@code spark.task.resource.gpu.amount} is set, all tasks have GPUs, without this call.
   *
   * @param perTask 1, or at most 0.5 for tasks that share a GPU, which then work by turns
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
   * Tries Funnel on the executors that run now, with the GPUs that this asks for: what each has,
   * and if Funnel cannot compute there, why.
   */
  public List<ExecutorCheck> check() {
    int tasks = Math.max(2, 2 * spark.defaultParallelism());
    return ExecutorCheck.all(placed(spark.parallelize(Collections.nCopies(tasks, 0), tasks)));
  }

  /** What tasks read, in stages that have the GPUs. */
  private <T> JavaRDD<T> placed(JavaRDD<T> rdd) {
    return profile == null
        ? rdd
        : rdd.mapPartitions(elements -> elements, true).withResources(profile);
  }

  /** What is computed after a shuffle, by tasks that have GPUs too. */
  private <A> Chunks<A> shuffled(Chunks<A> chunks) {
    return profile == null ? chunks : Chunks.of(chunks.rdd().withResources(profile), chunks.array);
  }

  /**
   * A column of a data set as chunks of {@code rows} elements, of which the last one of each
   * partition may have fewer. Nothing is read yet. Where the data set's plan has column vectors, as
   * over Parquet files or a cached one of numbers, no rows are made.
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
    return ChunkReduction.of(reduction, chunks.type).run(placed(chunks.rdd()));
  }

  /**
   * The scan of all elements: the inclusive sums of {@code [3, 1] [4]} are {@code [3, 4] [8]}, in
   * chunks as they were.
   *
   * <p>A job finds the total of each chunk, before this returns; the results are computed when they
   * are asked for. The input is therefore read twice: persist it if it costs more to compute than
   * to keep. Of integers, minima and maxima results are those of one array; in floating point a
   * chunk goes on from the sum of the chunks' sums before.
   *
   * @return of the scan's {@linkplain Scan#resultType result type}. Computing them throws {@link
   *     ChunksChangedException} where chunks have not the lengths that they had
   * @throws IllegalArgumentException if the scan has no meaning on the elements' type, or takes its
   *     initial value from an input
   */
  public Chunks<?> scan(Chunks<?> chunks, Scan scan) {
    require(Objects.requireNonNull(scan, "scan"), chunks.elementType());
    return new ChunkScan(scan, chunks.type).run(spark, placed(chunks.rdd()));
  }

  /**
   * One histogram of all elements: of {@code [3, 1] [4]} with {@code Histogram.even(2, 0, 4)} it is
   * 1, 1, and one element is above. Counters are longs whatever the histogram's own are.
   *
   * <p>Each partition has counters of its own, and these are added on the way to the driver.
   *
   * @param into where the counters go, one for each of the histogram's
   * @return how many elements are in no bin
   * @throws IllegalArgumentException if the histogram is not for the elements' type, takes weights
   *     or counts so far, or {@code into} is too short
   */
  public Uncounted histogram(Chunks<?> chunks, Histogram histogram, long[] into) {
    require(Objects.requireNonNull(histogram, "histogram"), chunks.elementType());
    if (into.length < histogram.counters()) {
      throw new IllegalArgumentException(
          "into is too short: length=%d, counters=%d".formatted(into.length, histogram.counters()));
    }
    return ChunkHistogram.run(histogram, chunks.type, placed(chunks.rdd()), into);
  }

  /** The same into a new array; elements that are in no bin are not counted. */
  public long[] histogram(Chunks<?> chunks, Histogram histogram) {
    long[] counts = new long[Objects.requireNonNull(histogram, "histogram").counters()];
    var _ = histogram(chunks, histogram, counts);
    return counts;
  }

  /**
   * The elements that a predicate holds for, in their order: of {@code [3, 1] [4]} and "over 2" it
   * is {@code [3] [4]}. Chunks become shorter, empty ones stay, and nothing is computed yet.
   *
   * @throws IllegalArgumentException if {@code predicate} is none, or of another type than the
   *     elements
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
   * All elements in ascending order: of {@code [3, 1] [4, 1]} in two partitions {@code [1, 1]} and
   * {@code [3, 4]}. Each partition has its elements in one chunk, or none; the order is that of
   * {@link funnel.sort.Sort}, over integers and in floating point.
   *
   * <p>A job takes samples, before this returns, by which elements are later dealt to the
   * partitions: these are about equally long, also where few values are distinct. Sorting sends all
   * elements through the network once and needs memory for three times a partition.
   *
   * @param partitions of the result
   * @return computed when it is asked for; a task fails with an IllegalStateException where its
   *     partition has more elements than an array
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
   * Order, and what comes where there are fewer, are those of {@link TopK}.
   *
   * <p>Each task keeps {@code k} elements, and sends them to others on the way to the driver, which
   * gets {@code k} at the end.
   *
   * @throws IllegalArgumentException if positions are asked for, which are within one array
   */
  public <A> A topK(Chunks<A> chunks, TopK top) {
    if (top.hasPositions()) {
      throw new IllegalArgumentException(
          "%s: positions are within one array: ask for the elements alone".formatted(top));
    }
    ChunkType type = chunks.type;
    Function2<Object, Object, Object> both =
        (first, second) ->
            type.read(
                TaskFunnel.get()
                    .run(top, type.elements(type.joined("the top", List.of(first, second)))),
                "result");
    Object none = type.allocate(0);
    return chunks.array.cast(
        placed(chunks.rdd()).map(chunk -> (Object) chunk).treeAggregate(none, both, both));
  }

  /**
   * The elements at quantiles of all elements in their order, exactly: of {@code [3, 1] [4]} the
   * one at 0.5 is 3. They are the elements that {@link Quantiles} has of one array. Empty input has
   * none: the array is empty.
   *
   * <p>Chunks are read three times: persist them if they cost more to compute than to keep. Each
   * time but the first they are sorted, one by one; elements of some thousandth of the range go
   * through the network for each quantile.
   *
   * @param quantiles from 0 to 1, at most 1024
   * @throws IllegalArgumentException if there are none or too many, or one is not from 0 to 1
   */
  public <A> A quantiles(Chunks<A> chunks, double... quantiles) {
    require(Quantiles.of(quantiles), chunks.elementType());
    return chunks.array.cast(
        new ChunkQuantiles(chunks.type).elements(placed(chunks.rdd()), quantiles));
  }

  /**
   * The same as numbers between the two elements that are next, as {@link
   * Quantiles#interpolated()}: of {@code [3, 1] [4, 10]} the one at 0.5 is 3.5.
   *
   * @throws IllegalArgumentException as {@link #quantiles}
   */
  public double[] interpolatedQuantiles(Chunks<?> chunks, double... quantiles) {
    require(Quantiles.of(quantiles), chunks.elementType());
    return new ChunkQuantiles(chunks.type).between(placed(chunks.rdd()), quantiles);
  }

  /**
   * Aggregates of the rows of each group: of the keys {@code [7, 9] [7]} and the column {@code [3,
   * 4] [1]}, by {@code count()} and {@code sum(1)}, they are 2, 4 of 7 and 1, 4 of 9.
   *
   * <p>Rows are those of chunks in the same places, which have to be equally long, as those of
   * columns of one data set are. Counts, sums, minima, maxima, first and last ones, and what
   * operators of yours combine, come from the groups of chunks, in their order; of integers they
   * are those of one array. Floating-point sums depend on the chunks and on {@code partitions}.
   * Means and variances are refused: take sums and counts.
   *
   * @param partitions of the result; a group is in the one that its key says
   * @param keys ints or longs
   * @param columns numbered from 1 on for the aggregates
   * @throws IllegalArgumentException if there is no such column, an aggregate is not defined on it
   *     or cannot be combined, {@code partitions} is not positive, or keys and columns are not in
   *     equally many partitions
   */
  public Groups groupBy(
      int partitions, Chunks<?> keys, List<Chunks<?>> columns, Aggregate... aggregates) {
    requirePartitions(partitions);
    List<Chunks<?>> rows = new ArrayList<>(List.of(keys));
    rows.addAll(columns);
    for (Chunks<?> column : columns) {
      if (column.rdd().getNumPartitions() != keys.rdd().getNumPartitions()) {
        throw new IllegalArgumentException(
            "keys are in %d partitions, a column in %d: cut columns alike"
                .formatted(keys.rdd().getNumPartitions(), column.rdd().getNumPartitions()));
      }
    }
    return new ChunkGroups(rows, partitions, aggregates)
        .run(rows.stream().<JavaRDD<?>>map(column -> placed(column.rdd())).toList(), profile);
  }

  private static void requirePartitions(int partitions) {
    if (partitions < 1) {
      throw new IllegalArgumentException("partitions=%d: give 1 at least".formatted(partitions));
    }
  }

  /** Has an operation refuse inputs that are not for it, and functions of an index in an array. */
  private static void require(Operation operation, ElementType... inputs) {
    Objects.requireNonNull(operation, "operation");
    operation
        .expand("result", Stream.of(inputs).map(type -> new Input("elements", type, 1)).toList())
        .primitives()
        .forEach(primitive -> primitive.combined().forEach(Primitive.Combined::requireNoIndex));
  }
}
