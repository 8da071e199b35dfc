package funnel.suite;

import static funnel.suite.Trials.capability;
import static funnel.suite.Trials.each;
import static funnel.suite.Trials.ints;
import static funnel.suite.Trials.longs;
import static funnel.suite.Trials.reliedOn;
import static funnel.suite.Trials.workedAround;

import funnel.kernel.Kernel;
import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Rules on grids, arguments, private arrays and sequences of tasks. */
final class LaunchRules {

  private LaunchRules() {}

  static List<JitRule> all() {
    return List.of(
        reliedOn(
            "context-fields",
            "indices and sizes of the context are those of the grid",
            () -> {
              int threads = 64;
              int n = 3 * threads;
              Expected<IntArray> out =
                  Expected.ints(
                      IntStream.range(0, n)
                          .flatMap(i -> IntStream.of(i, i % threads, i / threads, threads, n))
                          .toArray());
              return JitTrial.of(
                  KernelTask.of("grid", Grid.of(3, threads), LaunchKernels::place, out.array()),
                  out);
            }),
        capability(
            "grid-in-two-dimensions",
            "a grid may have two dimensions",
            () -> {
              int width = 3 * 16;
              Expected<IntArray> out =
                  Expected.ints(
                      IntStream.range(0, width * 2 * 8)
                          .flatMap(
                              i ->
                                  IntStream.of(
                                      i % width % 16, i / width % 8, i % width / 16, i / width / 8))
                          .toArray());
              return JitTrial.of(
                  KernelTask.of(
                      "grid", new Grid(3, 16, 2, 8), LaunchKernels::placeInPlane, out.array()),
                  out);
            }),
        reliedOn("block-of-256", "a block has the 256 threads that were asked for", () -> of(256)),
        capability("block-of-512", "a block has the 512 threads asked for", () -> of(512)),
        capability("block-of-1024", "a block has the 1024 threads asked for", () -> of(1024)),
        workedAround(
            "no-worker-grid",
            "a kernel task without a worker grid does not run with one thread silently",
            () -> {
              Expected<IntArray> out = Expected.ints(ints(128, i -> i));
              return JitTrial.of(
                      KernelTask.of("grid", Grid.of(2, 64), LaunchKernels::indices, out.array()),
                      out)
                  .launched(JitTrial.Launch.NO_WORKER_GRID);
            }),
        workedAround(
            "global-size-no-multiple-of-local",
            "all threads run when the last block is not full",
            () -> {
              Expected<IntArray> out = Expected.ints(ints(8 * 128 - 64, i -> i));
              return JitTrial.of(
                      KernelTask.of("grid", Grid.of(8, 128), LaunchKernels::indices, out.array()),
                      out)
                  .launched(JitTrial.Launch.PARTIAL_BLOCK);
            }),
        reliedOn(
            "length-in-array",
            "a length in an array may change from one execution to the next",
            () -> {
              IntArray shape = ints(100);
              Expected<IntArray> out =
                  Expected.ints(new int[128], ints(128, i -> i < 37 ? 2 : i < 100 ? 1 : 0));
              return JitTrial.of(
                      KernelTask.of(
                          "grid",
                          Trials.gridFor(128),
                          LaunchKernels::lengthInArray,
                          shape,
                          out.array()),
                      out)
                  .andAgainAfter(() -> shape.set(0, 37));
            }),
        reliedOn(
            "bits-of-floats",
            "an array of floats is one of ints, of their bits, where a kernel takes ints",
            () -> {
              FloatArray values = FloatArray.fromElements(Trials.FLOATS);
              int length = values.getSize();
              Expected<IntArray> out =
                  Expected.ints(ints(length, i -> Float.floatToRawIntBits(values.get(i)) ^ 1));
              return JitTrial.of(
                  Kernel.of(LaunchKernels.class, "flipped")
                      .task(
                          "grid",
                          Trials.gridFor(length),
                          Map.of("values", new Kernel.Bits(values), "out", out.array())),
                  out);
            }),
        reliedOn(
            "scalar-arguments",
            "int and long arguments have their values, each task its own",
            () -> {
              long[] values = Trials.LONGS;
              Expected<LongArray> up =
                  Expected.longs(longs(values.length, i -> values[i] * 5_000_000_000L + 7));
              Expected<LongArray> down =
                  Expected.longs(longs(values.length, i -> values[i] * -5_000_000_000L - 7));
              Grid grid = Trials.gridFor(values.length);
              return new JitTrial(
                  List.of(
                      KernelTask.of(
                          "up",
                          grid,
                          LaunchKernels::scalars,
                          longs(values),
                          up.array(),
                          7,
                          5_000_000_000L),
                      KernelTask.of(
                          "down",
                          grid,
                          LaunchKernels::scalars,
                          longs(values),
                          down.array(),
                          -7,
                          -5_000_000_000L)),
                  List.of(up, down),
                  JitTrial.Launch.STATED,
                  List.of());
            }),
        reliedOn(
            "same-array-twice",
            "one array may be two arguments",
            () -> {
              int[] values = Trials.randomInts(96);
              IntArray both = ints(values);
              return each(
                  LaunchKernels::sumOfTwo, both, both, Expected.ints(ints(96, i -> 4 * values[i])));
            }),
        reliedOn(
            "task-reads-what-task-wrote",
            "a task reads a one-element array that the task before it wrote",
            () -> {
              int[] values = Trials.randomInts(96);
              int sum = IntStream.of(values).sum();
              IntArray input = ints(values);
              Expected<IntArray> total = Expected.ints(sum);
              Expected<IntArray> out = Expected.ints(ints(96, i -> values[i] + sum));
              Grid grid = Trials.gridFor(96);
              return new JitTrial(
                  List.of(
                      KernelTask.of("total", grid, LaunchKernels::total, input, total.array()),
                      KernelTask.of(
                          "add", grid, LaunchKernels::addTotal, input, total.array(), out.array())),
                  List.of(total, out),
                  JitTrial.Launch.STATED,
                  List.of());
            }),
        workedAround(
            "uploaded-if-first-only-written",
            "an array is uploaded although the first task only writes into it",
            () -> {
              int[] values = Trials.randomInts(96);
              Expected<IntArray> out =
                  Expected.ints(values, ints(96, i -> 1 + (i == 0 ? 7 : values[i])));
              return new JitTrial(
                  List.of(
                      KernelTask.of("write", Grid.of(1, 1), LaunchKernels::seven, out.array()),
                      KernelTask.of("add", Trials.gridFor(96), LaunchKernels::up, out.array())),
                  List.of(out),
                  JitTrial.Launch.STATED,
                  List.of());
            }),
        reliedOn(
            "count-of-executions",
            "a kernel may count its executions in its result",
            () -> {
              Expected<FloatArray> out =
                  Expected.floats(new float[] {0f, 0f}, new float[] {2.5f, 2f});
              return JitTrial.of(
                      KernelTask.of(
                          "count", Grid.of(1, 32), LaunchKernels::counted, out.array(), 2.5f),
                      out)
                  .andAgainAfter(() -> {});
            }),
        reliedOn("private-arrays-of-1", "new int[n] with a scalar argument n = 1", () -> lanes(1)),
        reliedOn("private-arrays-of-4", "new int[n] with a scalar argument n = 4", () -> lanes(4)),
        reliedOn("private-arrays-of-8", "new int[n] with a scalar argument n = 8", () -> lanes(8)),
        reliedOn(
            "private-arrays-of-16", "new int[n] with a scalar argument n = 16", () -> lanes(16)),
        capability(
            "private-array-with-variable-index",
            "a private array may be indexed by a value",
            () -> {
              int slots = 8;
              int[] values = Trials.randomInts(200, 1000);
              Expected<IntArray> out =
                  Expected.ints(
                      ints(
                          32 * slots,
                          i ->
                              (int)
                                  IntStream.of(values)
                                      .filter(v -> (v + i / slots) % slots == i % slots)
                                      .count()));
              return JitTrial.of(
                  KernelTask.of(
                      "count",
                      Grid.of(1, 32),
                      LaunchKernels::indexedPrivately,
                      ints(values),
                      out.array(),
                      slots),
                  out);
            }));
  }

  private static JitTrial of(int threads) {
    int blocks = 3;
    int[] values = Trials.randomInts(blocks * threads);
    Expected<IntArray> out =
        Expected.ints(
            ints(
                2 * values.length,
                i ->
                    i % 2 == 0
                        ? threads
                        : values[i / 2 / threads * threads + threads - 1 - i / 2 % threads]));
    return JitTrial.of(
        KernelTask.of(
            "block",
            Grid.of(blocks, threads),
            LaunchKernels::wholeBlock,
            ints(values),
            out.array(),
            threads),
        out);
  }

  private static JitTrial lanes(int perThread) {
    int step = 64;
    int length = 1500;
    int inFlight = Math.max(8, perThread);
    int[] values = Trials.randomInts(length);
    Expected<IntArray> out =
        Expected.ints(
            ints(
                step,
                i -> {
                  int[] lanes = new int[perThread];
                  for (int base = i; base < length; base += inFlight * step) {
                    for (int c = 0; c < inFlight; c++) {
                      int item = base + c * step;
                      lanes[c % perThread] =
                          5 * lanes[c % perThread] + (item < length ? values[item] : 0);
                    }
                  }
                  for (int half = perThread / 2; half > 0; half /= 2) {
                    for (int c = 0; c < half; c++) {
                      lanes[c] = 3 * lanes[c] + lanes[c + half];
                    }
                  }
                  return lanes[0];
                }));
    return JitTrial.of(
        KernelTask.of(
            "lanes",
            Trials.gridFor(step),
            LaunchKernels::lanes,
            ints(length, step),
            ints(values),
            out.array(),
            perThread),
        out);
  }
}
