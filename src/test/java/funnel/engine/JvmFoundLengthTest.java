package funnel.engine;

import funnel.operation.Target;

class JvmFoundLengthTest extends FoundLengthContract {

  @Override
  Target target() {
    return Target.JVM;
  }

  @Override
  Engine engine() {
    return new JvmEngine();
  }
}
