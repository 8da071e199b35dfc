package funnel.math;

import funnel.operation.Target;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoElementaryFunctionsTest extends ElementaryFunctionsContract {

  @Override
  public Target target() {
    return Target.TORNADO;
  }

  @Override
  public int[] lengths() {
    return new int[] {5000};
  }
}
