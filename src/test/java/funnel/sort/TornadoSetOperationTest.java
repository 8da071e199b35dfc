package funnel.sort;

import funnel.operation.Target;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoSetOperationTest extends SetOperationContract {

  @Override
  public Target target() {
    return Target.TORNADO;
  }
}
