package funnel.sort;

import funnel.operation.Target;

class JvmMergeTest extends MergeContract {

  @Override
  Target target() {
    return Target.JVM;
  }

  @Override
  int[] lengths() {
    return new int[] {0, 1, 2, 3, 8, 9, 33, 1000, 16_383, 16_384, 16_385, 32_769, 100_000};
  }

  @Override
  int several() {
    return 70_000;
  }
}
