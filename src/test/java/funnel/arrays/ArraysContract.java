package funnel.arrays;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Array;
import funnel.Bytes;
import funnel.Doubles;
import funnel.Elements;
import funnel.EngineContract;
import funnel.Floats;
import funnel.Funnel;
import funnel.Groups;
import funnel.Ints;
import funnel.Longs;
import funnel.Reading;
import funnel.Rolling;
import funnel.Segments;
import funnel.Table;
import funnel.Value;
import funnel.histogram.Histogram;
import funnel.operation.Target;
import funnel.operator.ElementFunction;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.scan.SegmentOffsetsException;
import funnel.sort.NotAscendingException;
import funnel.sort.Sort;
import funnel.transform.IndexOutsideException;
import funnel.transform.Transpose;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What each method of arrays, values, groups and tables gives, and what it refuses. */
abstract class ArraysContract extends EngineContract {

  private Ints x() {
    return funnel.of(3, 1, 4, 1, 5, 9, 2, 6);
  }

  private static void refused(String part, Executable call) {
    refused(IllegalArgumentException.class, part, call);
  }

  private static void refused(Class<? extends Exception> type, String part, Executable call) {
    String message = assertThrows(type, call).getMessage();
    assertTrue(message != null && message.contains(part), message);
  }

  /** A function that a selection has taken in is not one of the whole array any more. */
  @Test
  void operations() {
    Ints x = funnel.of(1, 2, 3, 4, 5, 6);
    assertArrayEquals(new int[] {1, 4, 2, 5, 3, 6}, funnel.ints(Transpose.of(3), x).toArray());
    refused("of type INT, not LONG", () -> funnel.longs(Transpose.of(3), x).toArray());
    assertEquals(21, funnel.ints(Transpose.of(3), x).sum());
  }

  @Test
  void functionsOfSelectedElements() {
    Ints tens = x().filter(v -> v > 2).map(v -> 10 * v);
    assertEquals(270, tens.sum());
    assertArrayEquals(new int[] {30, 70, 120, 210, 270}, tens.scan(Operator.SUM).toArray());
    assertEquals(5, tens.count());
  }

  /** A selection makes one with the function of its elements, not of their positions. */
  @Test
  void functionsOfPositions() {
    Ints positions = x().find(v -> v > 2).positions();
    assertArrayEquals(new int[] {0, 20, 40, 50, 70}, positions.map(v -> 10 * v).toArray());
    assertEquals(5, positions.count());
  }

  /** The same function asked for twice is one, which remains where one of the two is fused. */
  @Test
  void whatIsSharedIsNotFused() {
    Transform.IntMap tens = v -> 10 * v;
    Ints mapped = x().map(tens);
    Ints scanned = x().map(tens).scan(Operator.SUM);
    Ints given = x();
    Ints one = given.map(tens);
    Ints other = given.map(tens).scan(Operator.SUM);
    Reading reading = funnel.read(mapped, scanned, one, other);
    assertArrayEquals(reading.get(mapped), reading.get(one));
    assertArrayEquals(reading.get(scanned), reading.get(other));
    assertEquals(310, reading.get(other)[7]);
  }

  @Test
  void eachArrayThatIsGotIsNew() {
    Transform.IntMap tens = v -> 10 * v;
    Ints given = x();
    Ints one = given.map(tens);
    Ints other = given.map(tens);
    Reading reading = funnel.read(one, other, given);
    assertNotSame(reading.get(one), reading.get(other));
    assertNotSame(reading.get(one), reading.get(one));
    assertNotSame(reading.get(given), reading.get(given));
  }

  @Test
  void whatIsGotIsTheCallers() {
    Ints tens = x().map(v -> 10 * v);
    Reading reading = funnel.read(tens);
    Arrays.fill(reading.get(tens), 7);
    assertArrayEquals(new int[] {30, 10, 40, 10, 50, 90, 20, 60}, reading.get(tens));
  }

  private interface With extends ElementFunction {
    double of(int value, double number);
  }

  /** A value that no empty array has is needed where a function has elements. */
  @Test
  void valuesOfNothing() {
    With plus = (v, w) -> v + w;
    Ints nothing = x().filter(v -> v > 9);
    Value max = nothing.value(Reduction.max());
    Value mean = nothing.value(Reduction.mean());
    interface Plus extends ElementFunction {
      int of(int value, int number);
    }
    Plus sum = (v, w) -> v + w;
    refused(NoSuchElementException.class, "max of", () -> funnel.ints(sum, x(), max).toArray());
    refused(NoSuchElementException.class, "mean of", () -> funnel.doubles(plus, x(), mean).sum());
    Ints some = x().filter(v -> v > 5);
    refused(NoSuchElementException.class, "mean", () -> funnel.doubles(plus, some, mean).max());
    assertArrayEquals(new double[0], funnel.doubles(plus, nothing, mean).toArray());
    assertArrayEquals(new int[0], funnel.ints(sum, nothing, max).toArray());
    Value none = nothing.value(Reduction.sum());
    assertArrayEquals(new int[] {9, 6}, funnel.ints(sum, some, none).toArray());
    Value some9 = some.value(Reduction.max());
    assertArrayEquals(new int[] {18, 15}, funnel.ints(sum, some, some9).toArray());
  }

  @Test
  void whatWasNotRead() {
    Ints given = x();
    Reading reading = funnel.read(given.sorted());
    refused("was not read", () -> reading.get(given));
    refused("was not read", () -> reading.get(given.sorted()));
    refused("was not read", () -> reading.get(given.value(Reduction.sum())));
  }

  @Test
  void longChains() {
    Ints most = x();
    for (int i = 0; i < 199; i++) {
      most = most.map(v -> v + 1);
    }
    try (Ints kept = most.keep()) {
      assertEquals(31 + 199 * 8, kept.sum());
      assertEquals(31 + 200 * 8, kept.map(v -> v + 1).sum());
    }
    Ints y = x();
    Table table = funnel.table(x(), y);
    Ints tooMany = y;
    for (int i = 0; i < 20_000; i++) {
      table = table.filter(y, v -> v > 0).limit(8);
      tooMany = tooMany.zip(tooMany.sorted(), (v, w) -> v + w);
    }
    for (Ints each : List.of(most.map(v -> -v).map(v -> -v), tooMany, table.of(y))) {
      refused("more than 200 operations: keep() an array in between", each::sum);
      refused("more than 200 operations", each::keep);
    }
    refused("more than 200 operations", table.groupBy(y).sum(y)::toArray);
    assertEquals("ints, not computed", tooMany.toString());
  }

  @Test
  void names() {
    Ints second = x().named("array2");
    assertEquals(62, second.zip(x(), (v, w) -> v + w).sum());
    assertEquals(62, x().zip(second, (v, w) -> v + w).sum());
    refused("'paid amount' is not", () -> x().named("paid amount"));
    assertThrows(NullPointerException.class, () -> x().named(null));
  }

  @Test
  void namesOfWhatIsComputed() {
    Groups<Ints> groups = x().map(v -> v % 2).groupBy();
    Longs sums = groups.sum(x());
    Ints keys = groups.keys().named("key");
    Table table = funnel.table(keys, sums.named("sum")).sortedBy(Table.descending(sums));
    assertEquals("table of ints key, not computed; longs sum, not computed", table.toString());
    assertArrayEquals(new long[] {19, 12}, table.longs("sum").toArray());
    assertArrayEquals(new int[] {1, 0}, table.ints("key").toArray());
    assertArrayEquals(new int[] {1, 0}, table.of(keys.named("other")).toArray());
    assertEquals(31, funnel.read(sums).get(sums.named("total"))[0] + sums.toArray()[1]);
    refused("there are [INT key, LONG sum]", () -> table.ints("sum"));
  }

  @Test
  void keysOfGroups() {
    Doubles x = funnel.of(1.5, 2.0);
    refused("ints or longs, not doubles", () -> funnel.table(x).filter(x, v -> v > 1).groupBy(x));
    refused("ints or longs, not doubles", () -> funnel.table(x).distinct(x));
  }

  @Test
  void bytesOfTwoArrays() {
    Bytes both = x().flags(v -> v > 2).zip(x().flags(v -> v % 2 == 0), (v, w) -> v & w);
    assertArrayEquals(new int[] {4, 6}, x().filter(both).toArray());
    Bytes y = funnel.of(new byte[] {-1, 100});
    assertArrayEquals(new byte[] {-2, -56}, y.zip(y, (v, w) -> v + w).toArray());
    assertArrayEquals(new byte[] {127, 50}, y.zip(y, (v, w) -> (v + w) / 4).toArray());
  }

  private static String explained(Executable call) {
    Throwable thrown = assertThrows(RuntimeException.class, call);
    return Stream.of(thrown.getSuppressed())
        .map(Throwable::getMessage)
        .filter(text -> text.contains(" is "))
        .findFirst()
        .orElse("");
  }

  @Test
  void namesInMessages_areExplained() {
    Ints y = funnel.of(1, 2).named("paid");
    assertEquals(
        "read_elementwise1 is function element by element to INT of array1, paid;"
            + " array1 is ints[8]: 3, 1, 4, 1, 5, 9, 2, 6; paid is ints[2] paid: 1, 2",
        explained(() -> x().zip(y, (v, w) -> v + w).sum()));
    assertEquals(
        "read_gather2 is gather of array1, read_elementwise1;"
            + " read_elementwise1 is function element by element to INT of paid;"
            + " array1 is ints[8]: 3, 1, 4, 1, 5, 9, 2, 6; paid is ints[2] paid: 1, 2",
        explained(() -> x().at(y.map(v -> v + 7)).toArray()));
    Groups<Ints> groups = x().groupBy();
    assertEquals(
        "array1 is ints[8]: 3, 1, 4, 1, 5, 9, 2, 6; paid is ints[2] paid: 1, 2",
        explained(() -> groups.sum(y).toArray()));
    assertEquals("", explained(() -> x().limit(0).max()));
    refused("a single value, not an array", () -> funnel.ints(Reduction.sum(), y).toArray());
  }

  @Test
  void anotherFunnels() {
    try (Funnel other = Funnel.open(target())) {
      Ints far = other.of(1, 2);
      Ints near = x();
      Table table = funnel.table(near);
      refused("of another Funnel", () -> table.join(near, other.table(far), far));
      refused("of another Funnel", () -> near.zip(far, (v, w) -> v + w));
      refused("of another Funnel", () -> funnel.read(near, far));
      refused("of another Funnel", () -> funnel.table(near, far));
      refused("of another Funnel", () -> near.groupBy().sum(far));
      refused("of another Funnel", () -> table.of(far));
    }
  }

  @Test
  void rowsAsText() {
    Ints shop = funnel.of(7, 19, 7).named("shop");
    Doubles paid = funnel.of(1.5, 22.25, 3.0);
    Table table = funnel.table(shop, paid);
    assertEquals("table of ints[3] shop: 7, 19, 7; doubles[3]: 1.5, 22.25, 3.0", table.toString());
    assertEquals("shop  doubles\n   7      1.5\n... of 3 rows", table.text(1));
    Table large = table.filter(paid, v -> v > 2).sortedBy(shop);
    assertEquals("shop  doubles\n   7      3.0\n  19    22.25", large.text(2));
    assertEquals("shop  doubles\n... of 2 rows", large.text(0));
    assertEquals("ints", funnel.table(funnel.of(new int[0])).text(10));
    refused("-1", () -> table.text(-1));
  }

  /** What a group of rows becomes. */
  record Shop(int shop, int count, double sum) {}

  @Test
  void computedColumnsHaveNames() {
    Ints shop = funnel.of(7, 19, 7);
    Groups<Ints> byShop = shop.groupBy();
    Doubles sum = byShop.sum(funnel.of(1.5, 22.25, 3.0)).named("sum");
    Table table = funnel.table(byShop.keys().named("shop"), byShop.count().named("count"), sum);
    assertEquals("shop  count    sum\n   7      2    4.5\n  19      1  22.25", table.text(10));
    assertEquals(List.of(new Shop(19, 1, 22.25)), table.filter(sum, v -> v > 5).toList(Shop.class));
    refused("there are [INT shop, INT count, DOUBLE sum]", () -> table.ints("sum"));
    assertArrayEquals(new double[] {4.5, 22.25}, sum.toArray());
  }

  @Test
  void columnsOfOtherTables() {
    Ints near = x();
    Ints far = funnel.of(7, 8);
    Table table = funnel.table(near);
    refused("no column ints[2]: 7, 8", () -> table.groupBy(near).sum(far));
    refused("no column ints[2]: 7, 8", () -> table.groupBy(near).keys(far));
    refused("no column ints[2]: 7, 8", () -> table.filter(far, v -> v > 1));
    refused("no column ints[2]: 7, 8", () -> table.sortedBy(far));
    refused("no column ints[2]: 7, 8", () -> table.of(far));
    refused("share", () -> table.join(near, table, near));
  }

  @Test
  void columnsOfDifferentLengths() {
    refused("lengths=[8, 2]", () -> funnel.table(x(), funnel.of(1, 2)));
  }

  /** Aggregates of what other aggregates of the same groups, and of others, are needed for. */
  @Test
  void columnsThatDependOnTheGroups() {
    Ints keys = funnel.of(7, 9, 7, 5);
    Ints column = funnel.of(10, 20, 40, 80);
    Groups<Ints> by = keys.groupBy();
    Ints rowsGroup = by.keys().lowerBounds(keys);
    Ints above = column.zip(by.min(column).at(rowsGroup), (v, least) -> v - least);
    Longs sums = by.sum(column);
    Longs sumsAbove = by.sum(above);
    Reading reading = funnel.read(sumsAbove, sums, by.keys());
    assertArrayEquals(new long[] {80, 50, 20}, reading.get(sums));
    assertArrayEquals(new long[] {0, 30, 0}, reading.get(sumsAbove));
    assertArrayEquals(new long[] {0, 30, 0}, sumsAbove.toArray());
    Groups<Ints> others = column.groupBy();
    Ints there = others.last(above);
    Ints again = by.max(there);
    Ints atLast = others.max(by.max(there).at(rowsGroup));
    Reading both = funnel.read(atLast, again, others.first(column), by.count());
    assertArrayEquals(new int[] {0, 30, 0}, both.get(again));
    assertArrayEquals(new int[] {30, 0, 30, 0}, both.get(atLast));
    assertArrayEquals(new int[] {30, 0, 30, 0}, atLast.toArray());
  }

  private interface Product extends ElementFunction {
    double f(int v, double w);
  }

  private interface Sum extends ElementFunction {
    long f(int v, long w);
  }

  @Test
  void examplesOfJavadoc() {
    Ints some = funnel.of(3, 1, 4, 1);
    assertEquals(3, funnel.of(3, 4, 5).count());
    assertArrayEquals(new int[] {3, 1, 4}, some.distinct().toArray());
    assertArrayEquals(new int[] {1, 4}, some.slice(1, 3).toArray());
    assertArrayEquals(new int[] {40, 30}, funnel.of(30, 10, 40).at(funnel.of(2, 0)).toArray());
    assertArrayEquals(new int[] {1, 1, 3, 4}, some.sorted().toArray());
    assertArrayEquals(new int[] {4, 3, 1, 1}, some.sorted(Sort.descending()).toArray());
    assertArrayEquals(
        new int[] {40, 0, 30}, funnel.of(30, 40).scatter(funnel.of(2, 0), 3).toArray());
    assertArrayEquals(
        new int[] {4, 4, 9}, funnel.of(4, 7, 9).repeated(funnel.of(2, 0, 1)).toArray());
    Ints many = funnel.of(4, 7, 9).repeated(funnel.of(2000, 0, 2000)); // of no known capacity
    assertArrayEquals(new int[] {4, 9}, many.slice(1999, 2001).toArray());
    refused("needs 4001 elements", () -> many.slice(1999, 4001).toArray());
    assertArrayEquals(new int[] {7, 3, 1}, funnel.of(3, 1, 4).shift(1, 7).toArray());
    assertArrayEquals(new int[] {1, 4, 7}, funnel.of(3, 1, 4).shift(-1, 7).toArray());
    assertArrayEquals(
        new int[] {0, 1, 8}, funnel.of(3, 1, 4).mapIndexed((i, v) -> i * v).toArray());
    assertArrayEquals(new int[] {3, 4, 8}, funnel.of(3, 1, 4).scan(Operator.SUM).toArray());
    assertArrayEquals(
        new int[] {0, 3, 4}, funnel.of(3, 1, 4).exclusiveScan(Operator.SUM).toArray());
    assertArrayEquals(new int[] {2, 3, 4}, funnel.range(2, 5).toArray());
    assertArrayEquals(new int[0], funnel.range(5, 2).toArray());
    Array.Runs<Ints> runs = funnel.of(4, 4, 7).runs();
    Reading reading = funnel.read(runs.values(), runs.starts(), runs.lengths());
    assertArrayEquals(new int[] {4, 7}, reading.get(runs.values()));
    assertArrayEquals(new int[] {0, 2}, reading.get(runs.starts()));
    assertArrayEquals(new int[] {2, 1}, reading.get(runs.lengths()));
    assertEquals("ints[5]: 3, 1, 4, 1, 5", funnel.of(3, 1, 4, 1, 5).toString());
    assertEquals("ints, not computed", some.sorted().toString());
    byte[] into = new byte[5];
    assertEquals(2, funnel.of(new byte[] {1, 2}).copyInto(Elements.of(into, 1, 4)));
    assertArrayEquals(new byte[] {0, 1, 2, 0, 0}, into);
    refused("capacity=2", () -> some.sorted().copyInto(Elements.of(new int[2])));
    refused("type=INT", () -> some.copyInto(Elements.of(new long[9])));
  }

  @Test
  void nothing() {
    for (Ints none : List.of(funnel.of(new int[0]), x().filter(v -> v > 100))) {
      assertEquals(0, none.count());
      assertTrue(none.isEmpty() && none.isSorted());
      assertEquals(0, none.sum());
      assertEquals(0, none.sumAsLong());
      assertEquals(0.0, none.sumAsDouble());
      assertThrows(NoSuchElementException.class, none::min);
      assertThrows(NoSuchElementException.class, none::max);
      assertThrows(NoSuchElementException.class, none::argMin);
      assertThrows(NoSuchElementException.class, none::argMax);
      assertThrows(NoSuchElementException.class, none::mean);
      assertThrows(NoSuchElementException.class, none::variance);
      assertThrows(NoSuchElementException.class, () -> none.value(Reduction.max()).get());
      assertEquals(-1, none.findFirst(v -> v > 0));
      assertTrue(none.allMatch(v -> v > 0) && none.noneMatch(v -> v > 0));
      Groups<Ints> groups = none.groupBy();
      for (Array<?, ?> array :
          List.of(
              none.sorted(),
              none.distinct(),
              none.reversed(),
              none.order(),
              none.shuffled(1),
              none.last(2),
              none.limit(2),
              none.skip(2),
              none.at(none),
              none.concat(none),
              none.repeated(none),
              none.runs().lengths(),
              none.largest(3).positions(),
              none.quantiles(0.5),
              none.differences(),
              none.shift(2, 1),
              none.asDoubles(),
              none.union(none),
              none.lowerBounds(none),
              none.join(none).left(),
              groups.keys(),
              groups.sum(none),
              groups.count(),
              funnel.table(none).sortedBy(none).of(none),
              funnel.table(none).distinct(none).of(none),
              none.rolling(3).sum(),
              none.rolling(3, Segments.ofKeys(none)).mean(),
              none.rolling(none, 3).count(),
              none.ewmMean(0.5),
              none.ranks(),
              none.averageRanks(),
              none.percentRanks(),
              none.sums(Segments.ofKeys(none)))) {
        assertEquals(0, array.count());
        assertEquals(0, java.lang.reflect.Array.getLength(array.toArray()));
      }
      assertArrayEquals(new int[4], none.histogram(Histogram.ofKeys(4)).toArray());
      assertArrayEquals(new int[2], none.sums(Segments.ofOffsets(funnel.of(0, 0))).toArray());
    }
  }

  @Test
  void windows() {
    Ints x = x(); // 3, 1, 4, 1, 5, 9, 2, 6
    assertArrayEquals(new int[] {3, 4, 8, 6, 10, 15, 16, 17}, x.rolling(3).sum().toArray());
    assertArrayEquals(new int[] {3, 1, 1, 1, 1, 5, 2, 2}, x.rolling(2).min().toArray());
    assertArrayEquals(new double[] {3, 2, 2.5, 2.5, 3, 7, 5.5, 4}, x.rolling(2).mean().toArray());
    assertArrayEquals(new int[] {1, 2, 3, 3, 3, 3, 3, 3}, x.rolling(3).count().toArray());
    Segments segments = Segments.ofKeys(funnel.of(7, 7, 7, 2, 2, 2, 2, 2));
    Rolling<Ints> inSegments = x.rolling(3, segments);
    assertArrayEquals(new int[] {3, 3, 4, 1, 5, 9, 9, 9}, inSegments.max().toArray());
    assertArrayEquals(new int[] {1, 2, 3, 1, 2, 3, 3, 3}, inSegments.count().toArray());
    assertArrayEquals(
        new double[] {3, 2, 8 / 3.0, 1, 3, 5, 16 / 3.0, 17 / 3.0}, inSegments.mean().toArray());
    assertArrayEquals(new int[] {0, 3, 1, 0, 1, 5, 9, 2}, x.shift(1, 0, segments).toArray());
    assertArrayEquals(new int[] {4, 0, 0, 9, 2, 6, 0, 0}, x.shift(-2, 0, segments).toArray());
    assertArrayEquals(new double[] {3, 2, 3, 1, 3, 6, 4, 5}, x.ewmMean(0.5, segments).toArray());
    assertArrayEquals(x.asDoubles().toArray(), x.ewmMean(1).toArray());
    Rolling<Floats> selected = x.filter(v -> v > 2).asFloats().rolling(2);
    assertArrayEquals(new float[] {3, 7, 9, 14, 15}, selected.sum().toArray());
    refused("rows=0", () -> x.rolling(0));
    refused("rows=-1", () -> x.rolling(-1, segments));
    refused("range=0", () -> x.rolling(x, 0));
    refused("range=NaN", () -> x.rolling(x.asDoubles(), Double.NaN));
    refused("alpha=0.0", () -> x.ewmMean(0));
    refused("alpha=1.5", () -> x.ewmMean(1.5, segments));
    refused("equal length", () -> x.rolling(funnel.of(1, 2), 1).sum().toArray());
  }

  /** A window has keys that are more than its own minus the range, however near the limits. */
  @Test
  void windowsOfRanges() {
    Ints ones = funnel.of(1, 1, 1, 1, 1);
    int min = Integer.MIN_VALUE;
    Ints ints = funnel.of(min, min, min + 1, min + 5, Integer.MAX_VALUE);
    assertArrayEquals(new int[] {1, 2, 3, 2, 1}, ones.rolling(ints, 5).sum().toArray());
    assertArrayEquals(
        new int[] {1, 2, 3, 4, 1}, ones.rolling(ints, Integer.MAX_VALUE).count().toArray());
    Longs longs = funnel.of(Long.MIN_VALUE, -1L, 0L, 0L, Long.MAX_VALUE);
    assertArrayEquals(
        new int[] {1, 1, 2, 3, 1}, ones.rolling(longs, Long.MAX_VALUE).sum().toArray());
    Doubles doubles = funnel.of(-0.0, 0.0, 0.5, 1.0, Double.POSITIVE_INFINITY);
    assertArrayEquals(new int[] {1, 2, 3, 2, 1}, ones.rolling(doubles, 1).count().toArray());
  }

  @Test
  void clamps() {
    int[] ints = {Integer.MIN_VALUE, -6, -5, 0, 9, 10, Integer.MAX_VALUE};
    long[] longs = {Long.MIN_VALUE, -6, -5, 0, 9, 10, Long.MAX_VALUE};
    double[] doubles = {Double.NEGATIVE_INFINITY, -5.5, -0.0, 0.0, 9, 9.5, Double.NaN};
    float[] floats = {Float.NEGATIVE_INFINITY, -5.5f, -0.0f, 0, 9, 9.5f, Float.NaN};
    int[] clampedInts = ints.clone();
    long[] clampedLongs = longs.clone();
    double[] clampedDoubles = doubles.clone();
    float[] clampedFloats = floats.clone();
    for (int i = 0; i < ints.length; i++) {
      clampedInts[i] = Math.clamp(ints[i], -5, 9);
      clampedLongs[i] = Math.clamp(longs[i], -5L, 9L);
      clampedDoubles[i] = Math.clamp(doubles[i], 0.0, 9.0);
      clampedFloats[i] = Math.clamp(floats[i], 0f, 9f);
    }
    assertArrayEquals(clampedInts, funnel.of(ints).map(v -> Math.clamp(v, -5, 9)).toArray());
    assertArrayEquals(clampedLongs, funnel.of(longs).map(v -> Math.clamp(v, -5L, 9L)).toArray());
    assertArrayEquals(
        clampedDoubles, funnel.of(doubles).map(v -> Math.clamp(v, 0.0, 9.0)).toArray());
    assertArrayEquals(clampedFloats, funnel.of(floats).map(v -> Math.clamp(v, 0f, 9f)).toArray());
  }

  /** Also in a condition, and of what a long alone contains. */
  @Test
  void castsInFunctions() {
    double[] doubles = new double[1100];
    float[] floats = new float[doubles.length];
    int[] ints = new int[doubles.length];
    long[] longs = new long[doubles.length];
    int[] bytes = new int[doubles.length];
    double[] special = {
      73.9,
      -76.7,
      -0.0,
      0x1p31,
      -0x1p31 - 1,
      3e9,
      -5e15,
      1e300,
      Double.MIN_VALUE,
      Double.NaN,
      Double.POSITIVE_INFINITY,
      Double.NEGATIVE_INFINITY
    };
    for (int i = 0; i < doubles.length; i++) {
      doubles[i] = special[i % special.length];
      floats[i] = (float) doubles[i];
      ints[i] = (int) floats[i] ^ -2;
      longs[i] = (long) doubles[i] - (int) doubles[i];
      bytes[i] = (byte) doubles[i] + (char) floats[i];
    }
    assertArrayEquals(ints, funnel.of(floats).mapToInt(v -> (int) v ^ -2).toArray());
    assertArrayEquals(longs, funnel.of(doubles).mapToLong(v -> (long) v - (int) v).toArray());
    assertArrayEquals(
        bytes, funnel.of(doubles).mapToInt(v -> (byte) v + (char) (float) v).toArray());
    assertEquals(
        Arrays.stream(doubles).filter(v -> (long) v > 70 || (int) v < -80).count(),
        funnel.of(doubles).filter(v -> (long) v > 70 || (int) v < -80).count());
  }

  @Test
  void statistics() {
    Doubles x = funnel.of(1.0, 2.0, Double.NaN, 4.0);
    assertEquals(7.0, x.dropNaNs().sum());
    assertEquals(1, x.count(v -> v != v));
    assertEquals(4.0, x.dropNaNs().max());
    assertArrayEquals(x().toArray(), x().dropNaNs().toArray());
    Ints a = funnel.of(3, 1);
    assertEquals(2.5, a.mean(funnel.of(3, 1)));
    assertEquals(2.0, a.mean(funnel.of(1, 1)));
    Floats y = funnel.of(1f, 2f, 3f, 4f);
    Floats z = funnel.of(2f, 4f, 6f, 9f);
    assertEquals(2.875, y.covariance(z), 1e-14);
    assertEquals(y.variance(), y.covariance(y), 1e-14);
    assertEquals(2.875 / Math.sqrt(1.25 * 6.6875), y.correlation(z), 1e-14);
    assertEquals(1.0, y.correlation(y), 1e-14);
    assertEquals(-1.0, y.correlation(y.map(v -> -2 * v)), 1e-14);
    assertEquals(Double.NaN, y.correlation(y.map(v -> 7)));
    Doubles nothing = x.filter(v -> v > 9);
    refused(NoSuchElementException.class, "", () -> nothing.covariance(nothing));
    refused(NoSuchElementException.class, "", () -> nothing.correlation(nothing));
    refused(NoSuchElementException.class, "", () -> nothing.mean(nothing));
    refused("equal", () -> y.covariance(y.limit(2)));
  }

  private static void misplaced(int position, Executable call) {
    assertEquals(position, assertThrows(NotAscendingException.class, call).position());
  }

  /** What is not in order is sorted or refused, and never taken for it. */
  @Test
  void orderThatIsNotThere() {
    Ints x = funnel.of(3, 1, 4);
    Ints y = funnel.of(4, 3);
    assertArrayEquals(new int[] {3, 4}, x.intersection(y).toArray());
    assertArrayEquals(new int[] {1, 3, 4}, x.union(y).toArray());
    assertArrayEquals(new int[] {1}, x.difference(y).toArray());
    assertArrayEquals(new int[] {3, 4}, x.sorted().intersection(y).toArray());
    misplaced(1, () -> x.search(y).toArray());
    misplaced(1, () -> x.lowerBounds(y).toArray());
    misplaced(2, () -> funnel.of(1, 4, 3).filter(v -> v > 0).upperBounds(y).sum());
    misplaced(1, () -> funnel.of(Double.NaN, 1).search(funnel.of(1.0)).toArray());
    misplaced(2, () -> funnel.of(1, 4, 3).rolling(funnel.of(1L, 3L, 2L), 1).sum().toArray());
    assertArrayEquals(new int[] {2, -1}, x.sorted().search(funnel.of(4, 0)).toArray());
    assertArrayEquals(new int[] {1, 0}, funnel.of(1, 4).search(funnel.of(4, 1)).toArray());
    assertEquals(0, funnel.of(new int[0]).search(funnel.of(new int[0])).count());
    try (Ints kept = x.sorted().keep();
        Ints given = x.keep()) {
      assertArrayEquals(new int[] {2}, kept.search(funnel.of(4)).toArray());
      misplaced(1, () -> given.search(y).toArray());
    }
    Ints keys = funnel.of(1, 5, 2, 3);
    Segments two = Segments.ofLengths(funnel.of(2, 2));
    assertArrayEquals(new int[] {1, 5, 2, 5}, keys.rolling(keys, 2, two).sum().toArray());
    misplaced(2, () -> keys.rolling(keys, 2).sum().toArray());
    misplaced(3, () -> keys.rolling(funnel.of(1, 2, 2, 1), 2, two).sum().toArray());
    Doubles nan = funnel.of(1.0, 2, 3, Double.NaN);
    misplaced(3, () -> keys.rolling(nan, 2).sum().toArray());
    misplaced(3, () -> keys.rolling(nan, 2, two).count().toArray());
    misplaced(0, () -> funnel.of(1).rolling(funnel.of(Double.NaN), 2).sum().toArray());
  }

  @Test
  void segmentsThatAreNotTheArrays() {
    Ints x = funnel.of(1, 2, 3, 4, 5);
    Segments few = Segments.ofLengths(funnel.of(2, 2));
    refused(SegmentOffsetsException.class, "add up to 4, but there are 5", () -> x.sums(few).sum());
    for (Segments wrong : List.of(few, Segments.ofLengths(funnel.of(2, 3, 4)))) {
      refused(SegmentOffsetsException.class, "add up to", () -> x.sums(wrong).toArray());
      refused(SegmentOffsetsException.class, "", () -> x.scan(Operator.SUM, wrong).toArray());
      refused(SegmentOffsetsException.class, "", () -> x.sorted(wrong).toArray());
      refused(SegmentOffsetsException.class, "", () -> x.largest(1, wrong).values().toArray());
      refused(SegmentOffsetsException.class, "", () -> x.ranks(wrong).toArray());
      refused(SegmentOffsetsException.class, "", () -> x.rolling(2, wrong).sum().toArray());
    }
    Ints some = x.filter(v -> v > 2);
    Ints lengths = funnel.of(4, 4, 7).runs().lengths();
    assertArrayEquals(new int[] {7, 5}, some.sums(Segments.ofLengths(lengths)).toArray());
    refused(
        SegmentOffsetsException.class,
        "add up to 3, but there are 5",
        () -> x.sums(Segments.ofLengths(lengths)).toArray());
    assertArrayEquals(
        new int[] {3, 12}, x.sums(Segments.ofOffsetsWithEnd(funnel.of(0, 2, 5))).toArray());
    refused(
        SegmentOffsetsException.class,
        "",
        () -> x.sums(Segments.ofOffsetsWithEnd(funnel.of(0, 2, 4))).toArray());
    Ints nothing = x.filter(v -> v > 9);
    assertEquals(0, nothing.sums(Segments.ofLengths(nothing)).count());
  }

  @Test
  void histograms() {
    Doubles x = funnel.of(0.0, 1, 2, 2, 3, 10, Double.NaN, -0.0);
    Doubles y = funnel.of(5.0, 5, 5, 1, 9.5, 10, 5, 0);
    Histogram rows = Histogram.even(2, 0.0, 4.0);
    Histogram columns = Histogram.even(2, 0.0, 10.0).closed();
    assertArrayEquals(new int[] {1, 2, 1, 2}, x.histogram2d(y, rows, columns).toArray());
    assertArrayEquals(new double[] {10, 15.5}, x.histogram(rows, y).toArray());
    assertArrayEquals(
        new double[] {1, 10, 100, 1000}, Histogram.logarithmic(3, 1, 1000).edges(), 1e-12);
    Ints values = funnel.of(1, 2, 2, 3, 3, 3, 4, 4, 5, 9);
    assertArrayEquals(new double[] {1, 2.6, 4.2, 5.8, 7.4, 9}, values.sturgesBins().edges(), 1e-12);
    // quartiles 2.25 and 4: bins of 2 * 1.75 / 10^(1/3) = 1.62, so five
    assertEquals(5, values.freedmanDiaconisBins().bins());
    assertEquals(10, values.asDoubles().histogram(values.freedmanDiaconisBins()).sum());
    assertEquals(1, funnel.of(7, 7, 7).freedmanDiaconisBins().bins());
    Ints digits = funnel.of(3, 1, 4, 1, 5, 9, 2, 6);
    int[] counts = {3, 2, 2, 1};
    assertArrayEquals(counts, digits.histogram(digits.sturgesBins()).toArray());
    assertArrayEquals(counts, digits.asDoubles().histogram(digits.sturgesBins()).toArray());
    assertArrayEquals(counts, digits.asLongs().histogram(digits.asLongs().sturgesBins()).toArray());
    Floats narrow = digits.asFloats();
    assertArrayEquals(counts, narrow.histogram(narrow.sturgesBins()).toArray());
    assertEquals(8, digits.histogram(digits.freedmanDiaconisBins()).sum());
    for (long equal : new long[] {Long.MIN_VALUE, 7, Long.MAX_VALUE}) {
      Longs one = funnel.of(equal, equal, equal);
      assertArrayEquals(new int[] {3}, one.histogram(one.sturgesBins()).toArray());
      assertArrayEquals(new int[] {3}, one.histogram(one.freedmanDiaconisBins()).toArray());
    }
    Longs wide = funnel.of(Long.MIN_VALUE, -1L, (1L << 53) + 1, Long.MAX_VALUE);
    assertArrayEquals(new int[] {1, 2, 1}, wide.histogram(wide.sturgesBins()).toArray());
    refused("low=0.0", () -> Histogram.logarithmic(3, 0, 10));
    refused(
        "bins",
        () ->
            x.histogram2d(y, Histogram.even(1 << 13, 0.0, 1.0), Histogram.even(1 << 13, 0.0, 1.0)));
    refused("BYTE", () -> x.histogram(rows, funnel.of(new byte[8])));
    Doubles nothing = x.filter(v -> v > 90);
    refused(NoSuchElementException.class, "", nothing::sturgesBins);
    refused(NoSuchElementException.class, "", nothing::freedmanDiaconisBins);
    assertArrayEquals(new int[4], nothing.histogram2d(nothing, rows, columns).toArray());
  }

  @Test
  void ranks() {
    double nan = Double.NaN;
    Doubles x = funnel.of(0.0, nan, -0.0, 1, -1, nan);
    assertArrayEquals(new int[] {3, 5, 2, 4, 1, 5}, x.ranks().toArray());
    assertArrayEquals(new int[] {3, 5, 2, 4, 1, 5}, x.denseRanks().toArray());
    assertArrayEquals(new double[] {3, 5.5, 2, 4, 1, 5.5}, x.averageRanks().toArray());
    assertArrayEquals(new double[] {.4, .8, .2, .6, 0, .8}, x.percentRanks().toArray());
    assertArrayEquals(new double[] {0}, x.limit(1).percentRanks().toArray());
    assertArrayEquals(new int[] {2, 1, 2}, funnel.of(new byte[] {-1, 0, -1}).ranks().toArray());
  }

  @Test
  void specialDoubles() {
    double nan = Double.NaN;
    Doubles x = funnel.of(0.0, nan, -0.0, 1, -1, nan);
    assertArrayEquals(new double[] {-1, -0.0, 0.0, 1, nan, nan}, x.sorted().toArray());
    assertArrayEquals(new double[] {0.0, nan, -0.0, 1, -1}, x.distinct().toArray());
    assertArrayEquals(new double[] {-1, -0.0, 0.0, 1, nan}, x.sorted().distinct().toArray());
    assertArrayEquals(new double[] {nan, nan, 1}, x.largest(3).values().toArray());
    assertEquals(nan, x.min());
    assertEquals(nan, x.max());
    Doubles zeros = x.filter(v -> v == 0);
    assertEquals(-0.0, zeros.min());
    assertEquals(0.0, zeros.max());
    assertEquals(2, x.order().toArray()[1]);
  }

  /** After a failure in the middle of a chain the same and other chains can be read. */
  @Test
  void readingsAfterFailures() {
    int[] divisors = {1, 2, 0};
    Ints x = x();
    Ints positions = funnel.of(1, 12);
    for (int time = 0; time < 2; time++) {
      refused(IndexOutsideException.class, "12", () -> x.sorted().at(positions).sum());
      assertEquals(31, x.sorted().at(funnel.range(0, 8)).sum());
      refused("5", () -> x.filter(v -> v > 4).slice(1, 5).toArray());
      assertArrayEquals(new int[] {9, 6}, x.filter(v -> v > 4).slice(1, 3).toArray());
      if (target() != Target.TORNADO) {
        Ints by = funnel.of(divisors);
        divisors[2] = 0;
        assertThrows(ArithmeticException.class, () -> by.map(v -> 6 / v).reversed().toArray());
        divisors[2] = 3;
        assertArrayEquals(new int[] {2, 3, 6}, by.map(v -> 6 / v).reversed().toArray());
      }
    }
  }

  @Test
  void lengthsThatDiffer() {
    Ints x = x();
    for (int time = 0; time < 2; time++) {
      String message =
          assertThrows(
                  IllegalArgumentException.class,
                  () -> x.zip(funnel.of(1, 2, 3), (v, w) -> v + w).sum())
              .getMessage();
      assertTrue(message.contains("8") && message.contains("3"), message);
      message =
          assertThrows(
                  IllegalArgumentException.class,
                  () -> x.filter(v -> v > 4).zip(x.filter(v -> v > 2), (v, w) -> v + w).sum())
              .getMessage();
      assertTrue(message.contains("3") && message.contains("5"), message);
    }
  }

  /** Of each length, twice: the second time what the first has shown is known. */
  @Test
  void foundLengthsThatMustBeEqual() {
    for (int length : lengths()) {
      for (int k = 0; k < 2; k++) {
        int odd = k;
        Ints all = funnel.range(0, length);
        Ints some = all.filter(v -> (v & 1) == odd);
        Ints others = all.filter(v -> (v & 1) != odd).limit(some.count());
        Ints as = some.limit(others.count());
        long sum = as.zip(others, (v, w) -> v - w).sumAsLong();
        int count = others.count();
        assertEquals(odd == 0 ? -count : count, sum, "length " + length);
        double dot = as.asDoubles().dot(others.asDoubles());
        double wanted = 0;
        for (int i = 0; i < count; i++) {
          wanted += (2 * i) * (2 * i + 1.0);
        }
        assertEquals(wanted, dot, 1e-9 * wanted);
      }
    }
  }

  @Test
  void moreThanTheFirstGuess() {
    int most = Math.min(most(), 3000);
    Ints ones = funnel.range(0, most).map(v -> v % 2);
    for (int time = 0; time < 2; time++) {
      Array.Pairs pairs = ones.limit(10).join(ones);
      Reading reading = funnel.read(pairs.left(), pairs.right());
      assertEquals(5 * most, reading.get(pairs.left()).length);
      assertArrayEquals(new int[] {0, 2, 4}, Arrays.copyOf(reading.get(pairs.right()), 3));
      assertEquals(10L * most, ones.map(v -> 5 * v).repeated(ones.map(v -> 4 * v)).sumAsLong());
      assertEquals(3, funnel.of(1, 1).repeated(funnel.of(1, 2)).sum());
      Ints repeated = ones.repeated(ones.map(v -> 1 + 3 * v));
      assertEquals(2 * most, repeated.sample(2 * most, 7).count());
      refused("as many", () -> repeated.sample(3 * most, 7).toArray());
    }
  }

  @Test
  void valuesOfValues() {
    Ints x = x();
    Product product = (v, w) -> v * w;
    Sum sum = (v, w) -> v + w;
    Value least = x.value(Reduction.min());
    Longs more = funnel.longs(sum, x, x.value(Reduction.sumAsLong()));
    Doubles first = funnel.doubles(product, x, x.value(Reduction.mean()));
    Doubles second = funnel.doubles(product, x, first.value(Reduction.max()));
    Reading reading = funnel.read(second, least, more);
    assertEquals(3 * (9 * 3.875), reading.get(second)[0]);
    assertEquals(1, reading.get(least));
    assertEquals(34, reading.get(more)[0]);
    assertEquals(9 * (9 * 3.875), second.max());
    Value ofNothing = x.filter(v -> v > 100).value(Reduction.max());
    Value sumOfNothing = x.filter(v -> v > 100).value(Reduction.sum());
    Reading nothing = funnel.read(ofNothing, sumOfNothing);
    assertThrows(NoSuchElementException.class, () -> nothing.get(ofNothing));
    assertEquals(0, nothing.get(sumOfNothing));
  }

  @Test
  void eightThreads() throws Exception {
    int most = most();
    Ints x = funnel.range(0, most);
    Ints shared = x.map(v -> v % 10);
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < 8; thread++) {
        int k = thread;
        all.add(
            threads.submit(
                () -> {
                  for (int time = 0; time < (target() == Target.EMULATOR ? 2 : 5); time++) {
                    int least = k + time;
                    assertEquals(
                        IntStream.range(0, most).map(v -> v % 10).filter(v -> v >= least).sum(),
                        shared.filter(v -> v >= least).sum());
                    assertEquals(Math.min(most, 10), shared.distinct().count());
                  }
                }));
      }
      for (Future<?> each : all) {
        each.get();
      }
    }
  }

  @Test
  void changedSourcesAreSeen() {
    int[] source = {3, 1, 4};
    Ints sorted = funnel.of(source).sorted();
    assertArrayEquals(new int[] {1, 3, 4}, sorted.toArray());
    source[0] = 9;
    assertArrayEquals(new int[] {1, 4, 9}, sorted.toArray());
    Bytes flags = funnel.of(source).flags(v -> v > 3);
    source[1] = 5;
    assertArrayEquals(new byte[] {1, 1, 1}, flags.toArray());
  }

  @Test
  void otherCapturedValuesHaveTheSamePlan() {
    int before = -1;
    for (int k = 0; k < 5; k++) {
      int least = k;
      Ints x = funnel.range(0, 100).map(v -> v + least).filter(v -> v % 7 > least);
      Groups<Ints> groups = x.map(v -> v & 3).groupBy();
      Ints counts = groups.count();
      Longs sums = groups.sum(x);
      Reading reading = funnel.read(counts, sums, groups.keys(), x);
      int[] elements = reading.get(x);
      assertEquals(IntStream.of(elements).sum(), LongStream.of(reading.get(sums)).sum());
      assertEquals(elements.length, IntStream.of(reading.get(counts)).sum());
      assertEquals(elements.length, x.count());
      if (k > 0) {
        assertEquals(before, plans(), "captured " + k);
      }
      before = plans();
    }
  }

  @Test
  void reductionsThatAreNoSingleValue() {
    refused("two outputs", () -> x().value(Reduction.minMax()));
    refused("takes two inputs", () -> x().value(Reduction.dot()));
  }
}
