package funnel.spark;

import funnel.Elements;
import funnel.Results;
import funnel.group.Aggregate;
import funnel.group.GroupBy;
import funnel.group.GroupParts;
import funnel.transform.Gather;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
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
 */
final class ChunkGroups implements Serializable {

  private static final long serialVersionUID = 1;

  private final ChunkParts<GroupParts.Groups> chunks;
  private final GroupParts parts;
  private final ChunkType[] groups;
  private final boolean havePositions;
  private final int keys;
  private final int partitions;

  /**
   * The groups of rows.
   *
   * @param types those of the keys, then of the columns
   * @param keys how many of them are keys
   */
  ChunkGroups(ChunkType[] types, int keys, int partitions, Aggregate... aggregates) {
    this.keys = keys;
    this.partitions = partitions;
    this.parts =
        new GroupParts(
            GroupBy.of(aggregates).keys(keys), Stream.of(types).map(type -> type.element).toList());
    this.havePositions = Stream.of(aggregates).anyMatch(Aggregate::isPosition);
    this.chunks = ChunkParts.of(parts, types);
    // a run without rows rejects unsuitable aggregates, and shows the aggregates' types
    Object[] none = Stream.of(types).map(type -> type.allocate(0)).toArray();
    this.groups =
        Stream.of(finished(chunks.part(none)))
            .map(column -> ChunkType.of(column.getClass()))
            .toArray(ChunkType[]::new);
  }

  private Object[] finished(GroupParts.Groups all) {
    List<Object> columns = new ArrayList<>(); // of keys, and the aggregates
    parts.finish(all, (name, column) -> columns.add(column));
    return columns.toArray();
  }

  Groups run(JavaRDD<Object[]> rows, @Nullable ResourceProfile profile) {
    JavaRDD<Object[]> all =
        rows.mapPartitionsWithIndex(this::pieces, false)
            .mapToPair(piece -> piece)
            .partitionBy(new HashPartitioner(partitions)) // of an int from 0 on: that partition
            .mapPartitions(this::combined, true);
    return new Groups(profile == null ? all : all.withResources(profile), groups);
  }

  /** The groups of a partition's chunks by their target partitions, with the chunk's place. */
  private Iterator<Tuple2<Integer, Tuple2<Long, GroupParts.Groups>>> pieces(
      int partition, Iterator<Object[]> rows) {
    List<Tuple2<Integer, Tuple2<Long, GroupParts.Groups>>> pieces = new ArrayList<>();
    for (long place = (long) partition << 32; rows.hasNext(); place++) {
      GroupParts.Groups part = chunks.part(rows.next());
      int[] ends = new int[partitions];
      int[] order = dealt(part.columns(), ends);
      List<Object> dealt = new ArrayList<>();
      for (Object column : part.columns()) {
        ChunkType type = ChunkType.of(column.getClass());
        Results gathered =
            TaskFunnel.get().run(Gather.at(), type.elements(column), Elements.of(order));
        dealt.add(gathered.array("result"));
      }
      for (int to = 0, from = 0; to < partitions; from = ends[to++]) {
        if (ends[to] > from || havePositions) { // which count the rows of all chunks
          List<Object> piece = new ArrayList<>();
          for (Object column : dealt) {
            piece.add(ChunkType.of(column.getClass()).part(column, from, ends[to]));
          }
          pieces.add(
              new Tuple2<>(to, new Tuple2<>(place, new GroupParts.Groups(part.rows(), piece))));
        }
      }
    }
    return pieces.iterator();
  }

  /**
   * The indices of keys by their target partitions; {@code ends} is set to where each partition
   * ends.
   */
  private int[] dealt(List<Object> columns, int[] ends) {
    int length = ChunkType.length(columns.getFirst());
    int[] to = new int[length];
    for (int i = 0; i < length; i++) {
      long hash = 0;
      for (int k = 0; k < keys; k++) {
        long key = columns.get(k) instanceof int[] ints ? ints[i] : ((long[]) columns.get(k))[i];
        // Fibonacci hashing: the high bits depend on all others
        hash = ((hash >>> 32) + key) * 0x9E3779B97F4A7C15L;
      }
      to[i] = (int) ((hash >>> 33) * partitions >>> 31);
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

  private Iterator<Object[]> combined(
      Iterator<Tuple2<Integer, Tuple2<Long, GroupParts.Groups>>> pieces) {
    List<Tuple2<Long, GroupParts.Groups>> all = new ArrayList<>();
    pieces.forEachRemaining(piece -> all.add(piece._2()));
    if (all.isEmpty()) {
      return Collections.emptyIterator();
    }
    all.sort(Comparator.comparing(Tuple2::_1));
    return List.<Object[]>of(finished(chunks.combined(all.stream().map(Tuple2::_2).toList())))
        .iterator();
  }
}
