package funnel.functions;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Bytes;
import funnel.Doubles;
import funnel.Elements;
import funnel.EngineContract;
import funnel.Floats;
import funnel.Funnel;
import funnel.Ints;
import funnel.Longs;
import funnel.Plan;
import funnel.Results;
import funnel.Seed;
import funnel.Value;
import funnel.io.Source;
import funnel.operation.Target;
import funnel.operator.Comparison;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorException;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.sort.MergeSort;
import funnel.transform.Elementwise;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Functions that look up elements of kept arrays; the oracle is a plain loop. */
abstract class TableContract extends EngineContract {

  private final SplittableRandom random = Seed.random("tables");

  /** Numbers from 0 below a bound. */
  private int[] ints(int length, int bound) {
    return random.ints(length, 0, bound).toArray();
  }

  @Test
  void tablesOfEachType() {
    byte[] bytes = {1, -2, 127, -128, 0};
    int[] ints = {1, -2, Integer.MAX_VALUE, Integer.MIN_VALUE, 0};
    long[] longs = {1, -2, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 40};
    float[] floats = {1.5f, -0.0f, Float.NaN, Float.NEGATIVE_INFINITY, Float.MIN_VALUE};
    double[] doubles = {1.5, -0.0, Double.NaN, Double.POSITIVE_INFINITY, -Double.MIN_VALUE};
    try (Bytes ofBytes = funnel.of(bytes).keep();
        Ints ofInts = funnel.of(ints).keep();
        Longs ofLongs = funnel.of(longs).keep();
        Floats ofFloats = funnel.of(floats).keep();
        Doubles ofDoubles = funnel.of(doubles).keep()) {
      for (int length : lengths()) {
        int[] x = ints(length, 5);
        int k = length + 3;
        int[] wanted = new int[length];
        long[] wantedLongs = new long[length];
        float[] wantedFloats = new float[length];
        double[] wantedDoubles = new double[length];
        for (int i = 0; i < length; i++) {
          int v = x[i];
          wanted[i] = (bytes[v] & 0xff) * k + ints[v] + 5;
          wantedLongs[i] = longs[v] ^ v;
          wantedFloats[i] = floats[v];
          wantedDoubles[i] = doubles[v];
        }
        Ints keys = funnel.of(x);
        assertArrayEquals(
            wanted, keys.map(v -> ofBytes.get(v) * k + ofInts.get(v) + ofLongs.count()).toArray());
        assertArrayEquals(wantedLongs, keys.mapToLong(v -> ofLongs.get(v) ^ v).toArray());
        assertArrayEquals(wantedFloats, keys.mapToFloat(ofFloats::get).toArray());
        assertArrayEquals(wantedDoubles, keys.mapToDouble(v -> ofDoubles.get(v)).toArray());
        assertArrayEquals(
            IntStream.of(x).map(v -> bytes[v] & 0xff).toArray(), keys.map(ofBytes::get).toArray());
      }
    }
  }

  /**
   * One plan serves all tables, of whatever lengths, and those that are kept and closed between.
   */
  @Test
  void otherTables_shareOnePlan() {
    int[] x = ints(most(), 4);
    int plans = 0;
    for (int length : new int[] {4, 5, 1000, 70_000, 4, 300}) {
      int[] plain = ints(length, 1000);
      try (Ints table = funnel.of(plain).keep()) {
        int add = length;
        assertArrayEquals(
            IntStream.of(x).map(v -> plain[v * (plain.length / 4)] + add).toArray(),
            funnel.of(x).map(v -> table.get(v * (table.count() / 4)) + add).toArray());
        assertTrue(length == 4 && plans == 0 || plans == plans(), "another plan");
        plans = plans();
      }
    }
  }

  private static Ints looked(Ints keys, Ints table) {
    return keys.map(v -> table.get(v));
  }

  @Test
  void tablesInTurn() {
    int[] x = ints(most(), 3);
    try (Ints one = funnel.of(1, 2, 3).keep();
        Ints other = funnel.of(10, 20, 30, 40).keep();
        Ints keys = funnel.of(x).keep()) {
      for (int i = 0; i < 3; i++) {
        assertArrayEquals(IntStream.of(x).map(v -> 1 + v).toArray(), looked(keys, one).toArray());
        assertArrayEquals(
            IntStream.of(x).map(v -> 10 + 10 * v).toArray(), looked(keys, other).toArray());
        assertArrayEquals(
            IntStream.of(x).map(v -> 10 + 10 * v).toArray(), looked(funnel.of(x), other).toArray());
      }
      assertArrayEquals(
          IntStream.of(x).map(v -> x[x[v]]).toArray(),
          looked(looked(keys, keys), keys).toArray()); // what is read is the table as well
    }
  }

  /** Tables in fields, in constants of a call, and handed on. */
  private record Curve(Ints heights, int[] steps, int shift) {
    int at(int x) {
      return from(heights, x) + steps[x] + shift;
    }

    private static int from(Ints table, int i) {
      return i < table.count() ? table.get(i) : 0;
    }
  }

  @Test
  void tablesInFields_besideJavaArrays() {
    int[] x = ints(most(), 6);
    int[] steps = {1, 2, 3, 4, 5, 6};
    try (Ints heights = funnel.of(7, 5, 3, 1).keep();
        Ints others = funnel.of(2, 4).keep()) {
      for (Ints each : new Ints[] {heights, others, heights}) {
        int[] plain = each.toArray();
        Curve curve = new Curve(each, steps, plain.length);
        assertArrayEquals(
            IntStream.of(x)
                .map(v -> (v < plain.length ? plain[v] : 0) + steps[v] + plain.length)
                .toArray(),
            funnel.of(x).map(curve::at).toArray());
      }
    }
  }

  @Test
  void reductionsSelectionsAndOrders() {
    int[] ranks = {4, 2, 6, 0, 1, 5, 3};
    try (Ints rank = funnel.of(ranks).keep();
        Bytes wanted = funnel.of(ranks).flags(v -> v > 2).keep()) {
      for (int length : lengths()) {
        int[] x = ints(length, 7);
        Ints keys = funnel.of(x);
        assertEquals(IntStream.of(x).map(v -> ranks[v]).sum(), keys.map(rank::get).sum());
        assertArrayEquals(
            IntStream.of(x).filter(v -> ranks[v] > 2).toArray(),
            keys.filter(v -> wanted.get(v) == 1).toArray());
        assertEquals(
            IntStream.of(x).filter(v -> ranks[v] == 3).count(), keys.count(v -> rank.get(v) == 3));
        Comparison byRank =
            Comparison.ofInt("by rank", (a, b) -> Integer.compare(rank.get(a), rank.get(b)));
        assertArrayEquals(
            IntStream.of(x)
                .boxed()
                .sorted((a, b) -> Integer.compare(ranks[a], ranks[b]))
                .mapToInt(Integer::intValue)
                .toArray(),
            (int[]) funnel.run(MergeSort.by(byRank), Elements.of(x)).array("result"));
        Operator xor = Operator.ofInt("xor", 4, (a, b) -> a ^ b ^ rank.get(0));
        assertEquals(IntStream.of(x).reduce(4, (a, b) -> a ^ b ^ 4), keys.reduce(xor));
      }
    }
  }

  @Test
  void anIndexOutside_isNamed() {
    int[] x = ints(most(), 5);
    try (Ints table = funnel.of(10, 11, 12, 13, 14).keep().named("prices")) {
      for (int bad : new int[] {5, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
        int[] wrong = x.clone();
        wrong[x.length / 2] = bad;
        ArrayIndexOutOfBoundsException e =
            assertThrows(
                ArrayIndexOutOfBoundsException.class,
                () -> looked(funnel.of(wrong), table).toArray());
        String array = target() == Target.JVM ? "prices" : "table";
        assertTrue(
            e.getMessage()
                .startsWith(
                    "Index %s out of bounds for length 5 of array %s".formatted(bad, array)),
            e.getMessage());
        assertArrayEquals(
            IntStream.of(x).map(v -> 10 + v).toArray(), looked(funnel.of(x), table).toArray());
      }
    }
    try (Ints none = funnel.of(new int[0]).keep()) {
      assertThrows(
          ArrayIndexOutOfBoundsException.class, () -> looked(funnel.of(x), none).toArray());
    }
  }

  private static String refused(Class<? extends RuntimeException> as, Callable<?> call) {
    return assertThrows(as, call::call).getMessage();
  }

  @Test
  void whatIsNotKept_orClosed_orOfAnotherFunnel_isRefused() {
    Ints keys = funnel.of(ints(most(), 2));
    for (Ints lazy : new Ints[] {funnel.of(1, 2), funnel.of(1, 2).sorted()}) {
      String message = refused(IllegalStateException.class, () -> looked(keys, lazy).toArray());
      assertTrue(message.contains("keep() it first"), message);
      assertThrows(IllegalStateException.class, () -> lazy.get(0));
    }
    Ints table = funnel.of(1, 2).keep();
    Ints first = looked(keys, table);
    assertEquals(keys.count(), first.count());
    assertArrayEquals(keys.map(v -> v + 1).toArray(), first.toArray());
    assertEquals(2, table.get(1));
    table.close();
    for (Callable<?> call :
        new Callable<?>[] {first::toArray, looked(keys, table)::sum, () -> table.get(1)}) {
      String message = refused(IllegalStateException.class, call);
      assertTrue(message.contains("closed"), message);
    }
    try (Funnel another = Funnel.open(target());
        Ints theirs = another.of(1, 2).keep()) {
      String message =
          refused(IllegalArgumentException.class, () -> looked(keys, theirs).toArray());
      assertTrue(message.contains("is of another Funnel"), message);
    }
  }

  private static Elementwise in(Ints table) {
    return Elementwise.ofInt("in", v -> table.get(v));
  }

  private static Reduction before(Ints table) {
    return Reduction.of(Operator.SUM, Transform.ofInt("before", v -> table.get(v - 1)));
  }

  @Test
  void inPlans() {
    int[] x = ints(most(), 5);
    Ints table = funnel.of(1, 2, 3, 4, 5).keep();
    try (Ints other = funnel.range(0, 70_000).keep();
        Plan plan =
            funnel
                .plan("tables")
                .input("x", ElementType.INT, x.length)
                .add("y", in(table), "x")
                .add("sum", before(table), "y")
                .build()) {
      plan.set("x", Elements.of(x));
      Results results = plan.run();
      assertArrayEquals(IntStream.of(x).map(v -> v + 1).toArray(), results.ints("y"));
      assertEquals(IntStream.of(x).map(v -> v + 1).sum(), results.get("sum"));
      assertArrayEquals(
          IntStream.of(x).map(v -> v + 1).toArray(),
          plan.run(Map.of("x", Elements.of(x))).ints("y"));
      plan.set("x", Elements.of(x)).set("y", in(other));
      results = plan.run(Map.of("x", Elements.of(IntStream.of(x).map(v -> v + 1).toArray())));
      assertArrayEquals(IntStream.of(x).map(v -> v + 1).toArray(), results.ints("y"));
      plan.set("x", Elements.of(x)).set("y", in(table));
      table.close();
      String message = refused(IllegalStateException.class, plan::run);
      assertTrue(message.contains("closed"), message);
      plan.set("y", in(other));
      assertThrows(IllegalStateException.class, plan::run, "that of sum is closed, too");
      plan.set("sum", before(other));
      results = plan.run(Map.of("x", Elements.of(IntStream.of(x).map(v -> v + 1).toArray())));
      assertEquals(IntStream.of(x).sum(), results.get("sum"));
    }
  }

  @Test
  void inStreams() throws Exception {
    int[] x = ints(most(), 5);
    try (Ints table = funnel.of(7, 5, 3, 2, 1).keep()) {
      assertEquals(
          IntStream.of(x).map(v -> table.get(v)).sum(),
          funnel
              .over(Source.of(MemorySegment.ofArray(x), ElementType.INT))
              .pieces(1000)
              .reduce(Reduction.of(Operator.SUM, Transform.ofInt("in", v -> table.get(v)))));
    }
  }

  @Test
  void besideValues() {
    int[] x = ints(most(), 5);
    try (Doubles table = funnel.of(7.0, 5.0, 3.0, 2.0, 1.0).keep()) {
      Ints keys = funnel.of(x);
      Value sum = keys.value(Reduction.sum());
      ScaledBy scaled = (v, all) -> table.get(v) * all;
      int all = IntStream.of(x).sum();
      assertArrayEquals(
          IntStream.of(x).mapToDouble(v -> table.get(v) * all).toArray(),
          funnel.doubles(scaled, keys, sum).toArray());
    }
  }

  /** A function of an element and a value. */
  interface ScaledBy extends funnel.operator.ElementFunction {
    double of(int element, int all);
  }

  @Test
  void whatADeviceCannotDo_isNamed() {
    try (Ints table = funnel.of(1, 2).keep()) {
      Ints keys = funnel.of(0, 1);
      if (target() == Target.JVM) {
        return;
      }
      for (Ints each :
          new Ints[] {keys.map(v -> table.sum() + v), keys.map(v -> table.isEmpty() ? 0 : v)}) {
        String message = refused(OperatorException.class, each::toArray);
        assertTrue(message.contains("may only call get(index) and count()"), message);
      }
    }
  }
}
