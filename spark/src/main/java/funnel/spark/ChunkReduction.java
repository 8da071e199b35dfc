package funnel.spark;

import funnel.Elements;
import funnel.Funnel;
import funnel.Results;
import funnel.reduce.Moments;
import funnel.reduce.Reduction;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.apache.spark.api.java.JavaRDD;

/**
 * A reduction of chunks: reduces each chunk, and then the chunks' values.
 *
 * <p>Tasks return values of chunks, never of partitions, since results must not depend on the
 * partitions. Values are sent as arrays of numbers, which every serializer of Spark supports.
 */
abstract class ChunkReduction implements Serializable {

  private static final long serialVersionUID = 1;
  private static final String RESULT = "result";

  final Reduction reduction;
  final ChunkType type;

  private ChunkReduction(Reduction reduction, ChunkType type) {
    this.reduction = reduction;
    this.type = type;
  }

  static ChunkReduction of(Reduction reduction, ChunkType type) {
    Optional<Reduction> ofParts = reduction.ofParts();
    if (ofParts.isPresent()) {
      return new OfParts(reduction, type, ofParts.get());
    }
    return reduction.equals(Reduction.argMin()) || reduction.equals(Reduction.argMax())
        ? new Place(reduction, type)
        : new OfMoments(reduction, type);
  }

  /** The values of a chunk, which is not empty; the first is its number of elements. */
  abstract Number[] values(Funnel funnel, Object chunk);

  /** The result from the chunks' values, of at least one chunk. */
  abstract Number total(Funnel funnel, List<Number[]> chunks);

  final Number run(JavaRDD<?> rdd) {
    List<Number[]> values = rdd.mapPartitions(this::values).collect();
    return values.isEmpty()
        ? TaskFunnel.get().reduce(type.elements(type.allocate(0)), reduction)
        : total(TaskFunnel.get(), values);
  }

  /** The values of the chunks of a partition. */
  final Iterator<Number[]> values(Iterator<?> chunks) {
    List<Number[]> values = new ArrayList<>();
    chunks.forEachRemaining(
        chunk -> {
          if (ChunkType.length(chunk) > 0) {
            values.add(values(TaskFunnel.get(), chunk));
          }
        });
    return values.iterator();
  }

  private static List<Number> column(List<Number[]> chunks, int index) {
    return chunks.stream().map(values -> values[index]).toList();
  }

  /** Reductions whose values of chunks are combined by another reduction. */
  private static final class OfParts extends ChunkReduction {
    private static final long serialVersionUID = 1;
    private final Reduction ofParts;

    OfParts(Reduction reduction, ChunkType type, Reduction ofParts) {
      super(reduction, type);
      this.ofParts = ofParts;
    }

    @Override
    Number[] values(Funnel funnel, Object chunk) {
      return new Number[] {ChunkType.length(chunk), funnel.reduce(type.elements(chunk), reduction)};
    }

    @Override
    Number total(Funnel funnel, List<Number[]> chunks) {
      ChunkType result = ChunkType.of(reduction.resultType(type.element));
      return funnel.reduce(result.elements(result.of(column(chunks, 1))), ofParts);
    }
  }

  /**
   * The first position of the least or largest element: its position in the first chunk that has
   * it.
   */
  private static final class Place extends ChunkReduction {
    private static final long serialVersionUID = 1;

    Place(Reduction reduction, ChunkType type) {
      super(reduction, type);
    }

    @Override
    Number[] values(Funnel funnel, Object chunk) {
      Results results = funnel.run(reduction, type.elements(chunk));
      return new Number[] {
        ChunkType.length(chunk), results.get(RESULT), results.get(RESULT + "_value")
      };
    }

    @Override
    Number total(Funnel funnel, List<Number[]> chunks) {
      int first = funnel.reduce(type.elements(type.of(column(chunks, 2))), reduction).intValue();
      long before = chunks.subList(0, first).stream().mapToLong(c -> c[0].longValue()).sum();
      return before + chunks.get(first)[1].longValue();
    }
  }

  /** The mean, and what follows from moments. */
  private static final class OfMoments extends ChunkReduction {
    private static final long serialVersionUID = 1;

    OfMoments(Reduction reduction, ChunkType type) {
      super(reduction, type);
    }

    @Override
    Number[] values(Funnel funnel, Object chunk) {
      Elements elements = type.elements(chunk);
      int length = ChunkType.length(chunk);
      return reduction.equals(Reduction.mean())
          ? new Number[] {length, funnel.reduce(elements, Reduction.sumAsDouble())}
          : new Number[] {
            length,
            ChunkType.get(chunk, 0),
            funnel.reduce(elements, Reduction.meanFromFirst()),
            funnel.reduce(elements, Reduction.variance())
          };
    }

    private static Moments moments(Number[] chunk) {
      long length = chunk[0].longValue();
      return new Moments(length, chunk[1], chunk[2].doubleValue(), chunk[3].doubleValue() * length);
    }

    @Override
    Number total(Funnel funnel, List<Number[]> chunks) {
      if (reduction.equals(Reduction.mean())) {
        double count = chunks.stream().mapToLong(chunk -> chunk[0].longValue()).sum();
        Elements sums = ChunkType.DOUBLES.elements(ChunkType.DOUBLES.of(column(chunks, 1)));
        return funnel.reduce(sums, Reduction.sum()).doubleValue() / count;
      }
      Moments all = chunks.stream().map(OfMoments::moments).reduce(Moments::and).orElseThrow();
      if (reduction.equals(Reduction.meanFromFirst())) {
        return all.mean();
      }
      return reduction.equals(Reduction.variance()) ? all.variance() : all.sampleVariance();
    }
  }
}
