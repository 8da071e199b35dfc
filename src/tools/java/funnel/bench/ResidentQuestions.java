package funnel.bench;

import funnel.Funnel;
import funnel.Ints;
import funnel.histogram.Histogram;
import funnel.operation.Target;
import funnel.operator.Operator;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Twenty questions about ints that are kept on the device: the time of the first, which compiles,
 * the median of more once the JVM has compiled the host's part, and the first about another array.
 * {@code src/bench/python/questions.py} asks CuPy the same.
 */
final class ResidentQuestions {

  private static final int RUNS = 300;
  private static final long WARM_UP_NANOS = 1_000_000_000;
  private static final int BITS = 20;

  private ResidentQuestions() {}

  /** Asks about 2 to the power of the first argument, 26 by default, on the backend that runs. */
  public static void main(String[] args) {
    int n = 1 << (args.length == 0 ? 26 : Integer.parseInt(args[0]));
    int[] array = new int[n];
    for (int i = 0; i < n; i++) {
      int h = i * 0x9E3779B1;
      h ^= h >>> 15;
      h *= 0x85EBCA77;
      h ^= h >>> 13;
      array[i] = h & (1 << BITS) - 1;
    }
    int k = 1_038_000;
    Target target =
        args.length > 1 ? Target.valueOf(args[1].toUpperCase(Locale.ROOT)) : Target.TORNADO;
    try (Funnel funnel = Funnel.open(target)) {
      System.out.printf("%s, n=%s%n", funnel.description(), n);
      long begin = System.nanoTime();
      try (Ints x = funnel.of(array).keep()) {
        System.out.printf("kept in %.1f ms%n", (System.nanoTime() - begin) / 1e6);
        questions(x, k).forEach(ResidentQuestions::ask);
        keep("sorted", () -> x.sorted().keep());
        keep("half", () -> x.filter(v -> (v & 1) == 0).keep());
        try (Ints other = funnel.of(Arrays.copyOf(array, n - 1)).keep()) {
          questions(other, k).forEach((name, question) -> first("another, " + name, question));
        }
      }
    }
  }

  private static Map<String, Supplier<Object>> questions(Ints x, int k) {
    Map<String, Supplier<Object>> questions = new LinkedHashMap<>();
    questions.put("sum", x::sumAsLong);
    questions.put("max", x::max);
    questions.put("min", x::min);
    questions.put("mean", x::mean);
    questions.put("variance", x::variance);
    questions.put("argMax", x::argMax);
    questions.put("filter, count", () -> x.filter(v -> v > k).count());
    questions.put("filter, sum", () -> x.filter(v -> v > k).sumAsLong());
    questions.put("filter, to host", () -> x.filter(v -> v > k).toArray().length);
    questions.put("any", () -> x.anyMatch(v -> v == -1));
    questions.put("map, sum", () -> x.asDoubles().map(v -> Math.sqrt(v)).sum());
    questions.put("differences, max", () -> x.differences().skip(1).max());
    questions.put("histogram", () -> x.histogram(Histogram.even(256, 0, 1 << BITS)).toArray()[255]);
    questions.put(
        "remainders, counts",
        () -> x.map(v -> v % 1000).histogram(Histogram.ofKeys(1000)).toArray()[999]);
    questions.put("cumsum, last", () -> x.scan(Operator.SUM).last(1).toArray()[0]);
    questions.put("sort, last", () -> x.sorted().last(1).toArray()[0]);
    questions.put("order, last", () -> x.order().last(1).toArray()[0]);
    questions.put("unique, count", () -> x.sorted().distinct().count());
    questions.put("top ten, least", () -> x.largest(10).values().last(1).toArray()[0]);
    questions.put("median", () -> x.quantiles(0.5).toArray()[0]);
    return questions;
  }

  private static double first(String name, Supplier<Object> question) {
    long begin = System.nanoTime();
    Object result = question.get();
    double first = (System.nanoTime() - begin) / 1e6;
    System.out.printf(Locale.ROOT, "funnel | %s | first %.2f ms | %s%n", name, first, result);
    return first;
  }

  private static void keep(String name, Supplier<Ints> keep) {
    for (int run = 0; run < 3; run++) {
      var _ =
          first(
              "keep " + name,
              () -> {
                try (Ints kept = keep.get()) {
                  return kept.count();
                }
              });
    }
  }

  private static void ask(String name, Supplier<Object> question) {
    var _ = first(name, question);
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < WARM_UP_NANOS) {
      var _ = question.get();
    }
    double[] times = new double[RUNS];
    for (int run = 0; run < RUNS; run++) {
      begin = System.nanoTime();
      var _ = question.get();
      times[run] = (System.nanoTime() - begin) / 1e6;
    }
    Arrays.sort(times);
    System.out.printf(
        Locale.ROOT,
        "funnel | %s | median %.3f ms, least %.3f ms%n",
        name,
        times[RUNS / 2],
        times[0]);
  }
}
