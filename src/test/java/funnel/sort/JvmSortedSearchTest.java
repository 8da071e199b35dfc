package funnel.sort;

import funnel.operation.Target;

class JvmSortedSearchTest extends SortedSearchContract {

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  int[] sizes() {
    return new int[] {0, 1, 2, 3, 4, 5, 31, 32, 33, 1000, 1023, 1024, 1025, 16_384, 16_385, 70_000};
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 2, 33, 1000, 3000};
  }
}
