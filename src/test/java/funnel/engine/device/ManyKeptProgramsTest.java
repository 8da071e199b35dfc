package funnel.engine.device;

import static funnel.engine.device.KeptProgramsTest.adding;
import static funnel.engine.device.KeptProgramsTest.fetched;
import static funnel.engine.device.KeptProgramsTest.ints;
import static funnel.engine.device.KeptProgramsTest.program;
import static funnel.engine.device.KeptProgramsTest.set;
import static funnel.engine.device.KeptProgramsTest.sum;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Seed;
import funnel.emulator.Emulator;
import funnel.engine.KeptArrays;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.operation.Operation;
import funnel.operation.RunCounter;
import funnel.reduce.Reduction;
import funnel.transform.AdjacentDifference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** Many programs of few kinds, in any order and by several threads. */
@Timeout(300)
class ManyKeptProgramsTest {

  private static final int N = 3000;

  private final FailingDevice device = new FailingDevice(Emulator.builder().build()::launcher);

  private static final List<Operation> OPERATIONS =
      List.of(Reduction.sum(), Reduction.max(), AdjacentDifference.left());
  private static final int[] CAPACITIES = {1, 60, 300};

  /** One of {@link #OPERATIONS}, or what changes its input. */
  private record Open(LoadedProgram program, String in, String out, int capacity, int what) {
    void requireRuns(SplittableRandom random) {
      int[] x = random.ints(random.nextInt(1, capacity + 1), -9, 9).toArray();
      set(program, in, x);
      program.run();
      switch (what) {
        case 0 -> assertEquals(Arrays.stream(x).sum(), program.result(out), Seed.replay());
        case 1 -> assertEquals(Arrays.stream(x).max().orElse(0), program.result(out));
        case 2 -> {
          int[] expected = x.clone();
          for (int i = 1; i < x.length; i++) {
            expected[i] = x[i] - x[i - 1];
          }
          assertArrayEquals(expected, fetched(program, out), Seed.replay());
        }
        default -> {
          int[] expected = Arrays.stream(x).map(i -> i + 7).toArray();
          assertArrayEquals(expected, fetched(program, in), Seed.replay());
        }
      }
    }
  }

  /** Programs of few kinds, opened, run and closed in random order. */
  private static void useRandomly(
      SplittableRandom random, int programs, Function<Program, LoadedProgram> load) {
    List<Open> open = new ArrayList<>();
    for (int i = 0; i < programs; i++) {
      int what = random.nextInt(OPERATIONS.size() + 1);
      int capacity = CAPACITIES[random.nextInt(CAPACITIES.length)];
      String in = "in" + random.nextInt(1000);
      String out = "out" + random.nextInt(1000);
      Program program =
          what == OPERATIONS.size()
              ? adding(in, out, 7)
              : program(out, OPERATIONS.get(what), ints(in, capacity));
      open.add(new Open(load.apply(program), in, out, capacity, what));
      while (open.size() > random.nextInt(1, 5)) {
        Open any = open.get(random.nextInt(open.size()));
        any.requireRuns(random);
        if (random.nextInt(3) > 0) {
          any.program().close();
          open.remove(any);
        }
      }
    }
    open.forEach(each -> each.program().close());
  }

  @Test
  void thousandProgramsOfFewKinds_inRandomOrder() {
    KeptPrograms kept = new KeptPrograms(device.memory, 3, 1 << 19);
    device.kept = kept;
    useRandomly(Seed.random("kept programs"), 1000, device::load);
    assertTrue(device.begun < 800, () -> device.begun + " of 1000 were loaded");
    kept.close();
    assertEquals(device.begun, device.closed);
    assertEquals(device.memory.limit(), device.memory.left());
  }

  /** Counts runs, and does nothing else. */
  private record Counting(ProgramArrays arrays) implements Launcher {
    @Override
    public String upload() {
      return "";
    }

    @Override
    public void launch(int routine) {
      for (TornadoNativeArray bank : arrays.resultArrays(routine)) {
        IntArray results = (IntArray) bank;
        for (int counter = 1; counter < results.getSize(); counter += 2) {
          results.set(counter, RunCounter.next(results.get(counter)));
        }
      }
    }

    @Override
    public void download(TornadoNativeArray array, int offset, int length) {}

    @Override
    public void close() {}
  }

  @Test
  void tenThousandProgramsOfAKind_areOne() {
    FailingDevice idle = new FailingDevice((program, arrays) -> new Counting(arrays));
    KeptPrograms ofIdle = new KeptPrograms(idle.memory);
    idle.kept = ofIdle;
    for (int i = 0; i < 10_000; i++) {
      try (DeviceProgram program = idle.load(sum("x" + i, "s" + i, N))) {
        set(program, "x" + i, i);
        program.run();
      }
    }
    assertEquals(1, idle.begun);
    assertEquals(0, idle.closed);
    long bytes = idle.memory.limit() - idle.memory.left();
    assertEquals("hits=9999, misses=1, kept=1, bytes=" + bytes, ofIdle.toString());
  }

  @Test
  void severalThreads() {
    Emulator emulator = Emulator.builder().build();
    DeviceMemory memory = new DeviceMemory(1 << 20);
    AtomicInteger begun = new AtomicInteger();
    AtomicInteger closed = new AtomicInteger();
    try (KeptPrograms shared = new KeptPrograms(memory, 4, 1 << 19)) {
      List<CompletableFuture<Void>> threads =
          IntStream.range(0, 4)
              .mapToObj(
                  thread ->
                      CompletableFuture.runAsync(
                          () ->
                              useRandomly(
                                  Seed.random("thread " + thread),
                                  50,
                                  program ->
                                      new DeviceProgram(
                                          program,
                                          Map.of(),
                                          KeptArrays.NONE,
                                          null,
                                          device.context,
                                          memory,
                                          (p, arrays) -> {
                                            begun.incrementAndGet();
                                            return new KeptProgramsTest.Watched(
                                                emulator.launcher(p, arrays),
                                                closed::incrementAndGet);
                                          },
                                          null,
                                          shared))))
              .toList();
      threads.forEach(CompletableFuture::join);
      assertTrue(begun.get() < 190, () -> begun + " of 200 were loaded");
    }
    assertEquals(begun.get(), closed.get());
    assertEquals(memory.limit(), memory.left());
  }
}
