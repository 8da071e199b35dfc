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
import funnel.operation.Operation;
import funnel.operator.ElementType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** What slices, shifts and concatenations are on every engine; the oracle is a plain loop. */
abstract class CopyContract extends EngineContract {

  static final int TILE = IntCopyKernels.TILE;

  /** One call, of inputs at offsets of their own, into memory with guards around. */
  private void check(Operation operation, Values expected, Values... inputs) {
    ElementType type = expected.type();
    int length = expected.length();
    int from = 1 + length % 5;
    Values y = Values.guard(type, from + length + 3);
    funnel.run(
        operation,
        Map.of("result", y.range(from, from + length).elements()),
        Arrays.stream(inputs).map(Values::elements).toArray(Elements[]::new));
    Number guard = Values.guard(type, 1).at(0);
    for (int i = -from; i < length + 3; i++) {
      Number wanted = i >= 0 && i < length ? expected.at(i) : guard;
      int place = i;
      assertEquals(
          wanted,
          y.at(from + i),
          () ->
              "%s of %s, element %s%s"
                  .formatted(operation, Arrays.toString(inputs), place, Seed.replay()));
    }
  }

  /** Random elements at an offset of their own, among them a -0.0 and a NaN. */
  private static Values random(ElementType type, int length, SplittableRandom random) {
    int from = random.nextInt(4);
    Values x = Values.random(type, from + length + 2, random).range(from, from + length);
    if (type.isFloating() && length > 2) {
      x.put(0, -0.0);
      x.put(length - 1, Double.NaN);
    }
    return x;
  }

  private static Values part(Values x, int from, int to) {
    Values y = Values.ofLength(x.type(), to - from);
    for (int i = from; i < to; i++) {
      y.put(i - from, x.at(i));
    }
    return y;
  }

  @ParameterizedTest
  @Types
  void slices(ElementType type) {
    SplittableRandom random = Seed.random("slices" + type);
    for (int n : lengths()) {
      Values x = random(type, n, random);
      int[] places =
          IntStream.of(0, 1, n / 3, TILE - 5, n - 1, n, n + 1, Integer.MAX_VALUE)
              .filter(k -> k >= 0)
              .distinct()
              .toArray();
      for (int k : places) {
        int most = Math.min(k, n);
        check(Slice.limit(k), part(x, 0, most), x);
        check(Slice.skip(k), part(x, most, n), x);
        check(Slice.last(k), part(x, n - most, n), x);
        if (k <= n) {
          check(Slice.from(k), part(x, k, n), x);
          check(Slice.of(k, n), part(x, k, n), x);
          int to = k + random.nextInt(n - k + 1);
          check(Slice.of(k, to), part(x, k, to), x);
        }
      }
    }
  }

  @ParameterizedTest
  @Types
  void shifts(ElementType type) {
    SplittableRandom random = Seed.random("shifts" + type);
    List<Number> fills = type.isFloating() ? List.of(-0.0, Double.NaN, 0.1, 7) : List.of(0, 7, 255);
    for (int n : lengths()) {
      Values x = random(type, n, random);
      int[] distances =
          IntStream.of(0, 1, 40, n / 2, TILE, n - 1, n, n + 1, Integer.MAX_VALUE)
              .filter(k -> k >= 0)
              .flatMap(k -> IntStream.of(k, -k))
              .distinct()
              .toArray();
      for (int k : distances) {
        Number fill = fills.get(random.nextInt(fills.size()));
        Values y = Values.ofLength(type, n);
        for (int i = 0; i < n; i++) {
          long from = (long) i - k;
          y.put(i, from >= 0 && from < n ? x.at((int) from) : fill);
        }
        check(Shift.by(k, fill), y, x);
      }
      check(Shift.by(Integer.MIN_VALUE, 1), filled(type, n), x);
    }
  }

  private static Values filled(ElementType type, int n) {
    Values ones = Values.ofLength(type, n);
    for (int i = 0; i < n; i++) {
      ones.put(i, 1);
    }
    return ones;
  }

  @ParameterizedTest
  @Types
  void concatenations(ElementType type) {
    SplittableRandom random = Seed.random("concatenations" + type);
    for (int n : lengths()) {
      for (int inputs = 1; inputs <= 4; inputs++) {
        Values[] given = new Values[inputs];
        int total = 0;
        for (int i = 0; i < inputs; i++) {
          int m = i == 1 ? 3 : lengths()[random.nextInt(lengths().length)];
          given[i] = random(type, i == 0 ? n : m, random);
          total += given[i].length();
        }
        Values y = Values.ofLength(type, total);
        int at = 0;
        for (Values each : given) {
          for (int i = 0; i < each.length(); i++) {
            y.put(at++, each.at(i));
          }
        }
        check(Concat.all(), y, given);
      }
    }
  }

  /** Launches are those of the largest input. */
  @Test
  void fewerElementsThanThePlanHasRoomFor() {
    SplittableRandom random = Seed.random("fewer");
    try (Plan plan =
        funnel
            .plan("p")
            .input("x", ElementType.INT, most())
            .add("middle", Slice.of(1, 4), "x")
            .add("rest", Slice.from(3), "x")
            .add("skipped", Slice.skip(70), "x")
            .add("first", Slice.limit(70), "skipped")
            .add("last", Slice.last(70), "x")
            .add("later", Shift.by(-60, 5), "x")
            .add("all", Concat.all(), "x", "middle", "later", "x")
            .add("turned", Transpose.of(3), "middle") // takes known lengths alone
            .add("steps", Elementwise.ofInt("minus", (a, b) -> a - b), "rest", "rest")
            .build()) {
      for (int n : new int[] {most(), 4, 100, 70, 140, most() - 1}) {
        int[] x = random.ints(n).toArray();
        Results results = plan.run(Map.of("x", Elements.of(x)));
        String what = "%s elements%s".formatted(n, Seed.replay());
        assertArrayEquals(Arrays.copyOfRange(x, 1, 4), results.ints("middle"), what);
        assertArrayEquals(Arrays.copyOfRange(x, 3, n), results.ints("rest"), what);
        int[] skipped = Arrays.copyOfRange(x, Math.min(70, n), n);
        assertArrayEquals(skipped, results.ints("skipped"), what);
        assertArrayEquals(
            Arrays.copyOf(skipped, Math.min(70, skipped.length)), results.ints("first"), what);
        assertArrayEquals(
            Arrays.copyOfRange(x, Math.max(n - 70, 0), n), results.ints("last"), what);
        assertArrayEquals(new int[n - 3], results.ints("steps"), what);
        int[] later = results.ints("later");
        int[] all = results.ints("all");
        assertEquals(3 * n + 3, all.length, what);
        for (int i = 0; i < n; i++) {
          assertEquals(i + 60 < n ? x[i + 60] : 5, later[i], what);
          assertEquals(x[i], all[i], what);
          assertEquals(later[i], all[n + 3 + i], what);
          assertEquals(x[i], all[2 * n + 3 + i], what);
        }
        assertArrayEquals(results.ints("middle"), Arrays.copyOfRange(all, n, n + 3), what);
      }
      refused(() -> plan.run(Map.of("x", Elements.of(new int[3]))), "middle", "4 el", "length=3");
      refused(() -> plan.run(Map.of("x", Elements.of(new int[2]))), "length=2");
    }
  }

  @Test
  void examplesAndEmptyInputs() {
    Elements x = Elements.of(new int[] {3, 1, 4, 1, 5});
    assertArrayEquals(new int[] {1, 4}, funnel.run(Slice.of(1, 3), x).ints("result"));
    assertArrayEquals(new int[] {1, 5}, funnel.run(Slice.from(3), x).ints("result"));
    assertArrayEquals(new int[0], funnel.run(Slice.skip(7), x).ints("result"));
    assertArrayEquals(new int[] {3, 1}, funnel.run(Slice.limit(2), x).ints("result"));
    assertArrayEquals(new int[] {1, 5}, funnel.run(Slice.last(2), x).ints("result"));
    assertArrayEquals(new int[] {0, 0, 3, 1, 4}, funnel.run(Shift.by(2, 0), x).ints("result"));
    assertArrayEquals(new int[] {4, 1, 5, 0, 0}, funnel.run(Shift.by(-2, 0), x).ints("result"));
    assertArrayEquals(
        new int[] {3, 1, 4, 1, 5, 4, 1}, funnel.run(Concat.all(), x, x.range(2, 4)).ints("result"));
    Elements none = Elements.of(new int[0]);
    for (Operation operation :
        List.of(
            Slice.of(0, 0),
            Slice.from(0),
            Slice.skip(1),
            Slice.limit(1),
            Slice.last(1),
            Shift.by(1, 7),
            Concat.all())) {
      assertArrayEquals(
          new int[0], funnel.run(operation, none).ints("result"), operation.toString());
    }
  }

  @Test
  void whatIsNotTaken_isNamed() {
    refused(() -> Slice.of(3, 2), "from=3, to=2");
    refused(() -> Slice.of(-1, 2), "from=-1, to=2");
    refused(() -> Slice.from(-1), "from=-1");
    refused(() -> Slice.skip(-2), "n=-2");
    refused(() -> Slice.limit(-3), "most=-3");
    refused(() -> Slice.last(-4), "n=-4");
    int[] y = {77, 77, 77, 77};
    Elements into = Elements.of(y);
    Elements x = Elements.of(new int[] {1, 2, 3});
    refused(() -> funnel.run(Slice.of(0, 4), Map.of("result", into), x), "4 elements", "=3");
    refused(() -> funnel.run(Slice.of(4, 4), x), "4 elements", "=3");
    refused(() -> funnel.run(Slice.from(4), x), "4 elements", "=3");
    refused(() -> funnel.run(Slice.of(0, Integer.MAX_VALUE), x), "2147483647 elements");
    refused(() -> funnel.run(Slice.limit(1), x, x), "slice of the first 1", "given=2");
    refused(() -> funnel.run(Slice.limit(3), Map.of("result", x), x), "overlap");
    refused(() -> funnel.run(Shift.by(1, 0.5), x), "fill 0.5 does not fit INT");
    refused(() -> funnel.run(Shift.by(1, 256), Elements.of(new byte[1])), "fill 256");
    refused(() -> funnel.run(Shift.by(1, 0)), "shift by 1", "given=0");
    refused(() -> funnel.run(Shift.by(1, 0), Map.of("result", x), x), "overlap");
    refused(() -> funnel.run(Concat.all()), "at least one input");
    refused(() -> funnel.run(Concat.all(), x, Elements.of(new long[1])), "INT", "LONG");
    refused(() -> funnel.run(Concat.all(), Map.of("result", into), x, x.range(0, 1), x), "=7");
    Plan.Builder large =
        funnel
            .plan("large")
            .input("x", ElementType.BYTE, 1 << 30)
            .add("y", Reverse.elements(), "x");
    refused(() -> large.add("z", Concat.all(), "x", "y"), "2147483648", "2147483639");
    assertArrayEquals(new int[] {77, 77, 77, 77}, y);
  }

  private static void refused(Runnable run, String... said) {
    String message =
        String.valueOf(assertThrows(IllegalArgumentException.class, run::run).getMessage());
    for (String part : said) {
      assertTrue(message.contains(part), message);
    }
  }
}
