package funnel.scan;

import funnel.engine.Engine;
import funnel.engine.TornadoEngine;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class SegmentedScanDeviceTest extends SegmentedScanContract {

  @Override
  Engine open() {
    return TornadoEngine.open();
  }

  /** Two sizes of plans, so that few are compiled. */
  @Override
  int capacity(int length) {
    return length < 50_000 ? 50_000 : 3_000_000;
  }
}
