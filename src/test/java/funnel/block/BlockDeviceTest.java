package funnel.block;

import funnel.Graphs;
import funnel.kernel.KernelTask;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class BlockDeviceTest extends BlockContract {

  @Override
  void run(KernelTask task, Runnable check, Object... arrays) throws Exception {
    Graphs.run(task, arrays);
    check.run();
  }
}
