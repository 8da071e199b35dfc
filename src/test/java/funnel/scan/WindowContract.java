package funnel.scan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Elements;
import funnel.EngineContract;
import funnel.Funnel;
import funnel.Numbers;
import funnel.Results;
import funnel.Seed;
import funnel.Values;
import funnel.operation.Target;
import funnel.operator.AffineMaps;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What windows are on every engine; the oracle is a plain loop over each window. */
abstract class WindowContract extends EngineContract {

  private static final int TILE = IntWindowKernels.PLACES;

  private static final int[] ROWS = {
    1, 2, 3, 4, 7, 32, 100, 255, 511, 512, 513, 700, 1023, 1024, 1025, 3000, Integer.MAX_VALUE
  };

  /** Some before and after an array, which nothing is to read or write. */
  private static final int AROUND = Values.GUARDS;

  private static Values random(ElementType type, int length, SplittableRandom random) {
    Values values = Values.ofLength(type, AROUND + length + AROUND);
    for (int i = 0; i < values.length(); i++) {
      values.put(i, random.nextInt(-500, 500)); // sums of these are exact
    }
    return values.range(AROUND, AROUND + length);
  }

  private void check(
      Window window, Operator operator, Values x, Values given, IntUnaryOperator width) {
    int length = x.length();
    Values y = Values.guard(x.type(), AROUND + length + AROUND);
    Elements into = y.elements(AROUND, AROUND + length);
    Map<String, Elements> to = Map.of("result", into);
    var _ =
        given == null
            ? funnel.run(window, to, x.elements())
            : funnel.run(window, to, x.elements(), given.elements());
    String message = "%s of %s%s".formatted(window, x, Seed.replay());
    for (int i = 0; i < length; i++) {
      Number wanted = x.at(i);
      int most = width.applyAsInt(i);
      if (length > 10_000 && most > 40 && i % 997 != 3) {
        continue; // of long windows some
      }
      for (int j = i - 1; j > i - most && j >= 0; j--) {
        wanted = Numbers.combine(operator, x.type(), x.at(j), wanted);
      }
      int at = i;
      assertEquals(wanted, y.at(AROUND + i), () -> message + ", element " + at);
    }
    y.requireGuards(AROUND, message);
  }

  private List<Integer> longEnough() {
    List<Integer> all = new ArrayList<>();
    for (int length : lengths()) {
      all.add(length);
    }
    return all;
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "BYTE")
  void rows(ElementType type) {
    SplittableRandom random = Seed.random("rows" + type);
    List<Operator> operators = List.of(Operator.SUM, Operator.MIN, Operator.MAX);
    for (int length : longEnough()) {
      Values x = random(type, length, random);
      for (int rows : ROWS) {
        if (rows < 4 || Seed.draws(random, 3)) {
          Operator operator = operators.get(random.nextInt(3));
          check(Window.rows(rows, operator), operator, x, null, _ -> rows);
        }
      }
      int rows = TILE - TILE / 3;
      check(Window.rows(rows, Operator.SUM), Operator.SUM, x, null, _ -> rows);
    }
  }

  private static Values positions(int length, SplittableRandom random) {
    Values positions = Values.ofLength(ElementType.INT, length);
    int mean = 1 << random.nextInt(11);
    for (int i = 0, position = 0; i < length; i++, position++) {
      position = random.nextInt(mean) == 0 || i == 0 ? 0 : position;
      positions.put(i, position);
    }
    return positions;
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "BYTE")
  void segments(ElementType type) {
    SplittableRandom random = Seed.random("segments" + type);
    for (int length : longEnough()) {
      Values x = random(type, length, random);
      Values positions = positions(length, random);
      for (int rows : ROWS) {
        if (Seed.draws(random, 4)) {
          Operator operator = random.nextInt(3) == 0 ? Operator.MAX : Operator.SUM;
          check(
              Window.rows(rows, operator).inSegments(),
              operator,
              x,
              positions,
              i -> (int) Math.min(rows, positions.longAt(i) + 1));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "BYTE")
  void widths(ElementType type) {
    SplittableRandom random = Seed.random("widths" + type);
    for (int length : longEnough()) {
      Values x = random(type, length, random);
      for (int most : new int[] {3, 40, 512, 513, 2000, Integer.MAX_VALUE}) {
        Values widths = Values.ofLength(ElementType.INT, length);
        for (int i = 0; i < length; i++) {
          widths.put(i, random.nextInt(-1, random.nextInt(8) == 0 ? most : Math.min(most, 9)));
        }
        check(
            Window.ofWidths(Operator.SUM),
            Operator.SUM,
            x,
            widths,
            i -> Math.max(1, (int) widths.longAt(i)));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"INT", "LONG"})
  void sumsThatOverflow(ElementType type) {
    SplittableRandom random = Seed.random("overflow" + type);
    int length = Math.min(most(), 2 * TILE + 3);
    Values x = Values.ofLength(type, length + 2 * AROUND);
    for (int i = 0; i < x.length(); i++) {
      x.put(i, type == ElementType.INT ? random.nextInt() : random.nextLong());
    }
    Values part = x.range(AROUND, AROUND + length);
    for (int rows : new int[] {5, 7, 8, 9, 15, 16, 17, 600}) {
      check(Window.rows(rows, Operator.SUM), Operator.SUM, part, null, _ -> rows);
    }
  }

  @Test
  void operands_areInOrder() {
    SplittableRandom random = Seed.random("order");
    int length = Math.min(most(), 3 * TILE + 5);
    Values x = Values.ofLength(ElementType.LONG, length + 2 * AROUND);
    for (int i = 0; i < x.length(); i++) {
      x.put(i, random.nextLong());
    }
    Values part = x.range(AROUND, AROUND + length);
    Operator maps = AffineMaps.FOLLOWED_BY;
    for (int rows : new int[] {3, 100, 512, 700, 1500}) {
      check(Window.rows(rows, maps), maps, part, null, _ -> rows);
    }
    Values positions = positions(length, random);
    check(
        Window.rows(77, maps).inSegments(),
        maps,
        part,
        positions,
        i -> (int) Math.min(77, positions.longAt(i) + 1));
  }

  /** Of any numbers, the bits are those of the JVM; where they are, does not matter. */
  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void bits(ElementType type) {
    SplittableRandom random = Seed.random("bits" + type);
    int length = Math.min(most(), 4 * TILE + 9);
    List<Values> all = new ArrayList<>(Values.special(type, length, random));
    all.add(Values.random(type, length, random));
    try (Funnel jvm = Funnel.open(Target.JVM)) {
      for (Values x : all) {
        for (int rows : new int[] {2, 3, 77, 300, 1000}) {
          for (Operator operator : List.of(Operator.SUM, Operator.MIN, Operator.MAX)) {
            Window window = Window.rows(rows, operator);
            Values expected = run(jvm, window, x);
            requireEqual(expected, run(funnel, window, x), 0);
            int cut = random.nextInt(50);
            Values later = run(funnel, window, x.range(cut, length));
            requireEqual(expected.range(cut, length), later, rows);
          }
        }
        Window decayed = Window.decayed(random.nextDouble());
        requireEqual(run(jvm, decayed, x), run(funnel, decayed, x), 0);
      }
    }
  }

  private static Values run(Funnel funnel, Window window, Values x) {
    Values y = Values.ofLength(x.type(), x.length());
    var _ = funnel.run(window, Map.of("result", y.elements()), x.elements());
    return y;
  }

  private static void requireEqual(Values expected, Values given, int from) {
    for (int i = from; i < given.length(); i++) {
      assertEquals(expected.at(i), given.at(i), "element " + i + Seed.replay());
    }
  }

  @Test
  void decayed_isNearThePlainLoop() {
    SplittableRandom random = Seed.random("decayed");
    int length = Math.min(most(), 5 * TILE + 3);
    Values x = Values.random(ElementType.DOUBLE, length, random);
    Values positions = positions(length, random);
    for (double decay : new double[] {0, 0.3, 0.9, 0.99, 0.9999}) {
      Values y = run(funnel, Window.decayed(decay), x);
      Results parts =
          funnel.run(Window.decayed(decay).inSegments(), x.elements(), positions.elements());
      double[] inSegments = parts.doubles("result");
      double sum = 0;
      double part = 0;
      for (int i = 0; i < length; i++) {
        sum = x.doubleAt(i) + decay * sum;
        part = x.doubleAt(i) + (positions.longAt(i) == 0 ? 0 : decay * part);
        assertEquals(sum, y.doubleAt(i), 1e-12 / (1 - decay), "element " + i + Seed.replay());
        assertEquals(part, inSegments[i], 1e-12 / (1 - decay), "element " + i + Seed.replay());
      }
    }
  }

  @Test
  void aNaN_staysInItsWindows() {
    double[] x = new double[3 * TILE];
    Arrays.fill(x, 1.5);
    x[TILE + 1] = Double.NaN;
    double[] y = funnel.run(Window.rows(300, Operator.SUM), Elements.of(x)).doubles("result");
    for (int i = 0; i < x.length; i++) {
      boolean isIn = i >= TILE + 1 && i < TILE + 301;
      assertEquals(isIn ? Double.NaN : 1.5 * Math.min(300, i + 1), y[i], "element " + i);
    }
  }

  @Test
  void examples() {
    Elements x = Elements.of(new int[] {3, 1, 4, 1, 5});
    assertArrayEquals(
        new int[] {3, 4, 8, 6, 10}, funnel.run(Window.rows(3, Operator.SUM), x).ints("result"));
    assertArrayEquals(
        new int[] {3, 3, 4, 4, 5}, funnel.run(Window.rows(2, Operator.MAX), x).ints("result"));
    Elements widths = Elements.of(new int[] {1, 1, 2, 4, 1});
    assertArrayEquals(
        new int[] {3, 1, 5, 9, 5},
        funnel.run(Window.ofWidths(Operator.SUM), x, widths).ints("result"));
    Elements doubles = Elements.of(new double[] {3, 1, 4, 1, 5});
    assertArrayEquals(
        new double[] {3, 2.5, 5.25, 3.625, 6.8125},
        funnel.run(Window.decayed(0.5), doubles).doubles("result"));
  }

  @Test
  void whatIsWrong_isSaid() {
    Elements x = Elements.of(new int[5]);
    refused("rows=0: a window has at least one row", () -> Window.rows(0, Operator.SUM));
    refused("decay=1.0: it is from 0 below 1", () -> Window.decayed(1));
    refused("decay=NaN", () -> Window.decayed(Double.NaN));
    refused("not cut by segments", () -> Window.ofWidths(Operator.SUM).inSegments());
    refused("take 1 inputs", () -> funnel.run(Window.rows(2, Operator.SUM), x, x));
    refused("are over floats or doubles", () -> funnel.run(Window.decayed(0.5), x));
    refused(
        "is of type BYTE",
        () -> funnel.run(Window.rows(2, Operator.SUM), Elements.of(new byte[5])));
    refused(
        "inputs of equal length",
        () -> funnel.run(Window.ofWidths(Operator.SUM), x, Elements.of(new int[4])));
    refused(
        "the second input",
        () -> funnel.run(Window.ofWidths(Operator.SUM), x, Elements.of(new long[5])));
  }

  private static void refused(String message, Runnable call) {
    String given = assertThrows(IllegalArgumentException.class, call::run).getMessage();
    assertTrue(String.valueOf(given).contains(message), given);
  }
}
