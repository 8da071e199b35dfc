package funnel.transform;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * All permutations come up equally often, as far as chi-square shows with seeds that stay the same.
 */
class BijectionTest {

  /** How far a chi-square of so many cells is off what is expected, in standard deviations. */
  private static double deviation(Iterable<Integer> counts, int cells, double expected) {
    double sum = 0;
    int seen = 0;
    for (int count : counts) {
      sum += (count - expected) * (count - expected) / expected;
      seen++;
    }
    sum += (cells - seen) * expected;
    return (sum - (cells - 1)) / Math.sqrt(2.0 * (cells - 1));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1L << 40})
  void allOrdersOfFewElements(long firstSeed) {
    int seeds = 40_000;
    int orders = 1;
    for (int n = 2; n <= 6; n++) {
      orders *= n;
      Map<Integer, Integer> counts = new HashMap<>();
      int bits = Bijection.bits(n);
      for (int seed = 0; seed < seeds; seed++) {
        int order = 0;
        for (int i = 0; i < n; i++) {
          order = 10 * order + Bijection.at(i, n, bits, Bijection.key(firstSeed + seed));
        }
        counts.merge(order, 1, Integer::sum);
      }
      double off = deviation(counts.values(), orders, (double) seeds / orders);
      assertEquals(orders, counts.size());
      assertTrue(Math.abs(off) < 4, "%s elements: %.1f standard deviations".formatted(n, off));
    }
  }

  /** Where elements go, and where neighbours go from each other. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1L << 40})
  void placesOfManyElements(long firstSeed) {
    int n = 1000;
    int seeds = 20_000;
    int bits = Bijection.bits(n);
    for (int i : new int[] {0, 1, 31, 32, 512, 999}) {
      Integer[] places = new Integer[n];
      Integer[] distances = new Integer[n - 1];
      Arrays.fill(places, 0);
      Arrays.fill(distances, 0);
      for (int seed = 0; seed < seeds; seed++) {
        long key = Bijection.key(firstSeed + seed);
        int at = Bijection.at(i, n, bits, key);
        int next = Bijection.at((i + 1) % n, n, bits, key);
        places[at]++;
        distances[(next - at + n) % n - 1]++;
      }
      double ofPlaces = deviation(List.of(places), n, (double) seeds / n);
      double ofDistances = deviation(List.of(distances), n - 1, (double) seeds / (n - 1));
      assertTrue(Math.abs(ofPlaces) < 4, "place of %s: %.1f".formatted(i, ofPlaces));
      assertTrue(Math.abs(ofDistances) < 4, "distance at %s: %.1f".formatted(i, ofDistances));
    }
  }

  @Test
  void bitsAreMoreThanTheLength() {
    for (int length : new int[] {0, 1, 63, 64, 65, 1 << 20, (1 << 20) - 1, Integer.MAX_VALUE - 8}) {
      int bits = Bijection.bits(length);
      assertTrue(1L << bits > length && bits >= 6 && bits <= 31);
      assertTrue(bits == 6 || 1L << (bits - 1) <= length);
      if (length > 0) {
        int at = Bijection.at(length - 1, length, bits, 1);
        assertTrue(at >= 0 && at < length);
      }
    }
  }
}
