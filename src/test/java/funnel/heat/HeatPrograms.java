package funnel.heat;

import funnel.engine.Program;
import funnel.lessons.HeatVariant;
import funnel.operator.ElementType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The solver's programs over every kind of grid. */
public final class HeatPrograms {

  /** Nodes of a side of a grid that is within a tile: the method does not matter. */
  private static final int LEAST = 3;

  private HeatPrograms() {}

  /** All of them, by what they are for. */
  public static Map<String, Program> all() {
    Map<String, Program> all = new LinkedHashMap<>();
    List<Integer> ghosts =
        List.of(HeatGrid.GHOST, HeatGrid.PERIODIC, HeatGrid.GHOST, HeatGrid.PERIODIC);
    List<Integer> fixed =
        List.of(HeatGrid.DIRICHLET, HeatGrid.DIRICHLET, HeatGrid.PROFILE, HeatGrid.GHOST);
    for (ElementType type : List.of(ElementType.FLOAT, ElementType.DOUBLE)) {
      for (List<Integer> sides : List.of(ghosts, fixed)) {
        for (int kind = 0; kind < 4; kind++) {
          for (int side : new int[] {LEAST, 1500}) {
            HeatGrid grid =
                new HeatGrid(type, side, side - 1, sides, kind % 2 == 1, kind > 1, 0.2, 1);
            for (HeatStepper method : HeatVariant.ALL) {
              if (method.takes(grid)) {
                add(all, grid, method);
              }
            }
          }
        }
      }
    }
    return all;
  }

  private static void add(Map<String, Program> all, HeatGrid grid, HeatStepper method) {
    List<Integer> batches = HeatBatches.of(method, HeatBatches.LARGEST).sizes();
    all.put(
        "heat by %s, %s %s x %s, sides %s%s%s"
            .formatted(
                method.label(),
                grid.type(),
                grid.nx(),
                grid.ny(),
                grid.sides(),
                grid.hasSource() ? ", source" : "",
                grid.hasCells() ? ", cells" : ""),
        Heat2D.program(grid, method, batches));
  }
}
