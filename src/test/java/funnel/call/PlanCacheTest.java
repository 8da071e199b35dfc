package funnel.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.operation.FunnelMemoryException;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.reduce.Reduction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PlanCacheTest {

  private final Funnel funnel = Funnel.open(Target.JVM);
  private final Map<String, Plan> made = new ConcurrentHashMap<>();

  @AfterEach
  void close() {
    funnel.close();
  }

  private Plan use(PlanCache cache, String key) {
    return cache.with(key, 1, () -> make(key), plan -> plan);
  }

  private Plan make(String key) {
    Plan plan =
        funnel.plan(key).input("x", ElementType.INT, 1).add("s", Reduction.sum(), "x").build();
    made.put(key, plan);
    return plan;
  }

  private boolean isOpen(String key) {
    try {
      made.get(key).set("x", Elements.of(new int[1]));
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  private List<String> open() {
    return made.keySet().stream().sorted().filter(this::isOpen).toList();
  }

  @Test
  void samePlanForSameKey() {
    PlanCache cache = new PlanCache(2, Long.MAX_VALUE);
    assertSame(use(cache, "a"), use(cache, "a"));
    assertEquals(1, cache.size());
  }

  @Test
  void overTheCount_theOneNotUsedForLongestGoes() {
    PlanCache cache = new PlanCache(2, Long.MAX_VALUE);
    use(cache, "a");
    use(cache, "b");
    use(cache, "a");
    use(cache, "c");
    assertEquals(List.of("a", "c"), open());
    assertEquals(2, cache.size());
    use(cache, "b");
    assertEquals(List.of("b", "c"), open(), "b was built again, a went");
  }

  @Test
  void plansInUse_areNotClosed_andGoLater() {
    PlanCache cache = new PlanCache(1, Long.MAX_VALUE);
    cache.with(
        "a",
        1,
        () -> make("a"),
        a -> {
          use(cache, "b");
          assertTrue(isOpen("a"));
          cache.with(
              "c",
              1,
              () -> make("c"),
              c -> {
                use(cache, "d");
                assertEquals(List.of("a", "c"), open());
                return c;
              });
          assertTrue(isOpen("a"));
          return a;
        });
    assertEquals(1, cache.size());
  }

  @Test
  void limitOfZero_keepsNothing_butWorks() {
    PlanCache cache = new PlanCache(0, Long.MAX_VALUE);
    use(cache, "a");
    assertEquals(List.of(), open());
    assertEquals(0, cache.size());
  }

  @Test
  void outOfMemory_idlePlansGo_andItIsTriedOnceMore() {
    PlanCache cache = new PlanCache(9, Long.MAX_VALUE);
    use(cache, "a");
    use(cache, "b");
    int[] tries = {0};
    cache.with(
        "c",
        1,
        () -> {
          if (tries[0]++ == 0) {
            throw new FunnelMemoryException("c", 2, 1);
          }
          return make("c");
        },
        plan -> plan);
    assertEquals(List.of("c"), open());
    cache.close();
    assertThrows(
        FunnelMemoryException.class,
        () ->
            cache.with(
                "d",
                1,
                () -> {
                  throw new FunnelMemoryException("d", 2, 1);
                },
                plan -> plan),
        "with nothing to free");
    assertEquals(0, cache.size());
  }

  /** Both threads have a plan at the same time, or neither comes by the barrier. */
  @Test
  void aPlanInUse_isNotWaitedFor_whereThereMayBeCopies() throws Exception {
    PlanCache cache = new PlanCache(9, Long.MAX_VALUE);
    Plan first = cache.with("kind", 2, () -> make("a"), plan -> plan);
    CyclicBarrier both = new CyclicBarrier(2);
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      List<Future<Plan>> used = new ArrayList<>();
      for (String name : List.of("b", "c")) {
        used.add(
            threads.submit(
                () ->
                    cache.with(
                        "kind",
                        2,
                        () -> make(name),
                        plan -> {
                          try {
                            both.await(30, TimeUnit.SECONDS);
                            return plan;
                          } catch (Exception e) {
                            throw new IllegalStateException(e);
                          }
                        })));
      }
      assertNotSame(used.get(0).get(), used.get(1).get());
    }
    assertSame(first, cache.with("kind", 2, () -> make("d"), plan -> plan));
    assertEquals(2, cache.size());
  }

  @Test
  void whereAllCopiesAreInUse_oneOfThemIsUsed() {
    PlanCache cache = new PlanCache(9, Long.MAX_VALUE);
    cache.with(
        "kind",
        2,
        () -> make("a"),
        a ->
            cache.with(
                "kind",
                2,
                () -> make("b"),
                b -> {
                  assertNotSame(a, b);
                  Plan third = cache.with("kind", 2, () -> make("c"), plan -> plan);
                  assertTrue(third == a || third == b);
                  return b;
                }));
    assertEquals(2, cache.size());
  }

  @Test
  void failingUse_releasesThePlan() {
    PlanCache cache = new PlanCache(1, Long.MAX_VALUE);
    assertThrows(
        ArithmeticException.class,
        () ->
            cache.with(
                "a",
                1,
                () -> make("a"),
                plan -> {
                  throw new ArithmeticException("user");
                }));
    use(cache, "b");
    assertEquals(List.of("b"), open());
  }

  @Test
  void close_closesAll() {
    PlanCache cache = new PlanCache(9, Long.MAX_VALUE);
    use(cache, "a");
    use(cache, "b");
    cache.close();
    assertEquals(List.of(), open());
    assertEquals(0, cache.size());
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(30, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  @Timeout(60)
  void whileOneIsBuilt_othersAreUsed_builtAndLetGo() throws Exception {
    PlanCache cache = new PlanCache(1, Long.MAX_VALUE);
    CountDownLatch building = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    use(cache, "old");
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Plan> slow =
          threads.submit(
              () ->
                  cache.with(
                      "slow",
                      1,
                      () -> {
                        building.countDown();
                        await(done);
                        return make("slow");
                      },
                      plan -> plan));
      try {
        await(building);
        for (String other : List.of("old", "new")) {
          Plan used = threads.submit(() -> use(cache, other)).get(20, TimeUnit.SECONDS);
          assertSame(made.get(other), used);
        }
        assertEquals(List.of(), open(), "the one that is built counts");
      } finally {
        done.countDown();
      }
      Plan built = slow.get();
      assertSame(made.get("slow"), built);
      assertEquals(List.of("slow"), open());
    }
  }

  @Test
  @Timeout(60)
  void callersOfOneKey_shareOneBuild() throws Exception {
    PlanCache cache = new PlanCache(9, Long.MAX_VALUE);
    AtomicInteger builds = new AtomicInteger();
    CountDownLatch using = new CountDownLatch(8);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Plan>> all = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        all.add(
            threads.submit(
                () ->
                    cache.with(
                        "a",
                        1,
                        () -> {
                          builds.incrementAndGet();
                          return make("a");
                        },
                        plan -> {
                          using.countDown();
                          await(using);
                          return plan;
                        })));
      }
      for (Future<Plan> one : all) {
        Plan built = one.get();
        assertSame(made.get("a"), built);
      }
    }
    assertEquals(1, builds.get());
    assertEquals(1, cache.size());
  }

  @Test
  @Timeout(60)
  void failingBuild_leavesNothing_andWhoWaitedBuildsForHimself() throws Exception {
    PlanCache cache = new PlanCache(9, Long.MAX_VALUE);
    CountDownLatch building = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Plan> failing =
          threads.submit(
              () ->
                  cache.with(
                      "a",
                      1,
                      () -> {
                        building.countDown();
                        await(done);
                        throw new ArithmeticException("user");
                      },
                      plan -> plan));
      await(building);
      Future<Plan> waiting = threads.submit(() -> use(cache, "a"));
      done.countDown();
      ExecutionException e = assertThrows(ExecutionException.class, failing::get);
      assertEquals("user", e.getCause().getMessage());
      Plan built = waiting.get();
      assertSame(made.get("a"), built);
    }
    assertEquals(1, cache.size());
    assertThrows(
        ArithmeticException.class,
        () ->
            cache.with(
                "b",
                1,
                () -> {
                  throw new ArithmeticException("user");
                },
                plan -> plan));
    assertEquals(1, cache.size());
  }

  @Test
  @Tag("gpu")
  void onADevice_overItsBytes_theOneNotUsedForLongestGoes() {
    try (Funnel there = Funnel.open(Target.TORNADO)) {
      PlanCache cache = new PlanCache(9, 10 << 20);
      for (String key : new String[] {"a", "b", "c", "a", "d"}) {
        long bytes =
            cache.with(
                key,
                1,
                () ->
                    there
                        .plan(key)
                        .input("x", ElementType.INT, 1 << 20)
                        .add("s", Reduction.sum(), "x")
                        .build(),
                Plan::deviceBytes);
        assertTrue(bytes > 4 << 20 && bytes < 5 << 20, "bytes=" + bytes);
        assertTrue(cache.size() <= 2, "plans=" + cache.size());
      }
      assertEquals(2, cache.size());
    }
  }
}
