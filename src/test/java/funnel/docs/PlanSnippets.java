package funnel.docs;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.operator.ElementType;
import funnel.reduce.Reduction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The example of {@link Plan}. */
final class PlanSnippets {

  private PlanSnippets() {}

  /** One line for each day's measurements. */
  static List<String> summaries(Funnel funnel, List<float[]> days) {
    List<String> lines = new ArrayList<>();
    // @start region="plan"
    try (Plan plan =
        funnel
            .plan("weather")
            .input("temperatures", ElementType.FLOAT, 1_000_000)
            .add("mean", Reduction.mean(), "temperatures")
            .add("range", Reduction.minMax(), "temperatures")
            .add("hottest", Reduction.argMax(), "temperatures")
            .build()) {
      for (float[] day : days) { // each of its own length
        Results results = plan.run(Map.of("temperatures", Elements.of(day)));
        double mean = results.getDouble("mean");
        float lowest = results.getFloat("range_min");
        float highest = results.getFloat("range_max");
        int when = results.getInt("hottest");
        lines.add("mean %s, %s to %s, hottest at %d".formatted(mean, lowest, highest, when));
      }
    }
    // @end
    return lines;
  }
}
