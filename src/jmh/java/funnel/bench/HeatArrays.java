package funnel.bench;

import funnel.Funnel;
import funnel.heat.Heat2D;
import funnel.heat.HeatProblem;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Locale;

/**
 * The heat equation from a Java array to a Java array. Run as {@code funnel java
 * funnel.bench.HeatArrays SIDE}; prints milliseconds for each part, several times.
 */
public final class HeatArrays {

  private static final int TIMES = 6;
  private static final int STEPS = 100;

  private static long last;

  private HeatArrays() {}

  /** Measures a square of floats. */
  public static void main(String[] args) {
    int side = Integer.parseInt(args[0]);
    float[] from = new float[side * side];
    for (int i = 0; i < from.length; i++) {
      from[i] = i % 1009;
    }
    float[] into = new float[from.length];
    try (Funnel funnel = Funnel.open()) {
      System.out.println(funnel.description() + ", " + side + " x " + side + " floats");
      for (int time = 0; time < TIMES; time++) {
        millis();
        HeatProblem problem = HeatProblem.builder(side, side).initial(from).build();
        double build = millis();
        try (Heat2D heat = problem.open(funnel)) {
          double open = millis();
          heat.step(STEPS);
          double steps = millis();
          heat.copyTo(MemorySegment.ofArray(into));
          double copy = millis();
          heat.copyTo(MemorySegment.ofArray(into));
          double again = millis();
          float[] field = heat.toFloats();
          System.out.printf(
              Locale.ROOT,
              "build %.1f, open %.1f, %s steps %.1f, copyTo %.1f and %.1f, toFloats %.1f ms, %s%n",
              build,
              open,
              STEPS,
              steps,
              copy,
              again,
              millis(),
              Arrays.equals(field, into) ? "equal" : "NOT EQUAL");
        }
      }
    }
  }

  /** The time since the previous call. */
  private static double millis() {
    long previous = last;
    last = System.nanoTime();
    return (last - previous) / 1e6;
  }
}
