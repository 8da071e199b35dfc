package funnel.block;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Seed;
import funnel.jit.KernelCopies;
import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import funnel.operator.Operator;
import funnel.operator.OperatorCode;
import java.lang.invoke.MethodHandles;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** What the collectives of a block give every thread. */
abstract class BlockContract {

  private static final int BLOCKS = 3;

  /** Runs a task in every way that is to be tried; {@code check} looks at the arrays after each. */
  abstract void run(KernelTask task, Runnable check, Object... arrays) throws Exception;

  static int[] blockSizes() {
    return new int[] {1, 2, 3, 8, 32, 48, 64, 65, 256, 1000, 1024};
  }

  private static SplittableRandom random(String test, int threads) {
    return Seed.random(test + threads);
  }

  private static String message(String what, int threads, int at) {
    return "%s, threads=%s, at=%s%s".formatted(what, threads, at, Seed.replay());
  }

  // Integers: any order gives the same

  private static long fold(LongBinaryOperator operator, LongArray in, int block, int threads) {
    long result = in.get(block * threads);
    for (int i = 1; i < threads; i++) {
      result = operator.applyAsLong(result, in.get(block * threads + i));
    }
    return result;
  }

  private static long[] expected(LongArray in, int at, int threads) {
    int block = at / threads;
    long xor = fold((a, b) -> a ^ b, in, block, threads);
    return new long[] {
      fold(Long::sum, in, block, threads),
      fold((a, b) -> a * b, in, block, threads),
      fold(Math::min, in, block, threads),
      fold(Math::max, in, block, threads),
      xor,
      xor
    };
  }

  @ParameterizedTest
  @MethodSource("blockSizes")
  void ints(int threads) throws Exception {
    int n = BLOCKS * threads;
    IntArray in = new IntArray(n);
    LongArray same = new LongArray(n);
    SplittableRandom random = random("ints", threads);
    for (int i = 0; i < n; i++) {
      in.set(i, random.nextInt());
      same.set(i, in.get(i));
    }
    IntArray out = new IntArray(6 * n);
    run(
        KernelTask.of(
            "ints",
            Grid.of(BLOCKS, threads),
            BlockKernels::allInts,
            in,
            out,
            threads,
            OperatorCode.XOR),
        () -> {
          for (int at = 0; at < n; at++) {
            long[] expected = expected(same, at, threads);
            for (int k = 0; k < 6; k++) {
              assertEquals((int) expected[k], out.get(6 * at + k), message("" + k, threads, at));
            }
          }
          out.init(0);
        },
        in,
        out);
  }

  @ParameterizedTest
  @MethodSource("blockSizes")
  void longs(int threads) throws Exception {
    int n = BLOCKS * threads;
    LongArray in = new LongArray(n);
    SplittableRandom random = random("longs", threads);
    for (int i = 0; i < n; i++) {
      in.set(i, random.nextLong());
    }
    LongArray out = new LongArray(6 * n);
    run(
        KernelTask.of(
            "longs",
            Grid.of(BLOCKS, threads),
            BlockKernels::allLongs,
            in,
            out,
            threads,
            OperatorCode.XOR),
        () -> {
          for (int at = 0; at < n; at++) {
            long[] expected = expected(in, at, threads);
            for (int k = 0; k < 6; k++) {
              assertEquals(expected[k], out.get(6 * at + k), message("" + k, threads, at));
            }
          }
          out.init(0);
        },
        in,
        out);
  }

  // Floating point: the tree that is documented

  /** Thread t's value meets that of thread t + p/2 first, with p threads or the next power of 2. */
  private static double halves(DoubleBinaryOperator operator, double[] values) {
    double[] now = values;
    while (now.length > 1) {
      int half = 1;
      while (2 * half < now.length) {
        half *= 2;
      }
      double[] next = Arrays.copyOf(now, half);
      for (int t = 0; t + half < now.length; t++) {
        next[t] = operator.applyAsDouble(now[t], now[t + half]);
      }
      now = next;
    }
    return now[0];
  }

  /** Operands are always neighbours. */
  private static double neighbours(DoubleBinaryOperator operator, double[] values) {
    double[] now = values;
    while (now.length > 1) {
      double[] next = new double[(now.length + 1) / 2];
      for (int t = 0; t < next.length; t++) {
        next[t] =
            2 * t + 1 < now.length
                ? operator.applyAsDouble(now[2 * t], now[2 * t + 1])
                : now[2 * t];
      }
      now = next;
    }
    return now[0];
  }

  private static double[] expected(double[] values, boolean isFloat) {
    DoubleBinaryOperator sum = isFloat ? (a, b) -> (float) (a + b) : Double::sum;
    DoubleBinaryOperator product = isFloat ? (a, b) -> (float) (a * b) : (a, b) -> a * b;
    return new double[] {
      halves(sum, values),
      halves(product, values),
      halves(Math::min, values),
      halves(Math::max, values),
      halves(sum, values),
      neighbours(sum, values)
    };
  }

  /** Of very different magnitudes, and in some blocks a NaN or zeros of both signs. */
  private static double value(SplittableRandom random, int i, int threads) {
    return switch (i / threads) {
      case 0 -> Math.scalb(random.nextDouble(-1, 1), random.nextInt(-3, 4));
      case 1 -> random.nextBoolean() ? 0.0 : -0.0;
      default -> i % threads == threads / 2 ? Double.NaN : random.nextDouble();
    };
  }

  @ParameterizedTest
  @MethodSource("blockSizes")
  void floats(int threads) throws Exception {
    int n = BLOCKS * threads;
    FloatArray in = new FloatArray(n);
    SplittableRandom random = random("floats", threads);
    for (int i = 0; i < n; i++) {
      in.set(i, (float) value(random, i, threads));
    }
    FloatArray out = new FloatArray(6 * n);
    run(
        KernelTask.of(
            "floats",
            Grid.of(BLOCKS, threads),
            BlockKernels::allFloats,
            in,
            out,
            threads,
            OperatorCode.SUM),
        () -> {
          for (int block = 0; block < BLOCKS; block++) {
            double[] values = new double[threads];
            for (int t = 0; t < threads; t++) {
              values[t] = in.get(block * threads + t);
            }
            double[] expected = expected(values, true);
            for (int at = block * threads; at < (block + 1) * threads; at++) {
              for (int k = 0; k < 6; k++) {
                assertEquals(
                    (float) expected[k], out.get(6 * at + k), message("" + k, threads, at));
              }
            }
          }
          out.init(0);
        },
        in,
        out);
  }

  @ParameterizedTest
  @MethodSource("blockSizes")
  void doubles(int threads) throws Exception {
    int n = BLOCKS * threads;
    DoubleArray in = new DoubleArray(n);
    SplittableRandom random = random("doubles", threads);
    for (int i = 0; i < n; i++) {
      in.set(i, value(random, i, threads));
    }
    DoubleArray out = new DoubleArray(6 * n);
    run(
        KernelTask.of(
            "doubles",
            Grid.of(BLOCKS, threads),
            BlockKernels::allDoubles,
            in,
            out,
            threads,
            OperatorCode.SUM),
        () -> {
          for (int block = 0; block < BLOCKS; block++) {
            double[] values = new double[threads];
            for (int t = 0; t < threads; t++) {
              values[t] = in.get(block * threads + t);
            }
            double[] expected = expected(values, false);
            for (int at = block * threads; at < (block + 1) * threads; at++) {
              for (int k = 0; k < 6; k++) {
                assertEquals(expected[k], out.get(6 * at + k), message("" + k, threads, at));
              }
            }
          }
          out.init(0);
        },
        in,
        out);
  }

  // An operator whose operands must not change places

  private static long affine(long left, long right) {
    int a = (int) (left >> 32);
    int b = (int) left;
    int c = (int) (right >> 32);
    int d = (int) right;
    int factor = a * c;
    int summand = b * c + d;
    return ((long) factor << 32) | (summand & 0xffffffffL);
  }

  @ParameterizedTest
  @MethodSource("blockSizes")
  void reduceInOrder_operatorOfAUser_leftToRight(int threads) throws Exception {
    Operator.LongCombine affine = BlockContract::affine;
    Class<?> copy =
        KernelCopies.copy(
            MethodHandles.lookup(),
            BlockKernels.class,
            Map.of("combine(JJ)J", new KernelCopies.Body(affine)));
    BlockKernelTasks kernels = (BlockKernelTasks) copy.getDeclaredConstructor().newInstance();
    int n = BLOCKS * threads;
    LongArray in = new LongArray(n);
    SplittableRandom random = random("affine", threads);
    for (int i = 0; i < n; i++) {
      in.set(i, random.nextLong());
    }
    LongArray out = new LongArray(n);
    run(
        kernels.inOrder(in, out, BLOCKS, threads, OperatorCode.USER),
        () -> {
          for (int at = 0; at < n; at++) {
            assertEquals(
                fold(BlockContract::affine, in, at / threads, threads),
                out.get(at),
                message("affine", threads, at));
          }
          out.init(0);
        },
        in,
        out);
  }

  // Votes

  @ParameterizedTest
  @MethodSource("blockSizes")
  void votes(int threads) throws Exception {
    int blocks = 5;
    int n = blocks * threads;
    IntArray in = new IntArray(n);
    SplittableRandom random = random("votes", threads);
    for (int i = 0; i < n; i++) {
      boolean holds =
          switch (i / threads) {
            case 0 -> true;
            case 1 -> false;
            case 2 -> i % threads == threads - 1;
            case 3 -> i % threads != threads / 2;
            default -> random.nextBoolean();
          };
      in.set(i, holds ? 1 + random.nextInt(9) : -random.nextInt(9));
    }
    IntArray out = new IntArray(3 * n);
    run(
        KernelTask.of("votes", Grid.of(blocks, threads), BlockKernels::votes, in, out, threads),
        () -> {
          for (int at = 0; at < n; at++) {
            int count = 0;
            for (int t = 0; t < threads; t++) {
              count += in.get(at / threads * threads + t) > 0 ? 1 : 0;
            }
            assertEquals(count, out.get(3 * at), message("count", threads, at));
            assertEquals(
                count == threads ? 1 : 0, out.get(3 * at + 1), message("all", threads, at));
            assertEquals(count > 0 ? 1 : 0, out.get(3 * at + 2), message("any", threads, at));
          }
          out.init(0);
        },
        in,
        out);
  }
}
