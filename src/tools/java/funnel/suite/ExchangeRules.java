package funnel.suite;

import static funnel.suite.Trials.capability;
import static funnel.suite.Trials.doubles;
import static funnel.suite.Trials.each;
import static funnel.suite.Trials.floats;
import static funnel.suite.Trials.ints;
import static funnel.suite.Trials.longs;
import static funnel.suite.Trials.reliedOn;

import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Rules on atomics and warp shuffles. */
final class ExchangeRules {

  private static final int MANY = 8192;
  private static final int WARPS = 64;

  private ExchangeRules() {}

  static List<JitRule> all() {
    float[] lanes = floats(WARPS, i -> i * 1.25f - 7f);
    return List.of(
        reliedOn(
            "atomic-add-int",
            "atomicAdd on an IntArray loses no update",
            () -> {
              int[] values = Trials.randomInts(MANY);
              return each(
                  ExchangeKernels::addInts,
                  ints(values),
                  Expected.ints(
                      new int[4], ints(4, k -> everyFourth(k).map(i -> values[i]).sum())));
            }),
        reliedOn(
            "atomic-add-long",
            "atomicAdd on a LongArray loses no update",
            () -> {
              long[] values = Trials.randomLongs(MANY);
              return each(
                  ExchangeKernels::addLongs,
                  longs(values),
                  Expected.longs(
                      new long[4], longs(4, k -> everyFourth(k).mapToLong(i -> values[i]).sum())));
            }),
        capability(
            "atomic-add-float",
            "atomicAdd on a FloatArray loses no update",
            () -> {
              float[] values = floats(MANY, i -> i % 100);
              Expected<FloatArray> sums =
                  Expected.floats(
                      new float[4],
                      floats(4, k -> (float) everyFourth(k).mapToDouble(i -> values[i]).sum()));
              return each(ExchangeKernels::addFloats, floats(values), sums);
            }),
        capability(
            "atomic-add-double",
            "atomicAdd on a DoubleArray loses no update",
            () -> {
              double[] values = doubles(MANY, i -> i % 1000);
              Expected<DoubleArray> sums =
                  Expected.doubles(
                      new double[4],
                      doubles(4, k -> everyFourth(k).mapToDouble(i -> values[i]).sum()));
              return each(ExchangeKernels::addDoubles, doubles(values), sums);
            }),
        capability(
            "read-after-atomic-add",
            "a thread reads the element that it added to",
            () -> {
              int[] values = Trials.randomInts(96);
              IntArray counted = ints(values);
              Expected<IntArray> out =
                  Expected.ints(
                      IntStream.of(values).flatMap(v -> IntStream.of(v, v + 5)).toArray());
              return JitTrial.of(
                  KernelTask.of(
                      "each",
                      Trials.gridFor(96),
                      ExchangeKernels::readAfterAdd,
                      counted,
                      out.array()),
                  out);
            }),
        capability(
            "ticket-of-thread",
            "AtomicInteger.getAndIncrement gives each thread a number of its own",
            () -> {
              Tickets out = new Tickets(ints(ints(1024, i -> -1)), 1);
              return JitTrial.of(
                  KernelTask.of(
                      "draw",
                      Grid.of(8, 128),
                      ExchangeKernels::ticket,
                      new AtomicInteger(),
                      out.array()),
                  out);
            }),
        capability(
            "ticket-of-block",
            "a number drawn by thread 0 reaches its block through a local array",
            () -> {
              Tickets out = new Tickets(ints(ints(1024, i -> -1)), 64);
              return JitTrial.of(
                  KernelTask.of(
                      "draw",
                      Grid.of(16, 64),
                      ExchangeKernels::ticketOfBlock,
                      new AtomicInteger(),
                      out.array(),
                      64),
                  out);
            }),
        capability(
            "ticket-in-condition",
            "a number drawn may be compared without being stored",
            () -> {
              Expected<IntArray> out =
                  Expected.ints(new int[1024], ints(1024, i -> i == 0 ? 1 : 0));
              return JitTrial.of(
                  KernelTask.of(
                      "draw",
                      Grid.of(8, 128),
                      ExchangeKernels::ticketCompared,
                      new AtomicInteger(),
                      out.array(),
                      1023),
                  out);
            }),
        capability(
            "shuffle-down",
            "simdShuffleDown gives the value of a higher lane",
            () ->
                warps(
                    ExchangeKernels::shuffleDown,
                    lanes,
                    floats(
                        5 * WARPS,
                        i -> i / 5 % 32 + (1 << i % 5) < 32 ? lanes[i / 5 + (1 << i % 5)] : 0f))),
        capability(
            "warp-sum",
            "simdSum gives every lane the sum of its warp",
            () ->
                warps(
                    ExchangeKernels::warpSum,
                    lanes,
                    floats(
                        WARPS,
                        i ->
                            (float)
                                IntStream.range(0, 32)
                                    .mapToDouble(lane -> lanes[i / 32 * 32 + lane])
                                    .sum()))),
        capability(
            "warp-broadcast-first",
            "simdBroadcastFirst gives every lane the value of lane 0",
            () -> warps(ExchangeKernels::warpFirst, lanes, floats(WARPS, i -> lanes[i / 32 * 32]))),
        capability(
            "int-shuffle-by-half-words",
            "an int passes a float shuffle as two half-words",
            () -> {
              int[] values = Trials.randomInts(WARPS);
              Expected<IntArray> out =
                  Expected.ints(ints(WARPS, i -> i % 32 < 31 ? values[i + 1] : 0));
              return JitTrial.of(
                  KernelTask.of(
                      "warps",
                      Grid.of(1, WARPS),
                      ExchangeKernels::halfWords,
                      ints(values),
                      out.array()),
                  out);
            }),
        capability(
            "shuffle-up-by-mirrored-lanes",
            "shuffle-down over mirrored lanes gives the value of a lower lane",
            () ->
                warps(
                    ExchangeKernels::shuffleUp,
                    lanes,
                    floats(WARPS, i -> i % 32 >= 3 ? lanes[i - 3] : 0f))));
  }

  private static IntStream everyFourth(int first) {
    return IntStream.iterate(first, i -> i < MANY, i -> i + 4);
  }

  private static JitTrial warps(
      KernelTask.Kernel3<FloatArray, FloatArray> kernel, float[] values, float[] expected) {
    Expected<FloatArray> out = Expected.floats(expected);
    return JitTrial.of(
        KernelTask.of("warps", Grid.of(1, WARPS), kernel, floats(values), out.array()), out);
  }

  /** Numbers 0, 1, ..., each in all elements of one group and in no other. */
  record Tickets(IntArray array, int group) implements Output {

    @Override
    public Optional<String> firstDifference() {
      int groups = array.getSize() / group;
      BitSet drawn = new BitSet(groups);
      for (int i = 0; i < array.getSize(); i++) {
        int number = array.get(i);
        if (number < 0 || number >= groups) {
          return Optional.of("out[%s]: expected 0 to %s, got %s".formatted(i, groups - 1, number));
        }
        if (i % group == 0 && drawn.get(number)) {
          return Optional.of("out[%s]: %s was drawn twice".formatted(i, number));
        }
        if (number != array.get(i / group * group)) {
          return Optional.of(
              "out[%s]: expected %s like thread 0 of the block, got %s"
                  .formatted(i, array.get(i / group * group), number));
        }
        drawn.set(number);
      }
      return Optional.empty();
    }
  }
}
