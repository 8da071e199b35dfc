package funnel.spark;

import org.apache.spark.api.java.JavaRDD;

/**
 * Groups of rows that a cluster holds: chunks of distinct keys, and of the aggregates of their
 * groups, in the same places. A key is in one place only; the keys of a chunk ascend.
 *
 * <p>Computed when asked for, each array anew: persist {@link #rdd} to read several.
 */
public final class Groups {

  private final JavaRDD<Object[]> rdd;
  private final ChunkType[] types;

  Groups(JavaRDD<Object[]> rdd, ChunkType... types) {
    this.rdd = rdd;
    this.types = types;
  }

  /** The keys, ints or longs as they were. */
  public Chunks<?> keys() {
    return column(0);
  }

  /**
   * One of the aggregates, of the type that {@link funnel.group.Aggregate} says; but counts are
   * longs.
   *
   * @param number from 1 on, in the order that they were given in
   * @throws IllegalArgumentException if there is no such aggregate
   */
  public Chunks<?> aggregate(int number) {
    if (number < 1 || number >= types.length) {
      throw new IllegalArgumentException(
          "aggregate %d: there are %d, numbered from 1 on".formatted(number, types.length - 1));
    }
    return column(number);
  }

  private Chunks<?> column(int index) {
    return Chunks.of(rdd.map(columns -> columns[index]), types[index]);
  }

  /** The arrays together: that of keys, then those of the aggregates. */
  public JavaRDD<Object[]> rdd() {
    return rdd;
  }
}
