package funnel.engine.tornado;

import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Funnel;
import funnel.operation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** That a device that works is found to. */
@Tag("gpu")
class DeviceProbeTest {

  @Test
  void aDeviceThatWorks_isNotTakenForLost() {
    try (Funnel funnel = Funnel.open(Target.TORNADO)) {
      assertTrue(TornadoEngine.works(), funnel::description);
    }
  }
}
