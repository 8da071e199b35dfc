package funnel.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Seed;
import funnel.operator.ElementType;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HeatNumbersTest {

  @Test
  void twoAndTwiceTheRatioIsExact() {
    SplittableRandom random = Seed.random("ratio");
    for (int i = 0; i < 100_000; i++) {
      double dx = Math.pow(2, random.nextDouble(-4, 4));
      double dy = Math.pow(2, random.nextDouble(-2, 2));
      float k = (float) HeatNumbers.ratio(ElementType.FLOAT, dx, dy);
      assertEquals(2 + 2 * (double) k, 2 + 2 * k, Seed.replay());
      assertEquals(dx * dx / (dy * dy), k, 1e-3 * k);
      double exact = HeatNumbers.ratio(ElementType.DOUBLE, dx, dy);
      BigDecimal m = BigDecimal.valueOf(2).add(new BigDecimal(exact).multiply(BigDecimal.TWO));
      assertEquals(0, m.compareTo(new BigDecimal(2 + 2 * exact)), Seed.replay());
    }
  }

  @Test
  void ratiosThatTheTypeDoesNotHoldAreRefused() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> HeatNumbers.ratio(ElementType.FLOAT, 1e-3, 1));
    assertTrue(e.getMessage().contains("dx=0.001"), e.getMessage());
    assertEquals(1e-6, HeatNumbers.ratio(ElementType.DOUBLE, 1e-3, 1), 1e-12);
    assertEquals(1e6, HeatNumbers.ratio(ElementType.FLOAT, 1e3, 1));
  }

  @Test
  void facesHaveTheHarmonicMean() {
    assertEquals(1.5, HeatNumbers.face(1, 3));
    assertEquals(2, HeatNumbers.face(2, 2));
    assertEquals(0, HeatNumbers.face(0, 5));
    assertEquals(1e308, HeatNumbers.face(1e308, 1e308));
  }

  private static double limit(double diffusivity, double dx, double dy) {
    List<Side> insulated = Collections.nCopies(4, Side.neumann(1));
    return HeatNumbers.limit(diffusivity, dx, dy, 9, 9, insulated);
  }

  /** A node beside a wall loses 1 of its neighbours and 2 to the wall, where 2 go elsewhere. */
  @Test
  void theLimitIsLowerBesideWallsAndRobinSides() {
    Side none = Side.neumann(0);
    Side wall = Side.wall(7);
    Side robin = Side.robin(6, 1); // at a distance of 1 a share of 3/2
    assertEquals(1.0 / (3 + 2), HeatNumbers.limit(1, 1, 1, 9, 9, List.of(none, wall, none, none)));
    assertEquals(1.0 / (3 + 3), HeatNumbers.limit(1, 1, 1, 2, 2, List.of(wall, wall, none, wall)));
    assertEquals(1.0 / (4 + 2), HeatNumbers.limit(1, 1, 1, 1, 9, List.of(wall, wall, none, none)));
    assertEquals(
        1.0 / (2.5 + 2), HeatNumbers.limit(1, 1, 1, 9, 9, List.of(robin, none, none, none)));
    assertEquals(
        1.0 / (2 + 2),
        HeatNumbers.limit(1, 1, 1, 9, 9, List.of(Side.robin(2, 1), none, Side.dirichlet(), none)));
  }

  @Test
  void theLimitIsThatOfTheEquation() {
    assertEquals(0.25, limit(1, 1, 1));
    assertEquals(0.1, limit(2, 1, 0.5 / Math.sqrt(0.375)), 1e-15);
    assertEquals(Double.POSITIVE_INFINITY, limit(0, 1, 1));
  }

  @Test
  void partsOfAGridHaveNoMoreNodesOrFacesThanAsked() {
    SplittableRandom random = Seed.random("part");
    for (int i = 0; i < 10_000; i++) {
      int nx = random.nextInt(1, random.nextBoolean() ? 10 : 30_000);
      int ny = random.nextInt(1, random.nextBoolean() ? 10 : 30_000);
      int most = random.nextInt(4, 100_000);
      HeatGrid part =
          new HeatGrid(ElementType.FLOAT, nx, ny, List.of(0, 0, 0, 0), false, true, 0.2, 1)
              .within(most);
      assertTrue(part.nx() >= 1 && part.nx() <= nx, () -> part + Seed.replay());
      assertTrue(part.ny() >= 1 && part.ny() <= ny, () -> part + Seed.replay());
      assertTrue((part.nx() + 1) * (part.ny() + 1) <= most, () -> part + Seed.replay());
    }
  }
}
