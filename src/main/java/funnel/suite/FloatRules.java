package funnel.suite;

import static funnel.suite.Trials.FLOATS;
import static funnel.suite.Trials.INTS;
import static funnel.suite.Trials.LONGS;
import static funnel.suite.Trials.bit;
import static funnel.suite.Trials.capability;
import static funnel.suite.Trials.each;
import static funnel.suite.Trials.floats;
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
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;

/** Rules on floats. */
final class FloatRules {

  private FloatRules() {}

  static List<JitRule> all() {
    return Stream.of(comparisons(), arithmetic(), constants(), conversions())
        .flatMap(List::stream)
        .toList();
  }

  private static List<JitRule> comparisons() {
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
            }));
  }

  private static List<JitRule> arithmetic() {
    float[] a = Trials.lefts(FLOATS);
    float[] b = Trials.rights(FLOATS);
    return List.of(
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
            }));
  }

  private static List<JitRule> constants() {
    return List.of(
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
            }));
  }

  private static List<JitRule> conversions() {
    return List.of(
        reliedOn(
            "copied-bits-of-float",
            "Float.floatToRawIntBits of what is loaded, stored as it is, and read after a barrier",
            () ->
                each(
                    FloatKernels::copiedBitsOfFloat,
                    floats(FLOATS),
                    Expected.ints(
                        ints(FLOATS.length, i -> Float.floatToRawIntBits(FLOATS[i]) ^ 1)))),
        reliedOn(
            "copied-float-of-bits",
            "Float.intBitsToFloat of what is loaded, stored as it is",
            () ->
                each(
                    FloatKernels::copiedFloatOfBits,
                    ints(INTS),
                    Expected.floats(floats(INTS.length, i -> Float.intBitsToFloat(INTS[i]))))),
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
}
