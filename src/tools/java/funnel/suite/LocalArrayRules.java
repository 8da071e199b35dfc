package funnel.suite;

import static funnel.suite.Trials.capability;
import static funnel.suite.Trials.dangerous;
import static funnel.suite.Trials.doubles;
import static funnel.suite.Trials.floats;
import static funnel.suite.Trials.ints;
import static funnel.suite.Trials.longs;
import static funnel.suite.Trials.reliedOn;
import static funnel.suite.Trials.workedAround;

import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Rules on local (shared-memory) arrays and barriers. */
final class LocalArrayRules {

  private static final int THREADS = 64;
  private static final int BLOCKS = 3;
  private static final int N = BLOCKS * THREADS;
  private static final Grid GRID = Grid.of(BLOCKS, THREADS);
  private static final int LARGEST = 48 * 1024 / Integer.BYTES;

  private LocalArrayRules() {}

  static List<JitRule> all() {
    int[] values = Trials.randomInts(N);
    IntUnaryOperator mirrored = i -> values[i / THREADS * THREADS + THREADS - 1 - i % THREADS];
    return List.of(
        reliedOn(
            "local-array",
            "after a barrier each thread sees what the others wrote",
            () -> block(LocalArrayKernels::reversed, values, ints(N, mirrored))),
        reliedOn(
            "local-array-in-helper-int",
            "a helper may allocate and use a local array, also when it is called twice",
            () ->
                block(
                    LocalArrayKernels::treeInHelper,
                    values,
                    ints(2 * BLOCKS, i -> blockOf(values, i / 2).map(v -> power(v, i)).sum()))),
        reliedOn(
            "local-array-in-helper-long",
            "a helper may allocate and use a local array, also when it is called twice",
            () -> {
              long[] wide = Trials.randomLongs(N);
              Expected<LongArray> out =
                  Expected.longs(
                      longs(
                          2 * BLOCKS,
                          i ->
                              LongStream.of(wide)
                                  .skip((long) i / 2 * THREADS)
                                  .limit(THREADS)
                                  .map(v -> i % 2 == 0 ? v : v * v)
                                  .sum()));
              return JitTrial.of(
                  KernelTask.of(
                      "block",
                      GRID,
                      LocalArrayKernels::treeInHelperLong,
                      longs(wide),
                      out.array(),
                      THREADS),
                  out);
            }),
        reliedOn(
            "local-array-in-helper-float",
            "a helper may allocate and use a local array, also when it is called twice",
            () -> {
              float[] x = Trials.randomFloats(N, 1);
              Expected<FloatArray> out =
                  Expected.floats(
                      floats(
                          2 * BLOCKS,
                          i -> {
                            float[] tree = new float[THREADS];
                            for (int t = 0; t < THREADS; t++) {
                              tree[t] = x[i / 2 * THREADS + t] * (i % 2 == 0 ? 1f : 0.5f);
                            }
                            for (int half = THREADS / 2; half > 0; half /= 2) {
                              for (int t = 0; t < half; t++) {
                                tree[t] = tree[t] + tree[t + half];
                              }
                            }
                            return tree[0];
                          }));
              return JitTrial.of(
                  KernelTask.of(
                      "block",
                      GRID,
                      LocalArrayKernels::treeInHelperFloat,
                      floats(x),
                      out.array(),
                      THREADS),
                  out);
            }),
        reliedOn(
            "local-array-in-helper-double",
            "a helper may allocate and use a local array, also when it is called twice",
            () -> {
              double[] x = Trials.randomDoubles(N, 1);
              Expected<DoubleArray> out =
                  Expected.doubles(
                      doubles(
                          2 * BLOCKS,
                          i -> {
                            double[] tree = new double[THREADS];
                            for (int t = 0; t < THREADS; t++) {
                              tree[t] = x[i / 2 * THREADS + t] * (i % 2 == 0 ? 1d : 0.5);
                            }
                            for (int half = THREADS / 2; half > 0; half /= 2) {
                              for (int t = 0; t < half; t++) {
                                tree[t] = tree[t] + tree[t + half];
                              }
                            }
                            return tree[0];
                          }));
              return JitTrial.of(
                  KernelTask.of(
                      "block",
                      GRID,
                      LocalArrayKernels::treeInHelperDouble,
                      doubles(x),
                      out.array(),
                      THREADS),
                  out);
            }),
        reliedOn(
            "tree-of-neighbours",
            "a tree over a local array combines neighbours, left operand first",
            () ->
                block(
                    LocalArrayKernels::neighbours,
                    values,
                    ints(
                        BLOCKS,
                        b -> {
                          int[] level = blockOf(values, b).toArray();
                          while (level.length > 1) {
                            int[] pairs = level;
                            level =
                                ints(pairs.length / 2, i -> 3 * pairs[2 * i] + pairs[2 * i + 1]);
                          }
                          return level[0];
                        }))),
        capability(
            "local-array-from-helper",
            "a helper may return the local array that it allocated",
            () -> block(LocalArrayKernels::arrayFromHelper, values, ints(N, mirrored))),
        dangerous(
            "local-array-to-helper",
            "a helper may use a local array that it is given",
            () -> block(LocalArrayKernels::arrayToHelper, values, ints(N, mirrored))),
        workedAround(
            "context-field-in-helper",
            "a helper may read a field of the context before and after a barrier",
            () -> block(LocalArrayKernels::fieldInHelper, values, ints(N, mirrored))),
        workedAround(
            "constant-index-across-barrier",
            "what all threads wrote to one slot is the same for all after a barrier",
            () -> {
              IntArray out = ints(ints(N, i -> -1 - i));
              return JitTrial.of(
                  KernelTask.of("block", GRID, LocalArrayKernels::constantIndex, out),
                  new SameInBlock(out));
            }),
        reliedOn(
            "variable-index-across-barrier",
            "a read at an index that is no constant sees what was written before the barrier",
            () ->
                block(
                    LocalArrayKernels::variableIndex,
                    values,
                    ints(
                        2 * N,
                        i -> values[i / 2 / THREADS * THREADS + (i % 2 == 0 ? 0 : THREADS - 1)]))),
        reliedOn(
            "local-array-with-pitch",
            "a local array may be written in one order and read in another",
            () -> {
              int items = 8;
              int[] tiles = Trials.randomInts(N * items);
              Expected<IntArray> out =
                  Expected.ints(
                      ints(
                          N,
                          i ->
                              IntStream.of(tiles)
                                  .skip((long) i * items)
                                  .limit(items)
                                  .reduce(0, (sum, v) -> 3 * sum + v)));
              return JitTrial.of(
                  KernelTask.of(
                      "block",
                      GRID,
                      LocalArrayKernels::pitched,
                      ints(tiles),
                      out.array(),
                      THREADS,
                      items),
                  out);
            }),
        workedAround(
            "local-byte-array",
            "a byte of a local array can be masked with 0xff and added to",
            () ->
                block(
                    LocalArrayKernels::bytes,
                    values,
                    ints(
                        2 * N,
                        i -> {
                          byte b = (byte) mirrored.applyAsInt(i / 2);
                          return i % 2 == 0 ? b & 0xff : b + 1000;
                        }))),
        capability(
            "local-array-of-48-kb",
            "a block may have 48 KB of local arrays",
            () -> {
              int[] many = Trials.randomInts(LARGEST);
              Expected<IntArray> out = Expected.ints(ints(LARGEST, i -> many[LARGEST - 1 - i]));
              return JitTrial.of(
                  KernelTask.of(
                      "block",
                      Grid.of(1, THREADS),
                      LocalArrayKernels::large,
                      ints(many),
                      out.array(),
                      THREADS,
                      LARGEST),
                  out);
            }),
        workedAround(
            "local-array-of-block-size",
            "a local array may have context.localGroupSizeX elements",
            () -> {
              Expected<IntArray> out = Expected.ints(ints(N, mirrored));
              return JitTrial.of(
                  KernelTask.of(
                      "block", GRID, LocalArrayKernels::sizedByBlock, ints(values), out.array()),
                  out);
            }),
        capability(
            "return-of-whole-blocks",
            "a whole block may return before its barriers",
            () -> {
              Expected<IntArray> out =
                  Expected.ints(
                      ints(N, i -> -i),
                      ints(N, i -> i < 2 * THREADS ? mirrored.applyAsInt(i) : -i));
              return JitTrial.of(
                  KernelTask.of(
                      "block",
                      GRID,
                      LocalArrayKernels::returningBlocks,
                      ints(2),
                      ints(values),
                      out.array(),
                      THREADS),
                  out);
            }));
  }

  private static IntStream blockOf(int[] values, int block) {
    return IntStream.of(values).skip((long) block * THREADS).limit(THREADS);
  }

  private static int power(int v, int i) {
    return i % 2 == 0 ? v : v * v;
  }

  private static JitTrial block(
      KernelTask.Kernel4<IntArray, IntArray, Integer> kernel, int[] values, int[] expected) {
    Expected<IntArray> out = Expected.ints(expected);
    return JitTrial.of(
        KernelTask.of("block", GRID, kernel, ints(values), out.array(), THREADS), out);
  }

  /** Output elements that are the same thread index within each block. */
  private record SameInBlock(IntArray array) implements Output {

    @Override
    public Optional<String> firstDifference() {
      for (int i = 0; i < array.getSize(); i++) {
        int value = array.get(i);
        int first = array.get(i / THREADS * THREADS);
        if (value < 0 || value >= THREADS) {
          return Optional.of("out[%s]: expected 0 to %s, got %s".formatted(i, THREADS - 1, value));
        }
        if (value != first) {
          return Optional.of(
              "out[%s]: expected %s like thread 0 of the block, got %s".formatted(i, first, value));
        }
      }
      return Optional.empty();
    }
  }
}
