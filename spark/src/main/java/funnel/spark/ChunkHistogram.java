package funnel.spark;

import funnel.Elements;
import funnel.histogram.Histogram;
import funnel.histogram.Uncounted;
import funnel.operator.ElementType;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;

/**
 * A histogram of chunks. A partition's counts go to the driver through other tasks that add them
 * up, since the counters of all partitions may not fit there; the three numbers of elements outside
 * the bins are last in the same array.
 */
final class ChunkHistogram {

  private static final int UNCOUNTED = 3;

  private ChunkHistogram() {}

  static Uncounted run(Histogram histogram, ChunkType type, JavaRDD<?> rdd, long[] into) {
    int counters = histogram.counters();
    Histogram adding = histogram.to(ElementType.LONG).accumulating();
    long[] counts =
        rdd.getNumPartitions() == 0
            ? new long[counters + UNCOUNTED]
            : rdd.mapPartitions(chunks -> counts(adding, type, chunks))
                .treeReduce(ChunkHistogram::sum);
    System.arraycopy(counts, 0, into, 0, counters);
    return new Uncounted(counts[counters], counts[counters + 1], counts[counters + 2]);
  }

  /** The counters of a partition, and how many of its elements are outside the bins. */
  static Iterator<long[]> counts(Histogram adding, ChunkType type, Iterator<?> chunks) {
    int counters = adding.counters();
    long[] counts = new long[counters + UNCOUNTED];
    Elements into = Elements.of(counts, 0, counters);
    while (chunks.hasNext()) {
      Uncounted uncounted = TaskFunnel.get().histogram(type.elements(chunks.next()), adding, into);
      counts[counters] += uncounted.below();
      counts[counters + 1] += uncounted.above();
      counts[counters + 2] += uncounted.nan();
    }
    return List.of(counts).iterator();
  }

  /** Adds numbers to others. */
  static long[] sum(long[] counts, long[] more) {
    for (int i = 0; i < counts.length; i++) {
      counts[i] += more[i];
    }
    return counts;
  }
}
