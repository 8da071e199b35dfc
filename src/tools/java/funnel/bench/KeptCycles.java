package funnel.bench;

import funnel.Funnel;
import funnel.Ints;
import funnel.operation.Target;
import java.util.Locale;

/** Keeps, reads and closes arrays many times, and says what memory they leave. */
final class KeptCycles {

  private static final int REPORTS = 5;

  private KeptCycles() {}

  /**
   * Makes cycles.
   *
   * @param args how many, 100,000 by default; the number of different lengths, 1 by default; the
   *     engine, the device by default
   */
  public static void main(String[] args) {
    int cycles = args.length > 0 ? Integer.parseInt(args[0]) : 100_000;
    int lengths = args.length > 1 ? Integer.parseInt(args[1]) : 1;
    Target target =
        args.length > 2 ? Target.valueOf(args[2].toUpperCase(Locale.ROOT)) : Target.TORNADO;
    try (Funnel funnel = Funnel.open(target)) {
      System.out.println(funnel.description());
      int[] array = new int[1000 + lengths];
      long begin = System.nanoTime();
      for (int i = 1; i <= cycles; i++) {
        array[0] = i;
        Ints all = funnel.of(array);
        try (Ints x = all.limit(1000 + i % lengths).keep()) {
          if (x.sum() != i) {
            throw new IllegalStateException("cycle %s: sum=%s".formatted(i, x.sum()));
          }
        }
        if (i % Math.max(1, cycles / REPORTS) == 0) {
          System.gc();
          Runtime runtime = Runtime.getRuntime();
          System.out.printf(
              Locale.ROOT,
              "%,d cycles, %.1f us each, heap used %.1f MB, %s%n",
              i,
              (System.nanoTime() - begin) / 1e3 / i,
              (runtime.totalMemory() - runtime.freeMemory()) / 1e6,
              funnel.details().getOrDefault("memory reserved", "no memory of a device"));
        }
      }
    }
  }
}
