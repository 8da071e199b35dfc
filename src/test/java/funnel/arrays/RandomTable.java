package funnel.arrays;

import static funnel.arrays.ArrayChain.call;
import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Array;
import funnel.Bytes;
import funnel.Funnel;
import funnel.Groups;
import funnel.Operand;
import funnel.Reading;
import funnel.Table;
import funnel.Values;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A table that random methods make, and a list of records that plain loops make by its side. */
@SuppressWarnings({"unchecked", "rawtypes"})
final class RandomTable {

  private static final int MOST = 1500;
  private static final int[] LENGTHS = {0, 1, 2, 3, 7, 20, 31, 33, 64, 129, 300, 1025};

  /**
   * A column.
   *
   * @param isLacking whether it needs a fill before it is used
   * @param isMoved whether its handle has other rows than the table
   */
  private record Column(
      String name, Array handle, ElementType type, boolean isLacking, boolean isMoved) {
    boolean isKey() {
      return type == ElementType.INT || type == ElementType.LONG;
    }

    Column moved() {
      return new Column(name, handle, type, isLacking, true);
    }

    Column lacking(boolean is) {
      return new Column(name, handle, type, is, true);
    }
  }

  /**
   * A field of a record.
   *
   * @param value null where a join has found none
   */
  private record Cell(@Nullable Number value, boolean isMissing) {
    Number number() {
      return Objects.requireNonNull(value);
    }

    /** The element that a column has: there floating-point numbers are NaN. */
    Number in(ElementType type) {
      return value == null && type.isFloating() ? fitting(type, Double.NaN) : number();
    }
  }

  private static final Cell NONE = new Cell(null, true);

  /** An array that follows from columns, or is one, and its element in a row. */
  private record Derived(
      String text, Array handle, ElementType type, Function<List<Cell>, Number> of) {
    boolean isKey() {
      return type == ElementType.INT || type == ElementType.LONG;
    }
  }

  private record Made(Table table, List<Column> columns, List<List<Cell>> rows) {}

  private final Funnel funnel;
  private final SplittableRandom random;
  private final List<String> lines = new ArrayList<>();
  private List<Column> columns;
  private List<List<Cell>> rows;
  private Table table;
  private int made;

  RandomTable(Funnel funnel, long seed) {
    this.funnel = funnel;
    this.random = new SplittableRandom(seed);
    Made first = table(length(), random.nextInt(1, 5), List.of());
    columns = first.columns;
    rows = first.rows;
    table = first.table;
  }

  private int length() {
    return LENGTHS[random.nextInt(LENGTHS.length)];
  }

  private static Number fitting(ElementType type, Number number) {
    return PlainArrays.of(type, 1, _ -> number).at(0);
  }

  private Number number(ElementType type, int bound) {
    int n = random.nextInt(-bound, bound + 1);
    boolean isSpecial = type.isFloating() && random.nextInt(5) == 0;
    return fitting(type, !isSpecial ? (Number) n : n % 3 == 0 ? -0.0 : Double.NaN);
  }

  private static <T> T one(SplittableRandom random, List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private static Array on(Funnel funnel, Values plain) {
    return switch (plain.array()) {
      case byte[] a -> funnel.of(a);
      case int[] a -> funnel.of(a);
      case long[] a -> funnel.of(a);
      case float[] a -> funnel.of(a);
      default -> funnel.of((double[]) plain.array());
    };
  }

  /** An array of random numbers, which may have a name, or be computed. */
  private Array given(Values plain, String name) {
    Array array = on(funnel, plain);
    if (random.nextInt(5) == 0) { // with a length that a run finds
      array = array.filter(funnel.of(new byte[plain.length()]).map(_ -> 1));
    }
    return random.nextBoolean() ? array.named(name) : array;
  }

  private Values values(ElementType type, int length) {
    int bound = random.nextBoolean() ? 3 : 40;
    return PlainArrays.of(type, length, _ -> number(type, bound));
  }

  /** A table of random columns, of which the first have some types. */
  private Made table(int length, int more, List<ElementType> keys) {
    List<ElementType> types = new ArrayList<>(keys);
    IntStream.range(0, more).forEach(_ -> types.add(ElementType.values()[random.nextInt(5)]));
    List<Column> all = new ArrayList<>();
    List<Values> plain = new ArrayList<>();
    for (ElementType type : types) {
      Values values = values(type, length);
      plain.add(values);
      String name = "column" + ++made;
      all.add(new Column(name, given(values, name), type, false, false));
      lines.add(
          "%s: %s %s"
              .formatted(
                  name,
                  type,
                  length > 40
                      ? length + " elements"
                      : PlainArrays.rows(0, length).stream().map(values::at).toList()));
    }
    List<List<Cell>> records = new ArrayList<>();
    for (int row : PlainArrays.rows(0, length)) {
      records.add(plain.stream().map(values -> new Cell(values.at(row), false)).toList());
    }
    return new Made(
        funnel.table(all.stream().map(Column::handle).toArray(Array[]::new)), all, records);
  }

  // What follows from columns.

  private List<Column> usable() {
    return columns.stream().filter(column -> !column.isLacking).toList();
  }

  /** A column by its handle, or by what it has in these rows. */
  private @Nullable Derived column(Predicate<Column> which) {
    List<Column> all = usable().stream().filter(which).toList();
    if (all.isEmpty()) {
      return null;
    }
    Column column = one(random, all);
    int at = columns.indexOf(column);
    boolean isOf = random.nextInt(4) == 0;
    return new Derived(
        isOf ? "of(" + column.name + ")" : column.name,
        isOf ? table.of(column.handle) : column.handle,
        column.type,
        row -> row.get(at).in(column.type));
  }

  private @Nullable Derived any(boolean isKey) {
    Derived x = column(column -> !isKey || column.isKey());
    for (int steps = random.nextInt(3); x != null && steps > 0; steps--) {
      Derived next = function(x);
      x = isKey && !next.isKey() ? x : next;
    }
    return x;
  }

  private Derived function(Derived x) {
    int k = random.nextInt(-4, 5);
    int which = random.nextInt(2);
    switch (random.nextInt(3)) {
      case 0 -> {
        ChainFunction f = ChainFunction.map(x.type, which, k);
        return derived(
            x,
            ".map(%s)".formatted(f.text()),
            call(x.handle, "map", f.function()),
            x.type,
            row -> PlainArrays.map(f.function(), x.of.apply(row)));
      }
      case 1 -> {
        Derived y = column(column -> column.type == x.type && x.type != ElementType.BYTE);
        if (y != null) {
          ChainFunction f = ChainFunction.zip(x.type, which, k);
          return derived(
              x,
              ".zip(%s, %s)".formatted(y.text, f.text()),
              call(x.handle, "zip", y.handle, f.function()),
              x.type,
              row -> PlainArrays.combine(f.function(), x.of.apply(row), y.of.apply(row)));
        }
      }
      default -> {}
    }
    Map.Entry<ElementType, ChainFunction> to = ChainFunction.to(x.type, which, k);
    String name = to.getKey().name();
    String method = "mapTo" + name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT);
    Object f = to.getValue().function();
    return derived(
        x,
        ".%s(%s)".formatted(method, to.getValue().text()),
        call(x.handle, method, f),
        to.getKey(),
        row -> PlainArrays.map(f, x.of.apply(row)));
  }

  private static Derived derived(
      Derived x, String text, Array handle, ElementType type, Function<List<Cell>, Number> of) {
    return new Derived(x.text + text, handle, type, row -> fitting(type, of.apply(row)));
  }

  // Methods of tables.

  private void line(String text, Object... of) {
    lines.add("  ." + text.formatted(of) + "  // " + rows.size() + " rows");
  }

  /** Applies one method, or none if that cannot be. */
  void step() {
    switch (random.nextInt(15)) {
      case 0, 1 -> filter();
      case 2 -> flagged();
      case 3, 4 -> sorted();
      case 5 -> sliced();
      case 6 -> distinct();
      case 7, 8 -> with();
      case 9 -> at();
      case 10 -> groups();
      case 11, 12 -> joined();
      case 13 -> filled();
      default -> refused();
    }
  }

  /** These rows and no others. */
  private void rows(Table now, List<List<Cell>> which) {
    table = now;
    rows = which;
    columns = columns.stream().map(Column::moved).toList();
  }

  private void filter() {
    Derived x = any(false);
    if (x == null || x.type == ElementType.BYTE) {
      return;
    }
    ChainFunction f = ChainFunction.test(x.type, random.nextInt(2), random.nextInt(-4, 5));
    rows(
        call(table, "filter", x.handle, f.function()),
        where(row -> PlainArrays.test(f.function(), x.of.apply(row))));
    line("filter(%s, %s)", x.text, f.text());
  }

  private List<List<Cell>> where(Predicate<List<Cell>> predicate) {
    return rows.stream().filter(predicate).toList();
  }

  private void flagged() {
    Derived x = any(false);
    int k = random.nextInt(-4, 5);
    Derived v = column(column -> column.type == ElementType.INT);
    Derived w = column(column -> column.type == ElementType.DOUBLE);
    if (random.nextInt(3) == 0) {
      byte[] flags = new byte[rows.size()];
      random.nextBytes(flags);
      List<List<Cell>> before = rows;
      rows(
          table.filter(funnel.of(flags)),
          PlainArrays.rows(0, flags.length).stream()
              .filter(i -> flags[i] != 0)
              .map(before::get)
              .toList());
      line("filter(flags)");
    } else if (v != null && w != null) {
      ChainFunction.Both f = ChainFunction.both(k);
      rows(
          table.filter(f, v.handle, w.handle),
          where(row -> f.f(v.of.apply(row).intValue(), w.of.apply(row).doubleValue())));
      line("filter((v, w) -> v > %s || w < %s, %s, %s)", k, k, v.text, w.text);
    } else if (x != null) {
      ChainFunction f = ChainFunction.flags(x.type, random.nextInt(2), k);
      Bytes flags = call(x.handle, "flags", f.function());
      rows(table.filter(flags), where(row -> PlainArrays.test(f.function(), x.of.apply(row))));
      line("filter(%s.flags(%s))", x.text, f.text());
    }
  }

  private void sorted() {
    List<Table.Key> keys = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    Comparator<List<Cell>> order = (_, _) -> 0;
    for (int n = random.nextInt(1, 4); n > 0; n--) {
      Derived x = any(false);
      if (x == null) {
        return;
      }
      boolean isDown = random.nextBoolean();
      Boolean isNanFirst = random.nextInt(3) == 0 ? (Boolean) random.nextBoolean() : null;
      keys.add(PlainArrays.key(x.handle, isDown, isNanFirst));
      texts.add("%s down %s, NaN first %s".formatted(x.text, isDown, isNanFirst));
      order =
          order.thenComparing(
              (one, other) -> {
                Values two = PlainArrays.of(x.type, List.of(x.of.apply(one), x.of.apply(other)));
                return PlainArrays.order(two, isDown, isNanFirst).compare(0, 1);
              });
    }
    rows(
        table.sortedBy(keys.getFirst(), keys.stream().skip(1).toArray(Table.Key[]::new)),
        rows.stream().sorted(order).toList());
    line("sortedBy(%s)", texts);
  }

  private void sliced() {
    int count = random.nextInt(60);
    int some = Math.min(count, rows.size());
    if (random.nextBoolean()) {
      rows(table.limit(count), rows.subList(0, some));
      line("limit(%s)", count);
    } else {
      rows(table.skip(count), rows.subList(some, rows.size()));
      line("skip(%s)", count);
    }
  }

  /** One or two keys; none if there are not. */
  private List<Derived> keys() {
    return Stream.of(any(true), random.nextBoolean() ? any(true) : null)
        .filter(Objects::nonNull)
        .map(Derived.class::cast)
        .toList();
  }

  private static List<Number> key(List<Derived> keys, List<Cell> row) {
    return keys.stream().map(key -> key.of.apply(row)).toList();
  }

  private static Array[] next(List<Derived> keys) {
    return keys.stream().skip(1).map(Derived::handle).toArray(Array[]::new);
  }

  private static List<String> texts(List<Derived> all) {
    return all.stream().map(Derived::text).toList();
  }

  private void distinct() {
    List<Derived> keys = keys();
    if (!keys.isEmpty()) {
      Set<List<Number>> seen = new HashSet<>();
      rows(
          table.distinct(keys.getFirst().handle, next(keys)),
          where(row -> seen.add(key(keys, row))));
      line("distinct(%s)", texts(keys));
    }
  }

  private void with() {
    Derived x = any(false);
    if (random.nextInt(3) == 0) {
      String name = "column" + ++made;
      Values plain = values(ElementType.values()[random.nextInt(5)], rows.size());
      Array given = given(plain, name);
      with(new Column(name, given, plain.type(), false, false), plain);
      line("with(%s: %s elements)", name, plain.type());
    } else if (x != null) {
      boolean isScan = x.type != ElementType.BYTE && random.nextInt(3) == 0;
      Values here = PlainArrays.of(x.type, rows.stream().map(x.of).toList());
      Array now = isScan ? table.of(x.handle) : x.handle;
      Values plain = isScan ? PlainArrays.scan(Operator.MAX, here, Set.of(0), true) : here;
      String name = "column" + ++made;
      Array handle = isScan ? call(now, "scan", Operator.MAX) : now;
      // named, since a column is one however often it is added
      handle = random.nextBoolean() && !isColumn(table, handle) ? handle.named(name) : handle;
      if (!isColumn(table, handle)) {
        with(new Column(name, handle, x.type, false, false), plain);
      }
      line("with(%s: %s%s)", name, x.text, isScan ? " in these rows, scan(MAX)" : "");
    }
  }

  private static boolean isColumn(Table table, Array array) {
    try {
      var _ = table.isMissing(array);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private void with(Column column, Values plain) {
    table = table.with(column.handle);
    columns = Stream.concat(columns.stream(), Stream.of(column)).toList();
    List<List<Cell>> before = rows;
    rows =
        PlainArrays.rows(0, before.size()).stream()
            .map(i -> and(before.get(i), List.of(new Cell(plain.at(i), false))))
            .toList();
  }

  private static List<Cell> and(List<Cell> left, List<Cell> right) {
    return Stream.concat(left.stream(), right.stream()).toList();
  }

  private void at() {
    Derived x = any(false);
    List<Derived> keys = keys();
    List<List<Cell>> before = rows;
    int kind = random.nextInt(4);
    if (kind == 0 && x != null) {
      Values here = PlainArrays.of(x.type, before.stream().map(x.of).toList());
      rows(table.at(table.of(x.handle).order()), at(before, PlainArrays.order(here)));
      line("at(of(%s).order())", x.text);
    } else if (kind == 1 && !keys.isEmpty() && x != null) {
      Values here = PlainArrays.of(x.type, before.stream().map(x.of).toList());
      List<Integer> all = new ArrayList<>();
      int n = random.nextInt(1, 3);
      groupsOf(keys).values().forEach(g -> all.addAll(PlainArrays.top(here, g, true, n)));
      Groups by = table.groupBy(keys.getFirst().handle, next(keys));
      rows(table.at(by.largest(n, x.handle).positions()), at(before, all));
      line("at(groupBy(%s).largest(%s, %s).positions())", texts(keys), n, x.text);
    } else if (!before.isEmpty()) {
      int[] positions = random.ints(random.nextInt(50), 0, before.size()).toArray();
      rows(table.at(funnel.of(positions)), at(before, IntStream.of(positions).boxed().toList()));
      line("at(%s)", List.of(IntStream.of(positions).boxed().toArray()));
    }
  }

  private static List<List<Cell>> at(List<List<Cell>> rows, List<Integer> positions) {
    return positions.stream().map(rows::get).toList();
  }

  /** The positions of the rows of each group, in the order of keys. */
  private Map<List<Number>, List<Integer>> groupsOf(List<Derived> keys) {
    Map<List<Number>, List<Integer>> groups =
        new TreeMap<>(
            Comparator.<List<Number>, Number>comparing(List::getFirst, PlainArrays.ORDER)
                .thenComparing(List::getLast, PlainArrays.ORDER));
    groups.putAll(
        PlainArrays.groups(PlainArrays.rows(0, rows.size()), i -> key(keys, rows.get(i))));
    return groups;
  }

  /** Goes on with a table of groups. */
  private void groups() {
    List<Derived> keys = keys();
    if (keys.isEmpty()) {
      return;
    }
    Groups by = table.groupBy(keys.getFirst().handle, next(keys));
    Map<List<Number>, List<Integer>> groups = groupsOf(keys);
    List<Derived> made = new ArrayList<>(); // elements are found below
    List<List<Number>> elements = new ArrayList<>();
    for (int k = 0; k < keys.size(); k++) {
      int at = k;
      made.add(new Derived("key", by.keys(keys.get(k).handle), keys.get(k).type, _ -> 0));
      elements.add(groups.keySet().stream().map(key -> key.get(at)).toList());
    }
    made.add(new Derived("count", by.count(), ElementType.INT, _ -> 0));
    elements.add(groups.values().stream().map(g -> (Number) g.size()).toList());
    for (int n = random.nextInt(4); n > 0; n--) {
      Derived x = any(false);
      if (x == null || x.type == ElementType.BYTE) {
        continue;
      }
      Values here = PlainArrays.of(x.type, rows.stream().map(x.of).toList());
      String method = one(random, List.of("max", "min", "first", "last", "median"));
      made.add(new Derived(method, call(by, method, x.handle), x.type, _ -> 0));
      elements.add(
          groups.values().stream()
              .map(
                  g ->
                      switch (method) {
                        case "max" -> PlainArrays.reduce(Operator.MAX, here, g);
                        case "min" -> PlainArrays.reduce(Operator.MIN, here, g);
                        case "first" -> here.at(g.getFirst());
                        case "last" -> here.at(g.getLast());
                        default -> PlainArrays.median(here, g);
                      })
              .toList());
      lines.add("    " + method + " of " + x.text);
    }
    List<Column> all = new ArrayList<>();
    List<List<Number>> ofAll = new ArrayList<>();
    for (int c = 0; c < made.size(); c++) {
      Derived each = made.get(c);
      String name = "column" + ++this.made;
      Array handle = random.nextBoolean() ? each.handle.named(name) : each.handle;
      boolean isNew =
          all.isEmpty()
              || !isColumn(
                  funnel.table(all.stream().map(Column::handle).toArray(Array[]::new)), handle);
      if (isNew) { // keys may be one since a join, and an aggregate is one however often it is
        // asked
        all.add(new Column(name, handle, each.type, false, false));
        ofAll.add(elements.get(c));
      }
    }
    columns = all;
    rows =
        PlainArrays.rows(0, groups.size()).stream()
            .map(i -> ofAll.stream().map(e -> new Cell(e.get(i), false)).toList())
            .toList();
    table = funnel.table(all.stream().map(Column::handle).toArray(Array[]::new));
    line("groupBy(%s), columns %s", texts(keys), texts(made));
  }

  private void filled() {
    Column column = one(random, columns);
    int at = columns.indexOf(column);
    Number number = fitting(column.type, random.nextInt(5));
    Table before = table;
    table = before.fill(column.handle, number);
    rows =
        rows.stream()
            .map(
                row -> {
                  List<Cell> cells = new ArrayList<>(row);
                  Cell cell = cells.get(at);
                  cells.set(at, cell.value == null ? new Cell(number, cell.isMissing) : cell);
                  return List.copyOf(cells);
                })
            .toList();
    if (table != before) {
      columns = columns.stream().map(each -> each == column ? each.lacking(false) : each).toList();
    }
    line("fill(%s, %s)", column.name, number);
  }

  /** What nobody can say in which rows it is meant. */
  private void refused() {
    Derived x = column(column -> column.isMoved && column.type != ElementType.BYTE);
    if (x == null || x.text.startsWith("of(")) {
      return;
    }
    Array scan = call(x.handle, "scan", Operator.MAX);
    for (Runnable each : List.<Runnable>of(() -> table.with(scan), () -> table.of(scan))) {
      try {
        each.run();
      } catch (IllegalArgumentException e) {
        continue;
      }
      throw new AssertionError("a scan of " + x.text + " is taken in other rows");
    }
  }

  // Joins.

  private void joined() {
    List<Derived> keys = keys().stream().map(this::named).toList();
    if (keys.isEmpty()) {
      return;
    }
    boolean isAsOf = random.nextInt(5) == 0;
    Derived time = isAsOf ? any(false) : null;
    List<ElementType> types = new ArrayList<>(keys.stream().map(Derived::type).toList());
    if (time != null) {
      types.add(time.type);
    }
    Made right = random.nextInt(3) == 0 ? ofOwn(types) : null;
    right = right == null ? table(random.nextInt(3) * random.nextInt(60), 1, types) : right;
    String kind =
        time != null
            ? "asOfJoin"
            : one(
                random,
                List.of("join", "leftJoin", "rightJoin", "fullJoin", "semiJoin", "antiJoin"));
    Table.On[] on = new Table.On[keys.size()];
    for (int k = 0; k < on.length; k++) {
      on[k] = new Table.On(keys.get(k).handle, right.columns.get(k).handle);
    }
    Table.On[] rest = Arrays.copyOfRange(on, 1, on.length);
    int[][] pairs = pairs(kind, keys, right, time);
    if (pairs.length > MOST) {
      return;
    }
    Table other = right.table;
    Table now =
        switch (kind) {
          case "join" -> table.join(other, on[0], rest);
          case "leftJoin" -> table.leftJoin(other, on[0], rest);
          case "rightJoin" -> table.rightJoin(other, on[0], rest);
          case "fullJoin" -> table.fullJoin(other, on[0], rest);
          case "semiJoin" -> table.semiJoin(other, on[0], rest);
          case "antiJoin" -> table.antiJoin(other, on[0], rest);
          default ->
              table.asOfJoin(
                  other,
                  new Table.On(
                      Objects.requireNonNull(time).handle,
                      right.columns.get(types.size() - 1).handle),
                  on);
        };
    String text = "%s(%s) %s".formatted(kind, texts(keys), time == null ? "" : time.text);
    List<List<Cell>> before = rows;
    if (kind.equals("semiJoin") || kind.equals("antiJoin")) {
      rows(now, Stream.of(pairs).map(pair -> before.get(pair[0])).toList());
      line("%s", text);
      return;
    }
    together(now, kind, keys, right, pairs);
    line("%s", text);
  }

  private void together(Table now, String kind, List<Derived> keys, Made right, int[][] pairs) {
    int width = columns.size();
    boolean isLeftWhole = List.of("join", "leftJoin", "asOfJoin").contains(kind);
    boolean isRightWhole = List.of("join", "rightJoin").contains(kind);
    List<List<Cell>> all = new ArrayList<>();
    for (int[] pair : pairs) {
      List<Cell> mine = pair[0] < 0 ? none(width) : rows.get(pair[0]);
      List<Cell> theirs = pair[1] < 0 ? none(right.columns.size()) : right.rows.get(pair[1]);
      List<Cell> row = new ArrayList<>(and(mine, theirs));
      Set<Integer> done = new HashSet<>();
      for (int k = 0; k < keys.size(); k++) {
        int left = columnOf(keys.get(k));
        if (left >= 0) {
          Number key =
              pair[0] >= 0 ? row.get(left).number() : right.rows.get(pair[1]).get(k).number();
          set(row, left, key, done);
          set(row, width + k, key, done);
        }
      }
      all.add(List.copyOf(row));
    }
    List<Column> both = new ArrayList<>();
    for (int c = 0; c < width; c++) {
      Column column = columns.get(c);
      both.add(
          kind.equals("asOfJoin")
              ? column
              : isLeftWhole ? column.moved() : column.lacking(!column.type.isFloating()));
    }
    for (Column column : right.columns) {
      both.add(isRightWhole ? column.moved() : column.lacking(!column.type.isFloating()));
    }
    for (int k = 0; k < keys.size(); k++) {
      int left = columnOf(keys.get(k));
      if (left >= 0) {
        both.set(left, isLeftWhole ? both.get(left) : both.get(left).lacking(false));
        both.set(width + k, both.get(width + k).lacking(false));
      }
    }
    columns = both;
    rows = all;
    table = now;
  }

  private static void set(List<Cell> row, int at, Number key, Set<Integer> done) {
    if (done.add(at)) {
      row.set(at, new Cell(key, row.get(at).isMissing));
    }
  }

  private static List<Cell> none(int columns) {
    return Collections.nCopies(columns, NONE);
  }

  /** A key by its name, if it is a column: in its rows it may be another one too. */
  private Derived named(Derived key) {
    int at = columnOf(key);
    return at < 0
        ? key
        : new Derived(columns.get(at).name, columns.get(at).handle, key.type, key.of);
  }

  /** Which column a key is; -1 if it is computed. */
  private int columnOf(Derived key) {
    for (int c = 0; c < columns.size(); c++) {
      Column column = columns.get(c);
      if (key.text.equals(column.name) || key.text.equals("of(" + column.name + ")")) {
        return c;
      }
    }
    return -1;
  }

  /** A table of what this one's columns have in its rows, of such types. */
  private @Nullable Made ofOwn(List<ElementType> types) {
    List<Column> own = new ArrayList<>();
    List<Integer> from = new ArrayList<>();
    for (ElementType type : types) {
      Column column =
          usable().stream()
              .filter(each -> each.type == type && !from.contains(columns.indexOf(each)))
              .findFirst()
              .orElse(null);
      if (column == null) {
        return null;
      }
      String name = "column" + ++made;
      Array handle = table.of(column.handle);
      if (own.stream().anyMatch(each -> isColumn(funnel.table(each.handle), handle))
          || isShared(handle)) {
        return null;
      }
      own.add(new Column(name, handle, type, false, false));
      from.add(columns.indexOf(column));
    }
    Made all =
        new Made(
            funnel.table(own.stream().map(Column::handle).toArray(Array[]::new)),
            own,
            rows.stream()
                .map(
                    row ->
                        from.stream()
                            .map(c -> new Cell(row.get(c).in(columns.get(c).type), false))
                            .toList())
                .toList());
    lines.add("  own columns as " + own.stream().map(Column::name).toList() + " from " + from);
    int most = random.nextInt(40);
    return new Made(
        all.table.limit(most),
        own.stream().map(Column::moved).toList(),
        all.rows.subList(0, Math.min(most, all.rows.size())));
  }

  /** Whether an array is a column by its own name, which both tables would share. */
  private boolean isShared(Array handle) {
    try {
      var _ = table.join(funnel.table(handle), new Table.On(handle, handle));
      return false;
    } catch (IllegalArgumentException e) {
      return true;
    }
  }

  private int[][] pairs(String kind, List<Derived> keys, Made right, @Nullable Derived time) {
    List<int[]> pairs = new ArrayList<>();
    List<List<Number>> theirs =
        right.rows.stream()
            .map(row -> row.subList(0, keys.size()).stream().map(Cell::number).toList())
            .toList();
    Set<Integer> met = new HashSet<>();
    for (int i = 0; i < rows.size() && pairs.size() <= MOST; i++) {
      List<Number> mine = key(keys, rows.get(i));
      int row = i;
      List<Integer> equal =
          PlainArrays.rows(0, theirs.size()).stream()
              .filter(j -> theirs.get(j).equals(mine))
              .filter(j -> time == null || at(right, keys, j, time, row) <= 0)
              .toList();
      if (time != null && !equal.isEmpty()) {
        equal =
            List.of(
                equal.stream()
                    .max(
                        Comparator.<Integer, Number>comparing(
                                j -> right.rows.get(j).get(keys.size()).number(), PlainArrays.ORDER)
                            .thenComparing(j -> j))
                    .orElseThrow());
      }
      met.addAll(equal);
      switch (kind) {
        case "join" -> equal.forEach(j -> pairs.add(new int[] {row, j}));
        case "semiJoin", "antiJoin" -> {
          if (equal.isEmpty() == kind.equals("antiJoin")) {
            pairs.add(new int[] {row, -1});
          }
        }
        case "rightJoin" -> {}
        default -> {
          equal.forEach(j -> pairs.add(new int[] {row, j}));
          if (equal.isEmpty()) {
            pairs.add(new int[] {row, -1});
          }
        }
      }
    }
    for (int j = 0; j < theirs.size() && pairs.size() <= MOST; j++) {
      List<Number> their = theirs.get(j);
      int row = j;
      if (kind.equals("rightJoin") && met.contains(j)) {
        PlainArrays.rows(0, rows.size()).stream()
            .filter(i -> key(keys, rows.get(i)).equals(their))
            .forEach(i -> pairs.add(new int[] {i, row}));
      } else if ((kind.equals("rightJoin") || kind.equals("fullJoin")) && !met.contains(j)) {
        pairs.add(new int[] {-1, j});
      }
    }
    return pairs.toArray(int[][]::new);
  }

  private int at(Made right, List<Derived> keys, int j, Derived time, int row) {
    return PlainArrays.ORDER.compare(
        right.rows.get(j).get(keys.size()).number(), time.of.apply(rows.get(row)));
  }

  // The comparison.

  /** Reads all columns, and compares them with the records. */
  void check() {
    List<Operand> wanted = new ArrayList<>();
    for (Column column : columns) {
      wanted.add(table.isMissing(column.handle));
      if (!column.isLacking) {
        wanted.add(table.of(column.handle));
      }
    }
    Reading reading = funnel.read(wanted.toArray(Operand[]::new));
    int next = 0;
    for (int c = 0; c < columns.size(); c++) {
      Column column = columns.get(c);
      int at = c;
      ArrayChain.same(
          column.name + ", missing",
          PlainArrays.of(
              ElementType.BYTE, rows.stream().map(row -> row.get(at).isMissing ? 1 : 0).toList()),
          reading.get((Array) wanted.get(next++)));
      if (!column.isLacking) {
        ArrayChain.same(
            column.name,
            PlainArrays.of(
                column.type,
                rows.stream()
                    .map(row -> row.get(at).value == null ? Double.NaN : row.get(at).number())
                    .toList()),
            reading.get((Array) wanted.get(next++)));
      } else {
        refusedLacking(column);
      }
    }
  }

  private void refusedLacking(Column column) {
    try {
      var _ = table.of(column.handle);
    } catch (IllegalArgumentException e) {
      return;
    }
    throw new AssertionError(column.name + " may be lacking, and is taken");
  }

  /** Compares the text, and the number of rows. */
  void checkText() {
    int most = 5;
    List<String> text =
        table
            .text(most)
            .lines()
            .skip(1)
            .limit(Math.min(most, rows.size()))
            .map(String::strip)
            .toList();
    List<String> wanted =
        rows.stream()
            .limit(most)
            .map(
                row ->
                    row.stream()
                        .map(cell -> cell.value == null ? "-" : cell.value.toString())
                        .collect(Collectors.joining(" ")))
            .toList();
    assertEquals(wanted, text.stream().map(line -> line.replaceAll(" +", " ")).toList());
    assertEquals(rows.size(), table.count());
  }

  /** The chain as text like Java. */
  @Override
  public String toString() {
    return String.join("\n  ", lines);
  }
}
