package funnel.docs;

import funnel.ElementStream;
import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.group.Aggregate;
import funnel.group.GroupBy;
import funnel.group.SegmentedReduce;
import funnel.io.Source;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.scan.Segments;
import funnel.transform.Gather;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The examples of the package {@code funnel.group}. */
final class GroupSnippets {

  private GroupSnippets() {}

  // @start region="group"
  /** The mean amount of each shop that has sold something, in the order of their numbers. */
  static double[] means(Funnel funnel, int[] shops, float[] amounts) {
    GroupBy byShop = GroupBy.of(Aggregate.count(), Aggregate.mean(1));
    Results results = funnel.run(byShop, Elements.of(shops), Elements.of(amounts));
    return results.doubles("result_2"); // of the shops ints("result")
  }

  // @end

  // @start region="parts"
  /** The mean of each user's amounts, from sources of any length. */
  static double[] means(Funnel funnel, Source users, Source amounts) throws IOException {
    ElementStream stream = funnel.over(users); // 7, 9, 7
    return stream.groupBy(GroupBy.of(Aggregate.mean(1)), amounts).doubles("result_1"); // 2.0, 4.0
  }

  // @end

  // @start region="kept"
  /** The sums of several months, by shops that are the same in all of them and sorted once. */
  static List<double[]> sums(Funnel funnel, int[] shops, List<float[]> months) {
    List<double[]> sums = new ArrayList<>();
    int[] order = funnel.order(shops);
    int[] sorted = funnel.run(Gather.at(), Elements.of(shops), Elements.of(order)).ints("result");
    try (Plan plan =
        funnel
            .plan("sums")
            .input("order", ElementType.INT, order.length)
            .input("sorted", ElementType.INT, order.length)
            .input("amounts", ElementType.FLOAT, order.length)
            .add("ordered", Gather.at(), "amounts", "order")
            .add("sums", GroupBy.of(Aggregate.sum(1)).runs(), "sorted", "ordered")
            .build()) {
      plan.set("order", Elements.of(order));
      plan.set("sorted", Elements.of(sorted));
      for (float[] amounts : months) {
        sums.add(plan.run(Map.of("amounts", Elements.of(amounts))).doubles("sums_1"));
      }
    }
    return sums;
  }

  // @end

  // @start region="segments"
  /** The largest value of each row of a matrix whose rows are of different lengths. */
  static float[] largest(Funnel funnel, float[] values, int[] rowsBegin) {
    SegmentedReduce largest = SegmentedReduce.by(Operator.MAX).segments(Segments.byOffsets());
    return funnel.run(largest, Elements.of(values), Elements.of(rowsBegin)).floats("result");
  }

  // @end

  // @start region="keys"
  /** How often each pair of a source and a target is there. */
  static int[] pairs(Funnel funnel, int[] sources, int[] targets) {
    GroupBy pairs = GroupBy.of(Aggregate.count()).keys(2);
    Results results = funnel.run(pairs, Elements.of(sources), Elements.of(targets));
    return results.ints("result_1"); // of the pairs ints("result"), ints("result_key_2")
  }
  // @end
}
