package funnel.arrays;

import funnel.Array;
import funnel.Functions;
import funnel.Table;
import funnel.Values;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What methods of arrays give, made by plain loops over Java arrays. */
final class PlainArrays {

  private PlainArrays() {}

  /** The library's order: -0.0 before 0.0, NaN last, all NaN equal. */
  static final Comparator<Number> ORDER =
      (one, other) ->
          switch (one) {
            case Integer i -> Integer.compare(i, (Integer) other);
            case Long i -> Long.compare(i, (Long) other);
            case Float f -> Float.compare(f, (Float) other);
            default -> Double.compare((Double) one, (Double) other);
          };

  static Values of(ElementType type, int length, IntFunction<Number> elements) {
    Values values = Values.ofLength(type, length);
    for (int i = 0; i < length; i++) {
      values.put(i, elements.apply(i));
    }
    return values;
  }

  static Values of(ElementType type, List<? extends Number> elements) {
    return of(type, elements.size(), elements::get);
  }

  static Values ints(List<Integer> elements) {
    return of(ElementType.INT, elements);
  }

  static Values ints(int[] elements) {
    return of(ElementType.INT, elements.length, i -> elements[i]);
  }

  static Values at(Values x, List<Integer> rows) {
    return of(x.type(), rows.size(), i -> x.at(rows.get(i)));
  }

  static List<Integer> rows(int from, int to) {
    return IntStream.range(from, to).boxed().toList();
  }

  static List<Integer> sorted(List<Integer> rows, Comparator<Integer> order) {
    return rows.stream().sorted(order).toList();
  }

  static List<Integer> order(Values x) {
    return sorted(rows(0, x.length()), (i, j) -> ORDER.compare(x.at(i), x.at(j)));
  }

  static List<Integer> descending(Values x) {
    return sorted(rows(0, x.length()), (i, j) -> ORDER.compare(x.at(j), x.at(i)));
  }

  static List<Integer> top(Values x, List<Integer> rows, boolean isLargest, int k) {
    List<Integer> all =
        sorted(
            rows,
            (i, j) ->
                isLargest ? ORDER.compare(x.at(j), x.at(i)) : ORDER.compare(x.at(i), x.at(j)));
    return all.subList(0, Math.min(k, all.size()));
  }

  /** A key of rows; null for the place where NaN is without a choice. */
  static Table.Key key(Array<?, ?> column, boolean isDown, @Nullable Boolean isNanFirst) {
    Table.Key key = isDown ? Table.descending(column) : Table.ascending(column);
    return isNanFirst == null ? key : isNanFirst ? key.nanFirst() : key.nanLast();
  }

  /** The order of rows by such a key. */
  static Comparator<Integer> order(Values x, boolean isDown, @Nullable Boolean isNanFirst) {
    Comparator<Integer> order = (i, j) -> ORDER.compare(x.at(i), x.at(j));
    order = isDown ? order.reversed() : order;
    Comparator<Integer> nan =
        (i, j) -> Boolean.compare(Double.isNaN(x.doubleAt(i)), Double.isNaN(x.doubleAt(j)));
    return isNanFirst == null ? order : (isNanFirst ? nan.reversed() : nan).thenComparing(order);
  }

  /** The lower one, if there are two. */
  static Number median(Values x, List<Integer> rows) {
    return x.at(top(x, rows, false, rows.size()).get((rows.size() + 1) / 2 - 1));
  }

  /** The most frequent element, of several the least. */
  static Number mode(Values x, List<Integer> rows) {
    Map<Number, Integer> counts = new LinkedHashMap<>();
    top(x, rows, false, rows.size()).forEach(row -> counts.merge(x.at(row), 1, Integer::sum));
    int most = counts.values().stream().mapToInt(n -> n).max().orElseThrow();
    return counts.keySet().stream().filter(v -> counts.get(v) == most).findFirst().orElseThrow();
  }

  static boolean test(Object predicate, Number v) {
    return switch (predicate) {
      case Transform.IntTest f -> f.test(v.intValue());
      case Transform.LongTest f -> f.test(v.longValue());
      case Transform.FloatTest f -> f.test(v.floatValue());
      case Transform.DoubleTest f -> f.test(v.doubleValue());
      case Functions.IntToBoolean f -> f.apply(v.intValue());
      case Functions.LongToBoolean f -> f.apply(v.longValue());
      case Functions.FloatToBoolean f -> f.apply(v.floatValue());
      case Functions.DoubleToBoolean f -> f.apply(v.doubleValue());
      default -> throw new IllegalStateException();
    };
  }

  static Number map(Object function, Number v) {
    return switch (function) {
      case Transform.IntMap f -> f.applyAsInt(v.intValue());
      case Transform.LongMap f -> f.applyAsLong(v.longValue());
      case Transform.FloatMap f -> f.applyAsFloat(v.floatValue());
      case Transform.DoubleMap f -> f.applyAsDouble(v.doubleValue());
      case Functions.IntToInt f -> f.apply(v.intValue());
      case Functions.IntToLong f -> f.apply(v.intValue());
      case Functions.IntToFloat f -> f.apply(v.intValue());
      case Functions.IntToDouble f -> f.apply(v.intValue());
      case Functions.LongToInt f -> f.apply(v.longValue());
      case Functions.LongToDouble f -> f.apply(v.longValue());
      case Functions.FloatToInt f -> f.apply(v.floatValue());
      case Functions.FloatToDouble f -> f.apply(v.floatValue());
      case Functions.DoubleToLong f -> f.apply(v.doubleValue());
      case Functions.DoubleToFloat f -> f.apply(v.doubleValue());
      default -> throw new IllegalStateException();
    };
  }

  /** A function of two elements, of which the first may be an index. */
  static Number combine(Object function, Number v, Number w) {
    return switch (function) {
      case Operator.IntCombine f -> f.applyAsInt(v.intValue(), w.intValue());
      case Operator.LongCombine f -> f.applyAsLong(v.longValue(), w.longValue());
      case Operator.FloatCombine f -> f.applyAsFloat(v.floatValue(), w.floatValue());
      case Operator.DoubleCombine f -> f.applyAsDouble(v.doubleValue(), w.doubleValue());
      default -> throw new IllegalStateException();
    };
  }

  static Number indexed(Object function, int i, Number v) {
    return switch (function) {
      case Transform.IndexedIntMap f -> f.applyAsInt(i, v.intValue());
      case Transform.IndexedLongMap f -> f.applyAsLong(i, v.longValue());
      case Transform.IndexedFloatMap f -> f.applyAsFloat(i, v.floatValue());
      case Transform.IndexedDoubleMap f -> f.applyAsDouble(i, v.doubleValue());
      default -> throw new IllegalStateException();
    };
  }

  static Number combine(Object function, Number v, Number w, Number u) {
    return switch (function) {
      case Transform.IntMap3 f -> f.applyAsInt(v.intValue(), w.intValue(), u.intValue());
      case Transform.LongMap3 f -> f.applyAsLong(v.longValue(), w.longValue(), u.longValue());
      case Transform.FloatMap3 f -> f.applyAsFloat(v.floatValue(), w.floatValue(), u.floatValue());
      case Transform.DoubleMap3 f ->
          f.applyAsDouble(v.doubleValue(), w.doubleValue(), u.doubleValue());
      default -> throw new IllegalStateException();
    };
  }

  static Number combine(Operator operator, Number v, Number w) {
    if (operator == Operator.SUM) {
      return switch (v) {
        case Integer i -> (Number) (i + (Integer) w);
        case Long i -> i + (Long) w;
        case Float f -> f + (Float) w;
        default -> (Double) v + (Double) w;
      };
    }
    boolean isNan = Double.isNaN(v.doubleValue()) || Double.isNaN(w.doubleValue());
    int order = ORDER.compare(v, w);
    if (isNan) {
      return order > 0 ? v : w; // NaN is the largest number
    }
    return (operator == Operator.MAX) == order > 0 ? v : w;
  }

  static Number identity(Operator operator, ElementType type) {
    boolean isMin = operator == Operator.MIN;
    double infinity = isMin ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
    return switch (type) {
      case FLOAT -> operator == Operator.SUM ? 0f : (float) infinity;
      case DOUBLE -> operator == Operator.SUM ? 0d : infinity;
      case LONG -> operator == Operator.SUM ? (Number) 0L : isMin ? Long.MAX_VALUE : Long.MIN_VALUE;
      default ->
          operator == Operator.SUM ? (Number) 0 : isMin ? Integer.MAX_VALUE : Integer.MIN_VALUE;
    };
  }

  static Number reduce(Operator operator, Values x, List<Integer> rows) {
    Number all = identity(operator, x.type());
    for (int row : rows) {
      all = combine(operator, all, x.at(row));
    }
    return all;
  }

  /** Scans each stretch between two of the beginnings, the first of which is 0. */
  static Values scan(Operator operator, Values x, Set<Integer> begins, boolean isInclusive) {
    Values y = Values.ofLength(x.type(), x.length());
    Number all = identity(operator, x.type());
    for (int i = 0; i < x.length(); i++) {
      if (begins.contains(i)) {
        all = identity(operator, x.type());
      }
      Number before = all;
      all = combine(operator, all, x.at(i));
      y.put(i, isInclusive ? all : before);
    }
    return y;
  }

  /** Whether sums of the elements are exact, in any order. */
  static boolean isExact(Values x) {
    for (int i = 0; x.type().isFloating() && i < x.length(); i++) {
      double v = x.doubleAt(i);
      if (!(Math.abs(v) <= 1000) || v != Math.rint(v) || v == 0 && 1 / v < 0) {
        return false;
      }
    }
    return true;
  }

  /** Where runs of equal neighbours begin. */
  static List<Integer> runs(Values x) {
    return rows(0, x.length()).stream()
        .filter(i -> i == 0 || !x.at(i).equals(x.at(i - 1)))
        .toList();
  }

  static List<Integer> distinct(Values x) {
    Map<Number, Integer> firsts = new HashMap<>();
    return rows(0, x.length()).stream()
        .filter(i -> firsts.putIfAbsent(x.at(i), i) == null)
        .toList();
  }

  /** How many elements of a sorted array come before another, or do not come after it. */
  static int bound(Values sorted, Number element, boolean isUpper) {
    int bound = 0;
    while (bound < sorted.length()
        && ORDER.compare(sorted.at(bound), element) < (isUpper ? 1 : 0)) {
      bound++;
    }
    return bound;
  }

  /** The union, intersection or difference of two sorted arrays, as multisets. */
  static Values set(String method, Values x, Values y) {
    List<Number> all = new ArrayList<>();
    int i = 0;
    int j = 0;
    while (i < x.length() || j < y.length()) {
      int order = i == x.length() ? 1 : j == y.length() ? -1 : ORDER.compare(x.at(i), y.at(j));
      if (order < 0 && !method.equals("intersection")
          || order == 0 && !method.equals("difference")) {
        all.add(x.at(i));
      } else if (order > 0 && method.equals("union")) {
        all.add(y.at(j));
      }
      i += order <= 0 ? 1 : 0;
      j += order >= 0 ? 1 : 0;
    }
    return of(x.type(), all);
  }

  /** Rows of each group of equal keys, in the order of rows. */
  static <K> Map<K, List<Integer>> groups(List<Integer> rows, IntFunction<K> key) {
    Map<K, List<Integer>> groups = new LinkedHashMap<>();
    rows.forEach(row -> groups.computeIfAbsent(key.apply(row), _ -> new ArrayList<>()).add(row));
    return groups;
  }
}
