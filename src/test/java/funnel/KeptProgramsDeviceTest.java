package funnel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.heat.Heat2D;
import funnel.heat.HeatProblem;
import funnel.histogram.Histogram;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** That plans go on with what closed ones have left on the device, and compute right with it. */
@Tag("gpu")
class KeptProgramsDeviceTest {

  private static final int CAPACITY = 1 << 20;
  private static final int BINS = 16;

  private static void assertKept(Funnel funnel, String expected) {
    String kept = funnel.details().getOrDefault("kept programs", "nothing");
    assertTrue(kept.startsWith(expected + ", "), kept);
  }

  private static Plan plan(Funnel funnel, int number) {
    String x = "x" + number;
    return funnel
        .plan("plan" + number)
        .input(x, ElementType.INT, CAPACITY)
        .add("sum" + number, Reduction.sum(), x)
        .add("scan" + number, Scan.inclusive(Operator.SUM), x)
        .add("counts" + number, Histogram.ofKeys(BINS), x)
        .build();
  }

  private static void requireRuns(Plan plan, int number, SplittableRandom random) {
    int[] x = random.ints(random.nextInt(1, CAPACITY + 1), 0, BINS).toArray();
    Results results = plan.run(Map.of("x" + number, Elements.of(x)));
    int[] scan = x.clone();
    Arrays.parallelPrefix(scan, Integer::sum);
    int[] counts = new int[BINS];
    Arrays.stream(x).forEach(key -> counts[key]++);
    assertEquals(scan[x.length - 1], results.getInt("sum" + number), Seed.replay());
    assertArrayEquals(scan, results.ints("scan" + number), Seed.replay());
    assertArrayEquals(counts, results.ints("counts" + number), Seed.replay());
  }

  @Test
  void theNextPlanOfAKind_compilesNothing() {
    SplittableRandom random = Seed.random("kept plans");
    try (Funnel funnel = Funnel.open(Target.TORNADO)) {
      for (int i = 0; i < 20; i++) {
        try (Plan plan = plan(funnel, i)) {
          assertKept(funnel, "hits=%s, misses=1, kept=0".formatted(i));
          requireRuns(plan, i, random);
          requireRuns(plan, i, random);
        }
        assertKept(funnel, "hits=%s, misses=1, kept=1".formatted(i));
      }
      try (Plan first = plan(funnel, 100);
          Plan second = plan(funnel, 101)) {
        requireRuns(first, 100, random);
        requireRuns(second, 101, random);
        requireRuns(first, 100, random);
      }
      assertKept(funnel, "hits=20, misses=2, kept=2");
    }
  }

  /** Closing a plan unpins the host memory of all others on some backends. */
  @Test
  void closingAnotherPlan_leavesWhatIsKept() {
    SplittableRandom random = Seed.random("closing another");
    try (Funnel funnel = Funnel.open(Target.TORNADO)) {
      for (int i = 0; i < 5; i++) {
        try (Plan plan = plan(funnel, i)) {
          requireRuns(plan, i, random);
        }
        IntArray mine = IntArray.fromArray(IntStream.range(0, 1000).toArray());
        try (Plan bound =
            funnel.plan("bound").input("mine", mine).add("s", Reduction.sum(), "mine").build()) {
          assertEquals(499_500, bound.run().getInt("s"));
        }
        assertKept(funnel, "hits=%s, misses=1, kept=1".formatted(i));
      }
    }
  }

  @Test
  void theNextSolverOfAKind_hasTheSameBits() {
    float[] first = new float[0];
    try (Funnel funnel = Funnel.open(Target.TORNADO)) {
      for (int i = 0; i < 3; i++) {
        try (Heat2D heat =
            HeatProblem.builder(200, 300)
                .initial((x, y) -> Math.sin(x) + Math.cos(3 * y))
                .build()
                .open(funnel)) {
          assertKept(funnel, "hits=%s, misses=1, kept=0".formatted(i));
          float[] after = heat.step(130).toFloats();
          first = i == 0 ? after : first;
          assertArrayEquals(first, after);
        }
      }
    }
  }
}
