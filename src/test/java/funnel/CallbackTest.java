package funnel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.OperatorFailureTest.Family;
import funnel.operation.ParallelRows;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorThrewException;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Operators that use a Funnel. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CallbackTest {

  private static final int N = 200_000;

  private static void assertRefused(Runnable call) {
    IllegalStateException e = assertThrows(IllegalStateException.class, call::run);
    assertTrue(e.getMessage().contains("called back"), e.getMessage());
    assertEquals("calling", OperatorThrewException.of(e).orElseThrow().operator());
  }

  private static boolean awaitAWhile(CountDownLatch latch) {
    try {
      return latch.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @EnumSource(Family.class)
  void itsOwnFunnelRefusesIt(Family family) {
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      Operator calling = Operator.ofInt("calling", 0, (a, b) -> funnel.sum(new int[] {a, b}));
      assertRefused(() -> family.run(funnel, calling, new int[N], new int[N]));
      assertEquals(3, funnel.sum(new int[] {1, 2}), "the Funnel goes on");
    }
  }

  @ParameterizedTest
  @EnumSource(Family.class)
  void itsOwnFunnelRefusesItOnAnyThread(Family family) {
    boolean others = family.isParallel() && ParallelRows.cores() > 1;
    Thread caller = Thread.currentThread();
    CountDownLatch called = new CountDownLatch(others ? 1 : 0);
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      Operator calling =
          Operator.ofInt(
              "calling",
              0,
              (a, b) -> {
                if (called.getCount() > 0 && OperatorFailureTest.isTried()) {
                  return a + b;
                }
                if (others && Thread.currentThread() == caller) {
                  assertTrue(awaitAWhile(called));
                  return a + b;
                }
                called.countDown();
                return funnel.sum(new int[] {a, b});
              });
      int[] ones = new int[N];
      Arrays.fill(ones, 1);
      assertRefused(() -> family.run(funnel, calling, ones, new int[N]));
      assertEquals(3, funnel.sum(new int[] {1, 2}), "the Funnel goes on");
    }
  }

  @Test
  void nothingOfItsOwnFunnelCanBeUsed() {
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      AtomicReference<Runnable> call = new AtomicReference<>(() -> {});
      Operator calling =
          Operator.ofInt(
              "calling",
              0,
              (a, b) -> {
                call.get().run();
                return a + b;
              });
      Plan plan =
          funnel
              .plan("own")
              .input("x", ElementType.INT, 1000)
              .add("sum", Reduction.of(calling), "x")
              .add("sums", Scan.inclusive(calling), "x")
              .build();
      Plan other =
          funnel
              .plan("other")
              .input("x", ElementType.INT, 10)
              .add("sums", Scan.inclusive(Operator.SUM), "x")
              .build();
      Plan.Builder unbuilt =
          funnel.plan("new").input("x", ElementType.INT, 1).add("r", Reduction.sum(), "x");
      Elements ten = Elements.of(IntStream.rangeClosed(1, 10).toArray());
      Results results = other.run(Map.of("x", ten));
      List<Runnable> calls =
          List.of(
              funnel::close,
              () -> funnel.plan("p"),
              unbuilt::build,
              () -> plan.run(Map.of("x", Elements.of(new int[1000]))),
              plan::run,
              () -> plan.set("x", Elements.of(new int[3])),
              () -> plan.into("sums", Elements.of(new int[3])),
              () -> plan.measureKernels(true),
              plan::close,
              () -> other.run(Map.of("x", ten)),
              other::close,
              () -> results.ints("sums"));
      for (Runnable each : calls) {
        call.set(each);
        assertRefused(() -> plan.run(Map.of("x", ten)));
        call.set(() -> {});
        Results after = plan.run(Map.of("x", ten));
        assertEquals(55, after.getInt("sum"));
        assertEquals(55, after.ints("sums")[9]);
      }
    }
  }

  @Test
  void aTransformIsRefusedToo() {
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      Transform calling = Transform.ofInt("calling", x -> funnel.max(new int[] {x}));
      IllegalStateException e =
          assertThrows(
              IllegalStateException.class,
              () -> funnel.reduce(Elements.of(new int[N]), Reduction.of(Operator.SUM, calling)));
      assertTrue(e.getMessage().contains("called back"), e.getMessage());
    }
  }

  /** The sum of two numbers, and now and then that of many by other threads as well. */
  private static Operator by(Funnel other) {
    int[] ones = new int[N / 2];
    Arrays.fill(ones, 1);
    Operator plain = Operator.ofInt("plain", 0, (a, b) -> a + b);
    return Operator.ofInt(
        "other's",
        0,
        (a, b) ->
            b % 500 == 499
                ? other.sum(new int[] {a, b}) + other.reduce(ones, plain) - ones.length
                : a + b);
  }

  @ParameterizedTest
  @EnumSource(
      value = Family.class,
      names = {"REDUCE", "REDUCE_COMMUTATIVE", "INCLUSIVE_SCAN", "SEGMENTED_SCAN"})
  void anotherFunnelServesIt(Family family) throws Exception {
    SplittableRandom random = Seed.random("another");
    int[] values = random.ints(N, 0, 498).toArray();
    for (int i = 0; i < 40; i++) {
      values[random.nextInt(N)] = 499;
    }
    int[] sums = values.clone();
    Arrays.parallelPrefix(sums, Integer::sum);
    try (Funnel funnel = Funnel.open(Target.JVM);
        Funnel other = Funnel.open(Target.JVM);
        ExecutorService executor = Executors.newFixedThreadPool(3)) {
      Operator operator = by(other);
      List<Future<?>> all = new ArrayList<>();
      for (int caller = 0; caller < 3; caller++) {
        all.add(
            executor.submit(
                () -> {
                  if (family.name().contains("REDUCE")) {
                    assertEquals(
                        sums[N - 1],
                        funnel.reduce(
                            values, family == Family.REDUCE ? operator : operator.commutative()),
                        Seed.replay());
                  } else {
                    int[] into = new int[N];
                    family.run(funnel, operator, values, into);
                    assertArrayEquals(sums, into, Seed.replay());
                  }
                }));
      }
      for (Future<?> one : all) {
        one.get(50, TimeUnit.SECONDS);
      }
    }
  }

  @Test
  void aFunnelThatComesBackThroughAnotherIsRefused() {
    try (Funnel funnel = Funnel.open(Target.JVM);
        Funnel between = Funnel.open(Target.JVM)) {
      Operator back = Operator.ofInt("back", 0, (a, b) -> funnel.sum(new int[] {a, b}));
      Operator calling =
          Operator.ofInt("calling", 0, (a, b) -> between.reduce(new int[] {a, b}, back));
      assertRefused(() -> funnel.reduce(new int[N], calling));
      assertEquals(3, funnel.sum(new int[] {1, 2}));
      assertEquals(3, between.reduce(new int[] {1, 2}, back), "from outside it is no way back");
    }
  }

  @Test
  void othersMayCallMeanwhile() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch served = new CountDownLatch(1);
    Operator waiting =
        Operator.ofInt(
            "waiting",
            0,
            (a, b) -> {
              inside.countDown();
              assertTrue(awaitAWhile(served));
              return a + b;
            });
    try (Funnel funnel = Funnel.open(Target.JVM);
        ExecutorService executor = Executors.newFixedThreadPool(1)) {
      Future<Integer> sum = executor.submit(() -> funnel.reduce(new int[] {1, 2}, waiting));
      assertTrue(awaitAWhile(inside));
      assertEquals(7, funnel.sum(new int[] {3, 4}));
      served.countDown();
      assertEquals(3, sum.get(20, TimeUnit.SECONDS));
    }
  }
}
