package funnel.lessons;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What every variant of the ladder must give on an engine, at every length and block size. */
abstract class LadderContract {

  static final int[] BLOCK_SIZES = {64, 128, 256, 512, 1024};
  private static final long SEED = 20_260_101L;

  /** The engine under test. */
  abstract Engine engine();

  /** Whether lengths cost time: then types that share their kernels' source with int get fewer. */
  abstract boolean areLengthsSlow();

  static List<Object[]> variantsAndBlockSizes() {
    List<Object[]> all = new ArrayList<>();
    for (LadderVariant variant : LadderVariant.values()) {
      for (int blockSize : BLOCK_SIZES) {
        all.add(new Object[] {variant, blockSize});
      }
    }
    return all;
  }

  /** Lengths around one, two and eight blocks, so that each launch has whole and partial ones. */
  private static int[] lengths(int blockSize) {
    return new int[] {
      0,
      1,
      2,
      blockSize - 1,
      blockSize,
      blockSize + 1,
      2 * blockSize - 1,
      2 * blockSize + 1,
      8 * blockSize,
      8 * blockSize + 1
    };
  }

  private int[] fewLengths(int blockSize) {
    return areLengthsSlow() ? new int[] {blockSize - 1, 8 * blockSize + 1} : lengths(blockSize);
  }

  /** A ladder on the engine under test and the same one on the JVM. */
  private final class Pair implements AutoCloseable {
    private final LoadedProgram here;
    private final LoadedProgram onJvm;

    Pair(LadderVariant variant, int blockSize, Operator operator, ElementType type, int capacity) {
      Input input = new Input("x", type, capacity);
      Expansion expansion = variant.reduction(blockSize, operator).expand("r", List.of(input));
      Program program = Program.of(List.of(input), expansion.primitives());
      here = engine().load(program, Map.of());
      onJvm = new JvmEngine().load(program, Map.of());
    }

    /** The result, after a comparison with the JVM's. */
    Number run(MemorySegment elements) {
      here.set("x", elements);
      onJvm.set("x", elements);
      here.run();
      onJvm.run();
      assertEquals(onJvm.result("r"), here.result("r"), "the JVM's result");
      return here.result("r");
    }

    @Override
    public void close() {
      here.close();
      onJvm.close();
    }
  }

  @ParameterizedTest
  @MethodSource("variantsAndBlockSizes")
  void sumOfInts(LadderVariant variant, int blockSize) {
    SplittableRandom random = new SplittableRandom(SEED);
    try (Pair pair =
        new Pair(variant, blockSize, Operator.SUM, ElementType.INT, 8 * blockSize + 1)) {
      for (int length : lengths(blockSize)) {
        int[] values = random.ints(length).toArray();
        assertEquals(
            Arrays.stream(values).sum(),
            pair.run(MemorySegment.ofArray(values)),
            () -> "length=%s, seed=%s".formatted(length, SEED));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("variantsAndBlockSizes")
  void largestOfLongs(LadderVariant variant, int blockSize) {
    SplittableRandom random = new SplittableRandom(SEED);
    try (Pair pair =
        new Pair(variant, blockSize, Operator.MAX, ElementType.LONG, 8 * blockSize + 1)) {
      for (int length : fewLengths(blockSize)) {
        long[] values = random.longs(length, Long.MIN_VALUE, -1).toArray();
        assertEquals(
            Arrays.stream(values).max().orElse(Long.MIN_VALUE),
            pair.run(MemorySegment.ofArray(values)),
            () -> "length=%s, seed=%s".formatted(length, SEED));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("variantsAndBlockSizes")
  void sumOfFloatsHasTheBitsOfTheReplay(LadderVariant variant, int blockSize) {
    SplittableRandom random = new SplittableRandom(SEED);
    try (Pair pair =
        new Pair(variant, blockSize, Operator.SUM, ElementType.FLOAT, 8 * blockSize + 1)) {
      for (int length : fewLengths(blockSize)) {
        float[] values = new float[length];
        double exact = 0;
        for (int i = 0; i < length; i++) {
          values[i] = (float) random.nextDouble(-1, 1);
          exact += values[i];
        }
        float sum = (Float) pair.run(MemorySegment.ofArray(values));
        assertEquals(exact, sum, 1e-6 * length, "seed=" + SEED);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(LadderVariant.class)
  void sumAndSmallestOfDoubles(LadderVariant variant) {
    int blockSize = 128;
    SplittableRandom random = new SplittableRandom(SEED);
    double[] values = random.doubles(8 * blockSize + 1, -1, 1).toArray();
    try (Pair sum = new Pair(variant, blockSize, Operator.SUM, ElementType.DOUBLE, values.length);
        Pair min = new Pair(variant, blockSize, Operator.MIN, ElementType.DOUBLE, values.length)) {
      MemorySegment elements = MemorySegment.ofArray(values);
      assertEquals(Arrays.stream(values).sum(), (Double) sum.run(elements), 1e-12, "seed=" + SEED);
      assertEquals(Arrays.stream(values).min().orElseThrow(), min.run(elements));
      values[700] = Double.NaN;
      assertEquals(Double.NaN, min.run(elements));
    }
  }

  @ParameterizedTest
  @EnumSource(LadderVariant.class)
  void manyLaunchesWithLessThanTheCapacity(LadderVariant variant) {
    int blockSize = 64;
    int capacity = 64 * 64 * 3 + 5;
    SplittableRandom random = new SplittableRandom(SEED);
    try (Pair pair = new Pair(variant, blockSize, Operator.SUM, ElementType.INT, capacity)) {
      for (int length : new int[] {capacity, 1, 4096, 4097, 0, capacity - 1}) {
        int[] values = random.ints(length).toArray();
        assertEquals(
            Arrays.stream(values).sum(),
            pair.run(MemorySegment.ofArray(values)),
            () -> "length=%s, seed=%s".formatted(length, SEED));
      }
    }
  }

  /** x to a * x + b over 16-bit numbers, a in the upper half: composed from left to right. */
  private static final Operator AFFINE =
      Operator.ofInt(
          "affine",
          1 << 16,
          (first, second) -> {
            int a1 = (first >> 16) & 0xffff;
            int a2 = (second >> 16) & 0xffff;
            int b1 = first & 0xffff;
            int b2 = second & 0xffff;
            return ((a1 * a2) << 16) | ((a2 * b1 + b2) & 0xffff);
          });

  private static final Operator LARGER_MAGNITUDE =
      Operator.ofLong(
              "larger magnitude",
              0L,
              (a, b) -> (a < 0 ? -a : a) > (b < 0 ? -b : b) ? a : (a == -b && a > b ? a : b))
          .commutative();

  @ParameterizedTest
  @EnumSource(
      value = LadderVariant.class,
      names = {"NEIGHBOURED_PAIRS", "NEIGHBOURED_LESS_DIVERGENCE"})
  void operatorThatIsNotCommutative(LadderVariant variant) {
    SplittableRandom random = new SplittableRandom(SEED);
    try (Pair pair = new Pair(variant, 64, AFFINE, ElementType.INT, 5000)) {
      for (int length : new int[] {0, 1, 63, 64, 65, 4096, 5000}) {
        int[] values = random.ints(length).map(v -> v | 1 << 16).toArray();
        int expected = 1 << 16;
        for (int value : values) {
          expected =
              ((Operator.IntCombine) Objects.requireNonNull(AFFINE.function()))
                  .applyAsInt(expected, value);
        }
        assertEquals(
            expected,
            pair.run(MemorySegment.ofArray(values)),
            "length=%s, seed=%s".formatted(length, SEED));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(LadderVariant.class)
  void operatorOfTheUser(LadderVariant variant) {
    SplittableRandom random = new SplittableRandom(SEED);
    long[] values = random.longs(1500, -1_000_000, 1_000_000).toArray();
    long expected = 0;
    for (long value : values) {
      if (Math.abs(value) > Math.abs(expected) || value == -expected && value > expected) {
        expected = value;
      }
    }
    try (Pair pair = new Pair(variant, 128, LARGER_MAGNITUDE, ElementType.LONG, values.length)) {
      assertEquals(expected, pair.run(MemorySegment.ofArray(values)), "seed=" + SEED);
    }
  }
}
