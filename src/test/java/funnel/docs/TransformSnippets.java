package funnel.docs;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.operator.ElementType;
import funnel.reduce.Reduction;
import funnel.transform.AdjacentDifference;
import java.util.Map;

/** The examples of the package {@code funnel.transform}. */
final class TransformSnippets {

  private TransformSnippets() {}

  // @start region="difference"
  /** The longest gap between neighbours, of ascending times that begin at 0. */
  static int longestGap(Funnel funnel, int[] times) {
    try (Plan plan =
        funnel
            .plan("gaps")
            .input("times", ElementType.INT, times.length)
            .add("gaps", AdjacentDifference.left(), "times")
            .add("longest", Reduction.max(), "gaps") // on the device, where the gaps are
            .build()) {
      return plan.run(Map.of("times", Elements.of(times))).getInt("longest"); // 0, 2, 9, 10: 7
    }
  }
  // @end
}
