package funnel.emulator;

import funnel.emulator.BarrierDivergenceException.Kind;
import funnel.emulator.KernelThread.Shuffle;
import funnel.emulator.KernelThread.State;
import funnel.kernel.KernelTask.Grid;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Schedules the threads of one group. Used for group after group. */
final class WorkGroup {

  /*
   * Rounds: every thread that is ready runs until it stops at a barrier or a shuffle, or ends. Then
   * all have stopped, so mistakes can be detected without waiting: a warp whose lanes are not all
   * at one shuffle, or a group whose threads are not all at one barrier, will never get there.
   * Warps at a shuffle exchange values and are ready again; when no warp is at one, the barrier
   * opens for all.
   *
   * The emulator chooses only the order within a round. Running each thread from barrier to barrier
   * without interruption, once forwards and once backwards, runs every pair of threads in both
   * orders between any two barriers, so most missing barriers give a wrong result in one of the
   * two.
   *
   * One coroutine begins threads one after the other until one of them stops, and then belongs to
   * that thread; another one begins the rest. So a kernel without barriers needs a single one for a
   * whole group, and no switch.
   *
   * With turns, threads also stop before each access to global memory, and one at a time makes its
   * access and runs on to the next one, until all are at a barrier or a shuffle or have ended.
   */

  /** The default limit of local memory of a block, in bytes. */
  static final int LOCAL_BYTES = 48 * 1024;

  private static final int EXAMPLES = 4;

  final InstrumentedKernel kernel;
  final Grid grid;
  final long maxSteps;
  private final Emulator emulator;
  private final boolean continuations;

  /**
   * Decides which thread runs at each access to global memory; null if threads do not stop there.
   */
  final @Nullable Turns turns;

  private final KernelThread[] threads;
  private final int[] order;

  /** How many threads, in order, have begun. */
  private int begun;

  /** The coroutine in which the next thread begins. */
  private @Nullable Coroutine beginning;

  private final List<LocalArray> localArrays = new ArrayList<>();
  private long localBytes;
  private int group;
  private SplittableRandom garbage = new SplittableRandom();

  /** Where all paths of calls begin. */
  final CallPath root = CallPath.root();

  /** Barriers passed so far, over all groups. */
  long epoch;

  WorkGroup(
      Emulator emulator,
      InstrumentedKernel kernel,
      Grid grid,
      boolean continuations,
      @Nullable Turns turns) {
    this.emulator = emulator;
    this.kernel = kernel;
    this.grid = grid;
    this.maxSteps = emulator.maxSteps;
    this.continuations = continuations;
    this.turns = turns;
    int count = grid.threads() * grid.threadsY();
    threads = new KernelThread[count];
    order =
        emulator.order == Order.REVERSE
            ? Order.REVERSE.of(count, garbage)
            : Order.FORWARD.of(count, garbage);
    for (int i = 0; i < count; i++) {
      threads[i] = new KernelThread(this, i % grid.threads(), i / grid.threads());
    }
  }

  Place place(int thread) {
    return new Place(kernel.name(), grid, group, thread);
  }

  /** Runs one group to its end. */
  void run(int number) {
    group = number;
    SplittableRandom random = Order.random(emulator.seed, number);
    garbage = random.split();
    localArrays.clear();
    localBytes = 0;
    epoch++;
    begun = 0;
    for (KernelThread thread : threads) {
      thread.begin(number % grid.blocks(), number / grid.blocks(), maxSteps);
    }
    try {
      do {
        if (emulator.order == Order.RANDOM) {
          Order.shuffle(order, random);
        }
        runReadyThreads();
        giveTurns();
      } while (exchange() || openBarrier());
    } catch (Throwable t) {
      for (KernelThread thread : threads) {
        if (thread.coroutine != null) {
          thread.coroutine.abandon();
        }
      }
      throw t;
    }
  }

  private void runReadyThreads() {
    while (begun < threads.length) {
      Coroutine coroutine = Coroutine.of(this::beginThreads, continuations);
      beginning = coroutine;
      coroutine.resume();
      throwFailure(threads[order[begun - 1]]);
    }
    for (int i : order) {
      if (threads[i].state == State.READY) {
        resume(threads[i]);
      }
    }
  }

  /** Runs threads that have not begun, until one stops, which later continues here, or fails. */
  private void beginThreads() {
    Coroutine coroutine = beginning;
    Throwable failure = null;
    while (failure == null && begun < threads.length) {
      KernelThread thread = threads[order[begun++]];
      thread.coroutine = coroutine;
      thread.makeCurrent();
      thread.run();
      failure = thread.failure;
    }
  }

  private static void resume(KernelThread thread) {
    Coroutine coroutine = thread.coroutine;
    if (coroutine == null) {
      return;
    }
    thread.makeCurrent();
    coroutine.resume();
    throwFailure(thread);
  }

  private static void throwFailure(KernelThread thread) {
    Throwable failure = thread.failure;
    if (failure != null) {
      thread.failure = null;
      throw thread.failed(failure);
    }
  }

  /** Lets one thread at a time make an access, until no thread waits for its turn. */
  private void giveTurns() {
    if (turns == null) {
      return;
    }
    List<Turn> waiting = waiting();
    while (!waiting.isEmpty()) {
      Turn next = turns.next(waiting);
      KernelThread thread = threads[next.thread()];
      thread.turn = null;
      resume(thread);
      turns.taken(next);
      waiting = waiting();
    }
  }

  private List<Turn> waiting() {
    return Stream.of(threads).map(thread -> thread.turn).flatMap(Stream::ofNullable).toList();
  }

  // Shuffles

  /** Lets all warps at a shuffle exchange their values; returns whether there was one. */
  private boolean exchange() {
    boolean any = false;
    for (int first = 0; first < threads.length; first += KernelThread.WARP) {
      int lanes = Math.min(KernelThread.WARP, threads.length - first);
      int waiting = 0;
      for (int lane = 0; lane < lanes; lane++) {
        waiting += threads[first + lane].state == State.AT_SHUFFLE ? 1 : 0;
      }
      if (waiting > 0) {
        requireFullWarp(first, lanes, waiting);
        exchange(first);
        any = true;
      }
    }
    return any;
  }

  private void exchange(int first) {
    float[] values = new float[KernelThread.WARP];
    for (int lane = 0; lane < values.length; lane++) {
      values[lane] = threads[first + lane].value;
    }
    float sum = threads[first].shuffle == Shuffle.SUM ? sum(values.clone()) : 0;
    for (int lane = 0; lane < values.length; lane++) {
      KernelThread thread = threads[first + lane];
      thread.value =
          switch (thread.shuffle) {
            case SUM -> sum;
            case FIRST -> values[0];
            case DOWN -> values[lane + thread.delta < values.length ? lane + thread.delta : lane];
          };
      thread.state = State.READY;
    }
  }

  /**
   * Five halvings, as lane 0 sees them. One backend shuffles down and broadcasts lane 0, the other
   * shuffles by xor: addition commutes, so both give these bits in every lane.
   */
  private static float sum(float[] values) {
    for (int half = values.length / 2; half > 0; half /= 2) {
      for (int lane = 0; lane < half; lane++) {
        values[lane] += values[lane + half];
      }
    }
    return values[0];
  }

  private void requireFullWarp(int first, int lanes, int waiting) {
    KernelThread example = threads[first];
    boolean sameShuffle = waiting == lanes;
    for (int lane = 0; sameShuffle && lane < lanes; lane++) {
      KernelThread thread = threads[first + lane];
      sameShuffle = thread.site == example.site && thread.shuffle == example.shuffle;
    }
    if (!sameShuffle || lanes < KernelThread.WARP) {
      String advice =
          lanes < KernelThread.WARP
              ? "the group's last warp has only %s threads; make the group a multiple of 32"
                  .formatted(lanes)
              : "move the shuffle out of the branch";
      throw new BarrierDivergenceException(
          place(Place.NONE),
          Kind.NOT_ALL_LANES,
          "a shuffle needs all 32 lanes of a warp at one place, and of warp %s %s; %s"
              .formatted(first / KernelThread.WARP, whereabouts(first, first + lanes), advice));
    }
  }

  // Barriers

  /** Opens the barrier that all threads wait at; false if all have ended. */
  private boolean openBarrier() {
    int ended = 0;
    boolean same = true;
    CallPath site = threads[0].site;
    for (KernelThread thread : threads) {
      ended += thread.state == State.ENDED ? 1 : 0;
      same &= thread.site == site;
    }
    if (ended == threads.length) {
      return false;
    }
    if (ended > 0) {
      throw new BarrierDivergenceException(
          place(Place.NONE),
          Kind.NOT_ALL_THREADS,
          ("not all threads of the group reach a barrier: of %s threads %s; move the barrier out of"
                  + " the branch or loop, and guard only the loads and stores")
              .formatted(threads.length, whereabouts(0, threads.length)));
    }
    if (!same) {
      throw new BarrierDivergenceException(
          place(Place.NONE),
          Kind.DIFFERENT_BARRIERS,
          ("the threads of the group reach different barriers: of %s threads %s; let all threads"
                  + " pass the same barriers")
              .formatted(threads.length, whereabouts(0, threads.length)));
    }
    epoch++;
    for (KernelThread thread : threads) {
      thread.state = State.READY;
    }
    return true;
  }

  /** Such as "200 wait at the barrier example.K.sum(K.java:12) (threads 0, 1, 2, ...)". */
  private String whereabouts(int from, int to) {
    Map<String, List<Integer>> places = new LinkedHashMap<>();
    for (int i = from; i < to; i++) {
      KernelThread thread = threads[i];
      String what =
          switch (thread.state) {
            case AT_BARRIER -> "wait at the barrier " + thread.site;
            case AT_ACCESS -> throw new IllegalStateException("a thread waits for its turn");
            case AT_SHUFFLE -> "wait at " + thread.shuffle.method + " " + thread.site;
            case ENDED -> "have ended";
            case READY -> throw new IllegalStateException("a thread has not stopped");
          };
      places.computeIfAbsent(what, key -> new ArrayList<>()).add(i);
    }
    List<String> parts = new ArrayList<>();
    places.forEach(
        (what, numbers) -> {
          List<String> names = new ArrayList<>();
          for (int number : numbers.subList(0, Math.min(EXAMPLES, numbers.size()))) {
            names.add(place(number).threadName(number));
          }
          if (numbers.size() > EXAMPLES) {
            names.add("...");
          }
          parts.add("%s %s (threads %s)".formatted(numbers.size(), what, String.join(", ", names)));
        });
    return String.join(", ", parts);
  }

  // Local memory

  /** The array that all threads get at a place, each time that they reach it. */
  LocalArray localArray(KernelThread thread, CallPath place, Class<?> type, int size) {
    for (LocalArray array : localArrays) {
      if (array.place == place) {
        if (array.size != size) {
          throw new LocalMemoryException(
              thread.place(),
              ("%s[%s] here, and %s[%s] for the thread that came first, at %s; the size of a local"
                      + " array must be a constant")
                  .formatted(type, size, type, array.size, place));
        }
        return array;
      }
    }
    if (size < 0) {
      throw new LocalMemoryException(
          thread.place(), "a local array of negative size: %s[%s]".formatted(type, size));
    }
    long bytes = LocalArray.bytes(type, size);
    if (localBytes + bytes > LOCAL_BYTES) {
      throw new LocalMemoryException(
          thread.place(),
          ("local arrays of %s bytes, and a block has %s: %s allocated before, %s for %s[%s]; use"
                  + " smaller arrays, fewer threads, or one array twice")
              .formatted(localBytes + bytes, LOCAL_BYTES, localBytes, bytes, type, size));
    }
    localBytes += bytes;
    LocalArray array = new LocalArray(this, place, type, size, garbage, emulator.detectRaces);
    localArrays.add(array);
    return array;
  }

  /** The local array that a Java array stands for if races are detected, else null. */
  @Nullable LocalArray watchedArrayOf(Object array) {
    return emulator.detectRaces ? localArrayOf(array) : null;
  }

  /** The local array that a Java array stands for, or null. */
  @Nullable LocalArray localArrayOf(Object array) {
    for (LocalArray local : localArrays) {
      if (local.array == array) {
        return local;
      }
    }
    return null;
  }
}
