package funnel.spark;

import funnel.Elements;
import funnel.Results;
import funnel.operation.Operation;
import funnel.operation.Parts;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import scala.Tuple2;

/**
 * An operation over chunks that is done in {@linkplain Parts parts}, one for each chunk; an array
 * of objects has corresponding chunks of the inputs.
 *
 * <p>Tasks return parts of chunks, not of partitions, since results must not depend on the
 * partitions. If they cannot, tasks combine the parts of partitions, and then those of several
 * partitions, so that few reach the driver.
 */
final class ChunkParts<P extends Serializable> implements Serializable {

  private static final long serialVersionUID = 1;
  private static final String RESULT = Parts.OUTPUT;

  private final Parts<P> parts;
  private final ChunkType[] types;

  private ChunkParts(Parts<P> parts, ChunkType... types) {
    this.parts = parts;
    this.types = types;
  }

  static <P extends Serializable> ChunkParts<P> of(Parts<P> parts, ChunkType... types) {
    return new ChunkParts<>(parts, types);
  }

  static ChunkParts<?> of(Operation operation, ChunkType... types) {
    return of(
        operation
            .inParts(Arrays.stream(types).map(type -> type.element).toList())
            .orElseThrow(
                () -> new IllegalArgumentException("%s is not done in parts".formatted(operation))),
        types);
  }

  /** The part of chunks of equal length, one of each input. */
  P part(Object... chunks) {
    Elements[] inputs =
        IntStream.range(0, types.length)
            .mapToObj(i -> types[i].elements(chunks[i]))
            .toArray(Elements[]::new);
    Results results = TaskFunnel.get().run(parts.ofPiece(), inputs);
    int length = ChunkType.length(chunks[0]);
    return parts.of(
        new Parts.Piece(
            length,
            length == 0 ? null : ChunkType.get(chunks[0], 0),
            length == 0 ? null : ChunkType.get(chunks[0], length - 1),
            RESULT,
            results));
  }

  /** The part of the chunks together, at least one. */
  P combined(List<P> some) {
    return some.size() == 1 ? some.getFirst() : parts.combine(some, ChunkParts::call);
  }

  private static Parts.Outputs call(Operation operation, Object... arrays) {
    return TaskFunnel.get()
        .run(
            operation,
            Arrays.stream(arrays)
                .map(array -> ChunkType.of(array.getClass()).elements(array))
                .toArray(Elements[]::new));
  }

  Results run(JavaRDD<Object[]> chunks) {
    return Results.of(
        outputs(parts.isExact() ? few(chunks) : chunks.mapPartitions(this::parts).collect()));
  }

  /** The outputs, from the parts of all chunks that are not empty. */
  Map<String, Object> outputs(List<P> all) {
    P whole =
        all.isEmpty()
            ? part(Arrays.stream(types).map(type -> type.allocate(0)).toArray())
            : combined(all);
    Map<String, Object> outputs = new HashMap<>();
    parts.finish(whole, (suffix, output) -> outputs.put(RESULT + suffix, output));
    return outputs;
  }

  /** The parts of a partition's chunks that are not empty. */
  Iterator<P> parts(Iterator<Object[]> chunks) {
    List<P> all = new ArrayList<>();
    boolean isDone = false;
    while (chunks.hasNext() && !isDone) {
      Object[] each = chunks.next();
      if (ChunkType.length(each[0]) > 0) {
        all.add(part(each));
        isDone = parts.isDone(all);
        if (parts.isExact() && all.size() > 1) {
          P both = combined(all);
          all.clear();
          all.add(both);
        }
      }
    }
    return all.iterator();
  }

  /** The parts of all chunks, combined to one for each of some neighbouring partitions. */
  private List<P> few(JavaRDD<Object[]> chunks) {
    int partitions = Math.max(1, chunks.getNumPartitions());
    int together = (int) Math.ceil(Math.sqrt(partitions));
    JavaPairRDD<Integer, Tuple2<Integer, P>> ofPartitions =
        chunks
            .mapPartitionsWithIndex(
                (partition, each) -> {
                  List<Tuple2<Integer, Tuple2<Integer, P>>> one = new ArrayList<>();
                  parts(each)
                      .forEachRemaining(
                          part ->
                              one.add(
                                  new Tuple2<>(
                                      partition / together, new Tuple2<>(partition, part))));
                  return one.iterator();
                },
                false)
            .mapToPair(each -> each);
    return ofPartitions
        .partitionBy(new HashPartitioner(Math.ceilDiv(partitions, together)))
        .mapPartitions(
            each -> {
              List<Tuple2<Integer, P>> some = new ArrayList<>();
              each.forEachRemaining(part -> some.add(part._2()));
              some.sort(Comparator.comparing(Tuple2::_1));
              return some.isEmpty()
                  ? List.<P>of().iterator()
                  : List.of(combined(some.stream().map(Tuple2::_2).toList())).iterator();
            })
        .collect();
  }

  /** Corresponding chunks of several inputs. */
  static JavaRDD<Object[]> zipped(List<? extends JavaRDD<?>> inputs) {
    JavaRDD<Object[]> zipped = inputs.getFirst().map(chunk -> new Object[] {chunk});
    for (JavaRDD<?> input : inputs.subList(1, inputs.size())) {
      if (input.getNumPartitions() != inputs.getFirst().getNumPartitions()) {
        throw new IllegalArgumentException(
            "the first input is in %s partitions, but another in %s: cut inputs in the same way"
                .formatted(inputs.getFirst().getNumPartitions(), input.getNumPartitions()));
      }
      zipped = zipped.zipPartitions(input, ChunkParts::zipped);
    }
    return zipped;
  }

  private static Iterator<Object[]> zipped(Iterator<Object[]> rows, Iterator<?> column) {
    List<Object[]> zipped = new ArrayList<>();
    while (rows.hasNext() && column.hasNext()) {
      Object[] row = rows.next();
      Object chunk = column.next();
      if (ChunkType.length(row[0]) != ChunkType.length(chunk)) {
        throw new IllegalArgumentException(
            "chunk %s of the first input has %s elements, but that of input %s has %s: cut inputs in the same way"
                .formatted(
                    zipped.size(),
                    ChunkType.length(row[0]),
                    row.length + 1,
                    ChunkType.length(chunk)));
      }
      Object[] wider = Arrays.copyOf(row, row.length + 1);
      wider[row.length] = chunk;
      zipped.add(wider);
    }
    if (rows.hasNext() || column.hasNext()) {
      throw new IllegalArgumentException(
          "inputs have different numbers of chunks in a partition: one ends after %s"
              .formatted(zipped.size()));
    }
    return zipped.iterator();
  }
}
