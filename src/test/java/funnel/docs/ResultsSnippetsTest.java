package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import funnel.Funnel;
import funnel.GraphResults;
import funnel.Plan;
import funnel.Sdk;
import funnel.Seed;
import funnel.emulator.Emulator;
import funnel.emulator.Order;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;

/** The examples of elements and results do what they say. */
class ResultsSnippetsTest {

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void elements(Target target, @TempDir Path directory) throws IOException {
    ByteBuffer floats = ByteBuffer.allocate(100_000 * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    while (floats.hasRemaining()) {
      floats.putFloat(0.5f);
    }
    Path file = directory.resolve("floats");
    Files.write(file, floats.array());
    try (Funnel funnel = Funnel.open(target)) {
      assertEquals(List.of(14, 6, 50_000.0), ResultsSnippets.sums(funnel, file));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void results(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      assertEquals("1, 8, [3, 4, 8] of 3", ResultsSnippets.prices(funnel, new int[] {3, 1, 4}));
      assertEquals(
          "no prices: arg min of an empty array is not defined: length of prices=0",
          ResultsSnippets.prices(funnel, new int[0]));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void run(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      assertEquals("[3, -2, 3, -3, 4], 1 to 5", ResultsSnippets.gapsAndEnds(funnel));
    }
  }

  private static float[] scaled(FloatArray values) {
    float[] scaled = new float[values.getSize()];
    for (int i = 0; i < scaled.length; i++) {
      scaled[i] = values.get(i) / 4;
    }
    return scaled;
  }

  /** Without a device, the maximum is put where the plan's tasks would leave it. */
  @ParameterizedTest
  @EnumSource
  void graph(Order order) {
    assumeFalse(Sdk.isHere(), "looks into our own statement of TaskGraph");
    FloatArray values = FloatArray.fromElements(3, 1, 4, 1, 2.5f);
    float[] expected = scaled(values);
    TaskGraph graph = new TaskGraph("scaleToOne");
    GridScheduler scheduler = new GridScheduler();
    try (Funnel funnel = Funnel.open(Target.JVM);
        Plan plan = ResultsSnippets.maximum(funnel, 10)) {
      GraphResults results = ResultsSnippets.scaleToOne(plan, graph, scheduler, values);
      assertTrue(scheduler.keySet().contains("scaleToOne.divide"), scheduler.keySet().toString());
      assertTrue(graph.getOutputs().contains(values));
      FloatArray maxima = (FloatArray) results.array("max");
      assertTrue(graph.getArgumentsLookup().contains(maxima));
      maxima.set(results.index("max"), 4);
      assertThrows(IllegalStateException.class, () -> results.get("max"), "nothing was executed");
      Emulator.builder()
          .order(order)
          .seed(Seed.VALUE)
          .detectRaces(true)
          .build()
          .run(ResultsSnippets.division(values, results));
    }
    assertArrayEquals(expected, values.toHeapArray());
  }

  @Test
  void outputsAreARecord() {
    try (Funnel funnel = Funnel.open(Target.JVM);
        Plan plan =
            funnel
                .plan("prices")
                .input("prices", ElementType.INT, 3)
                .add("cheapest", Reduction.argMin(), "prices")
                .add("total", Reduction.sumAsLong(), "prices")
                .add("running", Scan.inclusive(Operator.SUM), "prices")
                .build()) {
      ResultsSnippets.Prices typed = ResultsSnippets.typed(plan, new int[] {3, 1, 4});
      assertEquals(1, typed.cheapest());
      assertEquals(8, typed.total());
      assertArrayEquals(new int[] {3, 4, 8}, typed.running());
    }
  }

  @Tag("gpu")
  @Test
  void graph_onDevice() throws Exception {
    FloatArray values = FloatArray.fromElements(3, 1, 4, 1, 2.5f);
    float[] expected = scaled(values);
    TaskGraph graph = new TaskGraph("scaleToOne");
    GridScheduler scheduler = new GridScheduler();
    try (Funnel funnel = Funnel.open(Target.TORNADO);
        Plan plan = ResultsSnippets.maximum(funnel, 10)) {
      GraphResults results = ResultsSnippets.scaleToOne(plan, graph, scheduler, values);
      try (TornadoExecutionPlan execution = new TornadoExecutionPlan(graph.snapshot())) {
        execution.withGridScheduler(scheduler).execute();
        assertEquals(4f, results.get("max"));
      }
    }
    assertArrayEquals(expected, values.toHeapArray());
  }
}
