package funnel.engine.device;

import funnel.engine.Copying;
import funnel.engine.KeptArray;
import funnel.engine.KeptArrays;
import funnel.engine.KernelsOfProgram;
import funnel.engine.LoadedProgram;
import funnel.engine.PrimitiveTime;
import funnel.engine.Program;
import funnel.engine.Routine;
import funnel.operation.FunnelDeviceException;
import funnel.operation.FunnelMemoryException;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** A program on a device, independent of what launches its kernels. */
public final class DeviceProgram implements LoadedProgram {

  /* TornadoVM prints the driver's errors instead of throwing them. So the device counts each upload
   * and each run, and missing ones are detected here. Then the program is loaded again and run once
   * more, from the inputs on the host. If it fails twice, there is an exception for this program
   * alone; the device is given up for the whole process only if a probe shows that it does nothing.
   *
   * The run cannot be repeated if only the device had the newest contents of an input: one that
   * runs overwrite, or a staged one, unless the caller's memory is still available in the step that
   * set it. Such an input is lost, and must be set again.
   *
   * A program that has run and never failed is kept when it is closed, for the next one of its
   * kind. That one has its own names, continues the counters, and sets its inputs again; until it
   * has run itself, there is nothing to read. A program over arrays of others, the caller's or kept
   * ones, is not: it has their addresses for its life.
   *
   * Kept arrays stay as they are when the program is loaded again. If a run writes one that it reads
   * as well, it cannot be repeated.
   */

  private static final Logger LOG = LoggerFactory.getLogger(DeviceProgram.class);

  private final DeviceContext context;
  private final DeviceMemory memory;
  private final BiFunction<Program, ProgramArrays, Launcher> launchers;
  private final @Nullable KernelCheck check;
  private final @Nullable KeptPrograms kept;
  private final @Nullable Object owner;
  private KeptArrays keptArrays;
  private @Nullable ProgramKind kind;
  private KernelCheck.@Nullable Wanted checked;
  private long bytes;
  private final Map<String, IntFunction<MemorySegment>> destinations = new HashMap<>();
  private final Set<String> boundOutputs = new HashSet<>();
  private final Set<String> fetched = new HashSet<>();
  private final Set<String> newerOnDevice = new HashSet<>();
  private final Set<String> lost = new HashSet<>();
  private final StagedInputs staged;
  private final Set<Integer> routinesRun = new HashSet<>();
  private final Set<String> readable = new HashSet<>();
  private final Set<String> tables;

  /** Whether all arrays are its own. */
  private final boolean isOwn;

  private final long[] runs;
  private Program program;
  private ProgramArrays arrays;
  private String tasks = "";
  private @Nullable Launcher launcher;
  private KernelsOfProgram kernels = KernelsOfProgram.NONE;
  private boolean changed = true;
  private boolean isOneShot;
  private boolean measured;
  private boolean wasMeasured;
  private boolean copyFailed;
  private int lastRoutine;
  private boolean closed;

  /**
   * Loads a program.
   *
   * @param program the program
   * @param bound the caller's arrays, by name
   * @param keptArrays those of the owner
   * @param owner the engine
   * @param context the device
   * @param memory its memory
   * @param launchers makes what launches the kernels of a program over its arrays
   * @param check if not null, checks the kernels before a run
   * @param kept if not null, takes programs that closed ones have left, and keeps this one when it
   *     is closed
   */
  public DeviceProgram(
      Program program,
      Map<String, TornadoNativeArray> bound,
      KeptArrays keptArrays,
      @Nullable Object owner,
      DeviceContext context,
      DeviceMemory memory,
      BiFunction<Program, ProgramArrays, Launcher> launchers,
      @Nullable KernelCheck check,
      @Nullable KeptPrograms kept) {
    context.requireUsable();
    this.context = context;
    Map<String, TornadoNativeArray> given = new HashMap<>(bound);
    Map<TornadoNativeArray, @Nullable Object> buffers = new IdentityHashMap<>();
    Map<String, Integer> lengths = new HashMap<>();
    program.inputs().forEach(input -> lengths.put(input.name(), input.capacity()));
    program.arrays().forEach(slot -> lengths.putIfAbsent(slot.name(), slot.length()));
    DeviceArray.ofEach(keptArrays, owner, context)
        .forEach(
            (name, memoryOf) -> {
              int from = Objects.requireNonNull(keptArrays.parts().get(name), name).from();
              int length = from + Objects.requireNonNull(lengths.get(name), name);
              TornadoNativeArray array =
                  keptArrays.isOverwritten() ? memoryOf.array() : memoryOf.array(length);
              given.put(name, array);
              buffers.put(array, memoryOf.buffer());
            });
    bound.forEach(this::requireReach); // that of kept arrays was required when they were made
    this.owner = owner;
    this.keptArrays = keptArrays;
    this.program = program;
    this.memory = memory;
    this.launchers = launchers;
    this.check = check;
    staged = new StagedInputs(program, given);
    this.kept = kept;
    runs = new long[program.routines().size()];
    tables = program.tables();
    isOwn = given.isEmpty() && tables.isEmpty();
    kind = kept == null || !isOwn ? null : KeptPrograms.kind(program);
    KeptPrograms.Kept left = kept == null || kind == null ? null : kept.take(kind);
    if (left == null) {
      bytes = memory.bytes(program, keptArrays);
      memory.reserve(program, bytes);
    } else {
      bytes = left.bytes();
      launcher = left.launcher();
    }
    try {
      if (left == null) {
        arrays = memory.arrays(program, given, buffers);
        keptArrays.parts().forEach((name, p) -> arrays.setRange(name, p.from(), p.length()));
        program.arrays().stream()
            .map(Primitive.Slot::name)
            .filter(bound::containsKey)
            .forEach(boundOutputs::add);
        begin();
      } else {
        arrays = new ProgramArrays(program, left.arrays());
        Arrays.setAll(runs, left.runs()::get);
        checked = left.checked();
        left.launcher().lendTo(program, arrays);
        kernels = left.launcher().kernels().known();
        tasks = arrays.taskIds();
      }
    } catch (Throwable e) {
      closeLauncher();
      memory.free(bytes);
      throw translated(e, "preparing");
    }
  }

  /** Starts with the existing arrays. */
  private void begin() {
    requireOpen();
    tasks = arrays.taskIds();
    arrays.clearResults();
    Arrays.fill(runs, 0);
    changed = true;
    copyFailed = false;
    Launcher begun = launchers.apply(program, arrays);
    launcher = begun;
    kernels = kernels.plus(begun.kernels());
    if (measured) {
      begun.measureKernels(true);
    }
  }

  /** What launches the kernels; made again after a failure. */
  private Launcher launcher() {
    if (launcher == null) {
      begin();
    }
    return Objects.requireNonNull(launcher);
  }

  /** Throws if the program is closed: its arrays may belong to another program. */
  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("this program is closed");
    }
  }

  private Launcher launcherOfLastRun(String read) {
    requireOpen();
    if (launcher == null) {
      throw context.failure("the last run failed: run again before " + read + " is read", null);
    }
    if (!readable.contains(read)) {
      throw new IllegalStateException("no run yet that writes " + read + ": run before it is read");
    }
    return launcher;
  }

  private void closeLauncher() {
    Launcher old = launcher;
    launcher = null;
    if (old != null) {
      old.close();
    }
  }

  @Override
  public void requireReach(String input, TornadoNativeArray array) {
    context.device().requireReach(input, array, array.getSize());
  }

  @Override
  public void set(String input, MemorySegment elements) {
    requireOpen();
    keptArrays.requireOther(input);
    TornadoNativeArray array = (TornadoNativeArray) arrays.array(input);
    context.device().requireReach(input, array, elements.byteSize());
    if (!launcher().isStaged(input)) {
      arrays.set(input, elements);
      isSet(input);
      return;
    }
    arrays.set(input, elements, check == null ? 0 : elementsForCheck(input, check));
    isSet(input);
    if (staged.from(input, elements)) {
      return; // the run that is to come sends it
    }
    try {
      withRepeat("send", this::send);
    } finally {
      staged.forgetSources(lost);
    }
  }

  @Override
  public void set(String input, KeptArray array) {
    requireOpen();
    DeviceArray there = (DeviceArray) array.memory(owner, context.device().toString());
    KeptArrays.Part all = new KeptArrays.Part(array, 0, array.written());
    keptArrays = keptArrays.with(program, Map.of(input, all));
    arrays.setRange(input, 0, all.length());
    if (arrays.lend(input, there.buffer())) {
      lend(Map.of((TornadoNativeArray) arrays.array(input), there.buffer()));
    }
  }

  @Override
  public void setLength(String input, int length) {
    requireOpen();
    arrays.setRange(input, 0, length);
    lost.remove(input);
    changed = true;
  }

  /** How many elements of an input its check may read. */
  private int elementsForCheck(String input, KernelCheck by) {
    KernelCheck.Wanted of = wanted(by);
    if (KernelCheck.isDone(of)) {
      return 0;
    }
    int most = Math.max(of.elements(), KernelCheck.MOST_OF_OWN);
    return program.isLookUp(input) ? Integer.MAX_VALUE : most;
  }

  private KernelCheck.Wanted wanted(KernelCheck by) {
    if (checked == null) {
      checked = by.wanted(program);
    }
    return checked;
  }

  /** Makes an attempt, which returns what is missing, and repeats it once if something is. */
  private void withRepeat(String what, Supplier<String> attempt) {
    String missing = withRoom(attempt);
    if (!missing.isEmpty()) {
      context.requireRepeatable(tasks, missing, lost);
      requireUnchanged(missing);
      LOG.warn(
          "{}: loading the program again to {} it once more; {}",
          missing,
          what,
          DeviceContext.CONSOLE);
      missing = attempt.get();
    }
    if (!missing.isEmpty()) {
      throw context.notDone(tasks, missing);
    }
  }

  /** Throws if the attempt may have changed what it has read. */
  private void requireUnchanged(String missing) {
    if (keptArrays.isOverwritten()) {
      throw context.failure(
          "the device did not complete tasks %s: %s; it writes a kept array that it reads, which must be written again; %s"
              .formatted(tasks, missing, DeviceContext.CONSOLE),
          null);
    }
  }

  /** Sends staged inputs that are not on the device; returns what did not arrive, or "". */
  private String send() {
    Map<String, MemorySegment> unsent = new LinkedHashMap<>();
    staged.unsent().forEach(input -> unsent.put(input, staged.source(input, arrays)));
    if (unsent.isEmpty()) {
      return "";
    }
    String missing;
    try {
      missing = launcher().send(unsent, staged::isOnDevice);
    } catch (Copying.MemoryFailure e) {
      throw e.rethrown();
    } catch (Throwable e) {
      giveUp();
      throw translated(e, "sending input " + String.join(" or ", unsent.keySet()) + " of");
    }
    if (!missing.isEmpty()) {
      giveUp();
      return notThere(missing);
    }
    return "";
  }

  @Override
  public void setRange(String input, int offset, int length) {
    keptArrays.requireOther(input);
    arrays.setRange(input, offset, length);
    isSet(input);
  }

  private void isSet(String input) {
    newerOnDevice.remove(input);
    lost.remove(input);
    changed = true;
    if (arrays.hasInput(input) && launcher().isStaged(input)) {
      staged.hasChanged(input);
    }
  }

  @Override
  public void lend(KeptArrays others) {
    requireOpen();
    if (others.areSame(keptArrays)) {
      return;
    }
    Map<TornadoNativeArray, @Nullable Object> buffers = new IdentityHashMap<>();
    DeviceArray.ofEach(others, owner, context)
        .forEach((name, of) -> buffers.put((TornadoNativeArray) arrays.array(name), of.buffer()));
    arrays.buffers().putAll(buffers);
    lend(buffers);
    keptArrays = others;
    others.parts().forEach((name, part) -> arrays.setRange(name, part.from(), part.length()));
    changed = true;
  }

  private void lend(Map<TornadoNativeArray, @Nullable Object> buffers) {
    if (launcher == null) {
      return;
    }
    try {
      launcher.lend(buffers);
    } catch (RuntimeException | Error e) { // the next launcher begins with them
      giveUp();
      throw translated(e, "preparing");
    }
  }

  @Override
  public void run(Map<String, MemorySegment> given) {
    given.forEach(staged::from);
    try {
      given.forEach(this::set);
      run(0);
    } finally {
      staged.forgetSources(lost);
    }
  }

  @Override
  public void runAndRelease(Map<String, MemorySegment> given) {
    isOneShot = true;
    try {
      run(given);
    } finally {
      isOneShot = false;
      release();
    }
  }

  @Override
  public void run(int routine) {
    requireOpen();
    try {
      keptArrays.locked(
          () -> {
            context.requireUsable();
            keptArrays.requireWritten();
            keptArrays.begin();
            if (check != null) {
              check(check);
            }
            runUnchecked(routine);
            keptArrays.done(arrays);
            return true;
          });
    } finally {
      staged.forgetSources(lost);
      keptArrays = keptArrays.without(program, tables);
    }
  }

  private void check(KernelCheck by) {
    KernelCheck.Wanted of = wanted(by);
    if (!KernelCheck.isNeeded(of, program, arrays)) {
      return;
    }
    boolean canBeByRun = isOwn && !measured && isRepeatable();
    if (canBeByRun && by.isEnough(of, program, arrays) && checkByRun(by, of)) {
      return;
    }
    if (!keptArrays.parts().keySet().containsAll(tables)) {
      return; // the check runs all routines, and one of them reads what is not given now
    }
    Map<String, KeptArray> given = new HashMap<>();
    for (String table : tables) {
      given.put(table, Objects.requireNonNull(keptArrays.parts().get(table), table).array());
    }
    Map<String, MemorySegment> onDeviceAlone =
        keptArrays.copies(
            input ->
                program.isLookUp(input) ? 0 : (long) of.elements() * arrays.type(input).bytes());
    CompletableFuture<KernelsOfProgram> checking =
        by.begin(of, program, arrays, onDeviceAlone, given);
    if (checking != null) {
      prepareBeside(checking);
    }
  }

  /** Whether another run has the same results. */
  private boolean isRepeatable() {
    return program.routines().size() == 1 && program.changedInputs().isEmpty();
  }

  /**
   * Checks the kernels by a run of this program, so that they are compiled once. Returns false if
   * another form would have to be run for results.
   */
  private boolean checkByRun(KernelCheck by, KernelCheck.Wanted of) {
    Routine routine = program.routines().getFirst();
    try {
      return by.checkByRun(
          of,
          program,
          arrays,
          this,
          () -> {
            launch(0);
            return routine.disproved(arrays::result, arrays).isEmpty()
                && routine.gaveUp(arrays::result, arrays).isEmpty();
          });
    } catch (RuntimeException | Error e) {
      giveUp();
      throw e;
    }
  }

  /** Does what a run does before its first launch, beside the check, which takes as long. */
  private void prepareBeside(CompletableFuture<KernelsOfProgram> check) {
    try {
      withRepeat("prepare", () -> attempt(() -> notThere(launcher().begin())));
    } finally {
      kernels = kernels.plus(KernelCheck.await(check));
    }
  }

  private void launch(int routine) {
    withRepeat("run", () -> attempt(() -> uploadAndLaunch(routine)));
    Routine done = program.routines().get(routine);
    done.steps().forEach(step -> newerOnDevice.addAll(step.layout().changedInputs()));
    newerOnDevice.removeIf(keptArrays::has);
    if (routinesRun.add(routine)) {
      done.steps().forEach(step -> isReadable(step.layout()));
    }
  }

  private void runUnchecked(int routine) {
    launch(routine);
    Routine done = program.routines().get(routine);
    String disproved = done.disproved(arrays::result, arrays); // first: what follows is undefined
    if (!disproved.isEmpty()) {
      LOG.debug("{}: computed again by a form for any, which later runs use too", disproved);
      repeat(routine, Setting.assumingNothing());
      return;
    }
    String gaveUp = done.gaveUp(arrays::result, arrays);
    if (!gaveUp.isEmpty()) {
      LOG.warn(
          "{} waited too long for other blocks: it is computed again by another form, which later"
              + " runs use too",
          gaveUp);
      repeat(routine, Setting.toTheEnd());
      return;
    }
    Map<String, MemorySegment> places = new HashMap<>();
    destinations.forEach((array, make) -> places.put(array, make.apply(arrays.length(array))));
    program.requireRoom(arrays, places);
    boundOutputs.forEach(this::fetchToHost);
    places.keySet().stream()
        .filter(array -> !launcherOfLastRun(array).isStaged(array))
        .forEach(this::fetchToHost); // so that either all are written or none
    places.forEach(
        (array, place) -> fetch(array, place.asSlice(0, arrays.elements(array).byteSize())));
  }

  private void repeat(int routine, Setting otherwise) {
    keepOnHost();
    takeForm(program.in(otherwise));
    if (check != null) {
      check(check); // this form's kernels may be others
    }
    runUnchecked(routine);
  }

  /** Closes what launches the kernels, after copying to the host what only the device has. */
  private void keepOnHost() {
    List.copyOf(newerOnDevice).forEach(this::fetchToHost);
    for (String input : staged.sent()) {
      if (!fetched.contains(input) && !staged.isBound(input)) {
        receive(launcher(), input, arrays.elements(input));
      }
      staged.from(input, arrays.elements(input));
    }
    giveUp();
  }

  private void isReadable(Layout layout) {
    readable.addAll(layout.changedInputs());
    Stream.of(layout.arrays(), layout.delivered())
        .flatMap(List::stream)
        .map(Primitive.Slot::name)
        .forEach(readable::add);
  }

  /** The platform's count of free memory may be less than ours: then kept programs are freed. */
  private String withRoom(Supplier<String> attempt) {
    try {
      return attempt.get();
    } catch (FunnelMemoryException e) {
      if (!lost.isEmpty() || !memory.freeUnused()) {
        throw e;
      }
      return attempt.get();
    }
  }

  private static String notThere(String missing) {
    return missing.isEmpty() ? "" : missing + " did not reach the device";
  }

  /** Runs a routine; returns what has not come back, or an empty string. */
  private String uploadAndLaunch(int routine) {
    Launcher now = launcher();
    changed |= arrays.mayChange() && arrays.writeShape();
    boolean isInOne = changed && isOneShot;
    if (changed) {
      newerOnDevice.stream()
          .filter(input -> !now.isStaged(input))
          .toList()
          .forEach(this::fetchToHost);
      arrays.writeShape();
      String missing = isInOne ? now.uploadAndLaunch() : now.upload();
      if (!missing.isEmpty()) {
        return notThere(missing);
      }
    }
    changed = isInOne; // other graphs have uploaded nothing
    if (!isInOne) {
      now.launch(routine);
    }
    lastRoutine = routine;
    fetched.clear();
    return arrays.missingRun(routine, ++runs[routine]);
  }

  /** Sends staged inputs and does more; returns what has not arrived, or an empty string. */
  private String attempt(Supplier<String> more) {
    context.requireNone(lost);
    String missing;
    try {
      missing = send();
      missing = missing.isEmpty() ? more.get() : missing;
    } catch (Throwable e) {
      boolean ofKernel = launcher != null && launcher.isOfKernel(e);
      giveUp();
      if (ofKernel) {
        throw e;
      }
      throw translated(e, "running");
    }
    if (!missing.isEmpty()) {
      giveUp();
    }
    return missing;
  }

  /** After a failure: the next run starts from the beginning. */
  private void giveUp() {
    lost.addAll(newerOnDevice);
    newerOnDevice.clear();
    staged.giveUp(lost);
    fetched.clear();
    closeLauncher();
  }

  @Override
  public void take(Program other) {
    program = other.like(program);
    arrays.take(program);
    changed = true;
  }

  /** Continues with other primitives over the same inputs and arrays. */
  private void takeForm(Program other) {
    long more = memory.bytes(other, keptArrays) - bytes;
    memory.reserve(other, more);
    bytes += more;
    arrays = arrays.forProgram(other, memory.allocation());
    program = other;
    kind = null; // the next program of this kind starts with the original form
    checked = null;
    routinesRun.clear();
  }

  @Override
  public void setDestination(String array, IntFunction<MemorySegment> make) {
    keptArrays.requireOther(array);
    destinations.put(array, make);
  }

  @Override
  public void fetch(String array, MemorySegment destination) {
    if (keptArrays.has(array)) {
      KeptArrays.Part part = Objects.requireNonNull(keptArrays.parts().get(array));
      part.array().read(part.from(), destination);
      return;
    }
    if (launcher != null && launcher.isStaged(array)) {
      context.requireNone(lost.contains(array) ? Set.of(array) : Set.of());
      receive(staged.isSent(array) ? launcher : launcherOfLastRun(array), array, destination);
      return;
    }
    fetchToHost(array);
    Copying.copy(arrays.elements(array), destination);
  }

  private void receive(Launcher from, String array, MemorySegment destination) {
    context.requireUsable();
    boolean hasCome;
    try {
      hasCome = from.receive(array, destination);
    } catch (Copying.MemoryFailure e) {
      throw e.rethrown();
    } catch (RuntimeException | Error e) {
      copyFailed = true;
      throw translated(e, "copying array " + array + " of");
    }
    if (!hasCome) {
      throw notCopied(array);
    }
  }

  private FunnelDeviceException notCopied(String array) {
    copyFailed = true;
    return context.notCopied(tasks, array);
  }

  @Override
  public int length(String name) {
    return arrays.length(name);
  }

  /** Copies what the last run wrote into an array, once. */
  private void fetchToHost(String array) {
    requireOpen();
    context.requireUsable();
    context.requireNone(lost.contains(array) ? Set.of(array) : Set.of());
    MemorySegment elements = arrays.elements(array);
    boolean isOnHost = arrays.hasInput(array) && !newerOnDevice.contains(array);
    if (isOnHost || elements.byteSize() == 0 || fetched.contains(array)) {
      return;
    }
    Launcher now = launcherOfLastRun(array);
    if (now.isStaged(array)) {
      receive(now, array, elements);
      fetched.add(array);
      newerOnDevice.remove(array);
      return;
    }
    boolean hasCome;
    try {
      hasCome = Download.hasCome(now, arrays, array);
    } catch (RuntimeException | Error e) {
      copyFailed = true;
      throw translated(e, "copying array " + array + " of");
    }
    if (!hasCome) {
      throw notCopied(array);
    }
    fetched.add(array);
    newerOnDevice.remove(array);
  }

  private RuntimeException translated(Throwable e, String doing) {
    return context.translated(e, doing, tasks, bytes, memory);
  }

  @Override
  public void release() {
    destinations.clear();
  }

  @Override
  public Number result(String name) {
    launcherOfLastRun(name);
    return arrays.result(name);
  }

  @Override
  public long deviceBytes() {
    return bytes;
  }

  @Override
  public KernelsOfProgram kernels() {
    return kernels;
  }

  @Override
  public void measureKernels(boolean on) {
    if (measured != on) {
      measured = on;
      wasMeasured = true;
      if (!launcher().measureKernels(on)) {
        keepOnHost();
        withRepeat("send", this::send);
        staged.forgetSources(lost);
      }
    }
  }

  @Override
  public long kernelNanos() {
    return measured && launcher != null ? launcher.kernelNanos() : -1;
  }

  @Override
  public List<PrimitiveTime> times() {
    return measured && launcher != null
        ? arrays.times(lastRoutine, launcher.kernelTimes())
        : List.of();
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (kept != null && kind != null && launcher != null && isSound()) {
      Launcher sound = launcher;
      launcher = null;
      kept.keep(
          new KeptPrograms.Kept(
              kind,
              arrays.allocated(),
              sound,
              Arrays.stream(runs).boxed().toList(),
              bytes,
              checked));
      return;
    }
    memory.free(bytes);
    closeLauncher();
  }

  /** Whether it has run and can be kept for another program. */
  private boolean isSound() {
    return !routinesRun.isEmpty()
        && lost.isEmpty()
        && !copyFailed
        && !wasMeasured
        && context.isUsable();
  }
}
