package funnel.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Seed;
import funnel.operator.ElementType;
import java.math.BigDecimal;
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

  @Test
  void theLimitIsThatOfTheEquation() {
    assertEquals(0.25, HeatNumbers.limit(1, 1, 1));
    assertEquals(0.1, HeatNumbers.limit(2, 1, 0.5 / Math.sqrt(0.375)), 1e-15);
    assertEquals(Double.POSITIVE_INFINITY, HeatNumbers.limit(0, 1, 1));
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
