package funnel.docs;

import funnel.Elements;
import funnel.Funnel;
import funnel.Results;
import funnel.group.Aggregate;
import funnel.group.GroupBy;

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
}
