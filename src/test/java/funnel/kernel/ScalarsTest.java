package funnel.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import funnel.Seed;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ScalarsTest {

  private static final long SEED = System.nanoTime();

  private static final int[] DISTANCES =
      IntStream.concat(IntStream.rangeClosed(-1, 70), IntStream.of(1000, Integer.MIN_VALUE))
          .toArray();

  private static final long[] LONGS =
      LongStream.concat(
              LongStream.of(
                  0,
                  1,
                  -1,
                  2,
                  -2,
                  7,
                  -7,
                  8,
                  -8,
                  9,
                  -9,
                  Long.MAX_VALUE,
                  Long.MIN_VALUE,
                  Long.MIN_VALUE + 1,
                  1L << 32,
                  -1L << 32),
              new Random(SEED).longs(60))
          .toArray();

  private static final int[] INTS =
      IntStream.concat(
              IntStream.of(
                  0,
                  1,
                  -1,
                  2,
                  -2,
                  7,
                  -7,
                  8,
                  -8,
                  9,
                  -9,
                  Integer.MAX_VALUE,
                  Integer.MIN_VALUE,
                  Integer.MIN_VALUE + 1,
                  1 << 30,
                  -1 << 30),
              new Random(SEED).ints(60))
          .toArray();

  private static final float[] FLOATS = {
    0f,
    -0f,
    1f,
    -1f,
    Float.MIN_VALUE,
    Float.MAX_VALUE,
    Float.POSITIVE_INFINITY,
    Float.NEGATIVE_INFINITY,
    Float.NaN
  };

  private static String at(Number a, Number b) {
    return a + ", " + b + ", seed " + SEED;
  }

  @Test
  void castsToIntegers() {
    DoubleStream.concat(
            IntStream.range(0, FLOATS.length).mapToDouble(i -> FLOATS[i]),
            new SplittableRandom(SEED).longs(5_000).mapToDouble(Double::longBitsToDouble))
        .forEach(
            v -> {
              float f = (float) v;
              assertEquals((int) v, Scalars.toInt(v), () -> at(v, SEED));
              assertEquals((long) v, Scalars.toLong(v), () -> at(v, SEED));
              assertEquals((int) f, Scalars.toInt(f), () -> at(v, SEED));
              assertEquals((long) f, Scalars.toLong(f), () -> at(v, SEED));
            });
  }

  @Test
  void longsAsFloats() {
    LongStream.concat(
            LongStream.of(LONGS),
            new SplittableRandom(SEED).longs(20_000).map(bits -> bits >> (bits & 63)))
        .flatMap(v -> LongStream.of(v, ~v, v & -0x400L, (v & -0x2000000000L) + 0x1000000000L))
        .flatMap(v -> LongStream.rangeClosed(-1, 1).map(more -> v + more))
        .forEach(
            v -> {
              assertEquals((double) v, Scalars.toDouble(v), () -> at(v, SEED));
              assertEquals((float) v, Scalars.toFloat(v), () -> at(v, SEED));
            });
  }

  @Test
  void floorAndCeil() {
    double[] special = {
      0.0,
      -0.0,
      0.5,
      -0.5,
      1,
      -1,
      1.5,
      -1.5,
      Double.MIN_VALUE,
      -Double.MIN_VALUE,
      Double.NaN,
      Double.MAX_VALUE,
      -Double.MAX_VALUE,
      Double.POSITIVE_INFINITY,
      Double.NEGATIVE_INFINITY,
      0x1p52,
      -0x1p52,
      0x1p52 - 0.5,
      -0x1p52 + 0.5,
      0x1p51 + 0.5,
      0x1p63,
      -0x1p63,
      1e300
    };
    DoubleStream.concat(
            DoubleStream.of(special),
            LongStream.of(LONGS).mapToDouble(bits -> Double.longBitsToDouble(bits)))
        .forEach(
            v -> {
              assertEquals(Math.floor(v), Scalars.floor(v), () -> at(v, SEED));
              assertEquals(Math.ceil(v), Scalars.ceil(v), () -> at(v, SEED));
            });
  }

  @Test
  void shifts_byEveryDistance() {
    for (int k : DISTANCES) {
      for (int v : INTS) {
        assertEquals(v << k, Scalars.shiftLeft(v, k), () -> at(v, k));
        assertEquals(v >> k, Scalars.shiftRight(v, k), () -> at(v, k));
        assertEquals(v >>> k, Scalars.shiftRightUnsigned(v, k), () -> at(v, k));
      }
      for (long v : LONGS) {
        assertEquals(v << k, Scalars.shiftLeft(v, k), () -> at(v, k));
        assertEquals(v >> k, Scalars.shiftRight(v, k), () -> at(v, k));
        assertEquals(v >>> k, Scalars.shiftRightUnsigned(v, k), () -> at(v, k));
      }
    }
  }

  /** Bits of all kinds, and quotients that are subnormal. */
  @Test
  void quotientsOfFloats() {
    SplittableRandom random = Seed.random("quotients");
    for (int i = 0; i < 1_000_000; i++) {
      float a = Float.intBitsToFloat(random.nextInt());
      float b = Float.intBitsToFloat(random.nextInt());
      float small = a * Float.MIN_NORMAL;
      assertEquals(a / b, Scalars.divide(a, b), () -> a + " / " + b);
      assertEquals(small / b, Scalars.divide(small, b), () -> small + " / " + b);
    }
    for (float a : FLOATS) {
      for (float b : FLOATS) {
        assertEquals(a / b, Scalars.divide(a, b), () -> a + " / " + b);
      }
    }
  }

  @Test
  void ints_ofAllPairs() {
    for (int a : INTS) {
      assertEquals(Math.abs(a), Scalars.abs(a));
      for (int b : INTS) {
        assertEquals(Integer.compare(a, b), Scalars.compare(a, b), () -> at(a, b));
        assertEquals(Integer.compareUnsigned(a, b), Scalars.compareUnsigned(a, b), () -> at(a, b));
        if (b != 0) {
          assertEquals(a / b, Scalars.divide(a, b), () -> at(a, b));
          assertEquals(a % b, Scalars.remainder(a, b), () -> at(a, b));
        }
      }
      assertThrows(ArithmeticException.class, () -> Scalars.divide(a, 0));
      assertThrows(ArithmeticException.class, () -> Scalars.remainder(a, 0));
    }
  }

  @Test
  void longs_ofAllPairs() {
    for (long a : LONGS) {
      assertEquals(Math.abs(a), Scalars.abs(a));
      for (long b : LONGS) {
        assertEquals(Long.compare(a, b), Scalars.compare(a, b), () -> at(a, b));
        assertEquals(Long.compareUnsigned(a, b), Scalars.compareUnsigned(a, b), () -> at(a, b));
        if (b != 0) {
          assertEquals(a / b, Scalars.divide(a, b), () -> at(a, b));
          assertEquals(a % b, Scalars.remainder(a, b), () -> at(a, b));
        }
      }
      assertThrows(ArithmeticException.class, () -> Scalars.divide(a, 0L));
    }
  }

  @Test
  void comparisonsOfFloatingPoint_ofAllPairs() {
    for (float a : FLOATS) {
      for (float b : FLOATS) {
        int orLess = a > b ? 1 : a == b ? 0 : -1;
        int orGreater = a < b ? -1 : a == b ? 0 : 1;
        assertEquals(Float.compare(a, b), Scalars.compare(a, b), () -> at(a, b));
        assertEquals(orLess, Scalars.compareOrLess(a, b), () -> at(a, b));
        assertEquals(orGreater, Scalars.compareOrGreater(a, b), () -> at(a, b));
        assertEquals(Double.compare(a, b), Scalars.compare((double) a, (double) b));
        assertEquals(orLess, Scalars.compareOrLess((double) a, (double) b));
        assertEquals(orGreater, Scalars.compareOrGreater((double) a, (double) b));
      }
    }
  }

  @Test
  void bitsOfFloats_ofEveryExponent_thereAndBack() {
    SplittableRandom random = Seed.random("bits");
    for (int exponent = 0; exponent < 256; exponent++) {
      for (int k = 0; k < 40; k++) {
        int mantissa =
            switch (k) {
              case 0 -> 0;
              case 1 -> 1;
              case 2 -> 0x7fffff;
              case 3 -> 0x400000;
              default -> random.nextInt(1 << 23);
            };
        for (int sign = 0; sign < 2; sign++) {
          float value = Float.intBitsToFloat(sign << 31 | exponent << 23 | mantissa);
          int bits = Float.floatToIntBits(value);
          assertEquals(bits & 0xffffffffL, Scalars.bits(value), () -> "" + value);
          assertEquals(bits, Float.floatToIntBits(Scalars.ofBits(bits & 0xffffffffL, 0f)));
        }
      }
    }
  }

  @Test
  void bitsOfDoubles_ofEveryExponent_thereAndBack() {
    SplittableRandom random = Seed.random("bits");
    for (long exponent = 0; exponent < 2048; exponent++) {
      for (int k = 0; k < 20; k++) {
        long mantissa =
            switch (k) {
              case 0 -> 0;
              case 1 -> 1;
              case 2 -> (1L << 52) - 1;
              case 3 -> 1L << 51;
              case 4 -> 1L << 26;
              default -> random.nextLong(1L << 52);
            };
        for (long sign = 0; sign < 2; sign++) {
          double value = Double.longBitsToDouble(sign << 63 | exponent << 52 | mantissa);
          long bits = Double.doubleToLongBits(value);
          assertEquals(bits, Scalars.bits(value), () -> "" + value);
          assertEquals(bits, Double.doubleToLongBits(Scalars.ofBits(bits, 0d)), () -> "" + value);
        }
      }
    }
  }
}
