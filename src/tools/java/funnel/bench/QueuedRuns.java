package funnel.bench;

import funnel.Plan;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Many runs of a plan in a row, for times of its kernels. */
@SuppressWarnings("restricted") // what the driver is called with is stated here alone
final class QueuedRuns {

  /* TornadoVM's profiler records an event and then launches, on a stream that is idle: so each
   * kernel takes 2 to 7 us too long by it, and a sort of twelve launches some 50. A plan's run is
   * recorded as a graph of the driver's, with the copies of its results. Here it is launched many
   * times in a row, between two events: so only the first launch waits for the host. CUB's launches,
   * with a copy as well, are measured in the same way, or by events around all kernels of a long
   * one, with more queued (timing.cuh). The driver launches no graph in less than some 3 us.
   *
   * The recording is found in fields of Funnel's and of TornadoVM's. These runs are counted on the
   * device alone, so the plan is loaded again, by a measurement of nothing.
   */

  private static final int MOST_RUNS = 100;
  private static final int LEAST_RUNS = 5;

  /** More elements have fewer runs. */
  private static final long ELEMENTS_OF_MOST = 1 << 22;

  private static final double NANOS_PER_MILLI = 1e6;
  private static final int NON_BLOCKING = 1;

  private final SymbolLookup driver = SymbolLookup.libraryLookup("libcuda.so.1", Arena.global());
  private final Map<String, MethodHandle> functions = new HashMap<>();
  private final Arena arena;
  private final int runs;

  private QueuedRuns(Arena arena, long elements) {
    this.arena = arena;
    runs = Math.clamp(MOST_RUNS * ELEMENTS_OF_MOST / Math.max(1, elements), LEAST_RUNS, MOST_RUNS);
  }

  /** The time of a run among many, or null if the plan's runs are not recorded. */
  static @Nullable Timing times(Plan plan, long elements, Effort effort) {
    long recording = recording(plan);
    if (recording == 0) {
      return null;
    }
    try (Arena arena = Arena.ofConfined()) {
      return new QueuedRuns(arena, elements).times(recording, effort);
    } finally {
      plan.measureKernels(true);
      plan.measureKernels(false);
    }
  }

  private static long recording(Plan plan) {
    Object launcher = field(plan, "loaded", "launcher");
    if (!launcher.getClass().getSimpleName().equals("TornadoLauncher")) {
      return 0;
    }
    int last = (int) field(launcher, "lastRun");
    if (!((BitSet) field(launcher, "recorded")).get(last)) {
      return 0;
    }
    Object graph = ((List<?>) field(launcher, "frozen")).get(last);
    Object interpreters = field(graph, "taskGraph", "taskGraphImpl", "vm", "tornadoVMInterpreters");
    Map<?, ?> handles = (Map<?, ?>) field(Array.get(interpreters, 0), "executionGraphHandles");
    return (long) handles.values().iterator().next();
  }

  private static Object field(Object of, String... names) {
    try {
      Object found = of;
      for (String name : names) {
        Field field = found.getClass().getDeclaredField(name);
        field.setAccessible(true);
        found = Objects.requireNonNull(field.get(found), name);
      }
      return found;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no recording in " + of.getClass(), e);
    }
  }

  private Timing times(long recording, Effort effort) {
    long stream = made("cuStreamCreate", NON_BLOCKING);
    long first = made("cuEventCreate", 0);
    long last = made("cuEventCreate", 0);
    MemorySegment millis = arena.allocate(ValueLayout.JAVA_FLOAT);
    Timing times =
        effort.times(
            () -> {
              call("cuEventRecord", first, stream);
              for (int run = 0; run < runs; run++) {
                call("cuGraphLaunch", recording, stream);
              }
              call("cuEventRecord", last, stream);
              call("cuEventSynchronize", last);
              call("cuEventElapsedTime", millis, first, last);
              return Math.round(millis.get(ValueLayout.JAVA_FLOAT, 0) * NANOS_PER_MILLI / runs);
            });
    call("cuEventDestroy_v2", first);
    call("cuEventDestroy_v2", last);
    call("cuStreamDestroy_v2", stream);
    return times;
  }

  private long made(String name, int flags) {
    MemorySegment place = arena.allocate(ValueLayout.JAVA_LONG);
    call(name, place, flags);
    return place.get(ValueLayout.JAVA_LONG, 0);
  }

  /** Calls the driver with numbers, handles, and places for results. */
  private void call(String name, Object... arguments) {
    MethodHandle function =
        functions.computeIfAbsent(
            name,
            _ ->
                Linker.nativeLinker()
                    .downcallHandle(
                        driver.findOrThrow(name),
                        FunctionDescriptor.of(
                            ValueLayout.JAVA_INT,
                            Arrays.stream(arguments)
                                .map(QueuedRuns::layout)
                                .toArray(MemoryLayout[]::new)))
                    .asSpreader(Object[].class, arguments.length));
    int status;
    try {
      status = (int) function.invoke(arguments);
    } catch (Throwable e) {
      throw new IllegalStateException(name, e);
    }
    if (status != 0) {
      throw new IllegalStateException("%s: status=%s".formatted(name, status));
    }
  }

  private static MemoryLayout layout(Object argument) {
    return switch (argument) {
      case Integer _ -> ValueLayout.JAVA_INT;
      case Long _ -> ValueLayout.JAVA_LONG;
      default -> ValueLayout.ADDRESS;
    };
  }
}
