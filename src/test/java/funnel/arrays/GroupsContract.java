package funnel.arrays;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import funnel.Array;
import funnel.Array.Top;
import funnel.Bytes;
import funnel.Doubles;
import funnel.EngineContract;
import funnel.Groups;
import funnel.Ints;
import funnel.Longs;
import funnel.Operand;
import funnel.Reading;
import funnel.Seed;
import funnel.Table;
import funnel.Types;
import funnel.Values;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.rank.Quantiles;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** What aggregates of groups that need the rows in order give; the oracle is a map of lists. */
@SuppressWarnings({"unchecked", "rawtypes"})
abstract class GroupsContract extends EngineContract {

  private static final int[] DISTINCT = {1, 3, 700};
  private static final double QUANTILE = 0.3;

  private Array of(Values x) {
    return switch (x.array()) {
      case byte[] a -> funnel.of(a);
      case int[] a -> funnel.of(a);
      case long[] a -> funnel.of(a);
      case float[] a -> funnel.of(a);
      default -> funnel.of((double[]) x.array());
    };
  }

  private static Values values(ElementType type, int length, SplittableRandom random) {
    int bound = random.nextInt(3) == 0 ? 3 : 100;
    return PlainArrays.of(
        type,
        length,
        _ ->
            !type.isFloating()
                ? (Number) random.nextInt(bound)
                : switch (random.nextInt(8)) {
                  case 0 -> (Number) Double.NaN;
                  case 1 -> -0.0;
                  case 2 -> 0.0;
                  case 3 -> Double.POSITIVE_INFINITY;
                  default -> random.nextInt(-bound, bound) / 4.0;
                });
  }

  /** What a group's rows become, and all of them. */
  private static Values each(
      ElementType type, Collection<List<Integer>> groups, Function<List<Integer>, Number> of) {
    return PlainArrays.of(type, groups.stream().map(of).toList());
  }

  private static List<Integer> ascending(Values x, List<Integer> rows) {
    return PlainArrays.top(x, rows, false, rows.size());
  }

  private static Number interpolated(Values x, List<Integer> rows) {
    List<Integer> order = ascending(x, rows);
    double place = QUANTILE * (rows.size() - 1);
    int below = (int) place;
    return Quantiles.between(
        x.doubleAt(order.get(below)),
        x.doubleAt(order.get(Math.min(below + 1, rows.size() - 1))),
        place - below);
  }

  /** What is read, and what it is to be. */
  private static final class Wanted {
    private final Map<Operand, Values> all = new LinkedHashMap<>();

    void add(Array made, Values wanted) {
      all.put(made, wanted);
    }

    void top(Top top, Values x, List<List<Integer>> rows) {
      List<Integer> flat = rows.stream().flatMap(List::stream).toList();
      List<Integer> offsets = new ArrayList<>();
      int before = 0;
      for (List<Integer> each : rows) {
        offsets.add(before);
        before += each.size();
      }
      add(top.values(), PlainArrays.at(x, flat));
      add(top.positions(), PlainArrays.ints(flat));
      add(top.offsets(), PlainArrays.ints(offsets));
    }

    void check(funnel.Funnel funnel, String what) {
      Reading reading = funnel.read(all.keySet().toArray(Operand[]::new));
      int number = 0;
      for (Map.Entry<Operand, Values> each : all.entrySet()) {
        ArrayChain.same(
            "%s, output %s".formatted(what, number++),
            each.getValue(),
            reading.get((Array) each.getKey()));
      }
    }
  }

  private Wanted wanted(Groups by, Array column, Values x, List<List<Integer>> groups) {
    Wanted wanted = new Wanted();
    ElementType type = x.type();
    wanted.add(by.median(column), each(type, groups, rows -> PlainArrays.median(x, rows)));
    wanted.add(
        by.quantile(1, column), each(type, groups, rows -> x.at(ascending(x, rows).getLast())));
    wanted.add(
        by.interpolatedQuantile(QUANTILE, column),
        each(ElementType.DOUBLE, groups, rows -> interpolated(x, rows)));
    wanted.add(
        by.countDistinct(column),
        each(
            ElementType.INT, groups, rows -> PlainArrays.distinct(PlainArrays.at(x, rows)).size()));
    wanted.add(by.mode(column), each(type, groups, rows -> PlainArrays.mode(x, rows)));
    wanted.top(by.lists(column), x, groups);
    wanted.top(
        by.first(2, column),
        x,
        groups.stream().map(rows -> rows.subList(0, Math.min(2, rows.size()))).toList());
    wanted.top(
        by.last(3, column),
        x,
        groups.stream()
            .map(rows -> rows.subList(Math.max(0, rows.size() - 3), rows.size()))
            .toList());
    wanted.top(
        by.largest(2, column),
        x,
        groups.stream().map(rows -> PlainArrays.top(x, rows, true, 2)).toList());
    wanted.top(
        by.smallest(2, column),
        x,
        groups.stream().map(rows -> PlainArrays.top(x, rows, false, 2)).toList());
    wanted.add(by.count(), each(ElementType.INT, groups, List::size));
    return wanted;
  }

  private static List<List<Integer>> groups(Values keys) {
    Map<Number, List<Integer>> rows = new TreeMap<>(PlainArrays.ORDER);
    rows.putAll(PlainArrays.groups(PlainArrays.rows(0, keys.length()), keys::at));
    return List.copyOf(rows.values());
  }

  @ParameterizedTest
  @Types
  void aggregates(ElementType type) {
    SplittableRandom random = Seed.random("aggregates" + type);
    for (int length : lengths()) {
      int distinct = DISTINCT[random.nextInt(DISTINCT.length)];
      Values x = values(type, length, random);
      ElementType ofKeys = random.nextBoolean() ? ElementType.INT : ElementType.LONG;
      Values keys = PlainArrays.of(ofKeys, length, _ -> random.nextInt(distinct) * 1_000_003 - 5);
      Groups by = of(keys) instanceof Ints k ? k.groupBy() : ((Longs) of(keys)).groupBy();
      wanted(by, of(x), x, groups(keys))
          .check(funnel, "%s of %s by %s%s".formatted(length, type, distinct, Seed.replay()));
    }
  }

  @Test
  void runs() {
    SplittableRandom random = Seed.random("runs");
    for (int length : lengths()) {
      Values keys = PlainArrays.of(ElementType.INT, length, i -> i / 7 % 3);
      Values x = values(ElementType.FLOAT, length, random);
      List<Integer> begins = new ArrayList<>(PlainArrays.runs(keys));
      List<List<Integer>> groups =
          IntStream.range(0, begins.size())
              .mapToObj(
                  g ->
                      PlainArrays.rows(
                          begins.get(g), g + 1 < begins.size() ? begins.get(g + 1) : length))
              .toList();
      wanted(((Ints) of(keys)).groupByRuns(), of(x), x, groups)
          .check(funnel, length + Seed.replay());
    }
  }

  /** Positions are those of the table's rows. */
  @Test
  void rowsOfTables() {
    SplittableRandom random = Seed.random("tables");
    int length = Math.min(most(), 3000);
    int[] a = random.ints(length, 0, 5).toArray();
    long[] b = random.longs(length, -2, 2).toArray();
    double[] v = random.doubles(length, -1, 1).toArray();
    Ints x = funnel.of(a);
    Longs y = funnel.of(b);
    Doubles z = funnel.of(v);
    Table table = funnel.table(x, y, z).filter(z, w -> w > -0.5);
    List<Integer> kept = IntStream.range(0, length).filter(i -> v[i] > -0.5).boxed().toList();
    Map<Long, List<Integer>> rows = new TreeMap<>();
    for (int i = 0; i < kept.size(); i++) {
      int row = kept.get(i);
      rows.computeIfAbsent(a[row] * 10 + b[row], _ -> new ArrayList<>()).add(i);
    }
    Values here = PlainArrays.of(ElementType.DOUBLE, kept.size(), i -> v[kept.get(i)]);
    wanted(table.groupBy(x, y), z, here, List.copyOf(rows.values()))
        .check(funnel, "table" + Seed.replay());
  }

  /** A column of two: any function of them, and then any operator. */
  @Test
  void twoColumns() {
    Ints shop = funnel.of(7, 9, 7);
    Doubles price = funnel.of(1.5, 2, 4);
    Ints number = funnel.of(2, 1, 3);
    Doubles paid = price.zip(number.asDoubles(), (p, n) -> p * n);
    Table table = funnel.table(shop, price).with(paid);
    assertArrayEquals(new double[] {15, 2}, table.groupBy(shop).sum(paid).toArray());
    Table some = table.filter(price, p -> p < 3);
    Doubles twice = some.of(price).zip(some.of(paid), (p, q) -> p + q);
    Groups<Ints> by = some.with(twice).groupBy(shop);
    assertArrayEquals(new double[] {4.5, 4}, by.reduce(Operator.MAX, twice).toArray());
  }

  @Test
  void deviations() {
    Groups<Ints> by = funnel.of(7, 9, 7, 7).groupBy();
    Ints x = funnel.of(2, 5, 4, 6);
    Doubles all = by.standardDeviation(x);
    Doubles sample = by.sampleStandardDeviation(x);
    Reading reading = funnel.read(all, sample, by.variance(x));
    double[] variances = reading.get(by.variance(x));
    assertArrayEquals(new double[] {Math.sqrt(variances[0]), 0}, reading.get(all));
    assertArrayEquals(new double[] {2, Double.NaN}, reading.get(sample));
  }

  @Test
  void refused() {
    Groups<Ints> by = funnel.of(7, 9).groupBy();
    Bytes x = funnel.of(new byte[] {1, 2});
    assertThrows(IllegalArgumentException.class, () -> by.first(-1, x));
    assertThrows(IllegalArgumentException.class, () -> by.largest(0, x));
    assertThrows(IllegalArgumentException.class, () -> by.quantile(1.5, x));
    assertThrows(IllegalArgumentException.class, () -> by.interpolatedQuantile(Double.NaN, x));
    assertEquals(0, by.first(0, x).values().count());
    assertThrows(IllegalArgumentException.class, () -> by.median(funnel.of(1)).toArray());
  }
}
