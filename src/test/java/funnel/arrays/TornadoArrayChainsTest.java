package funnel.arrays;

import funnel.operation.Target;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoArrayChainsTest extends ArrayChainsContract {

  @Override
  public Target target() {
    return Target.TORNADO;
  }

  @Override
  int chains() {
    return 300;
  }
}
