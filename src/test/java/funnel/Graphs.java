package funnel;

import funnel.kernel.KernelTask;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.exceptions.TornadoExecutionPlanException;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** Runs a task on the device as a user of TornadoVM would. */
public final class Graphs {

  private static final AtomicLong NUMBER = new AtomicLong();

  private Graphs() {}

  /**
   * Uploads {@code arrays}, runs the task, and copies them all back; twice, since the cuda backend
   * clears new arrays that a task only writes without waiting for it, so that what the first
   * execution wrote may be cleared behind it.
   */
  public static void run(KernelTask task, Object... arrays) throws TornadoExecutionPlanException {
    TaskGraph graph = new TaskGraph("funnelTest" + NUMBER.incrementAndGet());
    GridScheduler scheduler = new GridScheduler();
    graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, arrays);
    task.addTo(graph, scheduler);
    graph.transferToHost(DataTransferMode.EVERY_EXECUTION, arrays);
    try (TornadoExecutionPlan plan = new TornadoExecutionPlan(graph.snapshot())) {
      List<byte[]> before = Stream.of(arrays).map(Graphs::bytes).toList();
      plan.withGridScheduler(scheduler).execute();
      for (int i = 0; i < arrays.length; i++) {
        segment(arrays[i]).copyFrom(MemorySegment.ofArray(before.get(i)));
      }
      plan.withGridScheduler(scheduler).execute();
    }
  }

  private static MemorySegment segment(Object array) {
    return ((TornadoNativeArray) array).getSegment();
  }

  private static byte[] bytes(Object array) {
    return segment(array).toArray(ValueLayout.JAVA_BYTE);
  }
}
