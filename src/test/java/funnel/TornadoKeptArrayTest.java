package funnel;

import funnel.operation.Target;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoKeptArrayTest extends KeptArrayContract {

  @Override
  public Target target() {
    return Target.TORNADO;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 31, 700};
  }

  @Override
  int cycles() {
    return 20;
  }
}
