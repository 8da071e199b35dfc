package funnel;

import funnel.array.Count;
import funnel.array.Node;
import funnel.array.Reader;
import funnel.array.Ref;
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
import funnel.transform.Elementwise;
import funnel.transform.Gather;
import funnel.transform.Iota;
import funnel.transform.Slice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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
 * from it; {@link #of(Array)} gives what it has in the rows of this one. Immutable and lazy, like
 * an {@link Array}.
 */
public final class Table {

  private final Funnel funnel;
  private final Map<Ref, Ref> columns; // those of the first table, and what they are here

  private Table(Funnel funnel, Map<Ref, Ref> columns) {
    this.funnel = funnel;
    this.columns = columns;
  }

  static Table of(Funnel funnel, List<Ref> columns) {
    Set<Ref> all = new LinkedHashSet<>(columns);
    if (all.isEmpty()) {
      throw new IllegalArgumentException("a table has columns: give one at least");
    }
    List<Long> lengths =
        all.stream()
            .map(Ref::node)
            .filter(Node.Given.class::isInstance)
            .map(node -> ((Node.Given) node).length())
            .toList();
    if (lengths.stream().distinct().count() > 1) {
      throw new IllegalArgumentException(
          "the columns of a table are equally long: lengths=" + lengths);
    }
    Map<Ref, Ref> here = new LinkedHashMap<>();
    all.forEach(each -> here.put(each, each));
    return new Table(funnel, here);
  }

  /**
   * A key that rows are sorted by.
   *
   * @param column a column
   * @param isDescending whether its largest element comes first
   */
  public record Key(Array<?, ?> column, boolean isDescending) {}

  /** A key with the smallest element first. */
  public static Key ascending(Array<?, ?> column) {
    return new Key(column, false);
  }

  /** A key with the largest element first. */
  public static Key descending(Array<?, ?> column) {
    return new Key(column, true);
  }

  private Ref in(Operand column) {
    Ref ref = Operand.refs(funnel, column)[0];
    return column instanceof Value ? ref : in(ref, column);
  }

  private Ref in(Ref ref, Operand column) {
    if (columns.values().stream().anyMatch(each -> each == ref)) {
      return ref; // it is what the column has in these rows
    }
    Ref here = columns.get(ref);
    if (here == null) {
      throw new IllegalArgumentException(
          "the table has no column %s: name columns by the arrays that its first table was made of"
              .formatted(column));
    }
    return here;
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
    Map<Ref, Ref> all = new LinkedHashMap<>(columns);
    all.replaceAll((_, column) -> made.apply(column));
    return new Table(funnel, all);
  }

  private static Ref made(Operation operation, Ref column, Ref... more) {
    Ref[] of = Stream.concat(Stream.of(column), Stream.of(more)).toArray(Ref[]::new);
    return Node.of(operation, of).output(column.type());
  }

  private Table at(Ref positions) {
    return each(column -> made(Gather.at(), column, positions));
  }

  /** A column in the rows of this table. */
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
        return Objects.requireNonNull(columns.get(column));
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
   * table.with(price.zip(number, (p, n) -> p * n))}.
   */
  public Table with(Array<?, ?>... more) {
    Map<Ref, Ref> all = new LinkedHashMap<>(columns);
    for (Ref each : Operand.refs(funnel, more)) {
      all.put(each, each);
    }
    return new Table(funnel, all);
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
    List<Ref> first = List.copyOf(limit(most).columns.values());
    Ref rows = Node.of(new Count(), columns.values().iterator().next()).output(ElementType.INT);
    Reader.Answer answer = funnel.answer(Stream.concat(first.stream(), Stream.of(rows)).toList());
    StringBuilder[] lines = null;
    int next = 0;
    for (Ref column : columns.keySet()) {
      Object array = answer.copy(first.get(next++));
      String[] words = new String[1 + java.lang.reflect.Array.getLength(array)];
      words[0] = header(column);
      for (int i = 1; i < words.length; i++) {
        words[i] = String.valueOf(java.lang.reflect.Array.get(array, i - 1));
      }
      if (lines == null) {
        lines = Stream.of(words).map(_ -> new StringBuilder()).toArray(StringBuilder[]::new);
      }
      int width = Stream.of(words).mapToInt(String::length).max().orElse(0);
      for (int i = 0; i < words.length; i++) {
        String gap = lines[i].isEmpty() ? "" : "  ";
        lines[i].append(gap).append(" ".repeat(width - words[i].length())).append(words[i]);
      }
    }
    List<CharSequence> text = new ArrayList<>(List.of(Objects.requireNonNull(lines)));
    int all = answer.value(rows).intValue();
    if (all > most) {
      text.add(String.format(Locale.ROOT, "... of %,d rows", all));
    }
    return String.join("\n", text);
  }

  private static String header(Ref column) {
    String name = column.name();
    return name.isEmpty() ? column.type().name().toLowerCase(Locale.ROOT) + "s" : name;
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

  /** The rows where a byte is not 0, of a column or of one for each row of this table. */
  public Table filter(Bytes flags) {
    Ref ref = Operand.refs(funnel, flags)[0];
    return rows(Select.flagged().rows(), Objects.requireNonNull(columns.getOrDefault(ref, ref)));
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
    List<Sort> sorts =
        keys.stream()
            .map(key -> key.isDescending() ? Sort.descending() : Sort.ascending())
            .toList();
    return sorts.stream().distinct().count() == 1
        ? rows(sorts.getFirst().rows(columns.length), columns)
        : at(Node.of(new Order(sorts), columns).output(ElementType.INT));
  }

  /** The groups of rows with equal keys, which are ints or longs. */
  public <K extends Array<?, K>> Groups<K> groupBy(K key, Array<?, ?>... next) {
    Operand[] keys = Stream.concat(Stream.of(key), Stream.of(next)).toArray(Operand[]::new);
    return new Groups<>(key, GroupBy.of().keys(keys.length), List.of(in(keys)), this::in);
  }

  /** The first row of each group of rows with equal keys, ints or longs, in the order of rows. */
  public Table distinct(Array<?, ?> key, Array<?, ?>... next) {
    Operand[] keys = Stream.concat(Stream.of(key), Stream.of(next)).toArray(Operand[]::new);
    Ref[] of = in(keys);
    Ref rows = Node.of(Iota.of(ElementType.INT), of[0]).output(ElementType.INT);
    Node.Applied groups = Groups.groups(GroupBy.of().keys(keys.length), List.of(of));
    Ref firsts = groups.part(Aggregate.first(1), rows, ElementType.INT);
    return at(Node.of(Sort.ascending(), firsts).output(ElementType.INT));
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
    Ref[] keys = {in(key), Operand.refs(funnel, right.of(rightKey))[0]};
    if (!Collections.disjoint(columns.keySet(), right.columns.keySet())) {
      throw new IllegalArgumentException(
          "both tables share a column: make one of them of another array, by of(array) once more");
    }
    Node.Applied pairs = Node.sized(Join::inner, keys);
    Map<Ref, Ref> both = new LinkedHashMap<>(at(pairs.output("_left", ElementType.INT)).columns);
    both.putAll(right.at(pairs.output("_right", ElementType.INT)).columns);
    return new Table(funnel, both);
  }

  @Override
  public String toString() {
    return columns.entrySet().stream()
        .map(each -> each.getValue().text(each.getKey().name()))
        .collect(Collectors.joining("; ", "table of ", ""));
  }
}
