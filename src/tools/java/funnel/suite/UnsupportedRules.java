package funnel.suite;

import static funnel.suite.Trials.FLOATS;
import static funnel.suite.Trials.INTS;
import static funnel.suite.Trials.doubles;
import static funnel.suite.Trials.each;
import static funnel.suite.Trials.floats;
import static funnel.suite.Trials.ints;
import static funnel.suite.Trials.workedAround;

import java.util.List;
import java.util.stream.IntStream;

/** Rules on code that TornadoVM 5.2.0 does not compile at all. */
final class UnsupportedRules {

  private UnsupportedRules() {}

  static List<JitRule> all() {
    int[] a = Trials.lefts(INTS);
    int[] b = Trials.rights(INTS);
    float[] x = Trials.randomFloats(256, 1);
    float[] y = Trials.randomFloats(256, 2);
    float[] z = floats(256, i -> -(x[i] * y[i]));
    double[] u = Trials.randomDoubles(256, 1);
    double[] v = Trials.randomDoubles(256, 2);
    double[] w = doubles(256, i -> -(u[i] * v[i]));
    return List.of(
        workedAround(
            "float-of-bits",
            "Float.intBitsToFloat",
            () ->
                each(
                    UnsupportedKernels::floatOfBits,
                    ints(INTS),
                    Expected.floats(floats(INTS.length, i -> Float.intBitsToFloat(INTS[i]) + 1f)))),
        workedAround(
            "bits-of-float",
            "Float.floatToRawIntBits",
            () ->
                each(
                    UnsupportedKernels::bitsOfFloat,
                    floats(FLOATS),
                    Expected.ints(
                        ints(FLOATS.length, i -> Float.floatToRawIntBits(FLOATS[i]) + 1)))),
        workedAround(
            "fused-multiply-add-float",
            "Math.fma rounds once",
            () ->
                each(
                    UnsupportedKernels::fused,
                    floats(x),
                    floats(y),
                    floats(z),
                    Expected.floats(floats(256, i -> Math.fma(x[i], y[i], z[i]))))),
        workedAround(
            "fused-multiply-add-double",
            "Math.fma rounds once",
            () ->
                each(
                    UnsupportedKernels::fusedDouble,
                    doubles(u),
                    doubles(v),
                    doubles(w),
                    Expected.doubles(doubles(256, i -> Math.fma(u[i], v[i], w[i]))))),
        workedAround(
            "absolute-value-int",
            "Math.abs of an int",
            () ->
                each(
                    UnsupportedKernels::magnitude,
                    ints(INTS),
                    Expected.ints(IntStream.of(INTS).map(Math::abs).toArray()))),
        workedAround(
            "leading-zeros",
            "Integer.numberOfLeadingZeros",
            () ->
                each(
                    UnsupportedKernels::leadingZeros,
                    ints(INTS),
                    Expected.ints(
                        IntStream.of(INTS).map(Integer::numberOfLeadingZeros).toArray()))),
        workedAround(
            "float-remainder",
            "x % y of floats",
            () ->
                each(
                    UnsupportedKernels::floatRemainder,
                    floats(x),
                    floats(y),
                    Expected.floats(floats(256, i -> x[i] % y[i])))),
        workedAround(
            "overflow-compared",
            "the sign of a sum that overflows is looked at",
            () ->
                each(
                    UnsupportedKernels::comparedSum,
                    ints(INTS),
                    Expected.ints(
                        IntStream.of(INTS)
                            .map(each -> each + Integer.MAX_VALUE)
                            .map(sum -> sum < 0 ? sum ^ Integer.MAX_VALUE : sum)
                            .toArray()))),
        workedAround(
            "compare-int",
            "Integer.compare",
            () ->
                each(
                    UnsupportedKernels::compared,
                    ints(a),
                    ints(b),
                    Expected.ints(ints(a.length, i -> Integer.compare(a[i], b[i]))))),
        workedAround(
            "static-table",
            "a static final int[] may be read",
            () ->
                each(
                    UnsupportedKernels::tabled,
                    ints(INTS),
                    Expected.ints(
                        IntStream.of(INTS).map(i -> UnsupportedKernels.table(i & 7)).toArray()))));
  }
}
