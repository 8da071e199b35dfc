package funnel.sort;

import funnel.operation.Target;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoMergeTest extends MergeContract {

  @Override
  Target target() {
    return Target.TORNADO;
  }

  @Override
  int[] lengths() {
    return new int[] {
      0, 1, 2, 3, 7, 8, 9, 31, 33, 2047, 2048, 2049, 4095, 4096, 4097, (1 << 18) + 77
    };
  }

  @Override
  int several() {
    return 100_000;
  }
}
