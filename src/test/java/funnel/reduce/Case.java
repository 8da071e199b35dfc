package funnel.reduce;

import funnel.FusedFunction;
import funnel.Plan;
import funnel.Values;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A reduction, and by output what a plain sequential loop, or for rounding sums a plain replay of
 * the documented tree, gives.
 *
 * @param outputs the ends of the outputs' names, "" for the main one
 */
record Case(String name, Reduction reduction, Map<String, Oracle> outputs) {

  /** The right result; null where there is none. */
  @FunctionalInterface
  interface Oracle {
    @Nullable Number of(Values x, Values y);
  }

  private static Case of(String name, Reduction reduction, Oracle oracle) {
    return new Case(name, reduction, Map.of("", oracle));
  }

  void addTo(Plan.Builder plan) {
    if (reduction.takesTwoInputs()) {
      plan.add(name, reduction, "x", "y");
    } else {
      plan.add(name, reduction, "x");
    }
  }

  static List<Case> all(ElementType type) {
    List<Case> cases = new ArrayList<>(type.isFloating() ? floating(type) : integers(type));
    cases.add(of("sumAsDouble", Reduction.sumAsDouble(), (x, y) -> doubleSum(x)));
    cases.add(
        of("mean", Reduction.mean(), (x, y) -> isEmpty(x) ? null : doubleSum(x) / x.length()));
    cases.add(
        of(
            "meanFromFirst",
            Reduction.meanFromFirst(),
            (x, y) -> isEmpty(x) ? null : meanFromFirst(x)));
    cases.add(
        of(
            "variance",
            Reduction.variance(),
            (x, y) -> isEmpty(x) ? null : squares(x) / x.length()));
    cases.add(
        of(
            "sampleVariance",
            Reduction.sampleVariance(),
            (x, y) -> isEmpty(x) ? null : squares(x) / (x.length() - 1)));
    cases.add(of("count", Reduction.countIf(predicate(type)), (x, y) -> count(x)));
    cases.add(
        of(
            "indexedCount",
            Reduction.countIf(FusedFunction.test(type).transform()),
            (x, y) -> {
              long count = 0;
              for (int i = 0; i < x.length(); i++) {
                count += i % 3 != 0 && x.doubleAt(i) > 40 ? 1 : 0;
              }
              return count;
            }));
    cases.add(arg("argMin", Reduction.argMin(), true));
    cases.add(arg("argMax", Reduction.argMax(), false));
    Map<String, Oracle> both = new LinkedHashMap<>();
    both.put("_min", (x, y) -> isEmpty(x) ? null : x.at(arg(x, true)));
    both.put("_max", (x, y) -> isEmpty(x) ? null : x.at(arg(x, false)));
    cases.add(new Case("minMax", Reduction.minMax(), both));
    return cases;
  }

  /** A few of them, of every kind of tree and kernel, for long inputs. */
  static List<Case> some(ElementType type) {
    List<String> names =
        List.of("sum", "max", "sumAsDouble", "variance", "argMin", "plus", "first", "affine");
    return all(type).stream().filter(c -> names.contains(c.name())).toList();
  }

  private static boolean isEmpty(Values x) {
    return x.length() == 0;
  }

  private static Transform predicate(ElementType type) {
    return switch (type) {
      case BYTE, INT -> Transform.testInt("large", v -> v > 10);
      case LONG -> Transform.testLong("large", v -> v > 10);
      case FLOAT -> Transform.testFloat("large", v -> v > 0.25f);
      case DOUBLE -> Transform.testDouble("large", v -> v > 0.25);
    };
  }

  private static Number count(Values x) {
    long count = 0;
    for (int i = 0; i < x.length(); i++) {
      boolean holds = x.type().isFloating() ? x.doubleAt(i) > 0.25 : x.longAt(i) > 10;
      count += holds ? 1 : 0;
    }
    return count;
  }

  private static double doubleSum(Values x) {
    return Trees.striped(x.length(), Trees.lead(x.type()), x::doubleAt, Double::sum, 0);
  }

  /** From the first element, rounded once. */
  private static double distance(Values x, int i) {
    return x.type() == ElementType.LONG
        ? BigInteger.valueOf(x.longAt(i)).subtract(BigInteger.valueOf(x.longAt(0))).doubleValue()
        : x.doubleAt(i) - x.doubleAt(0);
  }

  private static double meanFromFirst(Values x) {
    return Trees.striped(x.length(), Trees.lead(x.type()), i -> distance(x, i), Double::sum, 0)
        / x.length();
  }

  private static double squares(Values x) {
    double mean = meanFromFirst(x);
    return Trees.striped(
        x.length(),
        Trees.lead(x.type()),
        i -> (distance(x, i) - mean) * (distance(x, i) - mean),
        Double::sum,
        0);
  }

  private static Case arg(String name, Reduction reduction, boolean smallest) {
    Map<String, Oracle> both = new LinkedHashMap<>();
    both.put("", (x, y) -> isEmpty(x) ? null : (Number) arg(x, smallest));
    both.put("_value", (x, y) -> isEmpty(x) ? null : x.at(arg(x, smallest)));
    return new Case(name, reduction, both);
  }

  /** The first index of what Math.min or Math.max gives. */
  private static int arg(Values x, boolean smallest) {
    int best = 0;
    for (int i = 1; i < x.length(); i++) {
      if (x.type().isFloating()) {
        double a = x.doubleAt(i);
        double b = x.doubleAt(best);
        double better = smallest ? Math.min(a, b) : Math.max(a, b);
        best = Double.compare(better, b) != 0 ? i : best;
      } else {
        long a = x.longAt(i);
        long b = x.longAt(best);
        best = (smallest ? a < b : a > b) ? i : best;
      }
    }
    return best;
  }

  // Integers

  private static Number loop(Values x, LongBinaryOperator operator, long start) {
    long result = start;
    for (int i = 0; i < x.length(); i++) {
      result = operator.applyAsLong(result, x.longAt(i));
    }
    return x.boxed(result);
  }

  private static List<Case> integers(ElementType type) {
    boolean isLong = type == ElementType.LONG;
    List<Case> cases = new ArrayList<>();
    cases.add(of("sum", Reduction.sum(), (x, y) -> loop(x, Long::sum, 0)));
    cases.add(of("product", Reduction.product(), (x, y) -> loop(x, (a, b) -> a * b, 1)));
    cases.add(
        of("min", Reduction.min(), (x, y) -> isEmpty(x) ? null : loop(x, Math::min, x.longAt(0))));
    cases.add(
        of("max", Reduction.max(), (x, y) -> isEmpty(x) ? null : loop(x, Math::max, x.longAt(0))));
    cases.add(of("and", Reduction.of(Operator.AND), (x, y) -> loop(x, (a, b) -> a & b, -1)));
    cases.add(of("or", Reduction.of(Operator.OR), (x, y) -> loop(x, (a, b) -> a | b, 0)));
    cases.add(of("xor", Reduction.of(Operator.XOR), (x, y) -> loop(x, (a, b) -> a ^ b, 0)));
    cases.add(of("sumAsLong", Reduction.sumAsLong(), (x, y) -> longSum(x, x, false)));
    cases.add(of("squares", Reduction.sumOfSquares(), (x, y) -> longSum(x, x, true)));
    cases.add(of("dot", Reduction.dot(), (x, y) -> longSum(x, y, true)));
    cases.add(
        of(
            "join",
            Reduction.of(isLong ? UserOperators.JOIN_LONG : UserOperators.JOIN_INT),
            (x, y) -> loop(x, (a, b) -> a + b + a * b, 0)));
    cases.add(
        of(
            "first",
            Reduction.of(isLong ? UserOperators.FIRST_LONG : UserOperators.FIRST_INT),
            (x, y) -> loop(x, (a, b) -> a != 0 ? a : b, 0)));
    cases.add(
        of(
            "mapped",
            Reduction.of(
                Operator.SUM,
                isLong
                    ? Transform.ofLong("mixed", v -> v ^ (v << 1))
                    : Transform.ofInt("mixed", v -> v ^ (v << 1))),
            (x, y) -> {
              long sum = 0;
              for (int i = 0; i < x.length(); i++) {
                sum += x.longAt(i) ^ (x.longAt(i) << 1);
              }
              return x.boxed(sum);
            }));
    Transform moment =
        isLong
            ? Transform.indexedLong("moment", (i, v) -> i * v)
            : Transform.indexedInt("moment", (i, v) -> i * v);
    cases.add(
        of(
            "indexed",
            Reduction.of(Operator.SUM, moment),
            (x, y) -> {
              long sum = 0;
              for (int i = 0; i < x.length(); i++) {
                sum += i * x.longAt(i);
              }
              return x.boxed(sum);
            }));
    cases.add(
        of(
            "indexedFirst",
            Reduction.of(isLong ? UserOperators.FIRST_LONG : UserOperators.FIRST_INT, moment),
            (x, y) -> {
              int at = Math.min(1, x.length());
              while (at < x.length() && x.boxed(at * x.longAt(at)).longValue() == 0) {
                at++;
              }
              return x.boxed(at < x.length() ? at * x.longAt(at) : 0);
            }));
    if (isLong) {
      cases.add(
          of(
              "affine",
              Reduction.of(UserOperators.AFFINE),
              (x, y) -> loop(x, UserOperators::affine, UserOperators.pack(1, 0))));
      cases.add(
          of(
              "matrix",
              Reduction.of(UserOperators.MATRIX),
              (x, y) -> loop(x, UserOperators::product, UserOperators.matrix(1, 0, 0, 1))));
      cases.add(
          of(
              "convolution",
              Reduction.of(UserOperators.CONVOLUTION),
              (x, y) -> loop(x, UserOperators::convolution, UserOperators.matrix(1, 0, 0, 0))));
    } else {
      cases.add(
          of(
              "last",
              Reduction.of(UserOperators.LAST_INT),
              (x, y) -> loop(x, (a, b) -> b != 0 ? b : a, 0)));
    }
    return cases;
  }

  private static Number longSum(Values x, Values y, boolean products) {
    long sum = 0;
    for (int i = 0; i < x.length(); i++) {
      sum += products ? x.longAt(i) * y.longAt(i) : x.longAt(i);
    }
    return sum;
  }

  // Floating point

  private static DoubleBinaryOperator rounded(Values x, DoubleBinaryOperator operator) {
    return x.type() == ElementType.FLOAT
        ? (a, b) -> (float) operator.applyAsDouble(a, b)
        : operator;
  }

  private static Number striped(Values x, DoubleBinaryOperator operator, double start) {
    return x.boxed(
        Trees.striped(x.length(), Trees.lead(x.type()), x::doubleAt, rounded(x, operator), start));
  }

  private static Number ordered(Values x, DoubleBinaryOperator operator, double start) {
    return x.boxed(Trees.ordered(x.length(), x::doubleAt, rounded(x, operator), start));
  }

  private static Number plain(Values x, DoubleBinaryOperator operator, double start) {
    double result = start;
    for (int i = 0; i < x.length(); i++) {
      result = operator.applyAsDouble(result, x.doubleAt(i));
    }
    return x.boxed(result);
  }

  private static List<Case> floating(ElementType type) {
    boolean isFloat = type == ElementType.FLOAT;
    List<Case> cases = new ArrayList<>();
    cases.add(of("sum", Reduction.sum(), (x, y) -> striped(x, Double::sum, 0)));
    cases.add(of("product", Reduction.product(), (x, y) -> striped(x, (a, b) -> a * b, 1)));
    cases.add(
        of(
            "min",
            Reduction.min(),
            (x, y) -> isEmpty(x) ? null : plain(x, Math::min, Double.POSITIVE_INFINITY)));
    cases.add(
        of(
            "max",
            Reduction.max(),
            (x, y) -> isEmpty(x) ? null : plain(x, Math::max, Double.NEGATIVE_INFINITY)));
    cases.add(of("squares", Reduction.sumOfSquares(), (x, y) -> products(x, x)));
    cases.add(of("dot", Reduction.dot(), (x, y) -> products(x, y)));
    cases.add(
        of(
            "plus",
            Reduction.of(isFloat ? UserOperators.PLUS_FLOAT : UserOperators.PLUS_DOUBLE),
            (x, y) -> ordered(x, Double::sum, 0)));
    cases.add(
        of(
            "plusCommutative",
            Reduction.of(
                (isFloat ? UserOperators.PLUS_FLOAT : UserOperators.PLUS_DOUBLE).commutative()),
            (x, y) -> striped(x, Double::sum, 0)));
    cases.add(
        of(
            "first",
            Reduction.of(isFloat ? UserOperators.FIRST_FLOAT : UserOperators.FIRST_DOUBLE),
            (x, y) -> plain(x, (a, b) -> a != 0 ? a : b != 0 ? b : 0, 0)));
    Transform half =
        isFloat
            ? Transform.ofFloat("half", v -> v * 0.5f)
            : Transform.ofDouble("half", v -> v * 0.5);
    cases.add(
        of(
            "mapped",
            Reduction.of(Operator.MAX, half),
            (x, y) -> {
              if (isEmpty(x)) {
                return null;
              }
              double best = Double.NEGATIVE_INFINITY;
              for (int i = 0; i < x.length(); i++) {
                double v = x.doubleAt(i) * 0.5;
                best = Math.max(best, isFloat ? (float) v : v);
              }
              return x.boxed(best);
            }));
    cases.add(
        of(
            "indexed",
            Reduction.of(Operator.SUM, FusedFunction.over(type).getLast().transform()),
            (x, y) ->
                x.boxed(
                    Trees.striped(
                        x.length(),
                        Trees.lead(x.type()),
                        i -> (i & 3) == 1 ? -x.doubleAt(i) : x.doubleAt(i),
                        rounded(x, Double::sum),
                        0))));
    return cases;
  }

  private static Number products(Values x, Values y) {
    return Trees.striped(
        x.length(), Trees.lead(x.type()), i -> x.doubleAt(i) * y.doubleAt(i), Double::sum, 0);
  }
}
