package funnel.histogram;

import funnel.engine.Engine;
import funnel.engine.JvmEngine;
import java.util.List;

class JvmScatterReduceTest extends ScatterReduceContract {

  @Override
  Engine open() {
    return new JvmEngine();
  }

  @Override
  List<Integer> longLengths() {
    return List.of(300_000);
  }

  @Override
  int randomRuns() {
    return 1000;
  }
}
