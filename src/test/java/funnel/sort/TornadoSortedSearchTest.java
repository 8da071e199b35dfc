package funnel.sort;

import funnel.operation.Target;
import funnel.ptx.PtxDriver;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoSortedSearchTest extends SortedSearchContract {

  @Override
  public Target target() {
    return Target.TORNADO;
  }

  @Override
  int[] sizes() {
    return PtxDriver.lengths(0, 1, 2, 3, 4, 5, 31, 32, 33, 1023, 1024, 1025, 65_537, 200_000);
  }

  @Override
  public int[] lengths() {
    return PtxDriver.lengths(0, 1, 255, 256, 257, 1023, 1024, 1025, 5000);
  }
}
