package funnel.histogram;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import funnel.Seed;
import funnel.Types;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.operation.Input;
import funnel.operator.ElementType;
import funnel.operator.Transform;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Histograms by several passes, which leave out tiles whose samples are in one bin. */
abstract class AlikeTilesContract extends MappedHistogramContract {

  /** A tile of one round. */
  static final int ROUND = HistogramShape.COUNTING_THREADS * HistogramShape.ROUND;

  private static final int WIDTH = 10;

  /** Stretches of samples of one bin, of one bin but for a sample, of no bin, and of any. */
  static Samples stretches(
      ElementType type, int length, int stretch, int bins, SplittableRandom random) {
    int span = type == ElementType.BYTE ? 256 : WIDTH * bins;
    Samples samples = Samples.of(type, length, i -> random.nextInt(span));
    for (int start = 0; start < length; start += stretch) {
      int end = Math.min(start + stretch, length);
      int kind = random.nextInt(5);
      int low = kind == 4 ? span : random.nextInt(bins) * WIDTH % span;
      for (int i = start; i < end & kind > 0; i++) {
        samples.set(i, type == ElementType.BYTE ? low : low + random.nextInt(WIDTH));
      }
      if (kind == 1) {
        int[] places = {start, end - 1, random.nextInt(start, end)};
        samples.set(places[random.nextInt(3)], random.nextInt(span));
      }
    }
    return samples;
  }

  final void check(ElementType type, int bins, int length, int stretch, SplittableRandom random) {
    Samples samples = stretches(type, length, stretch, bins, random);
    boolean isReal = type.isFloating();
    int high = type == ElementType.BYTE ? 256 : WIDTH * bins;
    Histogram histogram =
        isReal ? Histogram.even(bins, 0.0, (double) high) : Histogram.even(bins, 0, high);
    Expected.Rule rule =
        isReal ? Expected.even(bins, 0.0, (double) high) : Expected.even(bins, 0, high);
    try (HistogramTrial trial =
        new HistogramTrial(
            engine(), histogram.by(HistogramMethod.PASSES), type, rule, length, false)) {
      trial.check(samples, 0, length, type + Seed.replay());
      int from = random.nextInt(length);
      trial.check(samples, from, random.nextInt(from, length), type + Seed.replay());
      trial.check(samples, 0, 0, type + Seed.replay());
    }
  }

  @ParameterizedTest
  @Types
  void tilesOfOneBin(ElementType type) {
    check(type, 600, 20 * ROUND + 77, ROUND, Seed.random("alike" + type));
  }

  /** The function decides, not the sample. */
  @ParameterizedTest
  @EnumSource(names = {"BYTE", "INT"})
  void tilesOfOneValueOfAFunction(ElementType type) {
    Transform map = Transform.indexedInt("later", (i, v) -> i < 700 ? v : v + 300);
    int length = 4 * ROUND + 5;
    Input x = new Input("x", type, length);
    Histogram histogram = Histogram.ofKeys(600).mapped(map).by(HistogramMethod.PASSES);
    Samples samples = Samples.of(type, length, i -> 7);
    try (LoadedProgram loaded =
        engine()
            .load(
                Program.of(List.of(x), histogram.expand("y", List.of(x)).primitives()), Map.of())) {
      loaded.set("x", samples.segment());
      loaded.run();
      int[] expected = new int[600];
      expected[7] = 700;
      expected[307] = length - 700;
      int[] actual = new int[600];
      Arrays.fill(actual, -1);
      loaded.fetch("y", MemorySegment.ofArray(actual));
      assertArrayEquals(expected, actual);
    }
  }
}
