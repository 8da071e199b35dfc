package funnel.emulator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import funnel.Funnel;
import funnel.GraphResults;
import funnel.Plan;
import funnel.Sdk;
import funnel.group.SegmentedReduce;
import funnel.histogram.Histogram;
import funnel.operation.Operation;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.scan.Segments;
import funnel.transform.Elementwise;
import funnel.transform.Gather;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** Several plans in a task graph of the user's, and what an execution reports, in the emulator. */
class PlansInOneGraphTest {

  private static final int LONG = 20_000;

  private final Emulator emulator = Emulator.builder().build();
  private final TaskGraph graph = new TaskGraph("g");
  private final GridScheduler scheduler = new GridScheduler();
  private Funnel funnel;

  @BeforeEach
  void open() {
    assumeFalse(Sdk.isHere(), "TornadoVM's own task graph does not tell its tasks");
    funnel = Funnel.open(Target.JVM);
  }

  @AfterEach
  void close() {
    if (funnel != null) {
      funnel.close();
    }
  }

  private void execute() {
    emulator.run(graph, scheduler);
  }

  private static IntArray counting(int length) {
    return IntArray.fromArray(IntStream.rangeClosed(1, length).toArray());
  }

  private static List<Operation> operations() {
    return List.of(
        Reduction.sum(), Elementwise.ofInt("twice", v -> 2 * v), Scan.inclusive(Operator.SUM));
  }

  private static int[] expected(Operation operation, int length) {
    int[] all = IntStream.rangeClosed(1, length).toArray();
    return switch (operation) {
      case Reduction _ -> new int[] {IntStream.of(all).sum()};
      case Elementwise _ -> IntStream.of(all).map(v -> 2 * v).toArray();
      default -> {
        for (int i = 1; i < length; i++) {
          all[i] += all[i - 1];
        }
        yield all;
      }
    };
  }

  private static int[] got(Operation operation, GraphResults results) {
    return operation instanceof Reduction
        ? new int[] {results.get("y").intValue()}
        : ((IntArray) results.written("y")).toHeapArray();
  }

  private Plan plan(Operation operation, int capacity) {
    return funnel.plan("p").input("x", ElementType.INT, capacity).add("y", operation, "x").build();
  }

  @ParameterizedTest
  @MethodSource("operations")
  void outputsOfOneName_areEachPlansOwn(Operation operation) {
    int[] lengths = {LONG, 100, LONG, 1};
    GraphResults[] results = new GraphResults[lengths.length];
    for (int i = 0; i < lengths.length; i++) {
      try (Plan plan = plan(operation, lengths[i])) {
        results[i] = plan.addTo(graph, scheduler, Map.of("x", counting(lengths[i])));
      }
    }
    for (int execution = 0; execution < 2; execution++) {
      execute();
      for (int i = 0; i < lengths.length; i++) {
        results[i].requireSound();
        assertArrayEquals(expected(operation, lengths[i]), got(operation, results[i]));
      }
    }
  }

  @Test
  void onePlanAddedTwice_worksOnBothArrays() {
    try (Plan plan = plan(Reduction.sum(), LONG)) {
      GraphResults first = plan.addTo(graph, scheduler, Map.of("x", counting(LONG)));
      GraphResults second = plan.addTo(graph, scheduler, Map.of("x", counting(10)));
      execute();
      assertEquals(LONG * (LONG + 1) / 2, first.get("y"));
      assertEquals(55, second.get("y"));
    }
  }

  @Test
  void tasksOfOneName_areRefusedByTheEmulator() {
    try (Plan plan = plan(Reduction.sum(), 100)) {
      plan.addTo(graph, scheduler, Map.of("x", counting(100)));
      plan.addTo(graph, new GridScheduler(), Map.of("x", counting(10))); // knows of no other plan
    }
    String message = assertThrows(IllegalArgumentException.class, this::execute).getMessage();
    assertTrue(message.startsWith("two tasks are called g."), message);
  }

  // What an execution reports

  private GraphResults add(Plan.Builder builder, Map<String, ? extends TornadoNativeArray> arrays) {
    try (Plan plan = builder.build()) {
      return plan.addTo(graph, scheduler, arrays);
    }
  }

  private static String thrown(GraphResults results) {
    return assertThrows(RuntimeException.class, results::requireSound).getMessage();
  }

  @Test
  void positionOutside_isWhatCanBeAskedFor_untilItIsRight() {
    IntArray at = counting(10);
    at.set(9, 0);
    GraphResults results =
        add(
            funnel
                .plan("p")
                .input("x", ElementType.INT, 10)
                .input("at", ElementType.INT, 10)
                .add("y", Gather.at(), "x", "at")
                .add("sum", Reduction.sum(), "y"),
            Map.of("x", counting(10), "at", at));
    assertTrue(thrown(results).contains("was not executed"), () -> thrown(results));
    execute();
    results.requireSound();
    assertEquals(55, results.get("sum"));
    at.set(4, 10);
    execute();
    String message = thrown(results);
    assertTrue(message.contains("10") && message.contains("at"), message);
    assertThrows(RuntimeException.class, () -> results.get("sum"));
    results.setLength("at", 3); // for the next execution: the last one was as wrong as it was
    assertEquals(message, thrown(results));
    execute();
    assertEquals(2 + 3 + 4, results.get("sum"));
  }

  @Test
  void keyOutside_isWhatCanBeAskedFor() {
    IntArray keys = IntArray.fromElements(0, 1, 7, 2);
    GraphResults results =
        add(
            funnel.plan("p").input("k", ElementType.INT, 4).add("counts", Histogram.ofKeys(3), "k"),
            Map.of("k", keys));
    execute();
    String message = thrown(results);
    assertTrue(message.contains("7"), message);
    keys.set(2, 2);
    execute();
    results.requireSound();
    assertArrayEquals(new int[] {1, 1, 2}, ((IntArray) results.written("counts")).toHeapArray());
  }

  @Test
  void offsetsThatDescend_areWhatCanBeAskedFor() {
    IntArray offsets = IntArray.fromElements(0, 6, 3);
    GraphResults results =
        add(
            funnel
                .plan("p")
                .input("x", ElementType.INT, 10)
                .input("offsets", ElementType.INT, 3)
                .add(
                    "y",
                    SegmentedReduce.by(Operator.SUM).segments(Segments.byOffsets()),
                    "x",
                    "offsets"),
            Map.of("x", counting(10), "offsets", offsets));
    execute();
    assertTrue(thrown(results).contains("offsets"), () -> thrown(results));
    offsets.set(1, 2);
    execute();
    results.requireSound();
    assertArrayEquals(new int[] {3, 3, 49}, ((IntArray) results.written("y")).toHeapArray());
  }
}
