package funnel.docs;

import funnel.Elements;
import funnel.Funnel;
import funnel.Results;
import funnel.group.Aggregate;
import funnel.group.GroupBy;
import funnel.group.SegmentedReduce;
import funnel.operator.Operator;

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

  // @start region="segments"
  /** The largest value of each row of a matrix whose rows are of different lengths. */
  static float[] largest(Funnel funnel, float[] values, int[] rowsBegin) {
    SegmentedReduce largest = SegmentedReduce.by(Operator.MAX).byOffsets();
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
