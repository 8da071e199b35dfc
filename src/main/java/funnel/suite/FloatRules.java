package funnel.suite;

import static funnel.suite.Trials.DOUBLES;
import static funnel.suite.Trials.FLOATS;
import static funnel.suite.Trials.INTS;
import static funnel.suite.Trials.LONGS;
import static funnel.suite.Trials.capability;
import static funnel.suite.Trials.doubles;
import static funnel.suite.Trials.each;
import static funnel.suite.Trials.floats;
import static funnel.suite.Trials.ints;
import static funnel.suite.Trials.longs;
import static funnel.suite.Trials.reliedOn;
import static funnel.suite.Trials.workedAround;

import funnel.kernel.KernelTask;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Rules on floating-point numbers. */
final class FloatRules {

  private FloatRules() {}

  static List<JitRule> all() {
    return Stream.of(floatRules(), doubleRules(), mixedRules()).flatMap(List::stream).toList();
  }

  private static List<JitRule> floatRules() {
    float[] a = Trials.lefts(FLOATS);
    float[] b = Trials.rights(FLOATS);
    return List.of(
        reliedOn(
            "less-greater-equal-float",
            "<, >, == and x != x with NaN among the floats",
            () ->
                each(
                    FloatKernels::orderedFloat,
                    floats(a),
                    floats(b),
                    Expected.ints(
                        range(a.length)
                            .flatMap(
                                i ->
                                    IntStream.of(
                                        bit(a[i] < b[i]),
                                        bit(a[i] > b[i]),
                                        bit(a[i] == b[i]),
                                        bit(Float.isNaN(a[i]))))
                            .toArray()))),
        workedAround(
            "less-or-equal-float",
            "<= and >= are false for NaN",
            () ->
                each(
                    FloatKernels::orderedOrEqualFloat,
                    floats(a),
                    floats(b),
                    Expected.ints(
                        range(a.length)
                            .flatMap(i -> IntStream.of(bit(a[i] <= b[i]), bit(a[i] >= b[i])))
                            .toArray()))),
        workedAround(
            "math-min-max-float",
            "Math.min and Math.max of floats give NaN if either is, and -0.0 is below 0.0",
            () ->
                each(
                    FloatKernels::mathMinMaxFloat,
                    floats(a),
                    floats(b),
                    Expected.floats(
                        floats(
                            2 * a.length,
                            i ->
                                i % 2 == 0
                                    ? Math.min(a[i / 2], b[i / 2])
                                    : Math.max(a[i / 2], b[i / 2]))))),
        reliedOn(
            "scalars-min-max-float",
            "Scalars.min and Scalars.max are Math.min and Math.max of floats",
            () ->
                each(
                    FloatKernels::scalarsMinMaxFloat,
                    floats(a),
                    floats(b),
                    Expected.floats(
                        floats(
                            2 * a.length,
                            i ->
                                i % 2 == 0
                                    ? Math.min(a[i / 2], b[i / 2])
                                    : Math.max(a[i / 2], b[i / 2]))))),
        reliedOn(
            "scalars-order-float",
            "Scalars.isSmaller and isLarger order floats as Math.min and Math.max do",
            () ->
                each(
                    FloatKernels::scalarsOrderFloat,
                    floats(a),
                    floats(b),
                    Expected.ints(
                        range(a.length)
                            .flatMap(
                                i ->
                                    IntStream.of(
                                        bit(wins(Math.min(a[i], b[i]), a[i], b[i])),
                                        bit(wins(Math.max(a[i], b[i]), a[i], b[i]))))
                            .toArray()))),
        reliedOn(
            "sign-of-zero-float",
            "1 / x tells -0.0 from 0.0",
            () -> {
              float[] x = {0f, -0f, 1f, -1f, 3f, -3f, 1e10f, -1e10f};
              return each(
                  FloatKernels::reciprocalFloat,
                  floats(x),
                  Expected.ints(ints(x.length, i -> i % 2)));
            }),
        reliedOn(
            "add-subtract-multiply-float",
            "sums, differences and products of floats are rounded to nearest, subnormals kept",
            () ->
                each(
                    FloatKernels::arithmeticFloat,
                    floats(a),
                    floats(b),
                    Expected.floats(
                        floats(
                            3 * a.length,
                            i ->
                                switch (i % 3) {
                                  case 0 -> a[i / 3] + b[i / 3];
                                  case 1 -> a[i / 3] - b[i / 3];
                                  default -> a[i / 3] * b[i / 3];
                                })))),
        capability(
            "divide-float",
            "quotients of floats are rounded to nearest",
            () -> {
              float[] x = Trials.randomFloats(256, 1);
              float[] y = Trials.randomFloats(256, 2);
              return each(
                  FloatKernels::quotientFloat,
                  floats(x),
                  floats(y),
                  Expected.floats(floats(256, i -> x[i] / y[i])));
            }),
        workedAround(
            "multiply-add-float",
            "a * b + c rounds the product before the sum",
            () -> {
              float[] x = Trials.randomFloats(256, 1);
              float[] y = Trials.randomFloats(256, 2);
              float[] z = floats(256, i -> -(x[i] * y[i]));
              return each(
                  FloatKernels::multiplyAddFloat,
                  floats(x),
                  floats(y),
                  floats(z),
                  Expected.floats(floats(256, i -> x[i] * y[i] + z[i])));
            }),
        reliedOn(
            "guarded-multiply-add-float",
            "a product that a guard stands before is rounded before it is added",
            () -> {
              int threads = 64;
              int perThread = 8;
              int length = 1500;
              float[] x = Trials.randomFloats(length, 1);
              float[] y = Trials.randomFloats(length, 2);
              Expected<FloatArray> out =
                  Expected.floats(
                      floats(
                          threads,
                          i -> {
                            float sum = 0f;
                            for (int item = i; item < length; item += threads) {
                              float product = x[item] * y[item];
                              sum += product;
                            }
                            return sum;
                          }));
              return JitTrial.of(
                  KernelTask.of(
                      "each",
                      Trials.gridFor(threads),
                      FloatKernels::guardedMultiplyAddFloat,
                      ints(length, threads),
                      floats(x),
                      floats(y),
                      out.array(),
                      perThread),
                  out);
            }),
        reliedOn(
            "sum-in-order-float",
            "a loop adds floats one by one, in its order",
            () -> {
              int threads = 64;
              int length = 1500;
              float[] x = Trials.randomFloats(length, 1);
              Expected<FloatArray> out =
                  Expected.floats(
                      floats(
                          threads,
                          i -> {
                            float sum = 0f;
                            for (int item = i; item < length; item += threads) {
                              sum += x[item];
                            }
                            return sum;
                          }));
              return JitTrial.of(
                  KernelTask.of(
                      "each",
                      Trials.gridFor(threads),
                      FloatKernels::serialSumFloat,
                      ints(length, threads),
                      floats(x),
                      out.array()),
                  out);
            }),
        capability(
            "infinity-as-start-float",
            "a loop can start from the constant infinity",
            () -> {
              float[] x = Trials.randomFloats(320, 1);
              return each(
                  FloatKernels::infinityConstantFloat,
                  floats(x),
                  Expected.floats(
                      floats(
                          32,
                          i -> {
                            float smallest = x[i];
                            for (int item = i; item < 320; item += 32) {
                              smallest = Math.min(smallest, x[item]);
                            }
                            return smallest;
                          })));
            }),
        capability(
            "infinity-as-operand-float",
            "the constant infinity can be an operand",
            () ->
                each(
                    FloatKernels::infinityOperandFloat,
                    floats(FLOATS),
                    Expected.floats(
                        floats(FLOATS.length, i -> FLOATS[i] + Float.POSITIVE_INFINITY)))),
        reliedOn(
            "identity-as-argument-float",
            "infinities and -0.0 can be scalar arguments",
            () -> {
              int[] selected = {0, 1, 2, 0, 2, 1};
              float[] identities = {Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, -0f};
              Expected<FloatArray> out =
                  Expected.floats(floats(selected.length, i -> identities[selected[i]]));
              return JitTrial.of(
                  KernelTask.of(
                      "each",
                      Trials.gridFor(selected.length),
                      FloatKernels::identityFloat,
                      ints(selected),
                      out.array(),
                      identities[0],
                      identities[1],
                      identities[2]),
                  out);
            }),
        reliedOn(
            "float-from-int",
            "an int becomes the nearest float",
            () ->
                each(
                    FloatKernels::fromIntFloat,
                    ints(INTS),
                    Expected.floats(floats(INTS.length, i -> (float) INTS[i])))),
        reliedOn(
            "float-from-long",
            "a long becomes the nearest float",
            () ->
                each(
                    FloatKernels::fromLongFloat,
                    longs(LONGS),
                    Expected.floats(floats(LONGS.length, i -> (float) LONGS[i])))),
        capability(
            "int-from-float",
            "(int) of a normal float in range cuts the fraction off",
            () -> {
              float[] x = {1f, -1f, 1.5f, -1.5f, 0.99f, 123456.7f, -8388607.5f, 1e9f};
              return each(
                  FloatKernels::toIntFloat,
                  floats(x),
                  Expected.ints(ints(x.length, i -> (int) x[i])));
            }),
        workedAround(
            "int-from-special-float",
            "(int) of NaN is 0, of infinity and large floats the nearest int",
            () ->
                each(
                    FloatKernels::toIntFloat,
                    floats(FLOATS),
                    Expected.ints(ints(FLOATS.length, i -> (int) FLOATS[i])))),
        workedAround(
            "long-from-float",
            "(long) of a float beyond the ints keeps its high bits",
            () -> {
              float[] x = {1f, -1f, 3e9f, -3e9f, 1e10f, -1e15f, 9e18f, -9e18f};
              return each(
                  FloatKernels::toLongFloat,
                  floats(x),
                  Expected.longs(longs(x.length, i -> (long) x[i])));
            }),
        workedAround(
            "long-from-special-float",
            "(long) of NaN is 0, of infinity and large floats the nearest long",
            () ->
                each(
                    FloatKernels::toLongFloat,
                    floats(FLOATS),
                    Expected.longs(longs(FLOATS.length, i -> (long) FLOATS[i])))));
  }

  private static List<JitRule> doubleRules() {
    double[] a = Trials.lefts(DOUBLES);
    double[] b = Trials.rights(DOUBLES);
    return List.of(
        reliedOn(
            "less-greater-equal-double",
            "<, >, == and x != x with NaN among the doubles",
            () ->
                each(
                    FloatKernels::orderedDouble,
                    doubles(a),
                    doubles(b),
                    Expected.ints(
                        range(a.length)
                            .flatMap(
                                i ->
                                    IntStream.of(
                                        bit(a[i] < b[i]),
                                        bit(a[i] > b[i]),
                                        bit(a[i] == b[i]),
                                        bit(Double.isNaN(a[i]))))
                            .toArray()))),
        workedAround(
            "less-or-equal-double",
            "<= and >= are false for NaN",
            () ->
                each(
                    FloatKernels::orderedOrEqualDouble,
                    doubles(a),
                    doubles(b),
                    Expected.ints(
                        range(a.length)
                            .flatMap(i -> IntStream.of(bit(a[i] <= b[i]), bit(a[i] >= b[i])))
                            .toArray()))),
        workedAround(
            "math-min-max-double",
            "Math.min and Math.max of doubles give NaN if either is, and -0.0 is below 0.0",
            () ->
                each(
                    FloatKernels::mathMinMaxDouble,
                    doubles(a),
                    doubles(b),
                    Expected.doubles(
                        doubles(
                            2 * a.length,
                            i ->
                                i % 2 == 0
                                    ? Math.min(a[i / 2], b[i / 2])
                                    : Math.max(a[i / 2], b[i / 2]))))),
        reliedOn(
            "scalars-min-max-double",
            "Scalars.min and Scalars.max are Math.min and Math.max of doubles",
            () ->
                each(
                    FloatKernels::scalarsMinMaxDouble,
                    doubles(a),
                    doubles(b),
                    Expected.doubles(
                        doubles(
                            2 * a.length,
                            i ->
                                i % 2 == 0
                                    ? Math.min(a[i / 2], b[i / 2])
                                    : Math.max(a[i / 2], b[i / 2]))))),
        reliedOn(
            "scalars-order-double",
            "Scalars.isSmaller and isLarger order doubles as Math.min and Math.max do",
            () ->
                each(
                    FloatKernels::scalarsOrderDouble,
                    doubles(a),
                    doubles(b),
                    Expected.ints(
                        range(a.length)
                            .flatMap(
                                i ->
                                    IntStream.of(
                                        bit(wins(Math.min(a[i], b[i]), a[i], b[i])),
                                        bit(wins(Math.max(a[i], b[i]), a[i], b[i]))))
                            .toArray()))),
        reliedOn(
            "sign-of-zero-double",
            "1 / x tells -0.0 from 0.0",
            () -> {
              double[] x = {0d, -0d, 1d, -1d, 3d, -3d, 1e10d, -1e10d};
              return each(
                  FloatKernels::reciprocalDouble,
                  doubles(x),
                  Expected.ints(ints(x.length, i -> i % 2)));
            }),
        reliedOn(
            "add-subtract-multiply-double",
            "sums, differences and products of doubles are rounded to nearest, subnormals kept",
            () ->
                each(
                    FloatKernels::arithmeticDouble,
                    doubles(a),
                    doubles(b),
                    Expected.doubles(
                        doubles(
                            3 * a.length,
                            i ->
                                switch (i % 3) {
                                  case 0 -> a[i / 3] + b[i / 3];
                                  case 1 -> a[i / 3] - b[i / 3];
                                  default -> a[i / 3] * b[i / 3];
                                })))),
        reliedOn(
            "divide-double",
            "quotients of doubles are rounded to nearest",
            () -> {
              double[] x = Trials.randomDoubles(256, 1);
              double[] y = Trials.randomDoubles(256, 2);
              return each(
                  FloatKernels::quotientDouble,
                  doubles(x),
                  doubles(y),
                  Expected.doubles(doubles(256, i -> x[i] / y[i])));
            }),
        workedAround(
            "multiply-add-double",
            "a * b + c rounds the product before the sum",
            () -> {
              double[] x = Trials.randomDoubles(256, 1);
              double[] y = Trials.randomDoubles(256, 2);
              double[] z = doubles(256, i -> -(x[i] * y[i]));
              return each(
                  FloatKernels::multiplyAddDouble,
                  doubles(x),
                  doubles(y),
                  doubles(z),
                  Expected.doubles(doubles(256, i -> x[i] * y[i] + z[i])));
            }),
        reliedOn(
            "guarded-multiply-add-double",
            "a product that a guard stands before is rounded before it is added",
            () -> {
              int threads = 64;
              int perThread = 8;
              int length = 1500;
              double[] x = Trials.randomDoubles(length, 1);
              double[] y = Trials.randomDoubles(length, 2);
              Expected<DoubleArray> out =
                  Expected.doubles(
                      doubles(
                          threads,
                          i -> {
                            double sum = 0d;
                            for (int item = i; item < length; item += threads) {
                              double product = x[item] * y[item];
                              sum += product;
                            }
                            return sum;
                          }));
              return JitTrial.of(
                  KernelTask.of(
                      "each",
                      Trials.gridFor(threads),
                      FloatKernels::guardedMultiplyAddDouble,
                      ints(length, threads),
                      doubles(x),
                      doubles(y),
                      out.array(),
                      perThread),
                  out);
            }),
        reliedOn(
            "sum-in-order-double",
            "a loop adds doubles one by one, in its order",
            () -> {
              int threads = 64;
              int length = 1500;
              double[] x = Trials.randomDoubles(length, 1);
              Expected<DoubleArray> out =
                  Expected.doubles(
                      doubles(
                          threads,
                          i -> {
                            double sum = 0d;
                            for (int item = i; item < length; item += threads) {
                              sum += x[item];
                            }
                            return sum;
                          }));
              return JitTrial.of(
                  KernelTask.of(
                      "each",
                      Trials.gridFor(threads),
                      FloatKernels::serialSumDouble,
                      ints(length, threads),
                      doubles(x),
                      out.array()),
                  out);
            }),
        capability(
            "infinity-as-start-double",
            "a loop can start from the constant infinity",
            () -> {
              double[] x = Trials.randomDoubles(320, 1);
              return each(
                  FloatKernels::infinityConstantDouble,
                  doubles(x),
                  Expected.doubles(
                      doubles(
                          32,
                          i -> {
                            double smallest = x[i];
                            for (int item = i; item < 320; item += 32) {
                              smallest = Math.min(smallest, x[item]);
                            }
                            return smallest;
                          })));
            }),
        workedAround(
            "infinity-as-operand-double",
            "the constant infinity can be an operand",
            () ->
                each(
                    FloatKernels::infinityOperandDouble,
                    doubles(DOUBLES),
                    Expected.doubles(
                        doubles(DOUBLES.length, i -> DOUBLES[i] + Double.POSITIVE_INFINITY)))),
        reliedOn(
            "identity-as-argument-double",
            "infinities and -0.0 can be scalar arguments",
            () -> {
              int[] selected = {0, 1, 2, 0, 2, 1};
              double[] identities = {Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -0d};
              Expected<DoubleArray> out =
                  Expected.doubles(doubles(selected.length, i -> identities[selected[i]]));
              return JitTrial.of(
                  KernelTask.of(
                      "each",
                      Trials.gridFor(selected.length),
                      FloatKernels::identityDouble,
                      ints(selected),
                      out.array(),
                      identities[0],
                      identities[1],
                      identities[2]),
                  out);
            }),
        reliedOn(
            "double-from-int",
            "an int becomes the nearest double",
            () ->
                each(
                    FloatKernels::fromIntDouble,
                    ints(INTS),
                    Expected.doubles(doubles(INTS.length, i -> (double) INTS[i])))),
        reliedOn(
            "double-from-long",
            "a long becomes the nearest double",
            () ->
                each(
                    FloatKernels::fromLongDouble,
                    longs(LONGS),
                    Expected.doubles(doubles(LONGS.length, i -> (double) LONGS[i])))),
        capability(
            "int-from-double",
            "(int) of a normal double in range cuts the fraction off",
            () -> {
              double[] x = {1d, -1d, 1.5d, -1.5d, 0.99d, 123456.7d, -8388607.5d, 1e9d};
              return each(
                  FloatKernels::toIntDouble,
                  doubles(x),
                  Expected.ints(ints(x.length, i -> (int) x[i])));
            }),
        workedAround(
            "int-from-special-double",
            "(int) of NaN is 0, of infinity and large doubles the nearest int",
            () ->
                each(
                    FloatKernels::toIntDouble,
                    doubles(DOUBLES),
                    Expected.ints(ints(DOUBLES.length, i -> (int) DOUBLES[i])))),
        workedAround(
            "long-from-double",
            "(long) of a double beyond the ints keeps its high bits",
            () -> {
              double[] x = {1d, -1d, 3e9d, -3e9d, 1e10d, -1e15d, 9e18d, -9e18d};
              return each(
                  FloatKernels::toLongDouble,
                  doubles(x),
                  Expected.longs(longs(x.length, i -> (long) x[i])));
            }),
        workedAround(
            "long-from-special-double",
            "(long) of NaN is 0, of infinity and large doubles the nearest long",
            () ->
                each(
                    FloatKernels::toLongDouble,
                    doubles(DOUBLES),
                    Expected.longs(longs(DOUBLES.length, i -> (long) DOUBLES[i])))));
  }

  private static List<JitRule> mixedRules() {
    return List.of(
        workedAround(
            "infinities-of-both-types",
            "a float and a double infinity can be in one kernel",
            () -> {
              Expected<FloatArray> out =
                  Expected.floats(
                      floats(
                          FLOATS.length, i -> FLOATS[i] < 0 ? Float.NEGATIVE_INFINITY : FLOATS[i]));
              Expected<DoubleArray> wide =
                  Expected.doubles(
                      doubles(
                          FLOATS.length,
                          i -> FLOATS[i] < 0 ? Double.NEGATIVE_INFINITY : FLOATS[i]));
              return JitTrial.of(
                  KernelTask.of(
                      "each",
                      Trials.gridFor(FLOATS.length),
                      FloatKernels::bothInfinities,
                      floats(FLOATS),
                      out.array(),
                      wide.array()),
                  out,
                  wide);
            }),
        workedAround(
            "joined-conditions-float",
            "comparisons of floats may be joined by && and ||, also with NaN",
            () -> order(FloatKernels::joined)),
        reliedOn(
            "conditions-as-bits-float",
            "comparisons of floats turned into 0 and 1 may be joined by & and |",
            () -> order(FloatKernels::bits)),
        reliedOn(
            "double-from-float",
            "a float becomes the same double",
            () ->
                each(
                    FloatKernels::widened,
                    floats(FLOATS),
                    Expected.doubles(doubles(FLOATS.length, i -> FLOATS[i])))),
        capability(
            "float-from-double",
            "a double becomes the nearest float",
            () ->
                each(
                    FloatKernels::narrowed,
                    doubles(DOUBLES),
                    Expected.floats(floats(DOUBLES.length, i -> (float) DOUBLES[i])))),
        capability(
            "square-root-float",
            "(float) Math.sqrt of a float is rounded to nearest",
            () -> {
              float[] x = floats(256, i -> i + 1 / 3f);
              return each(
                  FloatKernels::squareRootFloat,
                  floats(x),
                  Expected.floats(floats(256, i -> (float) Math.sqrt(x[i]))));
            }),
        capability(
            "tornado-square-root-float",
            "TornadoMath.sqrt of a float is rounded to nearest",
            () -> {
              float[] x = floats(256, i -> i + 1 / 3f);
              return each(
                  FloatKernels::tornadoSquareRoot,
                  floats(x),
                  Expected.floats(floats(256, i -> (float) Math.sqrt(x[i]))));
            }),
        capability(
            "square-root-double",
            "Math.sqrt of a double is rounded to nearest",
            () -> {
              double[] x = doubles(256, i -> i + 1 / 3d);
              return each(
                  FloatKernels::squareRootDouble,
                  doubles(x),
                  Expected.doubles(doubles(256, i -> Math.sqrt(x[i]))));
            }));
  }

  private static JitTrial order(KernelTask.Kernel4<FloatArray, FloatArray, IntArray> kernel) {
    float[] a = Trials.lefts(FLOATS);
    float[] b = Trials.rights(FLOATS);
    return each(
        kernel,
        floats(a),
        floats(b),
        Expected.ints(ints(a.length, i -> bit(wins(Math.min(a[i], b[i]), a[i], b[i])))));
  }

  private static IntStream range(int n) {
    return IntStream.range(0, n);
  }

  private static int bit(boolean condition) {
    return condition ? 1 : 0;
  }

  /** Whether the winner of min or max is the one operand and not the other, NaN being equal. */
  private static boolean wins(Number winner, Number operand, Number other) {
    return winner.equals(operand) && !winner.equals(other);
  }
}
