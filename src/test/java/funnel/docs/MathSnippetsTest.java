package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Funnel;
import funnel.operation.Target;
import org.junit.jupiter.api.Test;

class MathSnippetsTest {

  @Test
  void bells() {
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      assertArrayEquals(
          new double[] {1, 1 / Math.E, 0}, MathSnippets.bells(funnel, 0, -1, 100), 1e-16);
    }
  }

  @Test
  void halves() {
    assertEquals(6, MathSnippets.halves(12));
  }
}
