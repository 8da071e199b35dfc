package funnel.histogram;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Seed;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Bins by cells of edges, against a loop over all edges. */
class EdgeCellsTest {

  private final SplittableRandom random = Seed.random("cells of edges");

  private static int expected(int notAbove, int bins) {
    return notAbove == 0 ? bins : notAbove > bins ? bins + 1 : notAbove - 1;
  }

  /** A number whose magnitude is anything, or one of few, so that edges are equal. */
  private double any(int kind) {
    double[] special = {
      Double.NEGATIVE_INFINITY,
      -Double.MAX_VALUE,
      -0.0,
      0.0,
      Double.MIN_VALUE,
      1,
      Double.MAX_VALUE,
      Double.POSITIVE_INFINITY
    };
    return switch (kind) {
      case 0 -> random.nextDouble(-1.5, 1.5);
      case 1 -> Math.scalb(random.nextDouble(-1, 1), random.nextInt(-1074, 1024));
      case 2 -> Double.MIN_VALUE * random.nextInt(20);
      case 3 -> 1 + Math.ulp(1.0) * random.nextInt(50);
      default -> special[random.nextInt(special.length)];
    };
  }

  @Test
  void floatingPointNumbers() {
    for (int trial = 0; trial < 500; trial++) {
      int kind = trial % 5;
      double[] edges = new double[random.nextInt(2, 40)];
      Arrays.setAll(edges, i -> any(random.nextInt(10) == 0 ? 4 : kind));
      Arrays.sort(edges);
      EdgeCells cells = EdgeCells.of(edges.length, i -> edges[i]);
      for (int i = 0; i < 200; i++) {
        double edge = edges[random.nextInt(edges.length)];
        double x = new double[] {edge, Math.nextUp(edge), Math.nextDown(edge), any(i % 5)}[i % 4];
        int notAbove = (int) Arrays.stream(edges).filter(e -> e <= x).count();
        assertEquals(
            expected(notAbove, edges.length - 1),
            cells.bin(x, edges, 0),
            () -> x + " among " + Arrays.toString(edges) + Seed.replay());
      }
      assertEquals(edges.length + 1, cells.bin(Double.NaN, edges, 0));
    }
  }

  @Test
  void integers() {
    for (int trial = 0; trial < 500; trial++) {
      int shift = random.nextInt(64);
      long[] edges = random.longs(random.nextInt(2, 40)).map(e -> e >> shift).toArray();
      if (trial % 5 == 0) {
        edges[0] = Long.MIN_VALUE;
        edges[1] = Long.MAX_VALUE;
      }
      Arrays.sort(edges);
      EdgeCells cells = EdgeCells.of(edges.length, i -> edges[i]);
      for (int i = 0; i < 200; i++) {
        long x = i % 2 == 0 ? random.nextLong() >> shift : edges[i % edges.length] - i % 3;
        int notAbove = (int) Arrays.stream(edges).filter(e -> e <= x).count();
        assertEquals(
            expected(notAbove, edges.length - 1),
            cells.bin(x, edges, 0),
            () -> x + " among " + Arrays.toString(edges) + Seed.replay());
      }
    }
  }
}
