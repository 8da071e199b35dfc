package funnel.docs;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.operator.Comparison;
import funnel.operator.ElementType;
import funnel.scan.Segments;
import funnel.select.Runs;
import funnel.select.Unique;
import funnel.sort.Ascending;
import funnel.sort.IsSorted;
import funnel.sort.KeyWords;
import funnel.sort.Merge;
import funnel.sort.MergeSort;
import funnel.sort.NotAscendingException;
import funnel.sort.Order;
import funnel.sort.SegmentedSort;
import funnel.sort.SetOperation;
import funnel.sort.Sort;
import funnel.sort.SortedSearch;
import java.util.Map;

/** The examples of the package {@code funnel.sort}. */
final class SortSnippets {

  private SortSnippets() {}

  // @start region="plan"
  /** How many different numbers there are, and the largest one: of 3, 1, 4, 1 it is 3, 4. */
  static int[] different(Funnel funnel, int[] x) {
    try (Plan plan =
        funnel
            .plan("different")
            .input("x", ElementType.INT, x.length)
            .add("sorted", Sort.descending(), "x") // stays on the device,
            .add("runs", Runs.encode(), "sorted") // where equal ones are neighbours now
            .build()) {
      int[] numbers = plan.run(Map.of("x", Elements.of(x))).ints("runs");
      return new int[] {numbers.length, numbers[0]};
    }
  }

  // @end

  // @start region="order"
  /** The names from the longest time to the shortest, those of equal times as they came. */
  static String[] slowest(Funnel funnel, double[] times, String[] names) {
    int[] order = funnel.run(Order.descending(), Elements.of(times)).ints("result");
    String[] sorted = new String[names.length];
    for (int i = 0; i < order.length; i++) {
      sorted[i] = names[order[i]];
    }
    return sorted;
  }

  // @end

  // @start region="rows"
  /** The amounts in the order of their days, and on a day as they came. */
  static float[] byDay(Funnel funnel, int[] days, float[] amounts) {
    Results rows = funnel.run(Sort.ascending().rows(), Elements.of(days), Elements.of(amounts));
    return rows.floats("result_1");
  }

  // @end

  // @start region="segments"
  /** The times of each day from the shortest on; days begin at the offsets. */
  static float[] byDayAndTime(Funnel funnel, float[] times, int[] offsets) {
    SegmentedSort sort = SegmentedSort.ascending().segments(Segments.byOffsets());
    return funnel.run(sort, Elements.of(times), Elements.of(offsets)).floats("result");
  }

  // @end

  // @start region="mergeSort"
  /** Even numbers before odd ones, and both in ascending order. */
  static int[] evenFirst(Funnel funnel, int[] x) {
    Comparison evenFirst =
        Comparison.ofInt(
            "even first", (a, b) -> ((a ^ b) & 1) == 1 ? (a & 1) - (b & 1) : Integer.compare(a, b));
    return funnel.run(MergeSort.by(evenFirst), Elements.of(x)).ints("result");
  }

  // @end

  // @start region="byRow"
  /** The positions of fractions, from the smallest on: 1/3 comes before 1/2, and 2/4 after it. */
  static int[] fractions(Funnel funnel, long[] numerators, long[] denominators) {
    Comparison byRow =
        Comparison.ofLong("fractions", (n1, d1, n2, d2) -> Long.compare(n1 * d2, n2 * d1));
    Elements[] columns = {Elements.of(numerators), Elements.of(denominators)};
    return funnel.run(MergeSort.by(byRow).positions(), columns).ints("result");
  }

  // @end

  // @start region="search"
  /** How many ages there are in each group, which begins with its number: of 0, 18, 65. */
  static int[] ages(Funnel funnel, int[] ages, int[] groups) {
    try (Plan plan =
        funnel
            .plan("ages")
            .input("ages", ElementType.INT, ages.length)
            .input("groups", ElementType.INT, groups.length)
            .add("sorted", Sort.ascending(), "ages")
            .add("below", SortedSearch.lowerBound(), "sorted", "groups")
            .build()) {
      int[] below =
          plan.run(Map.of("ages", Elements.of(ages), "groups", Elements.of(groups))).ints("below");
      int[] counts = new int[groups.length];
      for (int i = 0; i < groups.length; i++) {
        counts[i] = (i + 1 < groups.length ? below[i + 1] : ages.length) - below[i];
      }
      return counts;
    }
  }

  // @end

  // @start region="words"
  /** Whether a number comes before another one: integers tell, NaN and -0.0 too. */
  static boolean isBefore(float x, float y) {
    int first = KeyWords.word(Float.floatToRawIntBits(x));
    return first < KeyWords.word(Float.floatToRawIntBits(y));
  }

  // @end

  // @start region="sorted"
  /** The place of the first time that is earlier than the one before it, or -1. */
  static int firstStepBack(Funnel funnel, long[] times) {
    Results results = funnel.run(IsSorted.ascending(), Elements.of(times));
    return results.getInt("result") == 1 ? -1 : results.getInt("result_first");
  }

  // @end

  // @start region="ascending"
  /** How many times come before noon, or what is wrong with the times. */
  static String before(Funnel funnel, int[] times, int noon) {
    Elements wanted = Elements.of(new int[] {noon});
    try {
      Results results =
          funnel.run(Ascending.first(SortedSearch.lowerBound()), Elements.of(times), wanted);
      return "%s before noon".formatted(results.ints("result")[0]);
    } catch (NotAscendingException e) {
      return "time %s is out of order".formatted(e.position());
    }
  }

  // @end

  // @start region="merge"
  /** All times of two logs, each of which is in the order of time. */
  static long[] times(Funnel funnel, long[] first, long[] second) {
    return funnel.run(Merge.ascending(), Elements.of(first), Elements.of(second)).longs("result");
  }

  // @end

  // @start region="mergeRows"
  /** The amounts of two ledgers in the order of their days, each of which has its own. */
  static float[] amounts(Funnel funnel, int[][] days, float[][] amounts) {
    Results rows =
        funnel.run(
            Merge.ascending().rows(),
            Elements.of(days[0]),
            Elements.of(days[1]),
            Elements.of(amounts[0]),
            Elements.of(amounts[1]));
    return rows.floats("result_1"); // and rows.ints("result") are the days
  }

  // @end

  // @start region="setRows"
  /** The amounts of customers who have not paid; both ids are sorted. */
  static float[] owed(Funnel funnel, int[] ids, float[] amounts, int[] paid) {
    SetOperation unpaid = SetOperation.difference().rows();
    return funnel
        .run(unpaid, Elements.of(ids), Elements.of(paid), Elements.of(amounts))
        .floats("result_1");
  }

  // @end

  // @start region="sets"
  /** How many different numbers are in both arrays, which need not be sorted. */
  static int common(Funnel funnel, int[] x, int[] y) {
    try (Plan plan =
        funnel
            .plan("common")
            .input("x", ElementType.INT, x.length)
            .input("y", ElementType.INT, y.length)
            .add("sortedX", Sort.ascending(), "x")
            .add("sortedY", Sort.ascending(), "y")
            .add("both", SetOperation.intersection(), "sortedX", "sortedY")
            .add("different", Unique.adjacent(), "both")
            .build()) {
      return plan.run(Map.of("x", Elements.of(x), "y", Elements.of(y))).length("different");
    }
  }
  // @end
}
