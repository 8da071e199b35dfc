package funnel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.rank.TopK;
import funnel.reduce.Reduction;
import funnel.sort.Sort;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Typed inputs and outputs of plans, and records of outputs. */
class HandlesTest {

  record Sums(int[] sorted, long total) {}

  record Wrong(long[] sorted) {}

  @Test
  void inputsAndOutputsHaveTypes() {
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      Plan.Builder builder = funnel.plan("handles");
      Handle<int[]> x = builder.input(int[].class, 10);
      Plan.Builder.Outputs sort = builder.add(Sort.descending(), x);
      Handle<int[]> sorted = sort.get(int[].class);
      Handle<Long> total = builder.add(Reduction.sumAsLong(), sorted).get(Long.class);
      Plan.Builder.Outputs top = builder.add(TopK.largest(2).withPositions(), x);
      Handle<int[]> positions = top.get("_positions", int[].class);
      assertThrowsWith(() -> sort.get(long[].class), "is int[], not long[]");
      assertThrowsWith(() -> sort.get("_places", int[].class), "has no output '_places'");
      try (Plan plan = builder.build()) {
        for (int[] values : List.of(new int[] {3, 1, 4}, new int[] {1, 5})) {
          Results results = plan.set(x, values).run();
          int[] expected = values.length == 3 ? new int[] {4, 3, 1} : new int[] {5, 1};
          assertArrayEquals(expected, results.get(sorted));
          assertEquals(values.length == 3 ? 8 : 6, results.get(total));
          assertArrayEquals(
              values.length == 3 ? new int[] {2, 0} : new int[] {1, 0}, results.get(positions));
        }
      }
    }
  }

  @Test
  void outputsAreARecord() {
    try (Funnel funnel = Funnel.open(Target.JVM);
        Plan plan =
            funnel
                .plan("sums")
                .input("x", ElementType.INT, 10)
                .add("sorted", Sort.ascending(), "x")
                .add("total", Reduction.sumAsLong(), "x")
                .build()) {
      Results results = plan.run(Map.of("x", Elements.of(new int[] {3, 1, 4})));
      Sums sums = results.as(Sums.class);
      assertArrayEquals(new int[] {1, 3, 4}, sums.sorted());
      assertEquals(8, sums.total());
      assertThrowsWith(() -> results.as(Wrong.class), "is of type INT, not LONG");
    }
  }

  private static void assertThrowsWith(Runnable call, String part) {
    String message = assertThrows(IllegalArgumentException.class, call::run).getMessage();
    assertTrue(message.contains(part), message);
  }
}
