package funnel.sort;

import funnel.operation.Target;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoMergeTest extends MergeContract {

  @Override
  public Target target() {
    return Target.TORNADO;
  }
}
