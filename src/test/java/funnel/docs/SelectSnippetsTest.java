package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Funnel;
import funnel.operation.Target;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SelectSnippetsTest {

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void examples(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      assertArrayEquals(
          new int[] {8, 3}, SelectSnippets.ofPositive(funnel, new int[] {3, -1, 4, 0, 1}));
      assertArrayEquals(
          new int[] {4, 6, 3, 1, 1}, SelectSnippets.evenFirst(funnel, new int[] {3, 1, 4, 1, 6}));
      assertEquals(Map.of(2, 2, 5, 1), SelectSnippets.counts(funnel, new int[] {2, 2, 5}));
      assertArrayEquals(new int[] {3}, SelectSnippets.fewPositive(funnel, new int[] {3, -1}));
      assertArrayEquals(
          new int[] {1, 2, 3}, SelectSnippets.sizes(funnel, new int[] {0, 3, -7, 100, 99, -1}));
      assertEquals(
          Map.of(1, 0.5f, 3, 0.75f),
          SelectSnippets.expensive(
              funnel, new double[] {60, 50, 70}, new int[] {1, 2, 3}, new float[] {.5f, 0, .75f}));
      assertArrayEquals(
          new int[] {9, 7},
          SelectSnippets.everyThirdOver(
              funnel, new int[] {9, 9, 9, 3, 3, 3, 7}, new int[] {5, 5, 5, 5, 5, 5, 5}));
      assertArrayEquals(
          new int[] {5, 5, 6}, SelectSnippets.repeated(funnel, new int[] {5, 6}, new int[] {2, 1}));
      assertArrayEquals(
          new int[] {9, 16}, SelectSnippets.squaresOfPositive(funnel, new int[] {3, -1, 4}));
      assertArrayEquals(
          new int[] {3, 5},
          SelectSnippets.positiveAtEvenPlaces(funnel, new int[] {3, 1, -4, 1, 5}));
      assertEquals(2, SelectSnippets.firstFall(funnel, new int[] {3, 3, 1, 4, 1}));
      assertEquals(-1, SelectSnippets.firstFall(funnel, new int[] {3, 3, 4}));
      int[] many = IntStream.range(1, 20).toArray();
      assertArrayEquals(many, SelectSnippets.fewPositive(funnel, many));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void oneShotCalls(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      assertArrayEquals(new long[] {3, 4}, funnel.select(new long[] {3, 1, 4, 1}, v -> v > 2));
      double[] into = new double[4];
      assertEquals(2, funnel.partition(new double[] {3, 1, 4, 1}, v -> v > 2, into));
      assertArrayEquals(new double[] {3, 4, 1, 1}, into);
      assertArrayEquals(
          new float[] {0, -0f, Float.NaN, 1},
          funnel.unique(new float[] {0, 0, -0f, Float.NaN, Float.NaN, 1}));
      assertArrayEquals(new int[0], funnel.select(new int[0], v -> v > 2));
      assertEquals(2, funnel.findFirst(new long[] {3, 1, 4, 1}, v -> v > 3));
      assertTrue(funnel.anyMatch(new float[] {3, Float.NaN}, v -> v != v));
      assertFalse(funnel.allMatch(new double[] {3, 0, -1}, v -> v >= 0));
      assertTrue(funnel.allMatch(new int[0], v -> v > 0));
      assertFalse(funnel.anyMatch(new int[0], v -> v > 0));
      assertArrayEquals(new int[0], funnel.unique(new int[0]));
    }
  }
}
