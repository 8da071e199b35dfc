package funnel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.histogram.ScatterReduce;
import funnel.lessons.LadderVariant;
import funnel.lessons.ScanVariant;
import funnel.operation.ParallelRows;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorThrewException;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.scan.SegmentedScan;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a caller sees of an operator that throws, in all families that take one. */
@Timeout(120)
class OperatorFailureTest {

  private static final int N = 1 << 19;
  private static final int LONG = 20_000;

  /** Every call that runs an operator of the user's, over N ints. */
  enum Family {
    REDUCE,
    REDUCE_COMMUTATIVE,
    REDUCE_TRANSFORMED,
    LADDER,
    INCLUSIVE_SCAN,
    EXCLUSIVE_SCAN,
    SCAN_VARIANT,
    SEGMENTED_SCAN,
    SCATTER_REDUCE;

    /** Whether several threads work at it. */
    boolean isParallel() {
      return this != LADDER && this != SCAN_VARIANT && this != SCATTER_REDUCE;
    }

    void run(Funnel funnel, Operator operator, int[] values, int[] into) {
      Elements elements = Elements.of(values);
      switch (this) {
        case REDUCE -> funnel.reduce(values, operator);
        case REDUCE_COMMUTATIVE -> funnel.reduce(values, operator.commutative());
        case REDUCE_TRANSFORMED ->
            funnel.reduce(elements, Reduction.of(operator, Transform.ofInt("same", x -> x)));
        case LADDER ->
            inPlan(
                funnel,
                values,
                plan ->
                    plan.add(
                        "r", LadderVariant.NEIGHBOURED_PAIRS.reduction(64, operator), "elements"));
        case INCLUSIVE_SCAN -> funnel.scan(elements, Scan.inclusive(operator), Elements.of(into));
        case EXCLUSIVE_SCAN -> funnel.scan(elements, Scan.exclusive(operator), Elements.of(into));
        case SCAN_VARIANT ->
            inPlan(
                funnel,
                values,
                plan -> plan.add("r", ScanVariant.BLELLOCH.scan(64, operator), "elements"));
        case SEGMENTED_SCAN ->
            funnel.scan(
                elements,
                Elements.of(new byte[values.length]),
                SegmentedScan.inclusive(operator),
                Elements.of(into));
        case SCATTER_REDUCE ->
            funnel.scatterReduce(
                Elements.of(IntStream.range(0, values.length).map(i -> i % 1000).toArray()),
                elements,
                ScatterReduce.by(operator),
                Elements.of(into));
      }
    }

    private static void inPlan(Funnel funnel, int[] values, Consumer<Plan.Builder> primitive) {
      Plan.Builder builder = funnel.plan("p").input("elements", ElementType.INT, values.length);
      primitive.accept(builder);
      try (Plan plan = builder.build()) {
        plan.run(Map.of("elements", Elements.of(values)));
      }
    }
  }

  /** As fork/join would copy it: its constructor of a cause loses the message and the element. */
  public static final class UserException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With the message that a caller is to see. */
    public UserException(String message) {
      super(message);
    }

    /** What fork/join looks for. */
    public UserException(Throwable cause) {
      super(cause);
    }
  }

  private static boolean isOneOfSeveral(Family family) {
    return family.isParallel() && ParallelRows.cores() > 1;
  }

  /** Whether it is in the trial of an operator, before the run and on the caller's thread alone. */
  static boolean isTried() {
    return StackWalker.getInstance()
        .walk(frames -> frames.anyMatch(f -> f.getClassName().endsWith(".IdentityCheck")));
  }

  private static void await(CountDownLatch latch, int millis) {
    if (latch.getCount() == 0) {
      return; // no walk for each of its elements after that
    }
    if (isTried()) {
      return;
    }
    try {
      boolean _ = latch.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @ParameterizedTest
  @EnumSource(Family.class)
  void aCallEndsWhenTheLastOfItsThreadsHas(Family family) {
    Thread caller = Thread.currentThread();
    CountDownLatch otherIsInside = new CountDownLatch(isOneOfSeveral(family) ? 1 : 0);
    AtomicBoolean otherHasLeft = new AtomicBoolean();
    Operator operator =
        Operator.ofInt(
            "throwing",
            0,
            (a, b) -> {
              if (Thread.currentThread() == caller) {
                await(otherIsInside, LONG);
                throw new UserException("in the caller's thread");
              }
              if (otherIsInside.getCount() > 0) {
                otherIsInside.countDown();
                await(new CountDownLatch(1), 200);
                otherHasLeft.set(true);
              }
              return a + b;
            });
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      assertThrows(UserException.class, () -> family.run(funnel, operator, new int[N], new int[N]));
      assertEquals(
          isOneOfSeveral(family), otherHasLeft.get(), "the other thread's operator had ended");
    }
  }

  @Test
  void whatIsWrittenAfterAFailedCallStays() {
    Operator slow =
        Operator.ofInt(
            "slow",
            0,
            (a, b) -> {
              if (b == 13) {
                throw new UserException("thirteen");
              }
              long until = System.nanoTime() + 400;
              while (System.nanoTime() < until) {
                Thread.onSpinWait();
              }
              return a + b;
            });
    int[] into = new int[N];
    int[] bad = new int[N];
    bad[N / 2] = 13;
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      for (int round = 0; round < 2; round++) {
        assertThrows(UserException.class, () -> Family.INCLUSIVE_SCAN.run(funnel, slow, bad, into));
        Arrays.fill(into, -1);
        await(new CountDownLatch(1), 100);
        assertEquals(N, IntStream.of(into).filter(x -> x == -1).count());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Family.class)
  void aPoolThreadsExceptionIsGivenItself(Family family) {
    Thread caller = Thread.currentThread();
    CountDownLatch hasThrown = new CountDownLatch(isOneOfSeveral(family) ? 1 : 0);
    AtomicReference<@Nullable UserException> thrown = new AtomicReference<>();
    Operator operator =
        Operator.ofInt(
            "throwing",
            0,
            (a, b) -> {
              if (Thread.currentThread() == caller) {
                await(hasThrown, LONG);
                if (isOneOfSeveral(family)) {
                  return a + b;
                }
              }
              UserException mine = new UserException("element 13");
              UserException first = thrown.compareAndExchange(null, mine);
              hasThrown.countDown();
              throw first == null ? mine : first;
            });
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      UserException e =
          assertThrows(
              UserException.class, () -> family.run(funnel, operator, new int[N], new int[N]));
      assertSame(thrown.get(), e);
      assertEquals("element 13", e.getMessage());
      assertNull(e.getCause());
      assertEquals("throwing", OperatorThrewException.of(e).orElseThrow().operator());
    }
  }

  @ParameterizedTest
  @EnumSource(Family.class)
  void ofSeveralExceptionsItIsAlwaysTheSame(Family family) {
    Operator operator =
        Operator.ofInt(
            "refusing",
            0,
            (a, b) -> {
              if (a < 0 || b < 0) {
                throw new UserException("element " + Math.min(a, b));
              }
              return a | b;
            });
    int[] values = new int[N];
    for (int i = N / 5; i < N; i += N / 100) {
      values[i] = -i;
    }
    Set<String> messages = ConcurrentHashMap.newKeySet();
    try (Funnel funnel = Funnel.open(Target.JVM);
        ForkJoinPool single = new ForkJoinPool(1)) {
      Runnable call =
          () ->
              messages.add(
                  assertThrows(
                          UserException.class,
                          () -> family.run(funnel, operator, values, new int[N]))
                      .getMessage());
      for (int round = 0; round < 30; round++) {
        call.run();
        single.submit(call).join();
      }
    }
    assertEquals(1, messages.size(), messages::toString);
  }

  private static final UserException SHARED = new UserException("always the same");

  @ParameterizedTest
  @EnumSource(Family.class)
  void anExceptionThatIsThrownAgainAndAgainDoesNotGrow(Family family) {
    Operator one =
        Operator.ofInt(
            "one",
            0,
            (a, b) -> {
              throw SHARED;
            });
    Operator other =
        Operator.ofInt(
            "other",
            0,
            (a, b) -> {
              throw SHARED;
            });
    int frames = SHARED.getStackTrace().length;
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      for (int round = 0; round < 10; round++) {
        Operator thrower = round % 2 == 0 ? one : other;
        int[] values = new int[2000];
        assertSame(
            SHARED,
            assertThrows(
                UserException.class, () -> family.run(funnel, thrower, values, new int[2000])));
        assertEquals(thrower.name(), OperatorThrewException.of(SHARED).orElseThrow().operator());
      }
    }
    assertEquals(1, SHARED.getSuppressed().length);
    assertEquals(frames, SHARED.getStackTrace().length);
  }

  @ParameterizedTest
  @ValueSource(strings = {"JVM", "EMULATOR"})
  void everyEngineGivesTheOperatorsOwnException(String target) {
    Operator exact =
        Operator.ofInt(
            "exact sum",
            0,
            (a, b) ->
                a
                    + b
                    + 0
                        / (1
                            - (((a & b) | ((a | b) & ~(a + b))) >>> 31)
                            - ((~(a | b) & (a + b)) >>> 31)));
    int[] values = {1, Integer.MAX_VALUE, 1};
    try (Funnel funnel = Funnel.open(Target.valueOf(target))) {
      for (Family family : Family.values()) {
        ArithmeticException e =
            assertThrows(
                ArithmeticException.class,
                () -> family.run(funnel, exact, values, new int[] {Integer.MAX_VALUE, 1, 1}),
                family.name());
        assertEquals("/ by zero", e.getMessage(), family.name());
        assertNull(e.getCause(), family.name());
      }
      assertEquals(6, funnel.reduce(new int[] {1, 2, 3}, exact), "the engine goes on");
    }
  }

  /** The arrays of a call, which fails unless all elements are 0. */
  private static List<WeakReference<?>> references(
      Funnel funnel, Family family, Operator operator, int value) {
    int[] values = new int[N];
    int[] into = new int[N];
    Arrays.fill(values, value);
    try {
      family.run(funnel, operator, values, into);
      assertEquals(0, value);
    } catch (ArithmeticException e) {
      assertTrue(value != 0);
    }
    return List.of(new WeakReference<>(values), new WeakReference<>(into));
  }

  /** All calls' arrays go at once: what takes long is to collect all that other tests left. */
  @Test
  void aOneShotCallKeepsNoArrayOfTheCallers() {
    Operator exact = Operator.ofInt("exact sum", 0, Math::addExact);
    Map<String, List<WeakReference<?>>> arrays = new TreeMap<>();
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      for (Family family : Family.values()) {
        arrays.put(family + " after a result", references(funnel, family, exact, 0));
        arrays.put(
            family + " after an exception", references(funnel, family, exact, Integer.MAX_VALUE));
      }
      for (int i = 0; i < 50 && !arrays.isEmpty(); i++) {
        System.gc();
        arrays.values().removeIf(all -> all.stream().allMatch(one -> one.get() == null));
      }
    }
    assertEquals(Set.of(), arrays.keySet(), "calls that keep an array");
  }
}
