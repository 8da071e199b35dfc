package funnel.chain;

import funnel.Numbers;
import funnel.chain.Chain.Array;
import funnel.chain.Chain.Made;
import funnel.chain.Chain.Step;
import funnel.operation.Operation;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.scan.ScanForm;
import funnel.select.FindFirst;
import funnel.select.Partition;
import funnel.select.Runs;
import funnel.select.Select;
import funnel.select.ThreeWayPartition;
import funnel.select.Unique;
import funnel.transform.AdjacentDifference;
import funnel.transform.Elementwise;
import funnel.transform.Gather;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The operations that a {@link Chain} draws from, each with its plain loop. */
final class Links {

  private interface Link {
    /** Adds a step over an array, if it is for such arrays. */
    void add(Chain chain, String name, Array x);
  }

  private static final List<Link> LINKS =
      List.of(
          Links::select,
          Links::select,
          Links::flagged,
          Links::rows,
          Links::rows,
          Links::partition,
          Links::threeWay,
          Links::unique,
          Links::runs,
          SortLinks::sort,
          SortLinks::order,
          SortLinks::top,
          SortLinks::quantiles,
          SortLinks::merge,
          SortLinks::rowsByKeys,
          SortLinks::search,
          SortLinks::join,
          SortLinks::isSorted,
          GroupLinks::groups,
          GroupLinks::groups,
          GroupLinks::reduce,
          Links::difference,
          Links::apply,
          Links::whereIndexed,
          Links::gather,
          Links::scan,
          Links::reduce,
          Links::find);

  private Links() {}

  static void next(Chain chain, String name) {
    LINKS.get(chain.random.nextInt(LINKS.size())).add(chain, name, chain.any());
  }

  static void step(
      Chain chain, String name, Operation operation, Consumer<Made> loop, Array... of) {
    String[] inputs = Stream.of(of).map(Array::name).toArray(String[]::new);
    String text = "%s = %s of %s".formatted(name, operation, List.of(inputs));
    chain.steps.add(new Step(text, plan -> plan.add(name, operation, inputs), loop));
  }

  /** Over zero, as a transform and as a loop has it. */
  private static Transform test(ElementType type) {
    return switch (type) {
      case BYTE, INT -> Transform.testInt("over 2", v -> v > 2);
      case LONG -> Transform.testLong("over 2", v -> v > 2);
      case FLOAT -> Transform.testFloat("over 2", v -> v > 0.5f);
      case DOUBLE -> Transform.testDouble("over 2", v -> v > 0.5);
    };
  }

  private static Transform other(ElementType type) {
    return switch (type) {
      case BYTE, INT -> Transform.testInt("odd", v -> (v & 1) != 0);
      case LONG -> Transform.testLong("odd", v -> (v & 1) != 0);
      case FLOAT -> Transform.testFloat("negative", v -> v < 0);
      case DOUBLE -> Transform.testDouble("negative", v -> v < 0);
    };
  }

  private static boolean holds(Array x, Number v) {
    return x.type().isFloating() ? v.doubleValue() > 0.5 : v.longValue() > 2;
  }

  private static boolean holdsOther(Array x, Number v) {
    return x.type().isFloating() ? v.doubleValue() < 0 : (v.longValue() & 1) != 0;
  }

  private static int[] places(Array x, Made made, Predicate<Number> is) {
    Number[] values = made.of(x);
    return Chain.places(values.length, i -> is.test(values[i]));
  }

  static void putPositions(Made made, Array to, int[] places) {
    made.arrays.put(to.name(), Numbers.of(places.length, i -> places[i]));
  }

  private static void select(Chain chain, String name, Array x) {
    boolean keeps = chain.random.nextBoolean();
    boolean isForm = chain.random.nextBoolean();
    int kind = chain.random.nextInt(3);
    Select select = Select.where(test(x.type()));
    select = keeps ? select : select.rejecting();
    select = isForm ? select.by(ScanForm.SINGLE_PASS) : select;
    select = kind == 0 ? select : kind == 1 ? select.positions() : select.withPositions();
    int rows = chain.newRows();
    Array kept = kind == 1 ? null : chain.make(name, x.type(), rows, x.into());
    Array positions =
        kind == 0
            ? null
            : chain.make(kind == 1 ? name : name + "_positions", ElementType.INT, rows, x.rows());
    step(
        chain,
        name,
        select,
        made -> {
          int[] places = places(x, made, v -> holds(x, v) == keeps);
          if (kept != null) {
            made.put(kept, made.of(x), places);
          }
          if (positions != null) {
            putPositions(made, positions, places);
          }
        },
        x);
  }

  private static void flagged(Chain chain, String name, Array x) {
    for (Array flags : chain.beside(x)) {
      if (flags.type() == ElementType.BYTE) {
        Array kept = chain.make(name, x.type(), chain.newRows(), x.into());
        step(
            chain,
            name,
            Select.flagged(),
            made -> made.put(kept, made.of(x), places(flags, made, v -> v.longValue() != 0)),
            x,
            flags);
        return;
      }
    }
  }

  private static void rows(Chain chain, String name, Array x) {
    boolean isUnique = chain.random.nextInt(3) == 0;
    List<Array> beside = chain.beside(x);
    List<Array> columns =
        IntStream.range(0, 1 + chain.random.nextInt(3))
            .mapToObj(_ -> beside.get(chain.random.nextInt(beside.size())))
            .toList();
    int rows = chain.newRows();
    List<Array> kept =
        IntStream.range(0, columns.size())
            .mapToObj(
                i ->
                    chain.make(
                        "%s_%s".formatted(name, i + 1),
                        columns.get(i).type(),
                        rows,
                        columns.get(i).into()))
            .toList();
    step(
        chain,
        name,
        isUnique ? Unique.adjacent().rows() : Select.where(test(x.type())).rows(),
        made -> {
          int[] places = isUnique ? heads(x, made) : places(x, made, v -> holds(x, v));
          for (int i = 0; i < kept.size(); i++) {
            made.put(kept.get(i), made.of(columns.get(i)), places);
          }
        },
        Stream.concat(Stream.of(x), columns.stream()).toArray(Array[]::new));
  }

  private static void partition(Chain chain, String name, Array x) {
    if (chain.random.nextBoolean()) {
      Array all = chain.make(name, x.type(), x.rows(), x.into());
      step(
          chain,
          name,
          Partition.where(test(x.type())).joined(),
          made -> {
            int[] yes = places(x, made, v -> holds(x, v));
            int[] no = places(x, made, v -> !holds(x, v));
            made.put(
                all, made.of(x), IntStream.concat(IntStream.of(yes), IntStream.of(no)).toArray());
            made.values.put(name + "_split", yes.length);
          },
          x);
      return;
    }
    Array kept = chain.make(name + "_kept", x.type(), chain.newRows(), x.into());
    Array rejected = chain.make(name + "_rejected", x.type(), chain.newRows(), x.into());
    step(
        chain,
        name,
        Partition.where(test(x.type())),
        made -> {
          made.put(kept, made.of(x), places(x, made, v -> holds(x, v)));
          made.put(rejected, made.of(x), places(x, made, v -> !holds(x, v)));
        },
        x);
  }

  private static void threeWay(Chain chain, String name, Array x) {
    List<Array> parts =
        Stream.of("_first", "_second", "_rest")
            .map(part -> chain.make(name + part, x.type(), chain.newRows(), x.into()))
            .toList();
    step(
        chain,
        name,
        new ThreeWayPartition(test(x.type()), other(x.type())),
        made -> {
          Predicate<Number> one = v -> holds(x, v);
          Predicate<Number> two = v -> holdsOther(x, v);
          made.put(parts.get(0), made.of(x), places(x, made, one));
          made.put(parts.get(1), made.of(x), places(x, made, one.negate().and(two)));
          made.put(parts.get(2), made.of(x), places(x, made, one.or(two).negate()));
        },
        x);
  }

  private static int[] heads(Array x, Made made) {
    Number[] values = made.of(x);
    return Chain.places(values.length, i -> i == 0 || !values[i].equals(values[i - 1]));
  }

  private static void unique(Chain chain, String name, Array x) {
    Array kept = chain.make(name, x.type(), chain.newRows(), x.into());
    step(chain, name, Unique.adjacent(), made -> made.put(kept, made.of(x), heads(x, made)), x);
  }

  private static void runs(Chain chain, String name, Array x) {
    int rows = chain.newRows();
    Array kept = chain.make(name, x.type(), rows, x.into());
    Array starts = chain.make(name + "_starts", ElementType.INT, rows, x.rows());
    Array lengths = chain.make(name + "_lengths", ElementType.INT, rows, -1);
    step(
        chain,
        name,
        Runs.encode(),
        made -> {
          int[] heads = heads(x, made);
          int end = made.of(x).length;
          made.put(kept, made.of(x), heads);
          putPositions(made, starts, heads);
          made.arrays.put(
              lengths.name(),
              Numbers.of(
                  heads.length, i -> (i + 1 < heads.length ? heads[i + 1] : end) - heads[i]));
        },
        x);
  }

  /** An operation that combines neighbours, or all up to each. */
  private static void elements(
      Chain chain, String name, Operation operation, Array x, Consumer<Number[]> inPlace) {
    Array y = chain.make(name, x.type(), x.rows(), -1);
    step(
        chain,
        name,
        operation,
        made -> {
          Number[] values = made.of(x).clone();
          inPlace.accept(values);
          made.arrays.put(y.name(), values);
        },
        x);
  }

  private static void difference(Chain chain, String name, Array x) {
    if (x.type() == ElementType.BYTE) {
      return;
    }
    BinaryOperator<Number> minus =
        switch (x.type()) {
          case FLOAT -> (a, b) -> a.floatValue() - b.floatValue();
          case DOUBLE -> (a, b) -> a.doubleValue() - b.doubleValue();
          case LONG -> (a, b) -> a.longValue() - b.longValue();
          default -> (a, b) -> a.intValue() - b.intValue();
        };
    elements(
        chain,
        name,
        AdjacentDifference.left(),
        x,
        values -> {
          for (int i = values.length - 1; i > 0; i--) {
            values[i] = minus.apply(values[i], values[i - 1]);
          }
        });
  }

  private static final Elementwise INTS = Elementwise.ofInt("mix", (a, b) -> 3 * a - b);
  private static final Elementwise DOUBLES = Elementwise.ofDouble("half", a -> a * 0.5);
  private static final Elementwise LONGS =
      Elementwise.ofLong("turned", (i, a) -> i - a).indexed().to(ElementType.INT);

  private static void apply(Chain chain, String name, Array x) {
    switch (x.type()) {
      case INT ->
          made(
              chain,
              name,
              INTS,
              ElementType.INT,
              (a, i) -> 3 * a[i].intValue() - a[i].intValue(),
              x,
              x);
      case LONG ->
          made(chain, name, LONGS, ElementType.INT, (a, i) -> (int) (i - a[i].longValue()), x);
      case DOUBLE ->
          made(chain, name, DOUBLES, ElementType.DOUBLE, (a, i) -> a[i].doubleValue() * 0.5, x);
      default -> {}
    }
  }

  private static void made(
      Chain chain,
      String name,
      Operation operation,
      ElementType type,
      BiFunction<Number[], Integer, Number> loop,
      Array... of) {
    Array y = chain.make(name, type, of[0].rows(), -1);
    step(
        chain,
        name,
        operation,
        made -> {
          Number[] x = made.of(of[0]);
          made.arrays.put(y.name(), Numbers.of(x.length, i -> loop.apply(x, i)));
        },
        of);
  }

  private static final Elementwise THIRD =
      Elementwise.ofInt("third", (i, a) -> (i + a) % 3 == 0 ? 1 : 0).indexed();

  private static void whereIndexed(Chain chain, String name, Array x) {
    for (Array by : chain.beside(x)) {
      if (by.type() == ElementType.INT) {
        Array kept = chain.make(name, x.type(), chain.newRows(), x.into());
        step(
            chain,
            name,
            Select.where(THIRD),
            made -> {
              Number[] values = made.of(by);
              made.put(
                  kept,
                  made.of(x),
                  Chain.places(values.length, i -> (i + values[i].intValue()) % 3 == 0));
            },
            x,
            by);
        return;
      }
    }
  }

  private static Number max(Array x, Number a, Number b) {
    return switch (x.type()) {
      case FLOAT -> Math.max(a.floatValue(), b.floatValue());
      case DOUBLE -> Math.max(a.doubleValue(), b.doubleValue());
      case LONG -> Math.max(a.longValue(), b.longValue());
      default -> Math.max(a.intValue(), b.intValue());
    };
  }

  private static Number plus(Array x, Number a, Number b) {
    return x.type() == ElementType.LONG
        ? (Number) (a.longValue() + b.longValue())
        : (Number) (a.intValue() + b.intValue());
  }

  private static void scan(Chain chain, String name, Array x) {
    if (x.type() == ElementType.BYTE) {
      return;
    }
    boolean isSum = !x.type().isFloating() && chain.random.nextBoolean();
    boolean isExclusive = isSum && chain.random.nextBoolean();
    Operator operator = isSum ? Operator.SUM : Operator.MAX;
    elements(
        chain,
        name,
        isExclusive ? Scan.exclusive(operator) : Scan.inclusive(operator),
        x,
        values -> {
          Number all = null;
          for (int i = 0; i < values.length; i++) {
            Number before = all;
            Number now = values[i];
            all = before == null ? now : isSum ? plus(x, before, now) : max(x, before, now);
            values[i] = isExclusive ? (before == null ? zero(x) : before) : all;
          }
        });
  }

  private static Number zero(Array x) {
    return x.type() == ElementType.LONG ? (Number) 0L : (Number) 0;
  }

  private static void reduce(Chain chain, String name, Array x) {
    boolean isCount = x.type() == ElementType.BYTE || chain.random.nextBoolean();
    step(
        chain,
        name,
        isCount ? Reduction.countIf(test(x.type())) : Reduction.max(),
        made -> {
          if (isCount) {
            made.values.put(name, (long) places(x, made, v -> holds(x, v)).length);
          } else {
            made.values.put(
                name, Stream.of(made.of(x)).reduce((a, b) -> max(x, a, b)).orElse(null));
          }
        },
        x);
  }

  private static void find(Chain chain, String name, Array x) {
    step(
        chain,
        name,
        FindFirst.where(other(x.type())),
        made -> {
          int[] places = places(x, made, v -> holdsOther(x, v));
          made.values.put(name, places.length == 0 ? -1 : places[0]);
        },
        x);
  }

  /**
   * The elements at positions that an earlier operation has found among arrays that are as long.
   */
  private static void gather(Chain chain, String name, Array x) {
    for (Array positions : chain.arrays) {
      if (positions.into() == x.rows()) {
        Array y = chain.make(name, x.type(), positions.rows(), x.into());
        step(
            chain,
            name,
            Gather.at(),
            made ->
                made.put(
                    y,
                    made.of(x),
                    Stream.of(made.of(positions)).mapToInt(Number::intValue).toArray()),
            x,
            positions);
        return;
      }
    }
  }
}
