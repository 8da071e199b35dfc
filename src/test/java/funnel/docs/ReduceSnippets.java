package funnel.docs;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.engine.Input;
import funnel.engine.Step;
import funnel.engine.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.reduce.Ladder;
import funnel.reduce.LadderVariant;
import funnel.reduce.Reduction;
import funnel.reduce.SinglePassProbe;
import funnel.reduce.SinglePassUnavailableException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The examples of the package {@code funnel.reduce}. */
final class ReduceSnippets {

  private ReduceSnippets() {}

  static List<Number> reductions(Funnel funnel) {
    // @start region="reduction"
    Elements x = Elements.of(new int[] {3, 1, 4});
    Elements y = Elements.of(new int[] {2, 7, 1});
    Transform large = Transform.testInt("large", v -> v > 2);
    Number sum = funnel.reduce(x, Reduction.sumAsLong()); // 8
    Number mean = funnel.reduce(y, Reduction.mean()); // 10.0 / 3
    Number where = funnel.reduce(x, Reduction.argMax()); // 2
    Number count = funnel.reduce(x, Reduction.countIf(large)); // 2
    Number dot = funnel.reduce(x, y, Reduction.dot()); // 17
    // @end
    return List.of(sum, mean, where, count, dot);
  }

  /** The sums by two variants, and how many partial results the second one has. */
  static List<Integer> ladder(Funnel funnel, int[] values) {
    // @start region="ladder"
    int n = values.length; // 1 << 15
    Ladder unrolled =
        new Ladder(
            "fast", "x", ElementType.INT, Operator.SUM, LadderVariant.UNROLLING_8_LAST_WARP, 64, n);
    int partials = unrolled.scratch().getFirst().length(); // 64, which a second launch reduces

    try (Plan plan =
        funnel
            .plan("ladder")
            .input("x", ElementType.INT, n)
            .ladder("slow", LadderVariant.NEIGHBOURED_PAIRS, 64, Operator.SUM, "x")
            .ladder("fast", LadderVariant.UNROLLING_8_LAST_WARP, 64, Operator.SUM, "x")
            .build()) {
      Results results = plan.run(Map.of("x", Elements.of(values)));
      int slow = results.getInt("slow");
      int fast = results.getInt("fast"); // the same, sooner
      return List.of(slow, fast, partials);
    }
    // @end
  }

  // @start region="variants"
  /** An operator's results by all variants that it goes with, under the variants' labels. */
  static Map<String, Integer> byVariant(Funnel funnel, Operator operator, int[] values) {
    Map<String, Integer> results = new LinkedHashMap<>();
    for (LadderVariant variant : LadderVariant.values()) {
      if (variant.isOrdered() || operator.isCommutative()) {
        try (Plan plan =
            funnel
                .plan("ladder")
                .input("x", ElementType.INT, values.length)
                .ladder("result", variant, 128, operator, "x")
                .build()) {
          int result = plan.run(Map.of("x", Elements.of(values))).getInt("result");
          results.put(variant.label(), result);
        }
      }
    }
    return results;
  }

  // @end

  static LadderVariant fastestHere(List<String> log) {
    // @start region="probe"
    SinglePassProbe.Report report = SinglePassProbe.report(ElementType.INT, 256);
    log.add(report.detail());
    LadderVariant fastest =
        switch (report.outcome()) {
          case RIGHT -> LadderVariant.SINGLE_PASS;
          case WRONG, UNSUPPORTED -> LadderVariant.COMPLETE_UNROLLING;
        };
    // @end
    return fastest;
  }

  // @start region="unavailable"
  /** The sum in one launch, or in two where one launch is not known to be right. */
  static Step sum(Input input, Target target, List<String> log) {
    try {
      return Ladder.step("sum", input, LadderVariant.SINGLE_PASS, 256, Operator.SUM, target);
    } catch (SinglePassUnavailableException e) {
      log.add("%s: %s".formatted(e.report().outcome(), e.report().detail())); // on this device
      return Ladder.step("sum", input, LadderVariant.COMPLETE_UNROLLING, 256, Operator.SUM, target);
    }
  }
  // @end
}
