package funnel.histogram;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.engine.Engine;
import funnel.engine.JvmEngine;
import funnel.operation.Input;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class JvmWeightedHistogramTest extends WeightedHistogramContract {

  private static final Histogram EVEN = Histogram.even(3, 0, 12).weighted();

  @Override
  Engine open() {
    return new JvmEngine();
  }

  @Override
  int capacity() {
    return 300_012;
  }

  @Override
  List<Integer> lengths() {
    return List.of(0, 12, 252, 1032, 4104, 17_004, 300_012);
  }

  @Override
  int randomCases() {
    return 1000;
  }

  private static void refused(Executable call, String... inMessage) {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, call);
    for (String part : inMessage) {
      assertTrue(String.valueOf(e.getMessage()).contains(part), e.getMessage());
    }
  }

  private static Executable step(Histogram histogram, ElementType... types) {
    List<Input> inputs = new ArrayList<>();
    for (ElementType type : types) {
      inputs.add(new Input("in" + inputs.size(), type, 10));
    }
    return () -> histogram.expand("y", inputs);
  }

  @Test
  void inputsThatDoNotFit() {
    ElementType ints = ElementType.INT;
    ElementType longs = ElementType.LONG;
    refused(step(EVEN, ints), "2 inputs", "given are 1");
    refused(step(EVEN.accumulating(), ints, ints), "3 inputs", "given are 2");
    refused(step(EVEN, ints, ElementType.BYTE), "weights", "BYTE");
    refused(step(EVEN.accumulating(), ints, longs, ints), "previous sums", "INT", "LONG");
    refused(step(EVEN.to(ints), ints, longs), "sums of type INT", "weights of type LONG");
    refused(step(EVEN.to(ElementType.FLOAT), ints, ints), "FLOAT", "INT");
    refused(step(EVEN.to(longs).accumulating(), ints, ints, ints), "previous sums", "INT", "LONG");
    refused(() -> Histogram.ofKeys(3).to(ElementType.DOUBLE), "DOUBLE", "weighted()");
    assertEquals(ElementType.LONG, Histogram.ofKeys(3).to(longs).weighted().sumType(ints));
    refused(step(EVEN.by(HistogramMethod.STRIDED), ints, ints), "sorted", "method=strided");
    refused(step(Histogram.ofBytes().weighted(), ints, ints), "INT");
  }

  @Test
  void inPlans_lengthsThatDoNotGoTogether() {
    try (Funnel funnel = Funnel.open(Target.JVM);
        Plan plan =
            funnel
                .plan("weights")
                .input("x", ElementType.INT, 10)
                .input("w", ElementType.FLOAT, 10)
                .input("old", ElementType.FLOAT, 10)
                .add("y", EVEN.channels(2).accumulating(), "x", "w", "old")
                .build()) {
      Elements four = Elements.of(new int[] {3, 4, 15, -1});
      Elements weights = Elements.of(new float[] {0.5f, 2, 8, 16});
      Elements six = Elements.of(new float[] {1, 1, 1, 1, 1, 1});
      Elements three = Elements.of(new float[3]);
      refused(
          () -> plan.run(Map.of("x", four, "w", three, "old", six)),
          "length of x=4, length of w=3");
      refused(
          () -> plan.run(Map.of("x", four, "w", weights, "old", three)),
          "old",
          "length=3, but it has 6 counters");
      refused(
          () -> plan.run(Map.of("x", Elements.of(new int[3]), "w", three, "old", six)),
          "length=3, channels=2");
      Results results = plan.run(Map.of("x", four, "w", weights, "old", six));
      assertArrayEquals(new float[] {1.5f, 1, 1, 1, 3, 1}, results.floats("y"));
      assertEquals(1, results.getLong("y_above"));
      assertEquals(1, results.getLong("y_below"));
    }
  }

  @Test
  void inOneShot() {
    int[] given = {0, 3, 4, 7, 8, 12, -1};
    Elements samples = Elements.of(given);
    long[] weights = {1, 2, 4, 8, 16, 32, 64};
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      long[] into = {100, 100, 100, 100};
      Uncounted apart = funnel.histogram(samples, Elements.of(weights), EVEN, Elements.of(into));
      assertArrayEquals(new long[] {3, 12, 16, 100}, into);
      assertEquals(new Uncounted(1, 1, 0), apart);
      var _ =
          funnel.histogram(samples, Elements.of(weights), EVEN.accumulating(), Elements.of(into));
      assertArrayEquals(new long[] {6, 24, 32, 100}, into);
      double[] sums = new double[3];
      Elements fractions = Elements.of(new double[] {0.5, 0.25, 3, 4, 5, 6, 7});
      var _ = funnel.histogram(samples, fractions, EVEN, Elements.of(sums));
      assertArrayEquals(new double[] {0.75, 7, 5}, sums);
      Elements few = Elements.of(new long[6]);
      Elements out = Elements.of(into);
      refused(() -> funnel.histogram(samples, few, EVEN, out), "=7", "=6");
      refused(() -> funnel.histogram(samples, few, Histogram.even(3, 0, 12), out), "weighted()");
      refused(() -> funnel.histogram(samples, EVEN, out), "weights");
      refused(
          () -> funnel.histogram(samples, Elements.of(weights), EVEN, Elements.of(sums)), "LONG");
      assertArrayEquals(new long[] {6, 24, 32, 100}, into);
    }
  }

  @Test
  void sumsThatNoIntHolds() {
    Elements keys = Elements.of(new int[] {1, 0, 1});
    Elements ints = Elements.of(new int[] {2_000_000_000, -5, 2_000_000_000});
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      long[] sums = new long[2];
      Histogram histogram = Histogram.ofKeys(2).weighted().to(ElementType.LONG);
      var _ = funnel.histogram(keys, ints, histogram, Elements.of(sums));
      assertArrayEquals(new long[] {-5, 4_000_000_000L}, sums);
      var _ = funnel.histogram(keys, ints, histogram.accumulating(), Elements.of(sums));
      assertArrayEquals(new long[] {-10, 8_000_000_000L}, sums);
      double[] into = {0.5, 1};
      ScatterReduce reduce = ScatterReduce.by(Operator.SUM).to(ElementType.DOUBLE);
      funnel.scatterReduce(keys, ints, reduce, Elements.of(into));
      assertArrayEquals(new double[] {-4.5, 4_000_000_001.0}, into);
      refused(() -> funnel.scatterReduce(keys, ints, reduce, Elements.of(sums)), "LONG", "DOUBLE");
    }
  }
}
