package funnel.arrays;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Funnel;
import funnel.GraphResults;
import funnel.Ints;
import funnel.Plan;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.reduce.Reduction;
import funnel.transform.Reverse;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Messages name what was called, in the user's words. */
class RefusalsTest {

  private static void refused(String message, Executable call) {
    assertEquals(message, assertThrows(RuntimeException.class, call).getMessage());
  }

  @Test
  void messagesAreInTheWordsOfTheCall() {
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      Ints x = funnel.of(3, 1, 4);
      refused(
          "range(-2147483648, 2147483647) has length=4294967295, and an array at most 2147483639"
              + " elements",
          () -> funnel.range(Integer.MIN_VALUE, Integer.MAX_VALUE));
      refused(
          "one of the arrays or values that were given is null",
          () -> funnel.table(x, (Ints) null));
      Ints kept = x.keep();
      Ints after = kept.map(v -> v + 1);
      kept.close();
      refused(
          "this kept array, ints[3], was closed: read what was made of it before you close it",
          after::toArray);
      Ints times = x.map(v -> Integer.MAX_VALUE);
      String message =
          assertThrows(RuntimeException.class, () -> x.repeated(times).sum()).getMessage();
      assertTrue(
          message.endsWith(
              "has more elements than an array can have: found=6442450941, largest=2147483639; take"
                  + " the input in parts"),
          message);
    }
  }

  @Test
  void aGraphsResults_sayWhatIsAnArray() {
    try (Funnel funnel = Funnel.open(Target.JVM);
        Plan plan =
            funnel
                .plan("p")
                .input("x", ElementType.INT, 3)
                .add("m", Reverse.elements(), "x")
                .add("sum", Reduction.sum(), "x")
                .build()) {
      GraphResults results =
          plan.addTo(new TaskGraph("g"), new GridScheduler(), Map.of("x", new IntArray(3)));
      refused(
          "no output m that is a single value; of these there are [sum], and written(output) has"
              + " the arrays [m]",
          () -> results.array("m"));
    }
  }
}
