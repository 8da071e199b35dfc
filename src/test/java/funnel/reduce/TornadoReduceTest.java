package funnel.reduce;

import funnel.Funnel;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoReduceTest extends ReduceContract {

  @Override
  Funnel open() {
    return Funnel.open(Target.TORNADO);
  }

  /** A task graph has room for some dozens of tasks. */
  @Override
  int casesOfAPlan() {
    return 6;
  }

  @Override
  int capacity() {
    return 70_001; // as for the longest of the medium sizes: the same plans
  }

  @Override
  List<Size> mediumSizes() {
    List<Size> sizes = new ArrayList<>(Size.medium());
    sizes.addAll(Size.shared());
    return sizes;
  }

  @Override
  List<Size> largeSizes(ElementType type) {
    return Size.large();
  }
}
