package funnel.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Seed;
import funnel.emulator.Emulator;
import funnel.emulator.EmulatorEngine;
import funnel.emulator.Order;
import funnel.engine.Input;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.engine.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EmulatorScanTest extends ScanContract {

  @Override
  Funnel open() {
    return Funnel.open(Target.EMULATOR);
  }

  @Override
  int capacity() {
    return 20_000;
  }

  @Override
  int randomRuns() {
    return 150;
  }

  /** More than one chunk, so that totals and starts are handed on. */
  @ParameterizedTest
  @EnumSource(ScanForm.class)
  void severalChunks(ScanForm form) {
    int length = (2 * ScanTree.CHUNK + 1) * ScanTree.tile(ElementType.LONG) + 3;
    long[] values = Seed.random("chunks").longs(length).toArray();
    try (Funnel funnel = open();
        Plan plan =
            funnel
                .plan("chunks")
                .input("x", ElementType.LONG, length)
                .scan("y", Scan.exclusive(Operator.SUM).by(form), "x")
                .build()) {
      long[] y = plan.run(Map.of("x", Elements.of(values))).longs("y");
      long sum = 0;
      for (int i = 0; i < length; i++) {
        assertEquals(sum, y[i], "element " + i + Seed.replay());
        sum += values[i];
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void threadsOfABlockInAnyOrder_withoutRaces(Order order) {
    int length = 2 * ScanTree.tile(ElementType.INT) + 5;
    int[] values = Seed.random("order").ints(length).toArray();
    Input input = new Input("x", ElementType.INT, length);
    for (ScanForm form : ScanForm.values()) {
      Program program =
          new Program(
              List.of(input),
              Scan.inclusive(Operator.SUM).by(form).step("y", List.of(input)).primitives());
      EmulatorEngine engine =
          new EmulatorEngine(
              Emulator.builder().order(order).seed(Seed.VALUE).detectRaces(true).build());
      try (LoadedProgram loaded = engine.load(program, Map.of())) {
        loaded.set("x", MemorySegment.ofArray(values));
        for (int run = 0; run < 2; run++) {
          loaded.run();
          int[] y = new int[length];
          loaded.fetch("y", MemorySegment.ofArray(y));
          int sum = 0;
          for (int i = 0; i < length; i++) {
            sum += values[i];
            assertEquals(sum, y[i], "element " + i + Seed.replay());
          }
        }
      }
    }
  }

  @Test
  void aBlockThatWaitsInVain_isReplacedByTheOtherForm() {
    int length = 3 * ScanTree.tile(ElementType.INT);
    int[] values = Seed.random("vain").ints(length).toArray();
    Input input = new Input("x", ElementType.INT, length);
    Program program =
        new Program(
            List.of(input),
            Scan.inclusive(Operator.SUM)
                .by(ScanForm.SINGLE_PASS)
                .step("y", List.of(input))
                .primitives());
    System.setProperty(TileScan.POLLS_PROPERTY, "3");
    EmulatorEngine engine =
        new EmulatorEngine(Emulator.builder().groupOrder(Order.REVERSE).build());
    try (LoadedProgram loaded = engine.load(program, Map.of())) {
      loaded.set("x", MemorySegment.ofArray(values));
      for (int run = 0; run < 2; run++) {
        loaded.run();
        int[] y = new int[length];
        loaded.fetch("y", MemorySegment.ofArray(y));
        int sum = 0;
        for (int i = 0; i < length; i++) {
          sum += values[i];
          assertEquals(sum, y[i], "element " + i + Seed.replay());
        }
      }
    } finally {
      System.clearProperty(TileScan.POLLS_PROPERTY);
    }
  }
}
