package funnel;

import funnel.group.Aggregate;
import funnel.group.GroupBy;
import funnel.io.Source;
import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/** Rows of sources by groups. */
final class StreamGroups {

  /* The groups so far and those of the next piece are rows again, in this order, with what their
   * parts came to in columns: these are grouped on the JVM, sums and counts by sums, anything else by
   * what it is. A mean is a sum and a count until the end. So rows of a group are combined in their
   * order, and what is held is as long as there are groups.
   */

  private static final String OUTPUT = "groups";

  private final PieceRuns runs;
  private final GroupBy ofPieces;
  private final GroupBy ofGroups;
  private List<Elements> held = List.of();

  private StreamGroups(PieceRuns runs, List<Aggregate> parts) {
    this.runs = runs;
    List<Aggregate> combined = new ArrayList<>();
    for (Aggregate part : parts) {
      int column = combined.size() + 1;
      combined.add(part.equals(Aggregate.count()) ? Aggregate.sum(column) : part.on(column));
    }
    this.ofPieces = GroupBy.of(parts.toArray(Aggregate[]::new));
    this.ofGroups = GroupBy.of(combined.toArray(Aggregate[]::new));
  }

  static Results run(PieceRuns runs, Source keys, GroupBy wanted, List<Source> columns)
      throws IOException {
    if (wanted.arraysOfKeys() != 1 || wanted.isOfRuns()) {
      throw new IllegalArgumentException(
          "sources are grouped by one source of keys, in any order: not by %s".formatted(wanted));
    }
    List<List<Aggregate>> parts =
        wanted.aggregates().stream().map(aggregate -> parts(aggregate, columns)).toList();
    SequencedMap<String, Source> sources = new LinkedHashMap<>();
    sources.put("keys", keys);
    for (Source column : columns) {
      sources.put("column" + sources.size(), column);
    }
    StreamGroups groups = new StreamGroups(runs, parts.stream().flatMap(List::stream).toList());
    String[] inputs = sources.keySet().toArray(String[]::new);
    runs.forEach(
        sources,
        plan -> plan.add(OUTPUT, groups.ofPieces, inputs),
        (plan, piece) -> groups.read(plan.run()),
        (piece, next) -> groups.add(next));
    Map<String, Elements> arrays = new HashMap<>();
    arrays.put("result", groups.held.getFirst());
    int at = 1;
    for (List<Aggregate> part : parts) {
      Elements found = groups.held.get(at);
      arrays.put(
          "result_" + arrays.size(),
          part.size() == 1 ? found : quotients(found, groups.held.get(at + 1)));
      at += part.size();
    }
    return Results.of(Map.of(), arrays);
  }

  /** What an aggregate is of parts. */
  private static List<Aggregate> parts(Aggregate aggregate, List<Source> columns) {
    int column = aggregate.column();
    if (column > columns.size()) {
      throw new IllegalArgumentException(
          "%s, and there are columns=%d".formatted(aggregate, columns.size()));
    }
    for (Aggregate none :
        column == 0
            ? List.<Aggregate>of()
            : List.of(
                Aggregate.variance(column),
                Aggregate.sampleVariance(column),
                Aggregate.argMin(column),
                Aggregate.argMax(column))) {
      if (aggregate.equals(none)) {
        throw new IllegalArgumentException(
            "%s is not computed of parts: over sources there are counts, sums, means, first and"
                    .formatted(aggregate)
                + " last ones, and what an operator combines");
      }
    }
    if (column == 0 || !aggregate.equals(Aggregate.mean(column))) {
      return List.of(aggregate);
    }
    ElementType type = columns.get(column - 1).type();
    boolean isExact = type == ElementType.BYTE || type == ElementType.INT;
    return List.of(
        isExact ? Aggregate.sum(column) : Aggregate.sumAsDouble(column), Aggregate.count());
  }

  private List<Elements> read(Results results) {
    List<Elements> all = new ArrayList<>(List.of(results.elements(OUTPUT)));
    for (int k = 1; k <= ofPieces.aggregates().size(); k++) {
      Elements array = results.elements(OUTPUT + "_" + k);
      boolean isCount = ofPieces.aggregates().get(k - 1).equals(Aggregate.count());
      all.add(isCount && array.type() == ElementType.INT ? widened(array) : array);
    }
    return all;
  }

  private static Elements widened(Elements ints) {
    int[] array = (int[]) ints.segment().heapBase().orElseThrow();
    return Elements.of(Arrays.stream(array).asLongStream().toArray());
  }

  private void add(List<Elements> next) {
    if (held.isEmpty()) {
      held = next;
      return;
    }
    SequencedMap<String, Elements> both = new LinkedHashMap<>();
    for (int k = 0; k < next.size(); k++) {
      both.put("part" + k, joined(held.get(k), next.get(k)));
    }
    String[] inputs = both.keySet().toArray(String[]::new);
    held = runs.onJvm(both, plan -> plan.add(OUTPUT, ofGroups, inputs), Map.of(), this::read);
  }

  private static Elements joined(Elements one, Elements other) {
    int before = one.length();
    Elements both = Elements.allocate(one.type(), Math.addExact(before, other.length()));
    MemorySegment.copy(one.segment(), 0, both.segment(), 0, one.segment().byteSize());
    both.range(before, both.length()).segment().copyFrom(other.segment());
    return both;
  }

  private static Elements quotients(Elements sums, Elements counts) {
    long[] of = (long[]) counts.segment().heapBase().orElseThrow();
    double[] means = new double[of.length];
    if (sums.type() == ElementType.LONG) {
      long[] exact = (long[]) sums.segment().heapBase().orElseThrow();
      Arrays.setAll(means, i -> exact[i] / (double) of[i]);
    } else {
      double[] rounded = (double[]) sums.segment().heapBase().orElseThrow();
      Arrays.setAll(means, i -> rounded[i] / of[i]);
    }
    return Elements.of(means);
  }
}
