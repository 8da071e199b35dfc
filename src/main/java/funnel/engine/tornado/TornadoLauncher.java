package funnel.engine.tornado;

import funnel.compiled.TaskAdder;
import funnel.engine.KernelsOfProgram;
import funnel.engine.Program;
import funnel.engine.device.Launcher;
import funnel.engine.device.ProgramArrays;
import funnel.jit.CallChain;
import funnel.kernel.KernelTask;
import funnel.operation.Primitive;
import funnel.operation.Step;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
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
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.enums.ProfilerMode;
import uk.ac.manchester.tornado.api.exceptions.TornadoInternalError;
import uk.ac.manchester.tornado.api.runtime.TornadoRuntimeProvider;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** A TornadoVM execution plan over the arrays of a program. */
final class TornadoLauncher implements Launcher {

  /* A program becomes an execution plan of task graphs over the same arrays:
   *
   *   take   once: takes memory for staged arrays
   *   begin  once: uploads the results, so that their counters start from what the host knows
   *   load   uploads inputs, arrays filled before and the shape array, if an input has changed
   *   run    one for each of the program's routines: runs the kernels, copies the results back
   *   call   load and the first routine's run in one, where there is room; what is called once need
   *          not wait for the device twice
   *
   * and each of begin and load checks that its uploads arrive. Elements of staged arrays go to the
   * memory that take has taken, and come from there, by the driver's own copies (StagedCopies). A run on resident data moves
   * only results. If there are more launches than a graph has room for (GraphRoom), there are
   * several graphs, one after the other.
   *
   * A graph finds on the device what the graph executed before it has kept there. So each graph
   * consumes everything that is there when it runs, and keeps it. Scratch is declared "under
   * demand", which allocates without copying, in the first graph that uses it.
   *
   * Results are not uploaded in run: TornadoVM uploads nothing into an array that the first kernel
   * of a graph only writes, whatever the other kernels do; then the counters of all results that
   * share the array start from what was in the memory before. In a graph that consumes the array,
   * it is neither allocated nor cleared.
   *
   * Graphs that are executed repeatedly are recorded as CUDA graphs by their first execution, which
   * halves the host's cost, unless kernels are measured, which is impossible in a recording.
   * TornadoVM keeps the last tornado.eventpool.size events of a plan. The ptx backend waits for an
   * event before it drops it, which breaks a recording: so there a graph whose first execution comes
   * too late for that is not recorded. Each recording drops all events before it ends. The cuda
   * backend does not wait, so plans of any number of launches are recorded with the default pool of
   * 1024, which takes some 20 KB of the host's memory for each plan on cuda, and 150 on ptx, where
   * events are objects. With TornadoVM 5.2.0 a recorded copy may read its memory after that is
   * unpinned: so everything that is copied in these graphs is in PinnedMemory. While a graph is
   * recorded, no other thread may call the driver.
   *
   * Memory for staged arrays is taken in a graph that only reads them and has TornadoVM's own
   * staging switched on, which is not used: so TornadoVM does not pin the host's arrays, which
   * would take a second per gigabyte.
   *
   * Each graph has a grid scheduler of its own: in every run TornadoVM compares the names of all
   * tasks in a scheduler with those of the graph, which takes as long as everything else if all
   * graphs share a scheduler.
   *
   * Kept arrays are in memory that the plan of another launcher has allocated. All graphs consume
   * them from the beginning on, and have that memory put in by GraphBuffers before the first runs.
   * It is taken out before they are freed, since freeing a graph frees all that it knows of. Nothing
   * copies a kept array in a graph that may be recorded, and a recording stays valid as its memory
   * does not move: a run requires that the array is open. For other kept arrays, such as those in
   * which functions look up elements, the graphs get other memory, and those that launch kernels
   * over it are recorded again: a launch finds the address in the graph, a recording has it in
   * itself.
   *
   * No plan is closed while another one runs: on the cuda backend, closing a plan unpins the host
   * memory of all plans, even during copies, which causes device faults.
   */

  private static final Logger LOG = LoggerFactory.getLogger(TornadoLauncher.class);
  private static final String ALREADY_FREE = "deallocate an invalid buffer";
  private static final AtomicLong PLANS = new AtomicLong();

  /**
   * Locked for reading while a plan uses the device, and for writing while one is closed and when
   * the JVM ends.
   */
  static final ReadWriteLock IN_USE = new ReentrantReadWriteLock();

  /** Well below the number of events that TornadoVM keeps for a plan. */
  private static final int MOST_EVENTS = Integer.getInteger("tornado.eventpool.size", 1024) * 3 / 4;

  /** Recordings may disturb TornadoVM plans of other threads, since all share the driver. */
  private static final boolean RECORDS =
      Boolean.parseBoolean(System.getProperty("funnel.recorded", "true"));

  /** Where the first graph has kept arrays from: no graph has this name. */
  private static final String KEPT = "kept";

  private static final int NONE = -1;
  private static final int EVENTS_OF_GRAPH = 16;

  /** Its own, that of its context, and one for an array that comes for it; and as many to spare. */
  private static final int EVENTS_OF_LAUNCH = 6;

  private static final int EVENTS_OF_REPLAY = 4;

  /**
   * The number of launchers that measure: TornadoVM's profiler is on for all plans as soon as one
   * of these executes something, and off for all as soon as another plan does. So a launcher that
   * measures executes alone.
   */
  private static final AtomicInteger MEASURED = new AtomicInteger();

  private final long number = PLANS.incrementAndGet();
  private final PlanDevice device;
  private Program program;
  private ProgramArrays arrays;
  private final List<TaskGraph> graphs = new ArrayList<>();
  private final List<GridScheduler> schedulers = new ArrayList<>();
  private final Set<Object> resident = new LinkedHashSet<>();
  private final List<Arrival> beginnings;
  private final List<Arrival> loads;
  private final Set<TornadoNativeArray> staged;
  private final Staging.@Nullable Lane lane;
  private final Map<TornadoNativeArray, Long> addresses = new IdentityHashMap<>();
  private final List<List<Integer>> runs = new ArrayList<>();

  /** The full names of the tasks of each graph that runs kernels of a routine. */
  private final Map<Integer, List<String>> launched = new HashMap<>();

  private final KernelsOfProgram kernels;
  private final int call;
  private final BitSet recordable = new BitSet();
  private final BitSet executed = new BitSet();

  /** The graphs that are recorded by an execution, and those of which there is a recording. */
  private final BitSet records = new BitSet();

  private final BitSet recorded = new BitSet();

  /** The graphs whose kernels use kept arrays. */
  private final BitSet overKept = new BitSet();

  private final Map<TaskGraph, Integer> events = new IdentityHashMap<>();
  private int eventsSoFar;
  private int lastRun;
  private int lastRoutine;
  private final List<ImmutableTaskGraph> frozen;
  private final TornadoExecutionPlan plan;
  private boolean begun;
  private boolean measured;
  private long kernelNanos = -1;
  private @Nullable TornadoExecutionResult last;

  /**
   * A launcher over the arrays of a program.
   *
   * @param runsOften whether it runs often: then recording graphs pays off, for which all other
   *     threads wait
   * @param device where it runs
   */
  TornadoLauncher(Program program, ProgramArrays arrays, boolean runsOften, PlanDevice device) {
    this.device = device;
    this.program = program;
    this.arrays = arrays;
    resident.addAll(arrays.buffers().keySet());
    staged =
        arrays.visibleArrays().stream()
            .filter(each -> isLarge(each) && device.staging().hasLanes())
            .collect(
                Collectors.toCollection(() -> Collections.newSetFromMap(new IdentityHashMap<>())));
    lane = staged.isEmpty() ? null : device.staging().lane();
    kernels = compiled();
    take();
    beginnings = uploads("begin", arrays.allResultArrays());
    Map<String, TornadoNativeArray> uploaded = new LinkedHashMap<>(arrays.uploadedArrays());
    uploaded.values().removeIf(staged::contains);
    loads = uploads("load", uploaded);
    for (int routine = 0; routine < program.routines().size(); routine++) {
      runs.add(run(routine));
    }
    call = call();
    if (!runsOften || !RECORDS) {
      recordable.clear();
    }
    frozen = graphs.stream().map(TaskGraph::snapshot).toList();
    plan = new TornadoExecutionPlan(frozen.toArray(ImmutableTaskGraph[]::new));
    device.choose(plan);
    GraphBuffers.put(frozen, arrays.buffers());
  }

  /** What a launcher of a program would launch, but over arrays of one element. */
  static List<KernelTask> tasks(Program program) {
    ProgramArrays arrays =
        new ProgramArrays(program, Map.of(), (type, _) -> ProgramArrays.allocate(type, 1));
    List<KernelTask> tasks = new ArrayList<>(tasks(program, arrays));
    Stream.of(arrays.allResultArrays(), arrays.uploadedArrays())
        .filter(uploaded -> !uploaded.isEmpty())
        .forEach(uploaded -> tasks.addAll(new Arrival(uploaded).tasks()));
    return tasks;
  }

  private static List<KernelTask> tasks(Program program, ProgramArrays arrays) {
    return IntStream.range(0, program.routines().size())
        .mapToObj(arrays::tasks)
        .flatMap(List::stream)
        .toList();
  }

  /** Has kernels compiled side by side, before they are added to graphs one after the other. */
  private KernelsOfProgram compiled() {
    KernelStore store = KernelStore.instance();
    return store == null || !device.hasStore()
        ? KernelsOfProgram.NONE
        : store.compileNow(tasks(program, arrays));
  }

  @Override
  public KernelsOfProgram kernels() {
    return kernels;
  }

  /** The next graph, which uses the arrays that are resident on the device. */
  private TaskGraph graph(String kind) {
    TaskGraph graph = new TaskGraph("funnel%s_%s%s".formatted(number, kind, graphs.size()));
    if (!resident.isEmpty()) {
      String before = graphs.isEmpty() ? KEPT : graphs.getLast().getTaskGraphName();
      graph.consumeFromDevice(before, resident.toArray());
    }
    graphs.add(graph);
    schedulers.add(new GridScheduler());
    return graph;
  }

  private void add(KernelTask task, TaskGraph graph) {
    if (device.hasStore()) {
      task.addTo(graph, schedulers.getLast());
    } else {
      TaskAdder.addToCompile(graph, task.taskPackage());
      schedulers
          .getLast()
          .addWorkerGrid(graph.getTaskGraphName() + "." + task.id(), task.grid().workerGrid());
    }
    events.merge(graph, EVENTS_OF_LAUNCH, Integer::sum);
    if (task.arguments().stream().anyMatch(arrays.buffers()::containsKey)) {
      overKept.set(graphs.size() - 1);
    }
  }

  /** The graph that allocates memory for staged arrays, and for scratch of that size. */
  private void take() {
    if (staged.isEmpty()) {
      return;
    }
    List<TornadoNativeArray> all =
        Stream.concat(
                staged.stream(),
                IntStream.range(0, program.routines().size())
                    .mapToObj(arrays::scratchArrays)
                    .flatMap(List::stream)
                    .filter(TornadoLauncher::isLarge))
            .distinct()
            .toList();
    TaskGraph graph = graph("take");
    graph.transferToDevice(DataTransferMode.UNDER_DEMAND, all.toArray());
    IntArray seen = Arrival.reports(all);
    graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, seen);
    Arrival.reading("taken", all, seen).forEach(task -> add(task, graph));
    graph.transferToHost(DataTransferMode.EVERY_EXECUTION, seen);
    resident.addAll(all);
    graph.persistOnDevice(resident.toArray());
  }

  /** Graphs that upload arrays and check that they arrive; the arrays are then resident. */
  private List<Arrival> uploads(String kind, Map<String, TornadoNativeArray> named) {
    List<Arrival> arrivals = new ArrayList<>();
    Map<String, TornadoNativeArray> left = new LinkedHashMap<>(named);
    while (!left.isEmpty()) {
      Set<Object> first =
          GraphRoom.split(new Arrival(left).tasks(), resident).getFirst().stream()
              .flatMap(task -> task.arguments().stream())
              .collect(Collectors.toSet());
      Map<String, TornadoNativeArray> now = new LinkedHashMap<>(left);
      now.values().retainAll(first);
      left.keySet().removeAll(now.keySet());
      Arrival arrival = new Arrival(now);
      recordable.set(
          graphs.size(), kind.equals("load") && now.values().stream().allMatch(PinnedMemory::has));
      Object[] uploaded = arrival.arrays().toArray();
      TaskGraph graph = graph(kind);
      graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, uploaded);
      graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, arrival.reports());
      arrival.tasks().forEach(task -> add(task, graph));
      graph.transferToHost(DataTransferMode.EVERY_EXECUTION, arrival.reports());
      resident.addAll(arrival.arrays());
      graph.persistOnDevice(resident.toArray());
      arrivals.add(arrival);
    }
    return arrivals;
  }

  /** The arrays of a routine that are not resident before it runs. */
  private Set<Object> own(int routine) {
    Set<Object> own = new LinkedHashSet<>(arrays.scratchArrays(routine));
    own.addAll(arrays.writtenArrays(routine));
    own.removeAll(resident);
    return own;
  }

  /** The graphs of a routine. */
  private List<Integer> run(int routine) {
    Set<Object> before = new LinkedHashSet<>(resident);
    Set<Object> own = own(routine);
    List<KernelTask> tasks = arrays.tasks(routine);
    List<List<KernelTask>> parts = GraphRoom.split(tasks, resident, own);
    List<Integer> numbers = new ArrayList<>();
    for (List<KernelTask> part : parts) {
      numbers.add(graphs.size());
      boolean isLast = numbers.size() == parts.size();
      TaskGraph graph = graph("run");
      // in the last part also arrays that no kernel uses
      List<Object> allocated = own.stream().filter(a -> isLast || uses(part, a)).toList();
      own.removeAll(allocated);
      if (!allocated.isEmpty()) {
        graph.transferToDevice(DataTransferMode.UNDER_DEMAND, allocated.toArray());
      }
      part.forEach(task -> add(task, graph));
      launched.put(
          numbers.getLast(),
          part.stream().map(task -> graph.getTaskGraphName() + "." + task.id()).toList());
      Object[] results =
          arrays.resultArrays(routine).stream().filter(a -> isLast || uses(part, a)).toArray();
      copyBack(graph, DataTransferMode.EVERY_EXECUTION, results);
      recordable.set(
          numbers.getLast(),
          Stream.of(results).allMatch(each -> PinnedMemory.has((TornadoNativeArray) each)));
      if (isLast) {
        copyBack(graph, DataTransferMode.UNDER_DEMAND, fetchable(routine));
        graph.persistOnDevice(before.toArray());
      } else {
        resident.addAll(allocated);
        graph.persistOnDevice(resident.toArray());
      }
    }
    resident.retainAll(before);
    return numbers;
  }

  /** The graph that uploads and runs the first routine, or {@link #NONE}. */
  private int call() {
    if (loads.size() != 1 || runs.isEmpty() || runs.getFirst().size() != 1) {
      return NONE;
    }
    Arrival load = loads.getFirst();
    List<KernelTask> tasks = new ArrayList<>(load.tasks());
    tasks.addAll(arrays.tasks(0));
    Set<Object> own = own(0);
    if (GraphRoom.split(tasks, resident, own).size() > 1) {
      return NONE;
    }
    int number = graphs.size();
    resident.removeAll(load.arrays());
    TaskGraph graph = graph("call");
    resident.addAll(load.arrays());
    graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, load.arrays().toArray());
    graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, load.reports());
    if (!own.isEmpty()) {
      graph.transferToDevice(DataTransferMode.UNDER_DEMAND, own.toArray());
    }
    tasks.forEach(task -> add(task, graph));
    graph.transferToHost(DataTransferMode.EVERY_EXECUTION, load.reports());
    copyBack(graph, DataTransferMode.EVERY_EXECUTION, arrays.resultArrays(0).toArray());
    copyBack(graph, DataTransferMode.UNDER_DEMAND, fetchable(0));
    graph.persistOnDevice(resident.toArray());
    recordable.set(
        number, recordable.get(firstLoad()) && recordable.get(runs.getFirst().getFirst()));
    return number;
  }

  private static void copyBack(TaskGraph graph, int when, Object[] arrays) {
    if (arrays.length > 0) {
      graph.transferToHost(when, arrays);
    }
  }

  private static boolean uses(List<KernelTask> tasks, Object array) {
    return tasks.stream().anyMatch(task -> task.arguments().contains(array));
  }

  /** The arrays that a routine writes, and the inputs that any of them changes. */
  private Object[] fetchable(int routine) {
    List<Step> steps = program.routines().get(routine).steps();
    return Stream.concat(
            steps.stream().flatMap(p -> p.layout().arrays().stream()).map(Primitive.Slot::name),
            program.changedInputs().stream())
        .map(arrays::array)
        .filter(array -> !staged.contains(array) && !arrays.buffers().containsKey(array))
        .distinct()
        .toArray();
  }

  /** An upper bound of the events that the next execution of a graph registers. */
  private int events(int graph) {
    return recorded.get(graph)
        ? EVENTS_OF_REPLAY
        : EVENTS_OF_GRAPH + events.getOrDefault(graphs.get(graph), 0);
  }

  /** Whether a graph can be recorded before TornadoVM drops events. */
  private boolean hasRoom(int graph) {
    boolean waits =
        TornadoRuntimeProvider.getTornadoRuntime().getBackendType(0).name().equals("PTX");
    return !waits || eventsSoFar + events(graph) < MOST_EVENTS;
  }

  private void execute(int graph) {
    boolean isFirst = recordable.get(graph) && !executed.get(graph) && hasRoom(graph);
    boolean isAgain = records.get(graph) && !recorded.get(graph);
    Lock lock = isFirst || isAgain || measured ? IN_USE.writeLock() : IN_USE.readLock();
    lock.lock();
    try {
      if (isFirst && MEASURED.get() == 0) {
        plan.withGraph(graph).withCUDAGraph();
        records.set(graph);
      }
      if (isAgain && !hasRoom(graph)) {
        GraphBuffers.forgetEvents(frozen.get(graph), plan.getId());
      }
      eventsSoFar = Math.min(MOST_EVENTS, eventsSoFar + events(graph));
      executed.set(graph);
      last = plan.withGraph(graph).withGridScheduler(schedulers.get(graph)).execute();
      if (records.get(graph) && !recorded.get(graph)) {
        recorded.set(graph);
        eventsSoFar = 0;
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void lend(Map<TornadoNativeArray, @Nullable Object> buffers) {
    BitSet again = (BitSet) overKept.clone();
    again.and(recorded);
    IN_USE.writeLock().lock(); // freeing a recording calls the driver
    try {
      GraphBuffers.put(frozen, buffers);
      device.within(
          () -> again.stream().mapToObj(frozen::get).forEach(GraphBuffers::forgetRecording));
      recorded.andNot(again);
    } finally {
      IN_USE.writeLock().unlock();
    }
  }

  @Override
  public String upload() {
    String missing = begin();
    return missing.isEmpty() ? upload(loads, firstLoad()) : missing;
  }

  @Override
  public String uploadAndLaunch() {
    if (call == NONE || measured) {
      return Launcher.super.uploadAndLaunch();
    }
    String missing = begin();
    lastRun = call;
    return missing.isEmpty() ? upload(loads, call) : missing;
  }

  private int firstLoad() {
    return firstBeginning() + beginnings.size();
  }

  private int firstBeginning() {
    return staged.isEmpty() ? 0 : 1;
  }

  @Override
  public String begin() {
    if (begun) {
      return "";
    }
    if (!staged.isEmpty()) {
      plan.withGraph(0).withStagedTransfers();
      execute(0);
    }
    String missing = upload(beginnings, firstBeginning());
    begun = missing.isEmpty();
    return missing;
  }

  @Override
  public boolean isStaged(String array) {
    return staged.contains(arrays.array(array));
  }

  /** Whether an array is large enough for staging. */
  private static boolean isLarge(TornadoNativeArray array) {
    return array.getSegment().byteSize() >= Staging.LEAST_ARRAY;
  }

  /** Where an input, or an array that is written, begins on the device. */
  private long address(String name) {
    TornadoNativeArray array = (TornadoNativeArray) arrays.array(name);
    long address = addresses.computeIfAbsent(array, each -> GraphBuffers.address(buffer(each)));
    return address
        + TornadoNativeArray.ARRAY_HEADER
        + (long) arrays.offset(name) * array.getElementSize();
  }

  @Override
  public String send(String input, MemorySegment elements) {
    return send(Map.of(input, elements), _ -> {});
  }

  @Override
  public String send(Map<String, MemorySegment> elements, Consumer<String> arrived) {
    String missing = begin();
    if (!missing.isEmpty()) {
      return missing;
    }
    try {
      StagedCopies.send(Objects.requireNonNull(lane), elements, this::address, arrived);
      return "";
    } catch (PinnedMemory.Failure e) {
      String inputs = "input " + String.join(" or ", elements.keySet());
      LOG.warn("{} could not be copied to the device: {}", inputs, e.getMessage());
      return inputs;
    }
  }

  @Override
  public boolean receive(String name, MemorySegment destination) {
    try {
      Map<String, MemorySegment> host = Map.of(name, destination);
      StagedCopies.receive(Objects.requireNonNull(lane), host, this::address);
      return true;
    } catch (PinnedMemory.Failure e) {
      LOG.warn("array {} could not be copied from the device: {}", name, e.getMessage());
      return false;
    }
  }

  private String upload(List<Arrival> arrivals, int first) {
    for (int i = 0; i < arrivals.size(); i++) {
      arrivals.get(i).number();
      execute(first + i);
      String missing = arrivals.get(i).missing();
      if (!missing.isEmpty()) {
        return missing;
      }
    }
    return "";
  }

  @Override
  public void launch(int routine) {
    long nanos = 0;
    for (int graph : runs.get(routine)) {
      CallChain.requireWanted();
      execute(graph);
      lastRun = graph;
      if (measured) {
        nanos += Objects.requireNonNull(last).getProfilerResult().getDeviceKernelTime();
      }
    }
    kernelNanos = measured ? nanos : -1;
    lastRoutine = routine;
  }

  @Override
  public List<Long> kernelTimes() {
    if (kernelNanos < 0) {
      return List.of();
    }
    List<Long> times = new ArrayList<>();
    for (int graph : runs.get(lastRoutine)) {
      plan.withGraph(graph); // the log is that of the graph that was selected last
      String log = Objects.requireNonNull(last).getProfilerResult().getProfileLog();
      for (String task : Objects.requireNonNull(launched.get(graph))) {
        OptionalLong nanos = KernelTime.of(log, task);
        if (nanos.isEmpty()) {
          LOG.warn("TornadoVM's profiler has no time of task {}: it counts as 0", task);
        }
        times.add(nanos.orElse(0));
      }
    }
    return times;
  }

  @Override
  public void download(TornadoNativeArray array, int offset, int length) {
    IN_USE.readLock().lock();
    try {
      plan.withGraph(lastRun); // copies use the graph that was selected last
      eventsSoFar = Math.min(MOST_EVENTS, eventsSoFar + EVENTS_OF_REPLAY);
      TornadoExecutionResult from = Objects.requireNonNull(last, "no run yet");
      DataRange part = new DataRange(array).withOffset(offset).withSize(length);
      device.within(() -> from.transferToHost(part)); // this thread may have run nothing yet
    } finally {
      IN_USE.readLock().unlock();
    }
  }

  @Override
  public Object buffer(TornadoNativeArray array) {
    return GraphBuffers.get(frozen, array);
  }

  @Override
  public void lendTo(Program other, ProgramArrays sameArrays) {
    program = other;
    arrays = sameArrays;
    loads.forEach(load -> load.rename(sameArrays.uploadedArrays()));
  }

  @Override
  public boolean measureKernels(boolean on) {
    if (on && !records.isEmpty()) {
      return false;
    }
    IN_USE.writeLock().lock(); // not during a recording
    try {
      if (on != measured) {
        MEASURED.addAndGet(on ? 1 : -1);
        measured = on;
      }
      if (on) {
        plan.withProfiler(ProfilerMode.SILENT);
      } else {
        plan.withoutProfiler();
        kernelNanos = -1;
      }
    } finally {
      IN_USE.writeLock().unlock();
    }
    return true;
  }

  @Override
  public long kernelNanos() {
    return kernelNanos;
  }

  /* The plan's close() would free only the graph that was selected last, and freeing all graphs in
   * one call stops at the first array that two of them share. So they are freed one by one, in the
   * order in which they run. For each graph TornadoVM frees the graph's own arrays first, and then,
   * erroneously, those of graphs before it, which are free by then.
   */
  @Override
  public void close() {
    IN_USE.writeLock().lock();
    try {
      if (measured) {
        measureKernels(false);
      }
      device.within(this::free);
    } finally {
      IN_USE.writeLock().unlock();
    }
  }

  private void free() {
    GraphBuffers.takeOut(frozen, arrays.buffers().keySet());
    for (int graph = 0; graph < graphs.size(); graph++) {
      free(graph);
    }
  }

  private void free(int graph) {
    try {
      plan.withGraph(graph).freeDeviceMemory();
    } catch (TornadoInternalError e) {
      if (graph == 0 || !String.valueOf(e.getMessage()).contains(ALREADY_FREE)) {
        LOG.warn("closing a plan failed: {}", String.valueOf(e.getMessage()));
      }
    } catch (RuntimeException e) {
      LOG.warn("closing a plan failed: {}", String.valueOf(e.getMessage()));
    }
  }
}
