package funnel.jit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.operator.Comparison;
import funnel.operator.ElementFunction;
import funnel.operator.Operator;
import funnel.operator.Transform;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which functions may give other bits on a device than on the JVM. */
class MayDifferTest {

  private interface Rows extends ElementFunction {
    double of(int i, long l, float x, double y);
  }

  private record Line(double slope) {
    double at(double x) {
      return slope * x + 1;
    }

    double wave(double x) {
      return slope * sine(x);
    }
  }

  private static double sine(double x) {
    return Math.sin(x);
  }

  private static double square(double x) {
    return x * x;
  }

  private static Map<String, Transform.DoubleMap> exact() {
    float[] table = {1, 2};
    double captured = table.length;
    Map<String, Transform.DoubleMap> of = new LinkedHashMap<>();
    of.put("arithmetic", v -> -(v * captured + 3 - v / 7));
    of.put("float arithmetic", v -> -((float) v * 0.1f + 3 - (float) v / 7));
    of.put("conditions", v -> v > 1 && v != 3 || !(v <= captured) ? v : -v);
    of.put("casts", v -> (int) v + (long) v + (float) v + (double) (long) (float) v);
    of.put("integers", v -> ((int) v / 3 << 2 >>> 1) % 5 * 7L / 2);
    of.put(
        "a loop",
        v -> {
          double sum = 0;
          for (int i = 0; i < 5; i++) {
            sum += v;
          }
          return sum;
        });
    of.put("a look-up", v -> table[(int) v] * 2);
    of.put("abs", v -> Math.abs(v) + Math.abs((float) v) + Math.abs((int) v) + Math.abs((long) v));
    of.put("min and max", v -> Math.min(v, Math.max(1, v)) + Float.max(1, Float.min(2, (float) v)));
    of.put("sqrt", v -> 1 / Math.sqrt(v) + (float) Math.sqrt((float) v));
    of.put("fma", v -> Math.fma(v, v, 1) + Math.fma(1f, 2f, (float) v));
    of.put("floor and ceil", v -> Math.floor(v) + Math.ceil(v));
    of.put("clamp", v -> Math.clamp(v, 1.0, 2.0));
    of.put("compare", v -> Double.compare(v, 1) + Float.compare((float) v, 2));
    of.put("isNaN", v -> Double.isNaN(v) || Float.isNaN((float) v) ? 1 : v);
    of.put("sum", v -> Double.sum(v, 1) + Float.sum((float) v, 1) + Integer.sum((int) v, 1));
    of.put("own methods", v -> square(square(v)));
    of.put("an object's method", new Line(2)::at);
    of.put("a method of the JDK", Math::abs);
    return of;
  }

  private static Map<String, Transform.DoubleMap> more() {
    Map<String, Transform.DoubleMap> of = new LinkedHashMap<>();
    of.put("sin", v -> Math.sin(v));
    of.put("exp", Math::exp);
    of.put("pow", v -> Math.pow(v, 2));
    of.put("rint", v -> Math.rint(v));
    of.put("round", v -> Math.round(v));
    of.put("signum", v -> Math.signum(v));
    of.put("copySign", v -> Math.copySign(v, 1));
    of.put("hypot", v -> Math.hypot(v, 1));
    of.put("strict", v -> StrictMath.sqrt(v));
    of.put("bits", v -> Double.doubleToRawLongBits(v));
    of.put("remainder", v -> v % 3);
    of.put("float remainder", v -> (float) v % 3);
    of.put("an infinite constant", v -> v < 5 ? v : Double.POSITIVE_INFINITY);
    of.put("narrow ints", v -> (byte) v + (short) v + (char) v);
    of.put("rotateLeft", v -> Integer.rotateLeft((int) v, 3));
    of.put("floorDiv", v -> Math.floorDiv((int) v, 3));
    of.put("in a method", v -> square(sine(v)));
    of.put("in an object's method", new Line(2)::wave);
    return of;
  }

  private static void check(boolean mayDiffer, Map<String, ? extends Serializable> functions) {
    functions.forEach((name, each) -> assertEquals(mayDiffer, KernelCopies.mayDiffer(each), name));
  }

  @Test
  void whatDevicesComputeAsJavaDoes() {
    check(false, exact());
  }

  /** By Funnel's own functions, forms, and the JDK's code. */
  @Test
  void whatTheyComputeByOtherCode() {
    check(false, more());
  }

  /** An integer is right or wrong: a check of its bits finds out. */
  @Test
  void functionsOverIntegers_areCompared() {
    Operator.IntCombine rotate = (a, b) -> Integer.rotateLeft(a, b) + (byte) b;
    Transform.LongTest test = v -> Math.floorMod(v, 3) == 1;
    Comparison.IntComparator order = (a, b) -> Integer.compare(a & 255, b & 255);
    check(false, Map.of("rotate", rotate, "test", test, "order", order));
  }

  @Test
  void functionsOverIntegers_mayComputeWithOthers() {
    Transform.IntMap wave = v -> (int) (100 * Math.sin(v));
    Transform.IntMap half = v -> (int) (v * 0.5);
    check(false, Map.of("wave", wave, "half", half));
  }

  @Test
  void functionsOfSeveralTypes() {
    Rows sum = (i, l, x, y) -> i + l + x + y;
    Rows power = (i, l, x, y) -> Math.pow(x, y);
    check(false, Map.of("sum", sum, "power", power));
  }

  @Test
  void operators() {
    Operator.DoubleCombine hypot = (a, b) -> Math.sqrt(a * a + b * b);
    Operator.FloatCombine max = Math::max;
    Operator.DoubleCombine atan = Math::atan2;
    check(false, Map.of("hypot", hypot, "max", max, "atan", atan));
  }
}
