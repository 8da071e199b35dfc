package funnel.bench;

import funnel.math.ElementaryFunctions;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleBinaryOperator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Elementary functions over arrays of doubles, and their forms of floats, beside those of the JDK;
 * µs for 4,096 elements, by one thread. Run as {@link ReduceJmh} is. The JDK has no forms of
 * floats: their peer is its function of doubles, rounded.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class ElementaryFunctionsJmh {

  private static final int LENGTH = 4096;

  private interface OfFloat {
    float of(float x);
  }

  /** A function, as Funnel and as the JDK have it, and a range of arguments. */
  private record Function(
      DoubleBinaryOperator funnel,
      DoubleBinaryOperator math,
      DoubleBinaryOperator strict,
      OfFloat floats,
      double least,
      double most) {}

  /** Which function. */
  @Param({
    "exp", "expm1", "log", "log10", "log1p", "pow", "cbrt", "hypot", "sin", "cos", "tan", "asin",
    "acos", "atan", "atan2", "sinh", "cosh", "tanh"
  })
  public String name;

  private Function function;
  private final double[] x = new double[LENGTH];
  private final double[] y = new double[LENGTH];
  private final double[] result = new double[LENGTH];
  private final float[] floats = new float[LENGTH];
  private final float[] floatResult = new float[LENGTH];

  private static Function of(String name) {
    return switch (name) {
      case "exp" ->
          new Function(
              (x, y) -> ElementaryFunctions.exp(x),
              (x, y) -> Math.exp(x),
              (x, y) -> StrictMath.exp(x),
              x -> ElementaryFunctions.exp(x),
              -80,
              80);
      case "expm1" ->
          new Function(
              (x, y) -> ElementaryFunctions.expm1(x),
              (x, y) -> Math.expm1(x),
              (x, y) -> StrictMath.expm1(x),
              x -> ElementaryFunctions.expm1(x),
              -20,
              20);
      case "log" ->
          new Function(
              (x, y) -> ElementaryFunctions.log(x),
              (x, y) -> Math.log(x),
              (x, y) -> StrictMath.log(x),
              x -> ElementaryFunctions.log(x),
              0,
              1000);
      case "log10" ->
          new Function(
              (x, y) -> ElementaryFunctions.log10(x),
              (x, y) -> Math.log10(x),
              (x, y) -> StrictMath.log10(x),
              x -> ElementaryFunctions.log10(x),
              0,
              1000);
      case "log1p" ->
          new Function(
              (x, y) -> ElementaryFunctions.log1p(x),
              (x, y) -> Math.log1p(x),
              (x, y) -> StrictMath.log1p(x),
              x -> ElementaryFunctions.log1p(x),
              -1,
              1000);
      case "pow" ->
          new Function(
              (x, y) -> ElementaryFunctions.pow(x, y),
              (x, y) -> Math.pow(x, y),
              (x, y) -> StrictMath.pow(x, y),
              x -> ElementaryFunctions.pow(x, 1.7f),
              0,
              100);
      case "cbrt" ->
          new Function(
              (x, y) -> ElementaryFunctions.cbrt(x),
              (x, y) -> Math.cbrt(x),
              (x, y) -> StrictMath.cbrt(x),
              x -> ElementaryFunctions.cbrt(x),
              -1000,
              1000);
      case "hypot" ->
          new Function(
              (x, y) -> ElementaryFunctions.hypot(x, y),
              (x, y) -> Math.hypot(x, y),
              (x, y) -> StrictMath.hypot(x, y),
              x -> (float) ElementaryFunctions.hypot(x, 1),
              -100,
              100);
      case "sin" ->
          new Function(
              (x, y) -> ElementaryFunctions.sin(x),
              (x, y) -> Math.sin(x),
              (x, y) -> StrictMath.sin(x),
              x -> ElementaryFunctions.sin(x),
              -100,
              100);
      case "cos" ->
          new Function(
              (x, y) -> ElementaryFunctions.cos(x),
              (x, y) -> Math.cos(x),
              (x, y) -> StrictMath.cos(x),
              x -> ElementaryFunctions.cos(x),
              -100,
              100);
      case "tan" ->
          new Function(
              (x, y) -> ElementaryFunctions.tan(x),
              (x, y) -> Math.tan(x),
              (x, y) -> StrictMath.tan(x),
              x -> ElementaryFunctions.tan(x),
              -100,
              100);
      case "asin" ->
          new Function(
              (x, y) -> ElementaryFunctions.asin(x),
              (x, y) -> Math.asin(x),
              (x, y) -> StrictMath.asin(x),
              x -> ElementaryFunctions.asin(x),
              -1,
              1);
      case "acos" ->
          new Function(
              (x, y) -> ElementaryFunctions.acos(x),
              (x, y) -> Math.acos(x),
              (x, y) -> StrictMath.acos(x),
              x -> ElementaryFunctions.acos(x),
              -1,
              1);
      case "atan" ->
          new Function(
              (x, y) -> ElementaryFunctions.atan(x),
              (x, y) -> Math.atan(x),
              (x, y) -> StrictMath.atan(x),
              x -> ElementaryFunctions.atan(x),
              -10,
              10);
      case "atan2" ->
          new Function(
              (x, y) -> ElementaryFunctions.atan2(x, y),
              (x, y) -> Math.atan2(x, y),
              (x, y) -> StrictMath.atan2(x, y),
              x -> (float) ElementaryFunctions.atan2(x, 1),
              -10,
              10);
      case "sinh" ->
          new Function(
              (x, y) -> ElementaryFunctions.sinh(x),
              (x, y) -> Math.sinh(x),
              (x, y) -> StrictMath.sinh(x),
              x -> ElementaryFunctions.sinh(x),
              -80,
              80);
      case "cosh" ->
          new Function(
              (x, y) -> ElementaryFunctions.cosh(x),
              (x, y) -> Math.cosh(x),
              (x, y) -> StrictMath.cosh(x),
              x -> ElementaryFunctions.cosh(x),
              -80,
              80);
      case "tanh" ->
          new Function(
              (x, y) -> ElementaryFunctions.tanh(x),
              (x, y) -> Math.tanh(x),
              (x, y) -> StrictMath.tanh(x),
              x -> ElementaryFunctions.tanh(x),
              -5,
              5);
      default -> throw new IllegalArgumentException(name);
    };
  }

  /** Draws the arguments. */
  @Setup
  public void draw() {
    function = of(name);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < LENGTH; i++) {
      x[i] = random.nextDouble(function.least(), function.most());
      y[i] = random.nextDouble(-10, 10);
      floats[i] = (float) x[i];
    }
  }

  private double[] each(DoubleBinaryOperator of) {
    for (int i = 0; i < LENGTH; i++) {
      result[i] = of.applyAsDouble(x[i], y[i]);
    }
    return result;
  }

  /** {@link ElementaryFunctions}. */
  @Benchmark
  public double[] funnel() {
    return each(function.funnel());
  }

  /** {@link Math}. */
  @Benchmark
  public double[] math() {
    return each(function.math());
  }

  /** {@link StrictMath}. */
  @Benchmark
  public double[] strict() {
    return each(function.strict());
  }

  /**
   * {@link ElementaryFunctions} of floats; of functions of two arguments, with a fixed second.
   * There are no {@code hypot} and {@code atan2} of floats: those of doubles, rounded.
   */
  @Benchmark
  public float[] funnelFloats() {
    OfFloat of = function.floats();
    for (int i = 0; i < LENGTH; i++) {
      floatResult[i] = of.of(floats[i]);
    }
    return floatResult;
  }
}
