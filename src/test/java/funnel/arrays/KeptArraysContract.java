package funnel.arrays;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.EngineContract;
import funnel.Groups;
import funnel.Ints;
import funnel.Plan;
import funnel.Seed;
import funnel.operator.Operator;
import funnel.sort.Sort;
import funnel.transform.IndexOutsideException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Arrays that are kept and closed in any order, and what is read of them meanwhile. */
abstract class KeptArraysContract extends EngineContract {

  private static final int THREADS = 4;

  /** The number of steps of each thread. */
  abstract int steps();

  private record Pair(Ints kept, int[] plain) {}

  @Test
  void keptReadAndClosed_inAnyOrder() throws Exception {
    List<Callable<Void>> all = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      SplittableRandom random = Seed.random("kept arrays " + thread);
      all.add(
          () -> {
            steps(random);
            return null;
          });
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      for (Future<Void> each : threads.invokeAll(all)) {
        each.get();
      }
    }
    assertTrue(funnel.toString().endsWith("open plans=0"), funnel::toString);
  }

  private void steps(SplittableRandom random) {
    List<Pair> open = new ArrayList<>();
    for (int step = 0; step < steps(); step++) {
      int length = lengths()[random.nextInt(lengths().length)];
      switch (open.isEmpty() ? 0 : random.nextInt(6)) {
        case 0 -> {
          int[] plain = random.ints(length, -9, 9).toArray();
          open.add(new Pair(funnel.of(plain).keep(), plain.clone()));
          Arrays.fill(plain, 77); // it was copied
        }
        case 1 -> {
          Pair from = any(open, random);
          int least = random.nextInt(-9, 9);
          open.add(
              new Pair(
                  from.kept().filter(v -> v > least).sorted().keep(),
                  Arrays.stream(from.plain()).filter(v -> v > least).sorted().toArray()));
        }
        case 2 -> open.remove(random.nextInt(open.size())).kept().close();
        case 3 -> {
          Ints kept = any(open, random).kept();
          assertThrows(
              IndexOutsideException.class, () -> kept.at(funnel.of(-1)).sum(), Seed::replay);
        }
        default -> check(any(open, random), random);
      }
    }
    open.forEach(each -> each.kept().close());
  }

  private static Pair any(List<Pair> open, SplittableRandom random) {
    return open.get(random.nextInt(open.size()));
  }

  private void check(Pair pair, SplittableRandom random) {
    int[] plain = pair.plain();
    Ints kept = pair.kept();
    assertEquals(Arrays.stream(plain).asLongStream().sum(), kept.sumAsLong(), Seed::replay);
    int factor = random.nextInt(100);
    assertArrayEquals(
        Arrays.stream(plain).map(v -> v * factor).toArray(),
        kept.map(v -> v * factor).toArray(),
        Seed::replay);
    int[] places = random.ints(plain.length, 0, Math.max(1, plain.length)).toArray();
    assertArrayEquals(
        Arrays.stream(places).map(i -> plain[i] + factor).toArray(),
        funnel.of(places).map(i -> kept.get(i) + factor).toArray(),
        Seed::replay);
    Groups<Ints> groups = kept.groupBy();
    assertEquals(Arrays.stream(plain).distinct().count(), groups.sum(kept).count(), Seed::replay);
    assertArrayEquals(plain, kept.toArray(), Seed::replay);
  }

  @Test
  void whatIsClosed_isRead_byNothing() {
    Ints x = funnel.of(3, 1, 4).keep();
    Ints sorted = x.sorted();
    assertEquals("ints[3], kept: 3, 1, 4", x.toString());
    assertEquals(8, sorted.sum());
    x.close();
    x.close();
    assertEquals("ints, closed", x.toString());
    for (Callable<?> call : List.<Callable<?>>of(x::toArray, sorted::sum, x::sum)) {
      String message = assertThrows(IllegalStateException.class, call::call).getMessage();
      assertTrue(message.contains("closed"), message);
    }
    assertEquals(3, x.count()); // which is known
  }

  @Test
  void keptArrays_areInputsOfPlans() {
    try (Ints x = funnel.of(3, 1, 4, 1).keep();
        Plan plan = x.input(funnel.plan("kept"), "x").add("y", Sort.ascending(), "x").build()) {
      assertArrayEquals(new int[] {1, 1, 3, 4}, plan.run().ints("y"));
      assertEquals(9, x.sum());
      assertArrayEquals(new int[] {1, 1, 3, 4}, plan.run().ints("y"));
    }
  }

  @Test
  void onePlan_servesAll_inTurn() {
    SplittableRandom random = Seed.random("in turn");
    List<Pair> pairs = new ArrayList<>();
    for (int length : new int[] {1000, 1001, 950}) {
      int[] plain = random.ints(length, -9, 9).toArray();
      pairs.add(new Pair(funnel.of(plain).keep(), plain));
    }
    int plans = 0;
    for (int i = 0; i < 20 * steps(); i++) { // more than TornadoVM keeps events
      Pair pair = pairs.get(i / 5 % 3);
      int factor = i / 50;
      assertEquals(
          Arrays.stream(pair.plain()).map(v -> v * factor).sum(),
          pair.kept().map(v -> v * factor).sum(),
          Seed::replay);
      assertEquals(Arrays.stream(pair.plain()).max().orElseThrow(), pair.kept().max());
      assertTrue(i == 0 || plans == plans(), () -> "plans: " + plans());
      plans = plans();
    }
    pairs.forEach(each -> each.kept().close());
  }

  @Test
  void whatIsComputed_isKept() {
    SplittableRandom random = Seed.random("computed");
    for (int length : lengths()) {
      int[] plain = random.ints(length, -9, 9).toArray();
      int least = random.nextInt(-10, 10);
      try (Ints x = funnel.of(plain).keep();
          Ints again = x.keep();
          Ints some = x.filter(v -> v > least).keep();
          Ints few = some.filter(v -> v == 8).keep();
          Ints scanned = funnel.of(plain).map(v -> v + least).scan(Operator.SUM).keep();
          Ints keys = x.groupBy().keys().keep();
          Ints tail = scanned.last(3).keep()) {
        assertArrayEquals(plain, again.toArray(), Seed::replay);
        int[] kept = Arrays.stream(plain).filter(v -> v > least).toArray();
        assertArrayEquals(kept, some.toArray(), Seed::replay);
        assertEquals(kept.length, some.count());
        assertArrayEquals(
            Arrays.stream(kept).filter(v -> v == 8).toArray(), few.toArray(), Seed::replay);
        int[] sums = Arrays.stream(plain).map(v -> v + least).toArray();
        Arrays.parallelPrefix(sums, Integer::sum);
        assertArrayEquals(sums, scanned.toArray(), Seed::replay);
        assertArrayEquals(
            Arrays.stream(plain).distinct().sorted().toArray(), keys.toArray(), Seed::replay);
        assertArrayEquals(
            Arrays.copyOfRange(sums, Math.max(0, length - 3), length), tail.toArray());
      }
      assertThrows(
          IndexOutsideException.class,
          () -> funnel.of(plain).concat(funnel.of(1)).at(funnel.of(0, -1)).keep());
    }
  }

  @Test
  void many() {
    int plans = 0;
    for (int i = 0; i < steps(); i++) {
      try (Ints x = funnel.of(i, 1, 2).keep()) {
        assertEquals(i + 3, x.sum());
      }
      assertTrue(i == 0 || plans == plans(), "the plan of the first is that of all");
      plans = plans();
    }
    assertTrue(funnel.toString().endsWith("open plans=0"), funnel::toString);
  }
}
