package funnel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.group.Aggregate;
import funnel.group.GroupBy;
import funnel.group.Join;
import funnel.group.SegmentedReduce;
import funnel.histogram.Arbitration;
import funnel.histogram.Histogram;
import funnel.histogram.HistogramMethod;
import funnel.histogram.ScatterReduce;
import funnel.histogram.Tickets;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Target;
import funnel.operator.Comparison;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.rank.Quantiles;
import funnel.rank.TopK;
import funnel.reduce.LadderVariant;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.scan.ScanForm;
import funnel.scan.ScanVariant;
import funnel.scan.SegmentedScan;
import funnel.select.FindFirst;
import funnel.select.Partition;
import funnel.select.Runs;
import funnel.select.Select;
import funnel.select.ThreeWayPartition;
import funnel.select.Unique;
import funnel.sort.IsSorted;
import funnel.sort.Merge;
import funnel.sort.MergeSort;
import funnel.sort.Order;
import funnel.sort.SegmentedSort;
import funnel.sort.SetOperation;
import funnel.sort.Sort;
import funnel.sort.SortedSearch;
import funnel.transform.AdjacentDifference;
import funnel.transform.Elementwise;
import funnel.transform.Fill;
import funnel.transform.IndexOutsideException;
import funnel.transform.Iota;
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
  private static final Transform LARGE = Transform.testInt("large", x -> x > 2);
  private static final Transform SQUARE = Transform.ofInt("square", x -> x * x);
  private static final Transform SMALL = Transform.testInt("small", x -> x < 2);
  private static final Operator LARGER = Operator.ofInt("larger", 0, (a, b) -> a > b ? a : b);

  private static final Elementwise TWICE = Elementwise.ofInt("twice", x -> 2 * x);
  private static final Comparison DOWN = Comparison.ofInt("down", (x, y) -> Integer.compare(y, x));

  private static final Elementwise PLUS = Elementwise.ofInt("plus", (x, y) -> x + y);

  /** Two of the same are equal, no two in the list are. */
  private static List<Operation> shipped() {
    Histogram even = Histogram.even(3, 0, 12);
    return List.of(
        Reduction.sum(),
        Reduction.sumAsLong(),
        Reduction.mean(),
        Reduction.variance(),
        Reduction.dot(),
        Reduction.argMin(),
        Reduction.minMax(),
        Reduction.of(LARGER),
        Reduction.countIf(LARGE),
        Scan.inclusive(Operator.SUM),
        Scan.exclusive(Operator.SUM),
        Scan.exclusive(Operator.SUM).from(7),
        Scan.exclusive(Operator.SUM).from(7L),
        Scan.inclusive(Operator.SUM).to(ElementType.LONG),
        Scan.inclusive(Operator.SUM).continuing(),
        Scan.inclusive(Operator.SUM).by(ScanForm.SINGLE_PASS),
        SegmentedScan.inclusive(Operator.SUM),
        SegmentedScan.exclusive(Operator.SUM),
        SegmentedScan.inclusive(Operator.SUM).byKeys(),
        SegmentedScan.inclusive(Operator.SUM).from(7),
        SegmentedScan.inclusive(Operator.SUM).by(ScanForm.SINGLE_PASS),
        even,
        Histogram.even(3, 0.0, 12.0),
        Histogram.ranges(0, 4, 8, 12),
        Histogram.ranges(0.0, 4.0, 8.0, 12.0),
        Histogram.ofKeys(9),
        Histogram.ofBytes(),
        even.to(ElementType.LONG),
        even.channels(2),
        even.weighted(),
        even.accumulating(),
        even.by(HistogramMethod.SORTED),
        ScatterReduce.by(Operator.SUM),
        ScatterReduce.by(Operator.SUM).to(ElementType.LONG),
        ScatterReduce.last(),
        Tickets.stable(),
        Arbitration.of(3),
        Arbitration.of(4),
        AdjacentDifference.left(),
        Fill.with(ElementType.FLOAT, 1, 5),
        Fill.with(ElementType.INT, 1, 5),
        Fill.with(ElementType.INT, 2, 5),
        Fill.with(ElementType.INT, 2, 6),
        Iota.of(ElementType.INT, 5),
        Iota.of(ElementType.INT, 5).from(1),
        Iota.of(ElementType.INT, 5).step(2),
        RandomNumbers.of(ElementType.INT, 1, 5),
        RandomNumbers.of(ElementType.INT, 1, 5).from(1),
        RandomNumbers.of(ElementType.INT, 2, 5),
        Reverse.elements(),
        Sort.ascending(),
        Sort.descending(),
        Sort.ascending().bits(0, 8),
        Sort.ascending().bits(0, 9),
        Sort.ascending().bits(1, 8),
        Sort.ascending().signed(),
        Sort.ascending().unsigned(),
        Sort.ascending().rows(),
        Sort.ascending().rows(2),
        SegmentedSort.ascending(),
        TopK.largest(3),
        TopK.largest(4),
        TopK.smallest(3),
        TopK.largest(3).positions(),
        TopK.largest(3).withPositions(),
        Quantiles.median(),
        Quantiles.median().interpolated(),
        Quantiles.of(.5, .25),
        Quantiles.of(.25, .5),
        Join.inner(3),
        Join.inner(4),
        Join.inner(3).sortedRight(),
        Join.semi(),
        Join.anti(),
        GroupBy.of(),
        GroupBy.of(Aggregate.count()),
        GroupBy.of(Aggregate.count()).runs(),
        GroupBy.of(Aggregate.sum(1)),
        GroupBy.of(Aggregate.sum(2)),
        GroupBy.of(Aggregate.of(Operator.SUM, 1)),
        GroupBy.of(Aggregate.mean(1)),
        GroupBy.of(Aggregate.first(1)),
        GroupBy.of(Aggregate.last(1)),
        GroupBy.of(Aggregate.min(1)),
        GroupBy.of(Aggregate.max(1)),
        GroupBy.of(Aggregate.max(1)).keys(2),
        GroupBy.of(Aggregate.variance(1)),
        GroupBy.of(Aggregate.sampleVariance(1)),
        GroupBy.of(Aggregate.argMin(1)),
        GroupBy.of(Aggregate.argMax(1)),
        SegmentedReduce.by(Operator.SUM),
        SegmentedReduce.by(Operator.MAX),
        SegmentedReduce.by(Operator.SUM).byHeadBits(),
        SegmentedReduce.by(Operator.SUM).byOffsets(),
        SegmentedReduce.by(Operator.SUM).byKeys(),
        SegmentedSort.descending(),
        SegmentedSort.ascending().byOffsets(),
        Order.of(Sort.ascending().signed()),
        Order.ascending(),
        Order.descending(),
        SortedSearch.lowerBound(),
        SortedSearch.upperBound(),
        SortedSearch.binarySearch(),
        SortedSearch.binarySearch().descending(),
        IsSorted.ascending(),
        IsSorted.descending(),
        MergeSort.by(DOWN),
        MergeSort.by(DOWN).positions(),
        MergeSort.by(DOWN).rows(),
        MergeSort.by(Comparison.ofInt("other", (a, b) -> Integer.compare(b, a))),
        Merge.ascending(),
        Merge.descending(),
        Merge.by(DOWN),
        SetOperation.union(),
        SetOperation.intersection(),
        SetOperation.difference(),
        SetOperation.symmetricDifference(),
        SetOperation.union().descending(),
        SetOperation.union().by(DOWN),
        Shuffle.by(1),
        Shuffle.by(2),
        Shuffle.positions(5, 1),
        Sample.of(2, 1),
        Sample.of(3, 1),
        TWICE,
        TWICE.to(ElementType.FLOAT),
        TWICE.indexed(7),
        TWICE.indexed(8),
        PLUS,
        PLUS.indexed(),
        Select.where(LARGE),
        Select.where(LARGE).rejecting(),
        Select.where(LARGE).positions(),
        Select.where(LARGE).withPositions(),
        Select.where(LARGE).by(ScanForm.SINGLE_PASS),
        Select.flagged(),
        Select.where(LARGE).rows(),
        Select.where(TWICE),
        Select.where(LARGE).mapped(SQUARE),
        Scan.inclusive(Operator.SUM).mapped(SQUARE),
        Select.where(TWICE).rows(),
        Partition.where(TWICE),
        Select.where(LARGE).rows().withPositions(),
        Select.flagged().rows(),
        FindFirst.where(LARGE),
        FindFirst.where(LARGE).rejecting(),
        new ThreeWayPartition(LARGE, SMALL),
        new ThreeWayPartition(SMALL, LARGE),
        Partition.where(LARGE),
        Partition.where(LARGE).joined(),
        Partition.flagged(),
        Unique.adjacent(),
        Unique.adjacent().rows(),
        Runs.encode(),
        Runs.encode().by(ScanForm.SINGLE_PASS),
        Unique.adjacent().by(ScanForm.SINGLE_PASS),
        Partition.where(LARGE).by(ScanForm.SINGLE_PASS),
        Runs.decode(7),
        Runs.decode(8),
        LadderVariant.UNROLLING_2.reduction(64, Operator.SUM),
        LadderVariant.UNROLLING_2.reduction(128, Operator.SUM),
        LadderVariant.INTERLEAVED_PAIRS.reduction(64, Operator.SUM),
        LadderVariant.UNROLLING_2.reduction(64, Operator.MAX),
        ScanVariant.BLELLOCH.scan(64, Operator.SUM),
        ScanVariant.BLELLOCH.scan(128, Operator.SUM),
        ScanVariant.HILLIS_STEELE.scan(64, Operator.SUM),
        ScanVariant.BLELLOCH.scan(64, Operator.MAX));
  }

  @Test
  void shippedOperations_areEqualIfTheyComputeTheSame() {
    List<Operation> some = shipped();
    List<Operation> same = shipped();
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
              SegmentedScan.inclusive(Operator.SUM).byOffsets(),
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
      calls.put("input1=3, input2=1", () -> funnel.run(Reduction.dot(), ints(three), ints(1)));
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
      assertEquals(4, funnel.cache.size());
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
        assertTrue(funnel.cache.size() <= 32, () -> "plans=" + funnel.cache.size());
      }
      assertEquals(100, all.size());
      assertEquals(32, funnel.cache.size());
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
      assertEquals(0, funnel.cache.size());
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
      assertTrue(funnel.cache.size() <= most, () -> "plans=" + funnel.cache.size());
    }
  }
}
