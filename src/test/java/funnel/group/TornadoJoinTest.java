package funnel.group;

import funnel.operation.Target;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoJoinTest extends JoinContract {

  @Override
  public Target target() {
    return Target.TORNADO;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 33, 2049, 8193, 1 << 20};
  }
}
