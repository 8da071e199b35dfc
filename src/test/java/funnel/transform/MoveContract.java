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
import funnel.operator.Operator;
import funnel.scan.Scan;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** What gathers and scatters are on every engine; the oracle is a plain loop. */
abstract class MoveContract extends EngineContract {

  private static Values at(ElementType type, int from, Values of) {
    Values all = Values.guard(type, from + of.length() + 3);
    System.arraycopy(of.array(), of.from(), all.array(), from, of.length());
    return all;
  }

  private static Elements part(int from, int[] positions) {
    int[] all = new int[from + positions.length + 2];
    System.arraycopy(positions, 0, all, from, positions.length);
    return Elements.of(all, from, from + positions.length);
  }

  private static void requireWritten(Values expected, Values all, int from, String what) {
    for (int i = 0; i < all.to(); i++) {
      boolean isInside = i >= from && i < from + expected.length();
      Number wanted = isInside ? expected.at(i - from) : Values.guard(all.type(), 1).at(0);
      int at = i - from;
      assertEquals(wanted, all.at(i), () -> what + ", element " + at + Seed.replay());
    }
  }

  @ParameterizedTest
  @Types
  void gathers(ElementType type) {
    SplittableRandom random = Seed.random("gather" + type);
    try (Plan plan =
        funnel
            .plan("p")
            .input("x", type, most())
            .input("at", ElementType.INT, most())
            .add("y", Gather.at(), "x", "at")
            .build()) {
      for (int length : lengths()) {
        int size = 1 + random.nextInt(most());
        Values x = Values.random(type, size, random);
        x.put(0, -0.0);
        int[] positions = random.ints(length, 0, size).toArray();
        Values expected = Values.ofLength(type, length);
        for (int i = 0; i < length; i++) {
          expected.put(i, x.at(positions[i]));
        }
        int from = random.nextInt(4);
        Values y = Values.guard(type, length + from + 3);
        Elements elements = at(type, from, x).range(from, from + size).elements();
        plan.run(
            Map.of("x", elements, "at", part(3 - from, positions)),
            Map.of("y", y.range(from, from + length).elements()));
        requireWritten(expected, y, from, type + ", length " + length);
      }
    }
  }

  @ParameterizedTest
  @Types
  void reverses(ElementType type) {
    SplittableRandom random = Seed.random("reverse" + type);
    for (int length : lengths()) {
      Values x = Values.random(type, length, random);
      Values expected = Values.ofLength(type, length);
      for (int i = 0; i < length; i++) {
        expected.put(i, x.at(length - 1 - i));
      }
      int from = random.nextInt(4);
      Values y = Values.guard(type, length + from + 3);
      funnel.run(
          Reverse.elements(),
          Map.of("result", y.range(from, from + length).elements()),
          at(type, 3 - from, x).range(3 - from, 3 - from + length).elements());
      requireWritten(expected, y, from, type + ", length " + length);
    }
  }

  /** Distinct positions in any order, some of them -1. */
  private static int[] distinct(int length, int size, SplittableRandom random) {
    int[] order = IntStream.range(0, size).toArray();
    for (int i = size - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int other = order[j];
      order[j] = order[i];
      order[i] = other;
    }
    return IntStream.range(0, length)
        .map(i -> i < size && random.nextInt(8) > 0 ? order[i] : -1)
        .toArray();
  }

  @ParameterizedTest
  @Types
  void scatters(ElementType type) {
    SplittableRandom random = Seed.random("scatter" + type);
    int size = most() - 7;
    Number fill = type == ElementType.BYTE ? 200 : type.isFloating() ? -0.0 : -3;
    try (Plan plan =
        funnel
            .plan("p")
            .input("x", type, most())
            .input("at", ElementType.INT, most())
            .input("old", type, most())
            .add("zeros", Scatter.into(size), "x", "at")
            .add("filled", Scatter.into(size).filledWith(fill), "x", "at")
            .add("over", Scatter.over(), "x", "at", "old")
            .build()) {
      for (int length : lengths()) {
        int places = 1 + random.nextInt(size);
        int[] positions = distinct(length, places, random);
        Values x = Values.random(type, length, random);
        Values old = Values.random(type, places, random);
        Values zeros = Values.ofLength(type, size);
        Values filled = Values.ofLength(type, size);
        for (int i = 0; i < size; i++) {
          filled.put(i, fill);
        }
        Values over = old.copy();
        for (int i = 0; i < length; i++) {
          if (positions[i] >= 0) {
            zeros.put(positions[i], x.at(i));
            filled.put(positions[i], x.at(i));
            over.put(positions[i], x.at(i));
          }
        }
        int from = random.nextInt(4);
        Values y = Values.guard(type, places + from + 3);
        Values z = Values.guard(type, size + from + 3);
        Values f = Values.guard(type, size + from + 3);
        Elements elements = at(type, from, x).range(from, from + length).elements();
        plan.run(
            Map.of(
                "x",
                elements,
                "at",
                part(3 - from, positions),
                "old",
                at(type, 1, old).range(1, 1 + places).elements()),
            Map.of(
                "over", y.range(from, from + places).elements(),
                "zeros", z.range(from, from + size).elements(),
                "filled", f.range(from, from + size).elements()));
        requireWritten(over, y, from, type + " over, length " + length);
        requireWritten(zeros, z, from, type + " of zeros, length " + length);
        requireWritten(filled, f, from, type + " filled, length " + length);
      }
    }
  }

  private static Map<String, Elements> inputs(int[] x, int[] at, int[] old) {
    return Map.of("x", Elements.of(x), "at", Elements.of(at), "old", Elements.of(old));
  }

  @Test
  void positionsOutside_andThoseThatAreNotDistinct() {
    int length = most();
    int[] x = IntStream.range(0, length).toArray();
    for (Operation operation : Set.of(Gather.at(), Scatter.over(), Scatter.into(length))) {
      boolean isGather = operation instanceof Gather;
      boolean isOver = operation.equals(Scatter.over());
      try (Plan plan =
          funnel
              .plan("p")
              .input("x", ElementType.INT, length)
              .input("at", ElementType.INT, length)
              .input("old", ElementType.INT, length)
              .add(
                  "y",
                  operation,
                  isOver ? new String[] {"x", "at", "old"} : new String[] {"x", "at"})
              .build()) {
        for (int place : new int[] {0, 1500, length - 1}) {
          for (int wrong : new int[] {length, -2, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            int[] at = x.clone();
            at[place] = wrong;
            at[length - 1] = wrong;
            int[] old = isOver || isGather ? new int[length] : new int[1];
            int[] y = new int[length];
            IndexOutsideException e =
                assertThrows(
                    IndexOutsideException.class,
                    () -> plan.run(inputs(x, at, old), Map.of("y", Elements.of(y))));
            assertEquals(place, e.position());
            assertEquals(wrong, e.index());
            assertArrayEquals(new int[length], y);
          }
          if (isGather) {
            continue;
          }
          int[] at = x.clone();
          int other = (place + 77) % length;
          at[place] = other;
          int[] y = new int[length];
          DuplicatePositionException e =
              assertThrows(
                  DuplicatePositionException.class,
                  () -> plan.run(inputs(x, at, new int[length]), Map.of("y", Elements.of(y))));
          assertEquals(other, e.position());
          assertTrue(e.place() == place || e.place() == other, e.getMessage());
          assertArrayEquals(new int[length], y);
          int[] back = plan.run(inputs(x, x, new int[length])).ints("y");
          assertArrayEquals(x, back);
        }
      }
    }
  }

  /** What is written over is the very array of the old contents. */
  @Test
  void overOldContentsInPlace() {
    int[] old = IntStream.range(0, 3000).toArray();
    int[] x = {-5, -6, -7};
    int[] at = {2999, -1, 1};
    int[] expected = old.clone();
    expected[2999] = -5;
    expected[1] = -7;
    Elements into = Elements.of(old);
    funnel.run(Scatter.over(), Map.of("result", into), Elements.of(x), Elements.of(at), into);
    assertArrayEquals(expected, old);
  }

  /** A gather of a scan, by positions that a scatter has made, all on the device. */
  @Test
  void scatterUndoesGather_onTheDevice() {
    int length = most();
    SplittableRandom random = Seed.random("permutation");
    int[] order = distinct(length, length, random);
    boolean[] isThere = new boolean[length];
    Arrays.stream(order).filter(p -> p >= 0).forEach(p -> isThere[p] = true);
    int next = 0;
    for (int i = 0; i < length; i++) {
      if (order[i] < 0) {
        while (isThere[next]) {
          next++;
        }
        order[i] = next++;
      }
    }
    int[] x = random.ints(length).toArray();
    int[] sums = x.clone();
    Arrays.parallelPrefix(sums, Integer::sum);
    try (Plan plan =
        funnel
            .plan("p")
            .input("x", ElementType.INT, length)
            .input("at", ElementType.INT, length)
            .add("sums", Scan.inclusive(Operator.SUM), "x")
            .add("mixed", Gather.at(), "sums", "at")
            .add("again", Scatter.into(length), "mixed", "at")
            .build()) {
      Results results = plan.run(Map.of("x", Elements.of(x), "at", Elements.of(order)));
      assertArrayEquals(sums, results.ints("again"), Seed.replay());
    }
  }

  /** -1 is a position without an element. */
  @ParameterizedTest
  @Types
  void noPositions(ElementType type) {
    SplittableRandom random = Seed.random("none" + type);
    Number fill = type.isFloating() ? (Number) Double.NaN : (Number) 7;
    for (int length : new int[] {0, 1, 1000}) {
      Values x = Values.random(type, length, random);
      for (int count : new int[] {0, 1, 1025}) {
        int[] at = random.ints(count, -1, length).toArray();
        Values y = Values.ofLength(type, count);
        for (int i = 0; i < count; i++) {
          y.put(i, at[i] < 0 ? type.fitting("fill", fill) : x.at(at[i]));
        }
        Elements got =
            funnel.run(Gather.at().orElse(fill), x.elements(), Elements.of(at)).elements("result");
        Object array = got.segment().heapBase().orElseThrow();
        Values made = new Values(type, array, 0, got.length());
        assertEquals(count, made.length());
        for (int i = 0; i < count; i++) {
          assertEquals(y.at(i), made.at(i), i + Seed.replay()); // NaN may have any bits
        }
      }
    }
    Elements x = Values.random(type, 3, random).elements();
    for (int outside : new int[] {-2, 3}) {
      Elements at = Elements.of(new int[] {-1, outside});
      assertThrows(IndexOutsideException.class, () -> funnel.run(Gather.at().orElse(fill), x, at));
    }
    assertThrows(
        IllegalArgumentException.class,
        () ->
            funnel.run(Gather.at().orElse(0.5), Elements.of(new int[1]), Elements.of(new int[1])));
  }

  @Test
  void examplesAndEmptyInputs() {
    Elements x = Elements.of(new int[] {30, 10, 40});
    Elements none = Elements.of(new int[0]);
    assertArrayEquals(
        new int[] {40, 30, 30, 10},
        funnel.run(Gather.at(), x, Elements.of(new int[] {2, 0, 0, 1})).ints("result"));
    assertArrayEquals(
        new int[] {40, 0, 0, 30, 0},
        funnel.run(Scatter.into(5), x, Elements.of(new int[] {3, -1, 0})).ints("result"));
    assertArrayEquals(new int[0], funnel.run(Gather.at(), x, none).ints("result"));
    assertArrayEquals(new int[0], funnel.run(Gather.at(), none, none).ints("result"));
    assertArrayEquals(new int[2], funnel.run(Scatter.into(2), none, none).ints("result"));
    assertArrayEquals(new int[0], funnel.run(Scatter.into(0), none, none).ints("result"));
    assertThrows(
        IndexOutsideException.class,
        () -> funnel.run(Gather.at(), none, Elements.of(new int[] {0})));
    assertThrows(
        IndexOutsideException.class,
        () -> funnel.run(Scatter.into(0), x, Elements.of(new int[] {-1, 0, -1})));
    assertArrayEquals(
        new int[0],
        funnel.run(Scatter.into(0), x, Elements.of(new int[] {-1, -1, -1})).ints("result"));
  }

  @Test
  void whatIsNotTaken_isNamed() {
    Plan.Builder plan =
        funnel
            .plan("p")
            .input("x", ElementType.INT, 5)
            .input("f", ElementType.FLOAT, 5)
            .input("b", ElementType.BYTE, 5);
    Map<Runnable, String> messages = new HashMap<>();
    messages.put(() -> plan.add("a", Gather.at(), "x"), "elements and positions, given=1");
    messages.put(() -> plan.add("a", Gather.at(), "x", "f"), "input f is of type FLOAT");
    messages.put(() -> plan.add("a", Scatter.into(5), "x", "x", "x"), "given=3 inputs");
    messages.put(() -> plan.add("a", Scatter.over(), "x", "x"), "old contents, given=2 inputs");
    messages.put(() -> plan.add("a", Scatter.over(), "x", "x", "f"), "inputs x and f");
    messages.put(
        () -> plan.add("a", Scatter.into(5).filledWith(0.5), "x", "x"), "0.5 does not fit INT");
    messages.put(
        () -> plan.add("a", Scatter.into(5).filledWith(-1), "b", "x"), "-1 does not fit BYTE");
    messages.put(() -> Scatter.into(-1), "size=-1");
    messages.put(() -> Scatter.over().filledWith(1), "fill=1");
    messages.put(
        () -> funnel.run(Scatter.into(5), Elements.of(new int[2]), Elements.of(new int[3])),
        "length of");
    messages.forEach(
        (run, message) -> {
          String given = assertThrows(IllegalArgumentException.class, run::run).getMessage();
          assertTrue(String.valueOf(given).contains(message), given);
        });
  }
}
