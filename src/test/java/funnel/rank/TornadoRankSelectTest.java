package funnel.rank;

import funnel.engine.Engine;
import funnel.engine.tornado.TornadoEngine;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoRankSelectTest extends RankSelectStepTest {

  @Override
  Engine open() {
    return TornadoEngine.open();
  }
}
