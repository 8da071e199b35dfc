package funnel.transform;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import funnel.emulator.EmulatorEngine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.operation.Input;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EmulatorMoveTest extends MoveContract {

  @Override
  public Target target() {
    return Target.EMULATOR;
  }

  @Override
  public int[] lengths() {
    return new int[] {0, 1, 255, 256, 1023, 1024, 1025, 2 * 1024 + 257};
  }

  /** A selection that is given up leaves places of its positions as they were in memory. */
  @Test
  void positionsThatNobodyWrote_areOfNoElementOutside() {
    Input x = new Input("x", ElementType.INT, 10);
    Input p = new Input("p", ElementType.INT, 4);
    GatherStep take = new GatherStep("y", "x", "p", null, null, ElementType.INT, 4);
    int[] taken = new int[4];
    try (LoadedProgram program =
        new EmulatorEngine().load(Program.of(List.of(x, p), List.of(take)), Map.of())) {
      program.set("x", MemorySegment.ofArray(new int[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
      program.set("p", MemorySegment.ofArray(new int[] {-5, Integer.MIN_VALUE, 1 << 30, 3}));
      program.run();
      program.fetch("y", MemorySegment.ofArray(taken));
    }
    assertArrayEquals(new int[] {0, 0, 9, 3}, taken);
  }
}
