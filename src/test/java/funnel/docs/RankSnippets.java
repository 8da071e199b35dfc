package funnel.docs;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.operator.ElementType;
import funnel.rank.Quantiles;
import funnel.rank.SegmentedTopK;
import funnel.rank.TopK;
import funnel.scan.Segments;
import funnel.transform.Gather;
import java.util.Arrays;
import java.util.Map;

/** The examples of the package {@code funnel.rank}. */
final class RankSnippets {

  private RankSnippets() {}

  // @start region="top"
  /** The customers with the largest amounts, the one with the largest of all first. */
  static int[] best(Funnel funnel, int k, float[] amounts, int[] customers) {
    try (Plan plan =
        funnel
            .plan("best")
            .input("amounts", ElementType.FLOAT, amounts.length)
            .input("customers", ElementType.INT, customers.length)
            .add("at", TopK.largest(k).positions(), "amounts")
            .add("best", Gather.at(), "customers", "at")
            .build()) {
      return plan.run(Map.of("amounts", Elements.of(amounts), "customers", Elements.of(customers)))
          .ints("best");
    }
  }

  // @end

  // @start region="segments"
  /** The k largest amounts of each customer, whose amounts begin at offsets. */
  static float[][] bestOfEach(Funnel funnel, int k, float[] amounts, int[] offsets) {
    Results results =
        funnel.run(
            SegmentedTopK.of(TopK.largest(k)).segments(Segments.byOffsets()),
            Elements.of(amounts),
            Elements.of(offsets));
    float[] best = results.floats("result");
    int[] begins = results.ints("result_offsets");
    float[][] ofEach = new float[begins.length][];
    for (int i = 0; i < begins.length; i++) {
      int end = i + 1 < begins.length ? begins[i + 1] : best.length;
      ofEach[i] = Arrays.copyOfRange(best, begins[i], end);
    }
    return ofEach;
  }

  // @end

  // @start region="quantiles"
  /** The median of times, and the time that 99 of 100 are not above. */
  static int[] typicalAndSlow(Funnel funnel, int[] times) {
    return funnel.run(Quantiles.of(0.5, 0.99), Elements.of(times)).ints("result");
  }

  /** The median as NumPy has it: of 1, 2, 3, 10 it is 2.5. */
  static double median(Funnel funnel, double[] x) {
    return funnel.run(Quantiles.median().interpolated(), Elements.of(x)).doubles("result")[0];
  }
  // @end
}
