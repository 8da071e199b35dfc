package funnel.scan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Seed;
import funnel.emulator.Emulator;
import funnel.emulator.EmulatorEngine;
import funnel.emulator.Order;
import funnel.engine.Engine;
import funnel.engine.JvmEngine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.operation.Input;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The kernels without a device, with threads and blocks in several orders. */
class SegmentedScanEmulatorTest {

  abstract static class Emulated extends SegmentedScanContract {

    @Override
    int capacity(int length) {
      return Math.max(64, Integer.highestOneBit(Math.max(length, 1) * 2 - 1) * 2);
    }

    @Override
    boolean isQuick() {
      return false;
    }

    @Override
    int oneIn() {
      return 20;
    }

    /** One of six at least. */
    @Override
    int oneOfUsersIn() {
      return 6;
    }

    @Override
    List<Integer> longLengths(ElementType type) {
      return List.of();
    }

    static Engine engine(Order order, Order ofBlocks, boolean races) {
      return new EmulatorEngine(
          Emulator.builder()
              .order(order)
              .groupOrder(ofBlocks)
              .seed(Seed.VALUE)
              .detectRaces(races)
              .build());
    }
  }

  @Nested
  class Forward extends Emulated {
    @Override
    Engine open() {
      return engine(Order.FORWARD, Order.FORWARD, false);
    }

    /** More than a chunk, in a type whose chunks are short. */
    @Override
    List<Integer> longLengths(ElementType type) {
      int chunk = SegmentedTree.CHUNK * SegmentedTree.tile(type) - SegmentedTree.lead(type);
      return type == ElementType.DOUBLE
          ? List.of(chunk + 1, chunk + 3 * SegmentedTree.tile(type) + 5)
          : List.of();
    }
  }

  /** Without what depends on values alone, which is tried in one order. */
  abstract static class InAnotherOrder extends Emulated {
    @Override
    void mapped(ElementType type) {}

    @Override
    void negativeZeroAsTheInitialValue(ElementType type) {}

    @Override
    void floats_specialValuesStayInTheirSegments() {}

    @Override
    void usersOperators() {}

    @Override
    void example() {}
  }

  @Nested
  class Reverse extends InAnotherOrder {
    @Override
    Engine open() {
      return engine(Order.REVERSE, Order.FORWARD, false);
    }

    @Override
    List<Integer> lengths(ElementType type) {
      return List.of(33, SegmentedTree.tile(type) - 3, 3 * SegmentedTree.tile(type) + 17);
    }
  }

  @Nested
  class Random extends InAnotherOrder {
    @Override
    Engine open() {
      return engine(Order.RANDOM, Order.FORWARD, false);
    }

    @Override
    List<Integer> lengths(ElementType type) {
      return List.of(257, SegmentedTree.tile(type) + 1, 3 * SegmentedTree.tile(type) + 17);
    }
  }

  @Nested
  class Races extends InAnotherOrder {
    @Override
    Engine open() {
      return engine(Order.FORWARD, Order.FORWARD, true);
    }

    @Override
    List<Integer> lengths(ElementType type) {
      return List.of(0, 257, SegmentedTree.tile(type) + 1);
    }
  }

  /** Blocks that wait for no other may run in any order. */
  @Nested
  class Blocks extends InAnotherOrder {
    @Override
    Engine open() {
      return engine(Order.REVERSE, Order.RANDOM, false);
    }

    @Override
    List<ScanForm> forms() {
      return List.of(ScanForm.REDUCE_THEN_SCAN);
    }

    @Override
    List<Integer> lengths(ElementType type) {
      return List.of(257, 3 * SegmentedTree.tile(type) + 17);
    }
  }

  /**
   * All threads in every order, with race detection, twice: the second run finds the first's words.
   */
  @ParameterizedTest
  @EnumSource(Order.class)
  void threadsOfABlockInAnyOrder_withoutRaces(Order order) {
    int length = 2 * SegmentedTree.tile(ElementType.FLOAT) + 5;
    float[] values = new float[length];
    int[] keys = new int[length];
    SplittableRandom random = Seed.random("order");
    for (int i = 0; i < length; i++) {
      values[i] = (float) random.nextDouble(-1, 1);
      keys[i] = i == 0 ? 0 : keys[i - 1] + (random.nextInt(300) == 0 ? 1 : 0);
    }
    List<Input> inputs =
        List.of(new Input("x", ElementType.FLOAT, length), new Input("s", ElementType.INT, length));
    Emulator emulator = Emulator.builder().order(order).seed(Seed.VALUE).detectRaces(true).build();
    for (ScanForm form : ScanForm.values()) {
      SegmentedScan scan =
          SegmentedScan.exclusive(Operator.SUM).segments(Segments.byKeys()).by(form);
      Program program = Program.of(inputs, scan.expand("y", inputs).primitives());
      byte[] expected = run(new JvmEngine(), program, values, keys, 1);
      byte[] given = run(new EmulatorEngine(emulator), program, values, keys, 2);
      assertArrayEquals(expected, given, form + Seed.replay());
    }
  }

  private static byte[] run(Engine engine, Program program, float[] x, int[] s, int times) {
    byte[] y = new byte[x.length * Float.BYTES];
    try (LoadedProgram loaded = engine.load(program, Map.of())) {
      loaded.set("x", MemorySegment.ofArray(x));
      loaded.set("s", MemorySegment.ofArray(s));
      for (int run = 0; run < times; run++) {
        loaded.run();
      }
      loaded.fetch("y", MemorySegment.ofArray(y));
    }
    return y;
  }

  @Test
  void aBlockThatWaitsInVain_isReplacedByTheOtherForm() {
    int length = 3 * SegmentedTree.tile(ElementType.INT);
    int[] values = Seed.random("vain").ints(length).toArray();
    byte[] heads = new byte[length];
    for (int i = 0; i < length; i += 1 + i % 700) {
      heads[i] = 1;
    }
    List<Input> inputs =
        List.of(new Input("x", ElementType.INT, length), new Input("s", ElementType.BYTE, length));
    SegmentedScan scan = SegmentedScan.inclusive(Operator.SUM).by(ScanForm.SINGLE_PASS);
    Program program = Program.of(inputs, scan.expand("y", inputs).primitives());
    EmulatorEngine engine =
        new EmulatorEngine(Emulator.builder().groupOrder(Order.REVERSE).build());
    try (LoadedProgram loaded = engine.load(program, Map.of())) {
      loaded.set("x", MemorySegment.ofArray(values));
      loaded.set("s", MemorySegment.ofArray(heads));
      for (int run = 0; run < 2; run++) {
        loaded.run();
        int[] y = new int[length];
        loaded.fetch("y", MemorySegment.ofArray(y));
        int sum = 0;
        for (int i = 0; i < length; i++) {
          sum = (heads[i] != 0 ? 0 : sum) + values[i];
          assertEquals(sum, y[i], "element " + i + Seed.replay());
        }
      }
    }
  }
}
