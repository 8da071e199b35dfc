package funnel.sort;

import funnel.operation.Target;

class EmulatorSortedSearchTest extends SortedSearchContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }

  @Override
  int[] sizes() {
    return new int[] {0, 1, 2, 3, 7, 8, 9, 1024, 1025, 3000};
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 255, 1023, 1024, 1025, 2100};
  }
}
