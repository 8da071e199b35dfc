package funnel.lessons;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Seed;
import funnel.engine.Engine;
import funnel.engine.JvmEngine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** What every variant of the scan must give on an engine, at every length and block size. */
abstract class ScanVariantContract {

  static final int[] BLOCK_SIZES = {64, 128, 256, 512, 1024};

  /** The engine under test. */
  abstract Engine engine();

  /** Whether lengths cost time: then large blocks get fewer of them. */
  abstract boolean areLengthsSlow();

  private static List<Object[]> cases(ElementType type) {
    List<Object[]> all = new ArrayList<>();
    for (ScanVariant variant : ScanVariant.values()) {
      for (int blockSize : BLOCK_SIZES) {
        if (variant.isOver(type)) {
          all.add(new Object[] {variant, blockSize});
        }
      }
    }
    return all;
  }

  static List<Object[]> intCases() {
    return cases(ElementType.INT);
  }

  static List<Object[]> longCases() {
    return cases(ElementType.LONG);
  }

  static List<Object[]> floatCases() {
    return cases(ElementType.FLOAT);
  }

  static List<Object[]> doubleCases() {
    return cases(ElementType.DOUBLE);
  }

  private static int tile(ScanVariant variant, int blockSize) {
    return variant.items() * blockSize;
  }

  /** Around one, two and four blocks; with small blocks around the second level's end too. */
  private int[] lengths(ScanVariant variant, int blockSize) {
    int tile = tile(variant, blockSize);
    int square = tile * tile;
    int[] few = {0, 1, tile - 1, tile, tile + 1, 2 * tile + 31};
    if (areLengthsSlow() && blockSize > 64) {
      return few;
    }
    int[] more = {
      2, 31, 32, 33, blockSize - 1, blockSize, blockSize + 1, 2 * tile, 4 * tile - 1, 4 * tile + 1
    };
    int[] most = blockSize == 64 ? new int[] {square - 1, square, square + 1} : new int[0];
    return Arrays.stream(new int[][] {few, more, most}).flatMapToInt(Arrays::stream).toArray();
  }

  private int[] fewLengths(ScanVariant variant, int blockSize) {
    int tile = tile(variant, blockSize);
    return new int[] {0, 1, tile - 1, tile + 1, 3 * tile - 5};
  }

  private static int largest(int[] lengths) {
    return Arrays.stream(lengths).max().orElseThrow();
  }

  /** A scan on the engine under test and the same one on the JVM. */
  private final class Pair implements AutoCloseable {
    private final LoadedProgram here;
    private final LoadedProgram onJvm;

    Pair(ScanVariant variant, int blockSize, Operator operator, ElementType type, int capacity) {
      Input input = new Input("x", type, capacity);
      Expansion expansion = variant.scan(blockSize, operator).expand("s", List.of(input));
      Program program = Program.of(List.of(input), expansion.primitives());
      here = engine().load(program, Map.of());
      onJvm = new JvmEngine().load(program, Map.of());
    }

    /** Scans into {@code result}, after a comparison with the JVM's bits. */
    Number run(MemorySegment elements, MemorySegment result, MemorySegment replayed) {
      here.set("x", elements);
      onJvm.set("x", elements);
      here.run();
      onJvm.run();
      here.fetch("s", result);
      onJvm.fetch("s", replayed);
      assertEquals(-1, replayed.mismatch(result), "the byte that differs from the JVM's");
      assertEquals(onJvm.result("s_total"), here.result("s_total"), "the JVM's total");
      return here.result("s_total");
    }

    int[] run(int[] values, int totalOfNone) {
      int[] result = new int[values.length];
      Number total =
          run(
              MemorySegment.ofArray(values),
              MemorySegment.ofArray(result),
              MemorySegment.ofArray(new int[values.length]));
      assertEquals(values.length == 0 ? totalOfNone : result[values.length - 1], total);
      return result;
    }

    long[] run(long[] values, long totalOfNone) {
      long[] result = new long[values.length];
      Number total =
          run(
              MemorySegment.ofArray(values),
              MemorySegment.ofArray(result),
              MemorySegment.ofArray(new long[values.length]));
      assertEquals(values.length == 0 ? totalOfNone : result[values.length - 1], total);
      return result;
    }

    float[] run(float[] values) {
      float[] result = new float[values.length];
      Number total =
          run(
              MemorySegment.ofArray(values),
              MemorySegment.ofArray(result),
              MemorySegment.ofArray(new float[values.length]));
      assertEquals(values.length == 0 ? 0f : result[values.length - 1], total);
      return result;
    }

    double[] run(double[] values) {
      double[] result = new double[values.length];
      run(
          MemorySegment.ofArray(values),
          MemorySegment.ofArray(result),
          MemorySegment.ofArray(new double[values.length]));
      return result;
    }

    @Override
    public void close() {
      here.close();
      onJvm.close();
    }
  }

  private static int[] scanned(int[] values, IntBinaryOperator operator) {
    int[] expected = values.clone();
    Arrays.parallelPrefix(expected, operator);
    return expected;
  }

  private static long[] scanned(long[] values, LongBinaryOperator operator) {
    long[] expected = values.clone();
    for (int i = 1; i < expected.length; i++) {
      expected[i] = operator.applyAsLong(expected[i - 1], values[i]);
    }
    return expected;
  }

  private static String message(int length) {
    return "length=" + length + Seed.replay();
  }

  @ParameterizedTest
  @MethodSource("intCases")
  void sumsOfInts(ScanVariant variant, int blockSize) {
    SplittableRandom random = Seed.random("sumsOfInts" + variant + blockSize);
    int[] lengths = lengths(variant, blockSize);
    try (Pair pair =
        new Pair(variant, blockSize, Operator.SUM, ElementType.INT, largest(lengths))) {
      for (int length : lengths) {
        int[] values = random.ints(length).toArray();
        assertArrayEquals(scanned(values, Integer::sum), pair.run(values, 0), message(length));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("longCases")
  void largestOfLongs(ScanVariant variant, int blockSize) {
    SplittableRandom random = Seed.random("largestOfLongs" + variant + blockSize);
    int[] lengths = fewLengths(variant, blockSize);
    try (Pair pair =
        new Pair(variant, blockSize, Operator.MAX, ElementType.LONG, largest(lengths))) {
      for (int length : lengths) {
        long[] values = random.longs(length, Long.MIN_VALUE, -1).toArray();
        for (int i = 0; i < length; i++) { // so that the largest one keeps changing
          values[i] = values[i] / (i + 1);
        }
        assertArrayEquals(
            scanned(values, Math::max), pair.run(values, Long.MIN_VALUE), message(length));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("longCases")
  void sumsOfLongs(ScanVariant variant, int blockSize) {
    SplittableRandom random = Seed.random("sumsOfLongs" + variant + blockSize);
    int[] lengths = fewLengths(variant, blockSize);
    try (Pair pair =
        new Pair(variant, blockSize, Operator.SUM, ElementType.LONG, largest(lengths))) {
      for (int length : lengths) {
        long[] values = random.longs(length).toArray();
        assertArrayEquals(scanned(values, Long::sum), pair.run(values, 0L), message(length));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("floatCases")
  void sumsOfFloatsHaveTheBitsOfTheReplay(ScanVariant variant, int blockSize) {
    SplittableRandom random = Seed.random("sumsOfFloats" + variant + blockSize);
    int[] lengths = fewLengths(variant, blockSize);
    try (Pair pair =
        new Pair(variant, blockSize, Operator.SUM, ElementType.FLOAT, largest(lengths))) {
      for (int length : lengths) {
        float[] values = new float[length];
        double[] exact = new double[length];
        for (int i = 0; i < length; i++) {
          values[i] = (float) random.nextDouble(-1, 1);
          exact[i] = values[i] + (i > 0 ? exact[i - 1] : 0);
        }
        float[] result = pair.run(values);
        for (int i = 0; i < length; i++) {
          assertEquals(exact[i], result[i], 1e-5 * (1 + Math.sqrt(i)), message(length));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("doubleCases")
  void smallestOfDoubles(ScanVariant variant, int blockSize) {
    SplittableRandom random = Seed.random("smallestOfDoubles" + variant + blockSize);
    int length = 2 * tile(variant, blockSize) + 7;
    double[] values = random.doubles(length, -1, 1).toArray();
    values[length - 4] = -0.0;
    values[length - 2] = Double.NaN;
    double[] expected = values.clone();
    for (int i = 1; i < length; i++) {
      expected[i] = Math.min(expected[i - 1], values[i]);
    }
    try (Pair pair = new Pair(variant, blockSize, Operator.MIN, ElementType.DOUBLE, length)) {
      assertArrayEquals(expected, pair.run(values), message(length));
    }
  }

  @ParameterizedTest
  @EnumSource(ScanVariant.class)
  void threeLevelsWithLessThanTheCapacity(ScanVariant variant) {
    int tile = tile(variant, 64);
    int capacity = tile * tile + tile + 5;
    SplittableRandom random = Seed.random("threeLevels" + variant);
    try (Pair pair = new Pair(variant, 64, Operator.SUM, ElementType.INT, capacity)) {
      for (int length : new int[] {capacity, 1, tile + 1, 0, capacity - 1, tile}) {
        int[] values = random.ints(length).toArray();
        assertArrayEquals(scanned(values, Integer::sum), pair.run(values, 0), message(length));
      }
    }
  }

  /** x to a * x + b over 16-bit numbers, a in the upper half: composed from left to right. */
  private static int affine(int first, int second) {
    int a1 = (first >> 16) & 0xffff;
    int a2 = (second >> 16) & 0xffff;
    int b1 = first & 0xffff;
    int b2 = second & 0xffff;
    return ((a1 * a2) << 16) | ((a2 * b1 + b2) & 0xffff);
  }

  @ParameterizedTest
  @EnumSource(ScanVariant.class)
  void operatorThatIsNotCommutative(ScanVariant variant) {
    SplittableRandom random = Seed.random("notCommutative" + variant);
    Operator affine = Operator.ofInt("affine", 1 << 16, ScanVariantContract::affine);
    int tile = tile(variant, 64);
    int[] lengths = {0, 1, 63, tile, tile + 1, 4 * tile + 9};
    try (Pair pair = new Pair(variant, 64, affine, ElementType.INT, largest(lengths))) {
      for (int length : lengths) {
        int[] values = random.ints(length).map(v -> v | 1 << 16).toArray();
        assertArrayEquals(
            scanned(values, ScanVariantContract::affine),
            pair.run(values, 1 << 16),
            message(length));
      }
    }
  }

  /** No range at all. */
  private static final int EMPTY = -1;

  /**
   * Joins [a, b) and [b, c), each held as two halves of an int, to [a, c); others are a division by
   * zero: an exception on the JVM, some wrong number on a device.
   */
  private static int join(int left, int right) {
    int joined = (left & 0x7fff0000) | (right & 0xffff);
    int gap = (left & 0xffff) - (right / 0x10000);
    return left == -1 ? right : right == -1 ? left : joined / (gap == 0 ? 1 : 0);
  }

  @ParameterizedTest
  @EnumSource(ScanVariant.class)
  void onlyNeighboursMeet(ScanVariant variant) {
    Operator join = Operator.ofInt("join", EMPTY, ScanVariantContract::join);
    int tile = tile(variant, 64);
    int[] lengths = {1, tile - 1, tile + 1, 20 * tile + 9, 0, 2 * tile};
    try (Pair pair = new Pair(variant, 64, join, ElementType.INT, largest(lengths))) {
      for (int length : lengths) {
        int[] values = new int[length];
        int[] expected = new int[length];
        for (int i = 0; i < length; i++) {
          values[i] = i << 16 | i + 1;
          expected[i] = i + 1;
        }
        assertArrayEquals(expected, pair.run(values, EMPTY), message(length));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(ScanVariant.class)
  void inPlaceOverPartOfAnArray(ScanVariant variant) {
    int length = 3 * tile(variant, 64);
    Input input = new Input("x", ElementType.INT, length + 10);
    Expansion expansion = variant.scan(64, Operator.SUM).expand("s", List.of(input));
    IntArray array = new IntArray(length + 10);
    array.init(7);
    Program program = Program.of(List.of(input), expansion.primitives());
    try (LoadedProgram loaded = engine().load(program, Map.of("x", array, "s", array))) {
      loaded.setRange("x", 3, length);
      loaded.setRange("s", 3, length);
      loaded.run();
      for (int i = 0; i < length + 10; i++) {
        int place = i - 3;
        assertEquals(
            place < 0 || place >= length ? 7 : 7 * (place + 1), array.get(i), "element " + i);
      }
    }
  }
}
