package funnel.transform;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Elements;
import funnel.EngineContract;
import funnel.Plan;
import funnel.Results;
import funnel.Seed;
import funnel.Types;
import funnel.Values;
import funnel.operation.Operation;
import funnel.operator.ElementType;
import funnel.reduce.Reduction;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What arrays of no input are on every engine; the oracles are plain loops and the JDK's own. */
abstract class GenerateContract extends EngineContract {

  static final int TILE = IntTabulateKernels.tile(TabulateStep.PROGRESSION);

  /** One call, into memory with guards around. */
  private void check(
      Operation operation,
      ElementType type,
      int length,
      IntFunction<Number> at,
      Elements... inputs) {
    int from = 1 + length % 4;
    Values y = Values.guard(type, from + length + 3);
    funnel.run(operation, Map.of("result", y.range(from, from + length).elements()), inputs);
    Number guard = Values.guard(type, 1).at(0);
    Values wanted = Values.ofLength(type, 1);
    for (int i = -from; i < length + 3; i++) {
      boolean isInside = i >= 0 && i < length;
      wanted.put(0, isInside ? at.apply(i) : guard);
      int place = i;
      assertEquals(
          wanted.at(0),
          y.at(from + i),
          () -> "%s, length %s, element %s%s".formatted(operation, length, place, Seed.replay()));
    }
  }

  private static List<Number> values(ElementType type) {
    return switch (type) {
      case BYTE -> List.of(0, 255, 128);
      case INT -> List.of(0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case LONG -> List.of(0, -1L, Long.MIN_VALUE, Long.MAX_VALUE, 0x123456789abcdefL);
      case FLOAT ->
          List.of(0f, -0f, Float.NaN, Float.NEGATIVE_INFINITY, Float.MIN_VALUE, -3.25f, 1e38f);
      case DOUBLE ->
          List.of(0d, -0d, Double.NaN, Double.POSITIVE_INFINITY, -Double.MIN_VALUE, 0.1, 1e308);
    };
  }

  @ParameterizedTest
  @Types
  void fills(ElementType type) {
    for (Number value : values(type)) {
      for (int length : lengths()) {
        check(Fill.with(type, value, length), type, length, i -> value);
      }
    }
  }

  /** Of each type, as long as an array of another. */
  @ParameterizedTest
  @Types
  void asLongAsAnotherArray(ElementType type) {
    ElementType other = ElementType.values()[(type.ordinal() + 1) % 5];
    for (int length : lengths()) {
      Elements like = Values.ofLength(other, length + 2).range(2, length + 2).elements();
      for (Number value : values(type)) {
        check(Fill.with(type, value), type, length, i -> value, like);
      }
      check(Iota.of(type), type, length, i -> i, like);
      check(Iota.of(type).from(3).step(5), type, length, i -> 3 + i * 5, like);
    }
  }

  @ParameterizedTest
  @Types
  void progressions(ElementType type) {
    SplittableRandom random = Seed.random("iota of " + type);
    for (int length : lengths()) {
      check(Iota.of(type, length), type, length, i -> i);
      for (Number start : values(type)) {
        int n = random.nextInt(-1000, 1000);
        Iota iota = Iota.of(type, length).from(start);
        switch (type) {
          case BYTE, INT -> check(iota.step(n), type, length, i -> start.intValue() + i * n);
          case LONG -> {
            long step = random.nextLong();
            check(iota.step(step), type, length, i -> start.longValue() + i * step);
          }
          case FLOAT -> {
            float step = random.nextFloat() - 0.5f;
            check(iota.step(step), type, length, i -> Math.fma(i, step, start.floatValue()));
          }
          case DOUBLE -> {
            double step = random.nextDouble() - 0.5;
            check(iota.step(step), type, length, i -> Math.fma(i, step, start.doubleValue()));
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "BYTE")
  void randomNumbers(ElementType type) {
    for (int length : lengths()) {
      for (long seed : new long[] {0, 42, -1, Seed.random("seed" + type).nextLong()}) {
        SplittableRandom random = new SplittableRandom(seed);
        RandomNumbers numbers = RandomNumbers.of(type, seed, length);
        check(
            numbers,
            type,
            length,
            i ->
                switch (type) {
                  case INT -> random.nextInt();
                  case LONG -> random.nextLong();
                  case FLOAT -> random.nextFloat();
                  default -> random.nextDouble();
                });
      }
    }
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 3; i++) {
      random.nextLong();
    }
    assertArrayEquals(
        random.longs(9).toArray(),
        funnel.run(RandomNumbers.of(ElementType.LONG, 7, 9).from(3)).longs("result"));
    assertArrayEquals(
        funnel.run(RandomNumbers.of(ElementType.LONG, 7, 2).from(-2)).longs("result"),
        new SplittableRandom(7 - 2 * SplitMix.GAMMA).longs(2).toArray());
  }

  /** Plans of nothing but such operations, and of others that take their arrays. */
  @Test
  void inPlans() {
    try (Plan plan =
        funnel
            .plan("p")
            .add("i", Iota.of(ElementType.INT, 3000))
            .add("ones", Fill.with(ElementType.INT, 1, 3000))
            .add("y", Elementwise.ofInt("plus", (a, b) -> a + b), "i", "ones")
            .add("sum", Reduction.sum(), "y")
            .add("halves", Iota.of(ElementType.DOUBLE).step(0.5), "y")
            .build()) {
      for (int run = 0; run < 2; run++) {
        Results results = plan.run();
        assertEquals(3000 * 3001 / 2, results.getInt("sum"));
        assertEquals(2999, results.ints("i")[2999]);
        assertEquals(1499.5, results.doubles("halves")[2999]);
        assertEquals(3000, results.ints("y")[2999]);
      }
    }
    assertArrayEquals(
        new int[] {10, 7, 4, 1},
        funnel.run(Iota.of(ElementType.INT, 4).from(10).step(-3)).ints("result"));
    assertArrayEquals(
        new float[] {0.1f, 0.1f},
        funnel.run(Fill.with(ElementType.FLOAT, 0.1, 2)).floats("result"));
    assertArrayEquals(
        new long[] {7, 7, 7}, funnel.run(Fill.with(ElementType.LONG, 7, 3)).longs("result"));
  }

  /** Numbers of distributions follow from the generator's; the plain formulas use StrictMath. */
  @Test
  void distributions() {
    long seed = Seed.random("distributions").nextLong();
    for (int length : lengths()) {
      SplittableRandom random = new SplittableRandom(seed);
      double[] u = random.doubles(length).toArray();
      RandomNumbers doubles = RandomNumbers.of(ElementType.DOUBLE, seed, length);
      check(
          doubles.between(-3, 4.5),
          ElementType.DOUBLE,
          length,
          i -> Math.min(Math.fma(7.5, u[i], -3), Math.nextDown(4.5)));
      check(
          RandomNumbers.of(ElementType.FLOAT, seed, length).between(-3, 4.5),
          ElementType.FLOAT,
          length,
          i -> (float) Math.min(Math.fma(7.5, u[i], -3), Math.nextDown(4.5f)));
      check(
          RandomNumbers.flags(seed, length, 0.3),
          ElementType.BYTE,
          length,
          i -> u[i] < 0.3 ? 1 : 0);
      SplittableRandom again = new SplittableRandom(seed);
      check(
          RandomNumbers.of(ElementType.INT, seed, length).between(-3, 7),
          ElementType.INT,
          length,
          _ -> (int) Math.unsignedMultiplyHigh(again.nextLong(), 10) - 3);
      SplittableRandom whole = new SplittableRandom(seed);
      check(
          RandomNumbers.of(ElementType.INT, seed, length).between(Integer.MIN_VALUE, 1L << 31),
          ElementType.INT,
          length,
          _ -> (int) (whole.nextLong() >> 32) ^ Integer.MIN_VALUE);
      double[] waits = funnel.run(doubles.exponential(2)).doubles("result");
      for (int i = 0; i < length; i++) {
        double wait = -2 * StrictMath.log(1 - u[i]);
        assertEquals(wait, waits[i], 2 * Math.ulp(wait), "wait " + i + Seed.replay());
      }
    }
  }

  /**
   * The probability of a number between 0 and {@code z}, as a series, or above {@code z}, as a
   * continued fraction.
   */
  private static double probability(double z) {
    double density = StrictMath.exp(-z * z / 2) / StrictMath.sqrt(2 * Math.PI);
    double series = 0;
    double fraction = z;
    double term = z;
    for (int i = 1; i < 200; i++) {
      series += term;
      term *= z * z / (2 * i + 1);
      fraction = z + (200 - i) / fraction;
    }
    return z < 3 ? density * series : density / fraction;
  }

  private static void checkNormal(double u, double z) {
    double near = Math.abs(u - 0.5 + 0x1p-54);
    double probability = Math.abs(z) < 3 ? near : 0.5 - near;
    assertEquals(
        probability, probability(Math.abs(z)), 2e-13 * probability, u + " " + z + Seed.replay());
    assertEquals(u < 0.5, z < 0);
  }

  /** The state of which the generator makes these bits. */
  private static long stateOf(long bits) {
    long z = (bits ^ bits >>> 31 ^ bits >>> 62) * 0x319642b2d24d8ec3L;
    z = (z ^ z >>> 27 ^ z >>> 54) * 0x96de1b173f119089L;
    return z ^ z >>> 30 ^ z >>> 60;
  }

  /** The distribution function of each is the uniform number, in both tails too. */
  @Test
  void normal() {
    long seed = Seed.random("normal").nextLong();
    for (int length : lengths()) {
      double[] u = new SplittableRandom(seed).doubles(length).toArray();
      RandomNumbers doubles = RandomNumbers.of(ElementType.DOUBLE, seed, length);
      double[] z = funnel.run(doubles.normal(0, 1)).doubles("result");
      for (int i = 0; i < length; i++) {
        checkNormal(u[i], z[i]);
      }
      check(doubles.normal(3, 0.1), ElementType.DOUBLE, length, i -> Math.fma(0.1, z[i], 3));
      check(
          RandomNumbers.of(ElementType.FLOAT, seed, length).normal(3, 0.1),
          ElementType.FLOAT,
          length,
          i -> (float) Math.fma(0.1, z[i], 3));
    }
    for (int power = 0; power <= 53; power += power < 30 ? 3 : 1) {
      for (long bits : new long[] {(1L << power) - 1, (1L << 53) - (1L << power)}) {
        RandomNumbers one =
            RandomNumbers.of(ElementType.DOUBLE, stateOf(bits << 11) - SplitMix.GAMMA, 1);
        double u = funnel.run(one).doubles("result")[0];
        assertEquals(bits * 0x1p-53, u);
        checkNormal(u, funnel.run(one.normal(0, 1)).doubles("result")[0]);
      }
    }
  }

  @Test
  void momentsOfNormalNumbers() {
    int length = 1 << 18;
    RandomNumbers numbers = RandomNumbers.of(ElementType.DOUBLE, 1, length).normal(0, 1);
    double power = 1;
    double[] z = funnel.run(numbers).doubles("result");
    double[] moments = new double[4];
    for (double v : z) {
      power = 1;
      for (int i = 0; i < moments.length; i++) {
        power *= v;
        moments[i] += power / length;
      }
    }
    assertArrayEquals(new double[] {0, 1, 0, 3}, moments, 5 * Math.sqrt(96.0 / length));
    Arrays.sort(z);
    assertEquals(0, z[length / 2], 0.01);
    assertEquals(1.959964, z[(int) (0.975 * length)], 0.02);
  }

  /** The bits of the first numbers, which no version and no engine may change. */
  @Test
  void firstNumbers() {
    RandomNumbers doubles = RandomNumbers.of(ElementType.DOUBLE, 42, 3);
    assertArrayEquals(
        new double[] {1.3531105982440144, 0.1742467176876429, 0.3265630772662666},
        funnel.run(doubles.exponential(1)).doubles("result"));
    assertArrayEquals(
        new double[] {0.6481773613288518, -0.9948262318051995, -0.587002153338961},
        funnel.run(doubles.normal(0, 1)).doubles("result"));
    assertArrayEquals(
        new double[] {0.1742467176876429},
        funnel
            .run(RandomNumbers.of(ElementType.DOUBLE, 42, 1).exponential(1).from(1))
            .doubles("result"));
  }

  @Test
  void whatIsNotTaken_isNamed() {
    Elements x = Elements.of(new int[3]);
    Iota bytes = Iota.of(ElementType.BYTE, 3);
    Map<Runnable, String> messages = new HashMap<>();
    messages.put(() -> Fill.with(ElementType.INT, 0.5, 3), "value 0.5 does not fit INT");
    messages.put(() -> Fill.with(ElementType.INT, 1, -1), "length=-1");
    messages.put(() -> bytes.from(-1), "start -1 does not fit BYTE");
    messages.put(() -> Iota.of(ElementType.FLOAT, 3).step(1e39), "step 1.0E39 does not fit FLOAT");
    messages.put(() -> RandomNumbers.of(ElementType.BYTE, 1, 3), "Elementwise");
    RandomNumbers ints = RandomNumbers.of(ElementType.INT, 1, 3);
    RandomNumbers doubles = RandomNumbers.of(ElementType.DOUBLE, 1, 3);
    messages.put(() -> ints.between(3, 3), "origin=3.0, bound=3.0");
    messages.put(() -> ints.between(0.5, 3), "origin 0.5 does not fit INT");
    messages.put(() -> ints.between(0, 3.5), "does not fit INT");
    messages.put(() -> doubles.between(Double.NaN, 1), "the origin is less");
    messages.put(() -> doubles.between(-1e308, 1e308), "their difference is finite");
    messages.put(() -> RandomNumbers.of(ElementType.LONG, 1, 3).between(0, 1), "no range");
    messages.put(() -> doubles.exponential(0), "mean=0.0: above 0");
    messages.put(() -> doubles.normal(0, 0), "deviation=0.0: both are finite");
    messages.put(() -> doubles.normal(Double.NaN, 1), "mean=NaN, deviation=1.0");
    messages.put(() -> ints.normal(0, 1), "normal numbers are floats or doubles, not of type INT");
    messages.put(() -> RandomNumbers.flags(1, 3, 1.5), "probability=1.5");
    messages.put(() -> funnel.run(doubles.exponential(1), x), "takes no input, given=1");
    messages.put(() -> funnel.run(bytes, x), "takes no input, given=1");
    messages.put(() -> funnel.run(Fill.with(ElementType.INT, 1, 1), x), "takes no input, given=1");
    messages.put(() -> funnel.run(Iota.of(ElementType.INT)), "takes one input, given=0");
    messages.put(() -> funnel.run(Fill.with(ElementType.INT, 1), x, x), "one input, given=2");
    messages.put(() -> Fill.with(ElementType.BYTE, 256), "value 256 does not fit BYTE");
    messages.forEach(
        (run, message) -> {
          String given = assertThrows(IllegalArgumentException.class, run::run).getMessage();
          assertTrue(String.valueOf(given).contains(message), given);
        });
  }
}
