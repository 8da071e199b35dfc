package funnel.lessons;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Seed;
import funnel.emulator.Emulator;
import funnel.emulator.EmulatorEngine;
import funnel.emulator.Order;
import funnel.engine.Engine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.engine.device.ProgramArrays;
import funnel.operation.Input;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The variants of the scan in the emulator. */
class ScanVariantTest extends ScanVariantContract {

  private static final Input INTS = new Input("x", ElementType.INT, 1000);

  private final Engine engine =
      new EmulatorEngine(
          Emulator.builder().order(Order.RANDOM).seed(Seed.VALUE).parallel(true).build());

  @Override
  Engine engine() {
    return engine;
  }

  @Override
  boolean areLengthsSlow() {
    return true;
  }

  private static Program program(Input input, ScanVariant variant, int blockSize) {
    return Program.of(
        List.of(input),
        variant.scan(blockSize, Operator.SUM).expand("s", List.of(input)).primitives());
  }

  private static void assertSums(Engine engine, ScanVariant variant, int runs) {
    int[] values = Seed.random("assertSums").ints(1000).toArray();
    int[] expected = values.clone();
    Arrays.parallelPrefix(expected, Integer::sum);
    int[] result = new int[values.length];
    try (LoadedProgram loaded = engine.load(program(INTS, variant, 128), Map.of())) {
      loaded.set("x", MemorySegment.ofArray(values));
      for (int run = 0; run < runs; run++) {
        Arrays.fill(result, 0);
        loaded.run();
        loaded.fetch("s", MemorySegment.ofArray(result));
        assertArrayEquals(expected, result, Seed.replay());
        assertEquals(expected[999], loaded.result("s_total"));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(ScanVariant.class)
  void hasNoRaceInLocalMemory(ScanVariant variant) {
    assertSums(new EmulatorEngine(Emulator.builder().detectRaces(true).build()), variant, 1);
  }

  @ParameterizedTest
  @EnumSource(ScanVariant.class)
  void runsAgainAndAgain(ScanVariant variant) {
    assertSums(engine, variant, 5);
  }

  @ParameterizedTest
  @EnumSource(value = ScanVariant.class, names = "CHAINED", mode = EnumSource.Mode.EXCLUDE)
  void needsNoOrderOfBlocks(ScanVariant variant) {
    for (Order order : Order.values()) {
      Emulator emulator = Emulator.builder().groupOrder(order).seed(Seed.VALUE).build();
      assertSums(new EmulatorEngine(emulator), variant, 1);
    }
  }

  /** Blocks in reverse order wait for blocks that have yet to begin. */
  @Test
  void chainThatWaitsTooLongIsComputedOtherwise() {
    Emulator backwards = Emulator.builder().groupOrder(Order.REVERSE).build();
    Program program = program(INTS, ScanVariant.CHAINED, 256);
    ProgramArrays arrays = new ProgramArrays(program, Map.of());
    arrays.set("x", MemorySegment.ofArray(new int[1000]));
    arrays.writeShape();
    backwards.run(arrays.tasks());
    assertEquals("", arrays.missingRun(0, 1));
    assertEquals("s at block 1", program.routines().getFirst().gaveUp(arrays::result, arrays));
    assertSums(new EmulatorEngine(backwards), ScanVariant.CHAINED, 3);
  }

  /** There, giving up would find the input overwritten. */
  @Test
  void chainInPlaceTakesTheFormThatCannotGiveUp() {
    Emulator backwards = Emulator.builder().groupOrder(Order.REVERSE).build();
    IntArray array = new IntArray(1000);
    array.init(3);
    Program program = program(INTS, ScanVariant.CHAINED, 64);
    try (LoadedProgram loaded =
        new EmulatorEngine(backwards).load(program, Map.of("x", array, "s", array))) {
      loaded.setRange("x", 0, 1000);
      loaded.setRange("s", 0, 1000);
      loaded.run();
      for (int i = 0; i < 1000; i++) {
        assertEquals(3 * (i + 1), array.get(i), "element " + i);
      }
    }
  }

  @Test
  void chainInOrderDoesNotGiveUp() {
    Program program = program(INTS, ScanVariant.CHAINED, 64);
    ProgramArrays arrays = new ProgramArrays(program, Map.of());
    for (int run = 1; run <= 3; run++) {
      arrays.set("x", MemorySegment.ofArray(new int[1000]));
      arrays.writeShape();
      Emulator.builder().build().run(arrays.tasks());
      assertEquals("", arrays.missingRun(0, run));
      assertEquals("", program.routines().getFirst().gaveUp(arrays::result, arrays));
    }
  }

  @Test
  void numberOfLaunchesFollowsTheCapacity() {
    assertEquals(1, tasks(ScanVariant.HILLIS_STEELE, 256, 0));
    assertEquals(1, tasks(ScanVariant.BLELLOCH, 256, 256));
    assertEquals(3, tasks(ScanVariant.BLELLOCH, 256, 257));
    assertEquals(5, tasks(ScanVariant.WARP_SHUFFLE, 1024, 1 << 21));
    assertEquals(3, tasks(ScanVariant.SCAN_THEN_PROPAGATE, 256, 1 << 20));
    assertEquals(1, tasks(ScanVariant.CHAINED, 1024, 1 << 20));
  }

  private static int tasks(ScanVariant variant, int blockSize, int capacity) {
    Input input = new Input("x", ElementType.INT, capacity);
    return new ProgramArrays(program(input, variant, blockSize), Map.of()).tasks().size();
  }

  @Test
  void refusesWhatItCannotDo() {
    for (int blockSize : new int[] {0, 32, 100, 2048, -64}) {
      assertMessage("blockSize=" + blockSize, () -> program(INTS, ScanVariant.BLELLOCH, blockSize));
    }
    assertRefused(ScanVariant.HILLIS_STEELE, ElementType.BYTE);
    assertRefused(ScanVariant.WARP_SHUFFLE, ElementType.LONG);
    assertRefused(ScanVariant.WARP_SHUFFLE, ElementType.DOUBLE);
    assertRefused(ScanVariant.CHAINED, ElementType.FLOAT);
    assertRefused(ScanVariant.CHAINED, ElementType.DOUBLE);
    assertMessage(
        "capacity=2147483639",
        () ->
            program(
                new Input("x", ElementType.INT, Input.LARGEST_CAPACITY),
                ScanVariant.HILLIS_STEELE,
                1024));
    assertMessage(
        "bitwise",
        () ->
            ScanVariant.BLELLOCH
                .scan(64, Operator.XOR)
                .expand("s", List.of(new Input("x", ElementType.FLOAT, 10))));
  }

  private static void assertRefused(ScanVariant variant, ElementType type) {
    assertMessage(variant.label(), () -> program(new Input("x", type, 10), variant, 64));
  }

  private static void assertMessage(String part, Runnable action) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, action::run, part);
    assertTrue(String.valueOf(refused.getMessage()).contains(part), refused::getMessage);
  }

  @Test
  void variantsAreFoundByLabel() {
    for (ScanVariant variant : ScanVariant.values()) {
      assertEquals(variant, ScanVariant.of(variant.label()));
    }
    assertMessage("hillis-steele", () -> ScanVariant.of("hillis"));
  }
}
