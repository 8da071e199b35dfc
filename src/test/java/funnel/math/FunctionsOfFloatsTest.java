package funnel.math;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Seed;
import funnel.math.ElementaryFunctionsContract.OfFloat;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Functions of floats are next to those of doubles in {@link Math}, and keep the order of their
 * arguments: at each of a number of floats and its neighbour, or at every float.
 */
class FunctionsOfFloatsTest {

  /** Which functions are tried at every float: a comma between names, or "all". */
  private static final String EVERY = System.getProperty("funnel.test.everyFloat", "");

  /** A prime, of a row of floats one is drawn. */
  private static final int ROW = 8191;

  private static final int PARTS = 1 << 10;

  private record Function(String name, OfFloat tested, DoubleUnaryOperator java) {}

  private static Stream<Function> functions() {
    return Stream.of(
        new Function("exp", ElementaryFunctions::exp, Math::exp),
        new Function("expm1", ElementaryFunctions::expm1, Math::expm1),
        new Function("log", ElementaryFunctions::log, Math::log),
        new Function("log10", ElementaryFunctions::log10, Math::log10),
        new Function("log1p", ElementaryFunctions::log1p, Math::log1p),
        new Function("cbrt", ElementaryFunctions::cbrt, Math::cbrt),
        new Function("sin", ElementaryFunctions::sin, Math::sin),
        new Function("cos", ElementaryFunctions::cos, Math::cos),
        new Function("tan", ElementaryFunctions::tan, Math::tan),
        new Function("asin", ElementaryFunctions::asin, Math::asin),
        new Function("acos", ElementaryFunctions::acos, Math::acos),
        new Function("atan", ElementaryFunctions::atan, Math::atan),
        new Function("sinh", ElementaryFunctions::sinh, Math::sinh),
        new Function("cosh", ElementaryFunctions::cosh, Math::cosh),
        new Function("tanh", ElementaryFunctions::tanh, Math::tanh));
  }

  /** The floats in ascending order, from a NaN to a NaN. */
  private static float number(int place) {
    return Float.intBitsToFloat(place < 0 ? place ^ Integer.MAX_VALUE : place);
  }

  /** The error in units in the last place of a float; infinite if a special case is wrong. */
  private static double error(double wanted, float found) {
    float near = (float) wanted;
    if (wanted == 0 || Double.isNaN(wanted)) {
      return Float.compare(near, found) == 0 ? 0 : Double.POSITIVE_INFINITY;
    }
    if (Float.isInfinite(near) || Float.isInfinite(found)) {
      boolean isNext = Math.abs(wanted) > Float.MAX_VALUE && Math.abs(found) >= Float.MAX_VALUE;
      return isNext && near > 0 == found > 0 ? 0 : Double.POSITIVE_INFINITY;
    }
    return Math.abs(wanted - found) / Math.ulp(near);
  }

  private static double check(Function f, float x, float found) {
    double error = error(f.java().applyAsDouble(x), found);
    assertTrue(error <= 1, () -> "%s of %s: %s%s".formatted(f.name(), x, found, Seed.replay()));
    return error;
  }

  /** The results at a float and at the next one do not go the other way. */
  private static void order(Function f, float x, float first, float second) {
    double rise = ElementaryFunctionsTest.rise(f.name(), x);
    assertTrue(!(rise * first > rise * second), () -> f.name() + " from " + x + Seed.replay());
  }

  private static void sweep(Function f) {
    boolean isEvery = EVERY.equals("all") || Arrays.asList(EVERY.split(",")).contains(f.name());
    double worst = isEvery ? everyFloat(f) : drawn(f);
    System.out.printf(
        "%s of %s: at most %.4f ulp%s%n",
        f.name(),
        isEvery ? "every float" : "one float in " + ROW,
        worst,
        isEvery ? "" : "; every float is not tried (-Dfunnel.test.everyFloat=all)" + Seed.replay());
  }

  private static double drawn(Function f) {
    SplittableRandom random = Seed.random(f.name() + " of floats");
    double worst = 0;
    for (long row = Integer.MIN_VALUE; row < Integer.MAX_VALUE - ROW; row += ROW) {
      float x = number((int) row + random.nextInt(ROW));
      float found = f.tested().of(x);
      worst = Math.max(worst, check(f, x, found));
      order(f, x, found, f.tested().of(Math.nextUp(x)));
    }
    return worst;
  }

  private static double everyFloat(Function f) {
    int part = (int) ((1L << 32) / PARTS);
    return IntStream.range(0, PARTS)
        .parallel()
        .mapToDouble(
            p -> {
              int first = Integer.MIN_VALUE + p * part;
              double worst = 0;
              float x = number(first);
              float found = f.tested().of(x);
              for (int i = 0; i < part; i++) {
                worst = Math.max(worst, check(f, x, found));
                float next = number(first + i + 1);
                float second = f.tested().of(next);
                order(f, x, found, second);
                x = next;
                found = second;
              }
              return worst;
            })
        .max()
        .orElseThrow();
  }

  @TestFactory
  Stream<DynamicTest> errorIsBelowOneUlpOfAFloat() {
    return functions().map(f -> DynamicTest.dynamicTest(f.name(), () -> sweep(f)));
  }

  @Test
  void powersOfFloats() {
    SplittableRandom random = Seed.random("powers of floats");
    double worst = 0;
    for (int i = 0; i < Seed.draws(300_000); i++) {
      float x = (float) Arguments.next(random);
      float y =
          random.nextBoolean()
              ? (float) Arguments.next(random)
              : (float) (random.nextDouble(-104, 89) / Math.log(Math.abs(x)));
      double error = error(StrictMath.pow(x, y), ElementaryFunctions.pow(x, y));
      worst = Math.max(worst, error);
      assertTrue(error <= 1, () -> "pow of %s and %s%s".formatted(x, y, Seed.replay()));
    }
    System.out.printf("pow of floats: at most %.4f ulp%s%n", worst, Seed.replay());
  }

  @Test
  void floatsAreInOrder() {
    assertTrue(Float.isNaN(number(Integer.MIN_VALUE)));
    assertEquals(-0.0f, number(-1));
    assertEquals(0.0f, number(0));
    assertEquals(Float.POSITIVE_INFINITY, number(Float.floatToRawIntBits(Float.MAX_VALUE) + 1));
  }
}
