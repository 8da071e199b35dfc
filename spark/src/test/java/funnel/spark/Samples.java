package funnel.spark;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;

/** Chunks for tests; where they are random, the seed is printed. */
final class Samples {

  private static final int[] LENGTHS = {5, 0, 1, 3000, 2049, 0, 777, 4096, 12};

  private final Random random;

  Samples() {
    long seed = Long.getLong("funnel.test.seed", new Random().nextLong());
    System.out.println("seed: -Dfunnel.test.seed=" + seed);
    random = new Random(seed);
  }

  private Number element(Class<?> type, int bound) {
    if (type == int.class) {
      return random.nextInt(-bound, bound);
    }
    if (type == long.class) {
      return random.nextLong(-bound, bound) * 3_000_000_000L;
    }
    return type == float.class
        ? (Number) (random.nextFloat() * bound - bound / 2f)
        : (Number) (random.nextDouble() * bound - bound / 2d);
  }

  /** Nine chunks of several lengths, two of them empty, of elements from -bound to bound. */
  <A> List<A> chunks(Class<A> array, int bound) {
    List<A> chunks = new ArrayList<>();
    for (int length : LENGTHS) {
      A chunk = array.cast(Array.newInstance(array.componentType(), length));
      for (int i = 0; i < length; i++) {
        Array.set(chunk, i, element(array.componentType(), bound));
      }
      chunks.add(chunk);
    }
    return chunks;
  }

  /** Chunks of some partitions. */
  @SafeVarargs
  @SuppressWarnings("varargs")
  static <A> Chunks<A> of(Class<A> array, A[]... partitions) {
    JavaRDD<A[]> lists = Cluster.CONTEXT.parallelize(Arrays.asList(partitions), partitions.length);
    return Chunks.of(lists.flatMap(list -> Stream.of(list).iterator()), array);
  }

  /** The same chunks in another number of partitions. */
  static <A> Chunks<A> of(Class<A> array, List<A> chunks, int partitions) {
    return Chunks.of(Cluster.CONTEXT.parallelize(chunks, partitions), array);
  }

  /** All elements one after the other, for a plain loop. */
  static List<Number> all(List<?> chunks) {
    List<Number> all = new ArrayList<>();
    for (Object chunk : chunks) {
      for (int i = 0; i < Array.getLength(chunk); i++) {
        all.add((Number) Array.get(chunk, i));
      }
    }
    return all;
  }
}
