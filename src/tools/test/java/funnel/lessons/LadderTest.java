package funnel.lessons;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.emulator.Emulator;
import funnel.emulator.EmulatorEngine;
import funnel.emulator.Order;
import funnel.engine.Engine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.engine.device.ProgramArrays;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The ladder in the emulator. */
class LadderTest extends LadderContract {

  private static final Input INTS = new Input("x", ElementType.INT, 1000);

  private final Engine engine =
      new EmulatorEngine(Emulator.builder().order(Order.RANDOM).seed(7).parallel(true).build());

  @Override
  Engine engine() {
    return engine;
  }

  @Override
  boolean areLengthsSlow() {
    return true;
  }

  private static Expansion expand(LadderVariant variant, int blockSize, Operator operator) {
    return variant.reduction(blockSize, operator).expand("r", List.of(INTS));
  }

  @ParameterizedTest
  @EnumSource(LadderVariant.class)
  void hasNoRaceInLocalMemory(LadderVariant variant) {
    Engine careful = new EmulatorEngine(Emulator.builder().detectRaces(true).build());
    int[] values = new SplittableRandom(3).ints(1000).toArray();
    Program program = Program.of(List.of(INTS), expand(variant, 128, Operator.SUM).primitives());
    try (LoadedProgram loaded = careful.load(program, Map.of())) {
      loaded.set("x", MemorySegment.ofArray(values));
      loaded.run();
      assertEquals(Arrays.stream(values).sum(), loaded.result("r"));
    }
  }

  @Test
  void numberOfLaunchesFollowsTheCapacity() {
    assertEquals(2, tasks(LadderVariant.UNROLLING_8_LAST_WARP, 256, 1 << 20));
    assertEquals(3, tasks(LadderVariant.INTERLEAVED_PAIRS, 256, 1 << 20));
    assertEquals(1, tasks(LadderVariant.COMPLETE_UNROLLING, 1024, 8192));
    assertEquals(1, tasks(LadderVariant.NEIGHBOURED_PAIRS, 64, 0));
  }

  private static int tasks(LadderVariant variant, int blockSize, int capacity) {
    Input input = new Input("x", ElementType.INT, capacity);
    Expansion expansion = variant.reduction(blockSize, Operator.SUM).expand("r", List.of(input));
    return new ProgramArrays(Program.of(List.of(input), expansion.primitives()), Map.of())
        .tasks()
        .size();
  }

  @Test
  void refusesWhatItCannotDo() {
    for (int blockSize : new int[] {0, 32, 100, 2048, -64}) {
      assertMessage(
          "blockSize=" + blockSize,
          () -> expand(LadderVariant.INTERLEAVED_PAIRS, blockSize, Operator.SUM));
    }
    Operator first = Operator.ofInt("first", 0, (a, b) -> a != 0 ? a : b);
    expand(LadderVariant.NEIGHBOURED_PAIRS, 64, first);
    expand(LadderVariant.INTERLEAVED_PAIRS, 64, first.commutative());
    assertMessage(
        "not declared commutative", () -> expand(LadderVariant.INTERLEAVED_PAIRS, 64, first));
    assertMessage(
        "no ladder over bytes",
        () ->
            LadderVariant.UNROLLING_2
                .reduction(64, Operator.SUM)
                .expand("r", List.of(new Input("x", ElementType.BYTE, 10))));
    assertMessage(
        "capacity=2147483639",
        () ->
            LadderVariant.NEIGHBOURED_PAIRS
                .reduction(1024, Operator.SUM)
                .expand("r", List.of(new Input("x", ElementType.INT, Input.LARGEST_CAPACITY))));
    assertMessage(
        "bitwise",
        () ->
            LadderVariant.UNROLLING_2
                .reduction(64, Operator.XOR)
                .expand("r", List.of(new Input("x", ElementType.FLOAT, 10))));
  }

  private static void assertMessage(String part, Runnable action) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, action::run, part);
    assertTrue(String.valueOf(refused.getMessage()).contains(part), refused::getMessage);
  }

  @Test
  void variantsAreFoundByLabel() {
    for (LadderVariant variant : LadderVariant.values()) {
      assertEquals(variant, LadderVariant.of(variant.label()));
    }
    assertMessage("unrolling-2", () -> LadderVariant.of("unrolling-3"));
  }
}
