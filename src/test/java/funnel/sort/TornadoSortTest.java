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
        0, 1, 2, 3, 5, 31, 33, 3326, 3839, 5373, 5888, 5889, 8444, 8445, 1_800_000, 4_200_000);
  }

  @Override
  int several() {
    return PtxDriver.length(100_000);
  }
}
