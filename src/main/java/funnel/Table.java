package funnel;

import funnel.array.Count;
import funnel.array.Node;
import funnel.array.Reader;
import funnel.array.Ref;
import funnel.array.Rows;
import funnel.group.Aggregate;
import funnel.group.GroupBy;
import funnel.group.Join;
import funnel.operation.Operation;
import funnel.operator.ElementFunction;
import funnel.operator.ElementType;
import funnel.operator.Transform;
import funnel.select.Select;
import funnel.sort.Order;
import funnel.sort.Sort;
import funnel.sort.SortedSearch;
import funnel.transform.Concat;
import funnel.transform.Elementwise;
import funnel.transform.Fill;
import funnel.transform.Gather;
import funnel.transform.Iota;
import funnel.transform.Slice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Rows of columns that are equally long, in some order and some of them: filtered, sorted, grouped,
 * joined.
 *
 * {@snippet class="funnel.docs.ArraySnippets" region="table"}
 *
 * <p>A column is named by the array that the first table was made of, in all tables that follow
 * from it; {@link #of(Array)} gives what it has in the rows of this one. Arguments may also follow
 * from columns element by element, as {@code price.map(p -> 2 * p)} does: they are computed in the
 * rows of this table. What has other rows is refused, see {@link #with}. A {@link Value} is that of
 * the array that it was made of. Immutable and lazy, like an {@link Array}.
 */
public final class Table {

  /* A join may find no row for a column. Where that is so stays known whatever is done about it
   * later; gaps are those rows in which it has no element, until fill says one.
   */

  private final Funnel funnel;
  private final Map<Ref, Ref> columns; // those of the first table, and what they are here
  private final Map<Ref, Ref> partners; // of columns that joins found rows for: negative if none
  private final Map<Ref, Ref> gaps; // of columns that rows may lack: negative where they do
  private final Rows rows;

  private Table(Funnel funnel, Map<Ref, Ref> columns, Map<Ref, Ref> partners, Map<Ref, Ref> gaps) {
    this.funnel = funnel;
    this.columns = columns;
    this.partners = partners;
    this.gaps = gaps;
    this.rows =
        Rows.of(
            columns,
            gaps.keySet().stream()
                .filter(each -> !each.type().isFloating())
                .collect(Collectors.toUnmodifiableSet()));
    Map<String, Ref> named = new HashMap<>();
    for (Ref each : columns.keySet()) {
      Ref before = each.name().isEmpty() ? null : named.put(each.name(), each);
      if (before != null) {
        throw new IllegalArgumentException(
            "a table has one column of a name: two are named %s, %s and %s; give one of them another name, by named(...)"
                .formatted(each.name(), before.text(), each.text()));
      }
    }
  }

  static Table of(Funnel funnel, List<Ref> columns) {
    Set<Ref> all = new LinkedHashSet<>(columns);
    if (all.isEmpty()) {
      throw new IllegalArgumentException("a table has columns: give one at least");
    }
    Map<Ref, Ref> here = new LinkedHashMap<>();
    all.forEach(each -> here.put(each.unchecked(), each));
    return new Table(funnel, equallyLong(here), Map.of(), Map.of());
  }

  /** Columns that are equally long, or found to be otherwise when they are read. */
  private static Map<Ref, Ref> equallyLong(Map<Ref, Ref> columns) {
    List<Ref> here = List.copyOf(columns.values());
    List<Object> lengths = here.stream().map(Rows::length).distinct().toList();
    List<Object> known = lengths.stream().filter(Long.class::isInstance).toList();
    if (known.size() > 1) {
      throw new IllegalArgumentException(
          "the columns of a table are equally long: %s: lengths=%s"
              .formatted(
                  columns.entrySet().stream()
                      .filter(each -> Rows.length(each.getValue()) instanceof Long)
                      .map(each -> each.getKey().text())
                      .toList(),
                  here.stream().map(Rows::length).filter(Long.class::isInstance).toList()));
    }
    if (lengths.size() == 1) {
      return columns;
    }
    Iterator<Ref> checked = Node.equallyLong(here).iterator();
    return each(columns, _ -> checked.next());
  }

  /**
   * A key that rows are sorted by.
   *
   * @param column a column
   * @param sort the order of its elements
   */
  public record Key(Array<?, ?> column, Sort sort) {

    /** This key with NaN before all numbers; ascending keys have them at the end otherwise. */
    public Key nanFirst() {
      return new Key(column, sort.nanFirst());
    }

    /** This key with NaN after all numbers; descending keys begin with them otherwise. */
    public Key nanLast() {
      return new Key(column, sort.nanLast());
    }
  }

  /** A key with the smallest element first. */
  public static Key ascending(Array<?, ?> column) {
    return new Key(column, Sort.ascending());
  }

  /** A key with the largest element first. */
  public static Key descending(Array<?, ?> column) {
    return new Key(column, Sort.descending());
  }

  private Ref in(Operand column) {
    Ref ref = Operand.refs(funnel, column)[0];
    return column instanceof Value ? ref : rows.column(ref);
  }

  /** The column that an array names, or all that it is in these rows; none if it is no column. */
  private List<Ref> names(Operand column) {
    Ref ref = Operand.refs(funnel, column)[0].unchecked();
    return columns.containsKey(ref)
        ? List.of(ref)
        : columns.keySet().stream()
            .filter(name -> Objects.requireNonNull(columns.get(name)).unchecked().equals(ref))
            .toList();
  }

  private Ref nameOf(Operand column) {
    List<Ref> names = names(column);
    if (names.size() != 1) {
      throw new IllegalArgumentException(
          names.isEmpty()
              ? "the table has no column %s: name columns by the arrays that its first table was made of"
                  .formatted(column)
              : "%s are equal in all rows: name the column that you mean by the array that its first table was made of"
                  .formatted(names.stream().map(Ref::text).toList()));
    }
    return names.getFirst();
  }

  private Ref[] in(Operand... columns) {
    return Stream.of(columns).map(this::in).toArray(Ref[]::new);
  }

  /** Rows that an operation on rows gives: its inputs decide, and further inputs are columns. */
  private Table rows(Operation operation, Ref... of) {
    Node.Applied node = Node.rows(operation, List.of(of));
    return each(column -> node.part(null, column, column.type()));
  }

  /** Rows whose columns are each what is made of those here. */
  private Table each(UnaryOperator<Ref> made) {
    return new Table(funnel, each(columns, made), each(partners, made), each(gaps, made));
  }

  private static Map<Ref, Ref> each(Map<Ref, Ref> columns, UnaryOperator<Ref> made) {
    Map<Ref, Ref> all = new LinkedHashMap<>(columns);
    all.replaceAll((_, column) -> made.apply(column));
    return all;
  }

  private static Ref made(Operation operation, Ref column, Ref... more) {
    Ref[] of = Stream.concat(Stream.of(column), Stream.of(more)).toArray(Ref[]::new);
    return Node.of(operation, of).output(column.type());
  }

  private Table at(Ref positions) {
    return each(column -> made(Gather.at(), column, positions));
  }

  /** Rows that may be none, at -1. */
  private Table atOrNone(Ref positions) {
    UnaryOperator<Ref> orNone =
        column ->
            made(
                Gather.at().orElse(column.type().isFloating() ? Double.NaN : 0), column, positions);
    return new Table(
        funnel, each(columns, orNone), lacking(partners, positions), lacking(gaps, positions));
  }

  /** Where columns are not there, after rows that may be none. */
  private Map<Ref, Ref> lacking(Map<Ref, Ref> before, Ref positions) {
    Map<Ref, Ref> lacking = new LinkedHashMap<>();
    columns.keySet().forEach(column -> lacking.put(column, positions));
    lacking.putAll(each(before, row -> made(Gather.at().orElse(-1), row, positions)));
    return lacking;
  }

  /**
   * A column, or what follows from columns element by element, in the rows of this table.
   *
   * @throws IllegalArgumentException if the array is neither, or rows may lack a column that it is
   *     made of, see {@link #leftJoin}
   */
  public <S extends Array<?, S>> S of(S column) {
    return column.like(in(column));
  }

  /**
   * The column of ints of this name in the rows of this table, see {@link Array#named}.
   *
   * @throws IllegalArgumentException if there is no such column, or it is of another type
   */
  public Ints ints(String name) {
    return new Ints(funnel, named(name, ElementType.INT));
  }

  /** The column of longs of this name, like {@link #ints}. */
  public Longs longs(String name) {
    return new Longs(funnel, named(name, ElementType.LONG));
  }

  /** The column of floats of this name, like {@link #ints}. */
  public Floats floats(String name) {
    return new Floats(funnel, named(name, ElementType.FLOAT));
  }

  /** The column of doubles of this name, like {@link #ints}. */
  public Doubles doubles(String name) {
    return new Doubles(funnel, named(name, ElementType.DOUBLE));
  }

  /** The column of bytes of this name, like {@link #ints}. */
  public Bytes bytes(String name) {
    return new Bytes(funnel, named(name, ElementType.BYTE));
  }

  /**
   * The rows as objects of a record class, whose components are columns of their names and types.
   *
   * {@snippet class="funnel.docs.ArraySnippets" region="records"}
   *
   * @throws IllegalArgumentException if the table has no such column, or the class has a component
   *     of another type
   */
  public <R extends Record> List<R> toList(Class<R> type) {
    Records<R> records = new Records<>(type);
    List<Ref> wanted =
        records.components().stream()
            .map(each -> named(each.getName(), records.element(each)))
            .toList();
    Reader.Answer answer = funnel.answer(wanted);
    return records.rows(wanted.stream().map(answer::own).toList());
  }

  private Ref named(String name, ElementType type) {
    List<String> names = new ArrayList<>();
    for (Ref column : columns.keySet()) {
      String its = column.name();
      if (its.equals(name) && column.type() == type) {
        return rows.column(column);
      }
      if (!its.isEmpty()) {
        names.add("%s %s".formatted(column.type(), its));
      }
    }
    throw new IllegalArgumentException(
        "the table has no column %s %s; there are %s".formatted(type, name, names));
  }

  /**
   * The table with further columns, which are computed from those of these rows: {@code
   * table.with(price.zip(number, (p, n) -> p * n))}. What is computed from columns element by
   * element is computed from what they are here, and named by the array given. An array that
   * depends on no column, and what is computed from {@code table.of(column)}, is taken as it is: it
   * has an element for each row.
   *
   * @throws IllegalArgumentException if an array depends on a column in other rows in another way,
   *     as {@code price.scan(Operator.SUM)} does if this table is sorted; or two columns have one
   *     name; or, at once or when something is read, if columns are not equally long
   */
  public Table with(Array<?, ?>... more) {
    Map<Ref, Ref> all = new LinkedHashMap<>(columns);
    for (Ref each : Operand.refs(funnel, more)) {
      all.computeIfAbsent(each.unchecked(), _ -> rows.row(each));
    }
    return new Table(funnel, equallyLong(all), partners, gaps);
  }

  /**
   * The rows at some positions, in their order, each as often as its position: {@code
   * table.at(table.groupBy(shop).argMax(price))} has the dearest of each shop.
   *
   * @throws IllegalArgumentException if they are positions in other rows of these columns
   * @throws funnel.transform.IndexOutsideException when something is read, if a position is
   *     negative or not less than the number of rows
   */
  public Table at(Ints positions) {
    return at(rows.positions(Operand.refs(funnel, positions)[0]));
  }

  /** The number of rows. */
  public int count() {
    return new Ints(funnel, columns.values().iterator().next()).count();
  }

  /**
   * Computes the first rows, and gives them as lines of text under the names of the columns, or
   * their types if they have none.
   *
   * <pre>
   * shop  doubles
   *    7      1.5
   *    9      2.0
   * ... of 5 rows
   * </pre>
   *
   * @param most how many rows at most; if there are more, a last line says how many
   * @throws IllegalArgumentException if {@code most} is negative
   */
  public String text(int most) {
    Preview some = preview(most, 0);
    List<String> header =
        columns.keySet().stream()
            .map(each -> each.name().isEmpty() ? type(each) : each.name())
            .toList();
    List<String> text =
        new ArrayList<>(
            Preview.aligned(Stream.concat(Stream.of(header), some.first().stream()).toList()));
    if (some.rows() > most) {
      text.add(String.format(Locale.ROOT, "... of %,d rows", some.rows()));
    }
    return String.join("\n", text);
  }

  /**
   * Computes the first and last rows, or all if there are not more than {@code most}, in words.
   *
   * {@snippet class="funnel.docs.ArraySnippets" region="preview"}
   *
   * @throws IllegalArgumentException if {@code most} is negative
   */
  public Preview preview(int most) {
    return preview(most - most / 2, most / 2);
  }

  private Preview preview(int first, int last) {
    Table head = limit(first);
    Table tail = last == 0 ? head : each(column -> made(Slice.last(last), column));
    Ref count = Node.of(new Count(), columns.values().iterator().next()).output(ElementType.INT);
    Reader.Answer answer =
        funnel.answer(
            Stream.of(head, tail)
                .flatMap(each -> Stream.of(each.columns, each.gaps))
                .flatMap(each -> each.values().stream())
                .collect(Collectors.toCollection(() -> new ArrayList<>(List.of(count)))));
    int rows = answer.value(count).intValue();
    int above = Math.min(first, rows);
    int there = Math.min(last, rows);
    int below = Math.min(last, rows - above);
    return new Preview(
        columns.keySet().stream().map(Ref::name).toList(),
        columns.keySet().stream().map(Table::type).toList(),
        Preview.rows(head.words(answer), 0, above),
        Preview.rows(tail.words(answer), there - below, there),
        rows);
  }

  /** What was read of each column, and - where a join has found no row. */
  private List<List<String>> words(Reader.Answer answer) {
    return columns.entrySet().stream()
        .map(
            each -> {
              Ref column = each.getKey();
              List<String> words = new ArrayList<>(Preview.words(answer.copy(each.getValue())));
              Ref gap = gaps.get(column);
              int[] found = gap == null ? new int[0] : (int[]) answer.copy(gap);
              for (int i = 0; i < found.length; i++) {
                words.set(i, found[i] < 0 ? "-" : words.get(i));
              }
              return List.copyOf(words);
            })
        .toList();
  }

  private static String type(Ref column) {
    return column.type().name().toLowerCase(Locale.ROOT) + "s";
  }

  /** The first rows, or all if there are fewer than {@code most}. */
  public Table limit(int most) {
    return each(column -> made(Slice.limit(most), column));
  }

  /** All rows but the first. */
  public Table skip(int count) {
    return each(column -> made(Slice.skip(count), column));
  }

  private Table filter(Transform predicate, Array<?, ?> column) {
    return rows(Select.where(predicate).rows(), in(column));
  }

  /** The rows for which a predicate of one column holds. */
  public Table filter(Ints column, Transform.IntTest predicate) {
    return filter(Transform.testInt("predicate", predicate), column);
  }

  /** The rows for which a predicate of one column holds. */
  public Table filter(Longs column, Transform.LongTest predicate) {
    return filter(Transform.testLong("predicate", predicate), column);
  }

  /** The rows for which a predicate of one column holds. */
  public Table filter(Floats column, Transform.FloatTest predicate) {
    return filter(Transform.testFloat("predicate", predicate), column);
  }

  /** The rows for which a predicate of one column holds. */
  public Table filter(Doubles column, Transform.DoubleTest predicate) {
    return filter(Transform.testDouble("predicate", predicate), column);
  }

  /**
   * The rows where a byte is not 0, of a column or of one for each row of this table, see {@link
   * #with}.
   *
   * @throws IllegalArgumentException as {@link #with}
   */
  public Table filter(Bytes flags) {
    return rows(Select.flagged().rows(), rows.row(Operand.refs(funnel, flags)[0]));
  }

  /**
   * The rows for which a predicate of several columns holds, through an interface of your own, see
   * {@link ElementFunction}; values of the Funnel may be arguments too.
   */
  public Table filter(ElementFunction predicate, Operand... columns) {
    Node.Applied flags = Node.of(Elementwise.of("predicate", predicate), in(columns));
    return rows(Select.flagged().rows(), flags.output(ElementType.BYTE));
  }

  /** The rows in the ascending order of a column, then of the next where it is equal, and so on. */
  public Table sortedBy(Array<?, ?> column, Array<?, ?>... next) {
    return sortedBy(Stream.concat(Stream.of(column), Stream.of(next)).map(Table::ascending));
  }

  /** The rows in the order of keys, each in a direction of its own; rows with equal keys stay. */
  public Table sortedBy(Key key, Key... next) {
    return sortedBy(Stream.concat(Stream.of(key), Stream.of(next)));
  }

  private Table sortedBy(Stream<Key> by) {
    List<Key> keys = by.toList();
    Ref[] columns = keys.stream().map(key -> in(key.column())).toArray(Ref[]::new);
    List<Sort> sorts = keys.stream().map(Key::sort).toList();
    return sorts.stream().distinct().count() == 1
        ? rows(sorts.getFirst().rows(columns.length), columns)
        : at(Node.of(new Order(sorts), columns).output(ElementType.INT));
  }

  /** The groups of rows with equal keys, which are ints or longs. */
  public <K extends Array<?, K>> Groups<K> groupBy(K key, Array<?, ?>... next) {
    Operand[] keys = Stream.concat(Stream.of(key), Stream.of(next)).toArray(Operand[]::new);
    Map<Ref, Ref> ofKeys = new HashMap<>(); // the same each time that a key is asked for
    List<Ref> of = new ArrayList<>();
    for (Operand each : keys) {
      of.add(ofKeys.computeIfAbsent(each.ref, _ -> in(each)));
    }
    return new Groups<>(
        key,
        GroupBy.of().keys(keys.length),
        of,
        column -> ofKeys.containsKey(column.ref) ? ofKeys.get(column.ref) : in(column),
        rows);
  }

  /** The first row of each group of rows with equal keys, ints or longs, in the order of rows. */
  public Table distinct(Array<?, ?> key, Array<?, ?>... next) {
    Operand[] keys = Stream.concat(Stream.of(key), Stream.of(next)).toArray(Operand[]::new);
    Ref[] of = in(keys);
    Ref rows = iota(of[0]);
    Node.Applied groups = Groups.groups(GroupBy.of().keys(keys.length), List.of(of), null);
    Ref firsts = groups.part(Aggregate.first(1), rows, ElementType.INT);
    return at(Node.of(Sort.ascending(), firsts).output(ElementType.INT));
  }

  private static Ref iota(Ref column) {
    return Node.of(Iota.of(ElementType.INT), column).output(ElementType.INT);
  }

  /**
   * The pairs of rows here and in another table with equal keys, ints or longs: rows with the
   * columns of both, in the order of the rows here and then of those there.
   *
   * @param key a column of this table
   * @param right the other table, which shares no column with this one
   * @param rightKey a column of the other table
   * @throws IllegalArgumentException if the tables share a column
   */
  public <K extends Array<?, K>> Table join(K key, Table right, K rightKey) {
    return join(right, on(key, rightKey));
  }

  /**
   * Two columns that are equal in the rows that a join puts together.
   *
   * @param column a column of this table
   * @param right a column of the other table, of the same type
   */
  public record On(Array<?, ?> column, Array<?, ?> right) {

    /** Requires columns of one type. */
    public On {
      if (column.type() != right.type()) {
        throw new IllegalArgumentException(
            "columns of one type are equal, not %s and %s".formatted(column, right));
      }
    }
  }

  /** Two columns that are equal in the rows that a join puts together. */
  public static <K extends Array<?, K>> On on(K column, K right) {
    return new On(column, right);
  }

  /**
   * The pairs of rows here and in another table whose keys, ints or longs, are all equal, an inner
   * join: rows with the columns of both, in the order of the rows here and then of those there.
   *
   * {@snippet class="funnel.docs.ArraySnippets" region="joins"}
   *
   * @param right the other table, which shares no column with this one
   * @throws IllegalArgumentException if the tables share a column, or keys are neither ints nor
   *     longs
   */
  public Table join(Table right, On key, On... next) {
    Node.Applied pairs = Node.sized(Join::inner, keys(right, key, next));
    return both(at(ints(pairs, "_left")), right.at(ints(pairs, "_right")));
  }

  /**
   * The rows of {@link #join}, and each row here that has no partner there. Where a row has none,
   * floats and doubles of the other table are NaN. Bytes, ints and longs have no such value: {@link
   * #fill} says what they are before they are used, {@link #isMissing} where they are.
   */
  public Table leftJoin(Table right, On key, On... next) {
    Node.Applied pairs = Node.sized(Join::left, keys(right, key, next));
    Table rows = both(at(ints(pairs, "_left")), right.atOrNone(ints(pairs, "_right")));
    return rows.withKeys(this, right, all(key, next), (mine, _) -> rows.columns.get(mine));
  }

  /**
   * The rows of {@link #join}, and each row there that has no partner here, in the order of the
   * rows there; what rows lack is as for {@link #leftJoin}. Of a column here that is compared with
   * two columns there, such a row has the first of these.
   */
  public Table rightJoin(Table right, On key, On... next) {
    Ref[] keys = keys(right, key, next);
    Node.Applied pairs = Node.sized(Join::left, keys[1], keys[0]);
    Table rows = both(atOrNone(ints(pairs, "_right")), right.at(ints(pairs, "_left")));
    return rows.withKeys(this, right, all(key, next), (_, theirs) -> rows.columns.get(theirs));
  }

  /**
   * The rows of {@link #leftJoin}, and then each row there that has no partner here. Keys are those
   * of both tables in every row.
   */
  public Table fullJoin(Table right, On key, On... next) {
    Ref[] keys = keys(right, key, next);
    Node.Applied pairs = Node.sized(Join::left, keys);
    Ref others = ints(Node.of(Join.anti(), keys[1], keys[0]), "");
    Ref none = ints(Node.of(Fill.with(ElementType.INT, -1), others), "");
    Ref left = ints(pairs, "_left");
    Table rows =
        both(
            atOrNone(made(Concat.all(), left, none)),
            right.atOrNone(made(Concat.all(), ints(pairs, "_right"), others)));
    return rows.withKeys(
        this,
        right,
        all(key, next),
        (mine, theirs) ->
            made(
                Concat.all(),
                made(Gather.at(), this.rows.column(mine), left),
                made(Gather.at(), right.rows.column(theirs), others)));
  }

  /** The rows here that have a partner in another table, each once, see {@link #join}. */
  public Table semiJoin(Table right, On key, On... next) {
    return at(ints(Node.of(Join.semi(), keys(right, key, next)), ""));
  }

  /** The rows here that have no partner in another table, see {@link #join}. */
  public Table antiJoin(Table right, On key, On... next) {
    return at(ints(Node.of(Join.anti(), keys(right, key, next)), ""));
  }

  /**
   * Each row here with the last row of another table at or before its time, among those whose keys
   * are equal, if there are keys: the one with the largest time, of several the last. Times are of
   * any type, in the order of {@link Sort}, and rows in any order. What rows lack that have no
   * partner is as for {@link #leftJoin}.
   *
   * {@snippet class="funnel.docs.ArraySnippets" region="asOf"}
   *
   * @param right the other table, which shares no column with this one
   * @param time the columns with the times
   * @throws IllegalArgumentException if the tables share a column, or keys are neither ints nor
   *     longs
   */
  public Table asOfJoin(Table right, On time, On... keys) {
    List<Array<?, ?>> of = new ArrayList<>();
    of.add(column(time.column()));
    of.add(right.column(time.right()));
    if (keys.length > 0) {
      Array<?, ?>[] both = asOne(right, keys);
      requireKeys(both);
      of.addAll(List.of(both));
    }
    Ref rows = ints(Node.of(Join.asOf(), Operand.refs(funnel, of.toArray(Array[]::new))), "");
    boolean isNamedByRows = !Collections.disjoint(columns.values(), right.columns.keySet());
    Table left = isNamedByRows ? at(iota(in(time.column()))) : this; // else an array is two columns
    Table joined = both(left, right.atOrNone(rows));
    return joined.withKeys(this, right, keys, (mineOf, _) -> joined.columns.get(mineOf));
  }

  private Array<?, ?> column(Array<?, ?> column) {
    return column.like(in(column));
  }

  private static Ref ints(Node.Applied node, String suffix) {
    return node.output(suffix, ElementType.INT);
  }

  private Table both(Table left, Table right) {
    if (!Collections.disjoint(left.columns.keySet(), right.columns.keySet())) {
      throw new IllegalArgumentException(
          "both tables share a column: make one of them of another array, by of(array) once more");
    }
    return new Table(
        funnel,
        both(left.columns, right.columns),
        both(left.partners, right.partners),
        both(left.gaps, right.gaps));
  }

  private static Map<Ref, Ref> both(Map<Ref, Ref> left, Map<Ref, Ref> right) {
    Map<Ref, Ref> both = new LinkedHashMap<>(left);
    both.putAll(right);
    return both;
  }

  /**
   * With keys of both tables that are equal in each row, in those without a partner too. There a
   * column that is in two pairs of keys has that of the first.
   */
  private Table withKeys(Table left, Table right, On[] keys, BinaryOperator<Ref> made) {
    Map<Ref, Ref> ofKeys = new LinkedHashMap<>();
    for (On key : keys) {
      List<Ref> mine = left.names(key.column());
      List<Ref> theirs = right.names(key.right());
      if (!mine.isEmpty() && !theirs.isEmpty()) { // and not computed for this join
        Ref here = made.apply(mine.getFirst(), theirs.getFirst());
        Stream.of(mine, theirs).flatMap(List::stream).forEach(n -> ofKeys.putIfAbsent(n, here));
      }
    }
    Map<Ref, Ref> less = new LinkedHashMap<>(gaps);
    less.keySet().removeAll(ofKeys.keySet());
    return new Table(funnel, both(columns, ofKeys), partners, less);
  }

  private static On[] all(On key, On... next) {
    return Stream.concat(Stream.of(key), Stream.of(next)).toArray(On[]::new);
  }

  private Ref[] keys(Table right, On key, On... next) {
    return Operand.refs(funnel, asOne(right, all(key, next)));
  }

  private interface Packed extends ElementFunction {
    long of(int high, int low);
  }

  private static Longs pack(Ints high, Ints low) {
    Packed pack = (h, l) -> (long) h << 32 | l & 0xffffffffL;
    return high.funnel.longs(pack, high, low);
  }

  /** Keys here and there as one array each: two ints are a long, and a long a rank. */
  private Array<?, ?>[] asOne(Table right, On... keys) {
    Array<?, ?>[] all = null;
    for (On key : keys) {
      Array<?, ?>[] next = {column(key.column()), right.column(key.right())};
      if (all == null) {
        all = next;
        continue;
      }
      Array<?, ?>[] high = ranks(all);
      Array<?, ?>[] low = ranks(next);
      all =
          new Array<?, ?>[] {
            pack((Ints) high[0], (Ints) low[0]), pack((Ints) high[1], (Ints) low[1])
          };
    }
    return Objects.requireNonNull(all);
  }

  /** Ints that are equal where keys here and there are; negative here for what is not there. */
  private static Array<?, ?>[] ranks(Array<?, ?>... keys) {
    if (keys[0] instanceof Longs here && keys[1] instanceof Longs there) {
      Longs distinct = there.sorted().distinct();
      SortedSearch search = SortedSearch.binarySearch();
      return new Array<?, ?>[] {
        distinct.searchAscending(search, here), distinct.searchAscending(search, there)
      };
    }
    requireKeys(keys);
    return keys;
  }

  private static void requireKeys(Array<?, ?>... keys) {
    boolean isKey = keys[0] instanceof Ints || keys[0] instanceof Longs;
    if (!isKey || keys[0].type() != keys[1].type()) {
      throw new IllegalArgumentException(
          "keys of joins are ints or longs, not %s and %s".formatted(keys[0], keys[1]));
    }
  }

  /**
   * For each row 1 where a join has found no row that a column is from, else 0: flags for {@link
   * #filter(Bytes)}.
   */
  public Bytes isMissing(Array<?, ?> column) {
    Ref ref = nameOf(column);
    Ref partner = partners.get(ref);
    return partner == null
        ? new Bytes(
            funnel,
            Node.of(Fill.with(ElementType.BYTE, 0), Objects.requireNonNull(columns.get(ref)))
                .output(ElementType.BYTE))
        : new Ints(funnel, partner).flags(row -> row < 0);
  }

  /**
   * The table with a number where rows lack a column, since a join has found no row that it is
   * from, and it is no key of that join. What has been filled before stays.
   *
   * @throws IllegalArgumentException if the number does not fit the column's type
   */
  public Table fill(Array<?, ?> column, Number value) {
    Ref ref = nameOf(column);
    Number number = ref.type().fitting("value", value);
    Ref gap = gaps.get(ref);
    if (gap == null) {
      return this;
    }
    Ints at = new Ints(funnel, gap).mapIndexed((i, row) -> row < 0 ? -1 : i);
    Map<Ref, Ref> all = new LinkedHashMap<>(columns);
    all.computeIfPresent(ref, (_, here) -> made(Gather.at().orElse(number), here, at.ref));
    Map<Ref, Ref> less = new LinkedHashMap<>(gaps);
    less.remove(ref);
    return new Table(funnel, all, partners, less);
  }

  @Override
  public String toString() {
    return columns.entrySet().stream()
        .map(each -> each.getValue().text(each.getKey().name()))
        .collect(Collectors.joining("; ", "table of ", ""));
  }
}
