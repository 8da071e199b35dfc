package funnel.histogram;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import funnel.Elements;
import funnel.Funnel;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.transform.IndexOutsideException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Histograms and scatter reductions by one call. */
class OneShotTest {

  private static final int[] SAMPLES = {0, 3, 4, 7, 8, 12, -1};

  @ParameterizedTest
  @EnumSource(
      value = Target.class,
      names = {"JVM", "EMULATOR"})
  void countersGoToTheFrontOfALongerArray(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      int[] counts = {-7, -7, -7, -7};
      Histogram even = Histogram.even(3, 0, 12);
      assertEquals(
          new Uncounted(1, 1, 0),
          funnel.histogram(Elements.of(SAMPLES), even, Elements.of(counts)));
      assertArrayEquals(new int[] {2, 2, 1, -7}, counts);
      var _ = funnel.histogram(Elements.of(SAMPLES), even.accumulating(), Elements.of(counts));
      assertArrayEquals(new int[] {4, 4, 2, -7}, counts);
      int[] sums = new int[3];
      int[] weights = {1, 2, 3, 4, 5, 6, 7};
      var _ =
          funnel.histogram(
              Elements.of(SAMPLES), Elements.of(weights), even.weighted(), Elements.of(sums));
      assertArrayEquals(new int[] {3, 7, 5}, sums);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Target.class,
      names = {"JVM", "EMULATOR"})
  void countersAreANewArray(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      Histogram even = Histogram.even(3, 0, 12);
      assertArrayEquals(new int[] {2, 2, 1}, funnel.histogram(SAMPLES, even));
      assertArrayEquals(new int[] {2, 2, 1}, funnel.histogram(SAMPLES, even.accumulating()));
      assertArrayEquals(new int[3], funnel.histogram(new int[0], even));
      float[] floats = {0, 3, 4, 7, 8, 12, -1, Float.NaN};
      assertArrayEquals(new int[] {2, 2, 1}, funnel.histogram(floats, even));
      assertArrayEquals(
          new int[] {1, 1}, funnel.histogram(new double[] {0.1, 0.7}, Histogram.even(2, 0.0, 1.0)));
      assertArrayEquals(new int[] {0, 2}, funnel.histogram(new long[] {1, 1}, Histogram.ofKeys(2)));
      assertThrows(KeyOutsideException.class, () -> funnel.histogram(SAMPLES, Histogram.ofKeys(8)));
      assertThrows(
          IllegalArgumentException.class,
          () -> funnel.histogram(SAMPLES, even.to(ElementType.LONG)));
      assertThrows(
          IllegalArgumentException.class, () -> funnel.histogram(SAMPLES, even.weighted()));
      assertThrows(
          IllegalArgumentException.class, () -> funnel.histogram(SAMPLES, even.channels(2)));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Target.class,
      names = {"JVM", "EMULATOR"})
  void weightsGoWithWeightedHistogramsOnly(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      Elements samples = Elements.of(SAMPLES);
      Histogram even = Histogram.even(3, 0, 12);
      Elements into = Elements.of(new int[3]);
      assertThrows(
          IllegalArgumentException.class, () -> funnel.histogram(samples, even.weighted(), into));
      assertThrows(
          IllegalArgumentException.class, () -> funnel.histogram(samples, samples, even, into));
    }
  }

  /** The plan's capacity is larger than the array, which must not let an index through. */
  @ParameterizedTest
  @EnumSource(
      value = Target.class,
      names = {"JVM", "EMULATOR"})
  void anIndexBehindTheArrayIsRefused(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      int[] into = {1, 2, 3};
      Elements values = Elements.of(new int[] {10, 20, 30, 40});
      ScatterReduce sum = ScatterReduce.by(Operator.SUM);
      funnel.scatterReduce(Elements.of(new int[] {2, 0, 2, 2}), values, sum, Elements.of(into));
      assertArrayEquals(new int[] {21, 2, 83}, into);
      IndexOutsideException e =
          assertThrows(
              IndexOutsideException.class,
              () ->
                  funnel.scatterReduce(
                      Elements.of(new int[] {2, 3, 2, 2}), values, sum, Elements.of(into)));
      assertEquals(1, e.position());
      assertArrayEquals(new int[] {21, 2, 83}, into);
    }
  }
}
