package funnel.histogram;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import funnel.Seed;
import funnel.emulator.EmulatorEngine;
import funnel.engine.Engine;
import funnel.engine.JvmEngine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.operation.Input;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Numbers of samples' counters, against the loop. */
class BinNumbersStepTest {

  static List<Engine> engines() {
    return List.of(new JvmEngine(), new EmulatorEngine());
  }

  private static LoadedProgram load(Engine engine, Histogram histogram, ElementType type, int n) {
    Input samples = new Input("x", type, n);
    BinNumbersStep numbers = new BinNumbersStep("n", "y", samples, histogram.over(type));
    return engine.load(Program.of(List.of(samples), List.of(numbers)), Map.of());
  }

  @ParameterizedTest
  @MethodSource("engines")
  void numbers(Engine engine) {
    SplittableRandom random = Seed.random("numbers");
    double[] edges = {0.1, 0.3, 0.3, 0.9};
    int n = 7002;
    for (int channels = 1; channels <= 3; channels++) {
      Samples ints = Samples.of(ElementType.INT, n, i -> random.nextInt(-20, 120));
      check(engine, Histogram.even(7, 0, 100), Expected.even(7, 0, 100), channels, ints);
      Samples doubles = Samples.of(ElementType.DOUBLE, n, i -> random.nextDouble());
      doubles.set(5, Double.NaN);
      check(engine, Histogram.ranges(edges), Expected.ranges(edges), channels, doubles);
      check(
          engine,
          Histogram.even(7, 0, 100).closed(),
          Expected.closed(Expected.even(7, 0, 100), 7, 100),
          channels,
          ints);
      double[] tenths = Histogram.even(10, 0.9, 1.1).edges();
      Samples atEdges = Samples.of(ElementType.DOUBLE, n, i -> tenths[i % 11]);
      check(engine, Histogram.even(10, 0.9, 1.1), Expected.between(tenths), channels, atEdges);
      Samples keys = Samples.of(ElementType.BYTE, n, i -> random.nextInt(50));
      check(engine, Histogram.ofKeys(50), Expected.keys(50), channels, keys);
    }
  }

  private static void check(
      Engine engine, Histogram of, Expected.Rule rule, int channels, Samples samples) {
    Histogram histogram = of.channels(channels);
    int n = samples.length();
    int[] expected = new int[n];
    for (int i = 0; i < n; i++) {
      int bin = rule.bin(samples, i);
      expected[i] = bin < 0 ? histogram.counters() : i % channels * histogram.bins() + bin;
    }
    Expected outside = Expected.of(rule, histogram.bins(), channels, samples, 0, n, new long[0]);
    try (LoadedProgram loaded = load(engine, histogram, samples.type(), n)) {
      loaded.set("x", samples.segment());
      for (int run = 0; run < 2; run++) {
        loaded.run();
        int[] numbers = new int[n];
        loaded.fetch("n", MemorySegment.ofArray(numbers));
        assertArrayEquals(expected, numbers, histogram + Seed.replay());
        int[] refused = new int[1];
        loaded.fetch("n.refused", MemorySegment.ofArray(refused));
        assertEquals(-1, refused[0]);
        if (!histogram.isByKeys()) {
          assertEquals(outside.below, loaded.result("y_below"));
          assertEquals(outside.above, loaded.result("y_above"));
          assertEquals(outside.nan, loaded.result("y_nan"));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("engines")
  void aSampleThatIsNoKey(Engine engine) {
    Samples keys = Samples.of(ElementType.LONG, 5000, i -> i % 70);
    keys.set(4000, 1L << 33);
    keys.set(4444, -1);
    try (LoadedProgram loaded = load(engine, Histogram.ofKeys(70), ElementType.LONG, 5000)) {
      loaded.set("x", keys.segment());
      KeyOutsideException e = assertThrows(KeyOutsideException.class, loaded::run);
      assertEquals(4000, e.position());
      assertEquals(1L << 33, e.key());
      assertEquals(
          "histogram y: x[4000]=8589934592 is not a key, ofKeys(70) takes 0 to 69; nothing was"
              + " counted",
          e.getMessage());
    }
  }
}
