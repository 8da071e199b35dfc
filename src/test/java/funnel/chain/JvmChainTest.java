package funnel.chain;

import funnel.operation.Target;

class JvmChainTest extends ChainContract {

  @Override
  Target target() {
    return Target.JVM;
  }

  @Override
  int chains() {
    return 100;
  }

  @Override
  int capacity() {
    return 20000;
  }
}
