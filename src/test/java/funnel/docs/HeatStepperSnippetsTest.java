package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Funnel;
import funnel.heat.HeatProblem;
import funnel.operation.Target;
import funnel.operator.ElementType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class HeatStepperSnippetsTest {

  /** On the JVM no kernel runs. */
  private static void check(Target target) {
    try (Funnel funnel = Funnel.open(target);
        Funnel jvm = Funnel.open(Target.JVM)) {
      for (int steps : new int[] {1, 7, 20}) {
        assertArrayEquals(
            HeatStepperSnippets.after(jvm, steps), HeatStepperSnippets.after(funnel, steps));
      }
    }
  }

  @Test
  void aKernelOfTheUsersGivesTheSameBits() {
    check(Target.EMULATOR);
  }

  @Tag("gpu")
  @Test
  void aKernelOfTheUsersGivesTheSameBitsOnTheDevice() {
    check(Target.TORNADO);
  }

  @Test
  void whatItDoesNotTakeIsRefused() {
    HeatProblem.Builder doubles =
        HeatProblem.builder(4, 3)
            .type(ElementType.DOUBLE)
            .method(new HeatStepperSnippets.OfNodes(64));
    String message = assertThrows(IllegalArgumentException.class, doubles::build).getMessage();
    assertTrue(message.contains("method of-nodes does not support the grid: type=DOUBLE"), message);
  }
}
