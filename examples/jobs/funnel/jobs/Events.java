package funnel.jobs;

import static funnel.group.Aggregate.count;
import static funnel.group.Aggregate.max;
import static funnel.group.Aggregate.mean;
import static funnel.group.Aggregate.min;
import static funnel.group.Aggregate.sum;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.group.GroupBy;
import funnel.operator.ElementType;
import funnel.rank.TopK;
import funnel.transform.Gather;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/** Events with a thousand keys: counts and sums by key, and the keys with the largest sums. */
public final class Events {

  private static final int KEYS = 1000;
  private static final int VALUES = 1_000_000;
  private static final int TOP = 10;

  private Events() {}

  /** Events: event {@code i} has the key {@code keys[i]} and the value {@code values[i]}. */
  public record Data(int[] keys, int[] values) {}

  /** The aggregates of each key, and the keys with the largest sums, the largest first. */
  public record Summary(
      int[] keys,
      int[] counts,
      long[] sums,
      int[] least,
      int[] largest,
      double[] means,
      int[] top) {}

  /** The job, for at most {@code events} events; the number of keys is found on the device. */
  public static Plan plan(Funnel funnel, int events) {
    return funnel
        .plan("events")
        .input("key", ElementType.INT, events)
        .input("value", ElementType.INT, events)
        .add("by", GroupBy.of(count(), sum(1), min(1), max(1), mean(1)), "key", "value")
        .add("top", TopK.largest(TOP).positions(), "by_2")
        .add("topKeys", Gather.at(), "by", "top")
        .build();
  }

  /** Runs a plan on events. */
  public static Summary summary(Plan plan, Data events) {
    return summary(
        plan.run(Map.of("key", Elements.of(events.keys()), "value", Elements.of(events.values()))));
  }

  /** The summary from the results of a run. */
  public static Summary summary(Results run) {
    return new Summary(
        run.ints("by"),
        run.ints("by_1"),
        run.longs("by_2"),
        run.ints("by_3"),
        run.ints("by_4"),
        run.doubles("by_5"),
        run.ints("topKeys"));
  }

  /** Random events from a seed. */
  public static Data data(int count, long seed) {
    int[] keys = new int[count];
    int[] values = new int[count];
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < count; i++) {
      keys[i] = random.nextInt(KEYS);
      values[i] = random.nextInt(VALUES);
    }
    return new Data(keys, values);
  }

  /** Prints the largest keys of the given number of events, or of 20 million. */
  public static void main(String[] arguments) {
    int count = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20_000_000;
    try (Funnel funnel = Funnel.open();
        Plan plan = plan(funnel, count)) {
      Summary summary = summary(plan, data(count, 1));
      for (int key : summary.top()) {
        int at = Arrays.binarySearch(summary.keys(), key);
        IO.println(
            String.format(
                Locale.ROOT,
                "key %s: %s events, sum %s, %s to %s, mean %.1f",
                key,
                summary.counts()[at],
                summary.sums()[at],
                summary.least()[at],
                summary.largest()[at],
                summary.means()[at]));
      }
    }
  }
}
