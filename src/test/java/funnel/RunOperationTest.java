package funnel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.group.Join;
import funnel.histogram.Arbitration;
import funnel.histogram.Histogram;
import funnel.histogram.ScatterReduce;
import funnel.histogram.Tickets;
import funnel.lessons.LadderVariant;
import funnel.lessons.ScanVariant;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Target;
import funnel.operator.Comparison;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.scan.SegmentedScan;
import funnel.scan.Segments;
import funnel.sort.IsSorted;
import funnel.sort.Merge;
import funnel.sort.MergeSort;
import funnel.sort.Order;
import funnel.sort.SetOperation;
import funnel.sort.Sort;
import funnel.sort.SortedSearch;
import funnel.transform.AdjacentDifference;
import funnel.transform.Elementwise;
import funnel.transform.IndexOutsideException;
import funnel.transform.RandomNumbers;
import funnel.transform.Reverse;
import funnel.transform.Sample;
import funnel.transform.Shuffle;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Any operation in one call. */
class RunOperationTest {

  private static final Scan SUMS = Scan.inclusive(Operator.SUM);

  private static final Elementwise TWICE = Elementwise.ofInt("twice", x -> 2 * x);
  private static final Comparison DOWN = Comparison.ofInt("down", (x, y) -> Integer.compare(y, x));

  private static final Elementwise PLUS = Elementwise.ofInt("plus", (x, y) -> x + y);

  @Test
  void shippedOperations_areEqualIfTheyComputeTheSame() {
    List<Operation> some = ShippedOperations.shipped();
    List<Operation> same = ShippedOperations.shipped();
    for (int i = 0; i < some.size(); i++) {
      assertEquals(some.get(i), same.get(i));
      assertEquals(some.get(i).hashCode(), same.get(i).hashCode(), some.get(i).toString());
      for (int k = 0; k < i; k++) {
        assertNotEquals(some.get(k), some.get(i));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void everyFamily(Target target) {
    families(target);
  }

  @Tag("gpu")
  @Test
  void everyFamily_onDevice() {
    families(Target.TORNADO);
  }

  private static void families(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      Elements x = Elements.of(new int[] {3, 1, 4, 1, 5});
      Elements ones = Elements.of(new int[] {1, 1, 1, 1, 1});
      assertEquals(14, funnel.run(Reduction.sum(), x).getInt("result"));
      assertEquals(14L, funnel.run(Reduction.dot(), x, ones).getLong("result"));
      Results least = funnel.run(Reduction.argMin(), x);
      assertEquals("{result=1, result_value=1}", least.toString());
      Results ends = funnel.run(Reduction.minMax(), x);
      assertEquals(1, ends.getInt("result_min"));
      assertEquals(5, ends.getInt("result_max"));

      Results sums = funnel.run(SUMS, x);
      assertArrayEquals(new int[] {3, 4, 8, 9, 14}, sums.ints("result"));
      assertEquals(14, sums.getInt("result_total"));
      Results more = funnel.run(SUMS.continuing(), x, Elements.of(new int[] {100}));
      assertArrayEquals(new int[] {103, 104, 108, 109, 114}, more.ints("result"));
      Results wide = funnel.run(SUMS.to(ElementType.LONG), x);
      assertArrayEquals(new long[] {3, 4, 8, 9, 14}, wide.longs("result"));
      Results parts =
          funnel.run(
              SegmentedScan.inclusive(Operator.SUM).segments(Segments.byOffsets()),
              Elements.of(new double[] {3, 1, 4, 1, 5}),
              Elements.of(new int[] {0, 2}));
      assertArrayEquals(new double[] {3, 4, 4, 5, 10}, parts.doubles("result"));
      Results variant = funnel.run(ScanVariant.BLELLOCH.scan(64, Operator.SUM), x);
      assertArrayEquals(new int[] {3, 4, 8, 9, 14}, variant.ints("result"));
      Operation ladder = LadderVariant.UNROLLING_2.reduction(64, Operator.SUM);
      assertEquals(14, funnel.run(ladder, x).getInt("result"));

      assertArrayEquals(new int[] {4, 2, 5, 2, 6}, funnel.run(PLUS, x, ones).ints("result"));
      assertArrayEquals(
          new int[] {5, 1, 4, 1, 3}, funnel.run(Reverse.elements(), x).ints("result"));
      assertArrayEquals(new int[] {1, 1, 3, 4, 5}, funnel.run(Sort.ascending(), x).ints("result"));
      assertArrayEquals(
          new int[] {4, 2, 0, 1, 3}, funnel.run(Order.descending(), x).ints("result"));
      Elements sorted = Elements.of(new int[] {1, 1, 3, 4, 5});
      assertArrayEquals(
          new int[] {2, 0, 3, 0, 4},
          funnel.run(SortedSearch.lowerBound(), sorted, x).ints("result"));
      assertEquals(1, funnel.run(IsSorted.ascending(), x).getInt("result_first"));
      assertArrayEquals(
          new int[] {5, 4, 3, 1, 1}, funnel.run(MergeSort.by(DOWN), x).ints("result"));
      Elements twoThree = Elements.of(new int[] {2, 3});
      assertArrayEquals(
          new int[] {2, 2, 3, 3}, funnel.run(Merge.ascending(), twoThree, twoThree).ints("result"));
      assertArrayEquals(
          new int[] {3}, funnel.run(SetOperation.intersection(), twoThree, x).ints("result"));
      assertArrayEquals(new int[] {0}, funnel.run(Join.semi(), x, twoThree).ints("result"));
      Results pairs = funnel.run(Join.inner(2), twoThree, Elements.of(new int[] {3, 1, 3}));
      assertArrayEquals(new int[] {1, 1}, pairs.ints("result_left"));
      assertArrayEquals(new int[] {0, 2}, pairs.ints("result_right"));
      assertEquals(14, Arrays.stream(funnel.run(Shuffle.by(1), x).ints("result")).sum());
      assertEquals(1, funnel.run(Sample.of(1, 1), ones).ints("result")[0]);
      assertEquals(
          new SplittableRandom(3).nextInt(),
          funnel.run(RandomNumbers.of(ElementType.INT, 3, 1)).ints("result")[0]);
      assertArrayEquals(new int[] {0, 2, 4}, funnel.run(TWICE.indexed(3)).ints("result"));

      Histogram even = Histogram.even(2, 0, 4);
      Results counts = funnel.run(even, x);
      assertArrayEquals(new int[] {2, 1}, counts.ints("result"));
      assertEquals(2, counts.getLong("result_above"));
      Results added = funnel.run(even.accumulating(), x, Elements.of(new int[] {10, 20}));
      assertArrayEquals(new int[] {12, 21}, added.ints("result"));
      Results weighed = funnel.run(even.weighted(), x, Elements.of(new float[] {1, 2, 4, 8, 16}));
      assertArrayEquals(new float[] {10, 1}, weighed.floats("result"));
      Results scattered =
          funnel.run(
              ScatterReduce.by(Operator.SUM),
              Elements.of(new int[] {2, 0, 2, 2}),
              Elements.of(new int[] {10, 20, 30, 40}),
              Elements.of(new int[] {1, 2, 3}));
      assertArrayEquals(new int[] {21, 2, 83}, scattered.ints("result"));
      Results tickets = funnel.run(Tickets.stable(), Elements.of(new byte[] {0, 1, 1, 0, 5}));
      assertArrayEquals(new int[] {-1, 0, 1, -1, 2}, tickets.ints("result"));
      Results winners = funnel.run(Arbitration.of(3), Elements.of(new int[] {2, 0, 2, -1}));
      assertArrayEquals(new int[] {1, -1, 0}, winners.ints("result"));
      assertArrayEquals(new int[] {1, 1, 0, 0}, winners.ints("result_won"));
      Results gaps = funnel.run(AdjacentDifference.left(), x);
      assertArrayEquals(new int[] {3, -2, 3, -3, 4}, gaps.ints("result"));

      assertArrayEquals(new int[] {3, 4, 8, 9, 14}, sums.ints("result"), "others ran since");
      assertEquals(Set.of("result", "result_total"), sums.names());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void results_stayAsTheyAre(Target target) {
    Results first;
    Results empty;
    int[] values = {1, 2};
    try (Funnel funnel = Funnel.open(target)) {
      first = funnel.run(SUMS, Elements.of(values));
      values[0] = 50;
      first.ints("result")[0] = 60;
      assertArrayEquals(new int[] {9, 9}, funnel.run(SUMS, ints(9, 0)).ints("result"));
      empty = funnel.run(SUMS, ints());
      Results none = funnel.run(Reduction.max(), ints());
      assertThrows(NoSuchElementException.class, () -> none.getInt("result"));
    }
    assertArrayEquals(new int[] {1, 3}, first.ints("result"), "the Funnel is closed");
    assertArrayEquals(new int[0], empty.ints("result"));
    assertEquals("{result=array of INT, result_total=3}", first.toString());
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void into_takesSomeOfTheArrays(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      int[] x = {3, 1, 4};
      Results inPlace = funnel.run(SUMS, Map.of("result", Elements.of(x)), Elements.of(x));
      assertArrayEquals(new int[] {3, 4, 8}, x);
      assertArrayEquals(x, inPlace.ints("result"));
      int[] won = {7, 7, 7, 7, 7};
      Results winners =
          funnel.run(Arbitration.of(3), Map.of("result_won", Elements.of(won)), ints(2, 0, 2, -1));
      assertArrayEquals(new int[] {1, 1, 0, 0, 7}, won);
      assertArrayEquals(new int[] {1, 1, 0, 0}, winners.ints("result_won"), "as many as there are");
      assertArrayEquals(new int[] {1, -1, 0}, winners.ints("result"));
      Results left;
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment place = arena.allocate(8);
        left = funnel.run(SUMS, Map.of("result", Elements.of(place, ElementType.INT)), ints(1, 2));
        assertArrayEquals(new int[] {1, 3}, left.ints("result"));
      }
      assertEquals(3, left.getInt("result_total"));
      assertThrows(IllegalStateException.class, () -> left.ints("result"), "the arena is closed");
    }
  }

  private static Elements ints(int... values) {
    return Elements.of(values);
  }

  @Test
  void refuses() {
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      int[] three = {1, 2, 3};
      Map<String, Executable> calls = new HashMap<>();
      calls.put("given=2", () -> funnel.run(Reduction.sum(), ints(three), ints(three)));
      calls.put("given are 0", () -> funnel.run(SUMS));
      calls.put("INT[1024].*LONG[1024]", () -> funnel.run(Reduction.dot(), ints(1), longs()));
      calls.put(
          "length of input1=3, length of input2=1",
          () -> funnel.run(Reduction.dot(), ints(three), ints(1)));
      calls.put("no array 'y'", () -> funnel.run(SUMS, Map.of("y", ints(three)), ints(three)));
      calls.put(
          "length=3, capacity=1", () -> funnel.run(SUMS, Map.of("result", ints(1)), ints(three)));
      calls.put("destination LONG", () -> funnel.run(SUMS, Map.of("result", longs()), ints(three)));
      calls.put(
          "overlaps input input1",
          () ->
              funnel.run(
                  SUMS, Map.of("result", Elements.of(three, 0, 2)), Elements.of(three, 1, 3)));
      calls.forEach(
          (part, call) -> {
            String message = assertThrows(IllegalArgumentException.class, call).getMessage();
            assertTrue(message.matches("(?s).*" + part.replace("[", "\\[") + ".*"), message);
          });
      for (Executable call :
          List.<Executable>of(
              () -> funnel.run(null, ints(1)),
              () -> funnel.run(SUMS, (Elements) null),
              () -> funnel.run(SUMS, (Elements[]) null),
              () -> funnel.run(SUMS, (Map<String, Elements>) null, ints(1)))) {
        String message = assertThrows(NullPointerException.class, call).getMessage();
        assertTrue(List.of("operation", "input1", "inputs", "into").contains(message), message);
      }
      int[] into = {7, 7};
      assertThrows(
          IndexOutsideException.class,
          () ->
              funnel.run(
                  ScatterReduce.last(),
                  Map.of("result", ints(into)),
                  ints(5),
                  ints(1),
                  ints(into)));
      assertArrayEquals(new int[] {7, 7}, into);
    }
  }

  private static Elements longs() {
    return Elements.of(new long[1]);
  }

  // Operations of a user's

  /** A sum that counts how often a plan is made of it. */
  private record Counting(String name, AtomicInteger plans) implements Operation {
    @Override
    public Expansion expand(String output, List<Input> inputs) {
      plans.incrementAndGet();
      return Reduction.sum().expand(output, inputs);
    }
  }

  @Test
  void equalOperations_overTheSameTypesAndSimilarLengths_shareAPlan() {
    AtomicInteger plans = new AtomicInteger();
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      for (int length : new int[] {3, 1, 1000}) {
        funnel.run(new Counting("one", plans), Elements.of(new int[length]));
      }
      assertEquals(1, plans.get());
      funnel.run(new Counting("other", plans), ints(1));
      assertEquals(2, plans.get());
      funnel.run(new Counting("one", plans), longs());
      assertEquals(3, plans.get());
      funnel.run(new Counting("one", plans), Elements.of(new int[5000]));
      assertEquals(4, plans.get());
      assertEquals(4, funnel.calls.plans());
    }
  }

  @Test
  void operationsWithoutEquals_haveAPlanEach_andTheCacheStaysBounded() {
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      Set<Operation> all = Collections.newSetFromMap(new IdentityHashMap<>());
      for (int i = 0; i < 100; i++) {
        AtomicInteger plans = new AtomicInteger();
        Operation own =
            (output, inputs) -> {
              plans.incrementAndGet();
              return Reduction.sum().expand(output, inputs);
            };
        all.add(own);
        for (int run = 0; run < 2; run++) {
          assertEquals(6, funnel.run(own, ints(1, 2, 3)).getInt("result"));
        }
        assertEquals(1, plans.get());
        assertTrue(funnel.calls.plans() <= 32, () -> "plans=" + funnel.calls.plans());
      }
      assertEquals(100, all.size());
      assertEquals(32, funnel.calls.plans());
    }
  }

  @Test
  void operationThatRefuses_leavesNothing() {
    Operation refusing =
        (output, inputs) -> {
          throw new UnsupportedOperationException("not today");
        };
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      assertThrows(UnsupportedOperationException.class, () -> funnel.run(refusing, ints(1)));
      assertEquals(0, funnel.calls.plans());
    }
  }

  /** An operation that waits while its plan is made, as one does whose kernels compile slowly. */
  @Test
  @Timeout(60)
  void whileAPlanIsMade_otherCallsGoThrough() throws Exception {
    CountDownLatch making = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    Operation slow =
        (output, inputs) -> {
          making.countDown();
          try {
            assertTrue(done.await(50, TimeUnit.SECONDS));
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return Reduction.sum().expand(output, inputs);
        };
    try (Funnel funnel = Funnel.open(Target.JVM);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Integer> sum = threads.submit(() -> funnel.run(slow, ints(1, 2)).getInt("result"));
      try {
        assertTrue(making.await(20, TimeUnit.SECONDS));
        Future<Integer> other = threads.submit(() -> funnel.max(new int[] {3, 4}));
        assertEquals(4, other.get(20, TimeUnit.SECONDS));
      } finally {
        done.countDown();
      }
      assertEquals(3, sum.get());
    }
  }

  /** Arrays are copied out before another thread's run of the same plan can write them. */
  @Test
  @Timeout(120)
  void manyThreads_eachHasItsOwnArrays() throws Exception {
    try (Funnel funnel = Funnel.open(Target.JVM);
        ExecutorService threads = Executors.newFixedThreadPool(8)) {
      List<Future<?>> all = new ArrayList<>();
      Set<Integer> seen = Collections.synchronizedSet(new HashSet<>());
      for (int thread = 1; thread <= 8; thread++) {
        int step = thread;
        all.add(
            threads.submit(
                () -> {
                  int[] steps = new int[900];
                  Arrays.fill(steps, step);
                  for (int run = 0; run < 200; run++) {
                    int[] sums = funnel.run(SUMS, Elements.of(steps)).ints("result");
                    for (int i = 0; i < sums.length; i++) {
                      assertEquals((i + 1) * step, sums[i]);
                    }
                  }
                  seen.add(step);
                }));
      }
      for (Future<?> one : all) {
        one.get();
      }
      assertEquals(8, seen.size());
      int most = Runtime.getRuntime().availableProcessors();
      assertTrue(funnel.calls.plans() <= most, () -> "plans=" + funnel.calls.plans());
    }
  }
}
