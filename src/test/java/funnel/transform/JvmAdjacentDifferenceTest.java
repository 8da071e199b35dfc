package funnel.transform;

import funnel.engine.Engine;
import funnel.engine.JvmEngine;

class JvmAdjacentDifferenceTest extends AdjacentDifferenceContract {

  @Override
  Engine open() {
    return new JvmEngine();
  }
}
