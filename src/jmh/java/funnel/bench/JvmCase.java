package funnel.bench;

import funnel.Elements;
import funnel.Funnel;
import funnel.Results;
import funnel.histogram.Histogram;
import funnel.histogram.ScatterReduce;
import funnel.jit.FunctionCopies;
import funnel.jit.KernelCopies;
import funnel.jit.TwinClass;
import funnel.operation.Operation;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.scan.SegmentedScan;
import funnel.scan.Segments;
import funnel.select.Select;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** One row of {@link JvmTable} over so many elements: a call of Funnel's, and a plain loop. */
final class JvmCase {

  /** Indices of scatter reductions are below it. */
  private static final int INDICES = 1 << 16;

  private static final long LARGE_RANGE = 1L << 62;

  /** In the place of arrays to write, if there are none, or of a result that is not compared. */
  static final Object NOTHING = new Object();

  private final SplittableRandom random = new SplittableRandom(1);
  private final int length;
  private final ElementType type;
  private final Object values;

  /** What the loop of a selection keeps, and the name of what the call does. */
  private Object selected;

  private String kept = "";

  /** The call. */
  final Supplier<Object> ours;

  /** The loop; it gives what the call does, or fills an array like it. */
  final Supplier<Object> loop;

  record Work(Operation operation, Object into, List<Object> inputs, Supplier<Object> loop) {}

  /** The case of a name out of {@link #names}. */
  JvmCase(String name, int length, Funnel funnel) {
    String[] words = name.split(": |, ");
    this.length = length;
    this.type = ElementType.valueOf(words[2]);
    ElementType to = words.length > 3 ? ElementType.valueOf(words[3]) : accumulator(type);
    this.values = values(type, length);
    Work work =
        switch (words[0]) {
          case "reduce" -> reduction(words[1]);
          case "scan" -> scan(words[1], to);
          case "segmented scan" -> segments(words[1]);
          case "histogram" -> histogram(words[1]);
          case "weighted" -> weights(words[1]);
          case "select" -> words[1].equals("rows of three") ? rows() : selection(words[1]);
          case "transform" -> JvmMoves.work(words[1], words.length > 3 ? to : type, values, random);
          case "sort" -> JvmSorts.work(words[1], values);
          case "merge" -> JvmMerges.work(words[1], values);
          default -> scatter(words[1], to);
        };
    Elements[] inputs = work.inputs.stream().map(JvmCase::elements).toArray(Elements[]::new);
    Map<String, Elements> into =
        work.into == NOTHING
            ? Map.of()
            : work.into instanceof Map<?, ?> arrays
                ? arrays.entrySet().stream()
                    .collect(
                        Collectors.toMap(
                            entry -> (String) entry.getKey(), entry -> elements(entry.getValue())))
                : Map.of("result", elements(work.into));
    this.ours =
        () -> {
          Results results = funnel.run(work.operation, into, inputs);
          return into.isEmpty() && !words[1].equals("min-max") ? results.get("result") : results;
        };
    this.loop = work.loop;
  }

  /** All rows. */
  static List<String> names() {
    List<String> names = new ArrayList<>();
    for (ElementType type : ElementType.values()) {
      boolean isFloating = type.isFloating();
      for (String of :
          "sum,product,min,max,sum as double,sum of squares,dot product,count if,mean,variance,arg min,arg max,min-max"
              .split(",")) {
        names.add("reduce: %s, %s".formatted(of, type));
      }
      for (String of :
          isFloating ? List.<String>of() : List.of("and", "or", "xor", "sum as long")) {
        names.add("reduce: %s, %s".formatted(of, type));
      }
      for (String of : List.of("sum", "product", "min", "max", "exclusive sum")) {
        names.add("scan: %s, %s".formatted(of, type));
      }
      for (String of : isFloating ? List.<String>of() : List.of("and", "or", "xor")) {
        names.add("scan: %s, %s".formatted(of, type));
      }
      for (String of : isFloating ? List.of("even", "ranges") : List.of("keys", "even", "ranges")) {
        names.add("histogram: %s, %s".formatted(of, type));
      }
      for (SelectTask task : EnumSet.complementOf(EnumSet.of(SelectTask.CHAIN_50))) {
        names.add("select: %s, %s".formatted(task, type));
      }
      names.add("select: sorted select-50, " + type);
      if (type == ElementType.BYTE) {
        continue;
      }
      for (String of : "heads,bits,offsets,int keys,long keys,min,max,product".split(",")) {
        names.add("segmented scan: %s, %s".formatted(of, type));
      }
      names.add("weighted: sum, " + type);
      for (String of : List.of("sum", "product", "min", "max", "last")) {
        names.add("scatter: %s, %s".formatted(of, type));
      }
      for (String of : isFloating ? List.<String>of() : List.of("and", "or", "xor")) {
        names.add("scatter: %s, %s".formatted(of, type));
      }
    }
    names.addAll(
        List.of(
            "scan: sum, INT, LONG",
            "scan: sum, BYTE, LONG",
            "scan: sum, FLOAT, DOUBLE",
            "scatter: sum, INT, LONG",
            "scatter: sum, FLOAT, DOUBLE",
            "histogram: bytes, BYTE",
            "histogram: channels, BYTE",
            "histogram: many even, INT",
            "histogram: wide even, LONG",
            "select: rows of three, INT"));
    names.addAll(JvmMoves.names());
    names.addAll(JvmSorts.names());
    names.addAll(JvmMerges.names());
    return names;
  }

  private static ElementType accumulator(ElementType type) {
    return type == ElementType.BYTE ? ElementType.INT : type;
  }

  private Object values(ElementType of, int count) {
    return switch (of) {
      case BYTE -> {
        byte[] bytes = new byte[count];
        new java.util.Random(1).nextBytes(bytes);
        yield bytes;
      }
      case INT -> random.ints(count).toArray();
      case LONG -> random.longs(count).toArray();
      case FLOAT -> {
        float[] floats = new float[count];
        for (int i = 0; i < count; i++) {
          floats[i] = (float) random.nextDouble(-1.5, 1.5);
        }
        yield floats;
      }
      case DOUBLE -> random.doubles(count, -1.5, 1.5).toArray();
    };
  }

  private static Object array(ElementType of, int count) {
    return switch (of) {
      case BYTE -> new byte[count];
      case INT -> new int[count];
      case LONG -> new long[count];
      case FLOAT -> new float[count];
      case DOUBLE -> new double[count];
    };
  }

  private static Elements elements(Object array) {
    return switch (array) {
      case byte[] bytes -> Elements.of(bytes);
      case int[] ints -> Elements.of(ints);
      case long[] longs -> Elements.of(longs);
      case float[] floats -> Elements.of(floats);
      default -> Elements.of((double[]) array);
    };
  }

  private static PlainLoops loops(
      ElementType element, ElementType accumulator, int operator, int transform) {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    Class<?> loops = TwinClass.of(lookup, IntToIntPlainLoops.class, element, accumulator);
    return FunctionCopies.instance(
        lookup,
        PlainLoops.class,
        KernelCopies.copy(
            lookup,
            loops,
            Map.of(
                "operator()I",
                new KernelCopies.Constant(operator),
                "transform()I",
                new KernelCopies.Constant(transform))));
  }

  private static Operator operator(String name) {
    return switch (name) {
      case "product" -> Operator.PRODUCT;
      case "min" -> Operator.MIN;
      case "max" -> Operator.MAX;
      case "and" -> Operator.AND;
      case "or" -> Operator.OR;
      case "xor" -> Operator.XOR;
      default -> Operator.SUM;
    };
  }

  private Transform isPositive() {
    return switch (type) {
      case BYTE, INT -> Transform.testInt("is positive", x -> x > 0);
      case LONG -> Transform.testLong("is positive", x -> x > 0);
      case FLOAT -> Transform.testFloat("is positive", x -> x > 0);
      case DOUBLE -> Transform.testDouble("is positive", x -> x > 0);
    };
  }

  private Work reduction(String of) {
    Reduction reduction =
        switch (of) {
          case "sum as long" -> Reduction.sumAsLong();
          case "sum as double" -> Reduction.sumAsDouble();
          case "sum of squares" -> Reduction.sumOfSquares();
          case "dot product" -> Reduction.dot();
          case "count if" -> Reduction.countIf(isPositive());
          case "mean" -> Reduction.mean();
          case "variance" -> Reduction.variance();
          case "arg min" -> Reduction.argMin();
          case "arg max" -> Reduction.argMax();
          case "min-max" -> Reduction.minMax();
          default -> Reduction.of(operator(of));
        };
    ElementType to =
        of.startsWith("arg") || of.equals("min-max")
            ? accumulator(type)
            : of.equals("count if") ? ElementType.INT : reduction.resultType(type);
    Operator by = operator(of);
    int transform =
        switch (of) {
          case "sum of squares" -> PlainLoops.SQUARE;
          case "dot product" -> PlainLoops.PRODUCT;
          case "count if" -> PlainLoops.TEST;
          default -> PlainLoops.IDENTITY;
        };
    PlainLoops loops = loops(type, to, by.code(), transform);
    PlainLoops deviations = loops(type, to, by.code(), PlainLoops.SQUARED_DEVIATION);
    Object others = of.equals("dot product") ? values(type, length) : values;
    Number identity = by.identity(to);
    Supplier<Object> loop =
        switch (of) {
          case "mean" ->
              () -> loops.reduce(values, values, identity, identity).doubleValue() / length;
          case "variance" ->
              () -> {
                double mean = (Double) loops.reduce(values, values, 0.0, 0.0) / length;
                return (Double) deviations.reduce(values, values, 0.0, mean) / length;
              };
          case "arg min" -> () -> loops.best(values, true);
          case "arg max" -> () -> loops.best(values, false);
          case "min-max" -> () -> loops.minMax(values);
          default -> () -> loops.reduce(values, others, identity, identity);
        };
    List<Object> inputs = of.equals("dot product") ? List.of(values, others) : List.of(values);
    return new Work(reduction, NOTHING, inputs, loop);
  }

  private Work scan(String of, ElementType to) {
    boolean inclusive = !of.startsWith("exclusive");
    Operator by = operator(of);
    PlainLoops loops = loops(type, to, by.code(), 0);
    Object output = array(to, length);
    Scan scan = inclusive ? Scan.inclusive(by) : Scan.exclusive(by);
    return new Work(
        to == accumulator(type) ? scan : scan.to(to),
        array(to, length),
        List.of(values),
        () -> {
          loops.scan(values, output, by.identity(to), inclusive);
          return output;
        });
  }

  /** Segments of 100 elements or so. */
  private Work segments(String of) {
    Operator by = operator(of);
    byte[] heads = new byte[length];
    int[] bits = new int[Math.ceilDiv(length, Integer.SIZE)];
    int[] offsets = new int[length];
    int[] intKeys = new int[length];
    long[] longKeys = new long[length];
    int count = 0;
    for (int i = 0; i < length; i++) {
      if (i == 0 || random.nextInt(100) == 0) {
        heads[i] = 1;
        bits[i >> 5] |= 1 << i;
        offsets[count++] = i;
      }
      intKeys[i] = count;
      longKeys[i] = count;
    }
    Object output = array(type, length);
    Object segments =
        switch (of) {
          case "bits" -> bits;
          case "offsets" -> Arrays.copyOf(offsets, count);
          case "int keys" -> intKeys;
          case "long keys" -> longKeys;
          default -> heads;
        };
    String kind = segments == heads ? "heads" : of;
    PlainLoops loops = loops(type, type, by.code(), 0);
    return new Work(
        SegmentedScan.inclusive(by)
            .segments(
                switch (kind) {
                  case "bits" -> Segments.byHeadBits();
                  case "offsets" -> Segments.byOffsets();
                  case "heads" -> Segments.byHeads();
                  default -> Segments.byKeys();
                }),
        array(type, length),
        List.of(values, segments),
        () -> {
          loops.segments(values, kind, segments, output, by.identity(type));
          return output;
        });
  }

  private int[] below(int limit) {
    return random.ints(length, 0, limit).toArray();
  }

  private Object keysBelow(int limit) {
    int[] keys = below(limit);
    return switch (type) {
      case BYTE -> values;
      case LONG -> Arrays.stream(keys).asLongStream().toArray();
      default -> keys;
    };
  }

  /** 256 bins, of even ones 65,536 if there are to be many. Few samples are in none. */
  private Work histogram(String of) {
    int bins = of.startsWith("many") ? INDICES : of.equals("channels") ? 3 * 256 : 256;
    PlainCounts loops =
        FunctionCopies.instance(
            MethodHandles.lookup(),
            PlainCounts.class,
            TwinClass.of(MethodHandles.lookup(), IntPlainCounts.class, type));
    Object samples =
        of.equals("keys")
            ? keysBelow(bins)
            : of.equals("channels") ? values(type, length / 3 * 3) : values;
    double range =
        switch (type) {
          case BYTE -> 256;
          case INT -> 0x1p32;
          case LONG -> 0x1p64;
          case FLOAT, DOUBLE -> 3;
        };
    long low = (long) (type == ElementType.BYTE ? 0 : -range / 2 * 0.99);
    long wide = of.startsWith("wide") ? LARGE_RANGE : (long) (range * 0.99);
    if (type == ElementType.LONG && of.equals("even")) {
      samples = Arrays.stream((int[]) values(ElementType.INT, length)).asLongStream().toArray();
      low = Integer.MIN_VALUE;
      wide = 1L << 32;
    }
    long from = low;
    double[] edges = new double[bins + 1];
    for (int i = 0; i <= bins; i++) {
      edges[i] =
          type.isFloating() ? -1.5 + 3.0 * i / bins : (long) (from + range * 0.99 * i / bins);
    }
    Object given = samples;
    int[] counts = new int[bins];
    Histogram histogram =
        switch (of) {
          case "bytes" -> Histogram.ofBytes();
          case "channels" -> Histogram.ofBytes().channels(3);
          case "keys" -> Histogram.ofKeys(bins);
          case "ranges" ->
              type.isFloating()
                  ? Histogram.ranges(edges)
                  : Histogram.ranges(Arrays.stream(edges).mapToLong(e -> (long) e).toArray());
          default ->
              type.isFloating()
                  ? Histogram.even(bins, -1.5, 1.5)
                  : Histogram.even(bins, from, from + wide);
        };
    long span = wide;
    Supplier<Object> loop =
        () -> {
          Arrays.fill(counts, 0);
          switch (of) {
            case "bytes", "keys" -> loops.keys(given, counts);
            case "channels" -> loops.channels(given, 3, counts);
            case "ranges" -> loops.ranges(given, edges, counts);
            default -> {
              if (type.isFloating()) {
                loops.even(given, -1.5, 1.5, counts);
              } else if (span == LARGE_RANGE) {
                loops.wide(given, from, span, counts);
              } else {
                loops.even(given, from, span, counts);
              }
            }
          }
          return counts;
        };
    return new Work(histogram, new int[bins], List.of(given), loop);
  }

  private Work weights(String of) {
    int bins = 256;
    int[] samples = random.ints(length).toArray();
    Object sums = array(type, bins);
    PlainLoops loops = loops(type, type, operator(of).code(), 0);
    return new Work(
        Histogram.even(bins, -2_000_000_000, 2_000_000_000).weighted(),
        array(type, bins),
        List.of(samples, values),
        () -> {
          loops.weigh(samples, -2_000_000_000, 4_000_000_000L, values, sums);
          return this;
        });
  }

  private Work scatter(String of, ElementType to) {
    int[] indices = below(INDICES);
    boolean isLast = of.equals("last");
    Operator by = operator(of);
    Object into = array(to, INDICES);
    Object old = array(to, INDICES);
    PlainLoops loops = loops(type, to, isLast ? PlainLoops.LAST : by.code(), 0);
    ScatterReduce scatter = isLast ? ScatterReduce.last() : ScatterReduce.by(by);
    return new Work(
        to == type ? scatter : scatter.to(to),
        old,
        List.of(indices, values, old),
        () -> {
          loops.scatter(indices, values, into);
          return this;
        });
  }

  /** Of random elements or of runs; sorted ones are kept in one stretch. */
  private Work selection(String of) {
    SelectTask task = new SelectBench.TaskName().convert(of.replace("sorted ", ""));
    Selectable elements = new Selectable(type, length, task.run());
    Object x = LoopSelectSubject.array(elements.array().getSegment(), type);
    byte[] flags =
        (byte[]) LoopSelectSubject.array(elements.flags().getSegment(), ElementType.BYTE);
    if (of.startsWith("sorted")) {
      sort(x);
    }
    boolean isPartition = task == SelectTask.PARTITION_50;
    ElementType otherType = task.others(type);
    selected = array(type, length);
    kept = isPartition ? "result_kept" : "result";
    Map<String, Object> into = new HashMap<>(Map.of(kept, array(type, length)));
    if (isPartition || task.isRuns()) {
      into.put(isPartition ? "result_rejected" : "result_lengths", array(otherType, length));
    }
    if (task.isRuns()) {
      into.put("result_starts", new int[length]);
    }
    Object others = array(otherType, length);
    PlainSelect loops = LoopSelectSubject.loops(type);
    return new Work(
        task.operation(type, null),
        into,
        task == SelectTask.FLAGGED_50 ? List.of(x, flags) : List.of(x),
        () -> task.loop(loops, x, flags, selected, others));
  }

  /** Three columns, of an int, a double and a long, where the first is above 0. */
  private Work rows() {
    int[] x = (int[]) values;
    double[] doubles = (double[]) values(ElementType.DOUBLE, length);
    long[] longs = (long[]) values(ElementType.LONG, length);
    int[] ints = new int[length];
    double[] keptDoubles = new double[length];
    long[] keptLongs = new long[length];
    selected = ints;
    kept = "result_1";
    Map<String, Object> into =
        Map.of(
            "result_1",
            new int[length],
            "result_2",
            new double[length],
            "result_3",
            new long[length]);
    return new Work(
        Select.where(isPositive()).rows(),
        into,
        List.of(x, x, doubles, longs),
        () -> {
          int count = 0;
          for (int i = 0; i < length; i++) {
            if (x[i] > 0) {
              ints[count] = x[i];
              keptDoubles[count] = doubles[i];
              keptLongs[count++] = longs[i];
            }
          }
          return count;
        });
  }

  private static void sort(Object array) {
    switch (array) {
      case byte[] bytes -> Arrays.sort(bytes);
      case int[] ints -> Arrays.sort(ints);
      case long[] longs -> Arrays.sort(longs);
      case float[] floats -> Arrays.sort(floats);
      default -> Arrays.sort((double[]) array);
    }
  }

  private boolean isSelected(Results results, int count) {
    Object array =
        switch (type) {
          case BYTE -> results.bytes(kept);
          case INT -> results.ints(kept);
          case LONG -> results.longs(kept);
          case FLOAT -> results.floats(kept);
          case DOUBLE -> results.doubles(kept);
        };
    long bytes = (long) count * type.bytes();
    return results.length(kept) == count
        && LoopSelectSubject.segment(array)
                .mismatch(LoopSelectSubject.segment(selected).asSlice(0, bytes))
            < 0;
  }

  /** Refuses results that differ, but for those whose loop gives none. */
  void requireSame() {
    Object expected = loop.get();
    Object result = ours.get();
    boolean isSame =
        switch (expected) {
          case Number number when result instanceof Number other ->
              Math.abs(number.doubleValue() - other.doubleValue())
                  <= (result instanceof Integer || result instanceof Long
                      ? 0.5
                      : 1e-2 * Math.max(1, Math.abs(number.doubleValue())));
          case Integer count when selected != null -> isSelected((Results) result, count);
          case int[] ints -> Arrays.equals(ints, ((Results) result).ints("result"));
          case long[] longs -> Arrays.equals(longs, ((Results) result).longs("result"));
          default -> true;
        };
    if (!isSame) {
      throw new IllegalStateException("expected %s, got %s".formatted(expected, result));
    }
  }
}
