package funnel.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import funnel.Elements;
import funnel.Funnel;
import funnel.operation.Target;
import funnel.operator.OperatorThrewException;
import funnel.operator.Transform;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class JvmRowsTest extends RowsContract {

  @Override
  Target target() {
    return Target.JVM;
  }

  @Override
  int[] lengths() {
    return new int[] {0, 1, 33, 1023, 1025, 16_383, 16_384, 16_385, 65_537, 150_000};
  }

  /** As in a plain loop: what throws after the first place that it holds for is not seen. */
  @Test
  void aPredicateThatThrows_isSeenBeforeTheFirstPlaceAlone() {
    Transform test = Transform.testInt("quotient", v -> 6 / v > 1);
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      int[] x = new int[100_000];
      for (int place : new int[] {0, 5, 40_000, 99_998}) {
        Arrays.fill(x, 0, place, 6);
        x[place] = 2;
        assertEquals(place, funnel.run(FindFirst.where(test), Elements.of(x)).getInt("result"));
        x[place] = 0;
        ArithmeticException e =
            assertThrows(
                ArithmeticException.class, () -> funnel.run(FindFirst.where(test), Elements.of(x)));
        assertEquals(
            "thrown by transform quotient",
            OperatorThrewException.of(e).orElseThrow().getMessage());
      }
    }
  }

  /** A copy of the loops serves all values that a lambda captures. */
  @Test
  void predicatesThatCapture() {
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      for (int limit = 0; limit < 3; limit++) {
        int least = limit;
        assertEquals(limit, funnel.findFirst(new int[] {0, 1, 2}, v -> v >= least));
      }
    }
  }
}
