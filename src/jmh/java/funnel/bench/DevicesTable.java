package funnel.bench;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.histogram.Histogram;
import funnel.operation.Device;
import funnel.operation.Operation;
import funnel.operator.ElementType;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.select.Select;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;

/**
 * Resident plans, one on each device, each over as many ints: what a run takes on the first device
 * alone, and what it takes on all at once, a thread for each. Run as {@code funnel java
 * funnel.bench.DevicesTable LOG2}; prints the median of the host's times in microseconds, and the
 * efficiency: the first divided by the second.
 */
public final class DevicesTable {

  private static final int RUNS = 21;

  /** So many that TornadoVM's own Java is compiled. */
  private static final int WARM_UPS = 2_000;

  private DevicesTable() {}

  /** Measures reductions, histograms and selections. */
  public static void main(String[] args) throws Exception {
    int n = 1 << Integer.parseInt(args[0]);
    SplittableRandom random = new SplittableRandom(1);
    Elements ints = Elements.of(IntStream.range(0, n).map(i -> random.nextInt()).toArray());
    Map<String, Operation> rows = new LinkedHashMap<>();
    rows.put("sum", Reduction.sum());
    rows.put("histogram, 256 bins", Histogram.even(256, Integer.MIN_VALUE, Integer.MAX_VALUE));
    rows.put("select, a half", Select.where(Transform.testInt("positive", x -> x > 0)));
    Device[] devices = Funnel.devices().toArray(Device[]::new);
    try (Funnel funnel = Funnel.open(devices)) {
      System.out.println(funnel.description() + ", " + n + " elements on each");
      for (Map.Entry<String, Operation> row : rows.entrySet()) {
        List<Plan> plans = new ArrayList<>();
        for (Device device : devices) {
          Plan plan =
              funnel
                  .plan("table", device)
                  .input("x", ElementType.INT, n)
                  .add("y", row.getValue(), "x")
                  .build();
          plan.set("x", ints);
          plans.add(plan);
        }
        double one = times(plans.subList(0, 1));
        double all = times(plans);
        System.out.printf(
            Locale.ROOT,
            "%-22s one %9.1f, all at once %9.1f us, efficiency %.2f%n",
            row.getKey(),
            one,
            all,
            one / all);
        plans.forEach(Plan::close);
      }
    }
  }

  /** The median of the longest time of a round, in which all run at once. */
  private static double times(List<Plan> plans) throws Exception {
    double[][] times = new double[plans.size()][WARM_UPS + RUNS];
    CyclicBarrier start = new CyclicBarrier(plans.size());
    List<Thread> threads = new ArrayList<>();
    for (int p = 0; p < plans.size(); p++) {
      Plan plan = plans.get(p);
      double[] of = times[p];
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int run = 0; run < of.length; run++) {
                      await(start);
                      long from = System.nanoTime();
                      plan.run();
                      of[run] = (System.nanoTime() - from) / 1e3;
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return IntStream.range(WARM_UPS, WARM_UPS + RUNS)
        .mapToDouble(run -> Arrays.stream(times).mapToDouble(of -> of[run]).max().orElse(0))
        .sorted()
        .skip(RUNS / 2)
        .findFirst()
        .orElseThrow();
  }

  private static void await(CyclicBarrier start) {
    try {
      start.await();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
