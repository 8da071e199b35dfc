package funnel.heat;

import funnel.LaunchedKernels;
import funnel.engine.Program;
import funnel.lessons.HeatVariant;
import funnel.operation.Primitive;
import funnel.operator.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every launch over every kind of grid finds its kernel, and an argument for each parameter. */
class HeatLaunchesTest {

  private final LaunchedKernels kernels = new LaunchedKernels();

  private void launch(HeatGrid grid, HeatStepper method, boolean rowsAtOnce) {
    List<Primitive> primitives = new ArrayList<>();
    for (int steps : new int[] {1, 2, 4, 8, 16, 20}) {
      primitives.add(new HeatSteps("s" + steps, grid, method, rowsAtOnce, steps));
    }
    primitives.add(new HeatSides("sides", grid));
    primitives.add(new HeatChange("change", grid, method, rowsAtOnce));
    kernels.add(Program.of(HeatArrays.inputs(grid), primitives), Map.of());
  }

  @Test
  void everyParameterOfEveryKernel_hasAnArgument() {
    for (ElementType type : List.of(ElementType.FLOAT, ElementType.DOUBLE)) {
      for (int kind = 0; kind < 4; kind++) {
        HeatGrid grid =
            new HeatGrid(type, 100, 70, List.of(0, 0, 0, 0), kind % 2 == 1, kind > 1, 0.2, 1);
        for (HeatStepper method : HeatVariant.ALL) {
          if (method.takes(grid)) {
            launch(grid, method, true);
            launch(grid, method, false);
          }
        }
      }
    }
    kernels.requireAll("IntHeat.*|(?!.*Heat).*", "funnel.heat", "funnel.lessons");
  }
}
