package funnel.math;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import funnel.Elements;
import funnel.EngineContract;
import funnel.Seed;
import funnel.jit.KernelCopies;
import funnel.operator.ElementFunction;
import funnel.transform.Elementwise;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Functions of an engine have the bits of the same functions called by a plain loop. */
abstract class ElementaryFunctionsContract extends EngineContract {

  interface OfDouble extends ElementFunction {
    double of(double x);
  }

  interface OfDoubles extends ElementFunction {
    double of(double x, double y);
  }

  interface OfFloat extends ElementFunction {
    float of(float x);
  }

  private static Map<String, OfDouble> ofDouble() {
    Map<String, OfDouble> all = new TreeMap<>();
    all.put("exp", x -> ElementaryFunctions.exp(x));
    all.put("expm1", x -> ElementaryFunctions.expm1(x));
    all.put("log", x -> ElementaryFunctions.log(x));
    all.put("log10", x -> ElementaryFunctions.log10(x));
    all.put("log1p", x -> ElementaryFunctions.log1p(x));
    all.put("cbrt", x -> ElementaryFunctions.cbrt(x));
    all.put("sin", x -> ElementaryFunctions.sin(x));
    all.put("cos", x -> ElementaryFunctions.cos(x));
    all.put("tan", x -> ElementaryFunctions.tan(x));
    all.put("asin", x -> ElementaryFunctions.asin(x));
    all.put("acos", x -> ElementaryFunctions.acos(x));
    all.put("atan", x -> ElementaryFunctions.atan(x));
    all.put("sinh", x -> ElementaryFunctions.sinh(x));
    all.put("cosh", x -> ElementaryFunctions.cosh(x));
    all.put("tanh", x -> ElementaryFunctions.tanh(x));
    all.put("toRadians", x -> ElementaryFunctions.toRadians(x));
    all.put("toDegrees", x -> ElementaryFunctions.toDegrees(x));
    all.put("rint", x -> ElementaryFunctions.rint(x));
    all.put("round", x -> ElementaryFunctions.round(x));
    all.put("signum", x -> ElementaryFunctions.signum(x));
    return all;
  }

  private static Map<String, OfDoubles> ofDoubles() {
    Map<String, OfDoubles> all = new TreeMap<>();
    all.put("pow", (x, y) -> ElementaryFunctions.pow(x, y));
    all.put("hypot", (x, y) -> ElementaryFunctions.hypot(x, y));
    all.put("atan2", (x, y) -> ElementaryFunctions.atan2(x, y));
    all.put("copySign", (x, y) -> ElementaryFunctions.copySign(x, y));
    return all;
  }

  private static Map<String, OfFloat> ofFloat() {
    Map<String, OfFloat> all = new TreeMap<>();
    all.put("expm1", x -> ElementaryFunctions.expm1(x));
    all.put("log10", x -> ElementaryFunctions.log10(x));
    all.put("log1p", x -> ElementaryFunctions.log1p(x));
    all.put("cbrt", x -> ElementaryFunctions.cbrt(x));
    all.put("asin", x -> ElementaryFunctions.asin(x));
    all.put("acos", x -> ElementaryFunctions.acos(x));
    all.put("atan", x -> ElementaryFunctions.atan(x));
    all.put("sinh", x -> ElementaryFunctions.sinh(x));
    all.put("cosh", x -> ElementaryFunctions.cosh(x));
    all.put("tanh", x -> ElementaryFunctions.tanh(x));
    all.put("signum", x -> ElementaryFunctions.signum(x));
    all.put("round", x -> ElementaryFunctions.round(x));
    all.put("exp", x -> ElementaryFunctions.exp(x));
    all.put("log", x -> ElementaryFunctions.log(x));
    all.put("sin", x -> ElementaryFunctions.sin(x));
    all.put("cos", x -> ElementaryFunctions.cos(x));
    all.put("tan", x -> ElementaryFunctions.tan(x));
    return all;
  }

  private void check(String name, OfDouble function) {
    assertFalse(KernelCopies.mayDiffer(function), name);
    double[] x = Arguments.doubles(Seed.random(name), most());
    double[] found = funnel.run(Elementwise.of(name, function), Elements.of(x)).doubles("result");
    for (int i = 0; i < x.length; i++) {
      same(function.of(x[i]), found[i], "%s of %s".formatted(name, x[i]));
    }
  }

  private void checkPairs(String name, OfDoubles function) {
    assertFalse(KernelCopies.mayDiffer(function), name);
    SplittableRandom random = Seed.random(name);
    double[] x = Arguments.doubles(random, most());
    double[] y = Arguments.partners(random, x);
    double[] found =
        funnel
            .run(Elementwise.of(name, function), Elements.of(x), Elements.of(y))
            .doubles("result");
    for (int i = 0; i < x.length; i++) {
      same(function.of(x[i], y[i]), found[i], "%s of %s and %s".formatted(name, x[i], y[i]));
    }
  }

  private void checkFloats(String name, OfFloat function) {
    assertFalse(KernelCopies.mayDiffer(function), name);
    float[] x = Arguments.floats(Seed.random(name), most());
    float[] found = funnel.run(Elementwise.of(name, function), Elements.of(x)).floats("result");
    for (int i = 0; i < x.length; i++) {
      same(function.of(x[i]), found[i], "%s of %s".formatted(name, x[i]));
    }
  }

  private static void same(double wanted, double found, String where) {
    assertEquals(
        Double.doubleToLongBits(wanted),
        Double.doubleToLongBits(found),
        () -> "%s: %s instead of %s%s".formatted(where, found, wanted, Seed.replay()));
  }

  @TestFactory
  Stream<DynamicTest> functionsOfDoubles() {
    return ofDouble().entrySet().stream()
        .map(e -> DynamicTest.dynamicTest(e.getKey(), () -> check(e.getKey(), e.getValue())));
  }

  @TestFactory
  Stream<DynamicTest> functionsOfTwoDoubles() {
    return ofDoubles().entrySet().stream()
        .map(e -> DynamicTest.dynamicTest(e.getKey(), () -> checkPairs(e.getKey(), e.getValue())));
  }

  @TestFactory
  Stream<DynamicTest> functionsOfFloats() {
    return ofFloat().entrySet().stream()
        .map(e -> DynamicTest.dynamicTest(e.getKey(), () -> checkFloats(e.getKey(), e.getValue())));
  }
}
