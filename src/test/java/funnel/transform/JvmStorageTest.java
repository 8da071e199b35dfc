package funnel.transform;

import funnel.operation.Target;

class JvmStorageTest extends StorageContract {

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 31, 33, 1000, 2049, 70_001};
  }
}
