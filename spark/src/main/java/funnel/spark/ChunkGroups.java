package funnel.spark;

import funnel.Elements;
import funnel.Results;
import funnel.group.Aggregate;
import funnel.group.GroupBy;
import funnel.transform.Gather;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.resource.ResourceProfile;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * Groups of chunks: each chunk's rows are grouped separately; its groups are sent to the partitions
 * of their keys; there the parts of a group are combined in the order of the chunks, in whatever
 * order they arrive.
 *
 * <p>An array of objects is a chunk's columns: the keys first, then columns or aggregates.
 */
final class ChunkGroups implements Serializable {

  private static final long serialVersionUID = 1;

  private final ChunkType[] rows;
  private final ChunkType[] parts; // of the groups of a chunk
  private final ChunkType[] groups;
  private final Aggregate[] aggregates;
  private final Aggregate[] ofParts;
  private final int partitions;

  ChunkGroups(List<Chunks<?>> rows, int partitions, Aggregate... aggregates) {
    this.rows = rows.stream().map(column -> column.type).toArray(ChunkType[]::new);
    this.partitions = partitions;
    this.aggregates = aggregates.clone();
    this.ofParts =
        IntStream.range(0, aggregates.length)
            .mapToObj(i -> ofParts(aggregates[i], i + 1))
            .toArray(Aggregate[]::new);
    // a run without rows refuses unsuitable aggregates, and shows the aggregates' types
    this.parts = types(grouped(this.rows, none(this.rows), aggregates));
    this.groups = types(grouped(parts, none(parts), ofParts));
  }

  private static Object[] none(ChunkType... types) {
    return Stream.of(types).map(type -> type.allocate(0)).toArray();
  }

  private static ChunkType[] types(Object... columns) {
    return Stream.of(columns)
        .map(column -> ChunkType.of(column.getClass()))
        .toArray(ChunkType[]::new);
  }

  private static Aggregate ofParts(Aggregate aggregate, int column) {
    return aggregate
        .ofParts(column)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "%s cannot be combined from chunks: for a mean, ask for sum and count"
                        .formatted(aggregate)));
  }

  /** The groups of rows: keys, then aggregates. */
  private static Object[] grouped(ChunkType[] types, Object[] rows, Aggregate... aggregates) {
    Elements[] inputs =
        IntStream.range(0, rows.length)
            .mapToObj(i -> types[i].elements(rows[i]))
            .toArray(Elements[]::new);
    Results results = TaskFunnel.get().run(GroupBy.of(aggregates), inputs);
    return IntStream.rangeClosed(0, aggregates.length)
        .mapToObj(i -> i == 0 ? "result" : "result_" + i)
        .map(name -> ChunkType.of(results.type(name)).read(results, name))
        .toArray();
  }

  Groups run(List<JavaRDD<?>> columns, @Nullable ResourceProfile profile) {
    JavaRDD<Object[]> zipped = columns.getFirst().map(chunk -> new Object[] {chunk});
    for (JavaRDD<?> column : columns.subList(1, columns.size())) {
      zipped = zipped.zipPartitions(column, ChunkGroups::zipped);
    }
    JavaRDD<Object[]> all =
        zipped
            .mapPartitionsWithIndex(this::pieces, false)
            .mapToPair(piece -> piece)
            .partitionBy(new HashPartitioner(partitions)) // of an int from 0 on: that partition
            .mapPartitions(this::combined, true);
    return new Groups(profile == null ? all : all.withResources(profile), groups);
  }

  private static Iterator<Object[]> zipped(Iterator<Object[]> rows, Iterator<?> column) {
    List<Object[]> zipped = new ArrayList<>();
    while (rows.hasNext() && column.hasNext()) {
      Object[] row = rows.next();
      Object chunk = column.next();
      if (ChunkType.length(row[0]) != ChunkType.length(chunk)) {
        throw new IllegalArgumentException(
            "chunk %s of keys has %s elements, but that of column %s has %s: cut columns in the same way"
                .formatted(
                    zipped.size(), ChunkType.length(row[0]), row.length, ChunkType.length(chunk)));
      }
      Object[] wider = Arrays.copyOf(row, row.length + 1);
      wider[row.length] = chunk;
      zipped.add(wider);
    }
    if (rows.hasNext() || column.hasNext()) {
      throw new IllegalArgumentException(
          "keys and a column have different numbers of chunks in a partition: one ends after %s"
              .formatted(zipped.size()));
    }
    return zipped.iterator();
  }

  /** The groups of a partition's chunks by their target partitions, with the chunk's place. */
  private Iterator<Tuple2<Integer, Tuple2<Long, Object[]>>> pieces(
      int partition, Iterator<Object[]> chunks) {
    List<Tuple2<Integer, Tuple2<Long, Object[]>>> pieces = new ArrayList<>();
    for (long place = (long) partition << 32; chunks.hasNext(); place++) {
      Object[] grouped = grouped(rows, chunks.next(), aggregates);
      int[] ends = new int[partitions];
      int[] order = dealt(grouped[0], ends);
      Object[] dealt = new Object[grouped.length];
      for (int i = 0; i < dealt.length; i++) {
        Results gathered =
            TaskFunnel.get().run(Gather.at(), parts[i].elements(grouped[i]), Elements.of(order));
        dealt[i] = parts[i].read(gathered, "result");
      }
      for (int to = 0, from = 0; to < partitions; from = ends[to++]) {
        if (ends[to] > from) {
          Object[] piece = new Object[dealt.length];
          for (int i = 0; i < piece.length; i++) {
            piece[i] = parts[i].part(dealt[i], from, ends[to]);
          }
          pieces.add(new Tuple2<>(to, new Tuple2<>(place, piece)));
        }
      }
    }
    return pieces.iterator();
  }

  /**
   * The indices of keys by their target partitions; {@code ends} is set to where each partition
   * ends.
   */
  private int[] dealt(Object keys, int[] ends) {
    int length = ChunkType.length(keys);
    int[] to = new int[length];
    for (int i = 0; i < length; i++) {
      long key = keys instanceof int[] ints ? ints[i] : ((long[]) keys)[i];
      // Fibonacci hashing: the high bits depend on all others
      to[i] = (int) ((key * 0x9E3779B97F4A7C15L >>> 33) * partitions >>> 31);
      ends[to[i]]++;
    }
    for (int p = 1; p < partitions; p++) {
      ends[p] += ends[p - 1];
    }
    int[] order = new int[length];
    int[] next = ends.clone();
    for (int i = length - 1; i >= 0; i--) {
      order[--next[to[i]]] = i;
    }
    return order;
  }

  private Iterator<Object[]> combined(Iterator<Tuple2<Integer, Tuple2<Long, Object[]>>> pieces) {
    List<Tuple2<Long, Object[]>> all = new ArrayList<>();
    pieces.forEachRemaining(piece -> all.add(piece._2()));
    if (all.isEmpty()) {
      return Collections.emptyIterator();
    }
    all.sort(Comparator.comparing(Tuple2::_1));
    Object[] joined = new Object[groups.length];
    for (int i = 0; i < joined.length; i++) {
      int column = i;
      joined[i] =
          parts[i].joined(
              "a partition of groups", all.stream().map(part -> part._2()[column]).toList());
    }
    return List.<Object[]>of(grouped(parts, joined, ofParts)).iterator();
  }
}
