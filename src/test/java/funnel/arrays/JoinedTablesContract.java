package funnel.arrays;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Array;
import funnel.Bytes;
import funnel.Doubles;
import funnel.EngineContract;
import funnel.Ints;
import funnel.Longs;
import funnel.Operand;
import funnel.Reading;
import funnel.Seed;
import funnel.Table;
import funnel.Types;
import funnel.Values;
import funnel.operator.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;

/** What joins of tables give; the oracle is two nested loops. */
@SuppressWarnings({"unchecked", "rawtypes"})
abstract class JoinedTablesContract extends EngineContract {

  /** Rows of a result, with -1 for none. */
  private record Rows(List<Integer> left, List<Integer> right) {
    Rows() {
      this(new ArrayList<>(), new ArrayList<>());
    }

    void add(int i, int j) {
      left.add(i);
      right.add(j);
    }
  }

  private Array of(Values x) {
    return switch (x.array()) {
      case byte[] a -> funnel.of(a);
      case int[] a -> funnel.of(a);
      case long[] a -> funnel.of(a);
      case float[] a -> funnel.of(a);
      default -> funnel.of((double[]) x.array());
    };
  }

  private static Values keys(ElementType type, int length, int distinct, SplittableRandom random) {
    return PlainArrays.of(
        type,
        length,
        _ -> {
          int key = random.nextInt(distinct) - distinct / 2;
          return type == ElementType.LONG ? key * 0x1_0000_0001L : key;
        });
  }

  private static boolean isEqual(Values[] left, int i, Values[] right, int j) {
    return IntStream.range(0, left.length).allMatch(k -> left[k].longAt(i) == right[k].longAt(j));
  }

  private static Values or(Values x, List<Integer> rows, Number none) {
    return PlainArrays.of(x.type(), rows.size(), i -> rows.get(i) < 0 ? none : x.at(rows.get(i)));
  }

  /** Keys, and positions as a column of each table, so that a result says which rows it has. */
  private final class Tables {
    final Values[] leftKeys;
    final Values[] rightKeys;
    final Array[] left;
    final Array[] right;
    final int length;
    final int other;
    final Ints here;
    final Doubles there;
    final Table mine;
    final Table theirs;
    final Table.On[] on;

    Tables(List<ElementType> types, int length, int other, int distinct, SplittableRandom random) {
      this.length = length;
      this.other = other;
      leftKeys = types.stream().map(t -> keys(t, length, distinct, random)).toArray(Values[]::new);
      rightKeys = types.stream().map(t -> keys(t, other, distinct, random)).toArray(Values[]::new);
      left = IntStream.range(0, types.size()).mapToObj(k -> of(leftKeys[k])).toArray(Array[]::new);
      right =
          IntStream.range(0, types.size()).mapToObj(k -> of(rightKeys[k])).toArray(Array[]::new);
      here = funnel.of(IntStream.range(0, length).toArray());
      there = funnel.of(IntStream.range(0, other).asDoubleStream().toArray());
      mine = funnel.table(here).with(left);
      theirs = funnel.table(there).with(right);
      on =
          IntStream.range(0, types.size())
              .mapToObj(k -> new Table.On(left[k], right[k]))
              .toArray(Table.On[]::new);
    }

    Table.On[] next() {
      return java.util.Arrays.copyOfRange(on, 1, on.length);
    }

    Rows pairs(boolean keepsLeft) {
      Rows rows = new Rows();
      for (int i = 0; i < length; i++) {
        int before = rows.left.size();
        for (int j = 0; j < other; j++) {
          if (isEqual(leftKeys, i, rightKeys, j)) {
            rows.add(i, j);
          }
        }
        if (keepsLeft && rows.left.size() == before) {
          rows.add(i, -1);
        }
      }
      return rows;
    }

    Rows turned() {
      Rows rows = new Rows();
      for (int j = 0; j < other; j++) {
        int before = rows.left.size();
        for (int i = 0; i < length; i++) {
          if (isEqual(leftKeys, i, rightKeys, j)) {
            rows.add(i, j);
          }
        }
        if (rows.left.size() == before) {
          rows.add(-1, j);
        }
      }
      return rows;
    }

    void check(Table joined, Rows rows, String what) {
      Table filled = joined.fill(here, -7);
      Ints rowsHere = filled.of(here);
      Doubles rowsThere = joined.of(there);
      List<Operand> all = new ArrayList<>(List.of(rowsHere, rowsThere));
      all.add(joined.isMissing(here));
      all.add(joined.isMissing(there));
      for (int k = 0; k < on.length; k++) {
        all.add(joined.of(left[k]));
        all.add(joined.of(right[k]));
      }
      Reading reading = funnel.read(all.toArray(Operand[]::new));
      List<Values> wanted = new ArrayList<>();
      wanted.add(PlainArrays.ints(rows.left.stream().map(i -> i < 0 ? -7 : i).toList()));
      wanted.add(
          PlainArrays.of(
              ElementType.DOUBLE,
              rows.right.stream().map(j -> j < 0 ? Double.NaN : (double) j).toList()));
      for (List<Integer> side : List.of(rows.left, rows.right)) {
        wanted.add(
            PlainArrays.of(ElementType.BYTE, side.stream().map(row -> row < 0 ? 1 : 0).toList()));
      }
      for (int k = 0; k < on.length; k++) {
        int key = k;
        Values equal =
            PlainArrays.of(
                leftKeys[k].type(),
                rows.left.size(),
                r ->
                    rows.left.get(r) >= 0
                        ? leftKeys[key].at(rows.left.get(r))
                        : rightKeys[key].at(rows.right.get(r)));
        wanted.add(equal);
        wanted.add(equal);
      }
      for (int a = 0; a < all.size(); a++) {
        ArrayChain.same(
            "%s, output %s".formatted(what, a), wanted.get(a), reading.get((Array) all.get(a)));
      }
    }

    List<Integer> rowsWithPartner(boolean has) {
      return IntStream.range(0, length)
          .filter(
              i ->
                  has
                      == IntStream.range(0, other)
                          .anyMatch(j -> isEqual(leftKeys, i, rightKeys, j)))
          .boxed()
          .toList();
    }
  }

  private static final List<List<ElementType>> KEYS =
      List.of(
          List.of(ElementType.INT),
          List.of(ElementType.LONG),
          List.of(ElementType.INT, ElementType.INT),
          List.of(ElementType.LONG, ElementType.INT),
          List.of(ElementType.INT, ElementType.LONG, ElementType.INT));

  private int length(SplittableRandom random) {
    return Math.min(1100, lengths()[random.nextInt(lengths().length)]);
  }

  private Tables tables(List<ElementType> types, SplittableRandom random) {
    int length = length(random);
    int other = length(random);
    int most = Math.max(length, other);
    double few = Math.pow(1 + most / (1.0 + random.nextInt(4)), 1.0 / types.size());
    return new Tables(types, length, other, (int) Math.ceil(few), random);
  }

  @Test
  void pairs() {
    for (List<ElementType> types : KEYS) {
      SplittableRandom random = Seed.random("pairs" + types);
      Tables t = tables(types, random);
      String what = "%s, %s and %s%s".formatted(types, t.length, t.other, Seed.replay());
      t.check(t.mine.join(t.theirs, t.on[0], t.next()), t.pairs(false), "inner " + what);
      t.check(t.mine.leftJoin(t.theirs, t.on[0], t.next()), t.pairs(true), "left " + what);
      t.check(t.mine.rightJoin(t.theirs, t.on[0], t.next()), t.turned(), "right " + what);
      Rows full = t.pairs(true);
      Rows turned = t.turned();
      IntStream.range(0, turned.left.size())
          .filter(r -> turned.left.get(r) < 0)
          .forEach(r -> full.add(-1, turned.right.get(r)));
      t.check(t.mine.fullJoin(t.theirs, t.on[0], t.next()), full, "full " + what);
      Ints semi = t.mine.semiJoin(t.theirs, t.on[0], t.next()).of(t.here);
      Ints anti = t.mine.antiJoin(t.theirs, t.on[0], t.next()).of(t.here);
      Reading reading = funnel.read(semi, anti);
      ArrayChain.same("semi", PlainArrays.ints(t.rowsWithPartner(true)), reading.get(semi));
      ArrayChain.same("anti", PlainArrays.ints(t.rowsWithPartner(false)), reading.get(anti));
    }
  }

  /** Times of each type, with ties, NaN and zeros of both signs, in any order. */
  @ParameterizedTest
  @Types
  void asOf(ElementType type) {
    SplittableRandom random = Seed.random("as of" + type);
    List<List<ElementType>> all = new ArrayList<>(KEYS);
    all.add(List.of());
    for (List<ElementType> types : List.of(all.get(random.nextInt(5)), all.getLast())) {
      Tables t =
          types.isEmpty()
              ? new Tables(types, length(random), length(random), 3, random)
              : tables(types, random);
      Values[] times = new Values[2];
      for (int side = 0; side < 2; side++) {
        times[side] =
            PlainArrays.of(
                type,
                side == 0 ? t.length : t.other,
                _ ->
                    !type.isFloating()
                        ? (Number) random.nextInt(type == ElementType.BYTE ? 256 : 900)
                        : switch (random.nextInt(9)) {
                          case 0 -> (Number) Double.NaN;
                          case 1 -> -0.0;
                          case 2 -> 0.0;
                          default -> random.nextInt(-400, 400) / 2.0;
                        });
      }
      Array time = of(times[0]);
      Array otherTime = of(times[1]);
      Rows rows = new Rows();
      for (int i = 0; i < t.length; i++) {
        int last = -1;
        for (int j = 0; j < t.other; j++) {
          boolean isBefore = PlainArrays.ORDER.compare(times[1].at(j), times[0].at(i)) <= 0;
          if (isBefore
              && isEqual(t.leftKeys, i, t.rightKeys, j)
              && (last < 0 || PlainArrays.ORDER.compare(times[1].at(j), times[1].at(last)) >= 0)) {
            last = j;
          }
        }
        rows.add(i, last);
      }
      Table joined =
          t.mine.with(time).asOfJoin(t.theirs.with(otherTime), new Table.On(time, otherTime), t.on);
      String what =
          "%s by %s, %s and %s%s".formatted(type, types, t.length, t.other, Seed.replay());
      t.check(joined, rows, what);
      Array there = joined.fill(otherTime, 3).of(otherTime);
      ArrayChain.same(
          what, or(times[1], rows.right, type.fitting("", 3)), funnel.read(there).get(there));
    }
  }

  /** What rows lack goes with them, through other operations and joins. */
  @Test
  void whatRowsLack() {
    Ints user = funnel.of(2, 1, 7, 5).named("user");
    Ints id = funnel.of(1, 2);
    Longs country = funnel.of(49L, 33L).named("country");
    Doubles rate = funnel.of(0.5, 0.25).named("rate");
    Table joined = funnel.table(user).leftJoin(funnel.table(id, country, rate), Table.on(user, id));
    assertArrayEquals(new double[] {0.25, 0.5, Double.NaN, Double.NaN}, joined.of(rate).toArray());
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> joined.of(country))
            .getMessage()
            .contains("fill(column, ...)"));
    assertThrows(IllegalArgumentException.class, () -> joined.longs("country"));
    assertThrows(IllegalArgumentException.class, () -> joined.sortedBy(country));
    assertThrows(IllegalArgumentException.class, () -> joined.fill(country, 0.5));
    assertEquals(
        "user  ints  country  rate\n   2     2       33  0.25\n   1     1       49   0.5\n"
            + "   7     7        -     -\n   5     5        -     -",
        joined.text(9));
    Table some = joined.sortedBy(user).skip(1);
    assertArrayEquals(new byte[] {0, 1, 1}, some.isMissing(country).toArray());
    assertArrayEquals(new byte[3], some.isMissing(user).toArray());
    Table filled = some.fill(country, -1);
    assertArrayEquals(new long[] {33, -1, -1}, filled.of(country).toArray());
    assertArrayEquals(
        new long[] {33, -1, -1}, some.fill(user, 4).fill(country, -1).of(country).toArray());
    assertArrayEquals(new int[] {2}, filled.filter(country, c -> c > 0).of(user).toArray());
    Ints more = funnel.of(5, 9);
    Table twice = funnel.table(more).leftJoin(some, Table.on(more, user)).fill(country, 8);
    assertArrayEquals(new long[] {8, 8}, twice.of(country).toArray());
    assertArrayEquals(new byte[] {1, 1}, twice.isMissing(rate).toArray());
  }

  /** Rows lack what a later join has not found, whatever they had before it. */
  @Test
  void whatLaterJoinsLack() {
    Ints user = funnel.of(2, 1, 7);
    Ints id = funnel.of(1, 2);
    Longs country = funnel.of(49L, 33L);
    Table joined = funnel.table(user).leftJoin(funnel.table(id, country), Table.on(user, id));
    Table filled = joined.fill(country, -1);
    Ints visitor = funnel.of(7, 8, 1);
    Table visits = funnel.table(visitor).leftJoin(filled, Table.on(visitor, user));
    refusedLacking(() -> visits.of(country));
    refusedLacking(() -> visits.sortedBy(country));
    assertEquals(
        "ints  ints  ints  longs\n   7     7     7     -1\n   8     8     -      -\n"
            + "   1     1     1     49",
        visits.text(9));
    assertArrayEquals(new long[] {-1, 5, 49}, visits.fill(country, 5).of(country).toArray());
    assertArrayEquals(
        new long[] {-1, 5, 49}, visits.fill(country, 5).fill(country, 6).of(country).toArray());
    assertArrayEquals(new byte[] {1, 1, 0}, visits.isMissing(country).toArray());
    assertArrayEquals(new byte[] {1, 1, 0}, visits.fill(country, 5).isMissing(country).toArray());
    assertArrayEquals(new long[] {33, 49, -1}, filled.fill(country, 5).of(country).toArray());

    Ints key = funnel.of(8, 9); // the keys of the first join are no keys of this one
    Ints owner = funnel.of(9, 9, 3);
    Table owned = joined.with(owner);
    Table keys = funnel.table(key).leftJoin(owned, Table.on(key, owner));
    refusedLacking(() -> keys.of(user));
    refusedLacking(() -> keys.of(id));
    assertArrayEquals(new int[] {8, 9, 9}, keys.of(owner).toArray());
    assertArrayEquals(new int[] {-3, 2, 1}, keys.fill(id, -3).of(id).toArray());
  }

  @Test
  void keysThatARowHasAreNotFilled() {
    Ints user = funnel.of(2, 7);
    Ints id = funnel.of(1, 2);
    Table full = funnel.table(user).fullJoin(funnel.table(id), Table.on(user, id));
    assertArrayEquals(new int[] {2, 7, 1}, full.fill(id, -1).of(id).toArray());
    assertArrayEquals(new int[] {2, 7, 1}, full.fill(user, -1).of(user).toArray());
    assertArrayEquals(new byte[] {0, 1, 0}, full.isMissing(id).toArray());
    assertArrayEquals(new byte[] {0, 0, 1}, full.isMissing(user).toArray());
    assertEquals("ints  ints\n   2     2\n   7     7\n   1     1", full.text(9));
    Table left = funnel.table(user).leftJoin(funnel.table(id), Table.on(user, id));
    assertArrayEquals(new int[] {2, 7}, left.fill(id, -1).of(id).toArray());
    assertThrows(IllegalArgumentException.class, () -> left.isMissing(left.of(id)));
  }

  /** A table joined with one that is made of its own columns. */
  @Test
  void columnsOfBothSides() {
    Ints time = funnel.of(30, 10, 20);
    Doubles price = funnel.of(3.0, 1.0, 2.0);
    Table sorted = funnel.table(time, price).sortedBy(time);
    Ints at = sorted.of(time);
    Doubles paid = sorted.of(price);
    Table before = funnel.table(at, paid).filter(at, t -> t < 30);
    Table joined = sorted.asOfJoin(before, Table.on(time, at));
    assertArrayEquals(new int[] {10, 20, 30}, joined.of(time).toArray());
    assertArrayEquals(new double[] {1, 2, 2}, joined.of(paid).toArray());
    assertArrayEquals(new double[] {1, 2, 3}, joined.of(price).toArray());
    assertArrayEquals(new int[] {10, 20, 20}, joined.fill(at, 0).of(at).toArray());
    Ints times = joined.of(time);
    assertArrayEquals(new double[] {2, 3}, joined.filter(times, t -> t > 10).of(price).toArray());
    assertArrayEquals(new int[] {10, 20, 30}, joined.of(times).toArray());
    Table equal = sorted.join(before, Table.on(at, at));
    assertArrayEquals(new double[] {1, 2}, equal.of(paid).toArray());
    assertArrayEquals(new double[] {2, 4}, equal.of(price.zip(paid, (p, q) -> p + q)).toArray());
    Table left = sorted.leftJoin(before, Table.on(time, at));
    assertArrayEquals(new double[] {1, 2, Double.NaN}, left.of(paid).toArray());
    assertArrayEquals(new byte[] {0, 0, 1}, left.isMissing(paid).toArray());
  }

  @Test
  void flagsThatAreNotThereDoNotFilter() {
    Ints user = funnel.of(2, 7);
    Ints id = funnel.of(1, 2);
    Bytes active = funnel.of(new byte[] {0, 1});
    Table joined = funnel.table(user).leftJoin(funnel.table(id, active), Table.on(user, id));
    refusedLacking(() -> joined.filter(active));
    refusedLacking(() -> joined.filter(active.map(f -> 1 - f)));
    refusedLacking(() -> joined.with(active.flags(f -> f == 0)));
    refusedLacking(() -> joined.groupBy(user).sum(active.asInts()));
    assertArrayEquals(new int[] {2}, joined.fill(active, 0).filter(active).of(user).toArray());
  }

  private static void refusedLacking(Executable call) {
    String message = assertThrows(IllegalArgumentException.class, call).getMessage();
    assertTrue(message.contains("fill(column, ...)"), message);
  }

  /** Rows there without a partner have two keys for one column here: the first. */
  @Test
  void aColumnThatIsComparedTwice() {
    Ints x = funnel.of(1, 2, 3);
    Ints a = funnel.of(2, 7, 3);
    Ints b = funnel.of(2, 9, 4);
    Table joined =
        funnel.table(x).rightJoin(funnel.table(a, b), new Table.On(x, a), new Table.On(x, b));
    assertArrayEquals(new int[] {2, 7, 3}, joined.of(x).toArray());
    assertArrayEquals(new int[] {2, 7, 3}, joined.of(a).toArray());
    assertArrayEquals(new int[] {2, 9, 4}, joined.of(b).toArray());
    Table all =
        funnel.table(x).fullJoin(funnel.table(a, b), new Table.On(x, a), new Table.On(x, b));
    assertArrayEquals(new int[] {1, 2, 3, 7, 3}, all.of(x).toArray());
    Table turned =
        funnel.table(a, b).leftJoin(funnel.table(x), new Table.On(a, x), new Table.On(b, x));
    assertArrayEquals(new int[] {2, 7, 3}, turned.of(x).toArray());
  }

  @Test
  void refused() {
    Ints x = funnel.of(1, 2);
    Doubles y = funnel.of(1.0, 2.0);
    Longs z = funnel.of(1L);
    Doubles w = funnel.of(1.0);
    Table left = funnel.table(x, y);
    Table right = funnel.table(z, w);
    assertThrows(
        IllegalArgumentException.class, () -> left.join(right, Table.on(y, w)).of(x).toArray());
    assertThrows(
        IllegalArgumentException.class, () -> left.join(right, new Table.On(x, z)).of(x).toArray());
    assertThrows(
        IllegalArgumentException.class,
        () -> left.asOfJoin(right, Table.on(y, w), new Table.On(x, z)));
    assertThrows(IllegalArgumentException.class, () -> left.leftJoin(left, Table.on(x, x)));
    assertThrows(IllegalArgumentException.class, () -> left.leftJoin(right, Table.on(z, z)));
  }
}
