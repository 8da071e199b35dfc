package funnel;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.select.Select;
import funnel.transform.AdjacentDifference;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Runs in threads of their own, which are given up; what runs read and take; what plans will take.
 */
@Timeout(120)
public abstract class AsyncRunsContract extends EngineContract {

  /** Ints 1, 2, ... */
  static int[] counting(int length) {
    return IntStream.rangeClosed(1, length).toArray();
  }

  static int[] runningSums(int[] of) {
    int[] sums = of.clone();
    Arrays.parallelPrefix(sums, Integer::sum);
    return sums;
  }

  Plan.Builder sums() {
    return funnel
        .plan("sums")
        .input("x", ElementType.INT, most())
        .add("y", Scan.inclusive(Operator.SUM), "x")
        .add("largest", Reduction.of(Operator.MAX), "y");
  }

  void requireRuns(Plan plan, int length) {
    int[] x = counting(length);
    assertArrayEquals(runningSums(x), plan.run(Map.of("x", Elements.of(x))).ints("y"));
  }

  @Test
  void runs_areInTheOrderInWhichTheyWereAskedFor() throws Exception {
    try (Plan plan = sums().build()) {
      List<int[]> inputs = new ArrayList<>();
      List<int[]> outputs = new ArrayList<>();
      List<CompletableFuture<Results>> futures = new ArrayList<>();
      for (int length : lengths()) {
        inputs.add(counting(length));
        outputs.add(new int[length]);
        futures.add(
            plan.runAsync(
                Map.of("x", Elements.of(inputs.getLast())),
                Map.of("y", Elements.of(outputs.getLast()))));
      }
      for (int i = 0; i < futures.size(); i++) {
        int[] expected = runningSums(inputs.get(i));
        assertEquals(expected.length, futures.get(i).get().length("y"));
        assertArrayEquals(expected, outputs.get(i));
      }
    }
  }

  @Test
  void whatIsRefused_isWhatTheFutureThrows_andTheNextRunIsMade() {
    try (Plan plan = sums().build()) {
      CompletableFuture<Results> refused = plan.runAsync(Map.of("z", Elements.of(new int[1])));
      CompletableFuture<Results> next =
          plan.runAsync(Map.of("x", Elements.of(new int[] {3, 4})), Map.of());
      CompletionException e = assertThrows(CompletionException.class, refused::join);
      assertEquals(IllegalArgumentException.class, e.getCause().getClass());
      assertEquals(7, next.join().getInt("largest"));
    }
  }

  @Test
  void memoryOfOneThread_isRefusedAtOnce() {
    try (Arena arena = Arena.ofConfined();
        Plan plan = sums().build()) {
      Elements mine = Elements.of(arena.allocate(8), ElementType.INT);
      Map<String, Elements> x = Map.of("x", mine);
      assertThrows(IllegalArgumentException.class, () -> plan.runAsync(x));
      assertThrows(
          IllegalArgumentException.class, () -> plan.runAsync(Map.of(), Map.of("y", mine)));
    }
  }

  @Test
  void aClosedPlan_isWhatWaitingRunsThrow() {
    Plan plan = sums().build();
    CompletableFuture<Results> waiting =
        funnel.async(
            () -> {
              plan.close();
              return plan.runAsync(Map.of("x", Elements.of(new int[1]))).get();
            });
    CompletionException e = assertThrows(CompletionException.class, waiting::join);
    assertTrue(e.getMessage().contains("plan sums is closed"), e.getMessage());
  }

  private static final int REQUESTS = 20;

  /** Requests runs over {@code input} into new arrays, which it returns. */
  private static List<int[]> request(Plan plan, int[] input, List<CompletableFuture<?>> futures) {
    List<int[]> outputs = new ArrayList<>();
    for (int i = 0; i < REQUESTS; i++) {
      outputs.add(new int[input.length]);
      futures.add(
          plan.runAsync(
              Map.of("x", Elements.of(input)), Map.of("y", Elements.of(outputs.getLast()))));
    }
    return outputs;
  }

  private static void requireWritten(int[] input, List<int[]> outputs) {
    int[] sums = runningSums(input);
    outputs.forEach(output -> assertArrayEquals(sums, output));
  }

  @Test
  void everyOtherCall_waitsForTheRunsThatWereRequestedBefore() {
    int[] x = counting(most());
    int[] largest = {7, 1};
    try (Plan plan = sums().build()) {
      List<CompletableFuture<?>> futures = new ArrayList<>();
      List<int[]> outputs = request(plan, x, futures);
      int[] sums = new int[2];
      Results run = plan.run(Map.of("x", Elements.of(largest)), Map.of("y", Elements.of(sums)));
      requireWritten(x, outputs);
      assertArrayEquals(new int[] {7, 8}, sums);
      List<int[]> more = request(plan, x, futures);
      assertThrows(IllegalStateException.class, () -> run.ints("y"));
      requireWritten(x, more);
      more = request(plan, x, futures);
      plan.into("y", Elements.of(new int[x.length]));
      requireWritten(x, more);
      futures.forEach(CompletableFuture::join);
    }
  }

  @Test
  void closing_waitsForTheRunsThatWereRequestedBefore() {
    int[] x = counting(most());
    Plan plan = sums().build();
    List<CompletableFuture<?>> before = new ArrayList<>();
    List<int[]> outputs = request(plan, x, before);
    plan.close();
    requireWritten(x, outputs);
    before.forEach(each -> assertTrue(each.isDone(), "future of a run whose plan is closed"));
    before.forEach(CompletableFuture::join);
    List<CompletableFuture<?>> after = new ArrayList<>();
    outputs = request(plan, x, after);
    for (CompletableFuture<?> each : after) {
      CompletionException e = assertThrows(CompletionException.class, each::join);
      assertEquals(IllegalStateException.class, e.getCause().getClass());
    }
    outputs.forEach(output -> assertArrayEquals(new int[x.length], output));
  }

  @Test
  void closingTheFunnel_waitsForTheRunsThatWereRequestedBefore() {
    int[] x = counting(most());
    Funnel other = Funnel.open(target());
    Plan plan =
        other
            .plan("sums")
            .input("x", ElementType.INT, most())
            .add("y", Scan.inclusive(Operator.SUM), "x")
            .build();
    List<CompletableFuture<?>> before = new ArrayList<>();
    List<int[]> outputs = request(plan, x, before);
    other.close();
    requireWritten(x, outputs);
    before.forEach(each -> assertTrue(each.isDone(), "future of a run whose Funnel is closed"));
    before.forEach(CompletableFuture::join);
    assertThrows(IllegalStateException.class, () -> plan.runAsync(Map.of()));
  }

  @Test
  void whatIsCancelledBeforeItsRun_setsNothing_andRunsNothing() throws Exception {
    try (Plan plan = sums().build()) {
      Results before = plan.set("x", Elements.of(new int[] {1, 2, 3})).run();
      int[] into = {-1, -1};
      CountDownLatch started = new CountDownLatch(1);
      CountDownLatch goOn = new CountDownLatch(1);
      CountDownLatch ended = new CountDownLatch(1);
      List<RuntimeException> thrown = new ArrayList<>();
      CompletableFuture<Results> future =
          funnel.async(
              () -> {
                started.countDown();
                goOn.await();
                try {
                  return plan.run(
                      Map.of("x", Elements.of(new int[] {5, 6})), Map.of("y", Elements.of(into)));
                } catch (RuntimeException e) {
                  thrown.add(e);
                  throw e;
                } finally {
                  ended.countDown();
                }
              });
      started.await();
      assertTrue(future.cancel(true));
      goOn.countDown();
      ended.await();
      assertThrows(CancellationException.class, future::join);
      assertEquals(CancellationException.class, thrown.getFirst().getClass());
      assertArrayEquals(new int[] {-1, -1}, into);
      assertEquals(6, plan.run().getInt("largest"));
      assertEquals(6, before.getInt("largest"));
    }
  }

  @Test
  void aTimeLimit_endsRuns_andTheNextOnesAreRight() throws Exception {
    try (Plan plan = sums().build()) {
      requireRuns(plan, most());
      CompletableFuture<Boolean> ended = new CompletableFuture<>();
      CompletableFuture<Results> endless =
          funnel.async(
              () -> {
                try {
                  while (true) {
                    plan.set("x", Elements.of(counting(most()))).run();
                  }
                } catch (CancellationException e) {
                  ended.complete(true);
                  throw e;
                }
              });
      CompletionException e =
          assertThrows(
              CompletionException.class, endless.orTimeout(50, TimeUnit.MILLISECONDS)::join);
      assertEquals(TimeoutException.class, e.getCause().getClass());
      assertTrue(ended.get());
      for (int length : lengths()) {
        requireRuns(plan, length);
      }
    }
  }

  @Test
  void oneShotCalls_areGivenUp_andTheNextOnesAreRight() throws Exception {
    int[] x = counting(most());
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    CompletableFuture<Integer> sum =
        funnel.async(
            () -> {
              started.countDown();
              goOn.await();
              try {
                return funnel.sum(x);
              } catch (CancellationException e) {
                thrown.complete(e);
                throw e;
              }
            });
    started.await();
    assertTrue(sum.complete(0));
    goOn.countDown();
    assertEquals(CancellationException.class, thrown.get().getClass());
    assertEquals(IntStream.of(x).sum(), funnel.async(() -> funnel.sum(x)).get());
  }

  // What runs read

  private static void requireForgotten(Plan plan) {
    IllegalStateException e = assertThrows(IllegalStateException.class, plan::run);
    assertTrue(e.getMessage().contains("input x of plan sums has not been set"), e.getMessage());
  }

  @Test
  void whatIsSet_isReadAsItWasThen_byAllRuns() throws Exception {
    try (Plan plan = sums().build()) {
      for (int length : lengths()) {
        int[] x = counting(length);
        int[] sums = runningSums(x);
        Results first = plan.set("x", Elements.of(x)).run();
        assertArrayEquals(sums, first.ints("y"));
        Arrays.fill(x, 100);
        assertArrayEquals(sums, plan.run().ints("y"));
        assertArrayEquals(sums, plan.runAsync(Map.of()).get().ints("y"));
        plan.set("x", Elements.of(x, 0, length / 2));
        Arrays.fill(x, -1);
        assertArrayEquals(
            IntStream.rangeClosed(1, length / 2).map(i -> 100 * i).toArray(), plan.run().ints("y"));
      }
      try (Arena arena = Arena.ofConfined()) {
        plan.set("x", Elements.of(arena.allocateFrom(JAVA_INT, 3, 4), ElementType.INT));
      }
      assertArrayEquals(new int[] {3, 7}, plan.run().ints("y"));
    }
  }

  @Test
  void whatIsGivenToARun_isForThatRunAlone() throws Exception {
    try (Plan plan = sums().build()) {
      requireForgotten(plan);
      for (int length : lengths()) {
        int[] x = counting(length);
        Results results = plan.run(Map.of("x", Elements.of(x)));
        int[] sums = runningSums(x);
        Arrays.fill(x, 100);
        requireForgotten(plan);
        assertArrayEquals(sums, results.ints("y"));
        plan.set("x", Elements.of(x));
        var _ = plan.runAsync(Map.of("x", Elements.of(counting(length)))).get();
        requireForgotten(plan);
      }
      plan.set("x", Elements.of(new int[] {5, 6}));
      assertThrows(
          IllegalArgumentException.class, () -> plan.run(Map.of("x", Elements.of(new long[1]))));
      assertArrayEquals(new int[] {5, 11}, plan.run().ints("y"));
    }
  }

  @Test
  void inPlace_whatIsSetStays_andWhatIsGivenIsOverwritten() {
    try (Plan plan = sums().build()) {
      int[] x = counting(most());
      int[] sums = runningSums(x);
      plan.run(Map.of("x", Elements.of(x)), Map.of("y", Elements.of(x)));
      assertArrayEquals(sums, x);
      x = counting(most());
      plan.set("x", Elements.of(x)).into("y", Elements.of(x));
      for (int run = 0; run < 2; run++) {
        assertEquals(most(), plan.run().length("y"));
        assertArrayEquals(sums, x);
      }
    }
  }

  // What runs take

  @Test
  void aProfile_hasEachOperation() {
    int length = most();
    try (Plan plan = sums().build()) {
      requireRuns(plan, length);
      assertThrows(IllegalStateException.class, plan::profile);
      plan.measureKernels(true);
      assertThrows(IllegalStateException.class, plan::profile);
      for (int each : new int[] {length, length / 2}) {
        requireRuns(plan, each);
        List<Profile.Row> rows = plan.profile().operations();
        assertEquals(List.of("y", "largest"), rows.stream().map(Profile.Row::operation).toList());
        assertEquals(8L * each, rows.get(0).bytes());
        assertEquals(4L * each, rows.get(1).bytes());
        for (Profile.Row row : rows) {
          assertTrue(row.nanos() > 0, row::toString);
          assertEquals(target() == Target.JVM, row.launches() == 0, row::toString);
        }
        assertEquals(plan.kernelNanos(), rows.stream().mapToLong(Profile.Row::nanos).sum());
        int ofKernels = plan.profile().kernels().kernels() > 0 ? 1 : 0; // one line says of them
        assertEquals(2 + ofKernels, plan.profile().toString().lines().count());
      }
      plan.measureKernels(false);
      requireRuns(plan, length);
      assertThrows(IllegalStateException.class, plan::profile);
    }
  }

  /** Differences of differences of the odd ones of x, whose number is found. */
  private Plan.Builder differences(int times) {
    Plan.Builder plan =
        funnel
            .plan("differences")
            .input("x", ElementType.INT, most())
            .add("d0", Select.where(Transform.testInt("odd", v -> v % 2 != 0)), "x");
    for (int i = 1; i <= times; i++) {
      plan.add("d" + i, AdjacentDifference.left(), "d" + (i - 1));
    }
    return plan.add("sum", Reduction.of(Operator.SUM), "d" + times);
  }

  private static int[] differences(int[] of) {
    int[] differences = of.clone();
    for (int i = of.length - 1; i > 0; i--) {
      differences[i] -= of[i - 1];
    }
    return differences;
  }

  private static void requireWhole(Plan plan) {
    List<Profile.Row> rows = plan.profile().operations();
    rows.forEach(row -> assertTrue(row.nanos() > 0, row::toString));
    assertEquals(plan.kernelNanos(), rows.stream().mapToLong(Profile.Row::nanos).sum());
  }

  /** More launches, too, than TornadoVM's graphs have room for. */
  @Test
  void aProfile_hasOperationsOfFoundLength_howeverManyThereAre() {
    for (int times : new int[] {1, 50}) {
      try (Plan plan = differences(times).build()) {
        plan.measureKernels(true);
        for (int length : new int[] {most() / 2, most()}) {
          int[] expected = IntStream.of(counting(length)).filter(v -> v % 2 != 0).toArray();
          for (int i = 0; i < times; i++) {
            expected = differences(expected);
          }
          Results results = plan.run(Map.of("x", Elements.of(counting(length))));
          assertEquals(2 + times, plan.profile().operations().size());
          requireWhole(plan);
          assertArrayEquals(expected, results.ints("d" + times));
          requireWhole(plan);
        }
      }
    }
  }

  @Test
  void aProfile_isWhole_whileOtherPlansRun() throws Exception {
    try (Plan plan = differences(1).build();
        Plan other = sums().build()) {
      plan.measureKernels(true);
      CompletableFuture<?> runs =
          funnel.async(
              () -> {
                while (true) {
                  other.run(Map.of("x", Elements.of(counting(1))));
                }
              });
      for (int i = 0; i < 5; i++) {
        plan.run(Map.of("x", Elements.of(counting(most()))));
        requireWhole(plan);
      }
      assertTrue(runs.cancel(true));
    }
  }

  // What plans will take

  @Test
  void bytes_areKnownBeforeAPlanIsBuilt() {
    Plan.Builder builder = funnel.plan("sums").input("x", ElementType.INT, most());
    long least = 4L * most();
    if (target() == Target.JVM) {
      least = 0;
    }
    assertTrue(builder.deviceBytes() >= least);
    builder.add("y", Scan.inclusive(Operator.SUM), "x");
    long ofScan = builder.deviceBytes();
    assertTrue(ofScan >= 2 * least, () -> "ofScan=" + ofScan);
    builder.add("z", Scan.inclusive(Operator.MAX), "y");
    long ofBoth = builder.deviceBytes();
    try (Plan plan = builder.build()) {
      assertEquals(ofBoth, plan.deviceBytes());
    }
  }
}
