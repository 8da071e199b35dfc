package funnel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.group.Aggregate;
import funnel.group.GroupBy;
import funnel.group.Join;
import funnel.group.SegmentedReduce;
import funnel.histogram.Arbitration;
import funnel.histogram.Histogram;
import funnel.histogram.ScatterReduce;
import funnel.histogram.Tickets;
import funnel.operation.Target;
import funnel.operator.Comparison;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.rank.Quantiles;
import funnel.rank.TopK;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.scan.SegmentedScan;
import funnel.scan.Segments;
import funnel.select.FindFirst;
import funnel.select.Runs;
import funnel.select.Select;
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
import funnel.transform.RandomNumbers;
import funnel.transform.Reverse;
import funnel.transform.Shuffle;
import funnel.transform.Transpose;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.exceptions.TornadoExecutionPlanException;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Plans of many operations, in a process that has run others and whose memory is not zero; what
 * they come to is compared with each operation in a plan of its own on the JVM.
 */
class ManyOperationsTest {

  private static final int ROUNDS = Integer.getInteger("funnel.test.rounds", 3);
  private static final int KEYS = 100;
  private static final Operator LARGER =
      Operator.ofInt("larger", Integer.MIN_VALUE, (a, b) -> a > b ? a : b);

  private static final Comparison DESCENDING =
      Comparison.ofFloat("descending", (a, b) -> Float.compare(b, a));

  private static final GroupBy VARIED =
      GroupBy.of(Aggregate.variance(1), Aggregate.argMin(1)).keys(2);

  private static final Merge TOGETHER = Merge.by(DESCENDING);

  private static final Transform SMALL = Transform.testFloat("small", v -> v < 0.25f);

  /** An operation, its name in the plan, and its result. */
  private record Operation(
      String name, Function<Results, Object> result, UnaryOperator<Plan.Builder> add) {}

  private static Operation value(String name, Reduction reduction, String... of) {
    return new Operation(name, r -> r.get(name), b -> b.add(name, reduction, of));
  }

  private static Operation ints(String name, UnaryOperator<Plan.Builder> add) {
    return new Operation(name, r -> r.ints(name), add);
  }

  private static Operation floats(String name, UnaryOperator<Plan.Builder> add) {
    return new Operation(name, r -> r.floats(name), add);
  }

  private static final Elementwise WEIGHED =
      Elementwise.ofInt("weighed", (a, b) -> a * b).to(ElementType.FLOAT);

  /** All families. */
  private static final Operation[] ALL = {
    value("si", Reduction.sum(), "x"),
    value("sf", Reduction.sum(), "f"),
    value("v", Reduction.variance(), "f"),
    value("am", Reduction.argMax(), "f"),
    value("u", Reduction.of(LARGER), "x"),
    floats("is", b -> b.add("is", Scan.inclusive(Operator.SUM), "f")),
    ints("es", b -> b.add("es", Scan.exclusive(LARGER), "x")),
    floats(
        "ss",
        b ->
            b.add(
                "ss",
                SegmentedScan.inclusive(Operator.SUM).segments(Segments.byKeys()),
                "f",
                "keys")),
    ints("h", b -> b.add("h", Histogram.ofKeys(KEYS), "keys")),
    floats("wh", b -> b.add("wh", Histogram.ofKeys(KEYS).weighted(), "keys", "f")),
    ints("r", b -> b.add("r", ScatterReduce.by(Operator.SUM), "keys", "x", "old")),
    ints("t", b -> b.add("t", Tickets.stable(), "keys")),
    ints("a", b -> b.add("a", Arbitration.of(KEYS), "keys")),
    floats("ad", b -> b.add("ad", AdjacentDifference.left(), "f")),
    floats("se", b -> b.add("se", Select.where(SMALL), "f")),
    floats("ro_2", b -> b.add("ro", Unique.adjacent().rows(), "keys", "keys", "f")),
    new Operation("ff", r -> r.get("ff"), b -> b.add("ff", FindFirst.where(SMALL), "f")),
    ints("ru_lengths", b -> b.add("ru", Runs.encode(), "keys")),
    floats("rn", b -> b.add("rn", RandomNumbers.of(ElementType.FLOAT, 7, KEYS))),
    ints("re", b -> b.add("re", Reverse.elements(), "keys")),
    ints("tr", b -> b.add("tr", Transpose.of(4), "old")),
    ints("sh", b -> b.add("sh", Shuffle.by(7), "old")),
    floats("so", b -> b.add("so", Sort.descending(), "f")),
    floats(
        "sg", b -> b.add("sg", SegmentedSort.ascending().segments(Segments.byKeys()), "f", "keys")),
    floats(
        "sr",
        b ->
            b.add("sr", SegmentedReduce.by(Operator.SUM).segments(Segments.byKeys()), "f", "keys")),
    ints("gv_2", b -> b.add("gv", VARIED, "keys", "keys", "f")),
    floats("gr_1", b -> b.add("gr", GroupBy.of(Aggregate.max(1)), "keys", "f")),
    ints("jo_right", b -> b.add("jo", Join.inner(40_000), "x", "keys")),
    ints("an", b -> b.add("an", Join.anti(), "x", "keys")),
    floats("to", b -> b.add("to", TopK.largest(20), "f")),
    ints("tp", b -> b.add("tp", TopK.smallest(30).positions(), "keys")),
    ints("qu", b -> b.add("qu", Quantiles.of(.9, .5), "x")),
    new Operation(
        "qi", r -> r.doubles("qi"), b -> b.add("qi", Quantiles.median().interpolated(), "f")),
    ints("or", b -> b.add("or", Order.ascending(), "keys")),
    ints("lb", b -> b.add("lb", SortedSearch.lowerBound(), "keys", "x")),
    new Operation("io", r -> r.get("io_first"), b -> b.add("io", IsSorted.ascending(), "f")),
    floats("ms", b -> b.add("ms", MergeSort.by(DESCENDING), "f")),
    floats(
        "me", b -> b.add("ms2", MergeSort.by(DESCENDING), "f2").add("me", TOGETHER, "ms2", "ms2")),
    ints(
        "st",
        b -> b.add("st0", Sort.ascending(), "x").add("st", SetOperation.union(), "st0", "st0")),
    floats("ew", b -> b.add("ew", WEIGHED, "x", "keys")),
    ints("ix", b -> b.add("ix", Elementwise.ofInt("squares", i -> i * i).indexed(KEYS)))
  };

  /** Several that check indices. */
  private static final Operation[] CHECKING = {
    value("dot", Reduction.dot(), "f", "f2"),
    floats(
        "ss",
        b ->
            b.add(
                "ss",
                SegmentedScan.inclusive(Operator.SUM).segments(Segments.byKeys()),
                "f",
                "keys")),
    floats("wh", b -> b.add("wh", Histogram.ofKeys(KEYS).weighted(), "keys", "f")),
    ints("r", b -> b.add("r", ScatterReduce.by(Operator.SUM), "keys", "x", "old")),
    floats("q", b -> b.add("q", ScatterReduce.by(Operator.SUM), "keys", "f", "oldf")),
    ints("g", b -> b.add("g", ScatterReduce.last(), "keys", "x", "old"))
  };

  private static Plan plan(Funnel funnel, int capacity, Operation... operations) {
    Plan.Builder builder =
        funnel
            .plan("many")
            .input("x", ElementType.INT, capacity)
            .input("keys", ElementType.INT, capacity)
            .input("old", ElementType.INT, KEYS)
            .input("oldf", ElementType.FLOAT, KEYS)
            .input("f", ElementType.FLOAT, capacity)
            .input("f2", ElementType.FLOAT, capacity);
    for (Operation operation : operations) {
      builder = operation.add().apply(builder);
    }
    return builder.build();
  }

  private static Map<String, Elements> inputs(SplittableRandom random, int length) {
    int[] x = random.ints(length, -1000, 1000).toArray();
    int[] keys = random.ints(length, 0, KEYS).toArray();
    float[] f = new float[length];
    float[] f2 = new float[length];
    for (int i = 0; i < length; i++) {
      f[i] = random.nextFloat() - 0.5f;
      f2[i] = random.nextFloat();
    }
    return Map.of(
        "x", Elements.of(x),
        "keys", Elements.of(keys),
        "old", Elements.of(random.ints(KEYS).toArray()),
        "oldf", Elements.of(new float[KEYS]),
        "f", Elements.of(f),
        "f2", Elements.of(f2));
  }

  abstract static class Contract {

    abstract Target target();

    int capacity() {
      return 5000;
    }

    int rounds() {
      return ROUNDS;
    }

    /** Leaves something in the device's memory that is no result of a run. */
    private static void spoil(Funnel funnel, int capacity) {
      double[] ones = new double[capacity];
      Arrays.fill(ones, -1);
      funnel.sum(ones);
      funnel.inclusiveScan(ones, Operator.SUM);
      funnel.histogram(new byte[capacity]);
    }

    void rounds(Operation... operations) {
      SplittableRandom random = Seed.random("ManyOperationsTest");
      try (Funnel funnel = Funnel.open(target());
          Funnel jvm = Funnel.open(Target.JVM)) {
        for (int round = 0; round < rounds(); round++) {
          int length = round == 0 ? capacity() : random.nextInt(1, capacity() + 1);
          Map<String, Elements> inputs = inputs(random, length);
          spoil(funnel, capacity());
          try (Plan plan = plan(funnel, capacity(), operations)) {
            plan.set("x", Elements.of(new int[1])); // is replaced by the run
            compare(round, jvm, inputs, plan.run(inputs), operations);
            inputs.forEach(plan::set);
            compare(round, jvm, inputs, plan.run(), operations);
          }
        }
      }
    }

    private void compare(
        int round,
        Funnel jvm,
        Map<String, Elements> inputs,
        Results results,
        Operation... operations) {
      for (Operation operation : operations) {
        try (Plan alone = plan(jvm, capacity(), operation)) {
          Object expected = operation.result().apply(alone.run(inputs));
          Object seen = operation.result().apply(results);
          assertArrayEquals(
              new Object[] {expected},
              new Object[] {seen},
              () -> "%s in round %s%s".formatted(operation.name(), round, Seed.replay()));
        }
      }
    }

    @Test
    void allFamilies_inOnePlan() {
      rounds(ALL);
    }

    @Test
    void severalThatCheckIndices_inOnePlan() {
      rounds(CHECKING);
    }

    /** More launches than a task graph of TornadoVM's has room for. */
    @Test
    void twoHundredOperations_inOnePlan() {
      try (Funnel funnel = Funnel.open(target())) {
        Plan.Builder builder = funnel.plan("many").input("x", ElementType.INT, 1000);
        String before = "x";
        for (int i = 0; i < 100; i++) {
          builder.add("s" + i, Reduction.sum(), before);
          if (i % 5 == 0) {
            builder.add("y" + i, Scan.inclusive(Operator.MAX), before);
            before = "y" + i;
          }
          builder.add("m" + i, Reduction.max(), before);
        }
        try (Plan plan = builder.build()) {
          for (int run = 1; run < 4; run++) {
            int[] x = {run, 5, 2};
            Results results = plan.run(Map.of("x", Elements.of(x)));
            for (int i = 0; i < 100; i++) {
              assertEquals(i == 0 ? run + 7 : run + 10, results.getInt("s" + i), "s" + i);
              assertEquals(5, results.getInt("m" + i), "m" + i);
            }
            assertArrayEquals(new int[] {run, 5, 5}, results.ints("y95"));
            assertArrayEquals(new int[] {run, 5, 5}, results.ints("y0"));
          }
        }
      }
    }
  }

  @Nested
  class OnTheJvm extends Contract {
    @Override
    Target target() {
      return Target.JVM;
    }
  }

  @Nested
  class InTheEmulator extends Contract {
    @Override
    Target target() {
      return Target.EMULATOR;
    }

    @Override
    int capacity() {
      return 700;
    }

    @Override
    int rounds() {
      return Math.min(ROUNDS, 2);
    }
  }

  @Nested
  @Tag("gpu")
  class OnTheDevice extends Contract {
    @Override
    Target target() {
      return Target.TORNADO;
    }

    @Test
    void valuesAreRight_inAGraphOfTheUsersOwn() throws TornadoExecutionPlanException {
      SplittableRandom random = Seed.random("ManyOperationsTest");
      try (Funnel funnel = Funnel.open(target());
          Funnel jvm = Funnel.open(Target.JVM)) {
        for (int round = 0; round < ROUNDS; round++) {
          int at = round;
          Map<String, Elements> inputs = inputs(random, capacity());
          Map<String, TornadoNativeArray> arrays = arrays(inputs);
          Contract.spoil(funnel, capacity());
          try (Plan plan = plan(funnel, capacity(), CHECKING)) {
            TaskGraph graph = new TaskGraph("many" + round);
            GridScheduler scheduler = new GridScheduler();
            graph.transferToDevice(DataTransferMode.FIRST_EXECUTION, arrays.values().toArray());
            GraphResults results = plan.addTo(graph, scheduler, arrays);
            try (TornadoExecutionPlan own = new TornadoExecutionPlan(graph.snapshot())) {
              for (int run = 0; run < 2; run++) {
                own.withGridScheduler(scheduler).execute();
                for (String name : List.of("dot", "ss_total")) {
                  assertEquals(
                      plan(jvm, capacity(), CHECKING).run(inputs).get(name),
                      results.get(name),
                      () -> "%s in round %s%s".formatted(name, at, Seed.replay()));
                }
              }
            }
          }
        }
      }
    }

    private static Map<String, TornadoNativeArray> arrays(Map<String, Elements> inputs) {
      Map<String, TornadoNativeArray> arrays = new HashMap<>();
      inputs.forEach(
          (name, elements) -> {
            TornadoNativeArray array =
                name.contains("f")
                    ? new FloatArray(elements.length())
                    : new IntArray(elements.length());
            array.getSegment().copyFrom(elements.segment());
            arrays.put(name, array);
          });
      return arrays;
    }
  }
}
