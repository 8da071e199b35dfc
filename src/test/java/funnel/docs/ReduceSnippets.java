package funnel.docs;

import funnel.Elements;
import funnel.Funnel;
import funnel.Longs;
import funnel.Plan;
import funnel.Results;
import funnel.lessons.LadderVariant;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.reduce.Distance;
import funnel.reduce.Moments;
import funnel.reduce.Reduction;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The examples of the package {@code funnel.reduce}. */
final class ReduceSnippets {

  private ReduceSnippets() {}

  static List<Number> reductions(Funnel funnel) {
    // @start region="reduction"
    Elements x = Elements.of(new int[] {3, 1, 4});
    Elements y = Elements.of(new int[] {2, 7, 1});
    Transform large = Transform.testInt("large", v -> v > 2);
    Number sum = funnel.reduce(x, Reduction.sumAsLong()); // 8
    Number mean = funnel.reduce(y, Reduction.mean()); // 10.0 / 3
    Number where = funnel.reduce(x, Reduction.argMax()); // 2
    Number count = funnel.reduce(x, Reduction.countIf(large)); // 2
    Number dot = funnel.reduce(x, y, Reduction.dot()); // 17
    // @end
    return List.of(sum, mean, where, count, dot);
  }

  static Number moment(Funnel funnel) {
    // @start region="indexed"
    Transform moment = Transform.indexedInt("moment", (i, v) -> i * v);
    Reduction moments = Reduction.of(Operator.SUM, moment);
    Number sum = funnel.reduce(Elements.of(new int[] {3, 1, 4}), moments); // 0 + 1 + 8
    // @end
    return sum;
  }

  static double[] distances(Funnel funnel) {
    // @start region="distance"
    long first = 1L << 62;
    Longs x = funnel.of(first, first + 1, first + 3);
    double[] distances = x.mapToDouble(v -> Distance.of(v, first)).toArray(); // 0.0, 1.0, 3.0
    // @end
    return distances;
  }

  static double moments(Funnel funnel, List<long[]> parts) {
    // @start region="moments"
    Moments all = null;
    for (long[] part : parts) { // each with at least one element
      Elements x = Elements.of(part);
      double mean = funnel.reduce(x, Reduction.meanFromFirst()).doubleValue();
      double variance = funnel.reduce(x, Reduction.variance()).doubleValue();
      Moments moments = new Moments(part.length, part[0], mean, variance * part.length);
      all = all == null ? moments : all.and(moments);
    }
    // @end
    return all == null ? Double.NaN : all.variance();
  }

  /** The sums by two variants. */
  static List<Integer> ladder(Funnel funnel, int[] values) {
    // @start region="ladder"
    int n = values.length; // 1 << 15
    try (Plan plan =
        funnel
            .plan("ladder")
            .input("x", ElementType.INT, n)
            .add("slow", LadderVariant.NEIGHBOURED_PAIRS.reduction(64, Operator.SUM), "x")
            .add("fast", LadderVariant.UNROLLING_8_LAST_WARP.reduction(64, Operator.SUM), "x")
            .build()) {
      Results results = plan.run(Map.of("x", Elements.of(values)));
      int slow = results.getInt("slow");
      int fast = results.getInt("fast"); // the same, sooner
      return List.of(slow, fast);
    }
    // @end
  }

  // @start region="variants"
  /** An operator's results by all variants that it goes with, under the variants' labels. */
  static Map<String, Integer> byVariant(Funnel funnel, Operator operator, int[] values) {
    Map<String, Integer> results = new LinkedHashMap<>();
    for (LadderVariant variant : LadderVariant.values()) {
      if (variant.isOrdered() || operator.isCommutative()) {
        try (Plan plan =
            funnel
                .plan("ladder")
                .input("x", ElementType.INT, values.length)
                .add("result", variant.reduction(128, operator), "x")
                .build()) {
          int result = plan.run(Map.of("x", Elements.of(values))).getInt("result");
          results.put(variant.label(), result);
        }
      }
    }
    return results;
  }

  // @end
}
