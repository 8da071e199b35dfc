package funnel.sort;

import funnel.operation.Target;
import funnel.ptx.PtxDriver;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoSortTest extends SortContract {

  @Override
  Target target() {
    return Target.TORNADO;
  }

  @Override
  int[] lengths() {
    return PtxDriver.lengths(
        0, 1, 2, 3, 5, 31, 32, 33, 2047, 2048, 2049, 4095, 4096, 4097, 8191, 8193, (1 << 18) + 77);
  }

  @Override
  int several() {
    return PtxDriver.length(100_000);
  }
}
