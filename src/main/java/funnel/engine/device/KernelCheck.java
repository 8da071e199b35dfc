package funnel.engine.device;

import funnel.engine.JvmEngine;
import funnel.engine.KeptArray;
import funnel.engine.KernelsOfProgram;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.jit.CallChain;
import funnel.kernel.KernelTask;
import funnel.operation.FunnelDeviceException;
import funnel.operation.Input;
import funnel.operation.Layout;
import funnel.operation.ParallelRows;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Runs a program's kernels on the first elements of its inputs, on the device and on the JVM, and
 * compares the results.
 */
public final class KernelCheck {

  private static final Logger LOG = LoggerFactory.getLogger(KernelCheck.class);

  /** How much results may differ if a user's function may, as a part of the larger one. */
  private static final double TOLERANCE = 1e-4;

  /** The number of values that may then be on the other side of a bin's edge. */
  private static final int MOST_AT_EDGES = 4;

  /** The number of elements that the kernels of a signature have been checked with. */
  private static final Map<String, Integer> CHECKED = new ConcurrentHashMap<>();

  /**
   * Kernels are checked again once this many times as many elements are available for the check.
   */
  private static final int MORE_ELEMENTS = 4;

  /**
   * Programs of at most so many elements are checked by runs of their own: the JVM's run takes less
   * time than the device's compiler for kernels of another capacity.
   */
  static final int MOST_OF_OWN = 1 << 20;

  /**
   * What must be checked of a program.
   *
   * @param kernels the code of each launch
   * @param launches what the check is found by in later processes; null if it is not kept
   */
  record Wanted(
      String signature, List<Class<?>> kernels, int elements, @Nullable List<String> launches) {}

  private final DeviceContext context;
  private final String kind;
  private final Function<Program, LoadedProgram> unchecked;
  private final PassedChecks passed;

  /**
   * A check for the programs of a device.
   *
   * @param context the device
   * @param kind the compiler of its kernels
   * @param unchecked loads a program onto it
   * @param passed checks that earlier processes have made
   */
  public KernelCheck(
      DeviceContext context,
      String kind,
      Function<Program, LoadedProgram> unchecked,
      PassedChecks passed) {
    this.context = context;
    this.kind = kind;
    this.unchecked = unchecked;
    this.passed = passed;
  }

  /**
   * Begins to check the kernels beside the caller, unless those of the same signature have been
   * checked with as many elements.
   *
   * @param of what must be checked of the program
   * @param arrays the arrays with the first elements of its inputs, which must not change until the
   *     end
   * @param instead the first elements of inputs that these arrays do not have, by name
   * @param tables inputs that are kept arrays of this run; functions on the JVM read them
   *     themselves
   * @return its kernels, to be {@linkplain #await awaited}; null if there is nothing to check
   */
  @Nullable CompletableFuture<KernelsOfProgram> begin(
      Wanted of,
      Program program,
      ProgramArrays arrays,
      Map<String, MemorySegment> instead,
      Map<String, KeptArray> tables) {
    if (!isNeeded(of, program, arrays)) {
      return null;
    }
    int now = elements(of, program, arrays);
    CallChain chain = CallChain.current();
    Executor threads = threads(program, arrays);
    return CompletableFuture.supplyAsync(
        () -> {
          AtomicReference<KernelsOfProgram> own = new AtomicReference<>(KernelsOfProgram.NONE);
          chain.run(() -> own.set(check(of, program, arrays, instead, tables, threads)));
          isChecked(of, now);
          return own.get();
        },
        threads);
  }

  /**
   * Checks the kernels by a run of the program itself, which must be {@linkplain #isEnough enough},
   * have one routine and change no input.
   *
   * @param here the program on the device
   * @param run runs it there, without writing anything of the caller's, and returns whether it has
   *     come to results
   * @return whether it has
   * @throws FunnelDeviceException if a result differs
   */
  boolean checkByRun(
      Wanted of, Program program, ProgramArrays arrays, LoadedProgram here, BooleanSupplier run) {
    try (LoadedProgram there = new JvmEngine().load(program, Map.of())) {
      for (Input input : program.inputs()) {
        there.set(input.name(), arrays.elements(input.name()));
      }
      if (!runBoth(run, () -> there.run(0), threads(program, arrays))) {
        return false;
      }
      compareAll(program, 0, arrays, here, there);
    }
    isChecked(of, elements(of, program, arrays));
    return true;
  }

  private void isChecked(Wanted of, int elements) {
    CHECKED.merge(of.signature(), elements, Math::max);
    LOG.debug("checked: {}", of.signature());
    if (of.launches() != null) {
      passed.add(of.launches(), elements);
    }
  }

  /**
   * Whether a run of this program checks all that one of the other would, and takes not much
   * longer.
   */
  boolean isEnough(Wanted of, Program program, ProgramArrays arrays) {
    boolean mayDiffer =
        program.steps().stream()
            .flatMap(step -> step.combined().stream())
            .anyMatch(Primitive.Combined::mayDiffer); // by more, the more elements there are
    int most = mayDiffer ? of.elements() : Math.max(of.elements(), MOST_OF_OWN);
    return !program.inputs().isEmpty()
        && program.inputs().stream().allMatch(input -> input.capacity() <= most)
        && kernels(tasks(program, arrays)).equals(of.kernels());
  }

  /** Whether {@link #begin} has something to check, for which it reads the inputs' arrays. */
  static boolean isNeeded(Wanted of, Program program, ProgramArrays arrays) {
    int now = elements(of, program, arrays);
    int before = CHECKED.getOrDefault(of.signature(), 0);
    return now > 0 && now >= MORE_ELEMENTS * before && now != before;
  }

  /** The number of elements that there are for a check. */
  private static int elements(Wanted of, Program program, ProgramArrays arrays) {
    List<String> inputs =
        program.inputs().stream().map(Input::name).filter(x -> !program.isLookUp(x)).toList();
    Stream<String> names =
        inputs.isEmpty() ? program.arrays().stream().map(Primitive.Slot::name) : inputs.stream();
    int longest = names.mapToInt(arrays::length).max().orElse(0);
    return Math.min(of.elements(), longest);
  }

  /** Whether kernels have been checked with all elements that their check wants. */
  static boolean isDone(Wanted of) {
    return CHECKED.getOrDefault(of.signature(), 0) == of.elements();
  }

  /** The caller's arrays may be confined to its thread: then that does everything. */
  private static Executor threads(Program program, ProgramArrays arrays) {
    return areShared(program, arrays)
        ? task -> Thread.ofPlatform().daemon().name("funnel-check").start(task)
        : Runnable::run;
  }

  private static boolean areShared(Program program, ProgramArrays arrays) {
    Set<String> tables = program.tables();
    return program.inputs().stream()
        .map(Input::name)
        .filter(input -> !tables.contains(input))
        .map(arrays::elements)
        .allMatch(elements -> ParallelRows.mayBeShared(elements, elements));
  }

  /**
   * Waits for the end of a check.
   *
   * @return its kernels
   * @throws FunnelDeviceException if a result differs
   */
  static <T> T await(CompletableFuture<T> check) {
    try {
      return check.join();
    } catch (CompletionException e) {
      Throwable thrown = Objects.requireNonNull(e.getCause());
      if (thrown instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) thrown;
    }
  }

  private KernelsOfProgram check(
      Wanted of,
      Program program,
      ProgramArrays arrays,
      Map<String, MemorySegment> instead,
      Map<String, KeptArray> tables,
      Executor threads) {
    Program small = program.in(Setting.within(of.elements()));
    try (LoadedProgram here = unchecked.apply(small);
        LoadedProgram there = new JvmEngine().load(small, Map.of())) {
      for (Input input : small.inputs()) {
        if (tables.containsKey(input.name())) {
          continue;
        }
        MemorySegment given = instead.get(input.name());
        MemorySegment all = given != null ? given : arrays.elements(input.name());
        MemorySegment first =
            all.asSlice(
                0, Math.min(all.byteSize(), (long) input.capacity() * input.type().bytes()));
        here.set(input.name(), first);
        there.set(input.name(), first);
      }
      for (int routine = 0; routine < small.routines().size(); routine++) {
        tables.forEach( // for one run each
            (name, table) -> {
              here.set(name, table);
              there.set(name, Objects.requireNonNull(instead.get(name)));
            });
        int number = routine;
        var _ =
            runBoth(
                () -> {
                  here.run(number);
                  return true;
                },
                () -> there.run(number),
                threads);
        compareAll(small, routine, arrays, here, there);
      }
      return here.kernels();
    }
  }

  /**
   * Each takes a while the first time: one compiles kernels, the other makes its loops.
   *
   * @return what {@code here} returns
   */
  private static boolean runBoth(BooleanSupplier here, Runnable there, Executor threads) {
    CallChain chain = CallChain.current();
    CompletableFuture<Void> run = CompletableFuture.runAsync(() -> chain.run(there), threads);
    boolean result;
    try {
      result = here.getAsBoolean();
    } finally {
      var _ = run.handle((_, _) -> run).join(); // it reads what must not change until the end
    }
    var _ = await(run);
    return result;
  }

  /**
   * The kernels of the program that is checked in place of this one, with all their constants, and
   * the number of elements that it needs.
   */
  Wanted wanted(Program program) {
    int elements = program.layouts().stream().mapToInt(Layout::checkedElements).max().orElse(0);
    Program small = program.in(Setting.within(elements));
    List<KernelTask> tasks = tasks(small, new ProgramArrays(small, Map.of()));
    String signature =
        tasks.stream().map(KernelTask::signature).collect(Collectors.joining(";", kind + ":", ""));
    boolean mayDiffer = // then elements decide, and others may come
        small.steps().stream()
            .flatMap(step -> step.combined().stream())
            .anyMatch(Primitive.Combined::mayDiffer);
    List<String> launches = mayDiffer ? null : passed.launches(tasks);
    int before = launches == null ? 0 : passed.elements(launches);
    if (before > 0) {
      CHECKED.merge(signature, before, Math::max);
    }
    return new Wanted(signature, kernels(tasks), elements, launches);
  }

  /** The program that is run to check this one. */
  public static Program checking(Program program) {
    int elements = program.layouts().stream().mapToInt(Layout::checkedElements).max().orElse(0);
    return program.in(Setting.within(elements));
  }

  private static List<KernelTask> tasks(Program program, ProgramArrays arrays) {
    return IntStream.range(0, program.routines().size())
        .mapToObj(arrays::tasks)
        .flatMap(List::stream)
        .toList();
  }

  private static List<Class<?>> kernels(List<KernelTask> tasks) {
    return tasks.stream().<Class<?>>map(task -> task.code().getClass()).toList();
  }

  private void compareAll(
      Program small, int routine, ProgramArrays arrays, LoadedProgram here, LoadedProgram there) {
    Set<String> tables = small.tables();
    for (Step step : small.routines().get(routine).steps()) {
      Layout layout = step.layout();
      if (layout.inputs().stream()
          .anyMatch(input -> !tables.contains(input) && there.length(input) == 0)) {
        continue;
      }
      for (Primitive.Slot slot : layout.results()) {
        compare(step, slot.name(), here.result(slot.name()), there.result(slot.name()));
      }
      for (Primitive.Slot slot : layout.arrays()) {
        compareArrays(step, slot.name(), slot.type(), here, there);
      }
      for (String input : layout.changedInputs()) {
        compareArrays(step, input, arrays.type(input), here, there);
      }
    }
  }

  private void compareArrays(
      Step step, String name, ElementType type, LoadedProgram here, LoadedProgram there) {
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
          step,
          "%s[%s]".formatted(name, i),
          ProgramArrays.element(onDevice, i),
          ProgramArrays.element(onJvm, i));
    }
  }

  private void compare(Step step, String result, Number here, Number there) {
    boolean same = here.equals(there);
    if (!same && step.combined().stream().anyMatch(Primitive.Combined::mayDiffer)) {
      double largest = Math.max(Math.abs(here.doubleValue()), Math.abs(there.doubleValue()));
      double difference = Math.abs(here.doubleValue() - there.doubleValue());
      double least = here instanceof Integer || here instanceof Long ? MOST_AT_EDGES : 0;
      same = difference <= Math.max(least, TOLERANCE * Math.max(1, largest));
    }
    if (!same) {
      throw context.failure(
          "the check of the kernels of %s found result %s=%s on the device and %s on the JVM; %suse another TornadoVM version or backend, or -Dfunnel.engine=jvm"
              .formatted(step.id(), result, here, there, granted(step)),
          null);
    }
  }

  private static String granted(Step step) {
    String granted = step.takesForGranted();
    return granted.isEmpty() ? "" : "see that %s; if so, ".formatted(granted);
  }
}
