package funnel.functions;

import funnel.operation.Target;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoExactFunctionsTest extends ExactFunctionsContract {

  @Override
  public Target target() {
    return Target.TORNADO;
  }

  @Override
  public int[] lengths() {
    return new int[] {33, 3000};
  }
}
