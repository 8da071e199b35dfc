package funnel.arrays;

import funnel.operation.Target;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoTablesTest extends TablesContract {

  @Override
  public Target target() {
    return Target.TORNADO;
  }
}
