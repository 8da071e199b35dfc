package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Funnel;
import funnel.lessons.LadderVariant;
import funnel.operation.Target;
import funnel.operator.Operator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The examples of reductions and of the ladder do what they say. */
class ReduceSnippetsTest {

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void reductions(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      assertEquals(List.of(8L, 10.0 / 3, 2, 2L, 17L), ReduceSnippets.reductions(funnel));
      assertEquals(9, ReduceSnippets.moment(funnel));
      assertArrayEquals(new double[] {0, 1, 3}, ReduceSnippets.distances(funnel));
      long far = 1_700_000_000_000_000_000L;
      List<long[]> parts = List.of(new long[] {far, far + 2}, new long[] {far + 7});
      assertEquals(26 / 3.0, ReduceSnippets.moments(funnel, parts), 1e-14);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void ladder(Target target) {
    int[] values = IntStream.range(0, 1 << 15).map(i -> i * i).toArray();
    int sum = IntStream.of(values).sum();
    try (Funnel funnel = Funnel.open(target)) {
      assertEquals(List.of(sum, sum), ReduceSnippets.ladder(funnel, values));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void variants(Target target) {
    int[] values = {3, 0, 4, 0};
    try (Funnel funnel = Funnel.open(target)) {
      Map<String, Integer> sums = ReduceSnippets.byVariant(funnel, Operator.SUM, values);
      assertEquals(LadderVariant.labels(), List.copyOf(sums.keySet()));
      assertTrue(sums.values().stream().allMatch(sum -> sum == 7), sums::toString);
      Operator last = Operator.ofInt("last", 0, (a, b) -> b != 0 ? b : a);
      assertEquals(
          Map.of("neighboured-pairs", 4, "neighboured-less-divergence", 4),
          ReduceSnippets.byVariant(funnel, last, values));
    }
  }
}
