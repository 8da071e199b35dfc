package funnel.block;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import funnel.Graphs;
import funnel.jit.KernelTask;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class BlockDeviceTest extends BlockContract {

  /** Larger blocks may be given another size, see TornadoVM's occupancy query. */
  private static final int MOST_THREADS = 256;

  @Override
  void run(KernelTask task, Runnable check, Object... arrays) throws Exception {
    assumeTrue(task.grid().threads() <= MOST_THREADS, "blocks of at most 256 threads on a device");
    Graphs.run(task, arrays);
    check.run();
  }
}
