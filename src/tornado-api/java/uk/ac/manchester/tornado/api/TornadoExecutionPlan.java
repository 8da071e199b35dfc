package uk.ac.manchester.tornado.api;

import uk.ac.manchester.tornado.api.common.TornadoDevice;
import uk.ac.manchester.tornado.api.enums.ProfilerMode;
import uk.ac.manchester.tornado.api.enums.TornadoVMBackendType;
import uk.ac.manchester.tornado.api.exceptions.TornadoExecutionPlanException;

/**
 * Frozen task graphs and how to execute them. A statement of signatures: every member throws {@link
 * SdkMissing}.
 */
public sealed class TornadoExecutionPlan implements AutoCloseable permits ExecutionPlanType {

  /** A plan of one or more graphs. */
  public TornadoExecutionPlan(ImmutableTaskGraph... immutableTaskGraphs) {
    throw new SdkMissing();
  }

  /** A device by the numbers of its backend and itself. */
  public static TornadoDevice getDevice(int driverIndex, int deviceIndex) {
    throw new SdkMissing();
  }

  /** How many plans there have been. */
  public static int getTotalPlans() {
    throw new SdkMissing();
  }

  /** All backends and devices. */
  public static TornadoDeviceMap getTornadoDeviceMap() {
    throw new SdkMissing();
  }

  /** Executes the selected graphs. */
  public TornadoExecutionResult execute() {
    throw new SdkMissing();
  }

  /** Selects one graph. */
  public TornadoExecutionPlan withGraph(int graphIndex) {
    throw new SdkMissing();
  }

  /** Selects all graphs. */
  public TornadoExecutionPlan withAllGraphs() {
    throw new SdkMissing();
  }

  /** Compiles the kernels without running them. */
  public TornadoExecutionPlan withPreCompilation() {
    throw new SdkMissing();
  }

  /** Chooses the device of all tasks. */
  public TornadoExecutionPlan withDevice(TornadoDevice device) {
    throw new SdkMissing();
  }

  /** Prints what was asked of the plan. */
  public void printTraceExecutionPlan() {
    throw new SdkMissing();
  }

  /** What was asked of the plan. */
  public String getTraceExecutionPlan() {
    throw new SdkMissing();
  }

  /** Chooses the device of one task. */
  public TornadoExecutionPlan withDevice(String taskName, TornadoDevice device) {
    throw new SdkMissing();
  }

  /** The device of a graph. */
  public TornadoDevice getDevice(int immutableTaskGraphIndex) {
    throw new SdkMissing();
  }

  /** Frees the plan's memory on the device. */
  public TornadoExecutionPlan freeDeviceMemory() {
    throw new SdkMissing();
  }

  /** Chooses the grids of tasks. */
  public TornadoExecutionPlan withGridScheduler(GridScheduler gridScheduler) {
    throw new SdkMissing();
  }

  /** Leaves all grids to TornadoVM. */
  public TornadoExecutionPlan withDefaultScheduler() {
    throw new SdkMissing();
  }

  /** Executes in batches of a size such as 512MB. */
  public TornadoExecutionPlan withBatch(String batchSize) {
    throw new SdkMissing();
  }

  /** Switches the profiler on. */
  public TornadoExecutionPlan withProfiler(ProfilerMode profilerMode) {
    throw new SdkMissing();
  }

  /** Switches the profiler off. */
  public TornadoExecutionPlan withoutProfiler() {
    throw new SdkMissing();
  }

  /** Limits the memory on the device, such as to 1GB. */
  public TornadoExecutionPlan withMemoryLimit(String memoryLimit) {
    throw new SdkMissing();
  }

  /** Lifts the limit of memory. */
  public TornadoExecutionPlan withoutMemoryLimit() {
    throw new SdkMissing();
  }

  /** Forgets the device's compiled kernels and buffers. */
  public TornadoExecutionPlan resetDevice() {
    throw new SdkMissing();
  }

  /** The plan's number. */
  public long getId() {
    throw new SdkMissing();
  }

  /** How many plans there have been. */
  public long getGlobalExecutionPlansCounter() {
    throw new SdkMissing();
  }

  /** Forgets the profiles so far. */
  public TornadoExecutionPlan clearProfiles() {
    throw new SdkMissing();
  }

  /** Prints grids when executing. */
  public TornadoExecutionPlan withThreadInfo() {
    throw new SdkMissing();
  }

  /** Prints no grids. */
  public TornadoExecutionPlan withoutThreadInfo() {
    throw new SdkMissing();
  }

  /** Prints kernels when compiling. */
  public TornadoExecutionPlan withPrintKernel() {
    throw new SdkMissing();
  }

  /** Prints no kernels. */
  public TornadoExecutionPlan withoutPrintKernel() {
    throw new SdkMissing();
  }

  /** Gives options to a backend's compiler. */
  public TornadoExecutionPlan withCompilerFlags(TornadoVMBackendType backend, String flags) {
    throw new SdkMissing();
  }

  /** Frees what the plan holds. */
  @Override
  public void close() throws TornadoExecutionPlanException {
    throw new SdkMissing();
  }

  /** Bytes that the plan holds on the device. */
  public long getCurrentDeviceMemoryUsage() {
    throw new SdkMissing();
  }

  /** The result of an earlier execution. */
  public TornadoExecutionResult getPlanResult(int index) {
    throw new SdkMissing();
  }

  /** Executes for some milliseconds. */
  public TornadoExecutionPlan withWarmUpTime(long milliseconds) throws InterruptedException {
    throw new SdkMissing();
  }

  /** Executes some times. */
  public TornadoExecutionPlan withWarmUpIterations(int iterations) {
    throw new SdkMissing();
  }

  /** Records the first execution as a CUDA graph and replays it. */
  public TornadoExecutionPlan withCUDAGraph() {
    throw new SdkMissing();
  }

  /** Has large arrays that are only read uploaded through memory of TornadoVM's that is pinned. */
  public TornadoExecutionPlan withStagedTransfers() {
    throw new SdkMissing();
  }
}
