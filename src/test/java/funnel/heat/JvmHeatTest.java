package funnel.heat;

import funnel.Funnel;
import funnel.operation.Target;
import java.util.List;

class JvmHeatTest extends HeatContract {

  @Override
  Funnel open() {
    return Funnel.open(Target.JVM);
  }

  /** The last ones have several tiles in a row, and several rows of them. */
  @Override
  int[][] sizes() {
    return new int[][] {
      {1, 1},
      {1, 6},
      {7, 1},
      {2, 2},
      {3, 3},
      {4, 5},
      {17, 31},
      {33, 16},
      {64, 65},
      {255, 3},
      {2049, 5},
      {4100, 67},
      {3, 700},
      {2100, 130}
    };
  }

  @Override
  List<String> methods() {
    return List.of("auto");
  }

  @Override
  int nodesOfAll() {
    return 600;
  }
}
