package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import funnel.Funnel;
import funnel.operation.Target;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JoinSnippetsTest {

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void examples(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      int[] orders = {7, 9, 7, 5};
      assertArrayEquals(
          new float[] {2, 3, 2},
          JoinSnippets.prices(funnel, orders, new int[] {9, 8, 7}, new float[] {3, 1, 2}));
    }
  }
}
