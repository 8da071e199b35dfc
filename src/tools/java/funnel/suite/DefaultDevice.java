package funnel.suite;

import funnel.kernel.KernelTask;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.WorkerGrid;
import uk.ac.manchester.tornado.api.WorkerGrid1D;
import uk.ac.manchester.tornado.api.common.TornadoDevice;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.exceptions.TornadoExecutionPlanException;
import uk.ac.manchester.tornado.api.runtime.TornadoRuntimeProvider;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** TornadoVM's default device. */
final class DefaultDevice implements Device {

  /* Every trial has its own plan, so that its kernels are compiled for it, and its own name of the
   * graph, since compiled kernels are found by name.
   *
   * The pulse is the simplest kernel, in a plan that is kept: it increments every element.
   * TornadoVM prints errors of the driver and otherwise ignores them, so that only a result shows
   * whether the device still works.
   *
   * The results of a plan's first execution are ignored: the cuda backend clears new arrays that a
   * task only writes, does not wait until they are cleared, and may clear what the task wrote.
   */

  private static final AtomicInteger GRAPHS = new AtomicInteger();
  private static final int PULSE = 64;

  private final Expected<IntArray> pulses = Expected.ints(new int[PULSE]);
  private @Nullable TornadoExecutionPlan pulse;

  @Override
  public String name() {
    TornadoDevice device = TornadoRuntimeProvider.getTornadoRuntime().getDefaultDevice();
    return device.getTornadoVMBackend() + ", " + device.getPhysicalDevice().getDeviceName();
  }

  @Override
  public void run(JitTrial trial) throws Throwable {
    try (TornadoExecutionPlan plan = planOf(trial)) {
      List<Runnable> restored = references(trial).stream().map(DefaultDevice::restoring).toList();
      plan.execute();
      restored.forEach(Runnable::run);
      plan.execute();
      for (Runnable change : trial.changes()) {
        change.run();
        plan.execute();
      }
    }
  }

  @Override
  public void compile(JitTrial trial) throws Throwable {
    try (TornadoExecutionPlan plan = planOf(trial)) {
      plan.withPreCompilation();
    }
  }

  @Override
  public Optional<String> trouble() {
    try {
      if (pulse == null) {
        pulse =
            planOf(
                JitTrial.of(
                    KernelTask.of(
                        "pulse", Trials.gridFor(PULSE), LaunchKernels::up, pulses.array()),
                    pulses));
      }
      int before = pulses.array().get(PULSE - 1);
      pulse.execute();
      int after = pulses.array().get(PULSE - 1);
      return after == before + 1
          ? Optional.empty()
          : Optional.of("a kernel that adds 1 to %s gave %s".formatted(before, after));
    } catch (Throwable e) {
      return Optional.of("a kernel that adds 1 failed: " + e);
    }
  }

  @Override
  public void close() {
    if (pulse != null) {
      try {
        pulse.close();
      } catch (TornadoExecutionPlanException e) {
        throw new IllegalStateException("freeing the device's memory", e);
      }
    }
  }

  private static TornadoExecutionPlan planOf(JitTrial trial) {
    TaskGraph graph = new TaskGraph("jitSuite" + GRAPHS.incrementAndGet());
    GridScheduler scheduler = new GridScheduler();
    graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, references(trial).toArray());
    for (KernelTask task : trial.tasks()) {
      task.addTo(graph, scheduler);
      if (trial.launch() == JitTrial.Launch.PARTIAL_BLOCK) {
        scheduler.addWorkerGrid(graph.getTaskGraphName() + "." + task.id(), partial(task.grid()));
      }
    }
    graph.transferToHost(
        DataTransferMode.EVERY_EXECUTION, trial.outputs().stream().map(Output::array).toArray());
    TornadoExecutionPlan plan = new TornadoExecutionPlan(graph.snapshot());
    return trial.launch() == JitTrial.Launch.NO_WORKER_GRID
        ? plan
        : plan.withGridScheduler(scheduler);
  }

  /** The arguments that are not scalars, each once. */
  private static Set<Object> references(JitTrial trial) {
    Set<Object> references = Collections.newSetFromMap(new IdentityHashMap<>());
    for (KernelTask task : trial.tasks()) {
      task.arguments().stream().filter(a -> !isScalar(a)).forEach(references::add);
    }
    return references;
  }

  private static boolean isScalar(Object argument) {
    return argument instanceof Integer
        || argument instanceof Long
        || argument instanceof Float
        || argument instanceof Double;
  }

  /** Restores the present contents of an argument later. */
  private static Runnable restoring(Object argument) {
    if (argument instanceof TornadoNativeArray array) {
      byte[] before = array.getSegment().toArray(ValueLayout.JAVA_BYTE);
      return () -> array.getSegment().copyFrom(MemorySegment.ofArray(before));
    }
    if (argument instanceof AtomicInteger counter) {
      int before = counter.get();
      return () -> counter.set(before);
    }
    throw new IllegalArgumentException("no array or counter: " + argument.getClass());
  }

  private static WorkerGrid partial(KernelTask.Grid grid) {
    WorkerGrid worker = new WorkerGrid1D(grid.blocks() * grid.threads() - grid.threads() / 2);
    worker.setLocalWork(grid.threads(), 1, 1);
    return worker;
  }
}
