package funnel.suite;

import static funnel.suite.Trials.INTS;
import static funnel.suite.Trials.LONGS;
import static funnel.suite.Trials.capability;
import static funnel.suite.Trials.each;
import static funnel.suite.Trials.ints;
import static funnel.suite.Trials.longs;
import static funnel.suite.Trials.reliedOn;
import static funnel.suite.Trials.workedAround;

import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Rules on shifts. */
final class ShiftRules {

  private static final int[] FAR = {0, 1, 31, 32, 33, 63, 64, -1};

  private ShiftRules() {}

  static List<JitRule> all() {
    int[] lefts = Trials.lefts(INTS);
    int[] within = cycled(lefts.length, i -> 1 + i % 31);
    int[] digits = cycled(lefts.length, i -> 8 * (i % 4));
    int[] beyond = cycled(lefts.length, i -> FAR[i % FAR.length]);
    return List.of(
        workedAround(
            "signed-shift-right-int",
            "v >> k fills an int with copies of its sign",
            () ->
                each(
                    ShiftKernels::signedInt,
                    ints(INTS),
                    Expected.ints(
                        IntStream.of(INTS)
                            .flatMap(v -> IntStream.of(v >> 1, v >> 7, v >> 31))
                            .toArray()))),
        workedAround(
            "signed-shift-right-long",
            "v >> k fills a long with copies of its sign",
            () ->
                each(
                    ShiftKernels::signedLong,
                    longs(LONGS),
                    Expected.longs(
                        LongStream.of(LONGS)
                            .flatMap(v -> LongStream.of(v >> 1, v >> 32, v >> 63))
                            .toArray()))),
        workedAround(
            "signed-shift-right-of-product",
            "(v * v) >> 20 keeps the sign of a product that overflowed",
            () ->
                each(
                    ShiftKernels::signedProduct,
                    ints(100000, 46341, -46341, 65536, 3, -3, 1 << 20),
                    Expected.ints(
                        IntStream.of(100000, 46341, -46341, 65536, 3, -3, 1 << 20)
                            .map(v -> (v * v) >> 20)
                            .toArray()))),
        capability(
            "signed-shift-right-by-hand",
            "masked shifts of v and ~v make a signed shift",
            () ->
                each(
                    ShiftKernels::signedByHand,
                    ints(INTS),
                    Expected.ints(IntStream.of(INTS).map(v -> v >> 7).toArray()))),
        workedAround(
            "unsigned-shift-right-int",
            "v >>> k fills an int with zeros",
            () ->
                each(
                    ShiftKernels::unsignedInt,
                    ints(INTS),
                    Expected.ints(
                        IntStream.of(INTS)
                            .flatMap(v -> IntStream.of(v >>> 1, v >>> 24, (v >>> 28) & 15))
                            .toArray()))),
        workedAround(
            "unsigned-shift-right-long",
            "v >>> k fills a long with zeros",
            () ->
                each(
                    ShiftKernels::unsignedLong,
                    longs(LONGS),
                    Expected.longs(
                        LongStream.of(LONGS)
                            .flatMap(v -> LongStream.of(v >>> 1, v >>> 40, v >>> 63))
                            .toArray()))),
        reliedOn(
            "masked-shift-right-int",
            "(v >> k) & mask takes bits out of an int",
            () ->
                each(
                    ShiftKernels::maskedInt,
                    ints(INTS),
                    Expected.ints(
                        IntStream.of(INTS)
                            .flatMap(
                                v -> IntStream.of(v & 0xff, v >>> 8 & 0xff, v >>> 24, v >>> 28))
                            .toArray()))),
        reliedOn(
            "masked-shift-right-long",
            "(v >> k) & mask takes bits out of a long",
            () ->
                each(
                    ShiftKernels::maskedLong,
                    longs(LONGS),
                    Expected.longs(
                        LongStream.of(LONGS)
                            .flatMap(v -> LongStream.of(v >>> 8 & 0xff, v >>> 56, v >>> 32))
                            .toArray()))),
        reliedOn(
            "masked-shift-right-by-variable",
            "(v >> k) & 0xff takes a byte out of an int, k being a variable",
            () ->
                each(
                    ShiftKernels::digit,
                    ints(lefts),
                    ints(digits),
                    Expected.ints(ints(lefts.length, i -> lefts[i] >>> digits[i] & 0xff)))),
        reliedOn(
            "logical-shift-right-by-constant",
            "Scalars.logicalShiftRight(v, k) is v >>> k",
            () ->
                each(
                    ShiftKernels::logicalConstant,
                    ints(INTS),
                    Expected.ints(
                        IntStream.of(INTS)
                            .flatMap(v -> IntStream.of(v >>> 1, v >>> 16, v >>> 31))
                            .toArray()))),
        reliedOn(
            "logical-shift-right-by-variable",
            "Scalars.logicalShiftRight(v, k) is v >>> k, k being a variable",
            () ->
                each(
                    ShiftKernels::logicalVariable,
                    ints(lefts),
                    ints(within),
                    Expected.ints(ints(lefts.length, i -> lefts[i] >>> within[i])))),
        reliedOn(
            "shift-left",
            "v << k drops the high bits",
            () ->
                each(
                    ShiftKernels::leftConstant,
                    ints(INTS),
                    Expected.ints(
                        IntStream.of(INTS)
                            .flatMap(v -> IntStream.of(v << 1, v << 16, v << 30))
                            .toArray()))),
        workedAround(
            "shift-left-by-31",
            "v << 31 keeps the lowest bit",
            () ->
                each(
                    ShiftKernels::leftBySignBit,
                    ints(INTS),
                    Expected.ints(IntStream.of(INTS).map(v -> v << 31).toArray()))),
        workedAround(
            "shift-distance-beyond-width-int",
            "v << k uses the low five bits of k",
            () ->
                each(
                    ShiftKernels::leftFar,
                    ints(lefts),
                    ints(beyond),
                    Expected.ints(ints(lefts.length, i -> lefts[i] << beyond[i])))),
        workedAround(
            "shift-distance-beyond-width-long",
            "v << k uses the low six bits of k",
            () ->
                each(
                    ShiftKernels::leftFarLong,
                    longs(LONGS),
                    ints(cycled(LONGS.length, i -> FAR[i % FAR.length])),
                    Expected.longs(longs(LONGS.length, i -> LONGS[i] << FAR[i % FAR.length])))),
        capability(
            "masked-shift-distance",
            "v << (k & 31) is v << k",
            () ->
                each(
                    ShiftKernels::leftMasked,
                    ints(lefts),
                    ints(beyond),
                    Expected.ints(ints(lefts.length, i -> lefts[i] << beyond[i])))),
        workedAround(
            "rotate",
            "Integer.rotateLeft(v, k) loses no bit",
            () ->
                each(
                    ShiftKernels::rotated,
                    ints(INTS),
                    Expected.ints(
                        IntStream.of(INTS).map(v -> Integer.rotateLeft(v, 13)).toArray()))),
        reliedOn(
            "pack-two-ints",
            "((long) high << 32) | (low & 0xffffffffL) holds both ints",
            () -> {
              int[] rights = Trials.rights(INTS);
              return each(
                  ShiftKernels::packed,
                  ints(lefts),
                  ints(rights),
                  Expected.longs(
                      longs(
                          lefts.length,
                          i -> lefts[i] * 0x100000000L + Integer.toUnsignedLong(rights[i]))));
            }),
        reliedOn(
            "unpack-two-ints",
            "(int) (pair >> 32) and (int) pair are the ints that were packed",
            () ->
                each(
                    ShiftKernels::unpacked,
                    longs(LONGS),
                    Expected.ints(
                        LongStream.of(LONGS)
                            .flatMap(v -> LongStream.of(Math.floorDiv(v, 0x100000000L), v))
                            .mapToInt(v -> (int) v)
                            .toArray()))));
  }

  private static int[] cycled(int n, IntUnaryOperator values) {
    return IntStream.range(0, n).map(values).toArray();
  }
}
