package funnel.scan;

import funnel.engine.Engine;
import funnel.engine.tornado.TornadoEngine;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.ptx.PtxDriver;
import java.util.List;
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

  @Override
  boolean isQuick() {
    return PtxDriver.isDevice(Target.TORNADO);
  }

  @Override
  int oneIn() {
    return isQuick() ? 1 : 12;
  }

  @Override
  List<Integer> longLengths(ElementType type) {
    return isQuick() ? super.longLengths(type) : List.of();
  }
}
