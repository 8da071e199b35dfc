package funnel.suite;

import static funnel.suite.Trials.INTS;
import static funnel.suite.Trials.LONGS;
import static funnel.suite.Trials.capability;
import static funnel.suite.Trials.each;
import static funnel.suite.Trials.ints;
import static funnel.suite.Trials.longs;
import static funnel.suite.Trials.reliedOn;
import static funnel.suite.Trials.workedAround;

import funnel.kernel.KernelTask;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Rules on integer arithmetic other than shifts. */
final class IntegerRules {

  private IntegerRules() {}

  static List<JitRule> all() {
    int[] a = Trials.lefts(INTS);
    int[] b = Trials.rights(INTS);
    long[] c = Trials.lefts(LONGS);
    long[] d = Trials.rights(LONGS);
    int[] divisors = IntStream.of(b).map(v -> v == 0 ? 3 : v).toArray();
    long[] longDivisors = LongStream.of(d).map(v -> v == 0 ? 3 : v).toArray();
    int[] positive = IntStream.of(INTS).map(v -> v & Integer.MAX_VALUE).toArray();
    return List.of(
        workedAround(
            "divide-negative-by-power-of-two",
            "v / 8 rounds towards zero, also below zero",
            () ->
                each(
                    IntegerKernels::byPowerOfTwo,
                    ints(INTS),
                    Expected.ints(
                        IntStream.of(INTS).flatMap(v -> IntStream.of(v / 2, v / 8)).toArray()))),
        reliedOn(
            "divide-by-power-of-two",
            "v / 8 of a v that is not negative",
            () ->
                each(
                    IntegerKernels::byPowerOfTwo,
                    ints(positive),
                    Expected.ints(
                        IntStream.of(positive)
                            .flatMap(v -> IntStream.of(v / 2, v / 8))
                            .toArray()))),
        workedAround(
            "remainder-of-negative-by-power-of-two",
            "v % 8 has the sign of v",
            () ->
                each(
                    IntegerKernels::remainderOfPowerOfTwo,
                    ints(INTS),
                    Expected.ints(
                        IntStream.of(INTS).flatMap(v -> IntStream.of(v % 2, v % 8)).toArray()))),
        reliedOn(
            "remainder-by-power-of-two",
            "v % 8 of a v that is not negative",
            () ->
                each(
                    IntegerKernels::remainderOfPowerOfTwo,
                    ints(positive),
                    Expected.ints(
                        IntStream.of(positive)
                            .flatMap(v -> IntStream.of(v % 2, v % 8))
                            .toArray()))),
        workedAround(
            "floor-div",
            "Math.floorDiv rounds down",
            () ->
                each(
                    IntegerKernels::floored,
                    ints(INTS),
                    Expected.ints(
                        IntStream.of(INTS)
                            .flatMap(v -> IntStream.of(Math.floorDiv(v, 8), Math.floorDiv(v, 10)))
                            .toArray()))),
        reliedOn(
            "divide-by-ten-int",
            "v / 10 and v % 10 of an int of any sign",
            () ->
                each(
                    IntegerKernels::byTen,
                    ints(INTS),
                    Expected.ints(
                        IntStream.of(INTS).flatMap(v -> IntStream.of(v / 10, v % 10)).toArray()))),
        capability(
            "divide-by-ten-long",
            "v / 10 and v % 10 of a long of any sign",
            () ->
                each(
                    IntegerKernels::byTenLong,
                    longs(LONGS),
                    Expected.longs(
                        LongStream.of(LONGS)
                            .flatMap(v -> LongStream.of(v / 10, v % 10))
                            .toArray()))),
        reliedOn(
            "divide-by-variable-int",
            "a / b rounds towards zero",
            () ->
                each(
                    IntegerKernels::byVariable,
                    ints(a),
                    ints(divisors),
                    Expected.ints(ints(a.length, i -> a[i] / divisors[i])))),
        reliedOn(
            "divide-by-variable-long",
            "a / b of longs rounds towards zero",
            () ->
                each(
                    IntegerKernels::byVariableLong,
                    longs(c),
                    longs(longDivisors),
                    Expected.longs(longs(c.length, i -> c[i] / longDivisors[i])))),
        workedAround(
            "divide-minimum-in-chain",
            "(Integer.MIN_VALUE / (v | 1)) / (i | 1) compiles",
            () ->
                each(
                    IntegerKernels::minimumByChain,
                    ints(INTS),
                    Expected.ints(
                        ints(INTS.length, i -> (Integer.MIN_VALUE / (INTS[i] | 1)) / (i | 1))))),
        workedAround(
            "compare-unsigned-int",
            "Integer.compareUnsigned takes the sign bit for a value bit",
            () ->
                each(
                    IntegerKernels::comparedUnsigned,
                    ints(a),
                    ints(b),
                    Expected.ints(
                        ints(a.length, i -> Integer.compareUnsigned(a[i], b[i]) < 0 ? 1 : 0)))),
        workedAround(
            "compare-unsigned-long",
            "Long.compareUnsigned takes the sign bit for a value bit",
            () ->
                each(
                    IntegerKernels::comparedUnsignedLong,
                    longs(c),
                    longs(d),
                    Expected.ints(
                        ints(c.length, i -> Long.compareUnsigned(c[i], d[i]) < 0 ? 1 : 0)))),
        reliedOn(
            "less-unsigned-int",
            "Scalars.lessUnsigned is Integer.compareUnsigned(a, b) < 0",
            () ->
                each(
                    IntegerKernels::lessUnsigned,
                    ints(a),
                    ints(b),
                    Expected.ints(
                        ints(a.length, i -> Integer.compareUnsigned(a[i], b[i]) < 0 ? 1 : 0)))),
        reliedOn(
            "less-unsigned-long",
            "Scalars.lessUnsigned is Long.compareUnsigned(a, b) < 0",
            () ->
                each(
                    IntegerKernels::lessUnsignedLong,
                    longs(c),
                    longs(d),
                    Expected.ints(
                        ints(c.length, i -> Long.compareUnsigned(c[i], d[i]) < 0 ? 1 : 0)))),
        reliedOn(
            "flip-sign-bit",
            "v ^ 0x80000000 and ~v",
            () ->
                each(
                    IntegerKernels::signFlipped,
                    ints(INTS),
                    Expected.ints(
                        IntStream.of(INTS)
                            .flatMap(v -> IntStream.of(v + Integer.MIN_VALUE, -1 - v))
                            .toArray()))),
        capability(
            "math-min-max-int",
            "Math.min and Math.max of ints",
            () ->
                each(
                    IntegerKernels::mathMinMax,
                    ints(a),
                    ints(b),
                    Expected.ints(
                        IntStream.range(0, a.length)
                            .flatMap(i -> IntStream.of(Math.min(a[i], b[i]), Math.max(a[i], b[i])))
                            .toArray()))),
        workedAround(
            "math-min-max-long-constant",
            "Math.min and Math.max of a long and a constant compile",
            () ->
                each(
                    IntegerKernels::mathMinMaxConstant,
                    longs(LONGS),
                    Expected.longs(
                        LongStream.of(LONGS)
                            .flatMap(v -> LongStream.of(Math.min(v, 100), Math.max(v, 100)))
                            .toArray()))),
        reliedOn(
            "scalars-min-max-int",
            "Scalars.min and Scalars.max of ints",
            () ->
                each(
                    IntegerKernels::scalarsMinMax,
                    ints(a),
                    ints(b),
                    Expected.ints(
                        IntStream.range(0, a.length)
                            .flatMap(i -> IntStream.of(Math.min(a[i], b[i]), Math.max(a[i], b[i])))
                            .toArray()))),
        reliedOn(
            "scalars-min-max-long",
            "Scalars.min and Scalars.max of longs",
            () ->
                each(
                    IntegerKernels::scalarsMinMaxLong,
                    longs(c),
                    longs(d),
                    Expected.longs(
                        IntStream.range(0, c.length)
                            .boxed()
                            .flatMapToLong(
                                i -> LongStream.of(Math.min(c[i], d[i]), Math.max(c[i], d[i])))
                            .toArray()))),
        reliedOn(
            "scalars-min-max-long-constant",
            "Scalars.min and Scalars.max of a long and a constant",
            () ->
                each(
                    IntegerKernels::scalarsMinMaxConstant,
                    longs(LONGS),
                    Expected.longs(
                        LongStream.of(LONGS)
                            .flatMap(v -> LongStream.of(Math.min(v, 100), Math.max(v, 100)))
                            .toArray()))),
        reliedOn(
            "overflow-int",
            "int sums, differences and products wrap around",
            () ->
                each(
                    IntegerKernels::wrapped,
                    ints(a),
                    ints(b),
                    Expected.ints(
                        IntStream.range(0, a.length)
                            .flatMap(i -> IntStream.of(a[i] + b[i], a[i] - b[i], a[i] * b[i]))
                            .toArray()))),
        reliedOn(
            "overflow-long",
            "long sums, differences and products wrap around",
            () ->
                each(
                    IntegerKernels::wrappedLong,
                    longs(c),
                    longs(d),
                    Expected.longs(
                        IntStream.range(0, c.length)
                            .boxed()
                            .flatMapToLong(
                                i -> LongStream.of(c[i] + d[i], c[i] - d[i], c[i] * d[i]))
                            .toArray()))),
        reliedOn(
            "bitwise-long",
            "& | ^ of longs",
            () ->
                each(
                    IntegerKernels::bitwise,
                    longs(c),
                    longs(d),
                    Expected.longs(
                        IntStream.range(0, c.length)
                            .boxed()
                            .flatMapToLong(
                                i -> LongStream.of(c[i] & d[i], c[i] | d[i], c[i] ^ d[i]))
                            .toArray()))),
        workedAround(
            "multiply-by-minimum",
            "Integer.MIN_VALUE * v wraps around",
            () ->
                each(
                    IntegerKernels::timesMinimum,
                    ints(INTS),
                    Expected.ints(IntStream.of(INTS).map(v -> Integer.MIN_VALUE * v).toArray()))),
        workedAround(
            "negate-sign-bit",
            "-(v & 0x80000000) is the sign bit again",
            () ->
                each(
                    IntegerKernels::negatedSignBit,
                    ints(INTS),
                    Expected.ints(
                        IntStream.of(INTS).map(v -> -(v & Integer.MIN_VALUE)).toArray()))),
        capability(
            "bit-count",
            "Integer.bitCount",
            () ->
                each(
                    IntegerKernels::ones,
                    ints(INTS),
                    Expected.ints(IntStream.of(INTS).map(Integer::bitCount).toArray()))),
        reliedOn(
            "narrowing-casts",
            "(int), (short) and (byte) of a long keep its low bits",
            () ->
                each(
                    IntegerKernels::narrowed,
                    longs(LONGS),
                    Expected.ints(
                        LongStream.of(LONGS)
                            .boxed()
                            .flatMapToInt(
                                v -> IntStream.of(v.intValue(), v.shortValue(), v.byteValue()))
                            .toArray()))),
        reliedOn(
            "unsigned-byte",
            "b & 0xff of a byte is 0 to 255",
            () -> {
              byte[] bytes = new byte[256];
              for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) i;
              }
              return each(
                  IntegerKernels::unsignedByte,
                  ByteArray.fromArray(bytes),
                  Expected.ints(ints(256, i -> i)));
            }),
        reliedOn(
            "long-index",
            "index arithmetic in long does not wrap at 2^31",
            () -> {
              int n = 64;
              int stride = 100_000_007;
              int[] values = Trials.randomInts(n);
              Expected<IntArray> out = Expected.ints(ints(n, i -> i < 50 ? values[i] : -1));
              return JitTrial.of(
                  KernelTask.of(
                      "each",
                      Trials.gridFor(n),
                      IntegerKernels::longIndex,
                      ints(stride, 5, 50),
                      ints(values),
                      out.array()),
                  out);
            }));
  }
}
