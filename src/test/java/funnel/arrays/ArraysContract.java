package funnel.arrays;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.EngineContract;
import funnel.Funnel;
import funnel.Groups;
import funnel.Ints;
import funnel.Longs;
import funnel.Reading;
import funnel.Table;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
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
  void whatWasNotRead() {
    Ints given = x();
    Reading reading = funnel.read(given.sorted());
    refused("was not read", () -> reading.get(given));
    refused("was not read", () -> reading.get(given.sorted()));
    refused("was not read", () -> reading.get(given.value(Reduction.sum())));
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

  @Test
  void reductionsThatAreNoSingleValue() {
    refused("two outputs", () -> x().value(Reduction.minMax()));
    refused("takes two inputs", () -> x().value(Reduction.dot()));
  }
}
