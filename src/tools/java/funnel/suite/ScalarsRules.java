package funnel.suite;

import static funnel.suite.Trials.DOUBLES;
import static funnel.suite.Trials.FLOATS;
import static funnel.suite.Trials.INTS;
import static funnel.suite.Trials.LONGS;
import static funnel.suite.Trials.doubles;
import static funnel.suite.Trials.each;
import static funnel.suite.Trials.floats;
import static funnel.suite.Trials.ints;
import static funnel.suite.Trials.longs;
import static funnel.suite.Trials.reliedOn;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Rules on the methods of Scalars that replace Java's operations in user-defined functions. */
final class ScalarsRules {

  private static final int[] DISTANCES = {0, 1, 5, 30, 31, 32, 33, 40, 62, 63, 64, 100, -1};

  private ScalarsRules() {}

  static List<JitRule> all() {
    return List.of(
        shiftsInt(),
        shiftsByConstantInt(),
        dividedInt(),
        comparedInt(),
        absoluteInt(),
        shiftsLong(),
        shiftsByConstantLong(),
        dividedLong(),
        comparedLong(),
        absoluteLong(),
        comparedFloat(),
        comparedWithNaNFloat(),
        comparedDouble(),
        comparedWithNaNDouble(),
        bitsFloat(),
        bitsDouble());
  }

  private static JitRule shiftsInt() {
    int[] a = Trials.lefts(INTS);
    int[] b = ints(a.length, i -> DISTANCES[i % DISTANCES.length]);
    return reliedOn(
        "scalars-shifts-int",
        "Scalars.shiftLeft, shiftRight and shiftRightUnsigned of ints by any distance",
        () ->
            each(
                ScalarsKernels::shiftsInt,
                ints(a),
                ints(b),
                Expected.ints(
                    IntStream.range(0, a.length)
                        .flatMap(i -> IntStream.of(a[i] << b[i], a[i] >> b[i], a[i] >>> b[i]))
                        .toArray())));
  }

  private static JitRule shiftsByConstantInt() {
    int[] a = Trials.lefts(INTS);
    int[] b = Trials.rights(INTS);
    return reliedOn(
        "scalars-shifts-by-constant-int",
        "Scalars.shiftRight and shiftRightUnsigned of ints by constants",
        () ->
            each(
                ScalarsKernels::shiftsByConstantInt,
                ints(a),
                ints(b),
                Expected.ints(
                    IntStream.range(0, a.length)
                        .flatMap(
                            i ->
                                IntStream.of(
                                    a[i] >> 7,
                                    a[i] >> 31,
                                    a[i] >>> 1,
                                    a[i] >>> 24,
                                    (a[i] >>> 28) & 15))
                        .toArray())));
  }

  private static JitRule dividedInt() {
    int[] a = Trials.lefts(INTS);
    int[] b = ints(a.length, i -> INTS[i % INTS.length] == 0 ? 3 : INTS[i % INTS.length]);
    return reliedOn(
        "scalars-divide-int",
        "Scalars.divide and remainder of ints are / and %, those of the smallest int too",
        () ->
            each(
                ScalarsKernels::dividedInt,
                ints(a),
                ints(b),
                Expected.ints(
                    IntStream.range(0, a.length)
                        .flatMap(
                            i ->
                                IntStream.of(
                                    a[i] / b[i], a[i] % b[i], a[i] / 8, a[i] % 8, a[i] / -2))
                        .toArray())));
  }

  private static JitRule comparedInt() {
    int[] a = Trials.lefts(INTS);
    int[] b = Trials.rights(INTS);
    return reliedOn(
        "scalars-compare-int",
        "Scalars.compare and compareUnsigned of ints",
        () ->
            each(
                ScalarsKernels::comparedInt,
                ints(a),
                ints(b),
                Expected.ints(
                    IntStream.range(0, a.length)
                        .flatMap(
                            i ->
                                IntStream.of(
                                    Integer.compare(a[i], b[i]),
                                    Integer.compareUnsigned(a[i], b[i])))
                        .toArray())));
  }

  private static JitRule absoluteInt() {
    int[] a = Trials.lefts(INTS);
    int[] b = Trials.rights(INTS);
    return reliedOn(
        "scalars-abs-int",
        "Scalars.abs is Math.abs of ints",
        () ->
            each(
                ScalarsKernels::absoluteInt,
                ints(a),
                ints(b),
                Expected.ints(
                    IntStream.range(0, a.length)
                        .flatMap(i -> IntStream.of(Math.abs(a[i])))
                        .toArray())));
  }

  private static JitRule shiftsLong() {
    long[] a = Trials.lefts(LONGS);
    int[] b = ints(a.length, i -> DISTANCES[i % DISTANCES.length]);
    return reliedOn(
        "scalars-shifts-long",
        "Scalars.shiftLeft, shiftRight and shiftRightUnsigned of longs by any distance",
        () ->
            each(
                ScalarsKernels::shiftsLong,
                longs(a),
                ints(b),
                Expected.longs(
                    IntStream.range(0, a.length)
                        .boxed()
                        .flatMapToLong(
                            i -> LongStream.of(a[i] << b[i], a[i] >> b[i], a[i] >>> b[i]))
                        .toArray())));
  }

  private static JitRule shiftsByConstantLong() {
    long[] a = Trials.lefts(LONGS);
    long[] b = Trials.rights(LONGS);
    return reliedOn(
        "scalars-shifts-by-constant-long",
        "Scalars.shiftRight and shiftRightUnsigned of longs by constants",
        () ->
            each(
                ScalarsKernels::shiftsByConstantLong,
                longs(a),
                longs(b),
                Expected.longs(
                    IntStream.range(0, a.length)
                        .boxed()
                        .flatMapToLong(
                            i ->
                                LongStream.of(
                                    a[i] >> 7,
                                    a[i] >> -1,
                                    a[i] >>> 1,
                                    a[i] >>> 24,
                                    (a[i] >>> -4) & 15))
                        .toArray())));
  }

  private static JitRule dividedLong() {
    long[] a = Trials.lefts(LONGS);
    long[] b = longs(a.length, i -> LONGS[i % LONGS.length] == 0 ? 3 : LONGS[i % LONGS.length]);
    return reliedOn(
        "scalars-divide-long",
        "Scalars.divide and remainder of longs are / and %, those of the smallest long too",
        () ->
            each(
                ScalarsKernels::dividedLong,
                longs(a),
                longs(b),
                Expected.longs(
                    IntStream.range(0, a.length)
                        .boxed()
                        .flatMapToLong(
                            i ->
                                LongStream.of(
                                    a[i] / b[i], a[i] % b[i], a[i] / 8, a[i] % 8, a[i] / -2))
                        .toArray())));
  }

  private static JitRule comparedLong() {
    long[] a = Trials.lefts(LONGS);
    long[] b = Trials.rights(LONGS);
    return reliedOn(
        "scalars-compare-long",
        "Scalars.compare and compareUnsigned of longs",
        () ->
            each(
                ScalarsKernels::comparedLong,
                longs(a),
                longs(b),
                Expected.ints(
                    IntStream.range(0, a.length)
                        .flatMap(
                            i ->
                                IntStream.of(
                                    Long.compare(a[i], b[i]), Long.compareUnsigned(a[i], b[i])))
                        .toArray())));
  }

  private static JitRule absoluteLong() {
    long[] a = Trials.lefts(LONGS);
    long[] b = Trials.rights(LONGS);
    return reliedOn(
        "scalars-abs-long",
        "Scalars.abs is Math.abs of longs",
        () ->
            each(
                ScalarsKernels::absoluteLong,
                longs(a),
                longs(b),
                Expected.longs(
                    IntStream.range(0, a.length)
                        .boxed()
                        .flatMapToLong(i -> LongStream.of(Math.abs(a[i])))
                        .toArray())));
  }

  /** Floats whose bits are all kinds: every exponent, subnormal, infinite, NaN. */
  private static JitRule bitsFloat() {
    float[] a = new float[2 * 256 + FLOATS.length];
    for (int i = 0; i < 512; i++) {
      a[i] = Float.intBitsToFloat((i << 23) | (0x2aaaaa >>> (i % 3)));
    }
    System.arraycopy(FLOATS, 0, a, 512, FLOATS.length);
    long[] bits = new long[2 * a.length];
    for (int i = 0; i < a.length; i++) {
      bits[2 * i] = Float.floatToIntBits(a[i]) & 0xffffffffL;
      bits[2 * i + 1] = bits[2 * i];
    }
    return reliedOn(
        "scalars-bits-float",
        "Scalars.bits and ofBits are the bits of floats, there and back",
        () -> each(ScalarsKernels::bitsFloat, floats(a), floats(a), Expected.longs(bits)));
  }

  private static JitRule bitsDouble() {
    double[] a = new double[2 * 2048 + DOUBLES.length];
    for (long i = 0; i < 4096; i++) {
      a[(int) i] = Double.longBitsToDouble((i << 52) | (0xaaaaaaaaaaaaaL >>> (i % 3)));
    }
    System.arraycopy(DOUBLES, 0, a, 4096, DOUBLES.length);
    long[] bits = new long[2 * a.length];
    for (int i = 0; i < a.length; i++) {
      bits[2 * i] = Double.doubleToLongBits(a[i]);
      bits[2 * i + 1] = bits[2 * i];
    }
    return reliedOn(
        "scalars-bits-double",
        "Scalars.bits and ofBits are the bits of doubles, there and back",
        () -> each(ScalarsKernels::bitsDouble, doubles(a), doubles(a), Expected.longs(bits)));
  }

  private static JitRule comparedFloat() {
    float[] a = Trials.lefts(FLOATS);
    float[] b = Trials.rights(FLOATS);
    return reliedOn(
        "scalars-compare-float",
        "Scalars.compare is Float.compare",
        () ->
            each(
                ScalarsKernels::comparedFloat,
                floats(a),
                floats(b),
                Expected.ints(
                    IntStream.range(0, a.length)
                        .flatMap(i -> IntStream.of(Float.compare(a[i], b[i])))
                        .toArray())));
  }

  private static JitRule comparedWithNaNFloat() {
    float[] a = Trials.lefts(FLOATS);
    float[] b = Trials.rights(FLOATS);
    return reliedOn(
        "scalars-compare-with-nan-float",
        "Scalars.compareOrLess and compareOrGreater of floats, and branches on them",
        () ->
            each(
                ScalarsKernels::comparedWithNaNFloat,
                floats(a),
                floats(b),
                Expected.ints(
                    IntStream.range(0, a.length)
                        .flatMap(
                            i ->
                                IntStream.of(
                                    a[i] > b[i] ? 1 : a[i] == b[i] ? 0 : -1,
                                    a[i] < b[i] ? -1 : a[i] == b[i] ? 0 : 1,
                                    a[i] <= b[i] ? 1 : 0,
                                    a[i] >= b[i] ? 1 : 0))
                        .toArray())));
  }

  private static JitRule comparedDouble() {
    double[] a = Trials.lefts(DOUBLES);
    double[] b = Trials.rights(DOUBLES);
    return reliedOn(
        "scalars-compare-double",
        "Scalars.compare is Double.compare",
        () ->
            each(
                ScalarsKernels::comparedDouble,
                doubles(a),
                doubles(b),
                Expected.ints(
                    IntStream.range(0, a.length)
                        .flatMap(i -> IntStream.of(Double.compare(a[i], b[i])))
                        .toArray())));
  }

  private static JitRule comparedWithNaNDouble() {
    double[] a = Trials.lefts(DOUBLES);
    double[] b = Trials.rights(DOUBLES);
    return reliedOn(
        "scalars-compare-with-nan-double",
        "Scalars.compareOrLess and compareOrGreater of doubles, and branches on them",
        () ->
            each(
                ScalarsKernels::comparedWithNaNDouble,
                doubles(a),
                doubles(b),
                Expected.ints(
                    IntStream.range(0, a.length)
                        .flatMap(
                            i ->
                                IntStream.of(
                                    a[i] > b[i] ? 1 : a[i] == b[i] ? 0 : -1,
                                    a[i] < b[i] ? -1 : a[i] == b[i] ? 0 : 1,
                                    a[i] <= b[i] ? 1 : 0,
                                    a[i] >= b[i] ? 1 : 0))
                        .toArray())));
  }
}
