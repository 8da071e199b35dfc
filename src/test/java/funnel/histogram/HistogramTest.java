package funnel.histogram;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Seed;
import funnel.engine.JvmEngine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.operation.Device;
import funnel.operation.Input;
import funnel.operation.LocalAtomics;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Descriptions of histograms: what they refuse, and when they are equal. */
class HistogramTest {

  private static void refused(Supplier<?> call, String... inMessage) {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, call::get);
    for (String part : inMessage) {
      assertTrue(e.getMessage().contains(part), e.getMessage());
    }
  }

  private static Supplier<?> step(Histogram histogram, ElementType... types) {
    List<Input> inputs =
        Arrays.stream(types).map(type -> new Input("in" + type, type, 10)).toList();
    return () -> histogram.expand("y", inputs);
  }

  @Test
  void numbersOfBins() {
    refused(() -> Histogram.ofKeys(0), "bins=0");
    refused(() -> Histogram.ofKeys((1 << 24) + 1), "bins=16777217");
    refused(() -> Histogram.even(-1, 0, 1), "bins=-1");
    refused(() -> Histogram.even(0, 0.0, 1.0), "bins=0");
    assertEquals(1 << 24, Histogram.ofKeys(1 << 24).bins());
    assertEquals(4 << 24, Histogram.ofKeys(1 << 24).channels(4).counters());
  }

  @Test
  void ends() {
    refused(() -> Histogram.even(3, 5, 5), "low=5", "high=5");
    refused(() -> Histogram.even(3, 6, 5), "low=6", "high=5");
    refused(() -> Histogram.even(3, 0.5, 0.5), "low=0.5", "high=0.5");
    refused(() -> Histogram.even(3, -0.0, 0.0), "low=-0.0", "high=0.0");
    refused(() -> Histogram.even(3, Double.NaN, 1), "low=NaN");
    refused(() -> Histogram.even(3, 0, Double.NaN), "high=NaN");
    refused(() -> Histogram.even(3, Double.NEGATIVE_INFINITY, 0), "low=-Infinity");
    refused(() -> Histogram.even(3, -Double.MAX_VALUE, Double.MAX_VALUE), "finite");
    refused(() -> Histogram.even(3, 0, Double.MIN_VALUE), "bins=3", "edges[1]=0.0");
    double two = 1 + 2 * Math.ulp(1.0);
    refused(
        () -> Histogram.even(10, 1, two),
        "too narrow",
        "low=1.0, high=1.0000000000000004, bins=10",
        "edges[0]=1.0, edges[1]=1.0",
        "fewer bins");
    assertArrayEquals(new double[] {1, Math.nextUp(1.0), two}, Histogram.even(2, 1, two).edges());
    refused(
        step(Histogram.even(3, (1L << 53) - 1, 1L << 53), ElementType.DOUBLE), "bins=3", "narrow");
    refused(() -> Histogram.ofKeys(3).closed(), "3 keys", "closed()");
    refused(() -> Histogram.ofBytes().closed(), "bytes");
  }

  @Test
  void edges() {
    refused(() -> Histogram.ranges(1), "edges=1");
    refused(() -> Histogram.ranges(1, 3, 2), "edges[1]=3", "edges[2]=2");
    refused(() -> Histogram.ranges(1f, 3f, Float.NaN), "edges[2]=NaN");
    refused(() -> Histogram.ranges(Double.NaN, 1.0), "edges[0]=NaN");
    refused(() -> Histogram.ranges(1.0, 0.5), "edges[0]=1.0", "edges[1]=0.5");
    assertEquals(2, Histogram.ranges(1, 1, 1).bins());
  }

  /** What numpy.histogram_bin_edges gives for even bins; the last edge is exactly the given one. */
  @Test
  void edgesAndCentres() {
    assertArrayEquals(new double[] {0, 4, 8, 12}, Histogram.even(3, 0, 12).edges());
    assertArrayEquals(new double[] {2, 6, 10}, Histogram.even(3, 0, 12).centres());
    assertArrayEquals(
        new double[] {-1, -0.33333333333333337, 0.33333333333333326, 1},
        Histogram.even(3, -1.0, 1.0).edges());
    assertEquals(0.7, Histogram.even(49, 0.1, 0.7).edges()[49]);
    assertArrayEquals(new double[] {0, 10, 10, 15}, Histogram.ranges(0, 10, 10, 15).edges());
    assertArrayEquals(new double[] {5, 10, 12.5}, Histogram.ranges(0, 10, 10, 15).centres());
    assertArrayEquals(new double[] {0, 1, 2, 3}, Histogram.ofKeys(3).channels(2).edges());
    assertEquals(257, Histogram.ofBytes().edges().length);
    double[] all = {Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY};
    assertArrayEquals(all, Histogram.ranges(all).edges());
    assertArrayEquals(new double[] {Double.NaN}, Histogram.ranges(all).centres());
    assertArrayEquals(
        new double[] {Double.MAX_VALUE, Double.POSITIVE_INFINITY},
        Histogram.ranges(Double.MAX_VALUE, Double.MAX_VALUE, all[1]).centres());
    assertArrayEquals(
        new double[] {-0x1p63, 0, 0x1p63},
        Histogram.even(2, Long.MIN_VALUE, Long.MAX_VALUE).edges());
    double[] mine = {1, 2};
    Histogram.ranges(mine).edges()[0] = 7;
    assertArrayEquals(new double[] {1, 2}, Histogram.ranges(mine).edges());
  }

  @Test
  void types() {
    refused(step(Histogram.ofBytes(), ElementType.INT), "INT");
    refused(step(Histogram.ofKeys(5), ElementType.FLOAT), "FLOAT");
    refused(step(Histogram.even(5, 0.0, 1.0), ElementType.INT), "INT", "long");
    refused(step(Histogram.ranges(0.5, 1.0), ElementType.LONG), "LONG", "long");
    refused(step(Histogram.even(5, 0, Long.MAX_VALUE), ElementType.DOUBLE), "no double");
    refused(step(Histogram.ranges(0, (1L << 53) + 1), ElementType.FLOAT), "9007199254740993");
    refused(() -> Histogram.ofBytes().to(ElementType.FLOAT), "FLOAT");
    refused(() -> Histogram.ofBytes().channels(0), "channels=0");
    refused(() -> Histogram.ofBytes().channels(5), "channels=5");
    step(Histogram.even(5, 0, 1L << 40), ElementType.DOUBLE).get();
    step(Histogram.ranges(0, 1, 5), ElementType.FLOAT).get();
  }

  @Test
  void inputs() {
    Histogram bytes = Histogram.ofBytes();
    refused(step(bytes, ElementType.BYTE, ElementType.INT), "1 inputs", "given are 2");
    refused(step(bytes.accumulating(), ElementType.BYTE), "2 inputs", "given are 1");
    refused(step(bytes.accumulating(), ElementType.BYTE, ElementType.LONG), "LONG", "INT");
    step(bytes.accumulating().to(ElementType.LONG), ElementType.BYTE, ElementType.LONG).get();
  }

  @Test
  void lengths() {
    List<Input> inputs =
        List.of(new Input("x", ElementType.INT, 10), new Input("old", ElementType.INT, 100));
    Primitive primitive =
        Histogram.ofKeys(5).channels(3).accumulating().expand("y", inputs).primitives().getFirst();
    refuseLengths(primitive, 10, 15, "length=10", "channels=3");
    refuseLengths(primitive, 9, 14, "length=14", "15 counters");
    primitive.asIs().requireLengths(lengths(9, 15));
  }

  private static void refuseLengths(Primitive primitive, int x, int old, String... inMessage) {
    refused(
        () -> {
          primitive.asIs().requireLengths(lengths(x, old));
          return "";
        },
        inMessage);
  }

  private static Primitive.Lengths lengths(int x, int old) {
    return name -> name.equals("x") ? x : old;
  }

  @Test
  void methodsForSoManyCounters() {
    Histogram many = Histogram.ofKeys(129).channels(2);
    refused(
        step(many.by(HistogramMethod.THREAD_COUNTERS), ElementType.INT), "256", "thread-counters");
    refused(
        step(Histogram.ofKeys(8193).by(HistogramMethod.PRIVATISED), ElementType.INT), "bins=8193");
    refused(step(Histogram.ofKeys(1 << 21).by(HistogramMethod.PASSES), ElementType.INT), "1048576");
    step(many.by(HistogramMethod.PASSES), ElementType.INT).get();
  }

  @Test
  void localAtomics_onlyWhereTheyAreRight() {
    List<Input> inputs = List.of(new Input("x", ElementType.INT, 10));
    Primitive primitive =
        Histogram.ofKeys(5)
            .by(HistogramMethod.PRIVATISED)
            .expand("y", inputs)
            .primitives()
            .getFirst();
    List<Primitive.Slot> slots = primitive.asIs().layout().slots();
    assertEquals(slots, primitive.in(Setting.on(Device.EMULATOR)).layout().slots());
    Device other = new Device("some GPU", "none");
    assertEquals(slots, primitive.in(Setting.on(other, LocalAtomics.CORRECT)).layout().slots());
    LocalAtomicsException refused =
        assertThrows(
            LocalAtomicsException.class,
            () -> primitive.in(Setting.on(other, () -> Optional.of("WRONG: element 0 is 5"))));
    assertEquals(other, refused.device());
    assertEquals("WRONG: element 0 is 5", refused.finding());
    String message = String.valueOf(refused.getMessage());
    assertTrue(
        message.contains("on device some GPU with backend none: WRONG: element 0 is 5"), message);
    assertThrows(LocalAtomicsException.class, () -> primitive.in(Setting.on(other)));
  }

  @Test
  void equality() {
    assertEquals(Histogram.ranges(1, 2, 3), Histogram.ranges(1L, 2L, 3L));
    assertEquals(Histogram.ranges(1f, 2f).hashCode(), Histogram.ranges(1.0, 2.0).hashCode());
    assertNotEquals(Histogram.ranges(1, 2, 3), Histogram.ranges(1.0, 2.0, 3.0));
    assertNotEquals(Histogram.ofBytes(), Histogram.ofKeys(256));
    assertNotEquals(Histogram.ofBytes(), Histogram.ofBytes().channels(2));
    assertNotEquals(Histogram.ofBytes(), Histogram.ofBytes().accumulating());
    assertNotEquals(Histogram.ofBytes(), Histogram.ofBytes().to(ElementType.LONG));
    assertNotEquals(Histogram.ofBytes(), Histogram.ofBytes().by(HistogramMethod.STRIDED));
    Histogram closed = Histogram.ranges(1, 2).closed();
    assertNotEquals(Histogram.ranges(1, 2), closed);
    assertEquals(closed, closed.to(ElementType.LONG).to(ElementType.INT));
    assertTrue(closed.channels(2).isClosed());
    assertEquals("histogram with 1 ranges from 1 to 2, closed", closed.toString());
    assertEquals("histogram with 3 even bins from 0 to 12", Histogram.even(3, 0, 12).toString());
  }

  @Test
  void theEdgesGivenMayBeReused() {
    double[] edges = {0, 1, 2};
    Histogram histogram = Histogram.ranges(edges);
    edges[1] = 5;
    assertEquals(Histogram.ranges(0.0, 1.0, 2.0), histogram);
  }

  /** Every edge and its neighbours: the forms of the rule by themselves, over all the spans. */
  @Test
  void theIntegerRuleIsExact() {
    SplittableRandom random = Seed.random("rule");
    int[] forms = new int[8];
    for (int round = 0; round < 4000; round++) {
      int bins = 1 + random.nextInt(1 << random.nextInt(1, 25));
      long one = random.nextLong() >> (random.nextBoolean() ? 0 : random.nextInt(64));
      long other = random.nextLong() >> (random.nextBoolean() ? 0 : random.nextInt(64));
      long low = Math.min(one, other);
      long high = Math.max(one, other);
      if (round < 6) {
        low = round < 3 ? Long.MIN_VALUE : Integer.MIN_VALUE;
        high = round < 3 ? Long.MAX_VALUE : 1L << 31;
        bins = new int[] {1 << 24, 1, 9_999_991}[round % 3];
      }
      if (low >= high) {
        continue;
      }
      long[] near = new long[24];
      for (int i = 0; i < near.length; i++) {
        int q = i < 6 ? i : random.nextInt(bins + 1);
        near[i] = edge(Math.min(q, bins), bins, low, high) + random.nextInt(-1, 2);
      }
      for (boolean areInts : new boolean[] {true, false}) {
        Bins rule = Bins.even(bins, 1, low, high, areInts);
        forms[rule.kind()]++;
        for (long x : near) {
          if (!areInts || x == (int) x) {
            int expected = Expected.even(x, bins, low, high);
            expected = expected < 0 ? bins - 1 - expected : expected;
            assertEquals(
                expected, number(rule, x), () -> "x=%s, %s%s".formatted(x, rule, Seed.replay()));
          }
        }
      }
    }
    for (int kind : new int[] {BinRule.SHORT, BinRule.NARROW, BinRule.MIDDLE, BinRule.WIDE}) {
      assertTrue(forms[kind] > 100, "form " + kind + ": " + forms[kind]);
    }
  }

  private static long edge(int q, int bins, long low, long high) {
    long[] near = HistogramContract.nearEdge(q, bins, low, high);
    return near[1];
  }

  private static int number(Bins rule, long x) {
    int bins = rule.bins();
    return switch (rule.kind()) {
      case BinRule.SHORT ->
          BinRule.ofInt((int) x, bins, (int) rule.low(), (int) rule.range(), rule.factor());
      case BinRule.NARROW -> BinRule.narrow(x, bins, rule.low(), rule.range(), rule.factor());
      case BinRule.MIDDLE -> BinRule.middle(x, bins, rule.low(), rule.range(), rule.scale());
      default -> BinRule.wide(x, bins, rule.low(), rule.range(), rule.factor(), rule.scale());
    };
  }

  /** Very many bins, on the JVM, where workers must not have counters of their own each. */
  @Test
  void veryManyBins() {
    int bins = 1 << 21;
    int n = 3_000_000;
    SplittableRandom random = Seed.random("many");
    int[] keys = random.ints(n, 0, bins).toArray();
    int[] expected = new int[bins];
    for (int key : keys) {
      expected[key]++;
    }
    List<Input> inputs = List.of(new Input("x", ElementType.INT, n));
    Program program = Program.of(inputs, Histogram.ofKeys(bins).expand("y", inputs).primitives());
    try (LoadedProgram loaded = new JvmEngine().load(program, Map.of())) {
      loaded.set("x", MemorySegment.ofArray(keys));
      loaded.run();
      int[] y = new int[bins];
      loaded.fetch("y", MemorySegment.ofArray(y));
      assertEquals(-1, Arrays.mismatch(expected, y), Seed.replay());
    }
  }
}
