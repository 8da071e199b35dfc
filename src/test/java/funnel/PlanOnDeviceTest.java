package funnel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.PlanTest.PlanChecks;
import funnel.operation.FunnelDeviceException;
import funnel.operation.FunnelMemoryException;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.plan.PlanNamesTest;
import funnel.reduce.Reduction;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

@Tag("gpu")
class PlanOnDeviceTest {

  @Test
  void lengthsChangeFromRunToRun_resultsAreIndependent() {
    PlanChecks.lengthsChange(Target.TORNADO, 3_000_000);
  }

  @Test
  void severalReductions_onePlan() {
    PlanChecks.severalReductions(Target.TORNADO);
  }

  @Test
  void twoPlansAtOnce_doNotDisturbEachOther() {
    PlanChecks.twoPlans(Target.TORNADO);
  }

  @Test
  void emptyInput_onlyUndefinedOutputsThrow() {
    PlanChecks.emptyInput(Target.TORNADO);
  }

  @Test
  void longestNames_work() {
    PlanNamesTest.checkLongestNames(Target.TORNADO);
  }

  @Test
  void kernelTime_isMeasuredOnDemand() {
    try (Funnel funnel = Funnel.open(Target.TORNADO);
        Plan plan =
            funnel
                .plan("timed")
                .input("x", ElementType.INT, 1 << 20)
                .add("s", Reduction.sum(), "x")
                .build()) {
      assertTrue(plan.deviceBytes() >= 4 << 20, () -> "deviceBytes=" + plan.deviceBytes());
      plan.set("x", Elements.of(new int[1 << 20])).run();
      assertEquals(-1, plan.kernelNanos());
      plan.measureKernels(true);
      plan.run();
      assertTrue(plan.kernelNanos() > 0, () -> "kernelNanos=" + plan.kernelNanos());
      plan.measureKernels(false);
      plan.run(Map.of("x", Elements.of(new int[] {1, 2})));
      assertEquals(-1, plan.kernelNanos());
    }
  }

  /**
   * A task graph's buffers are bounded: either there is room, or the message says what is wrong.
   */
  @Test
  void fortyReductions_onePlan_rightOrRefused_andTheEngineGoesOn() {
    try (Funnel funnel = Funnel.open(Target.TORNADO)) {
      Plan.Builder builder = funnel.plan("forty").input("x", ElementType.INT, 1000);
      for (int i = 0; i < 40; i++) {
        builder.add("s" + i, Reduction.sum(), "x");
      }
      try (Plan plan = builder.build()) {
        Results results = plan.run(Map.of("x", Elements.of(new int[] {1, 2, 3})));
        for (int i = 0; i < 40; i++) {
          assertEquals(6, results.getInt("s" + i), "s" + i);
        }
      } catch (FunnelDeviceException e) {
        assertTrue(e.getMessage().contains("s0_rows"), e.getMessage());
      }
      assertEquals(6, funnel.sum(new int[] {1, 2, 3}));
    }
  }

  @Test
  void moreThanTheDeviceHas_isRefusedWithTheNumbers_andTheEngineGoesOn() {
    IntArray small = IntArray.fromElements(1, 2, 3);
    try (Funnel funnel = Funnel.open(Target.TORNADO)) {
      Plan.Builder builder = funnel.plan("huge").input("y", small);
      for (int i = 0; i < 40; i++) { // 640 GB of doubles
        builder.input("x" + i, ElementType.DOUBLE, Integer.MAX_VALUE - 8);
      }
      FunnelMemoryException e =
          assertThrows(
              FunnelMemoryException.class,
              () -> builder.add("s", Reduction.sum(), "y").build().close());
      assertTrue(e.neededBytes() > e.freeBytes(), e.getMessage());
      assertTrue(e.getMessage().contains("needed=" + e.neededBytes()), e.getMessage());
      assertTrue(e.getMessage().contains("free=" + e.freeBytes()), e.getMessage());
      assertEquals(6, funnel.sum(new int[] {1, 2, 3}));
    }
  }
}
