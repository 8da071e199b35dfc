package funnel.docs;

import funnel.Funnel;
import funnel.GraphResults;
import funnel.Plan;
import funnel.emulator.Emulator;
import funnel.emulator.Order;
import funnel.operator.ElementType;
import funnel.reduce.Reduction;
import java.util.Map;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.WorkerGrid;
import uk.ac.manchester.tornado.api.WorkerGrid1D;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.exceptions.TornadoExecutionPlanException;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The examples of {@link Plan#addTo} and of {@link Emulator#run(TaskGraph, GridScheduler)}. */
final class TaskGraphSnippets {

  private TaskGraphSnippets() {}

  /** What is composed: a graph, its scheduler, and where the results will be. */
  record Composed(TaskGraph graph, GridScheduler scheduler, GraphResults results) {}

  // @start region="compose"
  /** A kernel of your own: one thread an element. */
  static void squares(KernelContext context, IntArray values, IntArray squares) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      int value = values.get(i);
      squares.set(i, value * value);
    }
  }

  /** Your kernel, and behind it, on the device, the sum and the maximum of what it wrote. */
  static Composed compose(Plan plan, String name, IntArray values, IntArray squares) {
    TaskGraph graph = new TaskGraph(name);
    graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, values);
    graph.transferToDevice(DataTransferMode.UNDER_DEMAND, squares); // is not copied
    graph.task("squares", TaskGraphSnippets::squares, new KernelContext(), values, squares);
    WorkerGrid worker = new WorkerGrid1D(Math.ceilDiv(values.getSize(), 256) * 256);
    worker.setLocalWork(256, 1, 1);
    GridScheduler scheduler = new GridScheduler(name + ".squares", worker);
    GraphResults results = plan.addTo(graph, scheduler, Map.of("x", squares));
    return new Composed(graph, scheduler, results);
  }

  static Plan plan(Funnel funnel, int capacity) {
    return funnel
        .plan("totals")
        .input("x", ElementType.INT, capacity)
        .add("sum", Reduction.sumAsLong(), "x")
        .add("max", Reduction.max(), "x")
        .build();
  }

  static long sumOfSquares(Composed composed) throws TornadoExecutionPlanException {
    try (TornadoExecutionPlan execution = new TornadoExecutionPlan(composed.graph().snapshot())) {
      execution.withGridScheduler(composed.scheduler()).execute();
      return composed.results().get("sum").longValue();
    }
  }

  // @end

  // @start region="emulated"
  /** The same graph without a GPU and an SDK: every kernel thread by thread, checked. */
  static long sumInEmulator(Composed composed) {
    Emulator emulator = Emulator.builder().order(Order.RANDOM).seed(7).detectRaces(true).build();
    emulator.run(composed.graph(), composed.scheduler());
    return composed.results().get("sum").longValue(); // of 1, 2, 3: 14
  }
  // @end
}
