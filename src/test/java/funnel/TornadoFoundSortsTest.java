package funnel;

import funnel.operation.Target;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoFoundSortsTest extends FoundSortsContract {

  @Override
  Target target() {
    return Target.TORNADO;
  }

  @Override
  int scale() {
    return 300;
  }
}
