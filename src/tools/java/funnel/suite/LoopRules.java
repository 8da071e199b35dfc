package funnel.suite;

import static funnel.suite.Trials.capability;
import static funnel.suite.Trials.each;
import static funnel.suite.Trials.ints;
import static funnel.suite.Trials.reliedOn;
import static funnel.suite.Trials.workedAround;

import funnel.kernel.KernelTask;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Rules on control flow. */
final class LoopRules {

  private static final int TILES = 64;
  private static final int ITEMS = 23;
  private static final int LENGTH = 60 * ITEMS + 11;

  private LoopRules() {}

  static List<JitRule> all() {
    int[] values = Trials.randomInts(LENGTH);
    int[] haystack = ints(50, i -> 7 * i);
    int[] needles = ints(64, i -> i * 6);
    IntUnaryOperator place = i -> Arrays.stream(haystack).boxed().toList().indexOf(needles[i]);
    return List.of(
        workedAround(
            "loops-in-both-arms",
            "after an if whose two arms hold a loop, the sum is that of the arm that ran",
            () -> tiles(LoopKernels::inBothArms, values, i -> tileSum(values, i))),
        capability(
            "loops-in-both-arms-that-store",
            "two arms may hold a loop each if each stores its own result",
            () -> tiles(LoopKernels::storingInBothArms, values, i -> tileSum(values, i))),
        reliedOn(
            "loop-in-one-arm",
            "one arm of an if may hold a loop",
            () ->
                tiles(
                    LoopKernels::inOneArm,
                    values,
                    i -> (i + 1) * ITEMS <= LENGTH ? tileSum(values, i) : -1)),
        reliedOn(
            "guarded-loop",
            "a loop may hold a guarded load",
            () -> tiles(LoopKernels::guarded, values, i -> tileSum(values, i))),
        capability(
            "loop-after-loop",
            "two loops in sequence may carry the same sum",
            () -> tiles(LoopKernels::oneAfterAnother, values, i -> tileSum(values, i))),
        reliedOn(
            "grid-stride-loop",
            "a loop may step by the number of threads of the grid",
            () ->
                tiles(
                    LoopKernels::strided,
                    values,
                    i ->
                        IntStream.iterate(i, at -> at < LENGTH, at -> at + TILES)
                            .map(at -> values[at])
                            .sum())),
        workedAround(
            "loop-with-two-exits",
            "a search that breaks with a result delivers that result",
            () -> search(LoopKernels::twoExits, haystack, needles, place)),
        workedAround(
            "return-inside-loop-of-helper",
            "a helper that returns out of a loop delivers that value",
            () -> search(LoopKernels::returnInHelper, haystack, needles, place)),
        reliedOn(
            "search-with-one-exit",
            "while (k < n && a.get(k) != t) k++ stops at the first match",
            () -> search(LoopKernels::singleExit, haystack, needles, place)),
        reliedOn(
            "search-with-flag",
            "a loop without an early exit keeps the first match",
            () -> search(LoopKernels::flagInCondition, haystack, needles, place)),
        reliedOn(
            "binary-search",
            "a bisecting loop finds the first element that is not smaller",
            () ->
                search(
                    LoopKernels::bisected,
                    haystack,
                    needles,
                    i -> (int) Arrays.stream(haystack).filter(v -> v < needles[i]).count())),
        reliedOn(
            "halving-and-doubling-loops",
            "stride = stride / 2 and stride = stride * 2 end where they should",
            () -> {
              int[] starts = {1, 2, 3, 64, 100, 256, 1 << 20};
              return each(
                  LoopKernels::halvingAndDoubling,
                  ints(starts),
                  Expected.ints(
                      IntStream.of(starts)
                          .flatMap(
                              v ->
                                  IntStream.of(
                                      32 - Integer.numberOfLeadingZeros(v),
                                      32 - Integer.numberOfLeadingZeros(v - 1)))
                          .toArray()));
            }),
        reliedOn(
            "switch-on-argument",
            "a switch expression over a scalar argument takes its arm",
            () -> {
              int[] a = Trials.randomInts(96);
              int[] b = Trials.randomInts(96, 1000);
              Expected<IntArray> sum = Expected.ints(ints(96, i -> a[i] + b[i]));
              Expected<IntArray> xor = Expected.ints(ints(96, i -> a[i] ^ b[i]));
              Expected<IntArray> left = Expected.ints(a);
              return new JitTrial(
                  List.of(
                      switchTask("sum", a, b, sum, 1),
                      switchTask("xor", a, b, xor, 5),
                      switchTask("left", a, b, left, 9)),
                  List.of(sum, xor, left),
                  JitTrial.Launch.STATED,
                  List.of());
            }),
        capability(
            "switch-on-value",
            "a switch expression over a value takes its arm",
            () -> {
              int[] b = Trials.randomInts(96, 1000);
              return each(
                  LoopKernels::switchOnValue,
                  ints(ints(96, i -> i % 7)),
                  ints(b),
                  Expected.ints(
                      ints(
                          96,
                          i ->
                              i % 7 == 1
                                  ? 100 + b[i]
                                  : i % 7 == 2 ? 100 - b[i] : i % 7 == 5 ? 100 ^ b[i] : 100)));
            }),
        workedAround(
            "joined-conditions-int",
            "conditions may be joined by && and || and negated",
            () -> conditions(LoopKernels::joined)),
        workedAround(
            "nested-conditions-int",
            "conditions may be nested",
            () -> conditions(LoopKernels::nested)),
        reliedOn(
            "conditions-as-bits-int",
            "conditions turned into 0 and 1 may be joined by & and |",
            () -> conditions(LoopKernels::bits)),
        capability(
            "records",
            "records may hold a kernel's values",
            () -> {
              int[] a = Trials.lefts(Trials.INTS);
              int[] b = Trials.rights(Trials.INTS);
              return each(
                  LoopKernels::records,
                  ints(a),
                  ints(b),
                  Expected.ints(
                      ints(
                          2 * a.length,
                          i ->
                              i % 2 == 0
                                  ? Math.min(a[i / 2], b[i / 2])
                                  : Math.max(a[i / 2], b[i / 2]))));
            }));
  }

  private static int tileSum(int[] values, int tile) {
    int begin = Math.min(LENGTH, tile * ITEMS);
    return IntStream.of(values).skip(begin).limit(ITEMS).sum();
  }

  private static JitTrial tiles(
      KernelTask.Kernel4<IntArray, IntArray, IntArray> kernel,
      int[] values,
      IntUnaryOperator expected) {
    Expected<IntArray> out = Expected.ints(ints(TILES, expected));
    return JitTrial.of(
        KernelTask.of(
            "tiles", Trials.gridFor(TILES), kernel, ints(LENGTH, ITEMS), ints(values), out.array()),
        out);
  }

  private static JitTrial search(
      KernelTask.Kernel5<IntArray, IntArray, IntArray, IntArray> kernel,
      int[] haystack,
      int[] needles,
      IntUnaryOperator expected) {
    Expected<IntArray> out = Expected.ints(ints(needles.length, expected));
    return JitTrial.of(
        KernelTask.of(
            "search",
            Trials.gridFor(needles.length),
            kernel,
            ints(haystack.length, 0),
            ints(haystack),
            ints(needles),
            out.array()),
        out);
  }

  private static JitTrial conditions(
      KernelTask.Kernel5<IntArray, IntArray, IntArray, IntArray> kernel) {
    int[] x = ints(64, i -> i % 4);
    int[] y = ints(64, i -> i / 4 % 4);
    int[] z = ints(64, i -> i / 16);
    return each(
        kernel,
        ints(x),
        ints(y),
        ints(z),
        Expected.ints(
            IntStream.range(0, 64)
                .flatMap(
                    i ->
                        IntStream.of(
                            x[i] < y[i] || (x[i] == y[i] && z[i] < 1) ? 1 : 0,
                            (x[i] != y[i] && z[i] == 1) || y[i] < z[i] ? 1 : 0,
                            !(x[i] < y[i] || y[i] == z[i]) ? 1 : 0))
                .toArray()));
  }

  private static KernelTask switchTask(
      String id, int[] a, int[] b, Expected<IntArray> out, int operator) {
    return KernelTask.of(
        id,
        Trials.gridFor(a.length),
        LoopKernels::switchOnArgument,
        ints(a),
        ints(b),
        out.array(),
        operator);
  }
}
