package funnel.select;

import funnel.operation.Target;
import funnel.ptx.PtxDriver;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoRowsTest extends RowsContract {

  @Override
  Target target() {
    return Target.TORNADO;
  }

  @Override
  int[] lengths() {
    return PtxDriver.lengths(0, 1, 33, 2047, 2049, 4091, 4093, 524_289, (1 << 22) + 7, 5_000_000);
  }
}
