package funnel.transform;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.Seed;
import funnel.engine.Engine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.operation.Input;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.scan.Scan;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** What adjacent differences are on every engine; the oracle is a plain loop. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AdjacentDifferenceContract {

  private static final int TILE = IntTabulateKernels.tile(TabulateStep.DIFFERENCE);
  private static final int GUARD = 77;

  /** More elements than one task of the JVM has. */
  private static final int CAPACITY = 200_000;

  private static final int[] LENGTHS = {
    0, 1, 2, 31, 32, 33, 255, 256, 257, 767, 769, TILE - 1, TILE, TILE + 1, 3 * TILE + 257, CAPACITY
  };

  abstract Engine open();

  private final Engine engine = open();
  private final Funnel funnel = Funnel.open(engine.target());

  @AfterAll
  void close() {
    funnel.close();
    engine.close();
  }

  private Plan.Builder plan(ElementType type, int capacity) {
    return funnel.plan("p").input("x", type, capacity).add("y", AdjacentDifference.left(), "x");
  }

  private static Number get(ElementType type, MemorySegment memory, long at) {
    return switch (type) {
      case BYTE -> throw new IllegalArgumentException();
      case INT -> memory.get(ValueLayout.JAVA_INT_UNALIGNED, 4 * at);
      case LONG -> memory.get(ValueLayout.JAVA_LONG_UNALIGNED, 8 * at);
      case FLOAT -> memory.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 4 * at);
      case DOUBLE -> memory.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 8 * at);
    };
  }

  private static void set(ElementType type, MemorySegment memory, long at, Number value) {
    switch (type) {
      case BYTE -> throw new IllegalArgumentException();
      case INT -> memory.set(ValueLayout.JAVA_INT_UNALIGNED, 4 * at, value.intValue());
      case LONG -> memory.set(ValueLayout.JAVA_LONG_UNALIGNED, 8 * at, value.longValue());
      case FLOAT -> memory.set(ValueLayout.JAVA_FLOAT_UNALIGNED, 4 * at, value.floatValue());
      case DOUBLE -> memory.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, 8 * at, value.doubleValue());
    }
  }

  private static Number minus(Number a, Number b) {
    return switch (a) {
      case Integer i -> i - (Integer) b;
      case Long l -> l - (Long) b;
      case Float f -> f - (Float) b;
      default -> (Double) a - (Double) b;
    };
  }

  /** Any number, often one that is special. */
  private static Number draw(ElementType type, SplittableRandom random) {
    int special = random.nextInt(16);
    if (type.isFloating()) {
      boolean isFloat = type == ElementType.FLOAT;
      return switch (special) {
        case 0 -> Double.NaN;
        case 1 -> Double.POSITIVE_INFINITY;
        case 2 -> Double.NEGATIVE_INFINITY;
        case 3, 4, 5 -> -0.0;
        case 6, 7 -> 0.0;
        case 8 -> isFloat ? Float.MIN_VALUE : Double.MIN_VALUE;
        case 9 -> isFloat ? -Float.MAX_VALUE : -Double.MAX_VALUE;
        default -> random.nextDouble(-1e6, 1e6);
      };
    }
    boolean isInt = type == ElementType.INT;
    return switch (special) {
      case 0 -> isInt ? Integer.MIN_VALUE : Long.MIN_VALUE;
      case 1 -> isInt ? Integer.MAX_VALUE : Long.MAX_VALUE;
      default -> random.nextLong();
    };
  }

  /** Memory of {@code length} elements whose first byte is at no multiple of anything. */
  private static MemorySegment odd(ElementType type, int length) {
    MemorySegment memory = MemorySegment.ofArray(new byte[1 + length * type.bytes()]).asSlice(1);
    for (int i = 0; i < length; i++) {
      set(type, memory, i, GUARD);
    }
    return memory;
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "BYTE")
  void elementsOfAPart_intoAPart(ElementType type) {
    SplittableRandom random = Seed.random("part" + type);
    try (Plan plan = plan(type, CAPACITY).build()) {
      for (int length : LENGTHS) {
        int from = random.nextInt(5);
        int to = random.nextInt(1, 5);
        MemorySegment x = odd(type, from + length + 3);
        for (int i = 0; i < length; i++) {
          set(type, x, from + i, draw(type, random));
        }
        MemorySegment y = odd(type, to + length + 3);
        plan.run(
            Map.of("x", Elements.of(x, type).range(from, from + length)),
            Map.of("y", Elements.of(y, type).range(to, to + length)));
        for (int i = -to; i < length + 3; i++) {
          Number expected = get(type, odd(type, 1), 0);
          if (i >= 0 && i < length) {
            Number value = get(type, x, from + i);
            expected = i == 0 ? value : minus(value, get(type, x, from + i - 1));
          }
          int at = i;
          assertEquals(
              expected,
              get(type, y, to + i),
              () -> "%s, length %s, element %s%s".formatted(type, length, at, Seed.replay()));
        }
      }
    }
  }

  @Test
  void partsOfBoundArrays() {
    int length = 3 * TILE + 5;
    int[] x = Seed.random("bound").ints(length).toArray();
    IntArray y = new IntArray(length + 3);
    List<Input> inputs = List.of(new Input("x", ElementType.INT, length));
    Program program =
        Program.of(inputs, AdjacentDifference.left().expand("y", inputs).primitives());
    try (LoadedProgram loaded = engine.load(program, Map.of("x", IntArray.fromArray(x), "y", y))) {
      for (int[] range : new int[][] {{0, length}, {7, length - 2}, {TILE, 2 * TILE}, {9, 9}}) {
        int from = range[0];
        int count = range[1] - from;
        int to = from % 4;
        y.init(GUARD);
        loaded.setRange("x", from, count);
        loaded.setRange("y", to, count);
        loaded.run();
        for (int i = -to; i < y.getSize() - to; i++) {
          int expected = GUARD;
          if (i >= 0 && i < count) {
            expected = i == 0 ? x[from] : x[from + i] - x[from + i - 1];
          }
          assertEquals(expected, y.get(to + i), "element " + i + Seed.replay());
        }
      }
    }
  }

  /** The differences stay on the device, between operations that undo each other. */
  @Test
  void scansUndoIt_andItUndoesScans() {
    int[] values = Seed.random("scan").ints(5 * TILE + 3).toArray();
    Scan sums = Scan.inclusive(Operator.SUM);
    try (Plan plan =
        plan(ElementType.INT, values.length)
            .add("again", sums, "y")
            .add("sums", sums, "x")
            .add("back", AdjacentDifference.left(), "sums")
            .add("twice", AdjacentDifference.left(), "y")
            .build()) {
      Results results = plan.run(Map.of("x", Elements.of(values)));
      assertArrayEquals(values, results.ints("again"), Seed.replay());
      assertArrayEquals(values, results.ints("back"), Seed.replay());
      int[] y = results.ints("y");
      int[] twice = results.ints("twice");
      for (int i = 0; i < y.length; i++) {
        assertEquals(i == 0 ? y[0] : y[i] - y[i - 1], twice[i], "element " + i + Seed.replay());
      }
    }
  }

  @Test
  void exampleAndEmptyInput() {
    try (Plan plan = plan(ElementType.INT, 5).build()) {
      int[] x = {3, 1, 4, 1, 5};
      assertArrayEquals(
          new int[] {3, -2, 3, -3, 4}, plan.run(Map.of("x", Elements.of(x))).ints("y"));
      assertArrayEquals(new int[0], plan.run(Map.of("x", Elements.of(new int[0]))).ints("y"));
    }
  }

  @Test
  void whatItDoesNotTake_isNamed() {
    Plan.Builder plan = plan(ElementType.INT, 5).input("b", ElementType.BYTE, 5);
    Map<String[], String> messages =
        Map.of(
            new String[] {"b"}, "input b is of type BYTE",
            new String[] {"x", "x"}, "takes one input, given=2",
            new String[0], "takes one input, given=0",
            new String[] {"z"}, "no input 'z'");
    messages.forEach(
        (of, message) -> {
          String given =
              assertThrows(
                      IllegalArgumentException.class,
                      () -> plan.add("d", AdjacentDifference.left(), of))
                  .getMessage();
          assertTrue(String.valueOf(given).contains(message), given);
        });
  }
}
