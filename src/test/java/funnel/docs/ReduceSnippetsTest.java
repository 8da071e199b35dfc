package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import funnel.Funnel;
import funnel.Sdk;
import funnel.engine.Input;
import funnel.engine.Step;
import funnel.engine.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.reduce.Ladder;
import funnel.reduce.LadderVariant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The examples of reductions and of the ladder do what they say. */
class ReduceSnippetsTest {

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void reductions(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      assertEquals(List.of(8L, 10.0 / 3, 2, 2L, 17L), ReduceSnippets.reductions(funnel));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void ladder(Target target) {
    int[] values = IntStream.range(0, 1 << 15).map(i -> i * i).toArray();
    int sum = IntStream.of(values).sum();
    try (Funnel funnel = Funnel.open(target)) {
      assertEquals(List.of(sum, sum, 64), ReduceSnippets.ladder(funnel, values));
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

  @Test
  void probe_findsNothingWithoutADevice() {
    assumeFalse(Sdk.isHere(), "what the probe finds depends on the device");
    List<String> log = new ArrayList<>();
    assertEquals(LadderVariant.COMPLETE_UNROLLING, ReduceSnippets.fastestHere(log));
    assertTrue(log.getFirst().contains("cannot be run"), log::toString);
  }

  private static LadderVariant variant(Step step) {
    return ((Ladder) step.primitives().getFirst()).variant();
  }

  @Test
  void unavailable_withoutADevice() {
    assumeFalse(Sdk.isHere(), "what the probe finds depends on the device");
    Input input = new Input("x", ElementType.INT, 1000);
    List<String> log = new ArrayList<>();
    assertEquals(LadderVariant.SINGLE_PASS, variant(ReduceSnippets.sum(input, Target.JVM, log)));
    assertEquals(List.of(), log);
    assertEquals(
        LadderVariant.COMPLETE_UNROLLING, variant(ReduceSnippets.sum(input, Target.TORNADO, log)));
    assertTrue(log.getFirst().startsWith("UNSUPPORTED: "), log::toString);
  }
}
