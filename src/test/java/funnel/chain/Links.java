package funnel.chain;

import funnel.Numbers;
import funnel.chain.Chain.Array;
import funnel.chain.Chain.Made;
import funnel.chain.Chain.Step;
import funnel.group.Join;
import funnel.operation.Operation;
import funnel.operator.Comparison;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.rank.Quantiles;
import funnel.rank.TopK;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.scan.ScanForm;
import funnel.select.FindFirst;
import funnel.select.Partition;
import funnel.select.Runs;
import funnel.select.Select;
import funnel.select.ThreeWayPartition;
import funnel.select.Unique;
import funnel.sort.IsSorted;
import funnel.sort.Merge;
import funnel.sort.MergeSort;
import funnel.sort.Order;
import funnel.sort.Sort;
import funnel.sort.SortedSearch;
import funnel.transform.AdjacentDifference;
import funnel.transform.Elementwise;
import funnel.transform.Gather;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
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
          Links::sort,
          Links::order,
          Links::top,
          Links::quantiles,
          Links::merge,
          Links::rowsByKeys,
          Links::search,
          Links::join,
          Links::isSorted,
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

  private static void step(
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

  private static void putPositions(Made made, Array to, int[] places) {
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
                        "%s_%d".formatted(name, i + 1),
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

  private static int[] sorted(Array x, Made made, boolean isDescending) {
    Number[] values = made.of(x);
    Comparator<Integer> comparator =
        x.type().isFloating()
            ? Comparator.comparingDouble(i -> values[i].doubleValue())
            : Comparator.comparingLong(i -> values[i].longValue());
    return IntStream.range(0, values.length)
        .boxed()
        .sorted(isDescending ? comparator.reversed() : comparator)
        .mapToInt(i -> i)
        .toArray();
  }

  private static void sort(Chain chain, String name, Array x) {
    boolean isDescending = chain.random.nextBoolean();
    Array y = chain.make(name, x.type(), x.rows(), x.into());
    step(
        chain,
        name,
        !isDescending
            ? Sort.ascending()
            : chain.random.nextBoolean() ? Sort.descending() : MergeSort.by(descending(x.type())),
        made -> made.put(y, made.of(x), sorted(x, made, isDescending)),
        x);
  }

  private static void top(Chain chain, String name, Array x) {
    boolean isLargest = chain.random.nextBoolean();
    int k = 1 + chain.random.nextInt(300);
    int rows = chain.newRows();
    Array y = chain.make(name, x.type(), rows, x.into());
    Array positions = chain.make(name + "_positions", ElementType.INT, rows, x.rows());
    step(
        chain,
        name,
        (isLargest ? TopK.largest(k) : TopK.smallest(k)).withPositions(),
        made -> {
          int[] places = IntStream.of(sorted(x, made, isLargest)).limit(k).toArray();
          made.put(y, made.of(x), places);
          putPositions(made, positions, places);
        },
        x);
  }

  private static void quantiles(Chain chain, String name, Array x) {
    double[] q = chain.random.doubles(1 + chain.random.nextInt(20)).toArray();
    Array y = chain.make(name, x.type(), chain.newRows(), x.into());
    step(
        chain,
        name,
        Quantiles.of(q),
        made -> {
          int[] places = sorted(x, made, false);
          int n = places.length;
          IntStream ranks =
              DoubleStream.of(n > 0 ? q : new double[0])
                  .mapToInt(each -> Math.max((int) Math.ceil(each * n) - 1, 0));
          made.put(y, made.of(x), ranks.map(rank -> places[rank]).toArray());
        },
        x);
  }

  private static Comparison descending(ElementType type) {
    return switch (type) {
      case BYTE, INT -> Comparison.ofInt("down", (a, b) -> Integer.compare(b, a));
      case LONG -> Comparison.ofLong("down", (a, b) -> Long.compare(b, a));
      case FLOAT -> Comparison.ofFloat("down", (a, b) -> Float.compare(b, a));
      case DOUBLE -> Comparison.ofDouble("down", (a, b) -> Double.compare(b, a));
    };
  }

  /** Of an array's elements in ascending order, merged with themselves: two of each. */
  private static void merge(Chain chain, String name, Array x) {
    Array sorted = chain.make(name + "s", x.type(), x.rows(), x.into());
    Array y = chain.make(name, x.type(), chain.newRows(), x.into());
    step(
        chain,
        sorted.name(),
        Sort.ascending(),
        made -> made.put(sorted, made.of(x), sorted(x, made, false)),
        x);
    step(
        chain,
        name,
        Merge.ascending(),
        made ->
            made.put(
                y,
                made.of(sorted),
                IntStream.range(0, 2 * made.of(sorted).length).map(i -> i / 2).toArray()),
        sorted,
        sorted);
  }

  private static void order(Chain chain, String name, Array x) {
    boolean isDescending = chain.random.nextBoolean();
    Array y = chain.make(name, ElementType.INT, x.rows(), x.rows());
    step(
        chain,
        name,
        isDescending ? Order.descending() : Order.ascending(),
        made -> putPositions(made, y, sorted(x, made, isDescending)),
        x);
  }

  private static void rowsByKeys(Chain chain, String name, Array x) {
    List<Array> beside = chain.beside(x);
    Array column = beside.get(chain.random.nextInt(beside.size()));
    Array y = chain.make(name + "_1", column.type(), x.rows(), column.into());
    step(
        chain,
        name,
        Sort.ascending().rows(),
        made -> made.put(y, made.of(column), sorted(x, made, false)),
        x,
        column);
  }

  /** How many elements come before each of another array. */
  private static void search(Chain chain, String name, Array x) {
    Array y = chain.make(name + "s", x.type(), x.rows(), x.into());
    Array places = chain.make(name, ElementType.INT, x.rows(), -1);
    step(
        chain,
        name + "s",
        Sort.ascending(),
        made -> made.put(y, made.of(x), sorted(x, made, false)),
        x);
    step(
        chain,
        name,
        SortedSearch.lowerBound(),
        made -> {
          Number[] values = made.of(x);
          putPositions(
              made,
              places,
              IntStream.range(0, values.length)
                  .map(
                      i ->
                          Chain.places(values.length, j -> compare(x, values[j], values[i]) < 0)
                              .length)
                  .toArray());
        },
        y,
        x);
  }

  /** The places of elements that another array has too, or has not. */
  private static void join(Chain chain, String name, Array x) {
    if (x.type() == ElementType.INT || x.type() == ElementType.LONG) {
      List<Array> ofType = chain.arrays.stream().filter(y -> y.type() == x.type()).toList();
      Array right = ofType.get(chain.random.nextInt(ofType.size()));
      boolean isSemi = chain.random.nextBoolean();
      Array places = chain.make(name, ElementType.INT, chain.newRows(), x.rows());
      step(
          chain,
          name,
          isSemi ? Join.semi() : Join.anti(),
          made -> {
            Set<Long> has =
                Stream.of(made.of(right)).map(Number::longValue).collect(Collectors.toSet());
            Number[] values = made.of(x);
            putPositions(
                made,
                places,
                Chain.places(values.length, i -> has.contains(values[i].longValue()) == isSemi));
          },
          x,
          right);
    }
  }

  private static int compare(Array x, Number a, Number b) {
    return x.type().isFloating()
        ? Double.compare(a.doubleValue(), b.doubleValue())
        : Long.compare(a.longValue(), b.longValue());
  }

  private static void isSorted(Chain chain, String name, Array x) {
    step(
        chain,
        name,
        IsSorted.ascending(),
        made -> {
          Number[] values = made.of(x);
          int[] steps =
              Chain.places(values.length, i -> i > 0 && compare(x, values[i - 1], values[i]) > 0);
          made.values.put(name, steps.length == 0 ? 1 : 0);
          made.values.put(name + "_first", steps.length == 0 ? -1 : steps[0]);
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
