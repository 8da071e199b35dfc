package funnel.reduce;

import funnel.Funnel;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.ptx.PtxDriver;
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
    return PtxDriver.length(70_001); // as for the longest of the medium sizes: the same plans
  }

  @Override
  List<Size> mediumSizes() {
    List<Size> sizes = new ArrayList<>(Size.medium());
    sizes.addAll(Size.shared());
    sizes.removeIf(size -> size.n() > capacity());
    return sizes;
  }

  @Override
  List<Size> largeSizes(ElementType type) {
    return PtxDriver.isDevice(Target.TORNADO) ? Size.large() : mediumSizes();
  }
}
