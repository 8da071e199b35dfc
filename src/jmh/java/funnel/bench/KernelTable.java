package funnel.bench;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.group.Aggregate;
import funnel.group.GroupBy;
import funnel.group.Join;
import funnel.group.SegmentedReduce;
import funnel.operation.Operation;
import funnel.operation.Target;
import funnel.operator.Comparison;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.rank.Quantiles;
import funnel.rank.SegmentedTopK;
import funnel.rank.TopK;
import funnel.scan.Segments;
import funnel.select.Runs;
import funnel.sort.Merge;
import funnel.sort.MergeSort;
import funnel.sort.SegmentedSort;
import funnel.sort.Sort;
import funnel.transform.Elementwise;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Kernels of resident plans on a device: sorts, merges, ranks, groups, joins, functions. Run as
 * {@code funnel java funnel.bench.KernelTable REGEX LOG2}, over 2 to the power of {@code LOG2}
 * elements; prints the median and the least of a row's times in microseconds, of kernels by events
 * and of the host. Groups, joins and reductions of segments are compared with plain loops, of
 * floats that are multiples of 2<sup>-24</sup>, whose sums in doubles are exact, ranks with the
 * JVM's, which has other code for them; what others give is compared by the contract tests. Peers:
 * {@code src/bench/cuda}.
 */
public final class KernelTable {

  private static final int RUNS = Integer.getInteger("funnel.bench.runs", 11);
  private static final double[] TENTHS = {.0, .1, .2, .3, .4, .5, .6, .7, .8, .9};

  private KernelTable() {}

  /** Measures the rows whose names match. */
  public static void main(String[] args) {
    String pattern = args.length > 0 ? args[0] : ".*";
    int n = 1 << (args.length > 1 ? Integer.parseInt(args[1]) : 28);
    SplittableRandom random = new SplittableRandom(1);
    int[] integers = IntStream.range(0, n).map(i -> random.nextInt()).toArray();
    Elements ints = Elements.of(integers);
    float[] floats = floats(n, random);
    Elements values = Elements.of(floats);
    try (Funnel funnel = Funnel.open(Target.TORNADO)) {
      System.out.println(funnel.description() + ", " + n + " elements");
      Map<String, Supplier<Row>> rows = new LinkedHashMap<>();
      rows.put("top 10", () -> new Row(TopK.largest(10).withPositions(), ints));
      rows.put("top 1000", () -> new Row(TopK.largest(1000).withPositions(), ints));
      rows.put("top 1000, two values", () -> new Row(TopK.largest(1000), ints(n, i -> i & 1)));
      rows.put("top 1000, sorted", () -> new Row(TopK.largest(1000), ints(n, i -> i)));
      rows.put("median, ints", () -> new Row(Quantiles.median(), ints));
      rows.put("median, floats", () -> new Row(Quantiles.median(), values));
      rows.put("three quantiles, floats", () -> new Row(Quantiles.of(0.25, 0.5, 0.99), values));
      rows.put("ten quantiles, floats", () -> new Row(Quantiles.of(TENTHS), values));
      for (int length : new int[] {16, 1000}) {
        rows.put("top 3 of segments of " + length, () -> tops(n / 16, length, ints));
      }
      rows.put("sort, floats", () -> new Row(Sort.ascending(), values));
      for (int length : new int[] {16, 1000, 1_000_000}) {
        int[] offsets = IntStream.range(0, Math.ceilDiv(n, length)).map(i -> i * length).toArray();
        rows.put("sums of segments of " + length, () -> sums(integers, offsets));
      }
      int[] half =
          IntStream.range(0, n / 16 + 1).map(i -> i == 0 ? 0 : n / 2 + 8 * i - 8).toArray();
      rows.put("sums of a half and segments of 8", () -> sums(integers, half));
      for (int run : new int[] {2, 128}) {
        rows.put("reduce by key, runs of " + run, () -> runs(integers, run));
        rows.put("runs of " + run, () -> new Row(Runs.encode(), ints(n, i -> i / run)));
      }
      rows.put("sort of segments of 1000", () -> segments(n / 16, 1000, ints));
      rows.put("sort of segments of 16", () -> segments(n / 16, 16, ints));
      for (int groups : new int[] {1000, 1 << 24}) {
        rows.put("groups, keys below " + groups, () -> groups(floats, groups, 1));
      }
      rows.put("groups, 1000 sparse keys", () -> groups(floats, 1000, 0x9E3779B1));
      rows.put("inner join, 2^-2 with 2^-6", () -> join(n / 4, n / 64));
      rows.put(
          "merge of halves",
          () -> {
            Elements even = ints(n / 2, i -> 2 * i);
            return new Row(Merge.ascending(), even, even);
          });
      Comparison order = Comparison.ofInt("order", Integer::compare);
      rows.put("merge sort", () -> new Row(MergeSort.by(order), ints));
      Elementwise one = Elementwise.ofInt("one", x -> 2 * x + 1);
      Elementwise two = Elementwise.ofInt("two", (x, y) -> x - 3 * y);
      Elementwise mixed =
          Elementwise.ofFloat("mixed", (a, b, share) -> b < a ? a : a + share * (b - a));
      rows.put("function of an array of ints", () -> new Row(one, ints));
      rows.put("function of two arrays of ints", () -> new Row(two, ints, ints));
      rows.put("function of three of floats", () -> new Row(mixed, values, values, values));
      rows.forEach(
          (name, row) -> {
            if (name.matches(pattern)) {
              measure(funnel, name, row.get());
            }
          });
    }
  }

  private record Row(Operation operation, Predicate<Results> isRight, Elements... inputs) {
    Row(Operation operation, Elements... inputs) {
      this(operation, results -> true, inputs);
    }
  }

  /** Sums of the segments that begin at offsets. */
  private static Row sums(int[] values, int[] offsets) {
    Operation operation = SegmentedReduce.by(Operator.SUM).segments(Segments.byOffsets());
    Predicate<Results> isRight =
        results -> Arrays.equals(results.ints("y"), sumsOf(values, offsets));
    return new Row(operation, isRight, Elements.of(values), Elements.of(offsets));
  }

  private static int[] sumsOf(int[] values, int[] offsets) {
    int[] sums = new int[offsets.length];
    for (int s = 0; s < sums.length; s++) {
      int end = s + 1 < sums.length ? offsets[s + 1] : values.length;
      for (int i = offsets[s]; i < end; i++) {
        sums[s] += values[i];
      }
    }
    return sums;
  }

  private static Row runs(int[] values, int run) {
    int[] keys = IntStream.range(0, values.length).map(i -> i / run).toArray();
    int[] offsets = IntStream.range(0, Math.ceilDiv(keys.length, run)).map(i -> i * run).toArray();
    return new Row(
        GroupBy.of(Aggregate.of(Operator.SUM, 1)).runs(),
        results ->
            Arrays.equals(results.ints("y_1"), sumsOf(values, offsets))
                && Arrays.equals(results.ints("y"), IntStream.range(0, offsets.length).toArray()),
        Elements.of(keys),
        Elements.of(values));
  }

  /** Five aggregates of groups whose keys are random numbers below a limit, times an odd factor. */
  private static Row groups(float[] values, int limit, int factor) {
    SplittableRandom random = new SplittableRandom(limit);
    int[] numbers = IntStream.range(0, values.length).map(i -> random.nextInt(limit)).toArray();
    Elements keys = ints(values.length, i -> numbers[i] * factor);
    return new Row(
        GroupBy.of(
            Aggregate.count(),
            Aggregate.sum(1),
            Aggregate.min(1),
            Aggregate.max(1),
            Aggregate.mean(1)),
        results -> areRight(results, numbers, values, limit, factor),
        keys,
        Elements.of(values));
  }

  /** Each left row has one match: right keys descend to 0. */
  private static Row join(int lefts, int rights) {
    SplittableRandom random = new SplittableRandom(rights);
    int[] keys = IntStream.range(0, lefts).map(i -> random.nextInt(rights)).toArray();
    int[] matches = Arrays.stream(keys).map(key -> rights - 1 - key).toArray();
    return new Row(
        Join.inner(lefts),
        results ->
            Arrays.equals(results.ints("y_left"), IntStream.range(0, lefts).toArray())
                && Arrays.equals(results.ints("y_right"), matches),
        Elements.of(keys),
        ints(rights, i -> rights - 1 - i));
  }

  private static boolean areRight(
      Results results, int[] numbers, float[] values, int limit, int factor) {
    int[] counts = new int[limit];
    double[] sums = new double[limit];
    float[] least = new float[limit];
    float[] largest = new float[limit];
    Arrays.fill(least, Float.POSITIVE_INFINITY);
    Arrays.fill(largest, Float.NEGATIVE_INFINITY);
    for (int i = 0; i < numbers.length; i++) {
      int k = numbers[i];
      counts[k]++;
      sums[k] += values[i];
      least[k] = Math.min(least[k], values[i]);
      largest[k] = Math.max(largest[k], values[i]);
    }
    int[] keys =
        IntStream.range(0, limit).filter(k -> counts[k] > 0).map(k -> k * factor).toArray();
    Arrays.sort(keys);
    if (!Arrays.equals(results.ints("y"), keys)) {
      return false;
    }
    int inverse = factor; // of an odd number, modulo 2 to the power of 32
    for (int bits = 3; bits < Integer.SIZE; bits *= 2) {
      inverse *= 2 - factor * inverse;
    }
    int[] count = results.ints("y_1");
    double[] sum = results.doubles("y_2");
    float[] min = results.floats("y_3");
    float[] max = results.floats("y_4");
    double[] mean = results.doubles("y_5");
    boolean isRight = true;
    for (int g = 0; g < keys.length; g++) {
      int k = keys[g] * inverse;
      isRight &= count[g] == counts[k] && sum[g] == sums[k] && mean[g] == sums[k] / counts[k];
      isRight &= min[g] == least[k] && max[g] == largest[k];
    }
    return isRight;
  }

  private static Row tops(int n, int length, Elements ints) {
    Elements offsets = ints(n / length + 1, i -> i * length);
    SegmentedTopK top =
        SegmentedTopK.of(TopK.largest(3).withPositions()).segments(Segments.byOffsets());
    return new Row(top, ints.range(0, n), offsets);
  }

  private static Row segments(int n, int length, Elements ints) {
    Elements offsets = ints(n / length + 1, i -> i * length);
    return new Row(
        SegmentedSort.ascending().segments(Segments.byOffsets()), ints.range(0, n), offsets);
  }

  private static Elements ints(int n, IntUnaryOperator value) {
    return Elements.of(IntStream.range(0, n).map(value).toArray());
  }

  private static float[] floats(int n, SplittableRandom random) {
    float[] values = new float[n];
    for (int i = 0; i < n; i++) {
      values[i] = random.nextInt(1 << 24) * 0x1p-24f;
    }
    return values;
  }

  /** Compares all outputs of a row of ranks with the JVM's, to the bit. */
  private static String checked(Row row, Results got) {
    if (!row.operation().getClass().getPackageName().equals("funnel.rank")) {
      return "";
    }
    try (Funnel jvm = Funnel.open(Target.JVM)) {
      Results expected = jvm.run(row.operation(), row.inputs());
      boolean isSame = true;
      for (String name : expected.names()) {
        String own = name.replace("result", "y");
        boolean isFloat = name.equals("result") && row.inputs()[0].type() == ElementType.FLOAT;
        isSame &=
            isFloat
                ? Arrays.equals(expected.floats(name), got.floats(own))
                : Arrays.equals(expected.ints(name), got.ints(own));
      }
      return isSame ? ", as on the JVM" : ", OTHER THAN ON THE JVM";
    }
  }

  private static void measure(Funnel funnel, String name, Row row) {
    Plan.Builder builder = funnel.plan("table");
    Map<String, Elements> inputs = new LinkedHashMap<>();
    for (Elements input : row.inputs()) {
      String array = "x" + inputs.size();
      builder = builder.input(array, input.type(), input.length());
      inputs.put(array, input);
    }
    builder = builder.add("y", row.operation(), inputs.keySet().toArray(String[]::new));
    try (Plan plan = builder.build()) {
      inputs.forEach(plan::set);
      String found = row.isRight().test(plan.run()) ? "" : ", WRONG";
      double[] kernels = new double[RUNS];
      double[] host = new double[RUNS];
      for (int i = 0; i < RUNS; i++) {
        long start = System.nanoTime();
        plan.run();
        host[i] = (System.nanoTime() - start) / 1e3;
      }
      plan.measureKernels(true);
      for (int i = 0; i < RUNS; i++) {
        plan.run();
        kernels[i] = plan.kernelNanos() / 1e3;
      }
      Arrays.sort(kernels);
      Arrays.sort(host);
      System.out.printf(
          Locale.ROOT,
          "%-32s kernels %10.1f (%10.1f), host %10.1f (%10.1f) us%s%n",
          name,
          kernels[RUNS / 2],
          kernels[0],
          host[RUNS / 2],
          host[0],
          found + checked(row, plan.run()));
    } catch (RuntimeException e) {
      System.out.printf("%-32s %s%n", name, e);
    }
  }
}
