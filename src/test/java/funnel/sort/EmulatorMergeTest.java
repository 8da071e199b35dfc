package funnel.sort;

import funnel.operation.Target;

class EmulatorMergeTest extends MergeContract {

  @Override
  Target target() {
    return Target.EMULATOR;
  }

  @Override
  int[] lengths() {
    return new int[] {0, 1, 5, 33, 2048, 2049, 4096, 4097};
  }

  @Override
  int several() {
    return 5000;
  }
}
