package funnel.histogram;

import funnel.Seed;
import funnel.emulator.Emulator;
import funnel.emulator.EmulatorEngine;
import funnel.emulator.Order;
import funnel.engine.Engine;
import java.util.List;
import org.junit.jupiter.api.Nested;

class EmulatorScatterReduceTest extends ScatterReduceContract {

  @Override
  Engine open() {
    return new EmulatorEngine();
  }

  /** Few plans, whose kernels the emulator prepares once. */
  @Override
  int capacity(int length) {
    return length < 2000 ? 2000 : 9000;
  }

  /** Around the same boundaries as elsewhere, of two tiles at most. */
  @Override
  List<Integer> lengths() {
    return super.lengths().stream().filter(length -> length < 9000).toList();
  }

  @Override
  int randomRuns() {
    return 15;
  }

  @Override
  int onePatternIn() {
    return 2;
  }

  @Override
  int tenthsTried(int length) {
    return length > 300 ? 1 : 3;
  }

  /** Threads and blocks in other orders, with a look for races. */
  @Nested
  class InAnyOrder extends ScatterReduceContract {
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
    List<Integer> lengths() {
      return List.of(0, 257, 4093);
    }

    @Override
    int randomRuns() {
      return 10;
    }

    @Override
    int oneOperatorIn() {
      return 4;
    }

    @Override
    int onePatternIn() {
      return 2;
    }

    @Override
    int tenthsTried(int length) {
      return 1;
    }
  }
}
