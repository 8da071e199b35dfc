package funnel.block;

import funnel.Seed;
import funnel.emulator.Emulator;
import funnel.emulator.Order;
import funnel.kernel.KernelTask;
import java.util.List;

/** In random order with a look for races, and in one of the other two. */
class BlockScanEmulatorTest extends BlockScanContract {

  @Override
  void run(KernelTask task, Runnable check, Object... arrays) {
    boolean isForward = Seed.random("order of " + task.id() + task.grid()).nextBoolean();
    Order plain = isForward ? Order.FORWARD : Order.REVERSE;
    for (Order order : List.of(plain, Order.RANDOM)) {
      boolean races = order == Order.RANDOM;
      Emulator.builder().order(order).seed(Seed.VALUE).detectRaces(races).build().run(task);
      check.run();
    }
  }
}
