package funnel.arrays;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Array.Top;
import funnel.Bytes;
import funnel.Doubles;
import funnel.EngineContract;
import funnel.Groups;
import funnel.Ints;
import funnel.Longs;
import funnel.Table;
import funnel.operator.ElementFunction;
import funnel.operator.Operator;
import funnel.reduce.Reduction;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** In which rows of a table something is computed, and what is refused since nobody can say. */
abstract class TablesContract extends EngineContract {

  private interface Above extends ElementFunction {
    boolean of(double value, double least);
  }

  private interface Paid extends ElementFunction {
    double of(double price, int shop);
  }

  record Row(int given, int found) {}

  private Ints shop;
  private Doubles price;
  private Doubles number;
  private Table first;
  private Table sorted;

  @Override
  public int[] lengths() {
    return new int[0]; // these are their own
  }

  @BeforeEach
  void table() {
    shop = funnel.of(9, 7, 9, 5).named("shop");
    price = funnel.of(1.0, 2.0, 3.0, 4.0);
    number = funnel.of(1.0, 10.0, 100.0, 1000.0);
    first = funnel.table(shop, price, number);
    sorted = first.sortedBy(shop);
  }

  private static String refused(Executable call, String... parts) {
    String message = assertThrows(IllegalArgumentException.class, call).getMessage();
    for (String part : parts) {
      assertTrue(message.contains(part), message);
    }
    return message;
  }

  private static void same(Doubles x, double... wanted) {
    assertArrayEquals(wanted, x.toArray());
  }

  private static void same(Ints x, int... wanted) {
    assertArrayEquals(wanted, x.toArray());
  }

  @Test
  void whatIsComputedElementByElementIsComputedInTheseRows() {
    Doubles paid = price.zip(number, (p, n) -> p * n);
    Table with = sorted.with(paid);
    same(with.groupBy(shop).sum(paid), 4000, 20, 301);
    same(with.of(paid), 4000, 20, 1, 300);
    same(sorted.of(paid), 4000, 20, 1, 300);
    same(sorted.groupBy(shop).sum(paid), 4000, 20, 301);
    Groups<Ints> by = sorted.groupBy(shop.map(s -> s / 9));
    same(by.keys(), 0, 1);
    same(by.sum(price.map(p -> -p)), -6, -4);
    Ints parity = shop.map(s -> s % 5);
    same(sorted.groupBy(shop, parity).keys(parity), 0, 2, 4);
    same(sorted.sortedBy(paid.map(p -> -p)).of(price), 4, 3, 2, 1);
    same(sorted.filter(paid, p -> p > 20).of(price), 4, 3);
    same(sorted.distinct(parity).of(price), 4, 2, 1);
    same(with.limit(2).of(paid.map(p -> p / 2)), 2000, 10);
    Paid both = (p, s) -> p + 100 * s;
    same(sorted.of(funnel.doubles(both, price, shop)), 504, 702, 901, 903);
    double[] prices = {0, 10, 20, 30, 40};
    same(sorted.of(price.map(p -> prices[(int) p])), 40, 20, 10, 30);
    same(sorted.of(funnel.of(50, 60, 70, 80, 90).at(shop.map(s -> s - 5))), 50, 70, 90, 90);
    same(sorted.of(funnel.of(5, 9).lowerBounds(shop)), 0, 1, 1, 1);
    assertEquals(
        "shop  doubles  doubles  doubles\n   5      4.0   1000.0   4000.0\n"
            + "   7      2.0     10.0     20.0",
        with.filter(shop, s -> s < 9).text(9));
    Ints id = funnel.of(0, 4);
    Longs country = funnel.of(49L, 33L);
    Table joined = sorted.join(shop.map(s -> s - 5), funnel.table(id, country), id);
    assertArrayEquals(new long[] {49, 33, 33}, joined.of(country).toArray());
    same(joined.of(paid), 4000, 1, 300);
  }

  @Test
  void flagsAreOfTheseRows() {
    same(sorted.filter(price.flags(p -> p > 3)).of(price), 4);
    same(sorted.filter(sorted.of(price).flags(p -> p < 3)).of(price), 2, 1);
    same(sorted.filter(price.flags(p -> p > 2).map(f -> 1 - f)).of(price), 2, 1);
    same(sorted.filter(funnel.of(new byte[] {0, 1, 1, 0})).of(price), 2, 1);
    Above above = (v, least) -> v > least;
    same(sorted.filter(above, price, price.value(Reduction.mean())).of(price), 4, 3);
    Bytes flags = funnel.flags(above, price, price.value(Reduction.mean()));
    same(sorted.filter(flags).of(price), 4, 3);
  }

  @Test
  void whatHasOtherRowsIsRefused() {
    Table dear = first.filter(price, p -> p > 1);
    Doubles raw = funnel.of(1.0, 2.0, 3.0, 4.0);
    List<Supplier<Doubles>> others =
        List.of(
            () -> price.scan(Operator.SUM),
            () -> price.sorted(),
            () -> price.mapIndexed((i, p) -> i * p),
            () -> price.shift(1, 0),
            () -> price.ranks().asDoubles(),
            () -> price.zip(raw, (p, r) -> p - r),
            () -> dear.of(price),
            () -> dear.of(price).map(p -> -p),
            () -> number.at(shop.order()),
            () -> price.zip(number.scan(Operator.SUM), (p, n) -> p + n));
    for (Supplier<Doubles> other : others) {
      Doubles x = other.get();
      refused(() -> sorted.with(x), "has not the rows of this table", "table.of(column)");
      refused(() -> sorted.filter(x.flags(v -> v > 1)), "has not the rows of this table");
      assertThrows(IllegalArgumentException.class, () -> sorted.groupBy(shop).sum(x));
      assertThrows(IllegalArgumentException.class, () -> sorted.sortedBy(x));
      assertThrows(IllegalArgumentException.class, () -> sorted.of(x));
    }
    refused(() -> first.with(sorted.of(price)), "has not the rows of this table");
    refused(() -> first.filter(sorted.of(price).flags(p -> p > 1)), "has not the rows");
    // in the rows themselves all of it is what it says
    same(first.with(others.getFirst().get()).of(number), 1, 10, 100, 1000);
  }

  @Test
  void whatIsComputedFromTheseRowsIsTaken() {
    Doubles running = sorted.of(price).scan(Operator.SUM);
    Table with = sorted.with(running);
    same(with.of(running), 4, 6, 7, 10);
    same(with.groupBy(shop).last(running), 4, 6, 10);
    same(with.sortedBy(price).of(running), 7, 6, 10, 4);
    Doubles scan = price.scan(Operator.SUM);
    same(first.with(scan).sortedBy(shop).of(scan), 10, 3, 1, 6);
    Ints given = funnel.of(1, 2, 3, 4);
    same(sorted.with(given).filter(price, p -> p < 3).of(given), 2, 3);
    same(sorted.with(price).of(price), 4, 2, 1, 3);
    Doubles mean = sorted.groupBy(shop).mean(price);
    Ints at = sorted.of(shop).map(s -> (s - 5) / 2);
    Doubles ofShop = mean.at(at);
    same(sorted.with(ofShop).of(ofShop.map(v -> -v)), -4, -2, -2, -2);
  }

  @Test
  void positionsAreThoseOfRows() {
    Table large = funnel.table(shop, price).sortedBy(Table.descending(price));
    Groups<Ints> by = large.groupBy(shop);
    List<Supplier<Ints>> all =
        List.of(
            () -> by.largest(1, price).positions(),
            () -> by.argMax(price),
            () -> by.first(1, price).positions(),
            () -> by.argMax(price).limit(3));
    for (Supplier<Ints> each : all) {
      Ints at = each.get();
      same(large.at(at).of(shop), 5, 7, 9);
      same(large.of(shop).at(at), 5, 7, 9);
      same(large.at(at).of(price), 4, 2, 3);
      refused(() -> large.filter(price, p -> p > 1).at(at));
    }
    Top<Doubles> top = by.largest(1, price);
    refused(() -> shop.at(top.positions()), "[4] shop", "table.of(column)", "table.at(positions)");
    refused(() -> shop.at(by.argMin(price), 7), "table.at(positions)");
    refused(() -> shop.at(by.rows()), "table.at(positions)");
    refused(() -> shop.map(s -> -s).at(by.argMax(price)), "table.at(positions)");
    refused(() -> shop.at(large.of(price).largest(1).positions()), "table.at(positions)");
    refused(() -> shop.at(large.of(price).order()), "table.at(positions)");
    refused(() -> shop.at(large.of(price).find(p -> p > 1).positions().limit(1)));
    refused(() -> large.at(shop.order()));
    refused(() -> first.at(by.argMax(price)), "positions are those of other rows");
    same(large.at(large.of(price).order()).of(price), 1, 2, 3, 4);
    same(first.at(price.order().reversed()).of(shop), 5, 9, 7, 9);
    same(first.at(funnel.of(3, 3, 0)).of(price), 4, 4, 1);
    Ints other = funnel.of(10, 20, 30, 40);
    same(other.at(by.argMax(price)), 10, 30, 20);
    // numbers of a column, which may be positions in whatever the user says
    same(price.at(sorted.of(shop).map(s -> s - 5).filter(s -> s < 4)), 1, 3);
  }

  @Test
  void columnsAreEquallyLong() {
    Ints x = funnel.of(3, 1, 4, 1, 5).named("given");
    Ints y = x.filter(v -> v > 2).named("found");
    Table table = funnel.table(x, y);
    Ints k = funnel.of(1, 3);
    List<Executable> all =
        List.of(
            table::count,
            () -> table.text(9),
            () -> table.preview(9),
            () -> table.limit(2).of(y).toArray(),
            () -> table.limit(2).of(x).toArray(),
            () -> table.toList(Row.class),
            () -> table.of(x).toArray(),
            () -> table.of(x).keep(),
            () -> table.of(y).keep(),
            () -> table.of(y).sum(),
            () -> table.of(x.map(v -> -v)).max(),
            () -> table.filter(x, v -> v > 0).of(x).toArray(),
            () -> table.filter(x, v -> v > 0).of(y).toArray(),
            () -> table.semiJoin(funnel.table(k), Table.on(x, k)).of(y).toArray(),
            () -> table.join(x, funnel.table(k), k).of(x).toArray(),
            () -> table.distinct(x).of(y).toArray(),
            () -> table.sortedBy(Table.descending(x), Table.ascending(y)).of(y).toArray(),
            () -> table.skip(1).groupBy(x).sum(y).toArray(),
            () -> table.groupBy(x).count().toArray(),
            () -> funnel.table(x).with(y).of(x).toArray(),
            () -> sorted.with(sorted.of(price).filter(p -> p > 1)).of(shop).toArray());
    for (int i = 0; i < all.size(); i++) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, all.get(i), "case " + i);
      assertTrue(e.getMessage().contains("equally long"), i + ": " + e.getMessage());
    }
    refused(() -> table.of(x).toArray(), "ints[5] given", "ints found", "lengths=[5, 3]");
    refused(() -> first.with(x), "lengths=[4, 4, 4, 5]");
    Table equal = funnel.table(x, x.filter(v -> v > 0));
    assertArrayEquals(new int[] {3, 1, 4, 1, 5}, equal.of(x).toArray());
    int[] array = {3, 1};
    Ints given = funnel.of(array);
    Table two = funnel.table(given, funnel.of(1, 2, 0).filter(v -> v > 0));
    two.of(given).toArray()[0] = 7; // no other's array
    assertArrayEquals(new int[] {3, 1}, array);
  }

  @Test
  void namesAreOfOneColumn() {
    Ints a = funnel.of(1, 2).named("a");
    Ints b = funnel.of(3, 4).named("a");
    refused(() -> funnel.table(a, b), "two are named a", "named(...)");
    refused(() -> funnel.table(a).with(b), "two are named a");
    refused(() -> funnel.table(a, b.asDoubles().named("a")), "two are named a");
    refused(() -> funnel.table(a).join(a, funnel.table(b), b), "two are named a");
    assertEquals(2, funnel.table(a, a).with(a).count());
  }
}
