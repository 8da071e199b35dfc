package funnel.engine;

class JvmRoutineTest extends RoutineContract {

  @Override
  Engine engine() {
    return new JvmEngine();
  }
}
