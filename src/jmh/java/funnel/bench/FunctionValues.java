package funnel.bench;

import funnel.Elements;
import funnel.Funnel;
import funnel.Ints;
import funnel.Plan;
import funnel.operation.Operation;
import funnel.operation.Target;
import funnel.operator.ElementFunction;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.select.Select;
import funnel.transform.Elementwise;
import funnel.transform.Gather;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.function.IntConsumer;

/**
 * Times of functions that capture a number beside the same with a constant, of functions that look
 * up elements, and of calls with the same and with a new value, on a device.
 */
final class FunctionValues {

  private static final int RUNS = 12;

  private interface Sum extends ElementFunction {
    int of(int a, int b);
  }

  private FunctionValues() {}

  /** Times the operations over 2 to the power of the first argument, 28 by default. */
  public static void main(String[] args) {
    int length = 1 << (args.length == 0 ? 28 : Integer.parseInt(args[0]));
    int k = length % 3 + 12344; // 12345, which the compiler does not know
    try (Funnel funnel = Funnel.open(Target.TORNADO)) {
      System.out.println(funnel.description());
      int[] x = new Random(1).ints(length, 0, 1 << 20).toArray();
      int[] y = x.clone();
      int[] table = new int[1 << 20];
      Elements ints = Elements.of(x);
      beside(
          funnel,
          "map",
          Elementwise.ofInt("f", v -> v * 3 + 12345),
          Elementwise.ofInt("f", v -> v * 3 + k),
          ints);
      beside(
          funnel,
          "select",
          Select.where(Transform.testInt("f", v -> v > 12345)),
          Select.where(Transform.testInt("f", v -> v > k)),
          ints);
      float limit = k;
      beside(
          funnel,
          "select of floats",
          Select.where(Transform.testFloat("f", v -> v > 12345f)),
          Select.where(Transform.testFloat("f", v -> v > limit)),
          Elements.of(floats(x)));
      beside(
          funnel,
          "reduce",
          Reduction.of(Operator.ofInt("f", 12345, (a, b) -> a ^ b ^ 12345).commutative()),
          Reduction.of(Operator.ofInt("f", k, (a, b) -> a ^ b ^ k).commutative()),
          ints);
      beside(
          funnel,
          "scan",
          Scan.inclusive(Operator.ofInt("f", 12345, (a, b) -> a ^ b ^ 12345)),
          Scan.inclusive(Operator.ofInt("f", k, (a, b) -> a ^ b ^ k)),
          ints);
      one(funnel, "two inputs", Elementwise.ofInt("f", (a, b) -> a * k + b), ints, ints);
      one(
          funnel,
          "two inputs, own interface",
          Elementwise.of("f", (Sum) (a, b) -> a * k + b),
          ints,
          ints);
      one(
          funnel,
          "two look-ups at the index",
          Elementwise.ofInt("f", i -> x[i] * k + y[i]).indexed(length));
      one(funnel, "look-up of elements", Elementwise.ofInt("f", v -> table[v]), ints);
      Ints kept = funnel.of(table).keep();
      one(funnel, "look-up of a kept array", Elementwise.ofInt("f", v -> kept.get(v)), ints);
      one(funnel, "gather of the same", Gather.at(), Elements.of(table), ints);
      for (int round = 0; round < 3; round++) {
        calls(funnel, k);
      }
    }
  }

  private static void beside(
      Funnel funnel, String name, Operation constant, Operation captured, Elements in) {
    double without = kernels(funnel, constant, in);
    double with = kernels(funnel, captured, in);
    System.out.printf(
        "%s: constant %.1f us, captured %.1f us, %.3f%n", name, without, with, with / without);
  }

  private static float[] floats(int[] x) {
    float[] floats = new float[x.length];
    for (int i = 0; i < x.length; i++) {
      floats[i] = x[i];
    }
    return floats;
  }

  private static void one(Funnel funnel, String name, Operation operation, Elements... in) {
    System.out.printf("%s: %.1f us%n", name, kernels(funnel, operation, in));
  }

  /** The best time of the kernels of a plan, in microseconds. */
  private static double kernels(Funnel funnel, Operation operation, Elements... in) {
    Plan.Builder builder = funnel.plan("times");
    String[] names = new String[in.length];
    for (int i = 0; i < in.length; i++) {
      names[i] = "x" + i;
      builder.input(names[i], in[i].type(), in[i].length());
    }
    try (Plan plan = builder.add("y", operation, names).build()) {
      for (int i = 0; i < in.length; i++) {
        plan.set(names[i], in[i]);
      }
      plan.measureKernels(true);
      long best = Long.MAX_VALUE;
      for (int run = 0; run < RUNS; run++) {
        plan.run();
        best = Math.min(best, plan.kernelNanos());
      }
      return best / 1e3;
    }
  }

  private static void calls(Funnel funnel, int k) {
    Elements x = Elements.of(new int[1000]);
    Map<String, Elements> into = Map.of("result", Elements.of(new int[1000]));
    System.out.printf(
        "call of 1,000 ints: same value %.1f us, new value %.1f us%n",
        median(i -> funnel.run(Elementwise.ofInt("f", v -> v * 3 + k), into, x)),
        median(i -> funnel.run(Elementwise.ofInt("f", v -> v * 3 + i), into, x)));
  }

  private static double median(IntConsumer call) {
    long[] times = new long[8000];
    for (int i = 0; i < times.length; i++) {
      long start = System.nanoTime();
      call.accept(i);
      times[i] = System.nanoTime() - start;
    }
    Arrays.sort(times);
    return times[times.length / 2] / 1e3;
  }
}
