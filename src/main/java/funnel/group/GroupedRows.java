package funnel.group;

import funnel.histogram.ScatterReduce;
import funnel.kernel.Scalars;
import funnel.operation.Composite;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.Layout;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.scan.Scan;
import funnel.scan.SegmentInputs;
import funnel.scan.SegmentedScan;
import funnel.scan.Segments;
import funnel.select.Runs;
import funnel.sort.Order;
import funnel.sort.Sort;
import funnel.transform.AdjacentDifference;
import funnel.transform.Elementwise;
import funnel.transform.GatherStep;
import funnel.transform.Iota;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The rows of a {@link GroupBy} in the order of its groups, and their aggregates. */
final class GroupedRows {

  /* Arrays that several aggregates need are computed once: columns in the order of groups,
   * unchanged and widened, the groups' numbers, their lengths as doubles and sums. With several
   * arrays of keys the numbers of groups are the keys.
   *
   * A group's value is gathered to its rows by their group's number. Distances of longs may need 65
   * bits: those of their upper and lower halves are exact as doubles, and so is the product, so that
   * a device may fuse it with the sum (funnel.reduce.Distance has the same bits).
   *
   * On the JVM rows may stay in input order, with their group's number instead of their position;
   * the groups' starts and ends are then their first and last rows. Values of columns are combined
   * in tables if their order does not matter, and all others are scattered instead of scanned.
   */

  private static final Elementwise END =
      Elementwise.ofInt("end", (start, length) -> start + length - 1);
  private static final Elementwise COUNT = Elementwise.ofInt("count", length -> length);
  private static final Elementwise QUOTIENT =
      Elementwise.ofDouble("quotient", (sum, count) -> sum / count);
  private static final Elementwise FEWER =
      Elementwise.ofDouble("quotient", (sum, count) -> sum / (count - 1));
  private static final Elementwise SQUARE =
      Elementwise.ofDouble("square", (x, mean) -> (x - mean) * (x - mean));
  private static final Elementwise DISTANCE =
      Elementwise.ofDouble("distance", (x, first) -> x - first);
  private static final Elementwise HIGH =
      Elementwise.ofLong("high", (x, first) -> (x >> 32) - (first >> 32));
  private static final Elementwise LOW =
      Elementwise.ofLong("low", (x, first) -> (x & 0xffffffffL) - (first & 0xffffffffL));
  private static final Elementwise WHOLE =
      Elementwise.ofDouble("whole", (high, low) -> high * 0x1p32 + low);
  private static final Elementwise EITHER = Elementwise.ofInt("either", (a, b) -> a | b);
  private static final Elementwise WHERE =
      Elementwise.ofInt("where", (differs, row) -> differs == 0 ? row : Integer.MAX_VALUE);

  private static final String STARTS = "_starts";
  private static final String LENGTHS = "_lengths";
  private static final String ENDS = ".ends";
  private static final String SUMS = ".sums";
  private static final String NUMBERS = ".numbers";
  private static final String ORDER = ".order";

  private final String output;
  private final List<Primitive> parts;
  private final Map<String, Input> made = new HashMap<>();
  private final Map<String, String> lists = new HashMap<>(); // names of what is an output as it is
  private final List<Input> columns;
  private final List<GroupTable> tables = new ArrayList<>();
  private final boolean isScattered;
  private final @Nullable Input order;
  private final Input key;
  private final SegmentInputs segments;
  private final Input starts;
  private final Input lengths;

  /**
   * Adds the primitives that find the groups, and the distinct keys.
   *
   * @param isSorted whether rows keep their order
   */
  GroupedRows(
      String output,
      List<Input> keys,
      List<Input> columns,
      List<Aggregate> aggregates,
      boolean isSorted,
      List<Primitive> parts) {
    this.output = output;
    this.parts = parts;
    this.columns = columns;
    isScattered = false;
    for (int a = 0; a < aggregates.size(); a++) {
      if (aggregates.get(a).kind == Aggregate.Kind.LIST) {
        lists.putIfAbsent(list(aggregates.get(a).column), output + "_" + (a + 1));
      }
    }
    boolean isOne = keys.size() == 1;
    if (isSorted || !isOne) {
      order = isSorted ? null : add(ORDER, ElementType.INT, Order.ascending(), keys);
      List<Input> inOrder = new ArrayList<>();
      keys.forEach(each -> inOrder.add(inOrder(".key" + inOrder.size(), each)));
      key = isOne ? inOrder.getFirst() : once(NUMBERS, name -> numbers(name, inOrder));
    } else {
      Input of = keys.getFirst();
      key = new Input(output + ".key0", of.type(), of.capacity());
      order = sort(of, aggregates);
    }
    String runs = isOne ? output : output + ".runs";
    boolean hasStarts = !isOne || aggregates.stream().anyMatch(Aggregate::needsStarts);
    parts.add(Runs.step(runs, key, hasStarts));
    segments = Runs.segments(runs, key, hasStarts);
    starts = new Input(runs + STARTS, ElementType.INT, key.capacity());
    lengths = new Input(runs + LENGTHS, ElementType.INT, key.capacity());
    for (int k = 0; k < keys.size() && !isOne; k++) {
      take(distinct(output, k), inOrder(".key" + k, keys.get(k)), starts);
    }
  }

  /**
   * Sorts keys, and finds the order if it is needed. A single column that is as wide as positions
   * is moved with the keys.
   */
  private @Nullable Input sort(Input keys, List<Aggregate> aggregates) {
    int[] used =
        aggregates.stream().mapToInt(a -> a.column).filter(c -> c > 0).distinct().toArray();
    boolean needsOrder =
        lists.containsKey(ORDER)
            || aggregates.stream().anyMatch(Aggregate::isPosition)
            || used.length > 1;
    Input column = used.length > 0 ? columns.get(used[0] - 1) : null;
    if (column != null
        && (column.type() == ElementType.INT || column.type() == ElementType.FLOAT)
        && !needsOrder) {
      Input moved = new Input(named(list(used[0])), column.type(), column.capacity());
      made.put(list(used[0]), moved);
      parts.add(Sort.ascending().step(key.name(), moved.name(), keys, column));
      return null;
    }
    Input positions =
        used.length > 0 || needsOrder
            ? new Input(named(ORDER), ElementType.INT, keys.capacity())
            : null;
    parts.add(
        Sort.ascending().step(key.name(), positions == null ? null : positions.name(), keys, null));
    return positions;
  }

  /** The form for rows that keep their order, with their groups' numbers. */
  private GroupedRows(String output, Input keys, List<Input> columns, List<Primitive> parts) {
    this.output = output;
    this.parts = parts;
    this.columns = columns;
    isScattered = true;
    order = null;
    key = new Input(output + NUMBERS, ElementType.INT, keys.capacity());
    starts = new Input(output + STARTS, ElementType.INT, keys.capacity());
    segments = SegmentInputs.ofStarts(starts);
    lengths = new Input(output + LENGTHS, ElementType.INT, keys.capacity());
    made.put(NUMBERS, key);
  }

  /** The form for the JVM by one array of keys in any order. */
  static Primitive onJvm(
      String output,
      Input keys,
      List<Input> columns,
      List<Aggregate> aggregates,
      Composite sorted) {
    List<Primitive> scattered = new ArrayList<>();
    GroupedRows rows = new GroupedRows(output, keys, columns, scattered);
    for (int a = 0; a < aggregates.size(); a++) {
      rows.add(output + "_" + (a + 1), aggregates.get(a));
    }
    Layout.Array distinct =
        Objects.requireNonNull(sorted.asIs().layout().written().get(output), output);
    return new GroupNumbersStep(
        output,
        keys,
        Objects.requireNonNull(distinct.found(), output),
        new GroupNumbersStep.Names(
            output + NUMBERS,
            aggregates.stream().anyMatch(Aggregate::needsStarts) ? output + LENGTHS : null),
        List.copyOf(rows.tables),
        scattered,
        List.of(sorted));
  }

  /** The name of the distinct keys of an array of keys. */
  static String distinct(String output, int k) {
    return k == 0 ? output : "%s_key_%s".formatted(output, k + 1);
  }

  void add(String name, Aggregate aggregate) {
    switch (aggregate.kind) {
      case COUNT -> apply(name, COUNT, ElementType.INT, lengths);
      case FIRST -> take(name, column(aggregate.column), starts());
      case LAST -> take(name, column(aggregate.column), once(ENDS, this::ends));
      case COMBINED -> {
        ElementType type = aggregate.combinedIn(columns.get(aggregate.column - 1).type());
        combine(name, aggregate.operator(), aggregate.column, type);
        boolean isSum = aggregate.operator().equals(Operator.SUM);
        if (isSum && type == typeOfSums(aggregate.column)) {
          made.putIfAbsent(SUMS + aggregate.column, new Input(name, type, starts.capacity()));
        }
      }
      case MEAN -> mean(name, aggregate.column);
      case MEAN_FROM_FIRST -> meanFromFirst(name, aggregate.column);
      case VARIANCE, SAMPLE_VARIANCE -> {
        boolean isSample = aggregate.kind == Aggregate.Kind.SAMPLE_VARIANCE;
        apply(
            name,
            isSample ? FEWER : QUOTIENT,
            ElementType.DOUBLE,
            once(".squares" + aggregate.column, each -> squares(each, aggregate.column)),
            counts());
      }
      case ARG_MIN, ARG_MAX -> where(name, aggregate);
      case LIST -> copy(name, aggregate.column == 0 ? rows() : column(aggregate.column));
      case OFFSETS -> copy(name, starts());
    }
  }

  /** The suffix of a column in the order of groups, or of that order. */
  private static String list(int column) {
    return column == 0 ? ORDER : ".column" + column;
  }

  private String named(String suffix) {
    return lists.getOrDefault(suffix, output + suffix);
  }

  /** A copy of what is not an output of this name as it is. */
  private void copy(String name, Input of) {
    if (!of.name().equals(name)) {
      apply(name, identity(of), of.type(), of);
    }
  }

  /** The array named after the output with a suffix; the first call adds its primitives. */
  private Input once(String suffix, Function<String, Input> make) {
    Input there = made.get(suffix);
    if (there == null) {
      there = make.apply(named(suffix));
      made.put(suffix, there);
    }
    return there;
  }

  private Input add(String suffix, ElementType type, Operation operation, List<Input> of) {
    return once(
        suffix,
        name -> {
          parts.addAll(operation.expand(name, of).primitives());
          return new Input(name, type, of.getFirst().capacity());
        });
  }

  private Input apply(String name, Elementwise function, ElementType type, Input... of) {
    parts.addAll(function.to(type).expand(name, List.of(of)).primitives());
    return new Input(name, type, of[0].capacity());
  }

  private Input take(String name, Input of, Input positions) {
    parts.add(
        new GatherStep(
            name, of.name(), positions.name(), null, null, of.type(), positions.capacity()));
    return new Input(name, of.type(), positions.capacity());
  }

  /** An array of the rows in the order of groups. */
  private Input inOrder(String suffix, Input of) {
    Input by = order;
    return by == null ? made.getOrDefault(suffix, of) : once(suffix, name -> take(name, of, by));
  }

  private Input column(int column) {
    return inOrder(list(column), columns.get(column - 1));
  }

  private Input wide(int column, ElementType type) {
    Input of = column(column);
    return of.type() == type
        ? of
        : once(".%s%s".formatted(type, column), name -> apply(name, identity(of), type, of));
  }

  private static Elementwise identity(Input of) {
    return switch (of.type()) {
      case BYTE, INT -> Elementwise.ofInt("int", v -> v);
      case LONG -> Elementwise.ofLong("long", v -> v);
      case FLOAT -> Elementwise.ofFloat("float", v -> v);
      case DOUBLE -> Elementwise.ofDouble("double", v -> v);
    };
  }

  /** The groups' numbers, the first 0, one for each row. */
  private Input numbers(String name, List<Input> keys) {
    Input changes = null;
    for (int k = 0; k < keys.size(); k++) { // one array may be several keys
      Input each = keys.get(k);
      String own = "%s.key%s".formatted(name, k);
      parts.addAll(AdjacentDifference.left().expand(own + ".d", List.of(each)).primitives());
      Input difference = new Input(own + ".d", each.type(), each.capacity());
      Input one = apply(own, isNotFirstAndNot0(each.type()), ElementType.BYTE, difference);
      changes = changes == null ? one : apply(own + ".or", EITHER, ElementType.BYTE, changes, one);
    }
    Scan scan = Scan.inclusive(Operator.SUM).to(ElementType.INT);
    parts.addAll(scan.expand(name, List.of(changes)).primitives());
    return new Input(name, ElementType.INT, keys.getFirst().capacity());
  }

  private static Elementwise isNotFirstAndNot0(ElementType type) {
    return type == ElementType.INT
        ? Elementwise.ofInt("changes", (i, v) -> (i == 0 ? 0 : 1) & (v == 0 ? 0 : 1)).indexed()
        : Elementwise.ofLong("changes", (i, v) -> (i == 0 ? 0L : 1L) & (v == 0 ? 0L : 1L))
            .indexed();
  }

  /** A group's value, for each of its rows. */
  private Input ofRows(String name, Input ofGroups) {
    Input numbers = once(NUMBERS, each -> numbers(each, List.of(key)));
    return take(name, ofGroups, numbers);
  }

  private Input starts() {
    ElementType type = ElementType.INT;
    return isScattered ? once(STARTS, name -> table(name, null, type, Operator.MIN, type)) : starts;
  }

  private Input ends(String name) {
    ElementType type = ElementType.INT;
    return isScattered
        ? table(name, null, type, Operator.MAX, type)
        : apply(name, END, type, starts, lengths);
  }

  private Input table(
      String name, @Nullable String column, ElementType of, Operator operator, ElementType type) {
    tables.add(new GroupTable(name, column, of, operator, type));
    return new Input(name, type, starts.capacity());
  }

  /** The combined elements of a column. */
  private Input combine(String name, Operator operator, int column, ElementType type) {
    Input of = columns.get(column - 1);
    if (isScattered && GroupTable.suits(operator, type)) {
      return table(name, of.name(), of.type(), operator, type);
    }
    boolean isWidened = of.type() != ElementType.BYTE; // the type in which it is combined
    return combine(name, operator, isWidened ? column(column) : wide(column, type), type);
  }

  /** Of bytes and ints sums are exact. */
  private ElementType typeOfSums(int column) {
    return switch (columns.get(column - 1).type()) {
      case BYTE, INT -> ElementType.LONG;
      case LONG, FLOAT, DOUBLE -> ElementType.DOUBLE;
    };
  }

  private Input combine(String name, Operator operator, Input values, ElementType type) {
    if (isScattered) {
      Input into = new Input(name, type, starts.capacity());
      parts.add(new IdentitiesStep(name, operator.identity(type), type));
      ScatterReduce scatter = ScatterReduce.by(operator).to(type);
      parts.addAll(scatter.expand(name, List.of(key, values, into)).primitives());
      return into;
    }
    SegmentedScan scan = SegmentedScan.inclusive(operator).segments(Segments.byKeys());
    parts.add(scan.reduction(name, values, key, segments, type));
    return new Input(name, type, starts.capacity());
  }

  /** The initial values of groups on the JVM: copies of an operator's identity. */
  private record IdentitiesStep(String id, Number identity, ElementType type) implements Primitive {

    @Override
    public Step in(Setting setting) {
      return Step.of(this, setting).onJvm(this::fill);
    }

    private void fill(JvmRun run) {
      MemorySegment output = run.output(id);
      int bytes = type.bytes();
      for (long at = 0; at < output.byteSize(); at += bytes) {
        switch (identity) {
          case Integer i -> output.set(ValueLayout.JAVA_INT_UNALIGNED, at, i);
          case Long l -> output.set(ValueLayout.JAVA_LONG_UNALIGNED, at, l);
          case Float f -> output.set(ValueLayout.JAVA_FLOAT_UNALIGNED, at, f);
          default -> output.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, at, identity.doubleValue());
        }
      }
    }
  }

  private Input counts() {
    return once(".counts", name -> apply(name, COUNT, ElementType.DOUBLE, lengths));
  }

  private Input mean(String name, int column) {
    ElementType type = typeOfSums(column);
    Input sums = once(SUMS + column, each -> combine(each, Operator.SUM, column, type));
    if (type != ElementType.DOUBLE) {
      Input exact = sums;
      sums =
          once(
              ".sumsasdoubles" + column,
              each -> apply(each, identity(exact), ElementType.DOUBLE, exact));
    }
    return apply(name, QUOTIENT, ElementType.DOUBLE, sums, counts());
  }

  /** The distances of a column's elements from their group's first. */
  private Input distances(String name, int column) {
    Input firsts = take(name + ".first", column(column), starts());
    if (firsts.type() != ElementType.LONG) {
      Input values = wide(column, ElementType.DOUBLE);
      if (firsts.type() != ElementType.DOUBLE) {
        firsts = apply(name + ".wide", identity(firsts), ElementType.DOUBLE, firsts);
      }
      Input ofRows = ofRows(name + ".firsts", firsts);
      return apply(name, DISTANCE, ElementType.DOUBLE, values, ofRows);
    }
    Input ofRows = ofRows(name + ".firsts", firsts);
    Input high = apply(name + ".high", HIGH, ElementType.DOUBLE, column(column), ofRows);
    Input low = apply(name + ".low", LOW, ElementType.DOUBLE, column(column), ofRows);
    return apply(name, WHOLE, ElementType.DOUBLE, high, low);
  }

  private Input distances(int column) {
    return once(".distances" + column, name -> distances(name, column));
  }

  private Input meanFromFirst(String name, int column) {
    Input sums =
        once(
            ".distancesums" + column,
            each -> combine(each, Operator.SUM, distances(column), ElementType.DOUBLE));
    return apply(name, QUOTIENT, ElementType.DOUBLE, sums, counts());
  }

  private Input squares(String name, int column) {
    Input means = ofRows(name + ".means", meanFromFirst(name + ".mean", column));
    Input each = apply(name + ".of", SQUARE, ElementType.DOUBLE, distances(column), means);
    return combine(name, Operator.SUM, each, ElementType.DOUBLE);
  }

  private void where(String name, Aggregate aggregate) {
    ElementType type = aggregate.combinedIn(columns.get(aggregate.column - 1).type());
    Input values = wide(aggregate.column, type);
    Input found = combine(name + ".found", aggregate.operator(), values, type);
    Input ofRows = ofRows(name + ".ofrows", found);
    Input differs = apply(name + ".differs", differ(type), ElementType.INT, values, ofRows);
    Input rows = isScattered ? positions(name + ".where") : rows();
    Input where = apply(name + ".where", WHERE, ElementType.INT, differs, rows);
    combine(name, Operator.MIN, where, ElementType.INT);
  }

  private Input rows() {
    return order != null ? order : once(".rows", this::positions);
  }

  private Input positions(String name) {
    parts.add(Iota.positions(name, key));
    return new Input(name, ElementType.INT, key.capacity());
  }

  /** Not 0 where elements differ: NaN does not differ from NaN, but -0.0 differs from 0.0. */
  private static Elementwise differ(ElementType type) {
    return switch (type) {
      case BYTE, INT -> Elementwise.ofInt("differ", (a, b) -> a == b ? 0 : 1);
      case LONG -> Elementwise.ofLong("differ", (a, b) -> a == b ? 0 : 1);
      case FLOAT -> Elementwise.ofFloat("differ", (a, b) -> Scalars.compare(a, b));
      case DOUBLE -> Elementwise.ofDouble("differ", (a, b) -> Scalars.compare(a, b));
    };
  }
}
