package funnel.bench;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.group.Aggregate;
import funnel.group.GroupBy;
import funnel.group.Join;
import funnel.group.SegmentedReduce;
import funnel.operation.Operation;
import funnel.operation.Target;
import funnel.operator.Comparison;
import funnel.operator.Operator;
import funnel.rank.Quantiles;
import funnel.rank.TopK;
import funnel.sort.Merge;
import funnel.sort.MergeSort;
import funnel.sort.SegmentedSort;
import funnel.sort.Sort;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Kernels of resident plans on a device: sorts, merges, ranks, groups and joins. Run as {@code
 * funnel java funnel.bench.KernelTable REGEX LOG2}, over 2 to the power of {@code LOG2} elements;
 * prints the median and the least of a row's times in microseconds, of kernels by events and of the
 * host. Nothing is compared here: what comes out is compared by the contract tests.
 */
public final class KernelTable {

  private static final int RUNS = 11;

  private KernelTable() {}

  /** Measures the rows whose names match. */
  public static void main(String[] args) {
    String pattern = args.length > 0 ? args[0] : ".*";
    int n = 1 << (args.length > 1 ? Integer.parseInt(args[1]) : 28);
    SplittableRandom random = new SplittableRandom(1);
    Elements ints = ints(n, i -> random.nextInt());
    Elements values = Elements.of(floats(n, random));
    try (Funnel funnel = Funnel.open(Target.TORNADO)) {
      System.out.println(funnel.description() + ", " + n + " elements");
      Map<String, Row> rows = new LinkedHashMap<>();
      rows.put("top 10", new Row(TopK.largest(10), ints));
      rows.put("top 1000", new Row(TopK.largest(1000), ints));
      rows.put("median, floats", new Row(Quantiles.median(), values));
      rows.put("sort, floats", new Row(Sort.ascending(), values));
      for (int length : new int[] {16, 1000, 1_000_000}) {
        Elements offsets = ints(n / length + 1, i -> i * length);
        rows.put(
            "sums of segments of " + length,
            new Row(SegmentedReduce.by(Operator.SUM).byOffsets(), ints, offsets));
      }
      rows.put("sort of segments of 1000", segments(n / 16, 1000, ints));
      rows.put("sort of segments of 16", segments(n / 16, 16, ints));
      Aggregate[] five = {
        Aggregate.count(), Aggregate.sum(1), Aggregate.min(1), Aggregate.max(1), Aggregate.mean(1)
      };
      for (int groups : new int[] {1000, 1 << 24}) {
        Elements keys = ints(n, i -> random.nextInt(groups));
        rows.put("groups, keys below " + groups, new Row(GroupBy.of(five), keys, values));
      }
      Elements sparse = ints(n, i -> random.nextInt(1000) * 0x9E3779B1);
      rows.put("groups, 1000 sparse keys", new Row(GroupBy.of(five), sparse, values));
      Elements left = ints(n / 4, i -> random.nextInt(n / 64));
      Elements right = ints(n / 64, i -> n / 64 - 1 - i);
      rows.put("inner join, 2^-2 with 2^-6", new Row(Join.inner(n / 4), left, right));
      Elements half = ints(n / 2, i -> 2 * i);
      rows.put("merge of halves", new Row(Merge.ascending(), half, half));
      Comparison order = Comparison.ofInt("order", Integer::compare);
      rows.put("merge sort", new Row(MergeSort.by(order), ints));
      rows.forEach(
          (name, row) -> {
            if (name.matches(pattern)) {
              measure(funnel, name, row);
            }
          });
    }
  }

  private record Row(Operation operation, Elements... inputs) {}

  private static Row segments(int n, int length, Elements ints) {
    Elements offsets = ints(n / length + 1, i -> i * length);
    return new Row(SegmentedSort.ascending().byOffsets(), ints.range(0, n), offsets);
  }

  private static Elements ints(int n, IntUnaryOperator value) {
    return Elements.of(IntStream.range(0, n).map(value).toArray());
  }

  private static float[] floats(int n, SplittableRandom random) {
    float[] values = new float[n];
    for (int i = 0; i < n; i++) {
      values[i] = (float) random.nextDouble();
    }
    return values;
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
      plan.run(inputs);
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
          "%-32s kernels %10.1f (%10.1f), host %10.1f (%10.1f) us%n",
          name, kernels[RUNS / 2], kernels[0], host[RUNS / 2], host[0]);
    } catch (RuntimeException e) {
      System.out.printf("%-32s %s%n", name, e);
    }
  }
}
