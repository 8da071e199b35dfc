package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Funnel;
import funnel.operation.Target;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RankSnippetsTest {

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void examples(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      assertArrayEquals(
          new int[] {8, 7},
          RankSnippets.best(funnel, 2, new float[] {3, 5, 1, 3}, new int[] {7, 8, 9, 6}));
      assertArrayEquals(
          new float[][] {{5, 3}, {}, {1}},
          RankSnippets.bestOfEach(funnel, 2, new float[] {3, 5, 1, 1}, new int[] {0, 3, 3}));
      assertArrayEquals(
          new int[] {3, 9}, RankSnippets.typicalAndSlow(funnel, new int[] {9, 2, 3, 4, 1}));
      assertEquals(2.5, RankSnippets.median(funnel, new double[] {10, 1, 3, 2}));
    }
  }
}
