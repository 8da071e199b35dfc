package funnel.heat;

import funnel.Funnel;
import funnel.operation.Target;
import java.util.List;

class EmulatorHeatTest extends HeatContract {

  @Override
  Funnel open() {
    return Funnel.open(Target.EMULATOR);
  }

  /** Around the edges of tiles of 32 x 16 nodes. */
  @Override
  int[][] sizes() {
    return new int[][] {{1, 1}, {1, 6}, {7, 1}, {2, 2}, {3, 3}, {31, 17}, {33, 16}, {65, 35}};
  }

  @Override
  List<String> methods() {
    return List.of("auto", "1", "2", "3", "4", "5", "6");
  }

  /** The largest is a run of many launches, which are those of the others. */
  @Override
  int[] batches() {
    return new int[] {1, 2, 4, 8, 16, 20, 64};
  }

  @Override
  int combined(int nodes) {
    return 2;
  }

  @Override
  int nodesOfAll() {
    return 0;
  }

  /** Launches of all the batches that a long run has too, and a rest. */
  @Override
  int steps(int usual) {
    return Math.min(usual, 31);
  }
}
