package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import funnel.Elements;
import funnel.Funnel;
import funnel.Graphs;
import funnel.Plan;
import funnel.Profile;
import funnel.Sdk;
import funnel.Seed;
import funnel.docs.TaskGraphSnippets.Composed;
import funnel.emulator.Emulator;
import funnel.emulator.Order;
import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.reduce.Reduction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.exceptions.TornadoRuntimeException;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The examples of the documentation do what they say, and plans join graphs of a user's own. */
class SnippetsTest {

  @Test
  void heat() {
    // alpha t / dx^2 is 200: 20 + 80 erfc(32 / (2 sqrt(200))) = 28.8
    assertEquals("after 1.82 s: 28.8 degrees", HeatSnippets.plate().replace(',', '.'));
  }

  @Test
  void quickStart() {
    assertEquals("sum=500000500000, large=[999000, 1000000]", QuickStart.run());
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void plan(Target target) {
    plans(target);
  }

  @Tag("gpu")
  @Test
  void plan_onDevice() {
    plans(Target.TORNADO);
  }

  private static void plans(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      assertEquals(
          List.of("mean 2.0, 1.0 to 3.0, hottest at 1", "mean 5.5, 5.5 to 5.5, hottest at 0"),
          PlanSnippets.summaries(funnel, List.of(new float[] {2, 3, 1}, new float[] {5.5f})));
      assertEquals(3, PlanSnippets.largest(funnel, new int[] {2, 3, 1}).join());
      assertEquals(
          List.of(12L, 3L),
          PlanSnippets.totals(funnel, List.of(new int[] {3, 1, 4, 5}, new int[] {3})));
      assertEquals(List.of(2L, 1L, 0L), PlanSnippets.above(funnel, new float[] {2, 3, 1}, 1, 2, 3));
      assertEquals(
          List.of("sorted", "hottest"),
          PlanSnippets.profile(funnel, new float[] {2, 3, 1}).operations().stream()
              .map(Profile.Row::operation)
              .toList());
    }
  }

  // Composition

  private static IntArray values(int n) {
    SplittableRandom random = Seed.random("squares");
    IntArray values = new IntArray(n);
    for (int i = 0; i < n; i++) {
      values.set(i, random.nextInt(-40_000, 40_000));
    }
    return values;
  }

  private static long sumOfSquares(IntArray values) {
    long sum = 0;
    for (int i = 0; i < values.getSize(); i++) {
      sum += values.get(i) * values.get(i);
    }
    return sum;
  }

  private static int largestSquare(IntArray values) {
    int largest = Integer.MIN_VALUE;
    for (int i = 0; i < values.getSize(); i++) {
      largest = Math.max(largest, values.get(i) * values.get(i));
    }
    return largest;
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void compose_graphHasAllTasksGridsAndTransfers(Target target) {
    assumeFalse(Sdk.isHere(), "looks into our own statement of TaskGraph");
    int n = 5000;
    IntArray values = values(n);
    IntArray squares = new IntArray(n);
    try (Funnel funnel = Funnel.open(target);
        Plan plan = TaskGraphSnippets.plan(funnel, 10_000)) {
      Composed composed = TaskGraphSnippets.compose(plan, "graph", values, squares);
      assertEquals(
          Set.of(
              "graph.squares",
              "graph.sum_first_results0", // which has them uploaded
              "graph.sum_first_results1",
              "graph.sum_rows",
              "graph.sum_finish",
              "graph.max_rows",
              "graph.max_finish"),
          composed.scheduler().keySet());
      for (String task : composed.scheduler().keySet()) {
        long[] global = composed.scheduler().get(task).getGlobalWork();
        long[] local = composed.scheduler().get(task).getLocalWork();
        assertEquals(task.contains("results") ? 1 : 256, local[0], task);
        assertEquals(0, global[0] % local[0], task);
      }
      Object sums = composed.results().array("sum");
      Object maxima = composed.results().array("max");
      assertTrue(composed.graph().getArgumentsLookup().contains(values));
      assertTrue(composed.graph().getArgumentsLookup().contains(sums));
      assertTrue(composed.graph().getOutputs().contains(sums));
      assertTrue(composed.graph().getOutputs().contains(maxima));
      assertEquals(0, composed.results().index("sum"));
      assertThrows(IllegalArgumentException.class, () -> composed.results().get("nothing"));
      assertThrows(IllegalArgumentException.class, () -> composed.results().setLength("x", n + 1));
      assertThrows(IllegalArgumentException.class, () -> composed.results().setLength("x", -1));
      composed.results().setLength("x", 0);
      assertThrows(IllegalStateException.class, () -> composed.results().get("sum"));
      TornadoRuntimeException e =
          assertThrows(
              TornadoRuntimeException.class, () -> TaskGraphSnippets.sumOfSquares(composed));
      assertTrue(e.getMessage().contains("TORNADOVM_HOME"), e.getMessage());
      assertEquals(
          3L, plan.run(Map.of("x", Elements.of(new int[] {1, 2}))).getLong("sum"), "still usable");
    }
  }

  @Test
  void compose_inEmulator_lengthsChange_andRunsRepeat() {
    assumeFalse(Sdk.isHere(), "TornadoVM's own task graph does not tell its tasks");
    int n = 5000;
    IntArray values = values(n);
    IntArray squares = new IntArray(n);
    try (Funnel funnel = Funnel.open(Target.JVM);
        Plan plan = TaskGraphSnippets.plan(funnel, n)) {
      Composed composed = TaskGraphSnippets.compose(plan, "emulated", values, squares);
      assertEquals(sumOfSquares(values), TaskGraphSnippets.sumInEmulator(composed));
      assertEquals(largestSquare(values), composed.results().get("max"));
      composed.results().setLength("x", 1);
      assertEquals((long) values.get(0) * values.get(0), TaskGraphSnippets.sumInEmulator(composed));
      composed.results().setLength("x", 0);
      assertEquals(0L, TaskGraphSnippets.sumInEmulator(composed));
      assertThrows(
          NoSuchElementException.class,
          () -> composed.results().get("max"),
          "max of nothing is not defined in a graph either");
    }
  }

  @Test
  void compose_everyOutputHasAnArray_unknownNamesAreRefused() {
    IntArray values = new IntArray(10);
    try (Funnel funnel = Funnel.open(Target.JVM);
        Plan plan =
            funnel
                .plan("outputs")
                .input("x", ElementType.INT, 10)
                .add("least", Reduction.argMin(), "x")
                .add("ends", Reduction.minMax(), "x")
                .add("variance", Reduction.variance(), "x")
                .build()) {
      var graph = new TaskGraph("outputs");
      var scheduler = new GridScheduler();
      var results = plan.addTo(graph, scheduler, Map.of("x", values));
      List<String> wrong = new ArrayList<>();
      for (String output : List.of("least", "least_value", "ends_min", "ends_max", "variance")) {
        try {
          results.array(output);
          results.index(output);
        } catch (RuntimeException e) {
          wrong.add(output + ": " + e);
        }
      }
      assertEquals(List.of(), wrong);
      assertThrows(IllegalArgumentException.class, () -> results.array("nothing"));
      assertThrows(IllegalArgumentException.class, () -> results.index("nothing"));
      assertThrows(IllegalArgumentException.class, () -> results.setLength("nothing", 1));
    }
  }

  @Test
  void compose_refuses() {
    try (Funnel funnel = Funnel.open(Target.JVM);
        Plan plan = TaskGraphSnippets.plan(funnel, 10)) {
      var graph = new TaskGraph("refusing");
      var scheduler = new GridScheduler();
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class, () -> plan.addTo(graph, scheduler, Map.of()));
      assertTrue(e.getMessage().contains("x"), e.getMessage());
      e =
          assertThrows(
              IllegalArgumentException.class,
              () -> plan.addTo(graph, scheduler, Map.of("x", new DoubleArray(3))));
      assertTrue(e.getMessage().contains("DOUBLE[3] for INT[10]"), e.getMessage());
      e =
          assertThrows(
              IllegalArgumentException.class,
              () -> plan.addTo(graph, scheduler, Map.of("x", new IntArray(11))));
      assertTrue(e.getMessage().contains("INT[11] for INT[10]"), e.getMessage());
      e =
          assertThrows(
              IllegalArgumentException.class,
              () ->
                  plan.addTo(graph, scheduler, Map.of("x", new IntArray(1), "z", new IntArray(1))));
      assertTrue(e.getMessage().contains("z"), e.getMessage());
    }
  }

  @Tag("gpu")
  @Test
  void compose_onDevice_ownKernelFirst_thenReductions() throws Exception {
    int n = 1_000_003;
    IntArray values = values(n);
    IntArray squares = new IntArray(n);
    try (Funnel funnel = Funnel.open(Target.TORNADO);
        Plan plan = TaskGraphSnippets.plan(funnel, 2_000_000)) {
      Composed composed = TaskGraphSnippets.compose(plan, "squaresThenTotals", values, squares);
      assertEquals(sumOfSquares(values), TaskGraphSnippets.sumOfSquares(composed));
      assertEquals(largestSquare(values), composed.results().get("max"));
    }
  }

  @Tag("gpu")
  @Test
  void compose_onDevice_lengthsChange_andExecutionsRepeat() throws Exception {
    int n = 100_000;
    IntArray values = values(n);
    IntArray squares = new IntArray(n);
    try (Funnel funnel = Funnel.open(Target.TORNADO);
        Plan plan = TaskGraphSnippets.plan(funnel, n)) {
      Composed composed = TaskGraphSnippets.compose(plan, "lengthsOfTotals", values, squares);
      try (TornadoExecutionPlan execution = new TornadoExecutionPlan(composed.graph().snapshot())) {
        execution.withGridScheduler(composed.scheduler());
        for (int length : new int[] {n, 1, 50_001, 0, n}) {
          composed.results().setLength("x", length);
          execution.execute();
          long sum = 0;
          for (int i = 0; i < length; i++) {
            sum += values.get(i) * values.get(i);
          }
          assertEquals(sum, composed.results().get("sum"), "length " + length);
        }
      }
    }
  }

  // A kernel of a user's with a collective

  private static final int ROWS = 5;

  private static DoubleArray matrix(int columns) {
    SplittableRandom random = Seed.random("matrix");
    DoubleArray matrix = new DoubleArray(ROWS * columns);
    for (int i = 0; i < matrix.getSize(); i++) {
      matrix.set(i, random.nextDouble(1, 2));
    }
    return matrix;
  }

  private static void checkRows(DoubleArray before, DoubleArray after, int columns) {
    for (int row = 0; row < ROWS; row++) {
      double sum = 0;
      for (int column = 0; column < columns; column++) {
        sum += before.get(row * columns + column);
      }
      for (int column = 0; column < columns; column++) {
        int at = row * columns + column;
        assertEquals(before.get(at) / sum, after.get(at), 1e-12, "at " + at + Seed.replay());
      }
    }
  }

  private static KernelTask normalize(DoubleArray matrix, int columns, int threads) {
    return KernelTask.of(
        "normalize",
        Grid.of(ROWS, threads),
        BlockSnippets::normalizeRows,
        matrix,
        columns,
        threads);
  }

  @ParameterizedTest
  @EnumSource
  void blockReduce_inAKernelOfAUser(Order order) {
    for (int columns : new int[] {1, 100, 256, 1000}) {
      DoubleArray before = matrix(columns);
      DoubleArray after = DoubleArray.fromSegment(before.getSegment());
      Emulator.builder()
          .order(order)
          .seed(Seed.VALUE)
          .detectRaces(true)
          .build()
          .run(normalize(after, columns, 128));
      checkRows(before, after, columns);
    }
  }

  @Tag("gpu")
  @Test
  void blockReduce_inAKernelOfAUser_onDevice() throws Exception {
    for (int columns : new int[] {1, 100, 256, 1000}) {
      DoubleArray before = matrix(columns);
      DoubleArray after = DoubleArray.fromSegment(before.getSegment());
      Graphs.run(normalize(after, columns, 256), after);
      checkRows(before, after, columns);
    }
  }
}
