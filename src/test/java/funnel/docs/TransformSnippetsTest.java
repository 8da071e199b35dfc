package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Funnel;
import funnel.operation.Target;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The examples of transforms do what they say. */
class TransformSnippetsTest {

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void difference(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      assertEquals(7, TransformSnippets.longestGap(funnel, new int[] {0, 2, 9, 10}));
    }
  }
}
