package funnel.bench;

import funnel.engine.tornado.HostArrays;
import funnel.operator.Operator;
import java.util.concurrent.atomic.AtomicLong;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.TornadoExecutionResult;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.enums.ProfilerMode;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * TornadoVM's own reduction, by its annotations {@code @Parallel} and {@code @Reduce}. TornadoVM
 * rewrites the graph and uploads the input with every execution, whatever the graph says; this is
 * part of its wall time, not of its kernel time.
 */
final class TornadoReduceSubject implements Subject<Workload, Operator, PrimitiveCase> {

  private static final AtomicLong GRAPHS = new AtomicLong();

  @Override
  public String name() {
    return "tornado-reduce";
  }

  /** A fault of its kernels could make the device unusable for others. */
  @Override
  public boolean isLast() {
    return true;
  }

  @Override
  public Measurement<PrimitiveCase> measure(Workload workload, Operator operator, Effort effort) {
    PrimitiveCase what = PrimitiveCase.of(Work.REDUCE, workload, operator);
    TornadoNativeArray result = HostArrays.allocate(workload.type(), 1);
    set(result, operator.identity(workload.type()));
    TaskGraph graph = new TaskGraph("tornadoReduce" + GRAPHS.incrementAndGet());
    graph.transferToDevice(DataTransferMode.FIRST_EXECUTION, workload.array());
    try {
      addTask(graph, operator.equals(Operator.SUM), workload.array(), result);
      graph.transferToHost(DataTransferMode.EVERY_EXECUTION, result);
      try (TornadoExecutionPlan plan = new TornadoExecutionPlan(graph.snapshot())) {
        effort.warmUp(plan::execute);
        Timing wall = effort.wall(plan::execute);
        plan.withProfiler(ProfilerMode.SILENT);
        plan.execute();
        Timing kernel =
            effort.times(
                () -> {
                  TornadoExecutionResult executed = plan.execute();
                  return executed.getProfilerResult().getDeviceKernelTime();
                });
        plan.withoutProfiler();
        plan.execute();
        Number value = get(result);
        return Measurement.taken(name(), what, kernel, wall, workload.outcome(operator, value));
      }
    } catch (Throwable e) { // TornadoVM's compiler throws errors of its own
      return Measurement.failed(name(), what, e.toString());
    }
  }

  private static void addTask(
      TaskGraph graph, boolean sum, TornadoNativeArray values, TornadoNativeArray result) {
    switch (values) {
      case IntArray a when sum ->
          graph.task("t", TornadoReduceKernels::sumInts, a, (IntArray) result);
      case IntArray a -> graph.task("t", TornadoReduceKernels::maxInts, a, (IntArray) result);
      case LongArray a when sum ->
          graph.task("t", TornadoReduceKernels::sumLongs, a, (LongArray) result);
      case LongArray a -> graph.task("t", TornadoReduceKernels::maxLongs, a, (LongArray) result);
      case FloatArray a when sum ->
          graph.task("t", TornadoReduceKernels::sumFloats, a, (FloatArray) result);
      case FloatArray a -> graph.task("t", TornadoReduceKernels::maxFloats, a, (FloatArray) result);
      case DoubleArray a when sum ->
          graph.task("t", TornadoReduceKernels::sumDoubles, a, (DoubleArray) result);
      case DoubleArray a ->
          graph.task("t", TornadoReduceKernels::maxDoubles, a, (DoubleArray) result);
      default ->
          throw new IllegalArgumentException("benchmarks do not support " + values.getClass());
    }
  }

  private static void set(TornadoNativeArray array, Number value) {
    switch (array) {
      case IntArray a -> a.set(0, value.intValue());
      case LongArray a -> a.set(0, value.longValue());
      case FloatArray a -> a.set(0, value.floatValue());
      case DoubleArray a -> a.set(0, value.doubleValue());
      default ->
          throw new IllegalArgumentException("benchmarks do not support " + array.getClass());
    }
  }

  private static Number get(TornadoNativeArray array) {
    return switch (array) {
      case IntArray a -> a.get(0);
      case LongArray a -> a.get(0);
      case FloatArray a -> a.get(0);
      case DoubleArray a -> a.get(0);
      default ->
          throw new IllegalArgumentException("benchmarks do not support " + array.getClass());
    };
  }
}
