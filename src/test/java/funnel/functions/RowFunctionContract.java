package funnel.functions;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Elements;
import funnel.EngineContract;
import funnel.Plan;
import funnel.Results;
import funnel.Seed;
import funnel.operation.Operation;
import funnel.operator.ElementFunction;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.select.Select;
import funnel.sort.IsSorted;
import funnel.transform.Elementwise;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Functions of arrays of several types, and of single values; the oracle is a plain loop. */
abstract class RowFunctionContract extends EngineContract {

  private final SplittableRandom random = Seed.random("rows");

  private interface Fee extends ElementFunction {
    double of(int user, long time, float amount, double rate);
  }

  private interface Late extends ElementFunction {
    boolean test(int user, long time);
  }

  private interface Mixed extends ElementFunction {
    long of(double rate, int user);
  }

  /** Public, so that generated code of other packages may see it. */
  public interface Narrow extends ElementFunction {
    float of(int value);
  }

  private interface Shift extends ElementFunction {
    double of(double x, double mean, double variance);
  }

  private interface Above extends ElementFunction {
    boolean test(int x, int largest, long count);
  }

  private interface IntsToInt extends ElementFunction {
    int of(int a, int b, int c, int d);
  }

  private Object array(Operation operation, Object... inputs) {
    return funnel
        .run(operation, Arrays.stream(inputs).map(Elements::ofArray).toArray(Elements[]::new))
        .array("result");
  }

  @Test
  void argumentsOfAllTypes() {
    for (int length : lengths()) {
      int[] user = random.ints(length, -50, 50).toArray();
      long[] time = random.longs(length, -1L << 50, 1L << 50).toArray();
      float[] amount = new float[length];
      double[] rate = random.doubles(length, -1, 1).toArray();
      byte[] bytes = new byte[length];
      double[] fees = new double[length];
      byte[] late = new byte[length];
      long[] mixed = new long[length];
      float[] narrow = new float[length];
      int[] four = new int[length];
      int least = 7;
      long[] limits = {1L << 30, -1L << 40};
      for (int i = 0; i < length; i++) {
        amount[i] = (float) random.nextDouble(100);
        bytes[i] = (byte) random.nextInt();
        fees[i] = user[i] < 0 ? amount[i] : time[i] * rate[i];
        late[i] = (byte) (user[i] > least && time[i] > limits[user[i] & 1] ? 1 : 0);
        mixed[i] = rate[i] > 0 ? user[i] * 3L : bytes[i];
        narrow[i] = (bytes[i] & 0xff) / 3f;
        four[i] = (user[i] ^ (bytes[i] & 0xff)) - user[i] * least;
      }
      assertArrayEquals(
          fees,
          (double[])
              array(
                  Elementwise.of("fee", (Fee) (u, t, a, r) -> u < 0 ? a : t * r),
                  user,
                  time,
                  amount,
                  rate));
      assertArrayEquals(
          late,
          (byte[])
              array(
                  Elementwise.of("late", (Late) (u, t) -> u > least && t > limits[u & 1]),
                  user,
                  time));
      int[] signed = new int[length];
      Arrays.setAll(signed, i -> bytes[i]);
      assertArrayEquals(
          mixed,
          (long[])
              array(
                  Elementwise.of("mixed", (Mixed) (r, u) -> r > 0 ? u * 3L : u),
                  rate,
                  select(rate, user, signed)));
      assertArrayEquals(
          narrow, (float[]) array(Elementwise.of("narrow", (Narrow) v -> v / 3f), bytes));
      assertArrayEquals(
          four,
          (int[])
              array(
                  Elementwise.of("four", (IntsToInt) (a, b, c, d) -> (a ^ b) - c * (d + least)),
                  user,
                  widened(bytes),
                  user,
                  new int[length]));
      assertArrayEquals(
          four,
          Arrays.stream(
                  (long[])
                      array(
                          Elementwise.of(
                                  "four", (IntsToInt) (a, b, c, d) -> (a ^ b) - c * (d + least))
                              .to(ElementType.LONG),
                          user,
                          widened(bytes),
                          user,
                          new int[length]))
              .mapToInt(v -> (int) v)
              .toArray());
    }
  }

  private interface Pair extends ElementFunction {
    int of(int a, int b);
  }

  private interface Scaled extends ElementFunction {
    double of(int a, double b);
  }

  /** Their types are those of a function of an index and an element. */
  @Test
  void intsFirst() {
    for (int length : lengths()) {
      int[] a = random.ints(length).toArray();
      int[] b = random.ints(length).toArray();
      double[] c = random.doubles(length).toArray();
      int[] differences = new int[length];
      double[] products = new double[length];
      for (int i = 0; i < length; i++) {
        differences[i] = a[i] - b[i];
        products[i] = a[i] * c[i];
      }
      assertArrayEquals(
          differences, (int[]) array(Elementwise.of("pair", (Pair) (p, q) -> p - q), a, b));
      assertArrayEquals(
          products, (double[]) array(Elementwise.of("scaled", (Scaled) (p, q) -> p * q), a, c));
    }
  }

  private static int[] select(double[] rate, int[] positive, int[] others) {
    int[] chosen = new int[rate.length];
    Arrays.setAll(chosen, i -> rate[i] > 0 ? positive[i] : others[i]);
    return chosen;
  }

  private static int[] widened(byte[] bytes) {
    int[] ints = new int[bytes.length];
    Arrays.setAll(ints, i -> bytes[i] & 0xff);
    return ints;
  }

  @Test
  void offsetsAndMemoryOfOneThread() {
    int length = most();
    int[] user = random.ints(length + 8, -50, 50).toArray();
    long[] time = random.longs(length + 3, -100, 100).toArray();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment confined = arena.allocate(8L * length, 8);
      MemorySegment.copy(MemorySegment.ofArray(time), 24, confined, 0, 8L * length);
      byte[] wanted = new byte[length];
      for (int i = 0; i < length; i++) {
        wanted[i] = (byte) (user[i + 5] > time[i + 3] ? 1 : 0);
      }
      Results results =
          funnel.run(
              Elementwise.of("late", (Late) (u, t) -> u > t),
              Elements.of(user, 5, 5 + length),
              Elements.of(confined, ElementType.LONG));
      assertArrayEquals(wanted, (byte[]) results.array("result"));
    }
  }

  /**
   * Arrays of their types or of others, wholes and parts, on the heap and off it, of one thread.
   */
  @Test
  void memoryOfAllKinds() {
    try (Arena confined = Arena.ofConfined();
        Arena shared = Arena.ofShared()) {
      for (int length : lengths()) {
        int[] a = random.ints(length).toArray();
        double[] b = random.doubles(length).toArray();
        double[] products = new double[length];
        int[] differences = new int[length];
        for (int i = 0; i < length; i++) {
          products[i] = a[i] * b[i];
          differences[i] = a[i] - a[length - 1 - i];
        }
        int[] reversed = new int[length];
        Arrays.setAll(reversed, i -> a[length - 1 - i]);
        List<MemorySegment> places =
            List.of(
                MemorySegment.ofArray(new double[length + 3]),
                MemorySegment.ofArray(new int[2 * length + 6]),
                MemorySegment.ofArray(new byte[8 * length + 24]),
                confined.allocate(8L * length + 24, 8),
                shared.allocate(8L * length + 24, 8));
        for (MemorySegment first : places) {
          for (int offset : new int[] {0, 3}) {
            MemorySegment there = first.asSlice(8L * offset, 8L * length);
            there.copyFrom(MemorySegment.ofArray(b));
            assertArrayEquals(
                products,
                funnel
                    .run(
                        Elementwise.of("scaled", (Scaled) (p, q) -> p * q),
                        Elements.of(a),
                        Elements.of(there, ElementType.DOUBLE))
                    .doubles("result"));
            there = first.asSlice(4L * offset, 4L * length);
            there.copyFrom(MemorySegment.ofArray(a));
            assertArrayEquals(
                differences,
                funnel
                    .run(
                        Elementwise.of("pair", (Pair) (p, q) -> p - q),
                        Elements.of(there, ElementType.INT),
                        Elements.of(reversed))
                    .ints("result"));
          }
        }
      }
    }
  }

  /** Functions that TornadoVM's backends do not compile themselves. */
  @Test
  void floorAndCeil() {
    double[] x = random.doubles(most(), -10, 10).toArray();
    double[] special = {0.0, -0.0, 0.5, -0.5, 3, -3, 1e18, Double.NaN, Double.NEGATIVE_INFINITY};
    System.arraycopy(special, 0, x, 0, special.length);
    double[] floors = Arrays.stream(x).map(Math::floor).toArray();
    double[] ceilings = Arrays.stream(x).map(Math::ceil).toArray();
    Elementwise floor = Elementwise.ofDouble("floor", v -> Math.floor(v));
    Elementwise ceiling = Elementwise.ofDouble("ceiling", v -> Math.ceil(v));
    assertArrayEquals(floors, funnel.run(floor, Elements.of(x)).doubles("result"));
    assertArrayEquals(ceilings, funnel.run(ceiling, Elements.of(x)).doubles("result"));
    Elementwise bin = Elementwise.ofDouble("bin", v -> Math.floor(v / 0.25)).to(ElementType.INT);
    int[] bins = Arrays.stream(x).mapToInt(v -> (int) Math.floor(v / 0.25)).toArray();
    assertArrayEquals(bins, funnel.run(bin, Elements.of(x)).ints("result"));
  }

  private static double sum(double[] x) {
    return Arrays.stream(x).sum();
  }

  @Test
  void normalised_inOnePlan() {
    Elementwise normalise =
        Elementwise.of(
            "normalise", (Shift) (x, mean, variance) -> (x - mean) / Math.sqrt(variance));
    try (Plan plan =
        funnel
            .plan("normalise")
            .input("x", ElementType.DOUBLE, most())
            .add("mean", Reduction.mean(), "x")
            .add("variance", Reduction.variance(), "x")
            .add("z", normalise, "x", "mean", "variance")
            .build()) {
      for (int length : lengths()) {
        double[] x = random.doubles(length, 0, 10).toArray();
        if (length < 2) {
          continue; // its variance is 0, or not defined
        }
        Results results = plan.set("x", Elements.of(x)).run();
        double mean = results.get("mean").doubleValue();
        double variance = results.get("variance").doubleValue();
        assertEquals(sum(x) / length, mean, 1e-9);
        double[] wanted = new double[length];
        Arrays.setAll(wanted, i -> (x[i] - mean) / Math.sqrt(variance));
        assertArrayEquals(wanted, (double[]) results.array("z"), 1e-12);
      }
    }
  }

  /** Values of each type, also of arrays whose length is found. */
  @Test
  void valuesOfEarlierOperations() {
    Elementwise above =
        Elementwise.of("above", (Above) (x, largest, count) -> x > largest / 2 + count % 3);
    try (Plan plan =
        funnel
            .plan("values")
            .input("x", ElementType.INT, most())
            .add("large", Select.where(Transform.testInt("large", v -> v > 10)), "x")
            .add("most", Reduction.of(Operator.MAX), "large")
            .add("count", Reduction.countIf(Transform.testInt("odd", v -> (v & 1) == 1)), "large")
            .add("sums", Scan.inclusive(Operator.SUM), "large")
            .add("mean", Reduction.mean(), "large")
            .add("above", above, "large", "most", "count")
            .add(
                "near",
                Elementwise.of("near", (Near) (x, mean) -> Math.abs(x - mean) < 20 ? 1 : 0),
                "large",
                "mean")
            .build()) {
      for (int length : lengths()) {
        int[] x = random.ints(length, 0, 100).toArray();
        int[] large = Arrays.stream(x).filter(v -> v > 10).toArray();
        if (large.length == 0) {
          continue;
        }
        Results results = plan.set("x", Elements.of(x)).run();
        int largest = Arrays.stream(large).max().orElse(0);
        long count = Arrays.stream(large).filter(v -> (v & 1) == 1).count();
        double mean = results.get("mean").doubleValue();
        assertEquals(count, results.get("count"));
        byte[] wanted = new byte[large.length];
        int[] near = new int[large.length];
        for (int i = 0; i < large.length; i++) {
          wanted[i] = (byte) (large[i] > largest / 2 + count % 3 ? 1 : 0);
          near[i] = Math.abs(large[i] - mean) < 20 ? 1 : 0;
        }
        assertArrayEquals(wanted, (byte[]) results.array("above"));
        assertArrayEquals(near, (int[]) results.array("near"));
      }
    }
  }

  private interface Near extends ElementFunction {
    int of(int x, double mean);
  }

  private interface Bad extends ElementFunction {
    int of(byte x);
  }

  private interface Two extends ElementFunction {
    int of(int x);

    int other(int x);
  }

  @Test
  void whatTheyDoNotTake_isNamed() {
    Elementwise late = Elementwise.of("late", (Late) (u, t) -> u > t);
    message("argument 2 of late is of type LONG, input y of type INT", () -> plan(late, "x", "y"));
    message("takes 2 inputs, given=1", () -> plan(late, "x"));
    message("returns one, or a boolean", () -> Elementwise.of("bad", (Bad) x -> x));
    message(
        "has 2 abstract methods",
        () ->
            Elementwise.of(
                "two",
                new Two() {
                  @Override
                  public int of(int x) {
                    return x;
                  }

                  @Override
                  public int other(int x) {
                    return x;
                  }
                }));
    message("takes single values alone", () -> plan(Elementwise.of("one", (Narrow) v -> v), "sum"));
    message("is a single value in plan bad, not an array", () -> plan(Reduction.mean(), "sum"));
    message(
        "is computed on the host when a run of plan bad has ended",
        () ->
            funnel
                .plan("bad")
                .input("x", ElementType.INT, 10)
                .add("sorted", IsSorted.ascending(), "x")
                .add("y", late, "x", "sorted"));
  }

  private void plan(Operation operation, String... of) {
    funnel
        .plan("bad")
        .input("x", ElementType.INT, 10)
        .input("y", ElementType.INT, 10)
        .add("sum", Reduction.of(Operator.SUM), "x")
        .add("z", operation, of);
  }

  private static void message(String part, Runnable call) {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, call::run);
    assertTrue(e.getMessage().contains(part), e.getMessage());
  }
}
