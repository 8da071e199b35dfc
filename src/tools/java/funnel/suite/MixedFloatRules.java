package funnel.suite;

import static funnel.suite.Trials.DOUBLES;
import static funnel.suite.Trials.FLOATS;
import static funnel.suite.Trials.bit;
import static funnel.suite.Trials.capability;
import static funnel.suite.Trials.doubles;
import static funnel.suite.Trials.each;
import static funnel.suite.Trials.floats;
import static funnel.suite.Trials.ints;
import static funnel.suite.Trials.reliedOn;
import static funnel.suite.Trials.wins;
import static funnel.suite.Trials.workedAround;

import funnel.kernel.KernelTask;
import java.util.List;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Rules on floats and doubles together, and on operations that do not differ between them. */
final class MixedFloatRules {

  private MixedFloatRules() {}

  static List<JitRule> all() {
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
                      MixedFloatKernels::bothInfinities,
                      floats(FLOATS),
                      out.array(),
                      wide.array()),
                  out,
                  wide);
            }),
        workedAround(
            "joined-conditions-float",
            "comparisons of floats may be joined by && and ||, also with NaN",
            () -> order(MixedFloatKernels::joined)),
        reliedOn(
            "conditions-as-bits-float",
            "comparisons of floats turned into 0 and 1 may be joined by & and |",
            () -> order(MixedFloatKernels::bits)),
        reliedOn(
            "double-from-float",
            "a float becomes the same double",
            () ->
                each(
                    MixedFloatKernels::widened,
                    floats(FLOATS),
                    Expected.doubles(doubles(FLOATS.length, i -> FLOATS[i])))),
        capability(
            "float-from-double",
            "a double becomes the nearest float",
            () ->
                each(
                    MixedFloatKernels::narrowed,
                    doubles(DOUBLES),
                    Expected.floats(floats(DOUBLES.length, i -> (float) DOUBLES[i])))),
        capability(
            "square-root-float",
            "(float) Math.sqrt of a float is rounded to nearest",
            () -> {
              float[] x = floats(256, i -> i + 1 / 3f);
              return each(
                  MixedFloatKernels::squareRootFloat,
                  floats(x),
                  Expected.floats(floats(256, i -> (float) Math.sqrt(x[i]))));
            }),
        capability(
            "tornado-square-root-float",
            "TornadoMath.sqrt of a float is rounded to nearest",
            () -> {
              float[] x = floats(256, i -> i + 1 / 3f);
              return each(
                  MixedFloatKernels::tornadoSquareRoot,
                  floats(x),
                  Expected.floats(floats(256, i -> (float) Math.sqrt(x[i]))));
            }),
        capability(
            "square-root-double",
            "Math.sqrt of a double is rounded to nearest",
            () -> {
              double[] x = doubles(256, i -> i + 1 / 3d);
              return each(
                  MixedFloatKernels::squareRootDouble,
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
}
