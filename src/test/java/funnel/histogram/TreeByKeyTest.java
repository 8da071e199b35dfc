package funnel.histogram;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Numbers;
import funnel.Seed;
import funnel.engine.JvmEngine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.reduce.UserOperators;
import funnel.scan.SegmentedScan;
import funnel.scan.SegmentedTree;
import funnel.scan.Segments;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Sums and products by key on the JVM have the bits that they are defined by. The oracle sorts the
 * keys in a plain loop and takes what a segmented scan has at each key's last value.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TreeByKeyTest {

  private final JvmEngine jvm = new JvmEngine();
  private final SplittableRandom random = Seed.random("tree by key");

  @AfterAll
  void close() {
    jvm.close();
  }

  private static MemorySegment values(ElementType type, int length, DoubleSupplier value) {
    MemorySegment values = MemorySegment.ofArray(new byte[length * type.bytes()]);
    for (int i = 0; i < length; i++) {
      set(type, values, i, value.getAsDouble());
    }
    return values;
  }

  private static void set(ElementType type, MemorySegment values, int i, double value) {
    switch (type) {
      case INT -> values.set(ValueLayout.JAVA_INT_UNALIGNED, 4L * i, (int) value);
      case LONG -> values.set(ValueLayout.JAVA_LONG_UNALIGNED, 8L * i, (long) value);
      case FLOAT -> values.set(ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * i, (float) value);
      default -> values.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, 8L * i, value);
    }
  }

  private static double get(ElementType type, MemorySegment values, int i) {
    return switch (type) {
      case INT -> values.get(ValueLayout.JAVA_INT_UNALIGNED, 4L * i);
      case LONG -> values.get(ValueLayout.JAVA_LONG_UNALIGNED, 8L * i);
      case FLOAT -> values.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * i);
      default -> values.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 8L * i);
    };
  }

  /** The output of an operation over inputs. */
  private MemorySegment run(
      Operation operation, List<Input> inputs, List<MemorySegment> given, long bytes) {
    Program program = Program.of(inputs, operation.expand("y", inputs).primitives());
    MemorySegment y = MemorySegment.ofArray(new byte[(int) bytes]);
    try (LoadedProgram loaded = jvm.load(program, Map.of())) {
      for (int i = 0; i < inputs.size(); i++) {
        loaded.set(inputs.get(i).name(), given.get(i));
      }
      loaded.setDestination("y", y);
      loaded.run();
      loaded.release();
    }
    return y;
  }

  /** What the keys below {@code size} come to, on top of what is there. */
  private MemorySegment expected(
      Operator operator,
      ElementType element,
      ElementType type,
      int[] keys,
      MemorySegment values,
      MemorySegment old,
      int size) {
    int most = Math.max(size, IntStream.of(keys).max().orElse(0)) + 1;
    int[] next = new int[most + 1];
    for (int key : keys) {
      next[key + 1]++;
    }
    for (int key = 0; key < most; key++) {
      next[key + 1] += next[key];
    }
    int length = keys.length;
    int[] sorted = new int[length];
    MemorySegment moved = MemorySegment.ofArray(new byte[length * type.bytes()]);
    for (int i = 0; i < length; i++) {
      int at = next[keys[i]]++;
      sorted[at] = keys[i];
      set(type, moved, at, get(element, values, i));
    }
    MemorySegment scan =
        run(
            SegmentedScan.inclusive(operator)
                .from(operator.neutral(type))
                .segments(Segments.byKeys()),
            List.of(new Input("x", type, length), new Input("k", ElementType.INT, length)),
            List.of(moved, MemorySegment.ofArray(sorted)),
            moved.byteSize());
    MemorySegment expected = MemorySegment.ofArray(new byte[size * type.bytes()]).copyFrom(old);
    for (int key = 0; key < size; key++) {
      int end = next[key];
      if (end > (key == 0 ? 0 : next[key - 1])) {
        Number before = Numbers.of(type, get(type, old, key));
        Number come = Numbers.of(type, get(type, scan, end - 1));
        set(type, expected, key, Numbers.combine(operator, type, before, come).doubleValue());
      }
    }
    return expected;
  }

  private static void requireSame(
      ElementType type, MemorySegment expected, MemorySegment seen, String message) {
    for (int key = 0; key < expected.byteSize() / type.bytes(); key++) {
      assertEquals(get(type, expected, key), get(type, seen, key), message + " at " + key);
    }
  }

  private void scatter(
      Operator operator,
      ElementType element,
      ElementType type,
      int size,
      int length,
      IntUnaryOperator pattern,
      DoubleSupplier value,
      String what) {
    int[] keys = IntStream.range(0, length).map(pattern).toArray();
    MemorySegment values = values(element, length, value);
    MemorySegment old = values(type, size, value);
    MemorySegment seen =
        run(
            element == type ? ScatterReduce.by(operator) : ScatterReduce.by(operator).to(type),
            List.of(
                new Input("i", ElementType.INT, Math.max(length, size)), // not by a sort
                new Input("v", element, Math.max(length, size)),
                new Input("old", type, size)),
            List.of(MemorySegment.ofArray(keys), values, old),
            old.byteSize());
    requireSame(
        type,
        expected(operator, element, type, keys, values, old, size),
        seen,
        "%s of %s to %s, %s, n=%s, size=%s%s"
            .formatted(operator, element, type, what, length, size, Seed.replay()));
  }

  /** Values whose sums and products depend on their order, and few that nothing is added to. */
  private double value(Operator operator, boolean special) {
    if (special && random.nextInt(200) == 0) {
      return new double[] {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}
          [random.nextInt(3)];
    }
    if (special && random.nextBoolean()) {
      return -0.0;
    }
    return operator.equals(Operator.PRODUCT)
        ? random.nextDouble(0.5, 1.5)
        : Math.scalb(random.nextDouble(-1, 1), random.nextInt(-5, 6));
  }

  @ParameterizedTest
  @CsvSource({"FLOAT, FLOAT", "FLOAT, DOUBLE", "DOUBLE, DOUBLE", "INT, DOUBLE", "LONG, DOUBLE"})
  void lengthsAroundEveryBoundary(ElementType element, ElementType type) {
    int row = SegmentedTree.items(type);
    int tile = SegmentedTree.THREADS * row;
    List<Operator> operators =
        type == ElementType.FLOAT
            ? List.of(Operator.SUM, Operator.PRODUCT, UserOperators.PLUS_FLOAT)
            : List.of(Operator.SUM, Operator.PRODUCT, UserOperators.PLUS_DOUBLE);
    for (int bound : new int[] {1, row, 16 * row, tile, 3 * tile, 16 * tile, 33 * tile}) {
      for (int more : new int[] {-1, 0, 1, 17, random.nextInt(tile)}) {
        int length = bound - SegmentedTree.lead(type) + more;
        if (length < 0 || element != type && !Seed.draws(random, 3)) {
          continue; // what is widened goes the same way
        }
        int size = new int[] {1, 2, 5, 300, 5000}[random.nextInt(5)];
        Operator operator = operators.get(random.nextInt(operators.size()));
        boolean special = random.nextInt(3) == 0;
        ScatterReduceContract.patterns(size, Math.max(1, length), random)
            .forEach(
                (name, pattern) ->
                    scatter(
                        operator,
                        element,
                        type,
                        size,
                        length,
                        pattern,
                        () -> value(operator, special) * (element.isFloating() ? 1 : 1e9),
                        name));
      }
    }
  }

  /** A key that begins anywhere in the first chunk, and goes on into the third group of them. */
  @Test
  void chunksAndGroups() {
    int chunk =
        SegmentedTree.CHUNK * SegmentedTree.THREADS * SegmentedTree.items(ElementType.DOUBLE);
    for (int chunks : new int[] {2, 2 * SegmentedTree.GROUP + 1}) {
      int length = chunks * chunk + random.nextInt(1, chunk);
      int some = random.nextInt(1, chunk);
      int[] at = {0}; // large sums that cancel out, so that bits of any of them are seen
      scatter(
          Operator.SUM,
          ElementType.DOUBLE,
          ElementType.DOUBLE,
          40,
          length,
          i -> i % 7 == 0 && i / 7 < some ? i % 40 : 20 + (i % 1000 == 0 ? 1 : 0),
          () -> at[0]++ < length / 2 ? random.nextDouble() : -random.nextDouble(),
          "chunks");
    }
  }

  /** Samples in no bin come after all others, and weighted ones are added in the same tree. */
  @ParameterizedTest
  @CsvSource({"FLOAT", "DOUBLE"})
  void weights(ElementType type) {
    for (int bins : new int[] {1, 10, 700}) {
      int length = random.nextInt(700, 200_000);
      int[] samples = random.ints(length, 0, bins + bins / 2 + 1).toArray();
      MemorySegment weights = values(type, length, () -> value(Operator.SUM, false));
      MemorySegment zeros = values(type, bins, () -> 0);
      MemorySegment seen =
          run(
              Histogram.even(bins, 0, bins).weighted(),
              List.of(new Input("x", ElementType.INT, length), new Input("w", type, length)),
              List.of(MemorySegment.ofArray(samples), weights),
              zeros.byteSize());
      requireSame(
          type,
          expected(Operator.SUM, type, type, samples, weights, zeros, bins),
          seen,
          "weights of %s, n=%s, bins=%s%s".formatted(type, length, bins, Seed.replay()));
    }
  }
}
