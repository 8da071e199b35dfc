package funnel.arrays;

import funnel.Seed;
import funnel.operation.Target;

class JvmKeptArraysTest extends KeptArraysContract {

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 33, 5000};
  }

  @Override
  int steps() {
    return Seed.draws(300);
  }
}
