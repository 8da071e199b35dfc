package funnel.block;

import funnel.Seed;
import funnel.emulator.Emulator;
import funnel.emulator.Order;
import funnel.kernel.KernelTask;
import java.util.List;

/** With a look for races, in random order for half of the kernels and grids of a build. */
class BlockScanEmulatorTest extends BlockScanContract {

  @Override
  void run(KernelTask task, Runnable check, Object... arrays) {
    List<Order> orders = List.of(Order.FORWARD, Order.RANDOM, Order.REVERSE, Order.RANDOM);
    Order order = orders.get(Seed.random("order of " + task.id() + task.grid()).nextInt(4));
    Emulator.builder().order(order).seed(Seed.VALUE).detectRaces(true).build().run(task);
    check.run();
  }
}
