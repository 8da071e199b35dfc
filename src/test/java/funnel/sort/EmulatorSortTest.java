package funnel.sort;

import funnel.operation.Target;

class EmulatorSortTest extends SortContract {

  @Override
  Target target() {
    return Target.EMULATOR;
  }

  @Override
  int[] lengths() {
    return new int[] {0, 1, 5, 33, 3328, 5377, 5888, 8445};
  }

  @Override
  int several() {
    return 7500;
  }
}
