package funnel;

import funnel.jit.KernelTask;
import java.util.concurrent.atomic.AtomicLong;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.exceptions.TornadoExecutionPlanException;

/** Runs a task on the device as a user of TornadoVM would. */
public final class Graphs {

  private static final AtomicLong NUMBER = new AtomicLong();

  private Graphs() {}

  /** Uploads {@code arrays}, runs the task, and copies them all back. */
  public static void run(KernelTask task, Object... arrays) throws TornadoExecutionPlanException {
    TaskGraph graph = new TaskGraph("funnelTest" + NUMBER.incrementAndGet());
    GridScheduler scheduler = new GridScheduler();
    graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, arrays);
    task.addTo(graph, scheduler);
    graph.transferToHost(DataTransferMode.EVERY_EXECUTION, arrays);
    try (TornadoExecutionPlan plan = new TornadoExecutionPlan(graph.snapshot())) {
      plan.withGridScheduler(scheduler).execute();
    }
  }
}
