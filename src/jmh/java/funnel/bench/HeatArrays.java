package funnel.bench;

import funnel.Funnel;
import funnel.heat.Heat2D;
import funnel.heat.HeatProblem;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The heat equation from a Java array to a Java array. Run as {@code funnel java
 * funnel.bench.HeatArrays SIDE}; prints milliseconds for each part, several times.
 */
public final class HeatArrays {

  private static final int TIMES = 6;
  private static final int STEPS = 100;

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
        List<Long> at = new ArrayList<>(List.of(System.nanoTime()));
        HeatProblem problem = HeatProblem.builder(side, side).initial(from).build();
        at.add(System.nanoTime());
        try (Heat2D heat = problem.open(funnel)) {
          at.add(System.nanoTime());
          heat.step(STEPS);
          at.add(System.nanoTime());
          heat.copyTo(MemorySegment.ofArray(into));
          at.add(System.nanoTime());
          heat.copyTo(MemorySegment.ofArray(into));
          at.add(System.nanoTime());
          float[] field = heat.toFloats();
          at.add(System.nanoTime());
          System.out.printf(
              Locale.ROOT,
              "build %.1f, open %.1f, %d steps %.1f, copyTo %.1f and %.1f, toFloats %.1f ms, %s%n",
              millis(at, 0),
              millis(at, 1),
              STEPS,
              millis(at, 2),
              millis(at, 3),
              millis(at, 4),
              millis(at, 5),
              MemorySegment.ofArray(field).mismatch(MemorySegment.ofArray(into)) < 0
                  ? "equal"
                  : "NOT EQUAL");
        }
      }
    }
  }

  private static double millis(List<Long> at, int part) {
    return (at.get(part + 1) - at.get(part)) / 1e6;
  }
}
