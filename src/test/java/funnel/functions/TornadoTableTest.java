package funnel.functions;

import funnel.operation.Target;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoTableTest extends TableContract {

  @Override
  public Target target() {
    return Target.TORNADO;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 33, 2047, 2049, 70_000};
  }
}
