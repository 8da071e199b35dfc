package funnel.suite;

import static funnel.suite.Trials.DOUBLES;
import static funnel.suite.Trials.INTS;
import static funnel.suite.Trials.LONGS;
import static funnel.suite.Trials.bit;
import static funnel.suite.Trials.capability;
import static funnel.suite.Trials.doubles;
import static funnel.suite.Trials.each;
import static funnel.suite.Trials.ints;
import static funnel.suite.Trials.longs;
import static funnel.suite.Trials.range;
import static funnel.suite.Trials.reliedOn;
import static funnel.suite.Trials.wins;
import static funnel.suite.Trials.workedAround;

import funnel.kernel.KernelTask;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;

/** Rules on doubles. */
final class DoubleRules {

  private DoubleRules() {}

  static List<JitRule> all() {
    return Stream.of(comparisons(), arithmetic(), constants(), conversions())
        .flatMap(List::stream)
        .toList();
  }

  private static List<JitRule> comparisons() {
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
            }));
  }

  private static List<JitRule> arithmetic() {
    double[] a = Trials.lefts(DOUBLES);
    double[] b = Trials.rights(DOUBLES);
    return List.of(
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
            }));
  }

  private static List<JitRule> constants() {
    return List.of(
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
            }));
  }

  private static List<JitRule> conversions() {
    return List.of(
        reliedOn(
            "copied-bits-of-double",
            "Double.doubleToRawLongBits of what is loaded, stored as it is, and read after a"
                + " barrier",
            () ->
                each(
                    FloatKernels::copiedBitsOfDouble,
                    doubles(DOUBLES),
                    Expected.longs(
                        longs(DOUBLES.length, i -> Double.doubleToRawLongBits(DOUBLES[i]) ^ 1)))),
        reliedOn(
            "copied-double-of-bits",
            "Double.longBitsToDouble of what is loaded, stored as it is",
            () ->
                each(
                    FloatKernels::copiedDoubleOfBits,
                    longs(LONGS),
                    Expected.doubles(
                        doubles(LONGS.length, i -> Double.longBitsToDouble(LONGS[i]))))),
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
}
