package funnel.sort;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import funnel.Elements;
import funnel.Plan;
import funnel.Results;
import funnel.Seed;
import funnel.Types;
import funnel.Values;
import funnel.operation.OutputTooShortException;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** What operations on sorted sets are on every engine; the oracle is a plain loop. */
abstract class SetOperationContract extends MergeTrial {

  private static final List<SetOperation> SETS =
      List.of(
          SetOperation.union(),
          SetOperation.intersection(),
          SetOperation.difference(),
          SetOperation.symmetricDifference());

  private static SetOperation in(int by, ElementType type, SetOperation set) {
    return switch (by) {
      case 0 -> set;
      case 1 -> set.descending();
      default -> set.by(comparison(type));
    };
  }

  /** The places of a set's elements in both arrays, one after the other. */
  private static int[] members(int set, int by, Values both, int ofFirst) {
    IntStream.Builder kept = IntStream.builder();
    int i = 0;
    int j = ofFirst;
    while (i < ofFirst || j < both.length()) {
      int compared = i == ofFirst ? 1 : j == both.length() ? -1 : compare(by, both, i, j);
      if (compared == 0 ? set < 2 : compared < 0 ? set != 1 : set == 0 || set == 3) {
        kept.add(compared <= 0 ? i : j);
      }
      i += compared <= 0 ? 1 : 0;
      j += compared >= 0 ? 1 : 0;
    }
    return kept.build().toArray();
  }

  @ParameterizedTest
  @Types
  void sets(ElementType type) {
    SplittableRandom random = Seed.random("sets" + type);
    int turn = random.nextInt(3);
    for (int by = 0; by < 3; by++) {
      if (target() == Target.EMULATOR
          && (SortOracle.TURN + type.ordinal() + by) % 3 == 2
          && !Seed.draws(random, 20)) {
        continue; // each order with several types
      }
      Plan.Builder builder = funnel.plan("p").input("a", type, most()).input("b", type, most());
      for (int set = 0; set < SETS.size(); set++) {
        builder.add("y" + set, in(by, type, SETS.get(set)), "a", "b");
      }
      try (Plan plan = builder.build()) {
        for (int k = 0; k < lengths().length; k++) {
          if (isTried(turn + by + k, random)) {
            int other = lengths()[random.nextInt(lengths().length)];
            Values a = sorted(by, random(type, lengths()[k], random));
            Values b = sorted(by, random(type, other, random));
            checkSets(plan, by, a, b, random);
            boolean isFirst = random.nextBoolean(); // in the emulator one of both
            if (target() != Target.EMULATOR || isFirst) {
              checkSets(plan, by, b, a, random);
            }
            if (target() != Target.EMULATOR || !isFirst) {
              checkSets(plan, by, a, a, random);
            }
          }
        }
      }
    }
  }

  private static void checkSets(Plan plan, int by, Values a, Values b, SplittableRandom random) {
    Values both = joined(a, b);
    int from = random.nextInt(4);
    Values first = SortOracle.at(a.type(), from, a);
    Values second = SortOracle.at(a.type(), 3 - from, b);
    Map<String, Elements> inputs =
        Map.of(
            "a", first.range(from, from + a.length()).elements(),
            "b", second.range(3 - from, 3 - from + b.length()).elements());
    Map<String, Elements> outputs = new HashMap<>();
    List<Values> kept = new ArrayList<>();
    for (int set = 0; set < SETS.size(); set++) {
      int length = members(set, by, both, a.length()).length;
      Values y = Values.guard(a.type(), from + length + 3);
      kept.add(y);
      outputs.put("y" + set, y.range(from, from + length).elements());
    }
    Results results = plan.run(inputs, outputs);
    for (int set = 0; set < SETS.size(); set++) {
      int[] wanted = members(set, by, both, a.length());
      String what =
          "%s of %s and %s %s, by %s"
              .formatted(SETS.get(set), a.length(), b.length(), a.type(), by);
      assertEquals(wanted.length, results.length("y" + set), () -> what + Seed.replay());
      SortOracle.requireSorted(both, wanted, kept.get(set), from, what);
    }
  }

  @ParameterizedTest
  @Types
  void setsOfRows(ElementType type) {
    SplittableRandom random = Seed.random("sets of rows" + type);
    for (int set = 0; set < SETS.size(); set++) {
      int by = random.nextInt(3);
      SetOperation operation = in(by, type, SETS.get(set)).rows();
      boolean isOfPairs = set == 0 || set == 3;
      try (Plan plan = rows(operation, type, most(), isOfPairs)) {
        for (int k = 0; k < lengths().length; k += 1 + random.nextInt(3)) {
          Values a = sorted(by, random(type, lengths()[k], random));
          Values b = sorted(by, random(type, lengths()[random.nextInt(lengths().length)], random));
          Values both = joined(a, b);
          Values columns = Values.random(ofColumn(type), both.length(), random);
          int[] kept = members(set, by, both, a.length());
          checkRows(
              plan, both, columns, a.length(), isOfPairs, kept, random, operation + " " + type);
        }
      }
    }
  }

  @Test
  void examplesOfRows() {
    Elements a = Elements.of(new int[] {1, 3, 3});
    Elements b = Elements.of(new int[] {3, 4});
    Elements ofA = Elements.of(new float[] {10, 30, 31});
    Elements ofB = Elements.of(new float[] {32, 40});
    float[][] wanted = {{10, 30, 31, 40}, {30}, {10, 31}, {10, 31, 40}};
    for (int set = 0; set < SETS.size(); set++) {
      SetOperation of = SETS.get(set).rows();
      Results rows =
          set == 0 || set == 3 ? funnel.run(of, a, b, ofA, ofB) : funnel.run(of, a, b, ofA);
      assertArrayEquals(wanted[set], rows.floats("result_1"), of.toString());
    }
    Results merged = funnel.run(Merge.ascending().rows(), a, b, ofA, ofB);
    assertArrayEquals(new int[] {1, 3, 3, 3, 4}, merged.ints("result"));
    assertArrayEquals(new float[] {10, 30, 31, 32, 40}, merged.floats("result_1"));
  }

  @Test
  void examplesOfSets() {
    Elements a = Elements.of(new int[] {1, 3, 3, 3, 7});
    Elements b = Elements.of(new int[] {3, 3, 4});
    int[][] wanted = {{1, 3, 3, 3, 4, 7}, {3, 3}, {1, 3, 7}, {1, 3, 4, 7}};
    Elements none = Elements.of(new int[0]);
    for (int set = 0; set < SETS.size(); set++) {
      SetOperation operation = SETS.get(set);
      assertArrayEquals(wanted[set], funnel.run(operation, a, b).ints("result"));
      int[] ofFirst = set == 1 ? new int[0] : new int[] {1, 3, 3, 3, 7};
      assertArrayEquals(ofFirst, funnel.run(operation, a, none).ints("result"));
      int[] ofSecond = set == 1 || set == 2 ? new int[0] : new int[] {3, 3, 4};
      assertArrayEquals(ofSecond, funnel.run(operation, none, b).ints("result"));
      assertArrayEquals(new int[0], funnel.run(operation, none, none).ints("result"));
      OutputTooShortException e =
          assertThrows(
              OutputTooShortException.class,
              () -> funnel.run(operation, Map.of("result", Elements.of(new int[1])), a, b));
      assertEquals(wanted[set].length, e.found());
    }
  }

  /** Neither unsorted inputs nor comparators that are no order lead outside of arrays. */
  @Test
  void whatHasNoOrder_staysInside() {
    SplittableRandom random = Seed.random("noOrder");
    Values x = Values.random(ElementType.INT, several(), random);
    Values y = Values.random(ElementType.INT, several() / 3, random);
    int both = x.length() + y.length();
    for (SetOperation set : SETS) {
      requireInside(0, both, set, x, y);
      requireInside(0, both, set.by(NO_ORDER), x, y);
      boolean isOfPairs = set.equals(SETS.get(0)) || set.equals(SETS.get(3));
      requireInside(
          0, both, set.rows(), isOfPairs ? new Values[] {x, y, x, y} : new Values[] {x, y, x});
    }
  }
}
