package funnel.lessons;

import funnel.emulator.Access;
import funnel.emulator.Interleaving;
import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Many threads count in one element, with a race and without. */
public final class Race {

  /* On the JVM, the increments with a race are opaque reads and writes: single instructions on the
   * element, without any order or exclusion, as in a kernel. The JVM's compiler may reduce a plain
   * counts[0]++ in a loop to one addition at its end, which is a race too, but a very short one.
   *
   * A race need not show. If it does not, the trial is repeated, a few times at most.
   */

  private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);
  private static final AtomicInteger GRAPHS = new AtomicInteger();
  private static final int ATTEMPTS = 10;
  private static final int PITCH = 64;
  private static final int BLOCK = 256;

  /**
   * The result of one way to count.
   *
   * @param name the way
   * @param asked the number of increments
   * @param counted the counter's value at the end
   * @param exact whether no increment may be lost
   * @param nanos the time, 0 if it was not measured
   */
  public record Row(String name, long asked, long counted, boolean exact, long nanos) {

    /** The increments that are missing. */
    public long lost() {
      return asked - counted;
    }

    /** Whether this result is possible. */
    public boolean possible() {
      return exact ? counted == asked : counted > 0 && counted <= asked;
    }
  }

  /** Runs a task, so that its results are in its arrays. */
  public interface Runner {
    /** Runs it; {@code counts} is its only argument. */
    void run(KernelTask task, IntArray counts) throws Exception;
  }

  /** A possible outcome of two threads on {@code m[x] = 0}, with the values that they read. */
  public record Outcome(Interleaving<Integer> interleaving) {

    /** What is in the element at the end. */
    public int counted() {
      return interleaving.result();
    }

    /** What thread 0 and thread 1 read; nothing for atomic additions. */
    public List<Number> old() {
      return interleaving.accesses().stream()
          .filter(access -> access.kind() == Access.Kind.READ)
          .sorted((a, b) -> Integer.compare(a.thread(), b.thread()))
          .map(Access::value)
          .toList();
    }

    @Override
    public String toString() {
      return String.join(", ", interleaving.accesses().stream().map(Outcome::words).toList());
    }

    private static String words(Access access) {
      String verb =
          switch (access.kind()) {
            case READ -> "reads";
            case WRITE -> "writes";
            case ADD -> "adds 1:";
          };
      return "%s %s %s".formatted(access.thread(), verb, access.value());
    }
  }

  private Race() {}

  /** The interleavings of two threads that each do {@code old = m[x]; m[x] = old + 1}. */
  public static List<Outcome> interleavings() {
    return interleavings(RaceKernels::plain);
  }

  /** The same with an atomic addition. */
  public static List<Outcome> atomicInterleavings() {
    return interleavings(RaceKernels::atomic);
  }

  private static List<Outcome> interleavings(KernelTask.Kernel2<IntArray> kernel) {
    return Interleaving.all(
            () -> KernelTask.of("race", Grid.of(1, 2), kernel, new IntArray(1)),
            task -> ((IntArray) task.arguments().getFirst()).get(0))
        .stream()
        .map(Outcome::new)
        .toList();
  }

  /**
   * Whether these are the outcomes that there must be: results 2, 2, 1, 1 from the values 0 1, 1 0,
   * 0 0, 0 0 read; with atomics always 2.
   */
  public static boolean areAsTheyMust(List<Outcome> plain, List<Outcome> atomic) {
    return plain.stream().map(Outcome::counted).toList().equals(List.of(2, 2, 1, 1))
        && plain.stream()
            .map(Outcome::old)
            .toList()
            .equals(List.of(List.of(0, 1), List.of(1, 0), List.of(0, 0), List.of(0, 0)))
        && !atomic.isEmpty()
        && atomic.stream().allMatch(outcome -> outcome.counted() == 2);
  }

  /** Counts by threads of the JVM. */
  public static List<Row> onJvm(int threads, int increments) {
    List<Row> rows = new ArrayList<>();
    rows.add(untilLost(() -> plain(threads, increments)));
    AtomicInteger counter = new AtomicInteger();
    rows.add(
        row(
            "AtomicInteger.incrementAndGet",
            threads,
            increments,
            true,
            thread -> counter.incrementAndGet(),
            counter::get));
    int[] element = new int[1];
    rows.add(
        row(
            "VarHandle.getAndAdd on int[]",
            threads,
            increments,
            true,
            thread -> {
              int _ = (int) INTS.getAndAdd(element, 0, 1);
            },
            () -> element[0]));
    int[] own = new int[threads * PITCH];
    rows.add(
        row(
            "a counter a thread, then their sum",
            threads,
            increments,
            true,
            thread -> INTS.setOpaque(own, thread * PITCH, own[thread * PITCH] + 1),
            () -> Arrays.stream(own).sum()));
    return rows;
  }

  private static Row plain(int threads, int increments) {
    int[] element = new int[1];
    return row(
        "old = m[x]; m[x] = old + 1",
        threads,
        increments,
        false,
        thread -> {
          int old = (int) INTS.getOpaque(element, 0);
          INTS.setOpaque(element, 0, old + 1);
        },
        () -> element[0]);
  }

  private static Row untilLost(Supplier<Row> trial) {
    Row row = trial.get();
    for (int attempt = 1; row.lost() == 0 && attempt < ATTEMPTS; attempt++) {
      row = trial.get();
    }
    return row;
  }

  /** One increment by a thread of this number. */
  private interface Increment {
    void by(int thread);
  }

  private static Row row(
      String name,
      int threads,
      int increments,
      boolean exact,
      Increment increment,
      IntSupplier counted) {
    CountDownLatch begin = new CountDownLatch(1);
    List<Thread> all = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int number = t;
      all.add(
          Thread.ofPlatform()
              .daemon()
              .name("funnel-race-" + number)
              .start(
                  () -> {
                    uninterruptibly(begin::await);
                    for (int i = 0; i < increments; i++) {
                      increment.by(number);
                    }
                  }));
    }
    long start = System.nanoTime();
    begin.countDown();
    all.forEach(thread -> uninterruptibly(thread::join));
    long nanos = System.nanoTime() - start;
    return new Row(name, (long) threads * increments, counted.getAsInt(), exact, nanos);
  }

  /** Something that waits. */
  private interface Waiting {
    void run() throws InterruptedException;
  }

  private static void uninterruptibly(Waiting waiting) {
    boolean interrupted = false;
    while (true) {
      try {
        waiting.run();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Counts by threads of a kernel, one increment each. */
  public static List<Row> ofKernels(Runner runner, int blocks) throws Exception {
    return List.of(
        row("counts.set(0, counts.get(0) + 1)", runner, blocks, RaceKernels::plain, false),
        row("context.atomicAdd(counts, 0, 1)", runner, blocks, RaceKernels::atomic, true));
  }

  private static Row row(
      String name, Runner runner, int blocks, KernelTask.Kernel2<IntArray> kernel, boolean exact)
      throws Exception {
    IntArray counts = new IntArray(1);
    counts.set(0, 0);
    runner.run(KernelTask.of("race", Grid.of(blocks, BLOCK), kernel, counts), counts);
    return new Row(name, (long) blocks * BLOCK, counts.get(0), exact, 0);
  }

  /** Runs a task on TornadoVM's default device. */
  public static void onDevice(KernelTask task, IntArray counts) throws Exception {
    TaskGraph graph = new TaskGraph("funnelRace" + GRAPHS.incrementAndGet());
    GridScheduler scheduler = new GridScheduler();
    graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, counts);
    task.addTo(graph, scheduler);
    graph.transferToHost(DataTransferMode.EVERY_EXECUTION, counts);
    try (TornadoExecutionPlan plan = new TornadoExecutionPlan(graph.snapshot())) {
      plan.withGridScheduler(scheduler).execute();
    }
  }
}
