package funnel.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Seed;
import funnel.operator.OperatorLawException.Law;
import funnel.reduce.UserOperators;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What is tried on samples of the caller's. */
class OperatorCheckTest {

  private static void refused(Law law, String text, Executable check) {
    OperatorLawException e = assertThrows(OperatorLawException.class, check);
    assertEquals(law, e.law());
    String message = String.valueOf(e.getMessage());
    assertTrue(message.startsWith("operator " + e.operator() + ": "), message);
    assertTrue(message.contains(text), message);
  }

  @Test
  void identity() {
    Operator mx = Operator.ofInt("mx", 100, Math::max);
    refused(
        Law.IDENTITY, "100 is not an identity: f(100, 3) gave 100, not 3", () -> mx.check(200, 3));
    assertSame(mx, mx.check(100, 101, Integer.MAX_VALUE));
    Operator left = Operator.ofLong("left", 7, (a, b) -> b); // f(7, a) is a, f(a, 7) is not
    refused(Law.IDENTITY, "f(5, 7) gave 7, not 5", () -> left.check(5L));
    Operator size = Operator.ofDouble("size", 0, (a, b) -> Math.max(Math.abs(a), Math.abs(b)));
    refused(Law.IDENTITY, "f(0.0, -2.5) gave 2.5", () -> size.check(1.0, -2.5));
    assertSame(size, size.check(1, 2.5, Double.POSITIVE_INFINITY));
  }

  @Test
  void associativity() {
    Operator less = Operator.ofInt("less", 0, (a, b) -> b == 0 ? a : a == 0 ? b : a - b);
    assertSame(less, less.check(0, 4));
    refused(
        Law.ASSOCIATIVITY,
        "f(f(2, 1), 2) gave -1, f(2, f(1, 2)) gave 3",
        () -> less.check(2, 1, 3));
    Operator mean =
        Operator.ofFloat(
            "mean", Float.NaN, (a, b) -> Float.isNaN(a) ? b : Float.isNaN(b) ? a : (a + b) / 2);
    refused(Law.ASSOCIATIVITY, "gave", () -> mean.check(1, 2f, 4));
  }

  @Test
  void commutativity_onlyWhereItIsDeclared() {
    assertSame(UserOperators.LAST_INT, UserOperators.LAST_INT.check(0, 1, 2));
    Operator declared = UserOperators.LAST_INT.commutative();
    refused(Law.COMMUTATIVITY, "f(1, 2) gave 2, f(2, 1) gave 1", () -> declared.check(0, 1, 2));
    assertSame(UserOperators.JOIN_LONG, UserOperators.JOIN_LONG.check(3L, -1L, Long.MAX_VALUE));
  }

  /** Sums and products round, cancel and overflow: none of that is a fault of the operator. */
  @Test
  void floatingPoint() {
    SplittableRandom random = Seed.random("check");
    double[] doubles =
        IntStream.range(0, 30)
            .mapToDouble(i -> Math.scalb(random.nextDouble(-1, 1), random.nextInt(-900, 901)))
            .toArray();
    doubles[0] = Double.NaN;
    doubles[1] = Double.NEGATIVE_INFINITY;
    doubles[2] = Double.MAX_VALUE;
    doubles[3] = -0.0;
    Operator product = Operator.ofDouble("product", 1, (a, b) -> a * b).commutative();
    for (Operator each : new Operator[] {UserOperators.PLUS_DOUBLE.commutative(), product}) {
      assertSame(each, each.check(doubles));
    }
    float[] floats = {1e8f, -1e8f, 1, 3e-5f, 0.1f, -0.0f, 0, Float.MAX_VALUE, Float.NaN};
    assertSame(UserOperators.PLUS_FLOAT, UserOperators.PLUS_FLOAT.check(floats));
    Operator noNan = Operator.ofDouble("greater", Double.NaN, (a, b) -> a > b ? a : b);
    refused(Law.IDENTITY, "NaN is not an identity", () -> noNan.check(1.0));
    Operator above = Operator.ofDouble("above", -1 / 0.0, (a, b) -> a > b ? a : b);
    refused(Law.IDENTITY, "f(NaN, -Infinity) gave -Infinity", () -> above.check(1.0, Double.NaN));
    Operator off = Operator.ofDouble("off", 0, (a, b) -> a == 0 ? b : b == 0 ? a : a + 1.01 * b);
    refused(Law.ASSOCIATIVITY, "f(f(1.0, 1.0), 1.0)", () -> off.check(1.0));
  }

  @Test
  void samplesThatSayNothing() {
    Operator plus = Operator.ofInt("plus", 0, Integer::sum);
    assertThrows(IllegalArgumentException.class, () -> plus.check(new int[0]));
    assertThrows(IllegalArgumentException.class, () -> plus.check(1.0));
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> plus.check(new int[257]));
    assertTrue(String.valueOf(e.getMessage()).contains("samples=257"), e.getMessage());
    assertSame(plus, plus.check(new int[256]));
    assertSame(Operator.SUM, Operator.SUM.check(0.1f, 1e10f, -7));
    assertThrows(IllegalArgumentException.class, () -> Operator.AND.check(0.5));
    Operator exact = Operator.ofInt("exact", 0, Math::addExact);
    assertThrows(ArithmeticException.class, () -> exact.check(Integer.MAX_VALUE, 1));
  }
}
