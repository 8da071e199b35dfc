package funnel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.reduce.Reduction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class ThreadsTest {

  private static final int THREADS = 8;

  /** Runs a task on each thread at once; any exception of theirs is thrown here. */
  private static void together(int threads, Callable<Void> task) throws Exception {
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      List<Future<Void>> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        all.add(executor.submit(task));
      }
      for (Future<Void> one : all) {
        one.get(100, TimeUnit.SECONDS);
      }
    }
  }

  /** One call whose result a plain loop checks. */
  private static void oneCall(Funnel funnel, SplittableRandom random, int longest) {
    int n = random.nextInt(1, longest);
    int[] ints = random.ints(n).toArray();
    long[] longs = Arrays.stream(ints).asLongStream().toArray();
    String message = "of " + n + " elements" + Seed.replay();
    switch (random.nextInt(7)) {
      case 0 -> assertEquals(IntStream.of(ints).sum(), funnel.sum(ints), message);
      case 1 -> assertEquals(IntStream.of(ints).max().orElseThrow(), funnel.max(ints), message);
      case 2 -> assertEquals(LongStream.of(longs).sum(), funnel.sumAsLong(ints), message);
      case 3 -> assertEquals(LongStream.of(longs).min().orElseThrow(), funnel.min(longs), message);
      case 4 ->
          assertEquals(
              IntStream.of(ints).reduce(0, (a, b) -> a ^ b),
              funnel.reduce(ints, Operator.XOR),
              message);
      case 5 -> {
        int least = funnel.argMin(ints);
        assertEquals(IntStream.of(ints).min().orElseThrow(), ints[least], message);
      }
      default ->
          assertEquals(
              ints[0],
              funnel.reduce(ints, Operator.ofInt("left", 0, (a, b) -> a != 0 ? a : b)),
              message);
    }
  }

  @ParameterizedTest
  @CsvSource({"JVM, 300, 100000", "EMULATOR, 10, 3000"})
  void oneFunnel_manyThreads_rightResults(Target target, int calls, int longest) throws Exception {
    manyThreads(target, calls, longest);
  }

  @Tag("gpu")
  @Test
  void oneFunnel_manyThreads_rightResults_onDevice() throws Exception {
    manyThreads(Target.TORNADO, 40, 300_000);
  }

  private static void manyThreads(Target target, int calls, int longest) throws Exception {
    AtomicInteger number = new AtomicInteger();
    try (Funnel funnel = Funnel.open(target)) {
      together(
          THREADS,
          () -> {
            SplittableRandom random = Seed.random("thread" + number.getAndIncrement());
            for (int call = 0; call < calls; call++) {
              oneCall(funnel, random, longest);
            }
            return null;
          });
    }
  }

  @Test
  void onePlan_manyThreads_eachGetsTheResultsOfItsOwnInputs() throws Exception {
    AtomicInteger number = new AtomicInteger();
    try (Funnel funnel = Funnel.open(Target.JVM);
        Plan plan =
            funnel
                .plan("shared")
                .input("x", ElementType.INT, 5000)
                .add("sum", Reduction.sum(), "x")
                .add("max", Reduction.max(), "x")
                .build()) {
      together(
          THREADS,
          () -> {
            SplittableRandom random = Seed.random("sharer" + number.getAndIncrement());
            for (int call = 0; call < 500; call++) {
              int[] values = random.ints(random.nextInt(1, 5000)).toArray();
              Results results = plan.run(Map.of("x", Elements.of(values)));
              assertEquals(IntStream.of(values).sum(), results.getInt("sum"), Seed.replay());
              assertEquals(
                  IntStream.of(values).max().orElseThrow(), results.getInt("max"), Seed.replay());
            }
            return null;
          });
    }
  }

  @Test
  void close_whileOthersCall_rightResultsOrIllegalState() throws Exception {
    for (int round = 0; round < 20; round++) {
      closing(Target.JVM, 60_000);
    }
  }

  @Tag("gpu")
  @Test
  void close_whileOthersCall_rightResultsOrIllegalState_onDevice() throws Exception {
    for (int round = 0; round < 3; round++) {
      closing(Target.TORNADO, 60_000);
    }
  }

  private static void closing(Target target, int longest) throws Exception {
    CountDownLatch calling = new CountDownLatch(3 * THREADS);
    AtomicInteger refused = new AtomicInteger();
    AtomicInteger number = new AtomicInteger();
    Funnel funnel = Funnel.open(target);
    Plan plan =
        funnel
            .plan("closing")
            .input("x", ElementType.INT, 1000)
            .add("sum", Reduction.sum(), "x")
            .build();
    Thread closer =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    calling.await();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                  funnel.close();
                });
    together(
        THREADS,
        () -> {
          SplittableRandom random = Seed.random("caller" + number.getAndIncrement());
          try {
            while (true) {
              oneCall(funnel, random, longest);
              assertEquals(3, plan.run(Map.of("x", Elements.of(new int[] {1, 2}))).getInt("sum"));
              calling.countDown();
            }
          } catch (IllegalStateException e) {
            assertTrue(e.getMessage().contains("closed"), e.getMessage());
            refused.incrementAndGet();
          }
          return null;
        });
    closer.join();
    assertEquals(THREADS, refused.get());
  }

  @Test
  void closingAPlan_whileOthersRunIt() throws Exception {
    for (int round = 0; round < 50; round++) {
      try (Funnel funnel = Funnel.open(Target.JVM)) {
        Plan plan =
            funnel
                .plan("closing")
                .input("x", ElementType.INT, 100_000)
                .add("sum", Reduction.sum(), "x")
                .build();
        int[] ones = new int[100_000];
        Arrays.fill(ones, 1);
        CountDownLatch running = new CountDownLatch(6);
        together(
            4,
            () -> {
              try {
                while (true) {
                  Results results = plan.run(Map.of("x", Elements.of(ones)));
                  assertEquals(100_000, results.getInt("sum"));
                  running.countDown();
                  if (running.getCount() == 0) {
                    plan.close();
                  }
                }
              } catch (IllegalStateException e) {
                assertTrue(e.getMessage().contains("closed"), e.getMessage());
              }
              return null;
            });
      }
    }
  }
}
