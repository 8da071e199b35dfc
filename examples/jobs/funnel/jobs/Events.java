package funnel.jobs;

import static funnel.group.Aggregate.count;
import static funnel.group.Aggregate.max;
import static funnel.group.Aggregate.mean;
import static funnel.group.Aggregate.min;
import static funnel.group.Aggregate.sum;

import funnel.Elements;
import funnel.Funnel;
import funnel.Results;
import funnel.group.GroupBy;
import funnel.rank.TopK;
import funnel.transform.Gather;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Events of a thousand keys: what they come to by key, and the keys with the largest sums. */
public final class Events {

  private static final int KEYS = 1000;
  private static final int VALUES = 1_000_000;
  private static final int TOP = 10;

  private Events() {}

  /** Events: event {@code i} is of {@code keys[i]}. */
  public record Data(int[] keys, int[] values) {}

  /** What the events of each key come to, and the keys with the largest sums, the largest first. */
  public record Summary(
      int[] keys,
      int[] counts,
      long[] sums,
      int[] least,
      int[] largest,
      double[] means,
      int[] top) {}

  /** The job. */
  public static Summary summary(Funnel funnel, Data events) {
    GroupBy byKey = GroupBy.of(count(), sum(1), min(1), max(1), mean(1));
    Results groups = funnel.run(byKey, Elements.of(events.keys()), Elements.of(events.values()));
    int[] keys = groups.ints("result");
    long[] sums = groups.longs("result_2");
    Results top = funnel.run(TopK.largest(TOP).positions(), Elements.of(sums));
    Results topKeys = funnel.run(Gather.at(), Elements.of(keys), Elements.of(top.ints("result")));
    return new Summary(
        keys,
        groups.ints("result_1"),
        sums,
        groups.ints("result_3"),
        groups.ints("result_4"),
        groups.doubles("result_5"),
        topKeys.ints("result"));
  }

  /** Events by a seed. */
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

  /** Prints the largest keys of as many events as are asked for, or 20 million. */
  public static void main(String[] arguments) {
    int count = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20_000_000;
    try (Funnel funnel = Funnel.open()) {
      Summary summary = summary(funnel, data(count, 1));
      for (int key : summary.top()) {
        int at = Arrays.binarySearch(summary.keys(), key);
        IO.println(
            "key %d: %d events, sum %d, %d to %d, mean %.1f"
                .formatted(
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
