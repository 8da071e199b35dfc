package funnel.docs;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.histogram.CounterOverflowException;
import funnel.histogram.Histogram;
import funnel.histogram.HistogramMethod;
import funnel.histogram.KeyOutsideException;
import funnel.histogram.LocalAtomicsException;
import funnel.histogram.ScatterReduce;
import funnel.histogram.Uncounted;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.transform.IndexOutsideException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Examples of histograms and of what they refuse. */
final class HistogramSnippets {

  private HistogramSnippets() {}

  /** How many people of each age group there are, and what they spend. */
  static String ageGroups(Funnel funnel) {
    // @start region="histogram"
    int[] ages = {3, 17, 18, 35, 64, 65, 90};
    Histogram groups = Histogram.ranges(0, 18, 65, 120); // bins are half-open
    int[] people = new int[groups.counters()];
    Uncounted _ = funnel.histogram(Elements.of(ages), groups, Elements.of(people)); // 2, 3, 2

    double[] prices = {1, 2, 4, 8, 16, 32, 64};
    double[] spent = new double[groups.counters()];
    Uncounted _ =
        funnel.histogram(
            Elements.of(ages),
            Elements.of(prices),
            groups.weighted(),
            Elements.of(spent)); // 3.0, 28.0, 96.0
    // @end
    return Arrays.toString(people) + Arrays.toString(spent);
  }

  /** How many samples there are around each of twenty voltages. */
  static String bins(Funnel funnel, double[] volts) {
    // @start region="edges"
    Histogram scale = Histogram.even(20, -1.0, 1.0);
    int[] counts = funnel.histogram(volts, scale);
    double[] centres = scale.centres(); // -0.95, -0.85, ...
    StringBuilder table = new StringBuilder();
    for (int bin = 0; bin < counts.length; bin++) {
      if (counts[bin] > 0) {
        table.append("%.2f: %s\n".formatted(centres[bin], counts[bin]));
      }
    }
    // @end
    return table.toString();
  }

  // @start region="mapped"
  /** How often each shade of red is among colours of eight bits each: no array of shades. */
  static int[] reds(Funnel funnel, int[] colours) {
    Transform red = Transform.ofInt("red", rgb -> (rgb >> 16) & 0xff);
    return funnel.histogram(colours, Histogram.ofKeys(256).mapped(red));
  }

  // @end

  /** What a sensor says beyond its scale. */
  static String beyondTheScale(Funnel funnel, int[] counts) {
    // @start region="uncounted"
    float[] volts = {-1.2f, -1, -0.1f, 0.1f, 0.7f, 1, 3, Float.NaN};
    Histogram scale = Histogram.even(4, -1.0, 1.0);
    Uncounted outside =
        funnel.histogram(Elements.of(volts), scale, Elements.of(counts)); // 1, 1, 1, 1
    if (outside.total() > 0) { // 4
      return "%s below, %s above, %s missing"
          .formatted(outside.below(), outside.above(), outside.nan()); // 1, 2, 1
    }
    // @end
    return "none";
  }

  /** Counts words by their numbers. */
  static int[] words(Funnel funnel, int[] words, boolean manyAreAlike) {
    // @start region="method"
    Histogram vocabulary = Histogram.ofKeys(100_000);
    HistogramMethod method =
        manyAreAlike
            ? HistogramMethod.SORTED // takes the same time whatever the samples are
            : HistogramMethod.STRIDED; // few additions meet at one counter
    int[] counts = new int[vocabulary.counters()];
    Uncounted _ = funnel.histogram(Elements.of(words), vocabulary.by(method), Elements.of(counts));
    // @end
    return counts;
  }

  /** Counts visits, as ints while these are enough. */
  static long[] visits(Funnel funnel) {
    // @start region="overflow"
    int[] pages = {0, 1, 1};
    int[] visits = {5, Integer.MAX_VALUE}; // so far
    Histogram more = Histogram.ofKeys(2).accumulating();
    try {
      Uncounted _ = funnel.histogram(Elements.of(pages), more, Elements.of(visits));
    } catch (CounterOverflowException e) { // e.bin() is 1, and visits are as they were
      long[] wider = IntStream.of(visits).asLongStream().toArray();
      Uncounted _ =
          funnel.histogram(Elements.of(pages), more.to(ElementType.LONG), Elements.of(wider));
      return wider; // 6, 2147483649
    }
    // @end
    return IntStream.of(visits).asLongStream().toArray();
  }

  /** Books amounts, or says which one cannot be booked. */
  static String book(Funnel funnel, int[] accounts, long[] amounts, long[] totals) {
    // @start region="index"
    ScatterReduce add = ScatterReduce.by(Operator.SUM);
    try {
      funnel.scatterReduce(Elements.of(accounts), Elements.of(amounts), add, Elements.of(totals));
      return "booked";
    } catch (IndexOutsideException e) { // totals are as they were
      return "%s is for account %s of %s"
          .formatted(amounts[e.position()], e.index(), totals.length);
    }
    // @end
  }

  /** Counts votes, or says which one is invalid. */
  static String count(Funnel funnel, int[] votes, int[] counts) {
    // @start region="key"
    Histogram candidates = Histogram.ofKeys(3);
    try {
      Uncounted _ = funnel.histogram(Elements.of(votes), candidates, Elements.of(counts));
      return "counted";
    } catch (KeyOutsideException e) { // counts are as they were
      return "vote %s is for %s, which is no candidate".formatted(e.position(), e.key());
    }
    // @end
  }

  /** A plan that counts in local memory where a device does so rightly. */
  static Plan votes(Funnel funnel, List<String> log) {
    // @start region="local-atomics"
    Histogram votes = Histogram.ofKeys(300);
    Plan.Builder plan = funnel.plan("votes").input("votes", ElementType.INT, 1_000_000);
    try {
      return plan.add("counts", votes.by(HistogramMethod.PRIVATISED), "votes").build();
    } catch (LocalAtomicsException e) {
      log.add(
          "%s with %s: %s" // some GPU with ptx: WRONG
              .formatted(e.device().name(), e.device().backend(), e.finding()));
      plan = funnel.plan("votes").input("votes", ElementType.INT, 1_000_000);
      return plan.add("counts", votes, "votes").build(); // by the method that measurements choose
    }
    // @end
  }
}
