package funnel.chain;

import funnel.operation.Target;

class EmulatorChainTest extends ChainContract {

  @Override
  Target target() {
    return Target.EMULATOR;
  }

  @Override
  int chains() {
    return 6;
  }

  @Override
  int capacity() {
    return 3000;
  }
}
