package funnel.engine;

import funnel.kernel.KernelTask;
import funnel.operation.FunnelDeviceException;
import funnel.operation.FunnelMemoryException;
import funnel.operation.Input;
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
   * That cannot be done again if the device alone had the newest contents of an input: one that runs
   * write over, or a staged one, unless the caller's memory is still at hand in the step that set it.
   * Such an input is lost, and has to be set anew.
   */

  private static final Logger LOG = LoggerFactory.getLogger(DeviceProgram.class);
  private static final Pattern STATUS = Pattern.compile("status=(\\d+)");
  private static final String CONSOLE = "TornadoVM's console output may have the driver's error";

  private final DeviceContext context;
  private final DeviceMemory memory;
  private final BiFunction<Program, ProgramArrays, Launcher> launchers;
  private final @Nullable KernelCheck check;
  private KernelCheck.@Nullable Wanted checked;
  private long bytes;
  private final Map<String, MemorySegment> destinations = new HashMap<>();
  private final Set<String> boundOutputs = new HashSet<>();
  private final Set<String> fetched = new HashSet<>();
  private final Set<String> newerOnDevice = new HashSet<>();
  private final Set<String> lost = new HashSet<>();

  /** Staged inputs that are to be sent before the next launch, and those that have been. */
  private final Set<String> unsent = new HashSet<>();

  private final Set<String> sent = new HashSet<>();

  /** Where elements of inputs are as they were set, for as long as that is known. */
  private final Map<String, MemorySegment> sources = new HashMap<>();

  private final Set<String> boundInputs;
  private final long[] runs;
  private Program program;
  private ProgramArrays arrays;
  private String tasks = "";
  private @Nullable Launcher launcher;
  private boolean changed = true;
  private boolean measured;
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
   */
  DeviceProgram(
      Program program,
      Map<String, TornadoNativeArray> bound,
      DeviceContext context,
      DeviceMemory memory,
      BiFunction<Program, ProgramArrays, Launcher> launchers,
      @Nullable KernelCheck check) {
    context.requireUsable();
    this.context = context;
    bound.forEach(this::requireReach);
    this.program = program;
    this.memory = memory;
    this.launchers = launchers;
    this.check = check;
    boundInputs =
        program.inputs().stream()
            .map(Input::name)
            .filter(bound::containsKey)
            .collect(Collectors.toSet());
    bytes = ProgramArrays.bytes(program);
    runs = new long[program.routines().size()];
    memory.reserve(program, bytes);
    try {
      arrays = new ProgramArrays(program, bound);
      program.arrays().stream()
          .map(Primitive.Slot::name)
          .filter(bound::containsKey)
          .forEach(boundOutputs::add);
      begin();
    } catch (Throwable e) {
      memory.free(bytes);
      throw translated(e, "preparing");
    }
  }

  /** Begins with the arrays that there are. */
  private void begin() {
    tasks =
        IntStream.range(0, runs.length)
            .mapToObj(arrays::tasks)
            .flatMap(List::stream)
            .map(KernelTask::id)
            .collect(Collectors.joining(", "));
    arrays.clearResults();
    Arrays.fill(runs, 0);
    changed = true;
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

  private Launcher launcherOfLastRun(String read) {
    if (launcher == null) {
      throw context.failure("the last run failed: run again before " + read + " is read", null);
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
    TornadoNativeArray array = (TornadoNativeArray) arrays.array(input);
    context.device().requireReach(input, array, elements.byteSize());
    if (!launcher().isStaged(input)) {
      arrays.set(input, elements);
      isSet(input);
      return;
    }
    arrays.set(input, elements, check == null ? 0 : wanted(check).elements());
    isSet(input);
    boolean isStep = sources.put(input, elements) != null;
    try {
      sendAll();
    } finally {
      if (!isStep) {
        forgetSources();
      }
    }
  }

  /** The step is over in which elements are where they came from. */
  private void forgetSources() {
    sources.clear();
    unsent.stream().filter(input -> !boundInputs.contains(input)).forEach(lost::add);
    unsent.removeAll(lost);
  }

  private KernelCheck.Wanted wanted(KernelCheck by) {
    if (checked == null) {
      checked = by.wanted(program);
    }
    return checked;
  }

  /** Sends what is staged and not on the device; once more, where it does not arrive. */
  private void sendAll() {
    String missing = send();
    if (!missing.isEmpty()) {
      requireRepeatable(missing);
      LOG.warn("{}: loading the program again, to send it once more; {}", missing, CONSOLE);
      missing = send();
    }
    if (!missing.isEmpty()) {
      throw notDone(missing);
    }
  }

  /** What did not arrive, or an empty string. */
  private String send() {
    for (String input : List.copyOf(unsent)) {
      MemorySegment source =
          boundInputs.contains(input) ? arrays.elements(input) : sources.get(input);
      String missing;
      try {
        missing = launcher().send(input, Objects.requireNonNull(source, input));
      } catch (Throwable e) {
        giveUp();
        throw translated(e, "sending input " + input + " of");
      }
      if (!missing.isEmpty()) {
        giveUp();
        return missing + " did not reach the device";
      }
      unsent.remove(input);
      sent.add(input);
    }
    return "";
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
    if (arrays.hasInput(input) && launcher().isStaged(input)) {
      unsent.add(input);
    }
  }

  @Override
  public void run(Map<String, MemorySegment> given) {
    sources.putAll(given);
    try {
      given.forEach(this::set);
      run(0);
    } finally {
      forgetSources();
    }
  }

  @Override
  public void run(int routine) {
    try {
      context.requireUsable();
      if (check != null) {
        check.check(wanted(check), program, arrays);
      }
      runUnchecked(routine);
    } finally {
      forgetSources();
    }
  }

  private void runUnchecked(int routine) {
    String missing = attempt(routine);
    if (!missing.isEmpty()) {
      requireRepeatable(missing);
      LOG.warn("{}: loading the program again, to run it once more; {}", missing, CONSOLE);
      missing = attempt(routine);
    }
    if (!missing.isEmpty()) {
      throw notDone(missing);
    }
    Routine done = program.routines().get(routine);
    done.primitives().forEach(p -> newerOnDevice.addAll(program.layout(p).changedInputs()));
    String gaveUp = done.gaveUp(arrays::result, arrays);
    if (!gaveUp.isEmpty()) {
      LOG.warn(
          "{} waited too long for other blocks: computed again, and from now on, by another form",
          gaveUp);
      keepOnHost();
      takeForm(program.in(Setting.toTheEnd()));
      runUnchecked(routine);
      return;
    }
    boundOutputs.forEach(this::fetchToHost);
    destinations.keySet().stream()
        .filter(array -> !launcherOfLastRun(array).isStaged(array))
        .forEach(this::fetchToHost); // so that either all are written or none
    destinations.forEach(
        (array, place) -> fetch(array, place.asSlice(0, arrays.elements(array).byteSize())));
  }

  /** Ends what launches the kernels, and keeps what only the device has. */
  private void keepOnHost() {
    List.copyOf(newerOnDevice).forEach(this::fetchToHost);
    for (String input : sent) {
      if (!fetched.contains(input) && !boundInputs.contains(input)) {
        receive(input, arrays.elements(input));
      }
      sources.put(input, arrays.elements(input));
    }
    giveUp();
  }

  private FunnelDeviceException notDone(String missing) {
    context.isLostBy(missing);
    return context.failure(
        "the device did not complete tasks %s, twice: %s; %s; a last kernel that does not count its run, or a task graph of your own in which some arrays are in no transfer, can be the cause"
            .formatted(tasks, missing, CONSOLE),
        null);
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
      missing = send();
      if (!missing.isEmpty()) {
        return missing;
      }
      Launcher now = launcher();
      if (changed) {
        newerOnDevice.stream()
            .filter(input -> !now.isStaged(input))
            .toList()
            .forEach(this::fetchToHost);
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
    for (String input : sent) {
      boolean isElsewhere = sources.containsKey(input) || boundInputs.contains(input);
      (isElsewhere ? unsent : lost).add(input);
    }
    sent.clear();
    lost.addAll(newerOnDevice);
    newerOnDevice.clear();
    unsent.removeAll(lost);
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
    checked = null;
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
    if (launcher != null && launcher.isStaged(array)) {
      requireNotLost(array);
      receive(array, destination);
      return;
    }
    fetchToHost(array);
    Staging.copy(arrays.elements(array), destination);
  }

  private void receive(String array, MemorySegment destination) {
    context.requireUsable();
    boolean hasCome;
    try {
      hasCome = launcherOfLastRun(array).receive(array, destination);
    } catch (RuntimeException | Error e) {
      throw translated(e, "copying array " + array + " of");
    }
    if (!hasCome) {
      throw notCopied(array);
    }
  }

  private void requireNotLost(String array) {
    if (lost.contains(array)) {
      throw context.failure(
          "input %s was lost when a run failed: set it again".formatted(array), null);
    }
  }

  private FunnelDeviceException notCopied(String array) {
    String missing = "array " + array + " could not be copied from the device";
    return context.failure(
        "%s%s; %s (%s)"
            .formatted(
                missing,
                context.isLostBy(missing) ? " and its context is lost" : "",
                CONSOLE,
                tasks),
        null);
  }

  @Override
  public int length(String name) {
    return arrays.length(name);
  }

  /** Copies what the last run wrote into an array, once. */
  private void fetchToHost(String array) {
    context.requireUsable();
    requireNotLost(array);
    MemorySegment elements = arrays.elements(array);
    boolean isOnHost = arrays.hasInput(array) && !newerOnDevice.contains(array);
    if (isOnHost || elements.byteSize() == 0 || fetched.contains(array)) {
      return;
    }
    if (launcherOfLastRun(array).isStaged(array)) {
      receive(array, elements);
      fetched.add(array);
      newerOnDevice.remove(array);
      return;
    }
    // A copy that fails is printed and not thrown: then what was here before is still here.
    if (stillHolds(array, (byte) 0x5a) && stillHolds(array, (byte) 0x33)) {
      throw notCopied(array);
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
      if (!launcher().measureKernels(on)) {
        keepOnHost();
        sendAll();
        forgetSources();
      }
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
    memory.free(bytes);
    closeLauncher();
  }
}
