package funnel.sort;

import funnel.operation.Target;

class JvmSortTest extends SortContract {

  @Override
  Target target() {
    return Target.JVM;
  }

  @Override
  int[] lengths() {
    return new int[] {0, 1, 2, 3, 5, 31, 32, 33, 1000, 32_768, 65_537, 200_000};
  }

  @Override
  int several() {
    return 100_000;
  }
}
