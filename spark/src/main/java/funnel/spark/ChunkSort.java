package funnel.spark;

import funnel.Elements;
import funnel.Funnel;
import funnel.sort.Order;
import funnel.sort.SortedSearch;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import org.apache.spark.HashPartitioner;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import scala.Tuple2;

/**
 * A sort of chunks: a job takes samples of each chunk, from which the driver selects the bounds of
 * partitions; tasks sort each chunk, cut it at the bounds, and send the pieces; other tasks sort
 * the pieces that arrive.
 *
 * <p>Samples are the same in each attempt of a task, and the contents of a partition do not depend
 * on the order in which pieces arrive. Elements that are equal to a bound are distributed to the
 * partitions on both sides: they are indistinguishable, and otherwise a cluster with a single value
 * would send all of it to one task.
 */
final class ChunkSort implements Serializable {

  private static final long serialVersionUID = 1;

  /** Samples of a chunk: partitions of 100 chunks are then even within some hundredths. */
  private static final int SAMPLES = 256;

  private final ChunkType type;
  private final int partitions;

  ChunkSort(ChunkType type, int partitions) {
    this.type = type;
    this.partitions = partitions;
  }

  Chunks<?> run(JavaRDD<?> rdd) {
    Tuple2<Object, double[]> bounds = bounds(rdd);
    return Chunks.of(
        rdd.mapPartitionsToPair(chunks -> new Pieces(bounds._1(), bounds._2(), chunks))
            .partitionBy(new HashPartitioner(partitions)) // of an int from 0 on: that partition
            .mapPartitions(this::joined, true),
        type);
  }

  /**
   * The elements at which all partitions but the first begin, and the share of the elements equal
   * to each that goes before it; none if there are no elements.
   */
  Tuple2<Object, double[]> bounds(JavaRDD<?> rdd) {
    List<Tuple2<Object, Double>> samples =
        rdd.mapPartitionsWithIndex(
                (partition, chunks) -> samples(new SplittableRandom(partition), chunks), false)
            .collect();
    int count = samples.stream().mapToInt(sample -> ChunkType.length(sample._1())).sum();
    Object values = type.allocate(count);
    double[] weights = new double[count];
    int at = 0;
    double total = 0;
    for (Tuple2<Object, Double> sample : samples) {
      int length = ChunkType.length(sample._1());
      System.arraycopy(sample._1(), 0, values, at, length);
      Arrays.fill(weights, at, at + length, sample._2());
      total += length * sample._2();
      at += length;
    }
    Object sorted = type.sorted(TaskFunnel.get(), values);
    int[] order = TaskFunnel.get().run(Order.ascending(), type.elements(values)).ints("result");
    Object bounds = type.allocate(count == 0 ? 0 : partitions - 1);
    double[] shares = new double[ChunkType.length(bounds)];
    double before = 0;
    int bound = 0;
    for (int i = 0, same; i < count; i = same) {
      double equal = 0;
      for (same = i; same < count && isEqual(sorted, i, same); same++) {
        equal += weights[order[same]];
      }
      for (; bound < shares.length && wanted(bound, total) < before + equal; bound++) {
        System.arraycopy(sorted, i, bounds, bound, 1);
        shares[bound] = (wanted(bound, total) - before) / equal;
      }
      before += equal;
    }
    return new Tuple2<>(bounds, shares);
  }

  /** How many elements should be before a bound. */
  private double wanted(int bound, double total) {
    return total * (bound + 1) / partitions;
  }

  private static boolean isEqual(Object chunk, int index, int other) {
    return ChunkType.get(chunk, index).equals(ChunkType.get(chunk, other));
  }

  /** Some elements of each chunk, and how many each stands for. */
  private Iterator<Tuple2<Object, Double>> samples(SplittableRandom random, Iterator<?> chunks) {
    List<Tuple2<Object, Double>> samples = new ArrayList<>();
    chunks.forEachRemaining(
        chunk -> {
          int length = ChunkType.length(chunk);
          int count = Math.min(length, SAMPLES);
          Object sample = type.allocate(count);
          for (int i = 0; i < count; i++) {
            int from = (int) ((long) length * i / count);
            int to = (int) ((long) length * (i + 1) / count);
            System.arraycopy(chunk, random.nextInt(from, to), sample, i, 1);
          }
          samples.add(new Tuple2<>(sample, (double) length / Math.max(count, 1)));
        });
    return samples.iterator();
  }

  /** The elements of pieces, sorted: one chunk, or none if there are none. */
  private Iterator<Object> joined(Iterator<Tuple2<Integer, Object>> pieces) {
    List<Object> parts = new ArrayList<>();
    pieces.forEachRemaining(piece -> parts.add(piece._2()));
    if (parts.isEmpty()) {
      return Collections.emptyIterator();
    }
    Object all = type.joined("partition " + TaskContext.getPartitionId(), parts);
    parts.clear();
    return List.of(type.sorted(TaskFunnel.get(), all)).iterator();
  }

  /** The pieces of a partition's chunks by the partitions that they go to. */
  private final class Pieces implements Iterator<Tuple2<Integer, Object>> {
    private final Object bounds;
    private final double[] shares;
    private final Iterator<?> chunks;
    private Object chunk = type.allocate(0);
    private int[] ends = new int[0];
    private int next;
    private int from;

    Pieces(Object bounds, double[] shares, Iterator<?> chunks) {
      this.bounds = bounds;
      this.shares = shares;
      this.chunks = chunks;
    }

    @Override
    public boolean hasNext() {
      while (true) {
        while (next < ends.length && ends[next] == from) {
          next++;
        }
        if (next < ends.length) {
          return true;
        }
        if (!chunks.hasNext()) {
          return false;
        }
        Funnel funnel = TaskFunnel.get();
        chunk = type.sorted(funnel, chunks.next());
        ends = ends(funnel);
        next = 0;
        from = 0;
      }
    }

    /** Where the chunk's pieces end. */
    private int[] ends(Funnel funnel) {
      Elements all = type.elements(chunk);
      Elements wanted = type.elements(bounds);
      int[] lower = funnel.run(SortedSearch.lowerBound(), all, wanted).ints("result");
      int[] upper = funnel.run(SortedSearch.upperBound(), all, wanted).ints("result");
      int[] ends = Arrays.copyOf(lower, lower.length + 1);
      ends[lower.length] = all.length();
      for (int i = 0; i < lower.length; i++) {
        ends[i] += (int) ((upper[i] - lower[i]) * shares[i]);
      }
      return ends;
    }

    @Override
    public Tuple2<Integer, Object> next() {
      if (!hasNext()) {
        throw new NoSuchElementException("no piece is left");
      }
      Object piece = type.part(chunk, from, ends[next]);
      from = ends[next];
      return new Tuple2<>(next++, piece);
    }
  }
}
