package funnel.docs;

import funnel.Elements;
import funnel.Funnel;
import funnel.GraphResults;
import funnel.Plan;
import funnel.Results;
import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.transform.AdjacentDifference;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;

/** The examples of {@link Elements}, {@link Results} and {@link GraphResults}. */
final class ResultsSnippets {

  private ResultsSnippets() {}

  /** Sums of an array, of a part of it, and of a file of floats. */
  static List<Number> sums(Funnel funnel, Path file) throws IOException {
    // @start region="elements"
    int[] digits = {3, 1, 4, 1, 5};
    Elements all = Elements.of(digits);
    Elements middle = Elements.of(digits, 1, 4); // 1, 4, 1
    Number sum = funnel.reduce(all, Reduction.sum()); // 14
    Number sumOfMiddle = funnel.reduce(middle, Reduction.sum()); // 6

    double sumOfFile;
    try (FileChannel channel = FileChannel.open(file);
        Arena arena = Arena.ofShared()) { // shared, so that all cores may read it
      MemorySegment mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
      Elements floats = Elements.of(mapped, ElementType.FLOAT);
      sumOfFile = funnel.sumAsDouble(floats);
    }
    // @end
    return List.of(sum, sumOfMiddle, sumOfFile);
  }

  // @start region="as"
  record Prices(int cheapest, long total, int[] running) {}

  /** The outputs of a run, with their types. */
  static Prices typed(Plan plan, int[] prices) {
    return plan.run(Map.of("prices", Elements.of(prices))).as(Prices.class);
  }

  // @end

  // @start region="results"
  /** Of 3, 1, 4: what is cheapest, and what all of them cost. */
  static String prices(Funnel funnel, int[] prices) {
    try (Plan plan =
        funnel
            .plan("prices")
            .input("prices", ElementType.INT, prices.length)
            .add("cheapest", Reduction.argMin(), "prices")
            .add("total", Reduction.sumAsLong(), "prices")
            .add("running", Scan.inclusive(Operator.SUM), "prices")
            .build()) {
      Results results = plan.run(Map.of("prices", Elements.of(prices)));
      int cheapest = results.getInt("cheapest"); // 1, the index
      long total = results.getLong("total"); // 8
      int[] running = results.ints("running"); // 3, 4, 8
      int sums = results.length("running"); // 3, without a copy of them
      return "%s, %s, %s of %s".formatted(cheapest, total, Arrays.toString(running), sums);
    } catch (NoSuchElementException e) {
      return "no prices: " + e.getMessage(); // arg min of an empty array is not ...
    }
  }

  // @end

  /** Gaps between elements, and the smallest and largest one. */
  static String gapsAndEnds(Funnel funnel) {
    // @start region="run"
    Elements digits = Elements.of(new int[] {3, 1, 4, 1, 5});
    int[] gaps = funnel.run(AdjacentDifference.left(), digits).ints("result"); // 3, -2, 3, -3, 4
    Results ends = funnel.run(Reduction.minMax(), digits);
    int least = ends.getInt("result_min"); // 1
    int most = ends.getInt("result_max"); // 5
    // @end
    return "%s, %s to %s".formatted(Arrays.toString(gaps), least, most);
  }

  // @start region="graph"
  /** Divides each element by an element of another array. */
  static void divide(KernelContext context, FloatArray values, FloatArray divisors, int index) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      values.set(i, values.get(i) / divisors.get(index));
    }
  }

  /**
   * Adds the maximum of {@code values}, then their division by it, which reads it on the device.
   */
  static GraphResults scaleToOne(
      Plan plan, TaskGraph graph, GridScheduler scheduler, FloatArray values) {
    graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, values);
    GraphResults results = plan.addTo(graph, scheduler, Map.of("x", values));
    division(values, results).addTo(graph, scheduler);
    graph.transferToHost(DataTransferMode.EVERY_EXECUTION, values);
    return results; // after each execution, results.get("max") is what values were divided by
  }

  static KernelTask division(FloatArray values, GraphResults results) {
    Grid grid = Grid.of(Math.ceilDiv(values.getSize(), 256), 256);
    FloatArray maxima = (FloatArray) results.array("max");
    int index = results.index("max");
    return KernelTask.of("divide", grid, ResultsSnippets::divide, values, maxima, index);
  }

  static Plan maximum(Funnel funnel, int capacity) {
    return funnel
        .plan("maximum")
        .input("x", ElementType.FLOAT, capacity)
        .add("max", Reduction.max(), "x")
        .build();
  }
  // @end
}
