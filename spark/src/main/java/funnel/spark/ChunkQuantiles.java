package funnel.spark;

import funnel.Funnel;
import funnel.rank.Quantiles;
import funnel.sort.SortedSearch;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaRDD;
import scala.Tuple2;

/**
 * Elements of chunks by their rank. Samples divide the elements into some thousand ranges. A second
 * job counts exactly how many elements are equal to and between the samples, so that a rank is
 * either that of a sample or in one range. A third job sends only the elements of these ranges to
 * tasks that sort them.
 */
final class ChunkQuantiles implements Serializable {

  private static final long serialVersionUID = 1;
  private static final int RANGES = 1 << 12;

  private final ChunkType type;

  /** A rank among all elements: either a bound's, or the {@code offset}-th of a range. */
  private record Place(int bound, int range, long offset) {}

  ChunkQuantiles(ChunkType type) {
    this.type = type;
  }

  /** The elements at quantiles, in their order, or numbers between them; none if there are none. */
  Object run(JavaRDD<?> rdd, Quantiles quantiles) {
    Ranges ranges = new Ranges(rdd);
    boolean isInterpolated = quantiles.isInterpolated();
    if (ranges.all == 0) {
      return isInterpolated ? new double[0] : type.allocate(0);
    }
    Object elements = at(ranges, quantiles.ranks(ranges.all));
    if (!isInterpolated) {
      return elements;
    }
    return quantiles.between(
        ranges.all,
        IntStream.range(0, ChunkType.length(elements))
            .mapToDouble(i -> ChunkType.get(elements, i).doubleValue())
            .toArray());
  }

  /** The elements at ranks. */
  private Object at(Ranges ranges, long... ranks) {
    List<Place> places = Arrays.stream(ranks).mapToObj(ranges::place).toList();
    SortedMap<Integer, List<Long>> wanted = new TreeMap<>();
    for (Place place : places) {
      if (place.bound < 0) {
        wanted.computeIfAbsent(place.range, range -> new ArrayList<>()).add(place.offset);
      }
    }
    Map<Tuple2<Integer, Long>, Object> found = ranges.elements(wanted);
    Object elements = type.allocate(ranks.length);
    for (int i = 0; i < ranks.length; i++) {
      Place place = places.get(i);
      boolean isBound = place.bound >= 0;
      Object from = isBound ? ranges.bounds : found.get(new Tuple2<>(place.range, place.offset));
      System.arraycopy(from, isBound ? place.bound : 0, elements, i, 1);
    }
    return elements;
  }

  private static long[] sum(long[] counts, long[] more) {
    Arrays.setAll(counts, i -> counts[i] + more[i]);
    return counts;
  }

  /** The elements counted by ranges between some of them. */
  private final class Ranges implements Serializable {
    private static final long serialVersionUID = 1;

    private final transient JavaRDD<?> rdd;
    private final Serializable bounds; // an array of distinct elements, ascending
    private final int count;
    private final long[]
        places; // the number of elements before each bound, then the number not after it
    private final long all;

    Ranges(JavaRDD<?> rdd) {
      this.rdd = rdd;
      this.bounds = (Serializable) distinct(new ChunkSort(type, RANGES).bounds(rdd)._1());
      this.count = ChunkType.length(bounds);
      this.places =
          count == 0
              ? new long[1]
              : rdd.mapPartitions(this::places).treeReduce(ChunkQuantiles::sum);
      this.all = places[2 * count];
    }

    private Object distinct(Object ascending) {
      Object distinct = type.allocate(ChunkType.length(ascending));
      int to = 0;
      for (int i = 0; i < ChunkType.length(ascending); i++) {
        if (to == 0 || !ChunkType.get(ascending, i).equals(ChunkType.get(distinct, to - 1))) {
          System.arraycopy(ascending, i, distinct, to++, 1);
        }
      }
      return type.part(distinct, 0, to);
    }

    private Iterator<long[]> places(Iterator<?> chunks) {
      long[] sums = new long[2 * count + 1];
      chunks.forEachRemaining(
          chunk -> {
            Object sorted = type.sorted(TaskFunnel.get(), chunk);
            int[] lower = search(SortedSearch.lowerBound(), sorted);
            int[] upper = search(SortedSearch.upperBound(), sorted);
            for (int i = 0; i < count; i++) {
              sums[i] += lower[i];
              sums[count + i] += upper[i];
            }
            sums[2 * count] += ChunkType.length(chunk);
          });
      return List.of(sums).iterator();
    }

    private int[] search(SortedSearch search, Object sorted) {
      Funnel funnel = TaskFunnel.get();
      return funnel.run(search, type.elements(sorted), type.elements(bounds)).ints("result");
    }

    private Place place(long rank) {
      int bound = 0;
      while (bound < count && places[count + bound] <= rank) {
        bound++;
      }
      return bound < count && places[bound] <= rank
          ? new Place(bound, 0, 0)
          : new Place(-1, bound, bound == 0 ? rank : rank - places[count + bound - 1]);
    }

    /** The elements at offsets of ranges: range i is between the bounds i - 1 and i. */
    private Map<Tuple2<Integer, Long>, Object> elements(SortedMap<Integer, List<Long>> wanted) {
      if (wanted.isEmpty()) {
        return Map.of();
      }
      int partitions = Math.min(wanted.size(), rdd.getNumPartitions());
      return rdd.mapPartitionsToPair(chunks -> pieces(wanted, chunks))
          .partitionBy(new HashPartitioner(partitions))
          .mapPartitionsToPair(pieces -> elements(wanted, pieces))
          .collectAsMap();
    }

    private Iterator<Tuple2<Integer, Object>> pieces(
        SortedMap<Integer, List<Long>> wanted, Iterator<?> chunks) {
      List<Tuple2<Integer, Object>> pieces = new ArrayList<>();
      chunks.forEachRemaining(
          chunk -> {
            Object sorted = type.sorted(TaskFunnel.get(), chunk);
            int[] lower = search(SortedSearch.lowerBound(), sorted);
            int[] upper = search(SortedSearch.upperBound(), sorted);
            for (int range : wanted.keySet()) {
              int from = range == 0 ? 0 : upper[range - 1];
              int to = range == count ? ChunkType.length(sorted) : lower[range];
              pieces.add(new Tuple2<>(range, type.part(sorted, from, to)));
            }
          });
      return pieces.iterator();
    }

    private Iterator<Tuple2<Tuple2<Integer, Long>, Object>> elements(
        SortedMap<Integer, List<Long>> wanted, Iterator<Tuple2<Integer, Object>> pieces) {
      SortedMap<Integer, List<Object>> parts = new TreeMap<>();
      pieces.forEachRemaining(
          piece -> parts.computeIfAbsent(piece._1(), range -> new ArrayList<>()).add(piece._2()));
      List<Tuple2<Tuple2<Integer, Long>, Object>> elements = new ArrayList<>();
      parts.forEach(
          (range, of) -> {
            Object sorted = type.sorted(TaskFunnel.get(), type.joined("range " + range, of));
            for (long offset : wanted.getOrDefault(range, List.of())) {
              Object element = type.part(sorted, (int) offset, (int) offset + 1);
              elements.add(new Tuple2<>(new Tuple2<>(range, offset), element));
            }
          });
      return elements.iterator();
    }
  }
}
