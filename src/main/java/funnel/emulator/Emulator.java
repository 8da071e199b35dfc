package funnel.emulator;

import funnel.engine.Program;
import funnel.engine.device.Launcher;
import funnel.engine.device.ProgramArrays;
import funnel.jit.CallChain;
import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.TaskGraph;

/**
 * Runs kernels on the JVM as a GPU would run them: group by group, thread by thread, with real
 * barriers, local arrays shared by a group, atomics, and shuffles over warps of 32 lanes.
 *
 * <p>Use it to find mistakes without a GPU. A thread runs without interruption until it reaches a
 * barrier (or a shuffle) or ends; when all threads of the group have arrived, they continue in the
 * chosen {@link Order}. A kernel that lacks a barrier gives a wrong result in some order; {@link
 * Builder#detectRaces} finds the race in every order.
 *
 * {@snippet class="funnel.docs.EmulatorSnippets" region="emulator"}
 *
 * <p>These conditions are checked, with these exceptions: all threads of a group reach the same
 * barriers, and all lanes of a warp the same shuffles ({@link BarrierDivergenceException}); indices
 * of TornadoVM arrays and vectors and of Java arrays ({@link KernelBoundsException}); kernels end
 * ({@link EndlessKernelException}); local memory of at most 48 KB, allocated alike by all threads
 * ({@link LocalMemoryException}); if requested, no races in local memory ({@link
 * LocalRaceException}); no code that devices cannot compile or compile wrongly, such as exception
 * handlers or a local array that is passed to a method, or that cannot be emulated ({@link
 * UnsupportedKernelException}). Barriers, shuffles and local arrays are distinguished by their call
 * site and the calls that led to it. Any other exception of a kernel is the cause of a {@link
 * KernelFailedException}. After an exception the arrays hold what the kernel has written so far.
 *
 * <p>Local arrays begin with random contents. An allocation in a loop gives the same array in each
 * iteration, with its contents, as on a device, which allocates once for each place in the code
 * (several times if it unrolls the loop). Products and sums are never fused; {@code NaN} and {@code
 * -0.0} behave as in Java. Warps do not run in lock step, and shuffles do not order memory
 * accesses: only barriers do.
 *
 * <p>The kernel runs in an instrumented copy of its class, and so does code in classes that it
 * calls, except those of Java and TornadoVM. The copies have their own static fields; a kernel that
 * uses a static field which is not final throws an {@link UnsupportedKernelException}.
 *
 * <p>Threads of a group access an element of global memory in the chosen order, each from barrier
 * to barrier without interruption; {@link Interleaving} runs a small kernel in every order of its
 * accesses.
 *
 * <p>An emulator is immutable and thread-safe. With the same order and seed a run is repeatable, if
 * the groups do not depend on each other or do not run in parallel.
 */
public final class Emulator {

  /*
   * Why continuations, and not a thread of the JVM for every emulated thread: a block of 256
   * threads switches 256 times at every barrier, and a switch between JVM threads goes through a
   * scheduler, between continuations through a copy of a few frames. Why not loop fission
   * (splitting the kernel at its barriers and looping over the threads in each part, as OpenCL on
   * CPUs does): it needs a compiler that proves which barriers all threads reach, and a kernel with
   * a misplaced barrier is what we want to see. Details: Coroutine.
   *
   * A run: InstrumentedKernel finds the kernel's method behind the task's method reference, and
   * InstrumentedClasses makes the copy (once for each kernel class, so that the JVM's compiler has
   * to warm up only once). Carriers, threads of the JVM, take groups in group order; each has one
   * WorkGroup, whose KernelThreads are contexts for the kernel and run as coroutines. The copy
   * calls Probe.
   *
   * Groups are handed out in order even when they run in parallel, and each runs to its end, so a
   * kernel whose groups wait for earlier groups ends: all earlier groups have ended or are running.
   */

  /** The maximum number of threads of a block on every CUDA device. */
  private static final int MAX_THREADS = 1024;

  final Order order;
  final long seed;
  final long maxSteps;
  final boolean detectRaces;
  private final Order groupOrder;
  private final boolean parallel;
  private final boolean virtualThreads;
  private final long stagedBytes;

  private Emulator(Builder builder) {
    order = builder.order;
    groupOrder = builder.groupOrder;
    seed = builder.seed;
    maxSteps = builder.maxSteps;
    parallel = builder.parallel;
    detectRaces = builder.detectRaces;
    virtualThreads = builder.virtualThreads;
    stagedBytes = builder.stagedBytes;
  }

  /** A builder with forward order, seed 0, no parallel groups and no race detection. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Runs all groups of a task and returns when the last one has ended.
   *
   * @param task the kernel, its grid and its arguments, which the kernel reads and writes in place
   * @throws EmulatorException if the kernel makes one of the mistakes that the emulator checks for;
   *     if several groups do, the first in group order is reported
   */
  public void run(KernelTask task) {
    run(task, null);
  }

  /** Runs a task; with turns, its threads stop at each access to global memory. */
  void run(KernelTask task, @Nullable Turns turns) {
    Objects.requireNonNull(task, "task");
    run(task.id(), task.grid(), task.code(), task.arguments(), turns);
  }

  private void run(
      String id, Grid grid, Object code, List<Object> arguments, @Nullable Turns turns) {
    Watch watch =
        turns != null ? Watch.GLOBAL_MEMORY : detectRaces ? Watch.LOCAL_MEMORY : Watch.NOTHING;
    InstrumentedKernel kernel = InstrumentedKernel.of(id, grid, code, arguments, watch);
    long threads = (long) grid.threads() * grid.threadsY();
    if (threads > MAX_THREADS) {
      throw new UnsupportedKernelException(
          new Place(kernel.name(), grid, Place.NONE, Place.NONE),
          "a block has at most %s threads on a device: threads=%s, threadsY=%s"
              .formatted(MAX_THREADS, grid.threads(), grid.threadsY()),
          null);
    }
    new Run(kernel, grid, turns).execute();
  }

  /**
   * Runs tasks one after the other, each to its end before the next begins, as the tasks of a task
   * graph. An empty list does nothing.
   *
   * @param tasks the tasks in order
   * @throws EmulatorException as {@link #run(KernelTask)}; the following tasks are not run
   */
  public void run(List<KernelTask> tasks) {
    for (KernelTask task : List.copyOf(tasks)) {
      run(task);
    }
  }

  /**
   * Runs a task graph's tasks in order, each to its end before the next begins: your own tasks and
   * those that a plan has added. Kernels over a {@link uk.ac.manchester.tornado.api.KernelContext}
   * run thread by thread in their worker grids; a method without one, with {@code @Parallel} loops,
   * runs once as plain Java, without the checks of this class. A graph without tasks does nothing.
   *
   * <p>Tasks work on the arrays themselves, as if all were on the host: transfers are not emulated,
   * so a missing transfer is not detected. Kernels that are method references are found only with
   * {@code --add-exports=java.base/jdk.internal.access=ALL-UNNAMED
   * --add-exports=java.base/jdk.internal.reflect=ALL-UNNAMED}, which are among the options of
   * {@code tornado-config/funnel.argfile}; tasks that were added by {@link KernelTask#addTo} need
   * no options.
   *
   * {@snippet class="funnel.docs.TaskGraphSnippets" region="emulated"}
   *
   * @param graph a graph of the jar of classifier {@code jvm-api}, which stands in for TornadoVM
   * @param scheduler the worker grids, by {@code graph.task}
   * @throws IllegalArgumentException before any task has run, if a kernel has no worker grid, or
   *     its grid has no block size, a block size that does not divide the global size, or three
   *     dimensions
   * @throws UnsupportedOperationException if the graph is one of TornadoVM itself
   * @throws EmulatorException as {@link #run(KernelTask)}; the following tasks are not run
   */
  public void run(TaskGraph graph, GridScheduler scheduler) {
    Objects.requireNonNull(graph, "graph");
    Objects.requireNonNull(scheduler, "scheduler");
    for (GraphTasks.Task task : GraphTasks.of(graph, scheduler)) {
      if (task.grid() == null) {
        GraphTasks.callAsJava(task);
      } else {
        run(task.name(), task.grid(), task.code(), task.arguments(), null);
      }
    }
  }

  /**
   * Launches a program's kernels in this emulator, over copies of its arrays, as on a device.
   *
   * {@snippet class="funnel.docs.EmulatorSnippets" region="launcher"}
   */
  public Launcher launcher(Program program, ProgramArrays arrays) {
    return new EmulatorLauncher(this, stagedBytes, program, arrays);
  }

  /** One launch: its carriers and the first failure. */
  private final class Run {
    private final InstrumentedKernel kernel;
    private final Grid grid;
    private final @Nullable Turns turns;
    private final int[] groups;
    private final boolean continuations = !virtualThreads && Coroutine.continuationsUsable();
    private final CallChain chain = CallChain.current();
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicReference<@Nullable Failure> failure = new AtomicReference<>();

    private record Failure(int position, Throwable thrown) {}

    Run(InstrumentedKernel kernel, Grid grid, @Nullable Turns turns) {
      this.kernel = kernel;
      this.grid = grid;
      this.turns = turns;
      groups =
          groupOrder.of(
              Math.multiplyExact(grid.blocks(), grid.blocksY()), new SplittableRandom(seed));
    }

    void execute() {
      int carriers =
          parallel ? Math.min(groups.length, Runtime.getRuntime().availableProcessors()) : 1;
      List<Thread> threads =
          Stream.generate(
                  () ->
                      continuations
                          ? new Carrier(this::carry)
                          : Thread.ofVirtual().unstarted(this::carry))
              .limit(carriers)
              .toList();
      threads.forEach(Thread::start);
      threads.forEach(Run::joinUninterruptibly);
      Failure failed = failure.get();
      if (failed != null) {
        throw addCaller(failed.thrown);
      }
      if (next.get() < groups.length) {
        CallChain.requireWanted();
      }
    }

    private void carry() {
      int position = groups.length;
      try {
        WorkGroup group = new WorkGroup(Emulator.this, kernel, grid, continuations, turns);
        while (failure.get() == null
            && !chain.isGivenUp()
            && (position = next.getAndIncrement()) < groups.length) {
          group.run(groups[position]);
        }
      } catch (Throwable t) {
        Failure mine = new Failure(position, t);
        failure.accumulateAndGet(
            mine, (old, now) -> old == null || now.position < old.position ? now : old);
      }
    }

    private static void joinUninterruptibly(Thread thread) {
      boolean interrupted = false;
      while (true) {
        try {
          thread.join();
          break;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }

    /** Appends the stack of the thread that waits for the run to that of the kernel. */
    private static RuntimeException addCaller(Throwable thrown) {
      StackTraceElement[] caller = new Throwable().getStackTrace();
      thrown.setStackTrace(
          Stream.of(thrown.getStackTrace(), caller)
              .flatMap(Stream::of)
              .toArray(StackTraceElement[]::new));
      return switch (thrown) {
        case RuntimeException e -> e;
        case Error e -> throw e;
        default -> new IllegalStateException(thrown);
      };
    }
  }

  /** The options of an {@link Emulator}. */
  public static final class Builder {
    private Order order = Order.FORWARD;
    private Order groupOrder = Order.FORWARD;
    private long seed;
    private long maxSteps = 100_000_000L;
    private boolean parallel;
    private boolean detectRaces;
    private boolean virtualThreads;
    private long stagedBytes = 1 << 14;

    private Builder() {}

    /** The order in which the threads of a group run at its start and after each barrier. */
    public Builder order(Order order) {
      this.order = Objects.requireNonNull(order, "order");
      return this;
    }

    /**
     * The order of the groups. With any order but {@link Order#FORWARD}, a kernel whose groups wait
     * for earlier groups is endless; such an order finds kernels that wrongly depend on the order
     * of groups.
     */
    public Builder groupOrder(Order groupOrder) {
      this.groupOrder = Objects.requireNonNull(groupOrder, "groupOrder");
      return this;
    }

    /** The seed of the random orders and of the first contents of local arrays. */
    public Builder seed(long seed) {
      this.seed = seed;
      return this;
    }

    /**
     * The maximum number of steps of a thread: jumps back in loops, and 1,000 for each barrier or
     * shuffle. The default is 100 million.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder maxSteps(long maxSteps) {
      if (maxSteps < 1) {
        throw new IllegalArgumentException("at least one step is needed: maxSteps=" + maxSteps);
      }
      this.maxSteps = maxSteps;
      return this;
    }

    /**
     * Whether groups run in parallel, as many as there are processors. Groups still begin in group
     * order. Off by default: one after the other, the result is the same in every run even if
     * groups use the same elements.
     */
    public Builder parallel(boolean parallel) {
      this.parallel = parallel;
      return this;
    }

    /**
     * Whether every use of a local array is checked for races between the threads of its group.
     * Slower. Several threads that write the same value to an element do not count as a race.
     */
    public Builder detectRaces(boolean detectRaces) {
      this.detectRaces = detectRaces;
      return this;
    }

    /**
     * The number of bytes from which arrays of programs are copied directly between the caller's
     * memory and the emulated device, as large arrays are on a GPU; the default is 16 KiB.
     */
    public Builder stagedBytes(long stagedBytes) {
      this.stagedBytes = stagedBytes;
      return this;
    }

    /** Uses virtual threads even if continuations can be used: for tests. */
    Builder virtualThreads(boolean virtualThreads) {
      this.virtualThreads = virtualThreads;
      return this;
    }

    /** Builds the emulator. */
    public Emulator build() {
      return new Emulator(this);
    }
  }
}
