package funnel.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.histogram.Arbitration;
import funnel.histogram.Histogram;
import funnel.histogram.ScatterReduce;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.select.Partition;
import funnel.select.Runs;
import funnel.transform.AdjacentDifference;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Names of plans, inputs and outputs: as long as they may be, and longer. */
public class PlanNamesTest {

  private static final int LONGEST = 100;

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void longestNames_work(Target target) {
    checkLongestNames(target);
  }

  /** What a device must do too. */
  public static void checkLongestNames(Target target) {
    String name = "n_".repeat(LONGEST / 2 - 1);
    String x = name + "xx";
    String i = name + "ii";
    try (Funnel funnel = Funnel.open(target);
        Plan plan =
            funnel
                .plan(name + "pp")
                .input(x, ElementType.INT, 5)
                .input(i, ElementType.INT, 5)
                .add(name + "rr", Reduction.variance(), x)
                .add(name + "mm", Reduction.minMax(), x)
                .add(name + "aa", Reduction.argMax(), x)
                .add(name + "oo", Reduction.of(Operator.ofInt("o", 0, (a, b) -> a + b)), x)
                .add(name + "ss", Scan.inclusive(Operator.SUM), x)
                .add(name + "hh", Histogram.even(3, 0, 9), x)
                .add(name + "ww", Histogram.even(3, 0, 9).weighted(), x, x)
                .add(name + "tt", ScatterReduce.by(Operator.SUM), i, x, x)
                .add(name + "bb", Arbitration.of(3), i)
                .add(name + "dd", AdjacentDifference.left(), x)
                .add(name + "ee", Runs.encode(), x)
                .add(name + "gg", Partition.where(Transform.testInt("t", v -> v > 1)), x)
                .build()) {
      Map<String, Elements> given = new HashMap<>();
      given.put(x, Elements.of(new int[] {3, 1, 4}));
      given.put(i, Elements.of(new int[] {1, 0, 1}));
      Results results = plan.run(given);
      assertEquals(8, results.getInt(name + "ss_total"));
      assertEquals(8, results.ints(name + "tt")[1]);
    }
  }

  @Test
  void longerNames_areRefused() {
    String name = "a".repeat(LONGEST + 1);
    for (String each : new String[] {name, name.repeat(20), "a_".repeat(1 << 20)}) {
      try (Funnel funnel = Funnel.open(Target.JVM)) {
        Plan.Builder builder = funnel.plan("p").input("x", ElementType.INT, 1);
        for (org.junit.jupiter.api.function.Executable call :
            new org.junit.jupiter.api.function.Executable[] {
              () -> funnel.plan(each),
              () -> builder.input(each, ElementType.INT, 1),
              () -> builder.add(each, Reduction.sum(), "x")
            }) {
          String message = assertThrows(IllegalArgumentException.class, call).getMessage();
          assertTrue(message.contains("characters=" + each.length()), message);
          assertTrue(message.length() < 200, message);
        }
      }
    }
  }
}
