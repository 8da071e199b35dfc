package funnel.stream;

import funnel.operation.Target;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoStreamGroupTest extends StreamGroupContract {

  @Override
  public Target target() {
    return Target.TORNADO;
  }

  @Override
  int piece() {
    return (1 << 18) + 3;
  }
}
