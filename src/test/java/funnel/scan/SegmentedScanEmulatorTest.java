package funnel.scan;

import funnel.emulator.Emulator;
import funnel.emulator.EmulatorEngine;
import funnel.emulator.Order;
import funnel.engine.Engine;
import funnel.operator.ElementType;
import java.util.List;
import org.junit.jupiter.api.Nested;

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
    List<Integer> longLengths(ElementType type) {
      return List.of();
    }

    static Engine engine(Order order, boolean races) {
      return new EmulatorEngine(
          Emulator.builder().order(order).groupOrder(order).detectRaces(races).build());
    }
  }

  @Nested
  class Forward extends Emulated {
    @Override
    Engine open() {
      return engine(Order.FORWARD, false);
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

  @Nested
  class Reverse extends Emulated {
    @Override
    Engine open() {
      return engine(Order.REVERSE, false);
    }

    @Override
    List<Integer> lengths(ElementType type) {
      return List.of(33, SegmentedTree.tile(type) - 3, 3 * SegmentedTree.tile(type) + 17);
    }
  }

  @Nested
  class Random extends Emulated {
    @Override
    Engine open() {
      return engine(Order.RANDOM, false);
    }

    @Override
    List<Integer> lengths(ElementType type) {
      return List.of(257, SegmentedTree.tile(type) + 1, 3 * SegmentedTree.tile(type) + 17);
    }
  }

  @Nested
  class Races extends Emulated {
    @Override
    Engine open() {
      return engine(Order.FORWARD, true);
    }

    @Override
    List<Integer> lengths(ElementType type) {
      return List.of(0, 257, SegmentedTree.tile(type) + 1);
    }
  }
}
