package funnel.math;

import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.obermuhlner.math.big.BigDecimalMath;
import funnel.Seed;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.SplittableRandom;
import java.util.function.BinaryOperator;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Errors of functions of two arguments, against 60 digits. */
class FunctionsOfTwoTest {

  private static final MathContext DIGITS = new MathContext(60);
  private static final MathContext MORE = new MathContext(90);

  private record Function(
      String name,
      DoubleBinaryOperator tested,
      DoubleBinaryOperator java,
      BinaryOperator<BigDecimal> exact) {}

  /** Of a power, without its sign. */
  private static BigDecimal pow(BigDecimal x, BigDecimal y) {
    BigDecimal product = BigDecimalMath.log(x.abs(), MORE).multiply(y).round(MORE);
    return BigDecimalMath.exp(product, DIGITS);
  }

  private static BigDecimal hypot(BigDecimal x, BigDecimal y) {
    return x.pow(2).add(y.pow(2)).round(MORE).sqrt(DIGITS);
  }

  /** From 0 to 1; of a small quotient by two terms, which suffice. */
  private static BigDecimal atan(BigDecimal q) {
    return q.compareTo(new BigDecimal("1e-20")) > 0
        ? BigDecimalMath.atan(q, DIGITS)
        : q.subtract(q.pow(3).divide(BigDecimal.valueOf(3), DIGITS), DIGITS);
  }

  private static BigDecimal atan2(BigDecimal y, BigDecimal x) {
    BigDecimal pi = BigDecimalMath.pi(MORE);
    BigDecimal height = y.abs();
    BigDecimal width = x.abs();
    BigDecimal angle =
        height.compareTo(width) > 0
            ? pi.divide(BigDecimal.TWO).subtract(atan(width.divide(height, DIGITS)))
            : atan(height.divide(width, DIGITS));
    angle = x.signum() < 0 ? pi.subtract(angle) : angle;
    return y.signum() < 0 ? angle.negate() : angle;
  }

  private static Stream<Function> functions() {
    return Stream.of(
        new Function(
            "pow",
            (x, y) -> Math.abs(ElementaryFunctions.pow(x, y)),
            (x, y) -> Math.abs(StrictMath.pow(x, y)),
            (x, y) -> pow(x, y)),
        new Function("hypot", ElementaryFunctions::hypot, StrictMath::hypot, (x, y) -> hypot(x, y)),
        new Function(
            "atan2", ElementaryFunctions::atan2, StrictMath::atan2, (y, x) -> atan2(y, x)));
  }

  /** Special arguments and results are in {@link ElementaryFunctionsTest}. */
  private static void accuracy(Function function) {
    SplittableRandom random = Seed.random(function.name());
    double[] x = Arguments.doubles(random, Seed.draws(2000));
    double[] y = Arguments.partners(random, x);
    double worst = 0;
    String where = "";
    int compared = 0;
    for (int i = 0; i < x.length; i++) {
      double near = function.java().applyAsDouble(x[i], y[i]);
      if (Double.isFinite(x[i] + y[i])
          && x[i] != 0
          && y[i] != 0
          && Math.abs(near) <= Double.MAX_VALUE
          && near != 0) {
        compared++;
        double found = function.tested().applyAsDouble(x[i], y[i]);
        BigDecimal exact = function.exact().apply(new BigDecimal(x[i]), new BigDecimal(y[i]));
        BigDecimal error = new BigDecimal(found).subtract(exact).abs();
        double ulps = error.divide(new BigDecimal(Math.ulp(near)), DIGITS).doubleValue();
        where = ulps > worst ? x[i] + " and " + y[i] : where;
        worst = Math.max(ulps, worst);
      }
    }
    System.out.printf(
        "%s: at most %.4f ulp, at %s, of %s%s%n",
        function.name(), worst, where, compared, Seed.replay());
    assertTrue(worst <= 1, function.name() + Seed.replay());
    assertTrue(compared > x.length / 4, function.name() + Seed.replay());
  }

  @TestFactory
  Stream<DynamicTest> errorIsBelowOneUlp() {
    return functions().map(f -> DynamicTest.dynamicTest(f.name(), () -> accuracy(f)));
  }
}
