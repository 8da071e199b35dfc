package funnel.transform;

import funnel.operation.Target;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoStorageTest extends StorageContract {

  @Override
  public Target target() {
    return Target.TORNADO;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 33, 2047, 2048, 2049, 70_001};
  }
}
