package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import funnel.Funnel;
import funnel.operation.Target;
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
    }
  }
}
