package funnel.transform;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Elements;
import funnel.EngineContract;
import funnel.Plan;
import funnel.Results;
import funnel.Seed;
import funnel.Types;
import funnel.Values;
import funnel.operator.ElementType;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** What transposes are on every engine; the oracle is a plain loop. */
abstract class TransposeContract extends EngineContract {

  private static final int[] SIDES = {1, 2, 3, 5, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1000};

  private static Values transposed(Values x, int columns) {
    int rows = x.length() / columns;
    Values y = Values.ofLength(x.type(), x.length());
    for (int r = 0; r < rows; r++) {
      for (int c = 0; c < columns; c++) {
        y.put(c * rows + r, x.at(r * columns + c));
      }
    }
    return y;
  }

  /** Compares a part of an array, and requires that nothing was written around it. */
  private static void require(Values expected, Values all, int from, String what) {
    for (int i = 0; i < all.to(); i++) {
      boolean isInside = i >= from && i < from + expected.length();
      Number wanted = isInside ? expected.at(i - from) : Values.guard(all.type(), 1).at(0);
      int at = i - from;
      assertEquals(wanted, all.at(i), () -> what + ", element " + at + Seed.replay());
    }
  }

  private void transposes(ElementType type, int rows, int columns, SplittableRandom random) {
    int length = rows * columns;
    int from = random.nextInt(4);
    Values x = Values.random(type, length + 3, random);
    if (length > 0) {
      x.put(length - 1, -0.0);
    }
    Values y = Values.guard(type, length + from + 3);
    funnel.run(
        Transpose.of(columns),
        Map.of("result", y.range(from, from + length).elements()),
        x.range(3 - from, 3 - from + length).elements());
    Values given = Values.ofLength(type, length);
    System.arraycopy(x.array(), 3 - from, given.array(), 0, length);
    require(transposed(given, columns), y, from, "%s, %s x %s".formatted(type, rows, columns));
  }

  @ParameterizedTest
  @Types
  void sidesAroundThoseOfTiles(ElementType type) {
    SplittableRandom random = Seed.random("sides" + type);
    for (int rows : SIDES) {
      for (int columns : SIDES) {
        if (rows * columns <= most()) {
          transposes(type, rows, columns, random);
        }
      }
    }
  }

  @ParameterizedTest
  @Types
  void oneRowAndOneColumn(ElementType type) {
    SplittableRandom random = Seed.random("lines" + type);
    for (int length : lengths()) {
      transposes(type, 1, Math.max(1, length), random);
      transposes(type, length, 1, random);
      transposes(type, length / 2, 2, random);
      transposes(type, 2, Math.max(1, length / 2), random);
    }
  }

  /** The tiles are those of the largest matrix. */
  @Test
  void fewerRowsThanThePlanHasRoomFor() {
    SplittableRandom random = Seed.random("fewer");
    for (int columns : new int[] {1, 3, 64, 100, most()}) {
      try (Plan plan =
          funnel
              .plan("p")
              .input("x", ElementType.INT, most())
              .add("y", Transpose.of(columns), "x")
              .add("back", Transpose.of(1), "y")
              .build()) {
        int mostRows = most() / columns;
        for (int rows : new int[] {mostRows, 0, Math.min(1, mostRows), mostRows / 2, mostRows}) {
          Values x = Values.random(ElementType.INT, rows * columns, random);
          Results results = plan.run(Map.of("x", x.elements()));
          String what = "%s x %s".formatted(rows, columns) + Seed.replay();
          int[] expected = (int[]) transposed(x, columns).array();
          assertArrayEquals(expected, results.ints("y"), what);
          assertArrayEquals(expected, results.ints("back"), what);
        }
      }
    }
  }

  @Test
  void twiceIsTheMatrix() {
    int columns = 77;
    int rows = most() / columns;
    int[] x = IntStream.range(0, rows * columns).toArray();
    try (Plan plan =
        funnel
            .plan("p")
            .input("x", ElementType.INT, x.length)
            .add("y", Transpose.of(columns), "x")
            .add("z", Transpose.of(rows), "y")
            .build()) {
      assertArrayEquals(x, plan.run(Map.of("x", Elements.of(x))).ints("z"));
    }
  }

  @Test
  void examplesAndEmptyInputs() {
    int[] x = {1, 2, 3, 4, 5, 6};
    assertArrayEquals(
        new int[] {1, 4, 2, 5, 3, 6}, funnel.run(Transpose.of(3), Elements.of(x)).ints("result"));
    assertArrayEquals(x, funnel.run(Transpose.of(1), Elements.of(x)).ints("result"));
    assertArrayEquals(x, funnel.run(Transpose.of(6), Elements.of(x)).ints("result"));
    for (int columns : new int[] {1, 3, Integer.MAX_VALUE}) {
      assertArrayEquals(
          new int[0], funnel.run(Transpose.of(columns), Elements.of(new int[0])).ints("result"));
    }
  }

  @Test
  void whatIsNotTaken_isNamed() {
    refused(() -> Transpose.of(0), "columns=0");
    refused(() -> Transpose.of(Integer.MIN_VALUE), "columns=-2147483648");
    int[] y = {77, 77, 77, 77, 77};
    Elements x = Elements.of(new int[] {1, 2, 3, 4, 5});
    for (int columns : new int[] {2, 6, Integer.MAX_VALUE}) {
      refused(
          () -> funnel.run(Transpose.of(columns), Map.of("result", Elements.of(y)), x),
          "=5 ",
          "columns=" + columns);
    }
    assertArrayEquals(new int[] {77, 77, 77, 77, 77}, y);
    refused(() -> funnel.run(Transpose.of(5), x, x), "transpose of rows of 5");
    refused(() -> funnel.run(Transpose.of(1), Map.of("result", x), x), "overlap");
  }

  private static void refused(Runnable run, String... said) {
    String message =
        String.valueOf(assertThrows(IllegalArgumentException.class, run::run).getMessage());
    for (String part : said) {
      assertTrue(message.contains(part), message);
    }
  }
}
