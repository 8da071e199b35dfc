package funnel.histogram;

import funnel.Seed;
import funnel.emulator.Emulator;
import funnel.emulator.EmulatorEngine;
import funnel.emulator.Order;
import funnel.engine.Engine;
import funnel.operator.ElementType;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EmulatorHistogramTest extends HistogramContract {

  @Override
  Engine open() {
    return new EmulatorEngine();
  }

  @Override
  List<HistogramMethod> methods() {
    return List.of(
        HistogramMethod.SECTIONED,
        HistogramMethod.STRIDED,
        HistogramMethod.PRIVATISED,
        HistogramMethod.THREAD_COUNTERS,
        HistogramMethod.PASSES);
  }

  /** A sort takes the emulator long, and has tests of its own. */
  @Test
  void sortedToo() {
    nanInfinityAndZeros(HistogramMethod.SORTED);
    longCounters(HistogramMethod.SORTED);
    accumulating_inPlaceAndApart_overflowIsRefused(HistogramMethod.SORTED);
  }

  @Override
  int oneIn() {
    return 10;
  }

  @Override
  int capacity() {
    return 20_000;
  }

  @Override
  int mostCounters() {
    return 2048;
  }

  @Override
  int randomCases() {
    return 60;
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void threadsOfABlockInAnyOrder_withoutRaces(Order order) {
    SplittableRandom random = Seed.random("order" + order);
    Emulator emulator =
        Emulator.builder()
            .order(order)
            .groupOrder(order)
            .seed(Seed.VALUE)
            .detectRaces(true)
            .build();
    int n = 4000;
    Samples samples = Samples.of(ElementType.INT, n, i -> random.nextInt(-5, 300));
    Samples keys = Samples.of(ElementType.BYTE, n, i -> random.nextInt(70));
    for (HistogramMethod method : methods()) {
      int bins = method == HistogramMethod.PASSES ? 290 : 250;
      long[] edges = random.longs(bins + 1, 0, 290).sorted().toArray();
      try (Engine engine = new EmulatorEngine(emulator);
          HistogramTrial even =
              new HistogramTrial(
                  engine,
                  Histogram.ranges(edges).by(method),
                  ElementType.INT,
                  Expected.ranges(edges),
                  n,
                  false);
          HistogramTrial byKeys =
              new HistogramTrial(
                  engine,
                  Histogram.ofKeys(70).accumulating().by(method),
                  ElementType.BYTE,
                  Expected.keys(70),
                  n,
                  true)) {
        for (int run = 0; run < 2; run++) {
          even.check(samples, 0, n, order + Seed.replay());
          byKeys.check(keys, 0, n, order + Seed.replay());
        }
        keys.set(2000, 70);
        byKeys.check(keys, 0, n, order + Seed.replay());
        keys.set(2000, 69);
      }
    }
  }
}
