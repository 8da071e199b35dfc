package funnel.reduce;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.engine.Engine;
import funnel.engine.TornadoEngine;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.ptx.PtxDriver;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** The ladder on TornadoVM's device. */
@Tag("gpu")
class LadderDeviceTest extends LadderContract {

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

  /** If this fails, the variant is refused there; all others stay usable. */
  @ParameterizedTest
  @EnumSource(value = ElementType.class, mode = Mode.EXCLUDE, names = "BYTE")
  void singlePassStandsTheProbe(ElementType type) {
    SinglePassProbe.Report report = SinglePassProbe.report(type, 256);
    assertEquals(SinglePassProbe.Outcome.RIGHT, report.outcome(), report.detail());
  }
}
