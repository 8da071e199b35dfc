package funnel.engine;

class JvmFoundLengthTest extends FoundLengthContract {

  @Override
  Engine engine() {
    return new JvmEngine();
  }
}
