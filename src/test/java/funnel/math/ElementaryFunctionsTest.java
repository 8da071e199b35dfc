package funnel.math;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.obermuhlner.math.big.BigDecimalMath;
import funnel.Seed;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.SplittableRandom;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Errors against 60 digits, special cases against StrictMath, and order of neighbours. */
class ElementaryFunctionsTest {

  private static final MathContext DIGITS = new MathContext(60);
  private static final BigDecimal TURN =
      BigDecimalMath.pi(new MathContext(450)).multiply(BigDecimal.TWO);

  private record Function(
      String name,
      DoubleUnaryOperator tested,
      DoubleUnaryOperator java,
      UnaryOperator<BigDecimal> exact) {}

  private record Pair(String name, DoubleBinaryOperator tested, DoubleBinaryOperator java) {}

  private static BigDecimal reduced(BigDecimal x) {
    return x.remainder(TURN).round(new MathContext(110));
  }

  /** Enough digits for a sum with 1 that loses as many as x has zeros behind its point. */
  private static MathContext with(BigDecimal x) {
    return new MathContext(60 + Math.max(0, x.scale() - x.precision()));
  }

  private static BigDecimal expm1(BigDecimal x) {
    return BigDecimalMath.exp(x, with(x)).subtract(BigDecimal.ONE);
  }

  private static BigDecimal tan(BigDecimal x) {
    BigDecimal r = reduced(x);
    return BigDecimalMath.sin(r, DIGITS).divide(BigDecimalMath.cos(r, DIGITS), DIGITS);
  }

  private static BigDecimal sinh(BigDecimal x) {
    return expm1(x).subtract(expm1(x.negate())).divide(BigDecimal.TWO);
  }

  private static BigDecimal cosh(BigDecimal x) {
    return BigDecimalMath.exp(x, DIGITS)
        .add(BigDecimalMath.exp(x.negate(), DIGITS))
        .divide(BigDecimal.TWO);
  }

  private static BigDecimal tanh(BigDecimal x) {
    BigDecimal e = expm1(x.multiply(BigDecimal.TWO));
    return e.divide(e.add(BigDecimal.TWO), DIGITS);
  }

  /** From a root that is right to 16 digits, to 30. */
  private static BigDecimal cbrt(BigDecimal x) {
    BigDecimal root = new BigDecimal(StrictMath.cbrt(x.doubleValue()));
    BigDecimal slope = root.multiply(root).multiply(BigDecimal.valueOf(3));
    return root.add(x.subtract(root.pow(3)).divide(slope, DIGITS));
  }

  private static Stream<Function> functions() {
    return Stream.of(
        new Function(
            "exp", ElementaryFunctions::exp, StrictMath::exp, x -> BigDecimalMath.exp(x, DIGITS)),
        new Function("expm1", ElementaryFunctions::expm1, StrictMath::expm1, x -> expm1(x)),
        new Function(
            "log", ElementaryFunctions::log, StrictMath::log, x -> BigDecimalMath.log(x, DIGITS)),
        new Function(
            "log10",
            ElementaryFunctions::log10,
            StrictMath::log10,
            x -> BigDecimalMath.log10(x, DIGITS)),
        new Function(
            "log1p",
            ElementaryFunctions::log1p,
            StrictMath::log1p,
            x -> BigDecimalMath.log(x.add(BigDecimal.ONE), with(x))),
        new Function("cbrt", ElementaryFunctions::cbrt, StrictMath::cbrt, x -> cbrt(x)),
        new Function(
            "sin",
            ElementaryFunctions::sin,
            StrictMath::sin,
            x -> BigDecimalMath.sin(reduced(x), DIGITS)),
        new Function(
            "cos",
            ElementaryFunctions::cos,
            StrictMath::cos,
            x -> BigDecimalMath.cos(reduced(x), DIGITS)),
        new Function("tan", ElementaryFunctions::tan, StrictMath::tan, x -> tan(x)),
        new Function(
            "asin",
            ElementaryFunctions::asin,
            StrictMath::asin,
            x -> BigDecimalMath.asin(x, DIGITS)),
        new Function(
            "acos",
            ElementaryFunctions::acos,
            StrictMath::acos,
            x -> BigDecimalMath.acos(x, DIGITS)),
        new Function(
            "atan",
            ElementaryFunctions::atan,
            StrictMath::atan,
            x -> BigDecimalMath.atan(x, DIGITS)),
        new Function("sinh", ElementaryFunctions::sinh, StrictMath::sinh, x -> sinh(x)),
        new Function("cosh", ElementaryFunctions::cosh, StrictMath::cosh, x -> cosh(x)),
        new Function("tanh", ElementaryFunctions::tanh, StrictMath::tanh, x -> tanh(x)));
  }

  /** What an error is compared with is only computed where Java's result is a normal number. */
  private static void accuracy(Function function) {
    SplittableRandom random = Seed.random(function.name());
    double worst = 0;
    double where = 0;
    for (int i = 0; i < Seed.draws(2000); i++) {
      double x = Arguments.next(random);
      double near = function.java().applyAsDouble(x);
      double found = function.tested().applyAsDouble(x);
      if (Math.abs(near) <= Double.MAX_VALUE
          && near != 0
          && Math.abs(x) > 1e-100
          && Math.abs(near) < 1e300
          && !(Math.abs(near) == 1 && Math.abs(x) > 20)
          && !(function.name().startsWith("a") && Math.abs(x) > 1e15)) {
        BigDecimal error =
            new BigDecimal(found).subtract(function.exact().apply(new BigDecimal(x))).abs();
        double ulps = error.divide(new BigDecimal(Math.ulp(near)), DIGITS).doubleValue();
        where = ulps > worst ? x : where;
        worst = Math.max(ulps, worst);
      }
    }
    System.out.printf(
        "%s: at most %.4f ulp, at %s%s%n", function.name(), worst, where, Seed.replay());
    assertTrue(worst <= 1, function.name() + Seed.replay());
  }

  @TestFactory
  Stream<DynamicTest> errorIsBelowOneUlp() {
    return functions().map(f -> DynamicTest.dynamicTest(f.name(), () -> accuracy(f)));
  }

  /** The same, or a number next to it. */
  private static void close(double wanted, double found, String where) {
    boolean isExact = Double.isNaN(wanted) || Double.isInfinite(wanted) || wanted == 0;
    boolean isClose = Math.abs(wanted - found) <= 2 * Math.ulp(wanted);
    if (isExact || !isClose) {
      assertEquals(wanted, found, where + Seed.replay());
    }
  }

  @TestFactory
  Stream<DynamicTest> specialCasesAreJavas() {
    return functions()
        .map(
            f ->
                DynamicTest.dynamicTest(
                    f.name(),
                    () -> {
                      for (double x : Arguments.SPECIAL) {
                        close(
                            f.java().applyAsDouble(x),
                            f.tested().applyAsDouble(x),
                            f.name() + " of " + x);
                      }
                    }));
  }

  @TestFactory
  Stream<DynamicTest> specialPairsAreJavas() {
    return Stream.of(
            new Pair("pow", ElementaryFunctions::pow, StrictMath::pow),
            new Pair("hypot", ElementaryFunctions::hypot, StrictMath::hypot),
            new Pair("atan2", ElementaryFunctions::atan2, StrictMath::atan2),
            new Pair("copySign", ElementaryFunctions::copySign, StrictMath::copySign))
        .map(
            p ->
                DynamicTest.dynamicTest(
                    p.name(),
                    () -> {
                      for (double x : Arguments.SPECIAL) {
                        for (double y : Arguments.SPECIAL) {
                          close(
                              p.java().applyAsDouble(x, y),
                              p.tested().applyAsDouble(x, y),
                              "%s of %s and %s".formatted(p.name(), x, y));
                        }
                      }
                    }));
  }

  @TestFactory
  Stream<DynamicTest> exactOnesAreJavas() {
    return Stream.of(
            new Function("rint", ElementaryFunctions::rint, Math::rint, x -> x),
            new Function("round", ElementaryFunctions::round, Math::round, x -> x),
            new Function(
                "round of floats",
                x -> ElementaryFunctions.round((float) x),
                x -> Math.round((float) x),
                x -> x),
            new Function("signum", ElementaryFunctions::signum, Math::signum, x -> x),
            new Function("toRadians", ElementaryFunctions::toRadians, Math::toRadians, x -> x),
            new Function("toDegrees", ElementaryFunctions::toDegrees, Math::toDegrees, x -> x))
        .map(
            f ->
                DynamicTest.dynamicTest(
                    f.name(),
                    () -> {
                      for (double x : Arguments.doubles(Seed.random(f.name()), 100_000)) {
                        assertEquals(
                            f.java().applyAsDouble(x),
                            f.tested().applyAsDouble(x),
                            () -> f.name() + " of " + x + Seed.replay());
                      }
                    }));
  }

  /** Where a function rises, a neighbour's result is not on the other side. */
  @TestFactory
  Stream<DynamicTest> neighboursKeepTheirOrder() {
    return functions()
        .map(f -> DynamicTest.dynamicTest(f.name(), () -> order(f, Seed.draws(200_000))));
  }

  /** 1 where a function rises, -1 where it falls, 0 where it may do both. */
  static double rise(String name, double x) {
    return switch (name) {
      case "sin", "tan" -> Math.abs(x) < 1.5 ? 1 : 0;
      case "cos" -> x > 0 && x < 3 ? -1 : 0;
      case "cosh" -> x > 0 ? 1 : x < -1e-300 ? -1 : 0;
      case "acos" -> -1;
      default -> 1;
    };
  }

  private static void order(Function f, int count) {
    SplittableRandom random = Seed.random(f.name() + " order");
    for (int i = 0; i < count; i++) {
      double x = Arguments.next(random);
      double next = Math.nextUp(x);
      double rise = rise(f.name(), x);
      double first = rise * f.tested().applyAsDouble(x);
      double second = rise * f.tested().applyAsDouble(next);
      assertTrue(!(first > second), () -> f.name() + " from " + x + Seed.replay());
    }
  }
}
