package funnel.stream;

import funnel.FakeDevices;
import funnel.operation.Target;
import org.junit.jupiter.api.BeforeAll;

/** As one array has it, whatever device a piece comes to, and whichever is faster. */
class SpreadStreamGroupTest extends StreamGroupContract {

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  @BeforeAll
  public void open() {
    funnel = FakeDevices.open(2, FakeDevices.slower());
  }

  @Override
  int piece() {
    return 1000;
  }
}
