package funnel.histogram;

import funnel.Seed;
import funnel.engine.Engine;
import funnel.engine.tornado.AtomicsProbe;
import funnel.engine.tornado.TornadoEngine;
import funnel.operator.ElementType;
import funnel.ptx.PtxDriver;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("gpu")
class TornadoHistogramTest extends HistogramContract {

  @Override
  Engine open() {
    return TornadoEngine.open();
  }

  @Override
  List<HistogramMethod> methods() {
    return Stream.of(HistogramMethod.values())
        .filter(
            method ->
                method != HistogramMethod.PRIVATISED
                    || AtomicsProbe.localAdd().outcome() == AtomicsProbe.Outcome.RIGHT)
        .toList();
  }

  @Override
  int capacity() {
    return PtxDriver.length(400_000);
  }

  @Override
  int mostCounters() {
    return PtxDriver.length(1 << 17);
  }

  @Override
  int randomCases() {
    return PtxDriver.cases(1000);
  }

  @Override
  int casesOfAPlan() {
    return 20;
  }

  /** More samples than a wave of blocks has in a round, so that blocks take several tiles. */
  @ParameterizedTest
  @EnumSource(
      value = HistogramMethod.class,
      names = {"STRIDED", "THREAD_COUNTERS"})
  @Tag("large")
  void severalTilesABlock(HistogramMethod method) {
    SplittableRandom random = Seed.random("tiles");
    int n = 2 * HistogramShape.COUNTING_BLOCKS * 31 * 512 + 12_345;
    int[] values = new int[n];
    for (int i = 0; i < n; i++) {
      values[i] = random.nextInt(4) > 0 ? 77 : random.nextInt(200);
    }
    Samples samples = new Samples(ElementType.INT, values, n);
    try (HistogramTrial trial =
        new HistogramTrial(
            engine(),
            Histogram.ofKeys(200).by(method),
            ElementType.INT,
            Expected.keys(200),
            n,
            false)) {
      trial.check(samples, 0, n, Seed.replay());
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = HistogramMethod.class,
      names = {"SECTIONED", "STRIDED"})
  @Tag("large")
  void veryManyBins(HistogramMethod method) {
    SplittableRandom random = Seed.random("many");
    int bins = 1 << 21;
    int n = 3_000_000;
    Samples samples = Samples.of(ElementType.INT, n, i -> random.nextInt(bins));
    try (HistogramTrial trial =
        new HistogramTrial(
            engine(),
            Histogram.ofKeys(bins).accumulating().by(method),
            ElementType.INT,
            Expected.keys(bins),
            n,
            true)) {
      trial.check(samples, 0, n, Seed.replay());
    }
  }
}
