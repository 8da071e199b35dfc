package funnel.lessons;

import funnel.engine.Engine;
import funnel.engine.tornado.TornadoEngine;
import funnel.operation.Target;
import funnel.ptx.PtxDriver;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The variants of the scan on TornadoVM's device. */
@Tag("gpu")
class ScanVariantDeviceTest extends ScanVariantContract {

  private static Engine engine;

  @BeforeAll
  static void open() {
    engine = TornadoEngine.open();
  }

  @AfterAll
  static void close() {
    engine.close();
  }

  @Override
  Engine engine() {
    return engine;
  }

  @Override
  boolean areLengthsSlow() {
    return !PtxDriver.isDevice(Target.TORNADO);
  }
}
