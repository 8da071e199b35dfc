package funnel.spark;

import funnel.Elements;
import funnel.Funnel;
import funnel.Results;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * A scan of chunks, in two phases: a job finds the total of each chunk; the driver scans these,
 * which gives the start of each chunk; then tasks scan chunk by chunk when the result is computed.
 * Chunks are read twice, and their lengths are compared, since the starts would be wrong for other
 * chunks.
 */
final class ChunkScan implements Serializable {

  private static final long serialVersionUID = 1;
  private static final String RESULT = "result";

  private final Scan scan;
  private final ChunkType type;
  private final ChunkType result;
  private final @Nullable Reduction reduction; // to a chunk's total, if it has the scan's type

  ChunkScan(Scan scan, ChunkType type) {
    ElementType value = type == ChunkType.BYTES ? ElementType.INT : type.element;
    Operator operator = scan.operator();
    this.scan = scan;
    this.type = type;
    this.result = ChunkType.of(scan.resultType(type.element));
    this.reduction =
        value != result.element
            ? null
            : scan.map()
                .map(map -> Reduction.of(operator, map))
                .orElseGet(() -> Reduction.of(operator));
  }

  Chunks<?> run(JavaSparkContext spark, JavaRDD<?> rdd) {
    List<Tuple2<int[], Number[]>> partitions = rdd.mapPartitions(this::totals).collect();
    List<Number> totals = new ArrayList<>();
    partitions.forEach(partition -> totals.addAll(List.of(partition._2())));
    Operator operator = scan.operator();
    Number initial = scan.initial().orElseGet(() -> operator.identity(result.element));
    Results before =
        TaskFunnel.get()
            .run(Scan.exclusive(operator).from(initial), result.elements(result.of(totals)));
    Broadcast<Tuple2<int[][], Object>> known =
        spark.broadcast(
            new Tuple2<>(
                partitions.stream().map(Tuple2::_1).toArray(int[][]::new),
                result.read(before, RESULT)));
    return Chunks.of(
        rdd.mapPartitionsWithIndex(
            (partition, chunks) ->
                new Scanned(partition, known.value()._1(), known.value()._2(), chunks),
            false),
        result);
  }

  /** The lengths and totals of a partition's chunks. */
  Iterator<Tuple2<int[], Number[]>> totals(Iterator<?> chunks) {
    List<Integer> lengths = new ArrayList<>();
    List<Number> totals = new ArrayList<>();
    chunks.forEachRemaining(
        chunk -> {
          lengths.add(ChunkType.length(chunk));
          totals.add(total(TaskFunnel.get(), chunk));
        });
    return List.of(
            new Tuple2<>(
                lengths.stream().mapToInt(Integer::intValue).toArray(),
                totals.toArray(Number[]::new)))
        .iterator();
  }

  private Number total(Funnel funnel, Object chunk) {
    Number neutral = scan.operator().neutral(result.element);
    if (ChunkType.length(chunk) == 0) {
      return neutral;
    }
    Number total = reduction == null ? null : funnel.reduce(type.elements(chunk), reduction);
    boolean isSignOpen = // each reduction's sum starts from 0.0, but a scan does so only once
        total != null
            && total.equals(scan.operator().identity(result.element))
            && !total.equals(neutral);
    return total != null && !isSignOpen
        ? total
        : funnel.run(scan.from(neutral), type.elements(chunk)).get(RESULT + "_total");
  }

  /** The scanned chunks of a partition. */
  final class Scanned implements Iterator<Object> {
    private final int partition;
    private final int[] lengths;
    private final int first;
    private final Object before;
    private final Iterator<?> chunks;
    private int next;

    Scanned(int partition, int[][] lengths, Object before, Iterator<?> chunks) {
      this.partition = partition;
      this.lengths = lengths[partition];
      int chunksBefore = 0;
      for (int i = 0; i < partition; i++) {
        chunksBefore += lengths[i].length;
      }
      this.first = chunksBefore;
      this.before = before;
      this.chunks = chunks;
    }

    @Override
    public boolean hasNext() {
      if (!chunks.hasNext() && next < lengths.length) {
        throw changed("it ends");
      }
      return chunks.hasNext();
    }

    @Override
    public Object next() {
      Object chunk = chunks.next();
      int length = ChunkType.length(chunk);
      if (next == lengths.length || lengths[next] != length) {
        throw changed("one of %s elements comes".formatted(length));
      }
      Object scanned = result.allocate(length);
      Elements initial = result.elements(before, first + next, first + next + 1);
      var _ =
          TaskFunnel.get()
              .run(
                  scan.continuing(),
                  Map.of(RESULT, result.elements(scanned)),
                  type.elements(chunk),
                  initial);
      next++;
      return scanned;
    }

    private ChunksChangedException changed(String now) {
      return new ChunksChangedException(
          "%s of partition %s when it was read again, where before %s: persist or checkpoint chunks that may differ"
              .formatted(
                  now + " after %s chunks".formatted(next),
                  partition,
                  next < lengths.length
                      ? "came one of %s elements".formatted(lengths[next])
                      : "it ended"));
    }
  }
}
