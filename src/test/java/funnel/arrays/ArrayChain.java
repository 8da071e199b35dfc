package funnel.arrays;

import static funnel.arrays.PlainArrays.ORDER;
import static funnel.arrays.PlainArrays.at;
import static funnel.arrays.PlainArrays.ints;
import static funnel.arrays.PlainArrays.of;
import static funnel.arrays.PlainArrays.rows;
import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Array;
import funnel.Bytes;
import funnel.Doubles;
import funnel.Floats;
import funnel.Funnel;
import funnel.Groups;
import funnel.Ints;
import funnel.Longs;
import funnel.Operand;
import funnel.Reading;
import funnel.Rolling;
import funnel.Segments;
import funnel.Table;
import funnel.Value;
import funnel.Values;
import funnel.histogram.Histogram;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.reduce.Reduction;
import funnel.sort.Sort;
import funnel.transform.Shuffle;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A random chain of methods of arrays, and what plain loops make of the same data. The methods
 * follow from one seed, lengths, data and captured numbers from another.
 */
@SuppressWarnings({"unchecked", "rawtypes"})
final class ArrayChain {

  private static final int MOST = 6000;
  private static final int[] LENGTHS = {
    0, 1, 2, 31, 32, 33, 63, 65, 127, 128, 129, 255, 256, 257, 511, 513, 1023, 1024, 1025, 2047,
    2048, 2049, 3000, 4097
  };
  private static final Operator[] OPERATORS = {Operator.SUM, Operator.MIN, Operator.MAX};
  private static final Map<String, Method> METHODS = new java.util.concurrent.ConcurrentHashMap<>();

  private record Item(String name, Array handle, Values plain) {
    ElementType type() {
      return plain.type();
    }

    int length() {
      return plain.length();
    }
  }

  private record Single(String name, Value handle, Number plain) {}

  /** Segments; begins are those of outputs, all begin a segment for scans. */
  private record Cut(Segments how, String text, List<Integer> begins, int length) {
    List<Integer> rowsOf(int segment) {
      int end = segment + 1 < begins.size() ? begins.get(segment + 1) : length;
      return rows(begins.get(segment), end);
    }

    Set<Integer> all() {
      Set<Integer> all = new HashSet<>(begins);
      all.add(0);
      return all;
    }
  }

  private final Funnel funnel;
  private final Funnel jvm;
  private final SplittableRandom shape;
  private final SplittableRandom data;
  private final List<Item> pool = new ArrayList<>();
  private final List<Single> singles = new ArrayList<>();
  private final List<Array> kept = new ArrayList<>();
  private final List<String> lines = new ArrayList<>();

  ArrayChain(Funnel funnel, Funnel jvm, long shapeSeed, long dataSeed) {
    this.funnel = funnel;
    this.jvm = jvm;
    this.shape = new SplittableRandom(shapeSeed);
    this.data = new SplittableRandom(dataSeed);
  }

  // Items.

  private Item add(String text, Array handle, Values plain) {
    String name = "a" + (pool.size() + 1);
    lines.add("%s = %s;  // %s elements".formatted(name, text, plain.length()));
    Item item = new Item(name, handle, plain);
    pool.add(item);
    return item;
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

  private Item given(Values plain) {
    Array handle = on(funnel, plain);
    String elements =
        plain.length() <= 70
            ? rows(0, plain.length()).stream().map(plain::at).toList().toString()
            : "random " + plain.type();
    return add("of(" + elements + ")", handle, plain);
  }

  private Item given(ElementType type, int length) {
    int kind = data.nextInt(4);
    int bound = kind == 0 ? 3 : kind == 1 ? 40 : 1000;
    Values plain =
        of(
            type,
            length,
            _ ->
                switch (type) {
                  case BYTE -> (byte) data.nextInt(kind == 0 ? 2 : 256);
                  case INT -> kind == 3 ? data.nextInt() : data.nextInt(-bound, bound);
                  case LONG -> kind == 3 ? data.nextLong() : data.nextInt(-bound, bound);
                  case FLOAT, DOUBLE -> kind == 3 ? special() : data.nextInt(-bound, bound);
                });
    return given(plain);
  }

  private double special() {
    return switch (data.nextInt(12)) {
      case 0 -> Double.NaN;
      case 1 -> -0.0;
      case 2 -> 0.0;
      case 3 -> Double.NEGATIVE_INFINITY;
      case 4 -> Double.POSITIVE_INFINITY;
      default -> data.nextDouble(-100, 100);
    };
  }

  private int length() {
    return shape.nextInt(3) == 0 ? shape.nextInt(400) : LENGTHS[shape.nextInt(LENGTHS.length)];
  }

  private ElementType type() {
    return ElementType.values()[shape.nextInt(5)];
  }

  private int k() {
    return data.nextInt(-4, 5);
  }

  /** One of the arrays, rather a late one. */
  private Item any() {
    int at = Math.max(shape.nextInt(pool.size()), shape.nextInt(pool.size()));
    return pool.get(at);
  }

  private Item any(ElementType... types) {
    List<Item> all = pool.stream().filter(x -> List.of(types).contains(x.type())).toList();
    return all.isEmpty() ? given(types[0], length()) : all.get(shape.nextInt(all.size()));
  }

  /** Another array of this length, which may be a computed one. */
  private Item asLong(int length, ElementType... types) {
    List<Item> all =
        pool.stream()
            .filter(x -> x.length() == length && List.of(types).contains(x.type()))
            .toList();
    return all.isEmpty()
        ? given(types[shape.nextInt(types.length)], length)
        : all.get(shape.nextInt(all.size()));
  }

  private Item numbers() {
    return any(ElementType.INT, ElementType.LONG, ElementType.FLOAT, ElementType.DOUBLE);
  }

  private Item keys(int length) {
    return asLong(length, ElementType.INT, ElementType.LONG);
  }

  private Operator operator(Values x) {
    Operator operator = OPERATORS[shape.nextInt(3)];
    return operator == Operator.SUM && !PlainArrays.isExact(x) ? Operator.MAX : operator;
  }

  private int which() {
    return shape.nextInt(2);
  }

  // Calls.

  /** Calls a method by its name, of which each class has one of its own. */
  static <T> T call(Object on, String name, Object... arguments) {
    String key = on.getClass() + name + Arrays.stream(arguments).map(Object::getClass).toList();
    Method method =
        METHODS.computeIfAbsent(
            key,
            _ ->
                Stream.of(on.getClass().getMethods())
                    .filter(m -> m.getName().equals(name) && !m.isBridge() && takes(m, arguments))
                    .max(Comparator.comparingLong(m -> exact(m, arguments)))
                    .orElseThrow(() -> new IllegalStateException(key)));
    try {
      return (T) method.invoke(on, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean takes(Method method, Object... arguments) {
    Class<?>[] types = method.getParameterTypes();
    return types.length == arguments.length
        && IntStream.range(0, types.length)
            .allMatch(
                i ->
                    types[i].isPrimitive()
                        ? java.lang.reflect.Array.get(
                                    java.lang.reflect.Array.newInstance(types[i], 1), 0)
                                .getClass()
                            == arguments[i].getClass()
                        : types[i].isInstance(arguments[i]));
  }

  private static long exact(Method method, Object... arguments) {
    Class<?>[] types = method.getParameterTypes();
    return IntStream.range(0, types.length)
        .filter(i -> types[i] == arguments[i].getClass())
        .count();
  }

  private void with(Item x, String method, ChainFunction function, Values plain) {
    add(
        "%s.%s(%s)".formatted(x.name, method, function.text()),
        call(x.handle, method, function.function()),
        plain);
  }

  // Methods.

  /** Applies one method, or none if that cannot be. */
  void step() {
    switch (shape.nextInt(54)) {
      case 0, 1 -> filter(any());
      case 2, 3 -> map(any());
      case 4 -> flagged(any());
      case 5 -> zip(numbers());
      case 6 -> zip3(numbers());
      case 7 -> indexed(numbers());
      case 8 -> converted(any());
      case 9 -> cast(any());
      case 10 -> flags(any());
      case 11 -> shifted(any());
      case 12 -> differences(numbers());
      case 13, 14 -> scanned(numbers());
      case 15 -> segments(numbers());
      case 16 -> sortedSegments(any());
      case 17, 18 -> sorted(any());
      case 19 -> order(any());
      case 20 -> gathered(any());
      case 21 -> scattered(any());
      case 22 -> distinct(any());
      case 23, 24 -> sliced(any());
      case 25 -> reversed(any());
      case 26 -> concatenated(any());
      case 27 -> repeated(any());
      case 28 -> runs(any());
      case 29 -> found(any());
      case 30 -> partitioned(numbers());
      case 31 -> top(any());
      case 32 -> quantiles(any());
      case 33 -> shuffled(any());
      case 34 -> bounds(any());
      case 35 -> sets(any());
      case 36 -> joined(any(ElementType.INT, ElementType.LONG));
      case 37, 38 -> groups(any(ElementType.INT, ElementType.LONG));
      case 39, 40 -> table(any());
      case 41 -> histogram(any());
      case 42 -> single(any());
      case 43 -> kept(any());
      case 44 -> again(any());
      case 45 -> twice(any());
      case 46, 47 -> rolling(numbers());
      case 48 -> rollingByKeys(numbers());
      case 49 -> inSegments(numbers());
      case 50 -> distant(numbers());
      case 51 -> ranks(any());
      case 52 -> random();
      default -> withValue();
    }
  }

  private void random() {
    long seed = data.nextLong();
    int length = length();
    SplittableRandom random = new SplittableRandom(seed);
    Function<Funnel, Array> made;
    Values plain = null;
    String text;
    switch (shape.nextInt(5)) {
      case 0 -> {
        text = "random(%s, %s)";
        made = on -> on.random(seed, length);
        plain = of(ElementType.DOUBLE, length, _ -> random.nextDouble());
      }
      case 1 -> {
        text = "randomInts(%s, %s, -5, 9)";
        made = on -> on.randomInts(seed, length, -5, 9);
        plain =
            of(
                ElementType.INT,
                length,
                _ -> (int) Math.unsignedMultiplyHigh(random.nextLong(), 14) - 5);
      }
      case 2 -> {
        text = "randomFlags(%s, %s, 0.25)";
        made = on -> on.randomFlags(seed, length, 0.25);
        plain = of(ElementType.BYTE, length, _ -> random.nextDouble() < 0.25 ? 1 : 0);
      }
      case 3 -> {
        text = "randomExponential(%s, %s)";
        made = on -> on.randomExponential(seed, length);
      }
      default -> {
        text = "randomNormal(%s, %s)";
        made = on -> on.randomNormal(seed, length);
      }
    }
    if (plain == null) { // with the JVM's bits
      double[] numbers = ((Doubles) made.apply(jvm)).toArray();
      plain = of(ElementType.DOUBLE, length, i -> numbers[i]);
    }
    add(text.formatted(seed, length), made.apply(funnel), plain);
  }

  private void filter(Item x) {
    ChainFunction f = ChainFunction.test(x.type(), which(), k());
    with(x, "filter", f, at(x.plain, where(x, f)));
  }

  private static List<Integer> where(Item x, ChainFunction f) {
    return rows(0, x.length()).stream()
        .filter(i -> PlainArrays.test(f.function(), x.plain.at(i)))
        .toList();
  }

  private void map(Item x) {
    ChainFunction f = ChainFunction.map(x.type(), which(), k());
    with(x, "map", f, of(x.type(), x.length(), i -> PlainArrays.map(f.function(), x.plain.at(i))));
  }

  private void flagged(Item x) {
    Item flags = asLong(x.length(), ElementType.BYTE);
    List<Integer> rows =
        rows(0, x.length()).stream().filter(i -> flags.plain.longAt(i) != 0).toList();
    add(
        "%s.filter(%s)".formatted(x.name, flags.name),
        x.handle.filter((Bytes) flags.handle),
        at(x.plain, rows));
  }

  private void zip(Item x) {
    Item y = asLong(x.length(), x.type());
    ChainFunction f = ChainFunction.zip(x.type(), which(), k());
    add(
        "%s.zip(%s, %s)".formatted(x.name, y.name, f.text()),
        call(x.handle, "zip", y.handle, f.function()),
        of(
            x.type(),
            x.length(),
            i -> PlainArrays.combine(f.function(), x.plain.at(i), y.plain.at(i))));
  }

  private void zip3(Item x) {
    Item y = asLong(x.length(), x.type());
    Item z = asLong(x.length(), x.type());
    ChainFunction f = ChainFunction.zip3(x.type(), k());
    add(
        "%s.zip(%s, %s, %s)".formatted(x.name, y.name, z.name, f.text()),
        call(x.handle, "zip", y.handle, z.handle, f.function()),
        of(
            x.type(),
            x.length(),
            i -> PlainArrays.combine(f.function(), x.plain.at(i), y.plain.at(i), z.plain.at(i))));
  }

  private void indexed(Item x) {
    ChainFunction f = ChainFunction.indexed(x.type(), k());
    with(
        x,
        "mapIndexed",
        f,
        of(x.type(), x.length(), i -> PlainArrays.indexed(f.function(), i, x.plain.at(i))));
  }

  private void converted(Item x) {
    Map.Entry<ElementType, ChainFunction> to = ChainFunction.to(x.type(), which(), k());
    Object f = to.getValue().function();
    with(
        x,
        "mapTo" + titled(to.getKey()),
        to.getValue(),
        of(to.getKey(), x.length(), i -> PlainArrays.map(f, x.plain.at(i))));
  }

  private static String titled(ElementType type) {
    String name = type.name();
    return name.charAt(0) + name.substring(1).toLowerCase(java.util.Locale.ROOT);
  }

  private void cast(Item x) {
    ElementType to =
        x.type() == ElementType.BYTE ? ElementType.INT : ElementType.values()[1 + shape.nextInt(4)];
    String method = "as%ss".formatted(titled(to));
    add(
        x.name + "." + method + "()",
        call(x.handle, method),
        of(
            to,
            x.length(),
            i -> {
              Number v = x.plain.at(i);
              return switch (to) {
                case INT -> (Number) v.intValue();
                case LONG -> v.longValue();
                case FLOAT -> v.floatValue();
                default -> v.doubleValue();
              };
            }));
  }

  private void flags(Item x) {
    ChainFunction f = ChainFunction.flags(x.type(), which(), k());
    with(
        x,
        "flags",
        f,
        of(
            ElementType.BYTE,
            x.length(),
            i -> PlainArrays.test(f.function(), x.plain.at(i)) ? 1 : 0));
  }

  private void shifted(Item x) {
    int places = data.nextInt(4) == 0 ? data.nextInt(-2000, 2000) : k();
    Number fill =
        PlainArrays.of(
                x.type() == ElementType.BYTE ? ElementType.INT : x.type(), List.of(Math.abs(k())))
            .at(0);
    add(
        "%s.shift(%s, %s)".formatted(x.name, places, fill),
        call(x.handle, "shift", places, fill),
        of(
            x.type(),
            x.length(),
            i -> i - places >= 0 && i - places < x.length() ? x.plain.at(i - places) : fill));
  }

  private void differences(Item x) {
    add(
        x.name + ".differences()",
        call(x.handle, "differences"),
        of(
            x.type(),
            x.length(),
            i -> {
              Number v = x.plain.at(i);
              if (i == 0) {
                return v;
              }
              return minus(v, x.plain.at(i - 1));
            }));
  }

  private static Number minus(Number v, Number w) {
    return switch (v) {
      case Integer n -> (Number) (n - (Integer) w);
      case Long n -> n - (Long) w;
      case Float n -> n - w.floatValue();
      default -> v.doubleValue() - w.doubleValue();
    };
  }

  private void scanned(Item x) {
    Operator operator = operator(x.plain);
    boolean isInclusive = shape.nextBoolean();
    String method = isInclusive ? "scan" : "exclusiveScan";
    add(
        "%s.%s(%s)".formatted(x.name, method, operator),
        call(x.handle, method, operator),
        PlainArrays.scan(operator, x.plain, Set.of(), isInclusive));
  }

  private Cut cut(Item x) {
    int n = x.length();
    switch (shape.nextInt(4)) {
      case 0 -> {
        int[] offsets = data.ints(data.nextInt(9), 0, n + 1).sorted().toArray();
        Item by = given(ints(offsets));
        return new Cut(
            Segments.ofOffsets((Ints) by.handle),
            "ofOffsets(%s)".formatted(by.name),
            IntStream.of(offsets).boxed().toList(),
            n);
      }
      case 1 -> {
        int[] offsets = data.ints(1 + data.nextInt(9), 0, n + 1).sorted().toArray();
        offsets[0] = 0;
        int[] lengths = new int[offsets.length];
        for (int i = 0; i < lengths.length; i++) {
          lengths[i] = (i + 1 < lengths.length ? offsets[i + 1] : n) - offsets[i];
        }
        Item by = given(ints(lengths));
        return new Cut(
            Segments.ofLengths((Ints) by.handle),
            "ofLengths(%s)".formatted(by.name),
            IntStream.of(offsets).boxed().toList(),
            n);
      }
      case 2 -> {
        Item by = keys(n);
        Segments how =
            by.handle instanceof Ints i ? Segments.ofKeys(i) : Segments.ofKeys((Longs) by.handle);
        return new Cut(how, "ofKeys(%s)".formatted(by.name), PlainArrays.runs(by.plain), n);
      }
      default -> {
        Item by = asLong(n, ElementType.BYTE);
        List<Integer> begins =
            rows(0, n).stream().filter(i -> i == 0 || by.plain.longAt(i) != 0).toList();
        return new Cut(
            Segments.ofHeads((Bytes) by.handle), "ofHeads(%s)".formatted(by.name), begins, n);
      }
    }
  }

  private Cut whole(Item x) {
    return new Cut(Segments.ofLengths(funnel.of(x.length())), "", List.of(), x.length());
  }

  private void segments(Item x) {
    Operator operator = operator(x.plain);
    Cut cut = cut(x);
    if (shape.nextBoolean()) {
      add(
          "%s.scan(%s, %s)".formatted(x.name, operator, cut.text),
          call(x.handle, "scan", operator, cut.how),
          PlainArrays.scan(operator, x.plain, cut.all(), true));
    } else {
      boolean isSum = operator == Operator.SUM && shape.nextBoolean();
      add(
          isSum
              ? "%s.sums(%s)".formatted(x.name, cut.text)
              : "%s.reduce(%s, %s)".formatted(x.name, operator, cut.text),
          isSum ? call(x.handle, "sums", cut.how) : call(x.handle, "reduce", operator, cut.how),
          of(
              x.type(),
              cut.begins.size(),
              i -> PlainArrays.reduce(operator, x.plain, cut.rowsOf(i))));
    }
  }

  private int rollingRows() {
    return data.nextInt(3) == 0 ? 1 + data.nextInt(1500) : 1 + data.nextInt(12);
  }

  private void rolling(Item x) {
    int rows = rollingRows();
    if (shape.nextBoolean()) {
      windows(x, call(x.handle, "rolling", rows), "rolling(%s)".formatted(rows), i -> rows);
    } else {
      Cut cut = cut(x);
      int[] positions = positions(cut);
      windows(
          x,
          call(x.handle, "rolling", rows, cut.how),
          "rolling(%s, %s)".formatted(rows, cut.text),
          i -> Math.min(rows, positions[i] + 1));
    }
  }

  private int[] positions(Cut cut) {
    Set<Integer> begins = cut.all();
    int[] positions = new int[cut.length];
    for (int i = 1; i < cut.length; i++) {
      positions[i] = begins.contains(i) ? 0 : positions[i - 1] + 1;
    }
    return positions;
  }

  private void rollingByKeys(Item x) {
    boolean inSegments = shape.nextBoolean();
    Cut cut = inSegments ? cut(x) : whole(x);
    int[] positions = positions(cut);
    int[] plain = data.ints(x.length(), -500, 500).toArray();
    cut.all().stream()
        .filter(i -> i < plain.length)
        .forEach(i -> Arrays.sort(plain, i, end(positions, i)));
    Item keys =
        given(
            of(
                new ElementType[] {ElementType.INT, ElementType.LONG, ElementType.DOUBLE}
                    [shape.nextInt(3)],
                plain.length,
                i -> plain[i]));
    int width = 1 + data.nextInt(30);
    Number range = PlainArrays.of(keys.type(), List.of(width)).at(0);
    windows(
        x,
        inSegments
            ? call(x.handle, "rolling", keys.handle, range, cut.how)
            : call(x.handle, "rolling", keys.handle, range),
        "rolling(%s, %s, %s)".formatted(keys.name, range, cut.text),
        i -> {
          int count = 1;
          while (count <= positions[i] && plain[i - count] > plain[i] - width) {
            count++;
          }
          return count;
        });
  }

  /** Where a segment ends that begins at an index. */
  private static int end(int[] positions, int begin) {
    int end = begin + 1;
    while (end < positions.length && positions[end] > 0) {
      end++;
    }
    return end;
  }

  private void windows(Item x, Rolling rolling, String text, IntUnaryOperator width) {
    Operator operator = operator(x.plain);
    Values plain =
        of(
            x.type(),
            x.length(),
            i ->
                PlainArrays.reduce(
                    operator, x.plain, rows(Math.max(i + 1 - width.applyAsInt(i), 0), i + 1)));
    add("%s.%s.reduce(%s)".formatted(x.name, text, operator), rolling.reduce(operator), plain);
    if (shape.nextInt(3) == 0) {
      add(
          "%s.%s.count()".formatted(x.name, text),
          rolling.count(),
          of(ElementType.INT, x.length(), i -> Math.min(i + 1, width.applyAsInt(i))));
    }
  }

  private void inSegments(Item x) {
    Cut cut = cut(x);
    int[] positions = positions(cut);
    if (shape.nextBoolean()) {
      add(
          "%s.positions(%s)".formatted(x.name, cut.text),
          call(x.handle, "positions", cut.how),
          ints(positions));
      return;
    }
    int places = data.nextInt(-6, 7);
    Number fill = PlainArrays.of(x.type(), List.of(Math.abs(k()))).at(0);
    add(
        "%s.shift(%s, %s, %s)".formatted(x.name, places, fill, cut.text),
        call(x.handle, "shift", places, fill, cut.how),
        of(
            x.type(),
            x.length(),
            i -> {
              int from = i - places;
              boolean isThere =
                  from >= 0 && from < x.length() && positions[from] == positions[i] - places;
              return isThere ? x.plain.at(from) : fill;
            }));
  }

  private void distant(Item x) {
    int distance = data.nextInt(-70, 70);
    add(
        "%s.differences(%s)".formatted(x.name, distance),
        call(x.handle, "differences", distance),
        of(
            x.type(),
            x.length(),
            i -> {
              int from = i - distance;
              boolean isThere = from >= 0 && from < x.length();
              return minus(x.plain.at(i), isThere ? x.plain.at(from) : x.plain.boxed(0L));
            }));
  }

  private void ranks(Item x) {
    int n = x.length();
    boolean inSegments = shape.nextBoolean();
    Cut cut = inSegments ? cut(x) : whole(x);
    int[] positions = positions(cut);
    int[] smaller = new int[n];
    int[] notLarger = new int[n];
    int[] different = new int[n];
    int[] others = new int[n];
    for (int begin = 0; begin < n; begin = end(positions, begin)) {
      int end = end(positions, begin);
      List<Integer> order =
          PlainArrays.sorted(rows(begin, end), PlainArrays.order(x.plain, false, null));
      for (int i = 0; i < order.size(); i++) {
        int at = order.get(i);
        int before = order.get(Math.max(i - 1, 0));
        boolean isNew = ORDER.compare(x.plain.at(at), x.plain.at(before)) != 0;
        smaller[at] = i == 0 ? 0 : isNew ? i : smaller[before];
        different[at] = i == 0 ? 0 : different[before] + (isNew ? 1 : 0);
        others[at] = Math.max(order.size() - 1, 1);
      }
      for (int i = order.size() - 1; i >= 0; i--) {
        int at = order.get(i);
        int after = order.get(Math.min(i + 1, order.size() - 1));
        notLarger[at] = after == at || different[after] > different[at] ? i + 1 : notLarger[after];
      }
    }
    List<String> methods = List.of("ranks", "denseRanks", "averageRanks", "percentRanks");
    String method = methods.get(shape.nextInt(4));
    Object[] arguments = inSegments ? new Object[] {cut.how} : new Object[0];
    IntFunction<Number> plain =
        switch (method) {
          case "ranks" -> i -> smaller[i] + 1;
          case "denseRanks" -> i -> different[i] + 1;
          case "averageRanks" -> i -> 0.5 * (smaller[i] + 1 + notLarger[i]);
          default -> i -> smaller[i] / (double) others[i];
        };
    ElementType type =
        method.equals("ranks") || method.equals("denseRanks")
            ? ElementType.INT
            : ElementType.DOUBLE;
    add(
        "%s.%s(%s)".formatted(x.name, method, cut.text),
        call(x.handle, method, arguments),
        of(type, n, plain));
  }

  private void sortedSegments(Item x) {
    Cut cut = cut(x);
    int first = cut.begins.isEmpty() ? x.length() : cut.begins.getFirst();
    List<List<Integer>> parts = new ArrayList<>(List.of(rows(0, first)));
    rows(0, cut.begins.size()).forEach(i -> parts.add(cut.rowsOf(i)));
    if (shape.nextBoolean()) {
      List<Integer> rows = new ArrayList<>();
      parts.forEach(part -> rows.addAll(PlainArrays.top(x.plain, part, false, MOST * 2)));
      add("%s.sorted(%s)".formatted(x.name, cut.text), x.handle.sorted(cut.how), at(x.plain, rows));
      return;
    }
    int k = 1 + shape.nextInt(4);
    boolean isLargest = shape.nextBoolean();
    List<Integer> rows = new ArrayList<>();
    List<Integer> offsets = new ArrayList<>();
    for (List<Integer> part : parts) {
      offsets.add(rows.size());
      rows.addAll(PlainArrays.top(x.plain, part, isLargest, k));
    }
    Array.Top top = isLargest ? x.handle.largest(k, cut.how) : x.handle.smallest(k, cut.how);
    String text =
        "%s.%s(%s, %s)".formatted(x.name, isLargest ? "largest" : "smallest", k, cut.text);
    add(text + ".values()", top.values(), at(x.plain, rows));
    add(text + ".positions()", top.positions(), ints(rows));
    add(text + ".offsets()", top.offsets(), ints(offsets.subList(1, offsets.size())));
  }

  private void sorted(Item x) {
    if (shape.nextInt(3) == 0) {
      add(
          x.name + ".sorted(Sort.descending())",
          x.handle.sorted(Sort.descending()),
          at(x.plain, PlainArrays.descending(x.plain)));
    } else {
      sortedUp(x);
    }
  }

  private Item sortedUp(Item x) {
    return add(x.name + ".sorted()", x.handle.sorted(), at(x.plain, PlainArrays.order(x.plain)));
  }

  private void order(Item x) {
    add(x.name + ".order()", x.handle.order(), ints(PlainArrays.order(x.plain)));
  }

  private boolean isWithin(Item x, int from, int to) {
    return rows(0, x.length()).stream()
        .allMatch(i -> x.plain.longAt(i) >= from && x.plain.longAt(i) < to);
  }

  private Item intsWithin(int length, int from, int to, boolean areDistinct) {
    List<Item> all =
        pool.stream()
            .filter(
                y ->
                    y.type() == ElementType.INT
                        && (length < 0 || y.length() == length)
                        && isWithin(y, from, to)
                        && (!areDistinct || PlainArrays.distinct(y.plain).size() == y.length()))
            .toList();
    if (!all.isEmpty() && shape.nextInt(4) > 0) {
      return all.get(shape.nextInt(all.size()));
    }
    int count = length >= 0 ? length : to == from ? 0 : length();
    return given(
        areDistinct
            ? ints(
                Arrays.copyOf(
                    jvm.run(Shuffle.positions(to, data.nextLong())).ints("result"), count))
            : ints(data.ints(count, from, Math.max(to, from + 1)).toArray()));
  }

  private void gathered(Item x) {
    Item positions = intsWithin(-1, 0, x.length(), false);
    Array there;
    try {
      there = x.handle.at((Ints) positions.handle);
    } catch (IllegalArgumentException e) { // they are of a table's rows, and this has others
      return;
    }
    add(
        "%s.at(%s)".formatted(x.name, positions.name),
        there,
        of(x.type(), positions.length(), i -> x.plain.at((int) positions.plain.longAt(i))));
  }

  private void scattered(Item x) {
    int length = x.length() + shape.nextInt(4);
    Item positions = intsWithin(x.length(), 0, length, true);
    Values plain = Values.ofLength(x.type(), length);
    rows(0, x.length()).forEach(i -> plain.put((int) positions.plain.longAt(i), x.plain.at(i)));
    add(
        "%s.scatter(%s, %s)".formatted(x.name, positions.name, length),
        x.handle.scatter((Ints) positions.handle, length),
        plain);
  }

  private void distinct(Item x) {
    add(x.name + ".distinct()", x.handle.distinct(), at(x.plain, PlainArrays.distinct(x.plain)));
  }

  private void sliced(Item x) {
    int n = x.length();
    int count = shape.nextBoolean() ? shape.nextInt(40) : shape.nextInt(n + 2);
    int some = Math.min(count, n);
    switch (shape.nextInt(4)) {
      case 0 ->
          add(
              "%s.limit(%s)".formatted(x.name, count),
              x.handle.limit(count),
              at(x.plain, rows(0, some)));
      case 1 ->
          add(
              "%s.skip(%s)".formatted(x.name, count),
              x.handle.skip(count),
              at(x.plain, rows(some, n)));
      case 2 ->
          add(
              "%s.last(%s)".formatted(x.name, count),
              x.handle.last(count),
              at(x.plain, rows(n - some, n)));
      default -> {
        int from = shape.nextInt(some + 1);
        add(
            "%s.slice(%s, %s)".formatted(x.name, from, some),
            x.handle.slice(from, some),
            at(x.plain, rows(from, some)));
      }
    }
  }

  private void reversed(Item x) {
    add(x.name + ".reversed()", x.handle.reversed(), at(x.plain, rows(0, x.length()).reversed()));
  }

  private void concatenated(Item x) {
    List<Item> all = new ArrayList<>(List.of(x));
    IntStream.range(0, shape.nextInt(4)).forEach(_ -> all.add(any(x.type())));
    List<Number> plain = new ArrayList<>();
    all.forEach(each -> rows(0, each.length()).forEach(i -> plain.add(each.plain.at(i))));
    if (plain.size() > MOST) {
      return;
    }
    Array[] others =
        (Array[]) java.lang.reflect.Array.newInstance(x.handle.getClass(), all.size() - 1);
    rows(0, others.length).forEach(i -> others[i] = all.get(i + 1).handle);
    add(
        "%s.concat(%s)".formatted(x.name, all.stream().skip(1).map(Item::name).toList()),
        x.handle.concat(others),
        of(x.type(), plain));
  }

  private void repeated(Item x) {
    Item lengths = intsWithin(x.length(), 0, 5, false);
    List<Integer> rows = new ArrayList<>();
    for (int i = 0; i < x.length(); i++) {
      for (int j = 0; j < lengths.plain.longAt(i); j++) {
        rows.add(i);
      }
    }
    if (rows.size() <= MOST) {
      add(
          "%s.repeated(%s)".formatted(x.name, lengths.name),
          x.handle.repeated((Ints) lengths.handle),
          at(x.plain, rows));
    }
  }

  private void runs(Item x) {
    List<Integer> starts = PlainArrays.runs(x.plain);
    Array.Runs runs = x.handle.runs();
    add(x.name + ".runs().values()", runs.values(), at(x.plain, starts));
    add(x.name + ".runs().starts()", runs.starts(), ints(starts));
    add(
        x.name + ".runs().lengths()",
        runs.lengths(),
        of(
            ElementType.INT,
            starts.size(),
            i -> (i + 1 < starts.size() ? starts.get(i + 1) : x.length()) - starts.get(i)));
  }

  private void found(Item x) {
    ChainFunction f = ChainFunction.test(x.type(), which(), k());
    List<Integer> rows = where(x, f);
    Array.Found found = call(x.handle, "find", f.function());
    add("%s.find(%s).values()".formatted(x.name, f.text()), found.values(), at(x.plain, rows));
    add("%s.find(%s).positions()".formatted(x.name, f.text()), found.positions(), ints(rows));
  }

  private void partitioned(Item x) {
    ChainFunction f = ChainFunction.test(x.type(), which(), k());
    List<Integer> kept = where(x, f);
    List<Integer> rejected = new ArrayList<>(rows(0, x.length()));
    rejected.removeAll(new HashSet<>(kept));
    Array.Parts parts = call(x.handle, "partition", f.function());
    add("%s.partition(%s).kept()".formatted(x.name, f.text()), parts.kept(), at(x.plain, kept));
    add(
        "%s.partition(%s).rejected()".formatted(x.name, f.text()),
        parts.rejected(),
        at(x.plain, rejected));
  }

  private void top(Item x) {
    int k = shape.nextInt(1, 70);
    boolean isLargest = shape.nextBoolean();
    List<Integer> rows = PlainArrays.top(x.plain, rows(0, x.length()), isLargest, k);
    Array.Found found = isLargest ? x.handle.largest(k) : x.handle.smallest(k);
    String text = "%s.%s(%s)".formatted(x.name, isLargest ? "largest" : "smallest", k);
    add(text + ".values()", found.values(), at(x.plain, rows));
    add(text + ".positions()", found.positions(), ints(rows));
  }

  private void quantiles(Item x) {
    double[] quantiles = shape.nextBoolean() ? new double[] {0.5} : new double[] {0, 0.25, 1, 0.75};
    List<Integer> order = PlainArrays.order(x.plain);
    int n = x.length();
    List<Integer> rows =
        n == 0
            ? List.of()
            : Arrays.stream(quantiles)
                .mapToObj(q -> order.get(Math.max(0, (int) Math.ceil(q * n) - 1)))
                .toList();
    add(
        "%s.quantiles(%s)".formatted(x.name, Arrays.toString(quantiles)),
        x.handle.quantiles(quantiles),
        at(x.plain, rows));
  }

  private void shuffled(Item x) {
    long seed = data.nextInt(100);
    List<Integer> order =
        IntStream.of(jvm.run(Shuffle.positions(x.length(), seed)).ints("result")).boxed().toList();
    if (shape.nextBoolean()) {
      add("%s.shuffled(%s)".formatted(x.name, seed), x.handle.shuffled(seed), at(x.plain, order));
    } else {
      int count = shape.nextInt(x.length() + 1);
      add(
          "%s.sample(%s, %s)".formatted(x.name, count, seed),
          x.handle.sample(count, seed),
          at(x.plain, order.subList(0, count)));
    }
  }

  private void bounds(Item x) {
    Item sorted = sortedUp(x);
    Item others = any(x.type());
    int kind = shape.nextInt(3);
    String method = List.of("lowerBounds", "upperBounds", "search").get(kind);
    add(
        "%s.%s(%s)".formatted(sorted.name, method, others.name),
        call(sorted.handle, method, others.handle),
        of(
            ElementType.INT,
            others.length(),
            i -> {
              Number v = others.plain.at(i);
              int bound = PlainArrays.bound(sorted.plain, v, kind == 1);
              boolean isThere =
                  bound < sorted.length() && ORDER.compare(sorted.plain.at(bound), v) == 0;
              return kind == 2 && !isThere ? -1 - bound : bound;
            }));
  }

  private void sets(Item x) {
    Item one = sortedUp(x);
    Item other = sortedUp(any(x.type()));
    String method = List.of("union", "intersection", "difference").get(shape.nextInt(3));
    if (one.length() + other.length() <= MOST) {
      add(
          "%s.%s(%s)".formatted(one.name, method, other.name),
          call(one.handle, method, other.handle),
          PlainArrays.set(method, one.plain, other.plain));
    }
  }

  private void joined(Item x) {
    Item y = any(x.type());
    Map<Number, List<Integer>> right = PlainArrays.groups(rows(0, y.length()), y.plain::at);
    List<Integer> here = new ArrayList<>();
    List<Integer> there = new ArrayList<>();
    List<Integer> with = new ArrayList<>();
    List<Integer> without = new ArrayList<>();
    for (int i = 0; i < x.length(); i++) {
      List<Integer> equal = right.getOrDefault(x.plain.at(i), List.of());
      (equal.isEmpty() ? without : with).add(i);
      if (here.size() <= MOST) {
        for (int j : equal) {
          here.add(i);
          there.add(j);
        }
      }
    }
    if (here.size() <= MOST && shape.nextBoolean()) {
      Array.Pairs pairs = call(x.handle, "join", y.handle);
      add("%s.join(%s).left()".formatted(x.name, y.name), pairs.left(), ints(here));
      add("%s.join(%s).right()".formatted(x.name, y.name), pairs.right(), ints(there));
    } else {
      add(
          "%s.positionsIn(%s)".formatted(x.name, y.name),
          call(x.handle, "positionsIn", y.handle),
          ints(with));
      add(
          "%s.positionsNotIn(%s)".formatted(x.name, y.name),
          call(x.handle, "positionsNotIn", y.handle),
          ints(without));
    }
  }

  private void groups(Item x) {
    if (shape.nextInt(3) > 0) {
      Map<Number, List<Integer>> rows = new TreeMap<>(ORDER);
      rows.putAll(PlainArrays.groups(rows(0, x.length()), x.plain::at));
      aggregates(
          x.name + ".groupBy()",
          call(x.handle, "groupBy"),
          x.plain,
          rows.values(),
          _ -> asLong(x.length(), ElementType.values()[shape.nextInt(5)]));
    } else {
      List<Integer> begins = PlainArrays.runs(x.plain);
      Cut cut = new Cut(Segments.ofHeads(funnel.of(new byte[0])), "", begins, x.length());
      List<List<Integer>> rows = rows(0, begins.size()).stream().map(cut::rowsOf).toList();
      aggregates(
          x.name + ".groupByRuns()",
          call(x.handle, "groupByRuns"),
          x.plain,
          rows,
          _ -> asLong(x.length(), ElementType.values()[shape.nextInt(5)]));
    }
  }

  private void aggregates(
      String text,
      Groups by,
      Values keys,
      java.util.Collection<List<Integer>> groups,
      java.util.function.IntFunction<Item> columns) {
    List<List<Integer>> all = List.copyOf(groups);
    add(text + ".keys()", by.keys(), at(keys, all.stream().map(List::getFirst).toList()));
    for (int n = 1 + shape.nextInt(4); n > 0; n--) {
      Item column = columns.apply(n);
      Values plain = column.plain;
      boolean isByte = column.type() == ElementType.BYTE;
      boolean isFloating = column.type().isFloating();
      String method =
          List.of(
                  "count",
                  "sum",
                  "min",
                  "max",
                  "first",
                  "last",
                  "argMin",
                  "argMax",
                  "median",
                  "mode",
                  "countDistinct",
                  "lists",
                  "largest")
              .get(shape.nextInt(13));
      if (method.equals("lists") || method.equals("largest")) {
        tops(text, by, method, column, all);
        continue;
      }
      ElementType type =
          switch (method) {
            case "count", "argMin", "argMax", "countDistinct" -> ElementType.INT;
            case "sum" -> isFloating ? ElementType.DOUBLE : ElementType.LONG;
            case "min", "max" -> isByte ? ElementType.INT : column.type();
            default -> column.type();
          };
      if (method.equals("sum") && !PlainArrays.isExact(plain)) {
        continue;
      }
      List<Number> wanted = new ArrayList<>();
      for (List<Integer> rows : all) {
        wanted.add(
            switch (method) {
              case "count" -> (Number) rows.size();
              case "first" -> plain.at(rows.getFirst());
              case "last" -> plain.at(rows.getLast());
              case "min" -> PlainArrays.reduce(Operator.MIN, plain, rows);
              case "max" -> PlainArrays.reduce(Operator.MAX, plain, rows);
              case "argMin" -> argMin(plain, rows);
              case "median" -> PlainArrays.median(plain, rows);
              case "mode" -> PlainArrays.mode(plain, rows);
              case "countDistinct" -> PlainArrays.distinct(at(plain, rows)).size();
              case "argMax" -> PlainArrays.top(plain, rows, true, 1).getFirst();
              default ->
                  isFloating
                      ? (Number) rows.stream().mapToDouble(plain::doubleAt).sum()
                      : (Number) rows.stream().mapToLong(plain::longAt).sum();
            });
      }
      add(
          "%s.%s(%s)".formatted(text, method, method.equals("count") ? "" : column.name),
          method.equals("count") ? by.count() : call(by, method, column.handle),
          of(type, wanted));
    }
  }

  /** Several rows of each group. */
  private void tops(
      String text, Groups by, String method, Item column, List<List<Integer>> groups) {
    boolean isList = method.equals("lists");
    int k = 1 + shape.nextInt(3);
    List<Integer> rows = new ArrayList<>();
    List<Integer> offsets = new ArrayList<>();
    for (List<Integer> group : groups) {
      offsets.add(rows.size());
      rows.addAll(isList ? group : PlainArrays.top(column.plain, group, true, k));
    }
    Array.Top top = isList ? by.lists(column.handle) : by.largest(k, column.handle);
    String call =
        isList ? "lists(%s)".formatted(column.name) : "largest(%s, %s)".formatted(k, column.name);
    add("%s.%s.values()".formatted(text, call), top.values(), at(column.plain, rows));
    add("%s.%s.positions()".formatted(text, call), top.positions(), ints(rows));
    add("%s.%s.offsets()".formatted(text, call), top.offsets(), ints(offsets));
  }

  /** NaN is the least too. */
  private static int argMin(Values plain, List<Integer> rows) {
    return rows.stream()
        .filter(i -> Double.isNaN(plain.doubleAt(i)))
        .findFirst()
        .orElseGet(() -> PlainArrays.top(plain, rows, false, 1).getFirst());
  }

  private void table(Item x) {
    int n = x.length();
    Map<String, Item> columns = new LinkedHashMap<>();
    columns.put(x.name, x);
    for (int i = shape.nextInt(4); i >= 0; i--) {
      Item column = asLong(n, type());
      columns.put(column.name, column);
    }
    List<Item> all = new ArrayList<>(columns.values());
    Table table = funnel.table(all.stream().map(Item::handle).toArray(Array[]::new));
    String text = "table(" + String.join(", ", columns.keySet()) + ")";
    Map<Item, List<Integer>> rows = new LinkedHashMap<>(); // of each column
    all.forEach(column -> rows.put(column, rows(0, n)));
    List<Integer> now = rows(0, n);
    for (int steps = 1 + shape.nextInt(3); steps > 0; steps--) {
      Item column = all.get(shape.nextInt(all.size()));
      List<Integer> before = now;
      switch (shape.nextInt(7)) {
        case 0, 1 -> {
          if (column.type() != ElementType.BYTE) {
            ChainFunction f = ChainFunction.test(column.type(), which(), k());
            table = call(table, "filter", column.handle, f.function());
            text += ".filter(%s, %s)".formatted(column.name, f.text());
            now =
                before.stream()
                    .filter(i -> PlainArrays.test(f.function(), column.plain.at(i)))
                    .toList();
          }
        }
        case 2 -> {
          Item other = all.get(shape.nextInt(all.size()));
          if (column.type() == ElementType.INT && other.type() == ElementType.DOUBLE) {
            int k = k();
            ChainFunction.Both f = ChainFunction.both(k);
            table = table.filter(f, column.handle, other.handle);
            text +=
                ".filter((v, w) -> v > %s || w < %s, %s, %s)"
                    .formatted(k, k, column.name, other.name);
            now =
                before.stream()
                    .filter(i -> f.f((int) column.plain.longAt(i), other.plain.doubleAt(i)))
                    .toList();
          }
        }
        case 3 -> {
          Item next = all.get(shape.nextInt(all.size()));
          boolean isDown = shape.nextBoolean();
          boolean isNextDown = shape.nextBoolean();
          Boolean isNanFirst = shape.nextBoolean() ? (Boolean) shape.nextBoolean() : null;
          table =
              table.sortedBy(
                  PlainArrays.key(column.handle, isDown, isNanFirst),
                  PlainArrays.key(next.handle, isNextDown, null));
          text +=
              ".sortedBy(%s %s, NaN first %s, %s %s)"
                  .formatted(column.name, isDown, isNanFirst, next.name, isNextDown);
          now =
              PlainArrays.sorted(
                  before,
                  PlainArrays.order(column.plain, isDown, isNanFirst)
                      .thenComparing(PlainArrays.order(next.plain, isNextDown, null)));
        }
        case 4 -> {
          int count = shape.nextInt(50);
          boolean isLimit = shape.nextBoolean();
          int some = Math.min(count, before.size());
          table = isLimit ? table.limit(count) : table.skip(count);
          text += isLimit ? ".limit(%s)".formatted(count) : ".skip(%s)".formatted(count);
          now = isLimit ? before.subList(0, some) : before.subList(some, before.size());
        }
        case 5 -> {
          if (isKey(column)) {
            table = table.distinct(column.handle);
            text += ".distinct(%s)".formatted(column.name);
            Set<Number> seen = new HashSet<>();
            now = before.stream().filter(i -> seen.add(column.plain.at(i))).toList();
          }
        }
        default -> {
          if (isKey(column)) {
            Map<Number, List<Integer>> groups = new TreeMap<>(ORDER);
            groups.putAll(
                PlainArrays.groups(rows(0, now.size()), i -> column.plain.at(before.get(i))));
            // rows of groups are those of this table, and columns have what it has in them
            Values keys = at(column.plain, now);
            tableGroups(
                text + ".groupBy(%s)".formatted(column.name),
                table,
                column,
                keys,
                groups.values(),
                all,
                now);
          }
        }
      }
    }
    joinedTable(text, table, all, now);
  }

  private static boolean isKey(Item column) {
    return column.type() == ElementType.INT || column.type() == ElementType.LONG;
  }

  private void tableGroups(
      String text,
      Table table,
      Item key,
      Values keys,
      java.util.Collection<List<Integer>> groups,
      List<Item> all,
      List<Integer> now) {
    aggregates(
        text,
        table.groupBy(key.handle),
        keys,
        groups,
        _ -> {
          Item column = all.get(shape.nextInt(all.size()));
          return new Item(column.name, column.handle, at(column.plain, now));
        });
  }

  /** Adds columns of a table, or of what it becomes when it is joined with another. */
  private void joinedTable(String text, Table table, List<Item> all, List<Integer> now) {
    Item key = all.get(shape.nextInt(all.size()));
    if (isKey(key) && shape.nextInt(3) == 0 && isJoined(text, table, all, key, now)) {
      return;
    }
    for (int n = 1 + shape.nextInt(2); n > 0; n--) {
      Item column = all.get(shape.nextInt(all.size()));
      add("%s.of(%s)".formatted(text, column.name), table.of(column.handle), at(column.plain, now));
    }
  }

  /** Adds columns of a join, unless it has too many rows. */
  private boolean isJoined(String text, Table table, List<Item> all, Item key, List<Integer> now) {
    Item next = all.get(shape.nextInt(all.size()));
    Item time = all.get(shape.nextInt(all.size()));
    boolean isByTwo = isKey(next) && shape.nextBoolean();
    int length = length();
    Item id = given(key.type(), length);
    Item more = given(type(), length);
    Item nextId = isByTwo ? given(next.type(), length) : id;
    String join =
        List.of("join", "leftJoin", "rightJoin", "fullJoin", "semiJoin", "antiJoin", "asOfJoin")
            .get(shape.nextInt(7));
    Item at = join.equals("asOfJoin") ? given(time.type(), length) : id;
    Map<List<Number>, List<Integer>> left = new LinkedHashMap<>();
    Map<List<Number>, List<Integer>> right = new LinkedHashMap<>();
    IntFunction<List<Number>> keyHere =
        i -> List.of(key.plain.at(i), isByTwo ? next.plain.at(i) : 0);
    IntFunction<List<Number>> keyThere =
        j -> List.of(id.plain.at(j), isByTwo ? nextId.plain.at(j) : 0);
    now.forEach(i -> left.computeIfAbsent(keyHere.apply(i), _ -> new ArrayList<>()).add(i));
    rows(0, length)
        .forEach(j -> right.computeIfAbsent(keyThere.apply(j), _ -> new ArrayList<>()).add(j));
    List<Integer> none = List.of(-1);
    List<Integer> here = new ArrayList<>();
    List<Integer> there = new ArrayList<>();
    for (int i : now) {
      List<Integer> equal = right.getOrDefault(keyHere.apply(i), List.of());
      boolean isMet = !equal.isEmpty();
      List<Integer> partners =
          switch (join) {
            case "join" -> equal;
            case "leftJoin", "fullJoin" -> isMet ? equal : none;
            case "semiJoin" -> isMet ? none : List.of();
            case "antiJoin" -> isMet ? List.of() : none;
            case "asOfJoin" ->
                equal.stream()
                    .filter(j -> ORDER.compare(at.plain.at(j), time.plain.at(i)) <= 0)
                    .max(PlainArrays.order(at.plain, false, null).thenComparing(j -> j))
                    .map(List::of)
                    .orElse(none);
            default -> List.of();
          };
      partners.forEach(_ -> here.add(i));
      there.addAll(partners);
      if (here.size() > MOST) {
        return false;
      }
    }
    boolean isRight = join.equals("rightJoin");
    for (int j : isRight || join.equals("fullJoin") ? rows(0, length) : List.<Integer>of()) {
      List<Integer> equal = left.getOrDefault(keyThere.apply(j), List.of());
      List<Integer> partners = equal.isEmpty() ? none : isRight ? equal : List.of();
      here.addAll(partners);
      partners.forEach(_ -> there.add(j));
      if (here.size() > MOST) {
        return false;
      }
    }
    Table other = funnel.table(id.handle, more.handle).with(nextId.handle).with(at.handle);
    Table.On first = new Table.On(key.handle, id.handle);
    Table.On[] rest =
        isByTwo ? new Table.On[] {new Table.On(next.handle, nextId.handle)} : new Table.On[0];
    Table both =
        switch (join) {
          case "join" -> table.join(other, first, rest);
          case "leftJoin" -> table.leftJoin(other, first, rest);
          case "rightJoin" -> table.rightJoin(other, first, rest);
          case "fullJoin" -> table.fullJoin(other, first, rest);
          case "semiJoin" -> table.semiJoin(other, first, rest);
          case "antiJoin" -> table.antiJoin(other, first, rest);
          default ->
              table.asOfJoin(
                  other,
                  new Table.On(time.handle, at.handle),
                  Stream.concat(Stream.of(first), Stream.of(rest)).toArray(Table.On[]::new));
        };
    String joined =
        "%s.%s(table(%s, %s, %s, %s), by two: %s, %s, time %s)"
            .formatted(
                text,
                join,
                id.name,
                more.name,
                nextId.name,
                at.name,
                isByTwo,
                next.name,
                time.name);
    if (!join.equals("semiJoin") && !join.equals("antiJoin")) {
      Number instead = more.type().fitting("fill", 3);
      Table filled = join.equals("join") ? both : both.fill(more.handle, 3);
      add(
          "%s.of(%s)".formatted(joined, more.name),
          filled.of(more.handle),
          of(
              more.type(),
              there.size(),
              i -> there.get(i) < 0 ? instead : more.plain.at(there.get(i))));
    }
    add(
        "%s.of(%s)".formatted(joined, key.name),
        both.of(key.handle),
        of(
            key.type(),
            here.size(),
            i -> here.get(i) < 0 ? id.plain.at(there.get(i)) : key.plain.at(here.get(i))));
    return true;
  }

  private void histogram(Item x) {
    double low = -16;
    double high = 16;
    int bins = 8;
    Histogram histogram =
        x.type().isFloating()
            ? Histogram.even(bins, low, high)
            : Histogram.even(bins, (long) low, (long) high);
    int[] counts = new int[bins];
    for (int i = 0; i < x.length(); i++) {
      double v = x.plain.doubleAt(i);
      for (int bin = 0; bin < bins; bin++) {
        counts[bin] += v >= low + 4 * bin && v < low + 4 * bin + 4 ? 1 : 0;
      }
    }
    String even = "even(8, -16, 16)";
    Item y = asLong(x.length(), x.type());
    if (x.type() != ElementType.BYTE && shape.nextInt(3) == 0) {
      int[] pairs = new int[bins * bins];
      for (int i = 0; i < x.length(); i++) {
        double row = Math.floor((x.plain.doubleAt(i) - low) / 4);
        double column = Math.floor((y.plain.doubleAt(i) - low) / 4);
        if (row >= 0 && row < bins && column >= 0 && column < bins) {
          pairs[bins * (int) row + (int) column]++;
        }
      }
      add(
          "%s.histogram2d(%s, %s, %s)".formatted(x.name, y.name, even, even),
          call(x.handle, "histogram2d", y.handle, histogram, histogram),
          of(ElementType.INT, pairs.length, i -> pairs[i]));
    } else if (x.type() != ElementType.BYTE && PlainArrays.isExact(y.plain)) {
      Values sums = Values.ofLength(y.type(), bins);
      for (int i = 0; i < x.length(); i++) {
        double bin = Math.floor((x.plain.doubleAt(i) - low) / 4);
        if (bin >= 0 && bin < bins) {
          Number before = sums.at((int) bin);
          sums.put(
              (int) bin,
              PlainArrays.reduce(
                  Operator.SUM, of(y.type(), List.of(before, y.plain.at(i))), rows(0, 2)));
        }
      }
      add(
          "%s.histogram(%s, %s)".formatted(x.name, even, y.name),
          call(x.handle, "histogram", histogram, y.handle),
          sums);
    } else {
      add(
          x.name + ".histogram(" + even + ")",
          call(x.handle, "histogram", histogram),
          ints(counts));
    }
  }

  private void single(Item x) {
    if (x.length() == 0) {
      return;
    }
    boolean isMax = shape.nextBoolean();
    Number plain =
        PlainArrays.reduce(isMax ? Operator.MAX : Operator.MIN, x.plain, rows(0, x.length()));
    String name = "v" + (singles.size() + 1);
    lines.add("%s = %s.value(%s);".formatted(name, x.name, isMax ? "max" : "min"));
    singles.add(new Single(name, x.handle.value(isMax ? Reduction.max() : Reduction.min()), plain));
  }

  private void withValue() {
    Item x = any(ElementType.DOUBLE);
    List<Single> all = singles.stream().filter(v -> v.plain instanceof Integer).toList();
    if (all.isEmpty()) {
      single(any(ElementType.INT, ElementType.BYTE));
      return;
    }
    Single value = all.get(shape.nextInt(all.size()));
    int k = k();
    ChainFunction.WithInt f = ChainFunction.withInt(k);
    add(
        "doubles((v, w) -> v > w ? v : w + %s, %s, %s)".formatted(k, x.name, value.name),
        funnel.doubles(f, x.handle, value.handle),
        of(ElementType.DOUBLE, x.length(), i -> f.f(x.plain.doubleAt(i), (Integer) value.plain)));
  }

  private void kept(Item x) {
    Array handle = x.handle.keep();
    kept.add(handle);
    add(x.name + ".keep()", handle, x.plain);
  }

  /** What was read is an input. */
  private void again(Item x) {
    Array handle =
        switch (x.handle) {
          case Bytes y -> funnel.of(y.toArray());
          case Ints y -> funnel.of(y.toArray());
          case Longs y -> funnel.of(y.toArray());
          case Floats y -> funnel.of(y.toArray());
          case Doubles y -> funnel.of(y.toArray());
        };
    add("of(%s.toArray())".formatted(x.name), handle, x.plain);
  }

  /** One array is given several times. */
  private void twice(Item x) {
    if (3 * x.length() > MOST || x.type() == ElementType.BYTE) {
      return;
    }
    int n = x.length();
    ChainFunction f = ChainFunction.zip3(x.type(), k());
    Object sum = call(x.handle, "zip", x.handle, x.handle, f.function());
    Item zipped =
        add(
            "%1$s.zip(%1$s, %1$s, %2$s)".formatted(x.name, f.text()),
            (Array) sum,
            of(
                x.type(),
                n,
                i ->
                    PlainArrays.combine(
                        f.function(), x.plain.at(i), x.plain.at(i), x.plain.at(i))));
    add(
        "%1$s.concat(%2$s, %1$s)".formatted(x.name, zipped.name),
        concat(x.handle, zipped.handle),
        of(x.type(), 3 * n, i -> i >= n && i < 2 * n ? zipped.plain.at(i - n) : x.plain.at(i % n)));
  }

  private static Array concat(Array x, Array y) {
    Array[] more = (Array[]) java.lang.reflect.Array.newInstance(x.getClass(), 2);
    more[0] = y;
    more[1] = x;
    return x.concat(more);
  }

  // Readings.

  /** Makes a chain, reads some of it and compares. */
  void check() {
    for (int i = 1 + shape.nextInt(2); i > 0; i--) {
      given(type(), length());
    }
    int most = 1 + shape.nextInt(shape.nextInt(5) == 0 ? 25 : 7);
    for (int made = 0; made < most; made++) {
      step();
    }
    read();
    kept.forEach(Array::close);
  }

  private void read() {
    Item last = pool.getLast();
    switch (shape.nextInt(6)) {
      case 0 -> same(last.name + ".toArray()", last.plain, last.handle.toArray());
      case 1 -> numbers(last);
      default -> together(last);
    }
  }

  private void together(Item last) {
    List<Item> items = new ArrayList<>(List.of(last));
    for (int n = shape.nextInt(shape.nextInt(5) == 0 ? 12 : 3); n > 0; n--) {
      items.add(any());
    }
    List<Operand> operands = new ArrayList<>(items.stream().map(x -> (Operand) x.handle).toList());
    Single value = singles.isEmpty() ? null : singles.getLast();
    if (value != null) {
      operands.add(value.handle);
    }
    lines.add("read(%s)".formatted(items.stream().map(Item::name).toList()));
    Reading reading = funnel.read(operands.toArray(Operand[]::new));
    for (Item item : items) {
      same(item.name, item.plain, reading.get(item.handle));
    }
    if (value != null) {
      assertEquals(value.plain, reading.get(value.handle), value.name);
    }
  }

  private void numbers(Item x) {
    List<Integer> rows = rows(0, x.length());
    ChainFunction f = ChainFunction.test(x.type(), which(), k());
    lines.add("%s.count(), count, findFirst, anyMatch, allMatch(%s)".formatted(x.name, f.text()));
    assertEquals(x.length(), x.handle.count(), "count");
    List<Integer> where = where(x, f);
    assertEquals(where.size(), (Integer) call(x.handle, "count", f.function()), "count of some");
    int first = where.isEmpty() ? -1 : where.getFirst();
    assertEquals(first, (Integer) call(x.handle, "findFirst", f.function()), "findFirst");
    assertEquals(first >= 0, call(x.handle, "anyMatch", f.function()), "anyMatch");
    assertEquals(where.size() == x.length(), call(x.handle, "allMatch", f.function()), "allMatch");
    boolean isSorted =
        rows.stream().skip(1).allMatch(i -> ORDER.compare(x.plain.at(i - 1), x.plain.at(i)) <= 0);
    assertEquals(isSorted, x.handle.isSorted(), "isSorted");
    if (x.type() != ElementType.BYTE) {
      if (PlainArrays.isExact(x.plain)) {
        assertEquals(PlainArrays.reduce(Operator.SUM, x.plain, rows), call(x.handle, "sum"), "sum");
      }
      if (!rows.isEmpty()) {
        assertEquals(PlainArrays.reduce(Operator.MIN, x.plain, rows), call(x.handle, "min"), "min");
        assertEquals(PlainArrays.reduce(Operator.MAX, x.plain, rows), call(x.handle, "max"), "max");
        assertEquals(argMin(x.plain, rows), (Integer) call(x.handle, "argMin"), "argMin");
        assertEquals(
            PlainArrays.top(x.plain, rows, true, 1).getFirst(), call(x.handle, "argMax"), "argMax");
        statistics(x);
      }
    }
  }

  /** With the JVM's bits. */
  private void statistics(Item x) {
    Item y = asLong(x.length(), x.type());
    lines.add("mean, variance, covariance, correlation of %s and %s".formatted(x.name, y.name));
    Array there = on(jvm, x.plain);
    for (String method : List.of("mean", "variance")) {
      assertEquals((Double) call(there, method), (Double) call(x.handle, method), method);
    }
    for (String method : List.of("covariance", "correlation")) {
      Double wanted = call(there, method, on(jvm, y.plain));
      assertEquals(wanted, (Double) call(x.handle, method, y.handle), method);
    }
  }

  static void same(String name, Values wanted, Object array) {
    int length = java.lang.reflect.Array.getLength(array);
    assertEquals(wanted.length(), length, "length of " + name);
    Values made = new Values(wanted.type(), array, 0, length);
    for (int i = 0; i < length; i++) {
      if (!wanted.at(i).equals(made.at(i))) {
        throw new AssertionError(
            "%s[%s] is %s, not %s".formatted(name, i, made.at(i), wanted.at(i)));
      }
    }
  }

  /** The chain as text like Java. */
  @Override
  public String toString() {
    return String.join("\n  ", lines);
  }
}
