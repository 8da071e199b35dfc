package funnel.block;

import funnel.Seed;
import funnel.emulator.Emulator;
import funnel.emulator.Order;
import funnel.kernel.KernelTask;

/** In every order of the threads, and once with a look for races. */
class BlockExchangeEmulatorTest extends BlockExchangeContract {

  @Override
  void run(KernelTask task, Runnable check, Object... arrays) {
    for (Order order : Order.values()) {
      boolean races = order == Order.RANDOM;
      Emulator.builder().order(order).seed(Seed.VALUE).detectRaces(races).build().run(task);
      check.run();
    }
  }
}
