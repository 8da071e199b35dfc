package funnel.chain;

import static funnel.chain.Links.putPositions;
import static funnel.chain.Links.step;

import funnel.Exact;
import funnel.Numbers;
import funnel.chain.Chain.Array;
import funnel.chain.Chain.Made;
import funnel.group.Aggregate;
import funnel.group.GroupBy;
import funnel.operator.ElementType;
import funnel.reduce.Reduction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Links with sums, means and variances as doubles, which are compared with the exact ones, by the
 * bounds that the documents state. Later operations take only the exact outputs.
 */
final class GroupLinks {

  private static final Aggregate[] AGGREGATES = {
    Aggregate.first(1),
    Aggregate.count(),
    Aggregate.argMax(1),
    Aggregate.sumAsDouble(1),
    Aggregate.mean(1),
    Aggregate.variance(1),
    Aggregate.sampleVariance(1)
  };

  private GroupLinks() {}

  private static List<List<Integer>> groups(Number[] keys, boolean areRuns) {
    if (!areRuns) {
      Map<Long, List<Integer>> groups = new TreeMap<>();
      for (int i = 0; i < keys.length; i++) {
        groups.computeIfAbsent(keys[i].longValue(), _ -> new ArrayList<>()).add(i);
      }
      return List.copyOf(groups.values());
    }
    List<List<Integer>> groups = new ArrayList<>();
    for (int i = 0; i < keys.length; i++) {
      if (i == 0 || keys[i].longValue() != keys[i - 1].longValue()) {
        groups.add(new ArrayList<>());
      }
      groups.getLast().add(i);
    }
    return groups;
  }

  private static int argMax(Number[] values, List<Integer> group) {
    int best = group.getFirst();
    for (int i : group) {
      best =
          values[i] instanceof Float || values[i] instanceof Double
              ? Double.compare(values[i].doubleValue(), values[best].doubleValue()) > 0 ? i : best
              : values[i].longValue() > values[best].longValue() ? i : best;
    }
    return best;
  }

  private static int[] of(
      List<List<Integer>> groups, java.util.function.ToIntFunction<List<Integer>> value) {
    return groups.stream().mapToInt(value).toArray();
  }

  static void groups(Chain chain, String name, Array x) {
    if (x.type() != ElementType.INT && x.type() != ElementType.LONG) {
      return;
    }
    boolean areRuns = chain.random.nextInt(3) == 0;
    List<Array> beside = chain.beside(x);
    Array column = beside.get(chain.random.nextInt(beside.size()));
    int rows = chain.newRows();
    Array keys = chain.make(name, x.type(), rows, x.into());
    Array firsts = chain.make(name + "_1", column.type(), rows, column.into());
    Array counts = chain.make(name + "_2", ElementType.INT, rows, -1);
    Array largest = chain.make(name + "_3", ElementType.INT, rows, x.rows());
    GroupBy by = GroupBy.of(AGGREGATES);
    step(
        chain,
        name,
        areRuns ? by.runs() : by,
        made -> {
          List<List<Integer>> groups = groups(made.of(x), areRuns);
          Number[] values = made.of(column);
          made.put(keys, made.of(x), of(groups, List::getFirst));
          made.put(firsts, values, of(groups, List::getFirst));
          made.arrays.put(
              counts.name(), Numbers.of(groups.size(), g -> (Number) groups.get(g).size()));
          putPositions(made, largest, of(groups, group -> argMax(values, group)));
          bounds(made, name, values, groups);
        },
        x,
        column);
  }

  private static void bounds(Made made, String name, Number[] values, List<List<Integer>> groups) {
    made.bounds.put(
        name,
        (got, what) -> {
          double[] sums = got.doubles(name + "_4");
          double[] means = got.doubles(name + "_5");
          double[] variances = got.doubles(name + "_6");
          double[] ofSamples = got.doubles(name + "_7");
          for (int g = 0; g < groups.size(); g++) {
            int n = groups.get(g).size();
            Exact exact = Exact.of(groups.get(g).stream().map(i -> values[i]).toList());
            String group = "group %s, %s".formatted(g, what);
            exact.requireSum(sums[g], n + 1, group);
            exact.requireMean(means[g], n + 1, group);
            exact.requireVariance(0, variances[g], 2 * n + 8, group);
            exact.requireVariance(1, ofSamples[g], 2 * n + 8, group);
          }
        });
  }

  static void reduce(Chain chain, String name, Array x) {
    int kind = chain.random.nextInt(3);
    step(
        chain,
        name,
        kind == 0 ? Reduction.sumAsDouble() : kind == 1 ? Reduction.mean() : Reduction.variance(),
        made -> {
          Number[] values = made.of(x);
          if (values.length == 0) {
            made.values.put(name, kind == 0 ? (Number) 0.0 : null);
            return;
          }
          double units = values.length / 0x1p21;
          Exact exact = Exact.of(List.of(values));
          made.bounds.put(
              name,
              (got, what) -> {
                double value = got.getDouble(name);
                switch (kind) {
                  case 0 -> exact.requireSum(value, units + 25, what);
                  case 1 -> exact.requireMean(value, units + 26, what);
                  default ->
                      exact.requireVariance(
                          0, value, units + 2 * Math.sqrt(values.length) + 30, what);
                }
              });
        },
        x);
  }
}
