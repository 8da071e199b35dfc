package funnel.block;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Seed;
import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongBinaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** What the scans of integers of a block and of a warp give every thread. */
abstract class IntegerBlockScanContract {

  static final int BLOCKS = 4;

  /** Runs a task in every way that is to be tried; {@code check} looks at the arrays after each. */
  abstract void run(KernelTask task, Runnable check, Object... arrays) throws Exception;

  static final List<Operator> INTEGER_OPERATORS =
      List.of(
          Operator.SUM,
          Operator.PRODUCT,
          Operator.MIN,
          Operator.MAX,
          Operator.AND,
          Operator.OR,
          Operator.XOR);

  static final List<Operator> FLOAT_OPERATORS = INTEGER_OPERATORS.subList(0, 4);

  static int[] blockSizes() {
    return new int[] {1, 2, 5, 8, 16, 17, 32, 48, 64, 65, 128, 256, 300, 512, 1000, 1024};
  }

  static int[] sizesInWarps() {
    return new int[] {32, 64, 96, 128, 256, 512, 1024};
  }

  /** All operators at some sizes, sums at all. */
  static List<Arguments> cases(int[] sizes, List<Operator> operators) {
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

  static String message(String what, int threads, int at) {
    return "%s, threads=%s, at=%s%s".formatted(what, threads, at, Seed.replay());
  }

  // Integers: any order of operations gives the same

  /** Random, constant, extreme and nearly all zero, a block each. */
  static long integer(SplittableRandom random, int block, long least, long greatest) {
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

  static LongBinaryOperator onLongs(Operator operator) {
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
  static long[] prefixes(
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
  interface Results {
    long get(int index);
  }

  static void checkGeneral(
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

  static void checkTextbook(
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

  static void checkWarps(
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

  static long[] ints(String test, int threads) {
    SplittableRandom random = Seed.random(test + threads);
    long[] values = new long[BLOCKS * threads];
    Arrays.setAll(
        values, i -> (int) integer(random, i / threads, Integer.MIN_VALUE, Integer.MAX_VALUE));
    return values;
  }

  static IntArray intArray(long[] values) {
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

  static long[] longs(String test, int threads) {
    SplittableRandom random = Seed.random(test + threads);
    long[] values = new long[BLOCKS * threads];
    Arrays.setAll(values, i -> integer(random, i / threads, Long.MIN_VALUE, Long.MAX_VALUE));
    return values;
  }

  static LongArray longArray(long[] values) {
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
}
