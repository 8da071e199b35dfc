package funnel.engine;

import funnel.kernel.KernelTask;
import funnel.operation.FunnelDeviceException;
import funnel.operation.FunnelMemoryException;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import uk.ac.manchester.tornado.api.exceptions.TornadoOutOfMemoryException;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** A program on a device, whatever launches its kernels. */
final class DeviceProgram implements LoadedProgram {

  /* The driver's errors are printed by TornadoVM and not thrown. So each upload and each run is
   * counted by the device, and what does not come back is found here. Then the program is loaded
   * again and run once more, from the inputs as they are on the host. What fails twice is an
   * exception for this program alone; only where the device does nothing at all any more, which a
   * probe shows, is it given up for the whole process.
   *
   * That cannot be done again if the device alone had the newest contents of an input that runs write
   * over: such an input is lost, and has to be set anew.
   *
   * What has run and never failed is kept when the program is closed, for the next one of its kind.
   * That one has names of its own, counts on, and sets its inputs anew; until it has run itself, it
   * has nothing to be read.
   */

  private static final Logger LOG = LoggerFactory.getLogger(DeviceProgram.class);
  private static final Pattern STATUS = Pattern.compile("status=(\\d+)");
  private static final String CONSOLE = "TornadoVM's console output may have the driver's error";

  private final DeviceContext context;
  private final DeviceMemory memory;
  private final BiFunction<Program, ProgramArrays, Launcher> launchers;
  private final @Nullable KernelCheck check;
  private final @Nullable KeptPrograms kept;
  private @Nullable ProgramKind kind;
  private KernelCheck.@Nullable Wanted checked;
  private long bytes;
  private final Map<String, MemorySegment> destinations = new HashMap<>();
  private final Set<String> boundOutputs = new HashSet<>();
  private final Set<String> fetched = new HashSet<>();
  private final Set<String> newerOnDevice = new HashSet<>();
  private final Set<String> lost = new HashSet<>();
  private final Set<Integer> routinesRun = new HashSet<>();
  private final Set<String> readable = new HashSet<>();
  private final long[] runs;
  private Program program;
  private ProgramArrays arrays;
  private String tasks = "";
  private @Nullable Launcher launcher;
  private boolean changed = true;
  private boolean measured;
  private boolean copyFailed;
  private boolean closed;

  /**
   * Loads a program.
   *
   * @param program the program
   * @param bound arrays of the caller's, by name
   * @param context the device
   * @param memory its memory
   * @param launchers what launches the kernels of a program over its arrays
   * @param check if not null, has the kernels checked before a run
   * @param kept if not null, what closed programs have left, and will be left of this one
   */
  DeviceProgram(
      Program program,
      Map<String, TornadoNativeArray> bound,
      DeviceContext context,
      DeviceMemory memory,
      BiFunction<Program, ProgramArrays, Launcher> launchers,
      @Nullable KernelCheck check,
      @Nullable KeptPrograms kept) {
    context.requireUsable();
    this.context = context;
    bound.forEach(this::requireReach);
    this.program = program;
    this.memory = memory;
    this.launchers = launchers;
    this.check = check;
    this.kept = kept;
    runs = new long[program.routines().size()];
    kind = kept == null || !bound.isEmpty() ? null : kind(program);
    KeptPrograms.Kept left = kept == null || kind == null ? null : kept.take(kind);
    if (left == null) {
      bytes = ProgramArrays.bytes(program);
      memory.reserve(program, bytes);
    } else {
      bytes = left.bytes();
      launcher = left.launcher();
    }
    try {
      if (left == null) {
        arrays = allocated(bound);
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
        tasks = tasks();
      }
    } catch (Throwable e) {
      closeLauncher();
      memory.free(bytes);
      throw translated(e, "preparing");
    }
  }

  private static @Nullable ProgramKind kind(Program program) {
    try {
      return ProgramKind.of(program);
    } catch (RuntimeException | Error e) {
      return null; // loading it meets the same, and says so
    }
  }

  private ProgramArrays allocated(Map<String, TornadoNativeArray> bound) {
    try {
      return new ProgramArrays(program, bound);
    } catch (OutOfMemoryError e) { // what is kept has arrays on the host, too
      if (!memory.freeUnused()) {
        throw e;
      }
      return new ProgramArrays(program, bound);
    }
  }

  private String tasks() {
    return IntStream.range(0, runs.length)
        .mapToObj(arrays::tasks)
        .flatMap(List::stream)
        .map(KernelTask::id)
        .collect(Collectors.joining(", "));
  }

  /** Begins with the arrays that there are. */
  private void begin() {
    requireOpen();
    tasks = tasks();
    arrays.clearResults();
    Arrays.fill(runs, 0);
    changed = true;
    copyFailed = false;
    Launcher begun = launchers.apply(program, arrays);
    launcher = begun;
    if (measured) {
      begun.measureKernels(true);
    }
  }

  /** What launches the kernels; there is none after a failure. */
  private Launcher launcher() {
    if (launcher == null) {
      begin();
    }
    return Objects.requireNonNull(launcher);
  }

  /** What it had may be another program's by now. */
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
    TornadoNativeArray array = (TornadoNativeArray) arrays.array(input);
    context.device().requireReach(input, array, elements.byteSize());
    arrays.set(input, elements);
    isSet(input);
  }

  @Override
  public void setRange(String input, int offset, int length) {
    arrays.setRange(input, offset, length);
    isSet(input);
  }

  private void isSet(String input) {
    newerOnDevice.remove(input);
    lost.remove(input);
    changed = true;
  }

  @Override
  public void run(int routine) {
    requireOpen();
    context.requireUsable();
    if (check != null) {
      if (checked == null) {
        checked = check.wanted(program);
      }
      check.check(checked, program, arrays);
    }
    runUnchecked(routine);
  }

  private void runUnchecked(int routine) {
    String missing = attemptWithRoom(routine);
    if (!missing.isEmpty()) {
      requireRepeatable(missing);
      LOG.warn("{}: loading the program again, to run it once more; {}", missing, CONSOLE);
      missing = attempt(routine);
    }
    if (!missing.isEmpty()) {
      context.isLostBy(missing);
      throw context.failure(
          "the device did not complete tasks %s, twice: %s; %s; a last kernel that does not count its run, or a task graph of your own in which some arrays are in no transfer, can be the cause"
              .formatted(tasks, missing, CONSOLE),
          null);
    }
    Routine done = program.routines().get(routine);
    done.primitives().forEach(p -> newerOnDevice.addAll(program.layout(p).changedInputs()));
    if (routinesRun.add(routine)) {
      done.primitives().forEach(p -> isReadable(program.layout(p)));
    }
    String gaveUp = done.gaveUp(arrays::result, arrays);
    if (!gaveUp.isEmpty()) {
      LOG.warn(
          "{} waited too long for other blocks: computed again, and from now on, by another form",
          gaveUp);
      giveUp();
      takeForm(program.in(Setting.toTheEnd()));
      runUnchecked(routine);
      return;
    }
    boundOutputs.forEach(this::fetchToHost);
    destinations.keySet().forEach(this::fetchToHost); // so that either all are written or none
    destinations.forEach(
        (array, place) -> fetch(array, place.asSlice(0, arrays.elements(array).byteSize())));
  }

  private void isReadable(Layout layout) {
    readable.addAll(layout.changedInputs());
    Stream.of(layout.arrays(), layout.delivered())
        .flatMap(List::stream)
        .map(Primitive.Slot::name)
        .forEach(readable::add);
  }

  /** The platform's own count of the memory can find less than ours: then what is kept goes. */
  private String attemptWithRoom(int routine) {
    try {
      return attempt(routine);
    } catch (FunnelMemoryException e) {
      if (!lost.isEmpty() || !memory.freeUnused()) {
        throw e;
      }
      return attempt(routine);
    }
  }

  /** Runs a routine; what has not come back from it, or an empty string. */
  private String attempt(int routine) {
    if (!lost.isEmpty()) {
      throw context.failure(
          "inputs %s were changed by earlier runs and lost when a run failed: set them again"
              .formatted(lost),
          null);
    }
    String missing;
    try {
      Launcher now = launcher();
      missing = "";
      if (changed) {
        List.copyOf(newerOnDevice).forEach(this::fetchToHost);
        arrays.writeShape();
        missing = now.upload();
        missing = missing.isEmpty() ? "" : missing + " did not reach the device";
      }
      if (missing.isEmpty()) {
        changed = false;
        now.launch(routine);
        fetched.clear();
        missing = arrays.missingRun(routine, ++runs[routine]);
      }
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

  /** After a failure: the next run begins anew. */
  private void giveUp() {
    lost.addAll(newerOnDevice);
    newerOnDevice.clear();
    fetched.clear();
    closeLauncher();
  }

  /** Goes on with other primitives over the same inputs and arrays. */
  private void takeForm(Program other) {
    long more = ProgramArrays.bytes(other) - bytes;
    memory.reserve(other, more);
    bytes += more;
    arrays = arrays.forProgram(other);
    program = other;
    kind = null; // the next one of its kind begins with the form that this one began with
    checked = null;
    routinesRun.clear();
  }

  private void requireRepeatable(String missing) {
    if (context.isLostBy(missing)) {
      throw context.failure(
          "the device did not complete tasks %s: %s; its context is lost; %s"
              .formatted(tasks, missing, CONSOLE),
          null);
    }
    if (!lost.isEmpty()) {
      throw context.failure(
          "the device did not complete tasks %s: %s; inputs %s, which earlier runs had changed, are lost: set them again; %s"
              .formatted(tasks, missing, lost, CONSOLE),
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
    requireOpen();
    context.requireUsable();
    if (lost.contains(array)) {
      throw context.failure(
          "input %s was lost when a run failed: set it again".formatted(array), null);
    }
    MemorySegment elements = arrays.elements(array);
    boolean isOnHost = arrays.hasInput(array) && !newerOnDevice.contains(array);
    if (isOnHost || elements.byteSize() == 0 || fetched.contains(array)) {
      return;
    }
    // A copy that fails is printed and not thrown: then what was here before is still here.
    if (stillHolds(array, (byte) 0x5a) && stillHolds(array, (byte) 0x33)) {
      copyFailed = true;
      String missing = "array " + array + " could not be copied from the device";
      throw context.failure(
          "%s%s; %s (%s)"
              .formatted(
                  missing,
                  context.isLostBy(missing) ? " and its context is lost" : "",
                  CONSOLE,
                  tasks),
          null);
    }
    fetched.add(array);
    newerOnDevice.remove(array);
  }

  /** Fills the array's ends, copies it, and looks whether they are as they were filled. */
  private boolean stillHolds(String array, byte filling) {
    Launcher now = launcherOfLastRun(array);
    MemorySegment elements = arrays.elements(array);
    long ends = Math.min(elements.byteSize(), Long.BYTES);
    MemorySegment first = elements.asSlice(0, ends);
    MemorySegment end = elements.asSlice(elements.byteSize() - ends, ends);
    first.fill(filling);
    end.fill(filling);
    try {
      TornadoNativeArray whole = (TornadoNativeArray) arrays.array(array);
      now.download(whole, arrays.offset(array), arrays.length(array));
    } catch (RuntimeException | Error e) {
      copyFailed = true;
      throw translated(e, "copying array " + array + " of");
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

  /**
   * Whether a message of TornadoVM's about an allocation speaks of an earlier fault: it reports all
   * failures as want of memory, with the driver's status, which is 2 only if it is that.
   */
  static boolean isFault(String message) {
    Matcher status = STATUS.matcher(message);
    return status.find() && !status.group(1).equals("2");
  }

  private RuntimeException translated(Throwable e, String doing) {
    for (Throwable t = e; t != null; t = t.getCause()) {
      if (t instanceof TornadoOutOfMemoryException) {
        String message = String.valueOf(t.getMessage());
        if (!isFault(message)) {
          return new FunnelMemoryException(
              "a plan with tasks %s (%s)".formatted(tasks, message), bytes, memory.left());
        }
        context.isLostBy(message);
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
    return context.failure("%s tasks %s failed: %s%s".formatted(doing, tasks, reason, advice), e);
  }

  /** What an exception's first cause says. */
  static String reason(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getMessage() == null ? root.toString() : root.getMessage();
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
  public void measureKernels(boolean on) {
    if (measured != on) {
      measured = on;
      launcher().measureKernels(on);
    }
  }

  @Override
  public long kernelNanos() {
    return measured && launcher != null ? launcher.kernelNanos() : -1;
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

  /** Whether it has run, and nothing speaks against going on with it. */
  private boolean isSound() {
    return !routinesRun.isEmpty()
        && lost.isEmpty()
        && !copyFailed
        && !measured
        && context.isUsable();
  }
}
