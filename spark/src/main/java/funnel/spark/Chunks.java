package funnel.spark;

import funnel.operator.ElementType;
import java.util.Objects;
import org.apache.spark.api.java.JavaRDD;

/**
 * Elements that a cluster holds as arrays: the chunks of a partition one after the other, and the
 * partitions in their order, are one long sequence. Of the partitions {@code [3, 1] [4]} and {@code
 * [1, 5]} it is 3, 1, 4, 1, 5; chunks and partitions may be empty.
 *
 * <p>A chunk is what one run of Funnel works on, on one device: some million elements. Results over
 * integers, minima, maxima and orders are those of the whole sequence in one array. Floating-point
 * sums depend on where it is cut into chunks, and on nothing else: not on partitions, executors,
 * devices, or tasks that failed and were run again.
 *
 * <p>Chunks have to be the same whenever Spark computes them anew. Where they come from something
 * that differs from time to time, keep them first, with {@code persist} or {@code checkpoint}.
 * Operations do not write into chunks, and you may not do so while Spark may read them.
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
   * @throws IllegalArgumentException if there are no chunks of this class
   */
  public static <A> Chunks<A> of(JavaRDD<A> rdd, Class<A> array) {
    return new Chunks<>(rdd, array);
  }

  /** Chunks of a type, which its tasks make. */
  @SuppressWarnings("unchecked")
  static Chunks<?> of(JavaRDD<Object> rdd, ChunkType type) {
    return new Chunks<>(rdd, (Class<Object>) type.array);
  }

  /**
   * The same chunks as those of a class.
   *
   * @throws IllegalArgumentException if they are of another one
   */
  @SuppressWarnings("unchecked")
  public <B> Chunks<B> as(Class<B> wanted) {
    if (Objects.requireNonNull(wanted, "wanted") != array) {
      throw new IllegalArgumentException(
          "chunks are %s, asked for as %s"
              .formatted(array.getSimpleName(), wanted.getSimpleName()));
    }
    return (Chunks<B>) this;
  }

  /** The chunks as an RDD, for everything that Spark does with one: save, persist, collect. */
  public JavaRDD<A> rdd() {
    return rdd;
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
