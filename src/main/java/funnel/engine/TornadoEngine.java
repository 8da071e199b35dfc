package funnel.engine;

import funnel.jit.FusedMultiplyAdd;
import funnel.jit.KernelTask;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import uk.ac.manchester.tornado.api.DataRange;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.ImmutableTaskGraph;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.TornadoExecutionResult;
import uk.ac.manchester.tornado.api.common.TornadoDevice;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.enums.ProfilerMode;
import uk.ac.manchester.tornado.api.exceptions.TornadoInternalError;
import uk.ac.manchester.tornado.api.exceptions.TornadoOutOfMemoryException;
import uk.ac.manchester.tornado.api.runtime.TornadoRuntimeProvider;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Runs programs on a device through TornadoVM.
 *
 * <p>An engine never gives a result that it has not reason to trust: kernels are checked against
 * the JVM engine when they first run on the device in this process, every run is counted by the
 * device itself, and TornadoVM's fall-back to sequential Java is switched off.
 *
 * {@snippet class="funnel.docs.EngineSnippets" region="best"}
 */
public final class TornadoEngine implements Engine {

  /* A program becomes one execution plan of task graphs over the same arrays:
   *
   *   load   uploads inputs, arrays filled before and the shape array, and sees them arrive
   *   run    consumes them where they are, runs the kernels, copies the results back; one graph for
   *          each of the program's routines
   *
   * load runs only if an input has changed, so a run on resident data moves nothing but results.
   * Scratch is declared "under demand", which allocates without copying. The result arrays are
   * uploaded once, for their counters to start from zero.
   *
   * Runs are not recorded as a CUDA graph, which would halve the host's cost: with TornadoVM 5.2.0
   * and two task graphs in a plan, a second upload ended in a device fault, and calls of other
   * threads failed while one recorded.
   *
   * Each graph has a grid scheduler of its own: in every run TornadoVM compares the names of all tasks
   * in a scheduler with those of the graph, which with one for all graphs took as long as the rest.
   *
   * No plan is closed while another one runs: on the cuda backend, closing one unpins the host memory
   * of all, under whatever is being copied from or to it, which ended in device faults.
   *
   * The driver's errors are printed by TornadoVM and not thrown; a fault leaves the context dead.
   * Then the counters do not move, and the engine refuses everything from then on.
   */

  private static final Logger LOG = LoggerFactory.getLogger(TornadoEngine.class);
  private static final String BAILOUT = "tornado.recover.bailout";
  private static final String MEMORY = "tornado.device.memory";
  private static final String ALREADY_FREE = "deallocate an invalid buffer";
  private static final double CONTRACTION_TOLERANCE = 1e-4;

  /** Driver, context and TornadoVM's own needs. */
  private static final long RESERVED_BYTES = 1L << 30;

  private static final Pattern STATUS = Pattern.compile("status=(\\d+)");

  private static final AtomicLong GRAPHS = new AtomicLong();

  /** Read while a plan uses the device, written while one is closed. */
  private static final ReadWriteLock IN_USE = new ReentrantReadWriteLock();

  /** Elements that the kernels of a signature have been checked with. */
  private static final Map<String, Integer> CHECKED = new ConcurrentHashMap<>();

  /** Kernels are checked again once there are so many times as many elements to check them with. */
  private static final int MORE_ELEMENTS = 4;

  private final TornadoDevice device;
  private final String backend;
  private final String driver;
  private final long memoryLimit;
  private final AtomicLong memoryUsed = new AtomicLong();
  private volatile @Nullable String broken;

  private TornadoEngine(TornadoDevice device, String driver, long memoryLimit) {
    this.device = device;
    this.backend = device.getTornadoVMBackend().name();
    this.driver = driver;
    this.memoryLimit = memoryLimit;
  }

  /**
   * Opens TornadoVM's default device.
   *
   * @throws EngineUnavailableException if there is no TornadoVM, no device, or a property that
   *     would make failures silent
   */
  public static TornadoEngine open() {
    if (Boolean.parseBoolean(System.getProperty(BAILOUT, "false"))) {
      throw new EngineUnavailableException(
          "TornadoVM would run kernels that it cannot compile as sequential Java and return wrong results: remove -D%s=%s"
              .formatted(BAILOUT, System.getProperty(BAILOUT)),
          null);
    }
    System.setProperty(BAILOUT, "False");
    Optional<NvidiaSmi> smi = NvidiaSmi.query(0);
    boolean limitGiven = System.getProperty(MEMORY) != null;
    if (!limitGiven) {
      long limit = smi.map(s -> s.freeBytes() - RESERVED_BYTES).orElse(1L << 40);
      System.setProperty(MEMORY, (limit >> 20) + "MB");
    }
    try {
      TornadoDevice device = TornadoExecutionPlan.getDevice(0, 0);
      teachFusedMultiplyAdd(device);
      long total = device.getMaxGlobalMemory();
      long free = smi.map(NvidiaSmi::freeBytes).orElse(total) - RESERVED_BYTES;
      return new TornadoEngine(device, smi.map(NvidiaSmi::driver).orElse("unknown"), free);
    } catch (Exception | LinkageError e) {
      throw new EngineUnavailableException(
          "no device through TornadoVM: %s (funnel doctor says what is missing)"
              .formatted(reason(e)),
          e);
    }
  }

  private static void teachFusedMultiplyAdd(TornadoDevice device) {
    try {
      FusedMultiplyAdd.teach(
          TornadoRuntimeProvider.getTornadoRuntime().getBackend(device.getBackendIndex()));
    } catch (IllegalStateException e) {
      LOG.warn("kernels that call Math.fma will not compile: {}", e.getMessage());
    }
  }

  /**
   * Whether a message of TornadoVM's about an allocation speaks of an earlier fault: it reports all
   * failures as want of memory, with the driver's status, which is 2 only if it is that.
   */
  static boolean isFault(String message) {
    Matcher status = STATUS.matcher(message);
    return status.find() && !status.group(1).equals("2");
  }

  private static String reason(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    return root.getMessage() == null ? root.toString() : root.getMessage();
  }

  @Override
  public Target target() {
    return Target.TORNADO;
  }

  @Override
  public String description() {
    return "%s through TornadoVM %s (%s backend)".formatted(deviceName(), version(), backend);
  }

  private Device asDevice() {
    return new Device(deviceName(), backend.toLowerCase(Locale.ROOT));
  }

  private String deviceName() {
    return device.getPhysicalDevice().getDeviceName();
  }

  private static String version() {
    Module module = TaskGraph.class.getModule();
    if (module.getDescriptor() != null && module.getDescriptor().rawVersion().isPresent()) {
      return module.getDescriptor().rawVersion().get();
    }
    return "of unknown version";
  }

  @Override
  public Map<String, String> details() {
    Map<String, String> details = new LinkedHashMap<>();
    details.put("engine", "tornado");
    details.put("device", deviceName());
    details.put("backend", backend);
    details.put("tornadovm", version());
    details.put("driver", driver);
    details.put("memory", Long.toString(device.getMaxGlobalMemory()));
    details.put("memory limit", Long.toString(memoryLimit));
    details.put("java", System.getProperty("java.vm.name", "?") + " " + Runtime.version());
    return details;
  }

  @Override
  public LoadedProgram load(Program program, Map<String, TornadoNativeArray> bound) {
    return new Loaded(program.on(asDevice()).over(bound), bound, true);
  }

  @Override
  public void close() {}

  private FunnelDeviceException failure(String what, @Nullable Throwable cause) {
    return new FunnelDeviceException(
        "%s [device %s, backend %s, TornadoVM %s, driver %s, java %s]"
            .formatted(what, deviceName(), backend, version(), driver, Runtime.version()),
        cause);
  }

  private void requireUsable() {
    String reason = broken;
    if (reason != null) {
      throw failure(
          "the device's context was lost earlier in this process and only a new process gets"
              + " another; first failure: "
              + reason,
          null);
    }
  }

  private void reserve(Program program, long bytes) {
    long used = memoryUsed.addAndGet(bytes);
    if (used > memoryLimit) {
      memoryUsed.addAndGet(-bytes);
      throw new FunnelMemoryException(
          "a plan of " + program.primitives().size() + " primitives",
          bytes,
          Math.max(0, memoryLimit - (used - bytes)));
    }
  }

  private final class Loaded implements LoadedProgram {
    private List<GridScheduler> schedulers = List.of();
    private final long bytes;
    private Program program;
    private ProgramArrays arrays;
    private Arrival arrival;
    private String tasks;
    private final boolean checkKernels;
    private final Map<String, MemorySegment> destinations = new HashMap<>();
    private final Set<String> boundOutputs = new HashSet<>();
    private final Set<String> fetched = new HashSet<>();
    private @Nullable TornadoExecutionResult last;
    private TornadoExecutionPlan plan;
    private boolean changed = true;
    private boolean measured;
    private boolean failed;
    private boolean closed;
    private final long[] runs;
    private final Set<String> newerOnDevice = new HashSet<>();
    private final Set<String> lost = new HashSet<>();
    private long kernelNanos = -1;

    Loaded(Program program, Map<String, TornadoNativeArray> bound, boolean checkKernels) {
      requireUsable();
      bound.forEach(this::requireReach);
      this.program = program;
      this.checkKernels = checkKernels;
      this.bytes = ProgramArrays.bytes(program);
      this.runs = new long[program.routines().size()];
      reserve(program, bytes);
      try {
        arrays = new ProgramArrays(program, bound);
        arrival = new Arrival(arrays.uploadedArrays());
        program.arrays().stream()
            .map(Primitive.Slot::name)
            .filter(bound::containsKey)
            .forEach(boundOutputs::add);
        tasks = taskNames();
        plan = plan();
      } catch (Throwable e) {
        memoryUsed.addAndGet(-bytes);
        throw translated(e, "preparing");
      }
    }

    private TornadoExecutionPlan plan() {
      long number = GRAPHS.incrementAndGet();
      schedulers = Stream.generate(GridScheduler::new).limit(1 + runs.length).toList();
      Object[] uploads = arrival.arrays().toArray();
      TaskGraph load = new TaskGraph("funnelLoad" + number);
      load.transferToDevice(DataTransferMode.EVERY_EXECUTION, uploads);
      load.transferToDevice(DataTransferMode.EVERY_EXECUTION, arrival.reports());
      arrival.tasks().forEach(task -> task.addTo(load, schedulers.getFirst()));
      load.transferToHost(DataTransferMode.EVERY_EXECUTION, arrival.reports());
      load.persistOnDevice(uploads);

      List<ImmutableTaskGraph> graphs = new ArrayList<>();
      graphs.add(load.snapshot());
      for (int routine = 0; routine < runs.length; routine++) {
        graphs.add(runGraph(number, routine, load).snapshot());
      }
      return new TornadoExecutionPlan(graphs.toArray(ImmutableTaskGraph[]::new));
    }

    private TaskGraph runGraph(long number, int routine, TaskGraph load) {
      Object[] uploads = arrival.arrays().toArray();
      TaskGraph run = new TaskGraph("funnelRun%d_%d".formatted(number, routine));
      run.consumeFromDevice(load.getTaskGraphName(), uploads);
      Object[] results = arrays.resultArrays(routine).toArray();
      run.transferToDevice(DataTransferMode.FIRST_EXECUTION, results);
      Object[] scratch = arrays.scratchArrays(routine).toArray();
      if (scratch.length > 0) {
        run.transferToDevice(DataTransferMode.UNDER_DEMAND, scratch);
      }
      Object[] written = arrays.writtenArrays(routine).toArray();
      if (written.length > 0) {
        run.transferToDevice(DataTransferMode.UNDER_DEMAND, written);
      }
      for (KernelTask task : arrays.tasks(routine)) {
        task.addTo(run, schedulers.get(1 + routine));
      }
      run.transferToHost(DataTransferMode.EVERY_EXECUTION, results);
      Object[] fetchable = fetchable(routine);
      if (fetchable.length > 0) {
        run.transferToHost(DataTransferMode.UNDER_DEMAND, fetchable);
      }
      run.persistOnDevice(uploads);
      return run;
    }

    /** The arrays that a routine writes, and the inputs that any of them changes. */
    private Object[] fetchable(int routine) {
      List<Primitive> primitives = program.routines().get(routine).primitives();
      return Stream.concat(
              primitives.stream().flatMap(p -> p.arrays().stream()).map(Primitive.Slot::name),
              program.changedInputs().stream())
          .map(arrays::array)
          .distinct()
          .toArray();
    }

    private String taskNames() {
      return IntStream.range(0, runs.length)
          .mapToObj(arrays::tasks)
          .flatMap(List::stream)
          .map(KernelTask::id)
          .collect(Collectors.joining(", "));
    }

    @Override
    public void requireReach(String input, TornadoNativeArray array) {
      asDevice().requireReach(input, array, array.getSize());
    }

    @Override
    public void set(String input, MemorySegment elements) {
      TornadoNativeArray array = (TornadoNativeArray) arrays.array(input);
      asDevice().requireReach(input, array, elements.byteSize());
      arrays.set(input, elements);
      newerOnDevice.remove(input);
      lost.remove(input);
      changed = true;
    }

    @Override
    public void setRange(String input, int offset, int length) {
      arrays.setRange(input, offset, length);
      newerOnDevice.remove(input);
      lost.remove(input);
      changed = true;
    }

    @Override
    public void run(int routine) {
      requireUsable();
      if (checkKernels) {
        checkKernels();
      }
      runUnchecked(routine);
    }

    private void runUnchecked(int routine) {
      if (!lost.isEmpty()) {
        throw failure(
            "inputs %s were changed by earlier runs and lost when a run failed: set them again"
                .formatted(lost),
            null);
      }
      try {
        if (failed) {
          rebuild();
        }
        if (changed) {
          List.copyOf(newerOnDevice).forEach(this::fetchToHost);
          arrays.writeShape();
          arrival.number();
          var _ = execute(0);
          requireArrived();
          changed = false;
        }
        TornadoExecutionResult result = execute(1 + routine);
        last = result;
        fetched.clear();
        runs[routine]++;
        if (measured) {
          kernelNanos = result.getProfilerResult().getDeviceKernelTime();
        }
      } catch (Throwable e) {
        failed = true;
        lost.addAll(newerOnDevice);
        newerOnDevice.clear();
        throw translated(e, "running");
      }
      String missing = arrays.missingRun(routine, runs[routine]);
      if (!missing.isEmpty()) {
        broken = missing;
        throw failure(
            "the device did not complete tasks %s: %s; TornadoVM's console output has the driver's error"
                .formatted(tasks, missing),
            null);
      }
      Routine done = program.routines().get(routine);
      done.primitives().forEach(p -> newerOnDevice.addAll(p.changedInputs()));
      done.primitives().forEach(p -> p.requireAccepted(arrays::result, arrays));
      List<String> gaveUp = done.gaveUp(arrays::result);
      if (!gaveUp.isEmpty()) {
        LOG.warn(
            "{} waited too long for other blocks on {}: computed again, and from now on, by another"
                + " form",
            gaveUp,
            deviceName());
        program = program.instead();
        arrays = arrays.forProgram(program);
        arrival = new Arrival(arrays.uploadedArrays());
        tasks = taskNames();
        rebuild();
        runUnchecked(routine);
        return;
      }
      boundOutputs.forEach(this::fetchToHost);
      destinations.forEach(
          (array, place) -> fetch(array, place.asSlice(0, arrays.elements(array).byteSize())));
    }

    private TornadoExecutionResult execute(int graph) {
      IN_USE.readLock().lock();
      try {
        return plan.withGraph(graph).withGridScheduler(schedulers.get(graph)).execute();
      } finally {
        IN_USE.readLock().unlock();
      }
    }

    private void requireArrived() {
      String missing = arrival.missing();
      if (!missing.isEmpty()) {
        throw failure(
            "%s did not reach the device before tasks %s: TornadoVM's console output may have the driver's error; a task graph of your own in which some arrays are in no transfer can be the cause"
                .formatted(missing, tasks),
            null);
      }
    }

    @Override
    public void setDestination(String array, MemorySegment destination) {
      destinations.put(array, destination);
    }

    @Override
    public void fetch(String array, MemorySegment destination) {
      fetchToHost(array);
      MemorySegment.copy(arrays.elements(array), 0, destination, 0, destination.byteSize());
    }

    @Override
    public int length(String name) {
      return arrays.length(name);
    }

    /** Copies what the last run wrote into an array, once. */
    private void fetchToHost(String array) {
      requireUsable();
      MemorySegment elements = arrays.elements(array);
      boolean isOnHost = arrays.hasInput(array) && !newerOnDevice.contains(array);
      if (isOnHost || elements.byteSize() == 0 || !fetched.add(array)) {
        return;
      }
      // A copy that fails is printed and not thrown: then what was here before is still here.
      if (stillHolds(array, (byte) 0x5a) && stillHolds(array, (byte) 0x33)) {
        broken = "array " + array + " could not be copied from the device";
        throw failure(
            broken + "; TornadoVM's console output has the driver's error (" + tasks + ")", null);
      }
      newerOnDevice.remove(array);
    }

    /** Fills the array's ends, copies it, and looks whether they are as they were filled. */
    private boolean stillHolds(String array, byte filling) {
      MemorySegment elements = arrays.elements(array);
      long ends = Math.min(elements.byteSize(), Long.BYTES);
      MemorySegment first = elements.asSlice(0, ends);
      MemorySegment end = elements.asSlice(elements.byteSize() - ends, ends);
      first.fill(filling);
      end.fill(filling);
      TornadoNativeArray whole = (TornadoNativeArray) arrays.array(array);
      IN_USE.readLock().lock();
      try {
        Objects.requireNonNull(last, "no run yet")
            .transferToHost(
                new DataRange(whole)
                    .withOffset(arrays.offset(array))
                    .withSize(arrays.length(array)));
      } catch (RuntimeException | Error e) {
        throw translated(e, "copying array " + array + " of");
      } finally {
        IN_USE.readLock().unlock();
      }
      return holdsOnly(first, filling) || holdsOnly(end, filling);
    }

    private static boolean holdsOnly(MemorySegment segment, byte filling) {
      for (long i = 0; i < segment.byteSize(); i++) {
        if (segment.get(ValueLayout.JAVA_BYTE, i) != filling) {
          return false;
        }
      }
      return true;
    }

    private RuntimeException translated(Throwable e, String doing) {
      for (Throwable t = e; t != null; t = t.getCause()) {
        if (t instanceof TornadoOutOfMemoryException && isFault(String.valueOf(t.getMessage()))) {
          broken = String.valueOf(t.getMessage());
          return failure("%s tasks %s failed: %s".formatted(doing, tasks, broken), e);
        }
        if (t instanceof TornadoOutOfMemoryException) {
          return new FunnelMemoryException(
              "a plan with tasks " + tasks + " (" + t.getMessage() + ")",
              bytes,
              Math.max(0, memoryLimit - memoryUsed.get()));
        }
      }
      if (e instanceof FunnelDeviceException || e instanceof IllegalArgumentException) {
        return (RuntimeException) e;
      }
      String reason = reason(e);
      String advice =
          reason.contains("cannot be inlined")
              ? "; a function of yours makes the kernel too large for the compiler as it is set:"
                    + " start java with tornado-config/tornado.argfile, which has"
                    + " -Djdk.graal.MaximumInliningSize"
              : "";
      return failure("%s tasks %s failed: %s%s".formatted(doing, tasks, reason, advice), e);
    }

    /** Runs the program's kernels on the first elements of its inputs, here and on the JVM. */
    private void checkKernels() {
      String signature =
          backend
              + ":"
              + String.join(";", program.primitives().stream().map(Primitive::signature).toList());
      int wanted =
          program.primitives().stream().mapToInt(Primitive::checkedElements).max().orElse(0);
      int longest =
          program.inputs().stream().mapToInt(input -> arrays.length(input.name())).max().orElse(0);
      int now = Math.min(wanted, longest);
      int before = CHECKED.getOrDefault(signature, 0);
      if (now == 0 || now < MORE_ELEMENTS * before || now == before) {
        return;
      }
      Program small = program.withCapacity(wanted);
      try (Loaded here = new Loaded(small, Map.of(), false);
          LoadedProgram there = new JvmEngine().load(small, Map.of())) {
        for (Input input : small.inputs()) {
          MemorySegment all = arrays.elements(input.name());
          MemorySegment first =
              all.asSlice(
                  0, Math.min(all.byteSize(), (long) input.capacity() * input.type().bytes()));
          here.set(input.name(), first);
          there.set(input.name(), first);
        }
        for (int routine = 0; routine < runs.length; routine++) {
          here.runUnchecked(routine);
          there.run(routine);
          compareAll(small.routines().get(routine), here, there);
        }
      }
      CHECKED.merge(signature, now, Math::max);
      LOG.debug("checked on {}: {}", deviceName(), signature);
    }

    private void compareAll(Routine routine, LoadedProgram here, LoadedProgram there) {
      for (Primitive primitive : routine.primitives()) {
        if (primitive.inputs().stream().anyMatch(input -> arrays.length(input) == 0)) {
          continue;
        }
        for (Primitive.Slot slot : primitive.results()) {
          compare(primitive, slot.name(), here.result(slot.name()), there.result(slot.name()));
        }
        for (Primitive.Slot slot : primitive.arrays()) {
          compareArrays(primitive, slot.name(), slot.type(), here, there);
        }
        for (String input : primitive.changedInputs()) {
          compareArrays(primitive, input, arrays.type(input), here, there);
        }
      }
    }

    private void compareArrays(
        Primitive primitive,
        String name,
        ElementType type,
        LoadedProgram here,
        LoadedProgram there) {
      int length = there.length(name);
      TornadoNativeArray onDevice = ProgramArrays.allocate(type, length);
      TornadoNativeArray onJvm = ProgramArrays.allocate(type, length);
      long bytes = (long) length * type.bytes();
      here.fetch(name, onDevice.getSegment().asSlice(0, bytes));
      there.fetch(name, onJvm.getSegment().asSlice(0, bytes));
      if (onDevice.getSegment().mismatch(onJvm.getSegment()) < 0) {
        return;
      }
      for (int i = 0; i < length; i++) {
        compare(
            primitive,
            "%s[%d]".formatted(name, i),
            ProgramArrays.element(onDevice, i),
            ProgramArrays.element(onJvm, i));
      }
    }

    private void compare(Primitive primitive, String result, Number here, Number there) {
      boolean same = here.equals(there);
      if (!same && primitive.mayBeContracted()) {
        double difference = Math.abs(here.doubleValue() - there.doubleValue());
        same =
            difference
                <= CONTRACTION_TOLERANCE
                    * Math.max(
                        1, Math.max(Math.abs(here.doubleValue()), Math.abs(there.doubleValue())));
      }
      if (!same) {
        throw failure(
            "the check of kernel %s found result %s=%s on the device and %s on the JVM; use another TornadoVM version or backend, or -Dfunnel.engine=jvm"
                .formatted(primitive.signature(), result, here, there),
            null);
      }
    }

    @Override
    public void release() {
      destinations.clear();
    }

    @Override
    public Number result(String name) {
      return arrays.result(name);
    }

    @Override
    public long deviceBytes() {
      return bytes;
    }

    @Override
    public void measureKernels(boolean on) {
      if (measured == on) {
        return;
      }
      measured = on;
      if (on) {
        plan.withProfiler(ProfilerMode.SILENT);
      } else {
        plan.withoutProfiler();
        kernelNanos = -1;
      }
    }

    /** Begins anew with the arrays that there are. */
    private void rebuild() {
      closePlan();
      arrays.clearResults();
      Arrays.fill(runs, 0);
      changed = true;
      failed = false;
      plan = plan();
      if (measured) {
        plan.withProfiler(ProfilerMode.SILENT);
      }
    }

    @Override
    public long kernelNanos() {
      return kernelNanos;
    }

    @Override
    public void close() {
      if (closed) {
        return;
      }
      closed = true;
      memoryUsed.addAndGet(-bytes);
      closePlan();
    }

    /* close() would free the graph that was selected last alone, and freeing all graphs in one call
     * stops at the first array that two of them share. So they are freed one by one, load first,
     * which has what the others consume. In those TornadoVM comes to their own arrays first, and
     * then, by an error, to the shared ones, which are free by then.
     */
    private void closePlan() {
      IN_USE.writeLock().lock();
      try {
        freeGraphs();
      } finally {
        IN_USE.writeLock().unlock();
      }
    }

    private void freeGraphs() {
      for (int graph = 0; graph <= runs.length; graph++) {
        try {
          plan.withGraph(graph).freeDeviceMemory();
        } catch (TornadoInternalError e) {
          if (graph == 0 || !String.valueOf(e.getMessage()).contains(ALREADY_FREE)) {
            warnOfClosing(e);
          }
        } catch (RuntimeException e) {
          warnOfClosing(e);
        }
      }
    }

    private void warnOfClosing(Throwable e) {
      LOG.warn("closing a plan on {} failed: {}", deviceName(), String.valueOf(e.getMessage()));
    }
  }
}
