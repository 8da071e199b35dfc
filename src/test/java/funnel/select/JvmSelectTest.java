package funnel.select;

import funnel.operation.Target;
import funnel.operator.ElementType;
import java.util.List;

class JvmSelectTest extends SelectContract {

  @Override
  Target target() {
    return Target.JVM;
  }

  @Override
  int capacity(ElementType type) {
    return 200_000;
  }

  @Override
  List<Integer> lengths(ElementType type) {
    return List.of(
        0, 1, 2, 31, 32, 33, 1023, 1024, 1025, 65_535, 65_536, 65_537, 66_559, 131_073, 200_000);
  }
}
