package funnel.histogram;

import funnel.Seed;
import funnel.emulator.Emulator;
import funnel.emulator.EmulatorEngine;
import funnel.emulator.Order;
import funnel.engine.Engine;
import java.util.List;
import org.junit.jupiter.api.Nested;

class EmulatorWeightedHistogramTest extends WeightedHistogramContract {

  @Override
  Engine open() {
    return new EmulatorEngine();
  }

  @Override
  int capacity() {
    return 9000;
  }

  @Override
  List<Integer> lengths() {
    return List.of(0, 12, 252, 264, 1020, 1032, 4092, 4104, 9000);
  }

  @Override
  int randomCases() {
    return 10;
  }

  /** Threads and blocks in other orders, with a look for races. */
  @Nested
  class InAnyOrder extends WeightedHistogramContract {
    @Override
    Engine open() {
      return new EmulatorEngine(
          Emulator.builder()
              .order(Order.RANDOM)
              .groupOrder(Order.RANDOM)
              .seed(Seed.VALUE)
              .detectRaces(true)
              .build());
    }

    @Override
    int capacity() {
      return 5004;
    }

    @Override
    List<Integer> lengths() {
      return List.of(0, 264, 5004);
    }

    @Override
    int randomCases() {
      return 2;
    }
  }
}
