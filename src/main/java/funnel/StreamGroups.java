package funnel;

import funnel.group.Aggregate;
import funnel.group.GroupBy;
import funnel.io.Source;
import funnel.operator.ElementType;
import funnel.reduce.Moments;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.IntConsumer;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/** Groups the rows of sources. */
final class StreamGroups {

  /* The groups of the pieces before and those of the next piece are again rows, in this order, with
   * their partial results in columns. These rows are grouped on the JVM: sums and counts by sums,
   * any other aggregate by itself. So the rows of a group are combined in their order, and memory
   * is proportional to the number of groups. Aggregates that cannot be combined this way have
   * several parts:
   *
   *   a mean               a sum and a count
   *   where the least is   the least, and where it is: that of the row which has the least again
   *   a variance           its moments: a count, the first element, the mean's distance from it and
   *                        the sum of squared distances from the mean, which follow from those of
   *                        the group's one or two rows
   *
   * A source of one piece is computed as an array.
   */

  private static final String OUTPUT = "groups";

  private final PieceRuns runs;
  private final int keys;
  private final List<Aggregate> parts;
  private final boolean isWhole;
  private final GroupBy ofGroups;
  private List<Elements> held = List.of();

  private StreamGroups(PieceRuns runs, int keys, List<Aggregate> parts, boolean isWhole) {
    this.runs = runs;
    this.keys = keys;
    this.parts = parts;
    this.isWhole = isWhole;
    this.ofGroups = isWhole ? GroupBy.of() : ofGroups(keys, parts);
  }

  private static GroupBy ofGroups(int keys, List<Aggregate> parts) {
    List<Aggregate> combined = new ArrayList<>();
    for (Aggregate part : parts) {
      int column = combined.size() + 1;
      combined.add(
          part.equals(Aggregate.count())
              ? Aggregate.sum(column)
              : part.isPosition()
                  ? part.on(column - 1)
                  : isOfSeveral(part) ? Aggregate.first(column) : part.on(column));
    }
    combined.add(Aggregate.first(parts.size() + 1)); // the group's first row, and its last one
    combined.add(Aggregate.last(parts.size() + 1));
    return GroupBy.of(combined.toArray(Aggregate[]::new)).keys(keys);
  }

  static Results run(PieceRuns runs, Source source, GroupBy wanted, List<Source> others)
      throws IOException {
    int keys = wanted.arraysOfKeys();
    if (wanted.isOfRuns() || others.size() < keys - 1) {
      throw new IllegalArgumentException(
          "sources are grouped by sources of keys, in any order, of which there are %s: not by %s"
              .formatted(1 + others.size(), wanted));
    }
    List<Source> columns = others.subList(keys - 1, others.size());
    boolean isWhole = runs.isOnePiece(source);
    List<List<Aggregate>> parts = new ArrayList<>();
    for (Aggregate aggregate : wanted.aggregates()) {
      if (aggregate.column() > columns.size()) {
        throw new IllegalArgumentException(
            "%s, and there are columns=%s".formatted(aggregate, columns.size()));
      }
      parts.add(isWhole ? List.of(aggregate) : parts(aggregate, columns));
    }
    SequencedMap<String, Source> sources = new LinkedHashMap<>();
    sources.put("keys", source);
    for (Source other : others) {
      sources.put("column" + sources.size(), other);
    }
    StreamGroups groups =
        new StreamGroups(runs, keys, parts.stream().flatMap(List::stream).toList(), isWhole);
    GroupBy ofPieces = GroupBy.of(groups.parts.toArray(Aggregate[]::new)).keys(keys);
    String[] inputs = sources.keySet().toArray(String[]::new);
    runs.forEach(
        sources,
        plan -> plan.add(OUTPUT, ofPieces, inputs),
        (plan, piece) -> groups.read(plan.run(), (part, at) -> piece.from() + at),
        (piece, next) -> groups.add(next));
    Map<String, Elements> arrays = new HashMap<>();
    for (int k = 0; k < keys; k++) {
      arrays.put("result" + key(k), groups.held.get(k));
    }
    int at = keys;
    for (int k = 0; k < parts.size(); k++) {
      int end = at + parts.get(k).size();
      arrays.put(
          "result_" + (k + 1), whole(wanted.aggregates().get(k), groups.held.subList(at, end)));
      at = end;
    }
    return Results.of(Map.of(), arrays);
  }

  private static String key(int number) {
    return number == 0 ? "" : "_key_" + (number + 1);
  }

  private static boolean isOfSeveral(Aggregate aggregate) {
    int column = aggregate.column();
    return column > 0
        && List.of(
                Aggregate.mean(column),
                Aggregate.meanFromFirst(column),
                Aggregate.variance(column),
                Aggregate.sampleVariance(column))
            .contains(aggregate);
  }

  /** The parts that an aggregate consists of. */
  private static List<Aggregate> parts(Aggregate aggregate, List<Source> columns) {
    int column = aggregate.column();
    if (aggregate.isPosition()) {
      boolean isMin = aggregate.equals(Aggregate.argMin(column));
      return List.of(isMin ? Aggregate.min(column) : Aggregate.max(column), aggregate);
    }
    if (!isOfSeveral(aggregate)) {
      return List.of(aggregate);
    }
    if (!aggregate.equals(Aggregate.mean(column))) {
      return List.of(
          Aggregate.count(),
          Aggregate.first(column),
          Aggregate.meanFromFirst(column),
          Aggregate.variance(column));
    }
    ElementType type = columns.get(column - 1).type();
    boolean isExact = type == ElementType.BYTE || type == ElementType.INT;
    return List.of(
        isExact ? Aggregate.sum(column) : Aggregate.sumAsDouble(column), Aggregate.count());
  }

  /** An aggregate computed from its parts. */
  private static Elements whole(Aggregate aggregate, List<Elements> parts) {
    if (parts.size() == 1 || aggregate.isPosition()) {
      return parts.getLast();
    }
    if (parts.size() == 2) {
      return quotients(parts.getFirst(), longs(parts.getLast()));
    }
    if (aggregate.equals(Aggregate.meanFromFirst(aggregate.column()))) {
      return parts.get(2);
    }
    long[] counts = longs(parts.getFirst());
    int fewer = aggregate.equals(Aggregate.sampleVariance(aggregate.column())) ? 1 : 0;
    double[] squares = doubles(parts.getLast());
    double[] variances = new double[counts.length];
    Arrays.setAll(variances, g -> squares[g] / (counts[g] - fewer));
    return Elements.of(variances);
  }

  /** Maps a row of the grouped input to its row in the sources. */
  private interface Rows {
    long row(int part, int at);
  }

  private List<Elements> read(Results results, Rows rows) {
    List<Elements> all = new ArrayList<>();
    for (int k = 0; k < keys; k++) {
      all.add(results.elements(OUTPUT + key(k)));
    }
    for (int k = 0; k < parts.size(); k++) {
      int part = keys + k;
      Elements array = results.elements("%s_%s".formatted(OUTPUT, k + 1));
      if (parts.get(k).isPosition()) {
        array = widened(array, at -> rows.row(part, at));
      } else if (parts.get(k).equals(Aggregate.count()) && array.type() == ElementType.INT) {
        array = widened(array, count -> count);
      }
      all.add(array);
    }
    return all;
  }

  private static Elements widened(Elements array, IntToLongFunction function) {
    int[] ints = (int[]) array.segment().heapBase().orElseThrow();
    return Elements.of(Arrays.stream(ints).mapToLong(function).toArray());
  }

  private void add(List<Elements> next) {
    forEachVariance(
        part -> {
          long[] counts = longs(next.get(part - 3));
          double[] squares = doubles(next.get(part));
          Arrays.setAll(squares, g -> squares[g] * counts[g]);
        });
    if (held.isEmpty()) {
      held = next;
      return;
    }
    List<Elements> both = new ArrayList<>();
    SequencedMap<String, Elements> inputs = new LinkedHashMap<>();
    for (int k = 0; k < next.size(); k++) {
      both.add(joined(held.get(k), next.get(k)));
      inputs.put("part" + k, both.getLast());
    }
    int[] numbers = IntStream.range(0, both.getFirst().length()).toArray();
    inputs.put("rows", Elements.of(numbers));
    String[] names = inputs.keySet().toArray(String[]::new);
    held =
        runs.onJvm(
            inputs,
            plan -> plan.add(OUTPUT, ofGroups, names),
            Map.of(),
            results -> {
              List<Elements> all = read(results, (part, at) -> longs(both.get(part))[at]);
              int[] first = results.ints("%s_%s".formatted(OUTPUT, parts.size() + 1));
              int[] last = results.ints("%s_%s".formatted(OUTPUT, parts.size() + 2));
              forEachVariance(part -> combine(both, part, first, last, all));
              return all;
            });
  }

  private void forEachVariance(IntConsumer ofPart) {
    for (int k = 3; !isWhole && k < parts.size(); k++) {
      int column = parts.get(k).column();
      if (column > 0
          && parts.get(k - 1).equals(Aggregate.meanFromFirst(column))
          && parts.get(k).equals(Aggregate.variance(column))) {
        ofPart.accept(keys + k);
      }
    }
  }

  private static void combine(
      List<Elements> rows, int part, int[] first, int[] last, List<Elements> groups) {
    double[] means = doubles(groups.get(part - 1));
    double[] squares = doubles(groups.get(part));
    for (int g = 0; g < first.length; g++) {
      if (first[g] != last[g]) {
        Moments all = moments(rows, part, first[g]).and(moments(rows, part, last[g]));
        means[g] = all.mean();
        squares[g] = all.squares();
      }
    }
  }

  private static Moments moments(List<Elements> rows, int part, int row) {
    Elements firsts = rows.get(part - 2);
    return new Moments(
        longs(rows.get(part - 3))[row],
        PieceRuns.element(firsts.segment(), firsts.type(), row),
        doubles(rows.get(part - 1))[row],
        doubles(rows.get(part))[row]);
  }

  private static long[] longs(Elements array) {
    return (long[]) array.segment().heapBase().orElseThrow();
  }

  private static double[] doubles(Elements array) {
    return (double[]) array.segment().heapBase().orElseThrow();
  }

  private static Elements joined(Elements one, Elements other) {
    int before = one.length();
    Elements both = Elements.allocate(one.type(), Math.addExact(before, other.length()));
    MemorySegment.copy(one.segment(), 0, both.segment(), 0, one.segment().byteSize());
    both.range(before, both.length()).segment().copyFrom(other.segment());
    return both;
  }

  private static Elements quotients(Elements sums, long[] of) {
    double[] means = new double[of.length];
    if (sums.type() == ElementType.LONG) {
      long[] exact = longs(sums);
      Arrays.setAll(means, i -> exact[i] / (double) of[i]);
    } else {
      double[] rounded = doubles(sums);
      Arrays.setAll(means, i -> rounded[i] / of[i]);
    }
    return Elements.of(means);
  }
}
