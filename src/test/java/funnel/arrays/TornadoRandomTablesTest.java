package funnel.arrays;

import funnel.operation.Target;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoRandomTablesTest extends RandomTablesContract {

  @Override
  public Target target() {
    return Target.TORNADO;
  }

  @Override
  int tables() {
    return 300;
  }
}
