package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Funnel;
import funnel.operation.Target;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The examples of docs/functions.md do what they say. */
class FunctionsSnippetsTest {

  @Test
  void thePageHasTheExamples() throws IOException {
    PageExamples.check("functions", FunctionsSnippets.class);
  }

  private static void examples(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      assertArrayEquals(
          new int[] {501, 900}, FunctionsSnippets.large(funnel, new int[] {500, 501, -1, 900}));
      assertArrayEquals(
          new int[] {50, 4, 3},
          FunctionsSnippets.fees(funnel, new int[] {1000, 200, 300}, new int[] {0, 1, 2}));
      assertArrayEquals(
          new int[] {500, 100, 200}, FunctionsSnippets.feesOfClasses(funnel, funnel.of(0, 2, 1)));
      assertArrayEquals(new int[] {7, 10, 1}, FunctionsSnippets.line(funnel, new int[] {0, 1, -2}));
      assertArrayEquals(
          new byte[] {0, 1, 1},
          FunctionsSnippets.late(
              funnel, new int[] {1, 1, 0}, new long[] {9, 1L << 40, 4}, new long[] {3, 9}));
      double[] normalised = FunctionsSnippets.normalised(funnel, new double[] {1, 3, 1, 3});
      assertArrayEquals(new double[] {-1, 1, -1, 1}, normalised, 1e-15);
      assertEquals(2, new FunctionsSnippets().above(funnel, new float[] {31, 25.5f, 25, 0}));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void examples_doWhatTheySay(Target target) {
    examples(target);
  }

  @Tag("gpu")
  @Test
  void examples_doWhatTheySay_onDevice() {
    examples(Target.TORNADO);
  }
}
