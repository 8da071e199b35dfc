package funnel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.engine.FunnelMemoryException;
import funnel.engine.Target;
import funnel.operator.ElementType;
import funnel.reduce.Reduction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PlanCacheTest {

  private final Funnel funnel = Funnel.open(Target.JVM);
  private final Map<String, Plan> made = new HashMap<>();

  @AfterEach
  void close() {
    funnel.close();
  }

  private Plan use(PlanCache cache, String key) {
    return cache.with(key, () -> make(key), plan -> plan);
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
        () -> make("a"),
        a -> {
          use(cache, "b");
          assertTrue(isOpen("a"));
          cache.with(
              "c",
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
                () -> {
                  throw new FunnelMemoryException("d", 2, 1);
                },
                plan -> plan),
        "with nothing to free");
    assertEquals(0, cache.size());
  }

  @Test
  void failingUse_releasesThePlan() {
    PlanCache cache = new PlanCache(1, Long.MAX_VALUE);
    assertThrows(
        ArithmeticException.class,
        () ->
            cache.with(
                "a",
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
}
