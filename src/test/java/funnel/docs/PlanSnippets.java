package funnel.docs;

import funnel.Elements;
import funnel.Funnel;
import funnel.Handle;
import funnel.Plan;
import funnel.Profile;
import funnel.Results;
import funnel.operator.ElementType;
import funnel.operator.Transform;
import funnel.rank.TopK;
import funnel.reduce.Reduction;
import funnel.sort.Sort;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

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
        lines.add("mean %s, %s to %s, hottest at %s".formatted(mean, lowest, highest, when));
      }
    }
    // @end
    return lines;
  }

  /** The largest of each day, and their sum. */
  static List<Long> totals(Funnel funnel, List<int[]> days) {
    List<Long> totals = new ArrayList<>();
    // @start region="handles"
    Plan.Builder builder = funnel.plan("largest");
    Handle<int[]> x = builder.input(int[].class, 1_000_000);
    Handle<int[]> largest = builder.add(TopK.largest(3), x).get(int[].class);
    Handle<Long> total = builder.add(Reduction.sumAsLong(), largest).get(Long.class);
    try (Plan plan = builder.build()) {
      for (int[] day : days) {
        totals.add(plan.set(x, day).run().get(total));
      }
    }
    // @end
    return totals;
  }

  /** How many temperatures are above each limit. */
  static List<Long> above(Funnel funnel, float[] day, float... limits) {
    List<Long> counts = new ArrayList<>();
    // @start region="values"
    try (Plan plan =
        funnel
            .plan("hot")
            .input("temperatures", ElementType.FLOAT, day.length)
            .add("above", above(20), "temperatures")
            .build()) {
      plan.set("temperatures", Elements.of(day));
      for (float limit : limits) {
        counts.add(plan.set("above", above(limit)).run().getLong("above"));
      }
    }
    // @end
    return counts;
  }

  // @start region="above"
  static Reduction above(float limit) {
    return Reduction.countIf(Transform.testFloat("above", t -> t > limit));
  }

  // @end

  /** The largest of many values, unless it takes more than ten seconds. */
  static CompletableFuture<Integer> largest(Funnel funnel, int[] values) {
    // @start region="async"
    CompletableFuture<Integer> largest =
        funnel.async(() -> funnel.max(values)).orTimeout(10, TimeUnit.SECONDS);
    // @end
    return largest;
  }

  /** What the operations of a plan take. */
  static Profile profile(Funnel funnel, float[] day) {
    // @start region="profile"
    Plan.Builder builder =
        funnel
            .plan("weather")
            .input("temperatures", ElementType.FLOAT, 1_000_000)
            .add("sorted", Sort.ascending(), "temperatures")
            .add("hottest", Reduction.argMax(), "temperatures");
    long bytes = builder.deviceBytes(); // before anything is allocated
    try (Plan plan = builder.build()) {
      plan.measureKernels(true);
      var results = plan.run(Map.of("temperatures", Elements.of(day)));
      Profile profile = plan.profile(); // a line for each operation
      // @end
      if (bytes < plan.deviceBytes() || results.getInt("hottest") < 0) {
        throw new IllegalStateException();
      }
      return profile;
    }
  }
}
