package funnel.chain;

import static funnel.chain.Links.putPositions;
import static funnel.chain.Links.step;

import funnel.chain.Chain.Array;
import funnel.chain.Chain.Made;
import funnel.group.Join;
import funnel.operator.Comparison;
import funnel.operator.ElementType;
import funnel.rank.Quantiles;
import funnel.rank.TopK;
import funnel.sort.IsSorted;
import funnel.sort.Merge;
import funnel.sort.MergeSort;
import funnel.sort.Order;
import funnel.sort.Sort;
import funnel.sort.SortedSearch;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Links of sorts and of what relies on an order. */
final class SortLinks {

  private SortLinks() {}

  static int[] sorted(Array x, Made made, boolean isDescending) {
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

  static void sort(Chain chain, String name, Array x) {
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

  static void top(Chain chain, String name, Array x) {
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

  static void quantiles(Chain chain, String name, Array x) {
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

  static Comparison descending(ElementType type) {
    return switch (type) {
      case BYTE, INT -> Comparison.ofInt("down", (a, b) -> Integer.compare(b, a));
      case LONG -> Comparison.ofLong("down", (a, b) -> Long.compare(b, a));
      case FLOAT -> Comparison.ofFloat("down", (a, b) -> Float.compare(b, a));
      case DOUBLE -> Comparison.ofDouble("down", (a, b) -> Double.compare(b, a));
    };
  }

  /** Of an array's elements in ascending order, merged with themselves: two of each. */
  static void merge(Chain chain, String name, Array x) {
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

  static void order(Chain chain, String name, Array x) {
    boolean isDescending = chain.random.nextBoolean();
    Array y = chain.make(name, ElementType.INT, x.rows(), x.rows());
    step(
        chain,
        name,
        isDescending ? Order.descending() : Order.ascending(),
        made -> putPositions(made, y, sorted(x, made, isDescending)),
        x);
  }

  static void rowsByKeys(Chain chain, String name, Array x) {
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
  static void search(Chain chain, String name, Array x) {
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
          Number[] ordered = made.of(y);
          Map<Number, Integer> first = new HashMap<>(); // place of each
          for (int i = ordered.length - 1; i >= 0; i--) {
            first.put(ordered[i], i);
          }
          putPositions(made, places, Stream.of(made.of(x)).mapToInt(first::get).toArray());
        },
        y,
        x);
  }

  /** The places of elements that another array has too, or has not. */
  static void join(Chain chain, String name, Array x) {
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

  static int compare(Array x, Number a, Number b) {
    return x.type().isFloating()
        ? Double.compare(a.doubleValue(), b.doubleValue())
        : Long.compare(a.longValue(), b.longValue());
  }

  static void isSorted(Chain chain, String name, Array x) {
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
}
