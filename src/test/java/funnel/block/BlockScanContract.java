package funnel.block;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Seed;
import funnel.jit.KernelCopies;
import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorCode;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** What the scans of a block and of a warp give every thread. */
abstract class BlockScanContract {

  private static final int BLOCKS = 4;

  /** Runs a task in every way that is to be tried; {@code check} looks at the arrays after each. */
  abstract void run(KernelTask task, Runnable check, Object... arrays) throws Exception;

  private static final List<Operator> INTEGER_OPERATORS =
      List.of(
          Operator.SUM,
          Operator.PRODUCT,
          Operator.MIN,
          Operator.MAX,
          Operator.AND,
          Operator.OR,
          Operator.XOR);

  private static final List<Operator> FLOAT_OPERATORS = INTEGER_OPERATORS.subList(0, 4);

  static int[] blockSizes() {
    return new int[] {1, 2, 5, 8, 16, 17, 32, 48, 64, 65, 128, 256, 300, 512, 1000, 1024};
  }

  static int[] sizesInWarps() {
    return new int[] {32, 64, 96, 128, 256, 512, 1024};
  }

  /** All operators at some sizes, sums at all. */
  private static List<Arguments> cases(int[] sizes, List<Operator> operators) {
    List<Arguments> cases = new ArrayList<>();
    for (int threads : sizes) {
      for (Operator operator : operators) {
        if (threads == 32 || threads == 256 || threads == 1024 || operator == Operator.SUM) {
          cases.add(Arguments.of(threads, operator));
        }
      }
    }
    return cases;
  }

  static List<Arguments> integerCases() {
    return cases(blockSizes(), INTEGER_OPERATORS);
  }

  static List<Arguments> floatCases() {
    return cases(blockSizes(), FLOAT_OPERATORS);
  }

  static List<Arguments> integerCasesInWarps() {
    return cases(sizesInWarps(), INTEGER_OPERATORS);
  }

  static List<Arguments> floatCasesInWarps() {
    return cases(sizesInWarps(), FLOAT_OPERATORS);
  }

  private static String message(String what, int threads, int at) {
    return "%s, threads=%d, at=%d%s".formatted(what, threads, at, Seed.replay());
  }

  // Integers: any order of operations gives the same

  /** Random, constant, extreme and nearly all zero, a block each. */
  private static long integer(SplittableRandom random, int block, long least, long greatest) {
    return switch (block) {
      case 0 -> random.nextLong();
      case 1 -> -7;
      case 2 ->
          switch (random.nextInt(5)) {
            case 0 -> least;
            case 1 -> greatest;
            default -> random.nextInt(-1, 2);
          };
      default -> random.nextInt(8) == 0 ? 1 << random.nextInt(31) : 0;
    };
  }

  private static LongBinaryOperator onLongs(Operator operator) {
    return switch (operator.code()) {
      case OperatorCode.SUM -> Long::sum;
      case OperatorCode.PRODUCT -> (a, b) -> a * b;
      case OperatorCode.MIN -> Math::min;
      case OperatorCode.MAX -> Math::max;
      case OperatorCode.AND -> (a, b) -> a & b;
      case OperatorCode.OR -> (a, b) -> a | b;
      case OperatorCode.XOR -> (a, b) -> a ^ b;
      default -> throw new IllegalArgumentException(operator.toString());
    };
  }

  /** All exclusive results over a part of an array, and behind them its aggregate. */
  private static long[] prefixes(
      LongBinaryOperator operator, long identity, long[] values, int begin, int length) {
    long[] prefixes = new long[length + 1];
    prefixes[0] = identity;
    for (int t = 0; t < length; t++) {
      prefixes[t + 1] = operator.applyAsLong(prefixes[t], values[begin + t]);
    }
    return prefixes;
  }

  /** What an array has at an index, as a long. */
  @FunctionalInterface
  private interface Results {
    long get(int index);
  }

  private static void checkGeneral(
      LongBinaryOperator operator,
      long identity,
      long[] values,
      int threads,
      Results out,
      boolean ints) {
    for (int at = 0; at < values.length; at++) {
      int t = at % threads;
      long[] expected = prefixes(operator, identity, values, at - t, threads);
      if (ints) {
        Arrays.setAll(expected, i -> (int) expected[i]);
      }
      assertEquals(expected[t + 1], out.get(5 * at), message("inclusive", threads, at));
      assertEquals(expected[t], out.get(5 * at + 1), message("exclusive", threads, at));
      assertEquals(expected[t], out.get(5 * at + 2), message("prefixes", threads, at));
      assertEquals(expected[threads], out.get(5 * at + 3), message("aggregate", threads, at));
      assertEquals(
          expected[threads - t], out.get(5 * at + 4), message("of another thread", threads, at));
    }
  }

  private static void checkTextbook(
      LongBinaryOperator operator,
      long identity,
      long[] values,
      int threads,
      Results out,
      boolean ints) {
    for (int at = 0; at < values.length; at++) {
      int t = at % threads;
      long expected = prefixes(operator, identity, values, at - t, t + 1)[t + 1];
      expected = ints ? (int) expected : expected;
      assertEquals(expected, out.get(2 * at), message("hillisSteele", threads, at));
      assertEquals(expected, out.get(2 * at + 1), message("blelloch", threads, at));
    }
  }

  private static void checkWarps(
      LongBinaryOperator operator, long identity, long[] values, int threads, Results out) {
    for (int at = 0; at < values.length; at++) {
      int t = at % threads;
      long[] ofWarp = prefixes(operator, identity, values, at - at % 32, 32);
      long[] ofBlock = prefixes(operator, identity, values, at - t, threads);
      assertEquals(
          (int) ofWarp[at % 32 + 1], out.get(3 * at), message("warp inclusive", threads, at));
      assertEquals(
          (int) ofWarp[at % 32], out.get(3 * at + 1), message("warp exclusive", threads, at));
      assertEquals((int) ofBlock[t + 1], out.get(3 * at + 2), message("warpShuffle", threads, at));
    }
  }

  private static long[] ints(String test, int threads) {
    SplittableRandom random = Seed.random(test + threads);
    long[] values = new long[BLOCKS * threads];
    Arrays.setAll(
        values, i -> (int) integer(random, i / threads, Integer.MIN_VALUE, Integer.MAX_VALUE));
    return values;
  }

  private static IntArray intArray(long[] values) {
    IntArray array = new IntArray(values.length);
    for (int i = 0; i < values.length; i++) {
      array.set(i, (int) values[i]);
    }
    return array;
  }

  @ParameterizedTest
  @MethodSource("integerCases")
  void ints(int threads, Operator operator) throws Exception {
    long[] values = ints("ints", threads);
    IntArray in = intArray(values);
    IntArray general = new IntArray(5 * values.length);
    IntArray textbook = new IntArray(2 * values.length);
    int identity = operator.identity(ElementType.INT).intValue();
    BlockScanKernels kernels = new BlockScanKernels();
    run(
        kernels.general(in, general, BLOCKS, threads, operator.code(), identity),
        () -> {
          checkGeneral(onLongs(operator), identity, values, threads, general::get, true);
          general.init(0);
        },
        in,
        general);
    run(
        kernels.textbook(in, textbook, BLOCKS, threads, operator.code(), identity),
        () -> {
          checkTextbook(onLongs(operator), identity, values, threads, textbook::get, true);
          textbook.init(0);
        },
        in,
        textbook);
  }

  @ParameterizedTest
  @MethodSource("blockSizes")
  void intSums(int threads) throws Exception {
    long[] values = ints("intSums", threads);
    IntArray in = intArray(values);
    IntArray out = new IntArray(4 * values.length);
    run(
        KernelTask.of(
            "sums", Grid.of(BLOCKS, threads), BlockScanKernels::sumsOfInts, in, out, threads),
        () -> {
          for (int at = 0; at < values.length; at++) {
            int t = at % threads;
            long[] expected = prefixes(Long::sum, 0, values, at - t, threads);
            assertEquals((int) expected[t + 1], out.get(4 * at), message("inclusive", threads, at));
            assertEquals((int) expected[t], out.get(4 * at + 1), message("exclusive", threads, at));
            assertEquals(
                (int) expected[threads - t],
                out.get(4 * at + 2),
                message("of another thread", threads, at));
            assertEquals(
                (int) expected[threads], out.get(4 * at + 3), message("aggregate", threads, at));
          }
          out.init(0);
        },
        in,
        out);
  }

  private static long[] longs(String test, int threads) {
    SplittableRandom random = Seed.random(test + threads);
    long[] values = new long[BLOCKS * threads];
    Arrays.setAll(values, i -> integer(random, i / threads, Long.MIN_VALUE, Long.MAX_VALUE));
    return values;
  }

  private static LongArray longArray(long[] values) {
    LongArray array = new LongArray(values.length);
    for (int i = 0; i < values.length; i++) {
      array.set(i, values[i]);
    }
    return array;
  }

  @ParameterizedTest
  @MethodSource("integerCases")
  void longs(int threads, Operator operator) throws Exception {
    long[] values = longs("longs", threads);
    LongArray in = longArray(values);
    LongArray general = new LongArray(5 * values.length);
    LongArray textbook = new LongArray(2 * values.length);
    long identity = operator.identity(ElementType.LONG).longValue();
    BlockScanKernels kernels = new BlockScanKernels();
    run(
        kernels.general(in, general, BLOCKS, threads, operator.code(), identity),
        () -> {
          checkGeneral(onLongs(operator), identity, values, threads, general::get, false);
          general.init(0);
        },
        in,
        general);
    run(
        kernels.textbook(in, textbook, BLOCKS, threads, operator.code(), identity),
        () -> {
          checkTextbook(onLongs(operator), identity, values, threads, textbook::get, false);
          textbook.init(0);
        },
        in,
        textbook);
  }

  @ParameterizedTest
  @MethodSource("blockSizes")
  void longSums(int threads) throws Exception {
    long[] values = longs("longSums", threads);
    LongArray in = longArray(values);
    LongArray out = new LongArray(4 * values.length);
    run(
        KernelTask.of(
            "sums", Grid.of(BLOCKS, threads), BlockScanKernels::sumsOfLongs, in, out, threads),
        () -> {
          for (int at = 0; at < values.length; at++) {
            int t = at % threads;
            long[] expected = prefixes(Long::sum, 0, values, at - t, threads);
            assertEquals(expected[t + 1], out.get(4 * at), message("inclusive", threads, at));
            assertEquals(expected[t], out.get(4 * at + 1), message("exclusive", threads, at));
            assertEquals(
                expected[threads - t],
                out.get(4 * at + 2),
                message("of another thread", threads, at));
            assertEquals(expected[threads], out.get(4 * at + 3), message("aggregate", threads, at));
          }
          out.init(0);
        },
        in,
        out);
  }

  @ParameterizedTest
  @MethodSource("integerCasesInWarps")
  void ints_byShuffles(int threads, Operator operator) throws Exception {
    long[] values = ints("intsByShuffles", threads);
    IntArray in = intArray(values);
    IntArray out = new IntArray(3 * values.length);
    int identity = operator.identity(ElementType.INT).intValue();
    run(
        new BlockScanKernels().warps(in, out, BLOCKS, threads, operator.code(), identity),
        () -> {
          checkWarps(onLongs(operator), identity, values, threads, out::get);
          out.init(0);
        },
        in,
        out);
  }

  @Test
  void warpSums() throws Exception {
    int threads = 96;
    long[] values = ints("warpSums", threads);
    IntArray in = intArray(values);
    IntArray out = new IntArray(2 * values.length);
    run(
        KernelTask.of(
            "warpSums", Grid.of(BLOCKS, threads), BlockScanKernels::warpSumsOfInts, in, out),
        () -> {
          for (int at = 0; at < values.length; at++) {
            long[] expected = prefixes(Long::sum, 0, values, at - at % 32, 32);
            assertEquals(
                (int) expected[at % 32 + 1], out.get(2 * at), message("inclusive", 32, at));
            assertEquals(
                (int) expected[at % 32], out.get(2 * at + 1), message("exclusive", 32, at));
          }
          out.init(0);
        },
        in,
        out);
    FloatArray floats = new FloatArray(values.length);
    for (int i = 0; i < values.length; i++) {
      floats.set(i, i % 61 - 30); // sums are exact
    }
    FloatArray sums = new FloatArray(2 * values.length);
    run(
        KernelTask.of(
            "warpSums", Grid.of(BLOCKS, threads), BlockScanKernels::warpSumsOfFloats, floats, sums),
        () -> {
          for (int at = 0; at < floats.getSize(); at++) {
            float sum = 0;
            for (int i = at - at % 32; i < at; i++) {
              sum += floats.get(i);
            }
            assertEquals(sum + floats.get(at), sums.get(2 * at), message("inclusive", 32, at));
            assertEquals(sum, sums.get(2 * at + 1), message("exclusive", 32, at));
          }
          sums.init(0);
        },
        floats,
        sums);
  }

  @Test
  void inALoop_withABarrierARound() throws Exception {
    int rounds = 3;
    for (int threads : new int[] {64, 256}) {
      SplittableRandom random = Seed.random("rounds" + threads);
      IntArray in = new IntArray(rounds * threads);
      for (int i = 0; i < in.getSize(); i++) {
        in.set(i, random.nextInt());
      }
      IntArray out = new IntArray(rounds * threads);
      run(
          KernelTask.of(
              "rounds", Grid.of(1, threads), BlockScanKernels::rounds, in, out, threads, rounds),
          () -> {
            int sum = 0;
            for (int at = 0; at < in.getSize(); at++) {
              assertEquals(sum, out.get(at), message("rounds", threads, at));
              sum += in.get(at);
            }
            out.init(0);
          },
          in,
          out);
    }
  }

  // Floating point: the orders of operations that are documented

  /** Of very different magnitudes; zeros of both signs; with a NaN; with infinities. */
  private static double floating(SplittableRandom random, int i, int threads) {
    return switch (i / threads) {
      case 0 -> Math.scalb(random.nextDouble(-1, 1), random.nextInt(-3, 4));
      case 1 -> random.nextBoolean() ? 0.0 : -0.0;
      case 2 -> i % threads == threads / 2 ? Double.NaN : random.nextDouble();
      default ->
          switch (random.nextInt(threads + 2)) {
            case 0 -> Double.POSITIVE_INFINITY;
            case 1 -> Double.NEGATIVE_INFINITY;
            default -> -0.0;
          };
    };
  }

  private static DoubleBinaryOperator onDoubles(Operator operator, boolean isFloat) {
    return switch (operator.code()) {
      case OperatorCode.SUM -> isFloat ? (a, b) -> (float) (a + b) : Double::sum;
      case OperatorCode.PRODUCT -> isFloat ? (a, b) -> (float) (a * b) : (a, b) -> a * b;
      case OperatorCode.MIN -> Math::min;
      case OperatorCode.MAX -> Math::max;
      default -> throw new IllegalArgumentException(operator.toString());
    };
  }

  private static double[] serial(
      DoubleBinaryOperator operator, double identity, double[] values, int begin, int length) {
    double[] prefixes = new double[length + 1];
    prefixes[0] = identity;
    for (int i = 0; i < length; i++) {
      prefixes[i + 1] = operator.applyAsDouble(prefixes[i], values[begin + i]);
    }
    return prefixes;
  }

  /** Groups one after the other, then their totals: exclusive results and the aggregate. */
  private static double[] twoLevels(
      DoubleBinaryOperator operator, double identity, double[] values) {
    int group = values.length > 256 ? 32 : Math.min(16, values.length);
    double[] totals = new double[Math.ceilDiv(values.length, group)];
    for (int g = 0; g < totals.length; g++) {
      int own = Math.min(group, values.length - g * group);
      totals[g] = serial(operator, identity, values, g * group, own)[own];
    }
    double[] starts = serial(operator, identity, totals, 0, totals.length);
    double[] prefixes = new double[values.length + 1];
    for (int t = 0; t < values.length; t++) {
      double inGroup = serial(operator, identity, values, t - t % group, t % group)[t % group];
      prefixes[t] = operator.applyAsDouble(starts[t / group], inGroup);
    }
    prefixes[values.length] = starts[totals.length];
    return prefixes;
  }

  /** Each combined with the one 1, 2, 4, ... before it: inclusive results. */
  private static double[] logSteps(DoubleBinaryOperator operator, double[] values) {
    double[] now = values;
    for (int distance = 1; distance < values.length; distance *= 2) {
      double[] next = now.clone();
      for (int t = distance; t < values.length; t++) {
        next[t] = operator.applyAsDouble(now[t - distance], now[t]);
      }
      now = next;
    }
    return now;
  }

  private static double halves(DoubleBinaryOperator operator, double[] values) {
    int half = values.length / 2;
    return half == 0
        ? values[0]
        : operator.applyAsDouble(
            halves(operator, Arrays.copyOf(values, half)),
            halves(operator, Arrays.copyOfRange(values, half, values.length)));
  }

  /** As many values as the next power of two, with identities behind the last. */
  private static double[] filledUp(double identity, double[] values) {
    int whole = Integer.highestOneBit(2 * values.length - 1);
    double[] all = Arrays.copyOf(values, whole);
    Arrays.fill(all, values.length, whole, identity);
    return all;
  }

  /** Down the tree of halves, the right one with the sum of the left one: exclusive results. */
  private static double[] downwards(DoubleBinaryOperator operator, double before, double[] values) {
    int half = values.length / 2;
    if (half == 0) {
      return new double[] {before};
    }
    double[] left = Arrays.copyOf(values, half);
    double[] right = Arrays.copyOfRange(values, half, values.length);
    double middle = operator.applyAsDouble(before, halves(operator, left));
    double[] results = Arrays.copyOf(downwards(operator, before, left), values.length);
    System.arraycopy(downwards(operator, middle, right), 0, results, half, half);
    return results;
  }

  private static double[] floats(String test, int threads) {
    SplittableRandom random = Seed.random(test + threads);
    double[] values = new double[BLOCKS * threads];
    Arrays.setAll(values, i -> (float) floating(random, i, threads));
    return values;
  }

  private static FloatArray floatArray(double[] values) {
    FloatArray array = new FloatArray(values.length);
    for (int i = 0; i < values.length; i++) {
      array.set(i, (float) values[i]);
    }
    return array;
  }

  @ParameterizedTest
  @MethodSource("floatCases")
  void floats(int threads, Operator operator) throws Exception {
    double[] values = floats("floats", threads);
    FloatArray in = floatArray(values);
    FloatArray general = new FloatArray(5 * values.length);
    FloatArray textbook = new FloatArray(2 * values.length);
    float identity = operator.identity(ElementType.FLOAT).floatValue();
    DoubleBinaryOperator combine = onDoubles(operator, true);
    BlockScanKernels kernels = new BlockScanKernels();
    run(
        kernels.general(in, general, BLOCKS, threads, operator.code(), identity),
        () -> {
          for (int block = 0; block < BLOCKS; block++) {
            double[] own = Arrays.copyOfRange(values, block * threads, (block + 1) * threads);
            double[] expected = twoLevels(combine, identity, own);
            for (int t = 0; t < threads; t++) {
              int at = block * threads + t;
              float inclusive = (float) combine.applyAsDouble(expected[t], own[t]);
              assertEquals(inclusive, general.get(5 * at), message("inclusive", threads, at));
              assertEquals(
                  (float) expected[t], general.get(5 * at + 1), message("exclusive", threads, at));
              assertEquals(
                  (float) expected[t], general.get(5 * at + 2), message("prefixes", threads, at));
              assertEquals(
                  (float) expected[threads],
                  general.get(5 * at + 3),
                  message("aggregate", threads, at));
              assertEquals(
                  (float) expected[threads - t],
                  general.get(5 * at + 4),
                  message("of another thread", threads, at));
            }
          }
          general.init(0);
        },
        in,
        general);
    run(
        kernels.textbook(in, textbook, BLOCKS, threads, operator.code(), identity),
        () -> {
          for (int block = 0; block < BLOCKS; block++) {
            double[] own = Arrays.copyOfRange(values, block * threads, (block + 1) * threads);
            double[] steps = logSteps(combine, own);
            double[] before = downwards(combine, identity, filledUp(identity, own));
            for (int t = 0; t < threads; t++) {
              int at = block * threads + t;
              assertEquals(
                  (float) steps[t], textbook.get(2 * at), message("hillisSteele", threads, at));
              assertEquals(
                  (float) combine.applyAsDouble(before[t], own[t]),
                  textbook.get(2 * at + 1),
                  message("blelloch", threads, at));
            }
          }
          textbook.init(0);
        },
        in,
        textbook);
  }

  @ParameterizedTest
  @MethodSource("blockSizes")
  void floatSums(int threads) throws Exception {
    double[] values = floats("floatSums", threads);
    FloatArray in = floatArray(values);
    FloatArray out = new FloatArray(4 * values.length);
    DoubleBinaryOperator sum = onDoubles(Operator.SUM, true);
    run(
        KernelTask.of(
            "sums", Grid.of(BLOCKS, threads), BlockScanKernels::sumsOfFloats, in, out, threads),
        () -> {
          for (int block = 0; block < BLOCKS; block++) {
            double[] own = Arrays.copyOfRange(values, block * threads, (block + 1) * threads);
            double[] expected = twoLevels(sum, 0.0, own);
            for (int t = 0; t < threads; t++) {
              int at = block * threads + t;
              assertEquals(
                  (float) sum.applyAsDouble(expected[t], own[t]),
                  out.get(4 * at),
                  message("inclusive", threads, at));
              assertEquals(
                  (float) expected[t], out.get(4 * at + 1), message("exclusive", threads, at));
              assertEquals(
                  (float) expected[threads - t],
                  out.get(4 * at + 2),
                  message("of another thread", threads, at));
              assertEquals(
                  (float) expected[threads],
                  out.get(4 * at + 3),
                  message("aggregate", threads, at));
            }
          }
          out.init(0);
        },
        in,
        out);
  }

  private static double[] doubles(String test, int threads) {
    SplittableRandom random = Seed.random(test + threads);
    double[] values = new double[BLOCKS * threads];
    Arrays.setAll(values, i -> floating(random, i, threads));
    return values;
  }

  private static DoubleArray doubleArray(double[] values) {
    DoubleArray array = new DoubleArray(values.length);
    for (int i = 0; i < values.length; i++) {
      array.set(i, values[i]);
    }
    return array;
  }

  @ParameterizedTest
  @MethodSource("floatCases")
  void doubles(int threads, Operator operator) throws Exception {
    double[] values = doubles("doubles", threads);
    DoubleArray in = doubleArray(values);
    DoubleArray general = new DoubleArray(5 * values.length);
    DoubleArray textbook = new DoubleArray(2 * values.length);
    double identity = operator.identity(ElementType.DOUBLE).doubleValue();
    DoubleBinaryOperator combine = onDoubles(operator, false);
    BlockScanKernels kernels = new BlockScanKernels();
    run(
        kernels.general(in, general, BLOCKS, threads, operator.code(), identity),
        () -> {
          for (int block = 0; block < BLOCKS; block++) {
            double[] own = Arrays.copyOfRange(values, block * threads, (block + 1) * threads);
            double[] expected = twoLevels(combine, identity, own);
            for (int t = 0; t < threads; t++) {
              int at = block * threads + t;
              double inclusive = combine.applyAsDouble(expected[t], own[t]);
              assertEquals(inclusive, general.get(5 * at), message("inclusive", threads, at));
              assertEquals(expected[t], general.get(5 * at + 1), message("exclusive", threads, at));
              assertEquals(expected[t], general.get(5 * at + 2), message("prefixes", threads, at));
              assertEquals(
                  expected[threads], general.get(5 * at + 3), message("aggregate", threads, at));
              assertEquals(
                  expected[threads - t],
                  general.get(5 * at + 4),
                  message("of another thread", threads, at));
            }
          }
          general.init(0);
        },
        in,
        general);
    run(
        kernels.textbook(in, textbook, BLOCKS, threads, operator.code(), identity),
        () -> {
          for (int block = 0; block < BLOCKS; block++) {
            double[] own = Arrays.copyOfRange(values, block * threads, (block + 1) * threads);
            double[] steps = logSteps(combine, own);
            double[] before = downwards(combine, identity, filledUp(identity, own));
            for (int t = 0; t < threads; t++) {
              int at = block * threads + t;
              assertEquals(steps[t], textbook.get(2 * at), message("hillisSteele", threads, at));
              assertEquals(
                  combine.applyAsDouble(before[t], own[t]),
                  textbook.get(2 * at + 1),
                  message("blelloch", threads, at));
            }
          }
          textbook.init(0);
        },
        in,
        textbook);
  }

  @ParameterizedTest
  @MethodSource("blockSizes")
  void doubleSums(int threads) throws Exception {
    double[] values = doubles("doubleSums", threads);
    DoubleArray in = doubleArray(values);
    DoubleArray out = new DoubleArray(4 * values.length);
    DoubleBinaryOperator sum = onDoubles(Operator.SUM, false);
    run(
        KernelTask.of(
            "sums", Grid.of(BLOCKS, threads), BlockScanKernels::sumsOfDoubles, in, out, threads),
        () -> {
          for (int block = 0; block < BLOCKS; block++) {
            double[] own = Arrays.copyOfRange(values, block * threads, (block + 1) * threads);
            double[] expected = twoLevels(sum, 0.0, own);
            for (int t = 0; t < threads; t++) {
              int at = block * threads + t;
              assertEquals(
                  sum.applyAsDouble(expected[t], own[t]),
                  out.get(4 * at),
                  message("inclusive", threads, at));
              assertEquals(expected[t], out.get(4 * at + 1), message("exclusive", threads, at));
              assertEquals(
                  expected[threads - t],
                  out.get(4 * at + 2),
                  message("of another thread", threads, at));
              assertEquals(
                  expected[threads], out.get(4 * at + 3), message("aggregate", threads, at));
            }
          }
          out.init(0);
        },
        in,
        out);
  }

  @ParameterizedTest
  @MethodSource("floatCasesInWarps")
  void floats_byShuffles(int threads, Operator operator) throws Exception {
    double[] values = floats("floatsByShuffles", threads);
    FloatArray in = floatArray(values);
    FloatArray out = new FloatArray(3 * values.length);
    float identity = operator.identity(ElementType.FLOAT).floatValue();
    DoubleBinaryOperator combine = onDoubles(operator, true);
    run(
        new BlockScanKernels().warps(in, out, BLOCKS, threads, operator.code(), identity),
        () -> {
          for (int block = 0; block < BLOCKS; block++) {
            double[] totals = new double[threads / 32];
            for (int warp = 0; warp < totals.length; warp++) {
              int begin = block * threads + warp * 32;
              double[] own = Arrays.copyOfRange(values, begin, begin + 32);
              totals[warp] = logSteps(combine, own)[31];
            }
            double[] upTo = logSteps(combine, totals);
            for (int t = 0; t < threads; t++) {
              int at = block * threads + t;
              int begin = at - t % 32;
              double[] warp = logSteps(combine, Arrays.copyOfRange(values, begin, begin + 32));
              double expected = warp[t % 32];
              double before = t % 32 == 0 ? identity : warp[t % 32 - 1];
              double whole = t < 32 ? expected : combine.applyAsDouble(upTo[t / 32 - 1], expected);
              assertEquals((float) expected, out.get(3 * at), message("inclusive", threads, at));
              assertEquals((float) before, out.get(3 * at + 1), message("exclusive", threads, at));
              assertEquals((float) whole, out.get(3 * at + 2), message("warpShuffle", threads, at));
            }
          }
          out.init(0);
        },
        in,
        out);
  }

  // Operators whose operands must not change places

  private static BlockScanTasks withOperator(String placeholder, KernelCopies.Body operator)
      throws Exception {
    Class<?> copy =
        KernelCopies.copyForDevice(
            MethodHandles.lookup(), BlockScanKernels.class, Map.of(placeholder, operator));
    return (BlockScanTasks) copy.getDeclaredConstructor().newInstance();
  }

  /** Of x -> a * x + b and x -> c * x + d, the second after the first. */
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
  void affineMaps_leftToRight(int threads) throws Exception {
    Operator.LongCombine affine = BlockScanContract::affine;
    BlockScanTasks kernels = withOperator("combine(JJ)J", new KernelCopies.Body(affine));
    long identity = 1L << 32;
    long[] values = longs("affine", threads);
    LongArray in = longArray(values);
    LongArray general = new LongArray(5 * values.length);
    LongArray textbook = new LongArray(2 * values.length);
    run(
        kernels.general(in, general, BLOCKS, threads, OperatorCode.USER, identity),
        () -> {
          checkGeneral(affine, identity, values, threads, general::get, false);
          general.init(0);
        },
        in,
        general);
    run(
        kernels.textbook(in, textbook, BLOCKS, threads, OperatorCode.USER, identity),
        () -> {
          checkTextbook(affine, identity, values, threads, textbook::get, false);
          textbook.init(0);
        },
        in,
        textbook);
  }

  /** No range at all. */
  private static final int EMPTY = -1;

  /** What {@link #join} gives, and goes on giving, once its operands were not neighbours. */
  private static final int APART = 0x7fff0000;

  /** Joins [a, b) and [b, c), each held as two halves of an int, to [a, c). */
  private static int join(int left, int right) {
    int joined = (left & 0x7fff0000) | (right & 0xffff);
    int unlessApart = (left & 0xffff) == ((right >> 16) & 0xffff) ? joined : APART;
    int unlessRightEmpty = right == -1 ? left : unlessApart;
    return left == -1 ? right : unlessRightEmpty;
  }

  @ParameterizedTest
  @MethodSource("blockSizes")
  void ranges_onlyNeighboursMeet(int threads) throws Exception {
    Operator.IntCombine join = BlockScanContract::join;
    BlockScanTasks kernels = withOperator("combine(II)I", new KernelCopies.Body(join));
    long[] values = new long[BLOCKS * threads];
    Arrays.setAll(values, i -> (i % threads << 16) | (i % threads + 1));
    LongBinaryOperator onLongs = (a, b) -> join((int) a, (int) b);
    IntArray in = intArray(values);
    IntArray general = new IntArray(5 * values.length);
    IntArray textbook = new IntArray(2 * values.length);
    IntArray warps = new IntArray(3 * values.length);
    run(
        kernels.general(in, general, BLOCKS, threads, OperatorCode.USER, EMPTY),
        () -> {
          checkGeneral(onLongs, EMPTY, values, threads, general::get, true);
          general.init(0);
        },
        in,
        general);
    run(
        kernels.textbook(in, textbook, BLOCKS, threads, OperatorCode.USER, EMPTY),
        () -> {
          checkTextbook(onLongs, EMPTY, values, threads, textbook::get, true);
          textbook.init(0);
        },
        in,
        textbook);
    if (threads % 32 == 0) {
      run(
          kernels.warps(in, warps, BLOCKS, threads, OperatorCode.USER, EMPTY),
          () -> {
            checkWarps(onLongs, EMPTY, values, threads, warps::get);
            warps.init(0);
          },
          in,
          warps);
    }
  }
}
