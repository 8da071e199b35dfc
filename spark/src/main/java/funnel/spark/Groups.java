package funnel.spark;

import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructField;

/**
 * Groups of rows that a cluster holds: chunks of distinct keys, and corresponding chunks of the
 * aggregates of their groups. Each key occurs once; the keys of a chunk are in ascending order.
 *
 * <p>Computed when asked for, and again for each array: persist {@link #rdd} to read several.
 */
public final class Groups {

  private final JavaRDD<Object[]> rdd;
  private final ChunkType[] types;

  Groups(JavaRDD<Object[]> rdd, ChunkType... types) {
    this.rdd = rdd;
    this.types = types;
  }

  /** The keys, ints or longs like the input's. */
  public Chunks<?> keys() {
    return column(0);
  }

  /**
   * One of the aggregates, of the type that {@link funnel.group.Aggregate} documents, but counts
   * are longs.
   *
   * @param number the aggregate's number from 1, in the order in which they were given
   * @throws IllegalArgumentException if there is no such aggregate
   */
  public Chunks<?> aggregate(int number) {
    if (number < 1 || number >= types.length) {
      throw new IllegalArgumentException(
          "aggregate %s: there are %s, numbered from 1 on".formatted(number, types.length - 1));
    }
    return column(number);
  }

  /** The type of the keys, or of an aggregate, from which its number is counted on. */
  ChunkType type(int index) {
    return types[index];
  }

  private Chunks<?> column(int index) {
    return Chunks.of(rdd.map(columns -> columns[index]), types[index]);
  }

  /** The arrays of a chunk together: the keys, then the aggregates. */
  public JavaRDD<Object[]> rdd() {
    return rdd;
  }

  /**
   * The groups as a data set: {@code toDataset("shop", "sales")} has the columns shop, with the
   * keys, and sales. The types are int, bigint, float and double.
   *
   * @param names of the keys, then of each aggregate
   * @throws IllegalArgumentException if there are too few or too many names
   */
  public Dataset<Row> toDataset(String... names) {
    if (names.length != types.length) {
      throw new IllegalArgumentException(
          "%s names for %s columns: give one of the keys, and one of each aggregate"
              .formatted(names.length, types.length));
    }
    return ArrayRows.dataset(
        SparkSession.builder().getOrCreate(),
        rdd,
        IntStream.range(0, names.length)
            .mapToObj(i -> ArrayRows.field(names[i], types[i]))
            .toArray(StructField[]::new));
  }
}
