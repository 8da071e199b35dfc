package funnel.scan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Seed;
import funnel.Values;
import funnel.emulator.Emulator;
import funnel.emulator.EmulatorEngine;
import funnel.emulator.Order;
import funnel.engine.Engine;
import funnel.engine.JvmEngine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.operation.Input;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.reduce.UserOperators;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
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
    return Seed.draws(50);
  }

  /** Each kind has some, and each length many kinds. */
  @Override
  int oneLengthIn() {
    return 6;
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
                .add("y", Scan.exclusive(Operator.SUM).by(form), "x")
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
    SplittableRandom random = Seed.random("order");
    for (ScanForm form : ScanForm.values()) {
      inOrder(order, Scan.inclusive(Operator.SUM).by(form), ElementType.INT, random);
      inOrder(order, Scan.exclusive(UserOperators.AFFINE).by(form), ElementType.LONG, random);
      inOrder(order, Scan.inclusive(Operator.SUM).by(form), ElementType.FLOAT, random);
      inOrder(order, Scan.exclusive(Operator.MAX).by(form), ElementType.DOUBLE, random);
    }
  }

  /** Twice, so that the second run finds what the first one left; compared with the JVM engine. */
  private static void inOrder(Order order, Scan scan, ElementType type, SplittableRandom random) {
    Input input = new Input("x", type, 2 * ScanTree.tile(type) + 5);
    Program program = Program.of(List.of(input), scan.expand("y", List.of(input)).primitives());
    MemorySegment x = Values.random(type, input.capacity(), random).segment();
    Emulator emulator = Emulator.builder().order(order).seed(Seed.VALUE).detectRaces(true).build();
    byte[] expected = run(new JvmEngine(), program, x, 1);
    byte[] given = run(new EmulatorEngine(emulator), program, x, 2);
    assertArrayEquals(expected, given, "%s of %s%s".formatted(scan, type, Seed.replay()));
  }

  private static byte[] run(Engine engine, Program program, MemorySegment x, int times) {
    byte[] y = new byte[(int) x.byteSize()]; // scans to the elements' own type
    try (LoadedProgram loaded = engine.load(program, Map.of())) {
      loaded.set("x", x);
      for (int run = 0; run < times; run++) {
        loaded.run();
      }
      loaded.fetch("y", MemorySegment.ofArray(y));
    }
    return y;
  }

  @Test
  void aBlockThatWaitsInVain_isReplacedByTheOtherForm() {
    int length = 3 * ScanTree.tile(ElementType.INT);
    int[] values = Seed.random("vain").ints(length).toArray();
    Input input = new Input("x", ElementType.INT, length);
    Program program =
        Program.of(
            List.of(input),
            Scan.inclusive(Operator.SUM)
                .by(ScanForm.SINGLE_PASS)
                .expand("y", List.of(input))
                .primitives());
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
    }
  }
}
