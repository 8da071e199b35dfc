package funnel.transform;

import funnel.operation.Target;

class EmulatorStorageTest extends StorageContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 33, 2047, 2048, 2049, 4500};
  }
}
