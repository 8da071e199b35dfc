package funnel.spark;

import funnel.operator.ElementType;
import java.util.Objects;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Elements that a cluster holds as arrays: the chunks of each partition in order, and the
 * partitions in order, form one long sequence. The partitions {@code [3, 1] [4]} and {@code [1, 5]}
 * form 3, 1, 4, 1, 5; chunks and partitions may be empty.
 *
 * <p>A chunk is the input of one run of Funnel on one device: some million elements. Results of
 * integers, minima, maxima and orders are the same as for the whole sequence in one array.
 * Floating-point sums depend only on where the sequence is cut into chunks: not on partitions,
 * executors, devices, or tasks that failed and were run again.
 *
 * <p>Chunks must be the same whenever Spark computes them again. If their source varies, keep them
 * first with {@code persist} or {@code checkpoint}. Operations do not write into chunks, and you
 * must not do so while Spark may read them.
 *
 * @param <A> {@code byte[]}, {@code int[]}, {@code long[]}, {@code float[]} or {@code double[]}
 */
public final class Chunks<A> {

  private final JavaRDD<A> rdd;
  final Class<A> array;
  final ChunkType type;

  private Chunks(JavaRDD<A> rdd, Class<A> array) {
    this.rdd = Objects.requireNonNull(rdd, "rdd");
    this.array = Objects.requireNonNull(array, "array");
    this.type = ChunkType.of(array);
  }

  /**
   * The arrays of an RDD. Nothing is computed yet.
   *
   * @param array the class of the arrays, such as {@code int[].class}
   * @throws IllegalArgumentException if it is not a class of chunks
   */
  public static <A> Chunks<A> of(JavaRDD<A> rdd, Class<A> array) {
    return new Chunks<>(rdd, array);
  }

  /** Chunks of a type that is known only at run time. */
  @SuppressWarnings("unchecked")
  static Chunks<?> of(JavaRDD<Object> rdd, ChunkType type) {
    return new Chunks<>(rdd, (Class<Object>) type.array);
  }

  /**
   * These chunks, typed by the class of their arrays.
   *
   * @throws IllegalArgumentException if they are of another class
   */
  @SuppressWarnings("unchecked")
  public <B> Chunks<B> as(Class<B> wanted) {
    if (Objects.requireNonNull(wanted, "wanted") != array) {
      throw new IllegalArgumentException(
          "chunks are %s, not %s".formatted(array.getSimpleName(), wanted.getSimpleName()));
    }
    return (Chunks<B>) this;
  }

  /** The chunks as an RDD, for everything that Spark does with one: save, persist, collect. */
  public JavaRDD<A> rdd() {
    return rdd;
  }

  /**
   * The elements as a data set of one column: {@code [3, 1] [4]} has the rows 3, 1 and 4. Its type
   * is int, bigint, float or double; bytes become ints from 0 to 255.
   *
   * @param name the column's name
   */
  public Dataset<Row> toDataset(String name) {
    return ArrayRows.dataset(
        SparkSession.builder().getOrCreate(),
        rdd.map(chunk -> new Object[] {chunk}),
        ArrayRows.field(name, type));
  }

  /** The type of the elements. */
  public ElementType elementType() {
    return type.element;
  }

  @Override
  public String toString() {
    return "chunks %s of %s".formatted(array.getSimpleName(), rdd);
  }
}
