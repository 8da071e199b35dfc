package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import funnel.Funnel;
import funnel.operation.Target;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GroupSnippetsTest {

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void examples(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      assertArrayEquals(
          new double[] {4, 2},
          GroupSnippets.means(funnel, new int[] {7, 9, 7}, new float[] {3, 2, 5}));
      List<double[]> sums =
          GroupSnippets.sums(
              funnel,
              new int[] {7, 9, 7},
              List.of(new float[] {3, 2, 5}, new float[] {1, 1, 0.5f}));
      assertArrayEquals(new double[] {8, 2}, sums.getFirst());
      assertArrayEquals(new double[] {1.5, 1}, sums.getLast());
      assertArrayEquals(
          new float[] {3, Float.NEGATIVE_INFINITY, 5},
          GroupSnippets.largest(funnel, new float[] {3, 1, 4, 1, 5}, new int[] {0, 2, 2}));
      assertArrayEquals(
          new int[] {1, 2, 1},
          GroupSnippets.pairs(funnel, new int[] {7, 9, 7, 7}, new int[] {2, 0, 1, 2}));
    }
  }
}
