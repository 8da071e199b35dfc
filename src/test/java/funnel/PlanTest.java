package funnel;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.histogram.Histogram;
import funnel.histogram.ScatterReduce;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.scan.SegmentedScan;
import funnel.scan.Segments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Plans on the engines that every machine has; {@link PlanOnDeviceTest} has the device's share. */
class PlanTest {

  private static final Reduction SUM = Reduction.sum();

  static Plan.Builder ints(Funnel funnel, int capacity) {
    return funnel.plan("plan").input("x", ElementType.INT, capacity);
  }

  static <T extends Throwable> T assertThrowsWith(Class<T> type, Executable code, String... parts) {
    T thrown = assertThrows(type, code);
    for (String part : parts) {
      assertTrue(
          String.valueOf(thrown.getMessage()).contains(part),
          () -> "no '" + part + "' in: " + thrown.getMessage());
    }
    return thrown;
  }

  // Runs

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void lengthsChangeFromRunToRun_resultsAreIndependent(Target target) {
    PlanChecks.lengthsChange(target, 3000);
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void severalReductions_onePlan(Target target) {
    PlanChecks.severalReductions(target);
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void twoPlansAtOnce_doNotDisturbEachOther(Target target) {
    PlanChecks.twoPlans(target);
  }

  @Test
  void sameReductionTwice_andOneBuilderTwice() {
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      Plan.Builder builder = ints(funnel, 10).add("a", SUM, "x").add("b", SUM, "x");
      try (Plan first = builder.build();
          Plan second = builder.add("c", Reduction.max(), "x").build()) {
        Results one = first.run(Map.of("x", Elements.of(new int[] {1, 2})));
        Results two = second.run(Map.of("x", Elements.of(new int[] {5})));
        assertEquals(3, one.getInt("a"));
        assertEquals(3, one.getInt("b"));
        assertEquals(Set.of("a", "b"), one.names());
        assertEquals(5, two.getInt("c"));
      }
    }
  }

  @Test
  void set_runs_keepTheInput() {
    try (Funnel funnel = Funnel.open(Target.JVM);
        Plan plan =
            ints(funnel, 5)
                .input("y", ElementType.INT, 5)
                .add("dot", Reduction.dot(), "x", "y")
                .build()) {
      plan.set("x", Elements.of(new int[] {1, 2})).set("y", Elements.of(new int[] {3, 4}));
      assertEquals(11, plan.run().getLong("dot"));
      plan.set("y", Elements.of(new int[] {0, 1}));
      assertEquals(2, plan.run().getLong("dot"));
      assertEquals("plan", plan.name());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void operatorThatThrows_planGoesOn(Target target) {
    try (Funnel funnel = Funnel.open(target);
        Plan plan =
            ints(funnel, 10)
                .add("sum", SUM, "x")
                .add(
                    "shares",
                    Reduction.of(Operator.SUM, Transform.ofInt("share", v -> 100 / v)),
                    "x")
                .build()) {
      assertThrows(
          RuntimeException.class, () -> plan.run(Map.of("x", Elements.of(new int[] {1, 0}))));
      Results results = plan.run(Map.of("x", Elements.of(new int[] {1, 2})));
      assertEquals(150, results.getInt("shares"));
      assertEquals(3, results.getInt("sum"));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void namesOfOutputs_doNotMeetThoseOfPartsOfOthers(Target target) {
    // variance has a sum of its own, reductions on a device have partial results, arg two parts
    int[] values = {3, 1, 4, 1};
    try (Funnel funnel = Funnel.open(target)) {
      assertAll(
          () -> {
            try (Plan plan =
                ints(funnel, 10)
                    .add("v_sum", SUM, "x")
                    .add("v", Reduction.variance(), "x")
                    .build()) {
              Results results = plan.run(Map.of("x", Elements.of(values)));
              assertEquals(9, results.get("v_sum"), "v_sum beside variance v");
              assertEquals(1.6875, results.get("v"));
            }
          },
          () -> {
            try (Plan plan =
                funnel
                    .plan("plan")
                    .input("s_partials", ElementType.INT, 10)
                    .add("s", SUM, "s_partials")
                    .build()) {
              assertEquals(
                  9,
                  plan.run(Map.of("s_partials", Elements.of(values))).get("s"),
                  "input s_partials of sum s");
            }
          },
          () -> {
            try (Plan plan =
                funnel
                    .plan("plan")
                    .input("m_first", ElementType.INT, 10)
                    .add("m", Reduction.argMax(), "m_first")
                    .build()) {
              assertEquals(
                  2,
                  plan.run(Map.of("m_first", Elements.of(values))).get("m"),
                  "input m_first of arg max m");
            }
          });
    }
  }

  @Test
  void furtherOutputs_takenNames_areRefused() {
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      assertThrowsWith(
          IllegalArgumentException.class,
          () -> ints(funnel, 10).add("m_min", SUM, "x").add("m", Reduction.minMax(), "x"),
          "m_min");
      assertThrowsWith(
          IllegalArgumentException.class,
          () -> ints(funnel, 10).add("m", Reduction.minMax(), "x").add("m_max", SUM, "x"),
          "m_max");
      assertThrowsWith(
          IllegalArgumentException.class,
          () ->
              ints(funnel, 10)
                  .input("a_value", ElementType.INT, 10)
                  .add("a", Reduction.argMin(), "x"),
          "a_value");
    }
  }

  // Empty input

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void emptyInput_onlyUndefinedOutputsThrow(Target target) {
    PlanChecks.emptyInput(target);
  }

  // Results

  @Test
  void results_toString_hasValuesReasonsAndArrays() {
    try (Funnel funnel = Funnel.open(Target.JVM);
        Plan plan =
            ints(funnel, 4)
                .add("total", SUM, "x")
                .add("least", Reduction.min(), "x")
                .add("running", Scan.inclusive(Operator.SUM).to(ElementType.LONG), "x")
                .build()) {
      Results results = plan.run(Map.of("x", Elements.of(new int[] {3, 1, 4})));
      assertEquals(
          "{least=1, running=array of LONG, running_total=8, total=8}", results.toString());
      Results ofNone = plan.run(Map.of("x", Elements.of(new int[0])));
      assertTrue(results.toString().contains("running=array of LONG"), "another run since");
      assertTrue(
          ofNone.toString().startsWith("{least=min of an empty array is not defined: "),
          ofNone::toString);
    }
  }

  @Test
  void results_typedGetters() {
    try (Funnel funnel = Funnel.open(Target.JVM);
        Plan plan =
            ints(funnel, 4)
                .input("f", ElementType.FLOAT, 4)
                .add("i", SUM, "x")
                .add("l", Reduction.sumAsLong(), "x")
                .add("f", SUM, "f2".substring(0, 1))
                .add("d", Reduction.mean(), "x")
                .build()) {
      throw new AssertionError("f is an input's name and must not be an output's too: " + plan);
    } catch (IllegalArgumentException e) {
      assertTrue(e.getMessage().contains("'f'"), e.getMessage());
    }
    try (Funnel funnel = Funnel.open(Target.JVM);
        Plan plan =
            ints(funnel, 4)
                .input("y", ElementType.FLOAT, 4)
                .add("i", SUM, "x")
                .add("l", Reduction.sumAsLong(), "x")
                .add("f", SUM, "y")
                .add("d", Reduction.mean(), "x")
                .build()) {
      Results results =
          plan.run(
              Map.of("x", Elements.of(new int[] {1, 2}), "y", Elements.of(new float[] {0.5f})));
      assertEquals(3, results.getInt("i"));
      assertEquals(3L, results.getLong("l"));
      assertEquals(0.5f, results.getFloat("f"));
      assertEquals(1.5, results.getDouble("d"));
      assertEquals(Set.of("i", "l", "f", "d"), results.names());
      assertThrowsWith(
          IllegalArgumentException.class, () -> results.getFloat("i"), "i", "Integer", "Float");
      assertThrowsWith(
          IllegalArgumentException.class, () -> results.getInt("d"), "d", "Double", "Integer");
      assertThrowsWith(
          IllegalArgumentException.class, () -> results.getFloat("l"), "l", "Long", "Float");
      assertThrowsWith(
          IllegalArgumentException.class, () -> results.getLong("f"), "f", "Float", "Long");
      assertThrowsWith(IllegalArgumentException.class, () -> results.get("nothing"), "nothing");
      assertThrowsWith(NullPointerException.class, () -> results.get((String) null), "name");
      assertThrows(UnsupportedOperationException.class, () -> results.names().clear());
    }
  }

  // Life

  @Test
  void closedPlan_refusesEverything_closingTwiceIsFine() {
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      Plan plan = ints(funnel, 3).add("s", SUM, "x").build();
      Results results = plan.run(Map.of("x", Elements.of(new int[] {7})));
      plan.close();
      plan.close();
      assertEquals(7, results.getInt("s"), "results outlive their plan");
      assertThrowsWith(IllegalStateException.class, plan::run, "plan", "closed");
      assertThrowsWith(
          IllegalStateException.class,
          () -> plan.run(Map.of("x", Elements.of(new int[1]))),
          "closed");
      assertThrowsWith(
          IllegalStateException.class, () -> plan.set("x", Elements.of(new int[1])), "closed");
      assertThrowsWith(IllegalStateException.class, () -> plan.changed("x", 0, 0), "closed");
      assertThrowsWith(IllegalStateException.class, () -> plan.measureKernels(true), "closed");
      assertThrowsWith(
          IllegalStateException.class,
          () ->
              plan.addTo(
                  new uk.ac.manchester.tornado.api.TaskGraph("closed"),
                  new uk.ac.manchester.tornado.api.GridScheduler(),
                  Map.of("x", new IntArray(1))),
          "closed");
    }
  }

  @Test
  void closedFunnel_closesItsPlansAndRefuses_closingTwiceIsFine() {
    Funnel funnel = Funnel.open(Target.JVM);
    Plan plan = ints(funnel, 3).add("s", SUM, "x").build();
    Plan.Builder builder = ints(funnel, 3).add("s", SUM, "x");
    funnel.sum(new int[] {1});
    funnel.close();
    funnel.close();
    assertThrowsWith(IllegalStateException.class, () -> funnel.sum(new int[1]), "closed");
    assertThrowsWith(IllegalStateException.class, () -> funnel.plan("p"), "closed");
    assertThrowsWith(IllegalStateException.class, builder::build, "closed");
    assertThrowsWith(IllegalStateException.class, plan::run, "closed");
    plan.close();
  }

  /** Messages of one-shot calls have the names of the calls' parameters. */
  @Test
  void oneShot_refusalsNameWhatTheCallerKnows() {
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      Elements three = Elements.of(new int[] {1, 7, 2});
      Elements two = Elements.of(new int[2]);
      Elements into = Elements.of(new int[3]);
      assertThrowsWith(
          NoSuchElementException.class,
          () -> funnel.min(new int[0]),
          "min of an empty array is not defined");
      assertThrowsWith(
          IllegalArgumentException.class,
          () -> funnel.scan(three, Scan.inclusive(Operator.SUM), two),
          "output into of plan scan",
          "length=3, capacity=2");
      assertThrowsWith(
          IllegalArgumentException.class,
          () ->
              funnel.scan(
                  three,
                  three,
                  SegmentedScan.inclusive(Operator.SUM).segments(Segments.byOffsets()),
                  into),
          "segments of into by offsets segments: ");
      assertThrowsWith(
          IllegalArgumentException.class,
          () -> funnel.histogram(three, Histogram.ofKeys(3), into),
          "histogram into: samples[1]=7");
      assertThrowsWith(
          IllegalArgumentException.class,
          () -> funnel.histogram(three, two, Histogram.even(3, 0, 9).weighted(), into),
          "samples=3",
          "weights=2");
      assertThrowsWith(
          IllegalArgumentException.class,
          () -> funnel.scatterReduce(three, three, ScatterReduce.by(Operator.SUM), into),
          "into",
          "indices[1]=7");
    }
  }

  @Test
  void oneShot_refuses() {
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      Elements some = Elements.of(new int[2]);
      assertThrowsWith(
          IllegalArgumentException.class, () -> funnel.reduce(some, Reduction.dot()), "two inputs");
      assertThrowsWith(
          IllegalArgumentException.class, () -> funnel.reduce(some, some, SUM), "one input");
      assertThrowsWith(
          IllegalArgumentException.class, () -> funnel.reduce(some, Reduction.minMax()), "plan");
      assertThrowsWith(
          IllegalArgumentException.class,
          () -> funnel.dot(new float[2], new float[3]),
          "FLOAT[2]",
          "FLOAT[3]");
      assertThrowsWith(
          IllegalArgumentException.class,
          () -> funnel.reduce(new float[2], Operator.AND),
          "and",
          "FLOAT");
    }
  }

  @Test
  void bindingAnArray_doesNotCopyIt() {
    DoubleArray array = DoubleArray.fromElements(1, 2, 3);
    try (Funnel funnel = Funnel.open(Target.JVM);
        Plan plan = funnel.plan("p").input("x", array).add("s", Reduction.sum(), "x").build()) {
      assertEquals(6, plan.run().getDouble("s"));
      array.set(0, 10);
      plan.changed("x", 0, 2);
      assertEquals(12, plan.run().getDouble("s"));
    }
  }

  /** What a device must do too. */
  static final class PlanChecks {
    private PlanChecks() {}

    static void lengthsChange(Target target, int capacity) {
      SplittableRandom random = Seed.random("lengths" + target);
      int[] some = random.ints(10, 0, capacity + 1).toArray();
      int[] lengths =
          IntStream.concat(
                  IntStream.of(0, capacity, 1, 0, capacity - 1, 2, capacity), IntStream.of(some))
              .toArray();
      try (Funnel funnel = Funnel.open(target);
          Plan plan =
              ints(funnel, capacity)
                  .add("sum", SUM, "x")
                  .add("max", Reduction.max(), "x")
                  .build()) {
        List<Results> all = new ArrayList<>();
        List<int[]> inputs = new ArrayList<>();
        for (int length : lengths) {
          int[] values = random.ints(length).toArray();
          inputs.add(values);
          all.add(plan.run(Map.of("x", Elements.of(values))));
        }
        for (int i = 0; i < lengths.length; i++) {
          int[] values = inputs.get(i);
          String message = "run " + i + " of length " + lengths[i] + Seed.replay();
          assertEquals(Arrays.stream(values).sum(), all.get(i).getInt("sum"), message);
          if (values.length > 0) {
            assertEquals(
                Arrays.stream(values).max().orElseThrow(), all.get(i).getInt("max"), message);
          }
        }
      }
    }

    static void severalReductions(Target target) {
      int[] x = {3, 1, 4, 1, 5};
      float[] y = {0.5f, -2, 8};
      try (Funnel funnel = Funnel.open(target);
          Plan plan =
              ints(funnel, 2000)
                  .input("y", ElementType.FLOAT, 50)
                  .add("sumX", SUM, "x")
                  .add("sumY", SUM, "y")
                  .add("variance1", Reduction.variance(), "x")
                  .add("variance2", Reduction.variance(), "y")
                  .add("argX", Reduction.argMax(), "x")
                  .add("argY", Reduction.argMin(), "y")
                  .add("ends", Reduction.minMax(), "y")
                  .add("count", Reduction.countIf(Transform.testInt("odd", v -> (v & 1) == 1)), "x")
                  .build()) {
        for (int run = 0; run < 3; run++) {
          Results results = plan.run(Map.of("x", Elements.of(x), "y", Elements.of(y)));
          assertEquals(14, results.getInt("sumX"));
          assertEquals(6.5f, results.getFloat("sumY"));
          assertEquals(2.56, results.getDouble("variance1"), 1e-14);
          assertEquals(18.0555555555555555, results.getDouble("variance2"), 1e-13);
          assertEquals(4, results.getInt("argX"));
          assertEquals(5, results.getInt("argX_value"));
          assertEquals(1, results.getInt("argY"));
          assertEquals(-2f, results.getFloat("argY_value"));
          assertEquals(-2f, results.getFloat("ends_min"));
          assertEquals(8f, results.getFloat("ends_max"));
          assertEquals(4L, results.getLong("count"));
        }
      }
    }

    @SuppressWarnings("try") // closing one of the plans early is the point
    static void twoPlans(Target target) {
      try (Funnel funnel = Funnel.open(target);
          Plan first = ints(funnel, 2000).add("s", SUM, "x").build();
          Plan second = ints(funnel, 4000).add("s", SUM, "x").build()) {
        first.set("x", Elements.of(IntStream.range(0, 2000).toArray()));
        second.set("x", Elements.of(IntStream.range(0, 4000).toArray()));
        for (int run = 0; run < 3; run++) {
          assertEquals(1_999_000, first.run().getInt("s"));
          assertEquals(7_998_000, second.run().getInt("s"));
        }
        second.close();
        assertEquals(1_999_000, first.run().getInt("s"));
      }
    }

    static void emptyInput(Target target) {
      try (Funnel funnel = Funnel.open(target);
          Plan plan =
              ints(funnel, 100)
                  .add("sum", SUM, "x")
                  .add("product", Reduction.product(), "x")
                  .add("squares", Reduction.sumOfSquares(), "x")
                  .add("asDouble", Reduction.sumAsDouble(), "x")
                  .add("count", Reduction.countIf(Transform.testInt("any", v -> true)), "x")
                  .add("mine", Reduction.of(Operator.ofInt("plus", 0, Integer::sum)), "x")
                  .add("min", Reduction.min(), "x")
                  .add("mean", Reduction.mean(), "x")
                  .add("variance", Reduction.variance(), "x")
                  .add("sample", Reduction.sampleVariance(), "x")
                  .add("arg", Reduction.argMin(), "x")
                  .add("ends", Reduction.minMax(), "x")
                  .build()) {
        Results results = plan.run(Map.of("x", Elements.of(new int[0])));
        assertEquals(0, results.getInt("sum"));
        assertEquals(1, results.getInt("product"));
        assertEquals(0L, results.getLong("squares"));
        assertEquals(0d, results.getDouble("asDouble"));
        assertEquals(0L, results.getLong("count"));
        assertEquals(0, results.getInt("mine"));
        for (String undefined :
            List.of(
                "min", "mean", "variance", "sample", "arg", "arg_value", "ends_min", "ends_max")) {
          assertThrowsWith(NoSuchElementException.class, () -> results.get(undefined), "empty");
          assertTrue(results.names().contains(undefined));
        }
        Results one = plan.run(Map.of("x", Elements.of(new int[] {7})));
        assertEquals(7, one.getInt("min"));
        assertEquals(Double.NaN, one.getDouble("sample"));
      }
    }
  }
}
