package funnel;

import funnel.operation.Target;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoFoundLengthsTest extends FoundLengthsContract {

  @Override
  Target target() {
    return Target.TORNADO;
  }

  @Override
  int scale() {
    return 300;
  }
}
