package funnel.select;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import funnel.emulator.EmulatorEngine;
import funnel.engine.Engine;
import funnel.engine.JvmEngine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.operation.Input;
import funnel.operation.Setting;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EmulatorRowsTest extends RowsContract {

  @Override
  Target target() {
    return Target.EMULATOR;
  }

  @Override
  int[] lengths() {
    return new int[] {0, 1, 33, 2047, 2049, 4091, 4093, 9000};
  }

  @Test
  void runsLongerThanWhatIsChecked_areCut() {
    List<Input> inputs =
        List.of(new Input("x", ElementType.INT, 9), new Input("lengths", ElementType.INT, 9));
    Program cut =
        Program.of(inputs, Runs.decode(20).expand("y", inputs).primitives()).in(Setting.within(3));
    for (Engine engine : List.of(new JvmEngine(), new EmulatorEngine())) {
      try (engine;
          LoadedProgram program = engine.load(cut, Map.of())) {
        program.set("x", MemorySegment.ofArray(new int[] {7, 8, 9}));
        program.set("lengths", MemorySegment.ofArray(new int[] {1, 4, 4}));
        program.run();
        int[] y = new int[program.length("y")];
        program.fetch("y", MemorySegment.ofArray(y));
        assertArrayEquals(new int[] {7, 8, 8}, y);
      }
    }
  }
}
