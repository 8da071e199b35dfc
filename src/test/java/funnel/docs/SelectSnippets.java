package funnel.docs;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.operation.OutputTooShortException;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.select.FindFirst;
import funnel.select.Partition;
import funnel.select.Runs;
import funnel.select.Select;
import funnel.select.ThreeWayPartition;
import funnel.transform.AdjacentDifference;
import funnel.transform.Elementwise;
import java.util.Map;
import java.util.TreeMap;

/** The examples of the package {@code funnel.select}. */
final class SelectSnippets {

  private SelectSnippets() {}

  // @start region="plan"
  /** The largest sum of the first so many positive numbers, and how many are positive. */
  static int[] ofPositive(Funnel funnel, int[] x) {
    Transform isPositive = Transform.testInt("positive", v -> v > 0);
    try (Plan plan =
        funnel
            .plan("positive")
            .input("x", ElementType.INT, x.length)
            .add("kept", Select.where(isPositive), "x") // how many is found on the device,
            .add("sums", Scan.inclusive(Operator.SUM), "kept") // where these go on with it
            .add("most", Reduction.max(), "sums")
            .build()) {
      Results results = plan.run(Map.of("x", Elements.of(x)));
      return new int[] {results.getInt("most"), results.ints("kept").length};
    }
  }

  // @end

  // @start region="partition"
  /** Even numbers before odd ones: 3, 1, 4, 1, 6 become 4, 6, 3, 1, 1. */
  static int[] evenFirst(Funnel funnel, int[] x) {
    Transform isEven = Transform.testInt("even", v -> (v & 1) == 0);
    return funnel.run(Partition.where(isEven).joined(), Elements.of(x)).ints("result");
  }

  // @end

  // @start region="runs"
  /** How often each number is among sorted ones: of 2, 2, 5 it is {2=2, 5=1}. */
  static Map<Integer, Integer> counts(Funnel funnel, int[] sorted) {
    Results runs = funnel.run(Runs.encode(), Elements.of(sorted));
    int[] numbers = runs.ints("result"); // Unique.adjacent() gives these alone
    int[] counts = runs.ints("result_lengths");
    Map<Integer, Integer> all = new TreeMap<>();
    for (int i = 0; i < numbers.length; i++) {
      all.put(numbers[i], counts[i]);
    }
    return all;
  }

  // @end

  // @start region="decode"
  /** So many of each: of 5, 6 and 2, 1 it is 5, 5, 6. */
  static int[] repeated(Funnel funnel, int[] numbers, int[] counts) {
    Runs decode = Runs.decode(1000); // at most
    return funnel.run(decode, Elements.of(numbers), Elements.of(counts)).ints("result");
  }

  // @end

  // @start region="three"
  /** Large numbers, then small positive ones, then the others: how many of each there are. */
  static int[] sizes(Funnel funnel, int[] x) {
    Transform isLarge = Transform.testInt("large", v -> v > 99);
    Transform isPositive = Transform.testInt("positive", v -> v > 0);
    Results parts = funnel.run(new ThreeWayPartition(isLarge, isPositive), Elements.of(x));
    return new int[] {
      parts.length("result_first"), parts.length("result_second"), parts.length("result_rest")
    };
  }

  // @end

  // @start region="rows"
  /** The identifiers and amounts of what costs over 50. */
  static Map<Integer, Float> expensive(Funnel funnel, double[] prices, int[] ids, float[] amounts) {
    Select rows = Select.where(Transform.testDouble("over 50", price -> price > 50)).rows();
    Results kept = funnel.run(rows, Elements.of(prices), Elements.of(ids), Elements.of(amounts));
    int[] keptIds = kept.ints("result_1");
    float[] keptAmounts = kept.floats("result_2");
    Map<Integer, Float> all = new TreeMap<>();
    for (int i = 0; i < keptIds.length; i++) {
      all.put(keptIds[i], keptAmounts[i]);
    }
    return all;
  }

  // @end

  // @start region="function"
  /** Every third element that is over its limit. */
  static int[] everyThirdOver(Funnel funnel, int[] x, int[] limits) {
    Elementwise kept =
        Elementwise.ofInt("third over", (i, v, limit) -> i % 3 == 0 && v > limit ? 1 : 0).indexed();
    Elements values = Elements.of(x);
    return funnel.run(Select.where(kept), values, values, Elements.of(limits)).ints("result");
  }

  // @end

  // @start region="places"
  /** What is positive at even places: of 3, 1, -4, 1, 5 it is 3, 5. */
  static int[] positiveAtEvenPlaces(Funnel funnel, int[] x) {
    Transform kept = Transform.testIndexedInt("kept", (i, v) -> (i & 1) == 0 && v > 0);
    return funnel.run(Select.where(kept), Elements.of(x)).ints("result");
  }

  // @end

  // @start region="mapped"
  /** The squares of the positive numbers: of 3, -1, 4 they are 9, 16. */
  static int[] squaresOfPositive(Funnel funnel, int[] x) {
    Select positive = Select.where(Transform.testInt("positive", v -> v > 0));
    Transform square = Transform.ofInt("square", v -> v * v);
    return funnel.run(positive.mapped(square), Elements.of(x)).ints("result");
  }

  // @end

  // @start region="first"
  /** Where a series falls for the first time, or -1. */
  static int firstFall(Funnel funnel, int[] x) {
    Transform isNegative = Transform.testInt("negative", v -> v < 0);
    try (Plan plan =
        funnel
            .plan("fall")
            .input("x", ElementType.INT, x.length)
            .add("steps", AdjacentDifference.left(), "x")
            .add("first", FindFirst.where(isNegative), "steps")
            .build()) {
      return plan.run(Map.of("x", Elements.of(x))).getInt("first");
    }
  }

  // @end

  // @start region="short"
  /** The positive numbers, at most ten of them expected. */
  static int[] fewPositive(Funnel funnel, int[] x) {
    int[] few = new int[10];
    Select positive = Select.where(Transform.testInt("positive", v -> v > 0));
    try {
      return funnel
          .run(positive, Map.of("result", Elements.of(few)), Elements.of(x))
          .ints("result");
    } catch (OutputTooShortException tooMany) { // tooMany.found() says how many
      return funnel.select(x, v -> v > 0);
    }
  }
  // @end
}
