package funnel.heat;

import funnel.Funnel;
import funnel.operation.Target;
import java.util.List;
import org.junit.jupiter.api.Tag;

@Tag("gpu")
class TornadoHeatTest extends HeatContract {

  @Override
  Funnel open() {
    return Funnel.open(Target.TORNADO);
  }

  /** Around the edges of tiles, and of what a warp of the register stream has. */
  @Override
  int[][] sizes() {
    return new int[][] {{1, 6}, {3, 3}, {33, 16}, {65, 35}, {113, 130}, {700, 533}};
  }

  @Override
  List<String> methods() {
    return List.of("auto", "1", "2", "3", "4", "5", "6");
  }

  @Override
  int nodesOfAll() {
    return 0;
  }
}
