package funnel.jobs;

import funnel.Doubles;
import funnel.Funnel;
import funnel.Groups;
import funnel.Ints;
import funnel.Longs;
import funnel.Reading;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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

  /** The job. */
  public static Summary summary(Funnel funnel, Ints keys, Ints values) {
    Groups<Ints> byKey = keys.groupBy();
    Ints counts = byKey.count();
    Longs sums = byKey.sum(values);
    Ints least = byKey.min(values);
    Ints largest = byKey.max(values);
    Doubles means = byKey.mean(values);
    Ints top = byKey.keys().at(sums.largest(TOP).positions());
    Reading read = funnel.read(byKey.keys(), counts, sums, least, largest, means, top);
    return new Summary(
        read.get(byKey.keys()),
        read.get(counts),
        read.get(sums),
        read.get(least),
        read.get(largest),
        read.get(means),
        read.get(top));
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
    Screen.run("Events", arguments, 20_000_000, Events::print);
  }

  private static void print(Funnel funnel, int count) throws Exception {
    Data events = data(count, 1);
    IO.println(
        String.format(
            Locale.ROOT,
            "%,d events with %,d keys: for each key the number of events, and sum, least, largest"
                + " and mean of their values",
            count,
            KEYS));
    Summary summary =
        Screen.beside(
            funnel,
            () -> summary(funnel, funnel.of(events.keys), funnel.of(events.values)),
            () ->
                IntStream.range(0, count)
                    .parallel()
                    .boxed()
                    .collect(
                        Collectors.groupingBy(
                            i -> events.keys[i],
                            Collectors.summarizingInt(i -> events.values[i]))));
    IO.println("the %s keys with the largest sums:".formatted(summary.top.length));
    for (int key : summary.top) {
      int at = Arrays.binarySearch(summary.keys, key);
      IO.println(
          String.format(
              Locale.ROOT,
              "key %s: %s events, sum %s, %s to %s, mean %.1f",
              key,
              summary.counts[at],
              summary.sums[at],
              summary.least[at],
              summary.largest[at],
              summary.means[at]));
    }
  }
}
