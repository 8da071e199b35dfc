package funnel.arrays;

import funnel.operation.Target;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoArrayTextsTest extends ArrayTextsContract {

  @Override
  public Target target() {
    return Target.TORNADO;
  }
}
