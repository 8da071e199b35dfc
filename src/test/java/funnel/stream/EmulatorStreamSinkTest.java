package funnel.stream;

import funnel.operation.Target;

class EmulatorStreamSinkTest extends StreamSinkContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }

  @Override
  int piece() {
    return 700;
  }
}
