package funnel.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import funnel.Funnel;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.operation.Input;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.reduce.Reduction;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GuardedProgramTest {

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void runsUntilItsFunnelIsClosed(Target target) {
    List<Input> inputs = List.of(new Input("x", ElementType.INT, 5));
    Program program = Program.of(inputs, Reduction.sum().expand("s", inputs).primitives());
    Funnel funnel = Funnel.open(target);
    LoadedProgram loaded = funnel.load(program);
    LoadedProgram other = funnel.load(program);
    loaded.set("x", MemorySegment.ofArray(new int[] {1, 2, 3}));
    loaded.run();
    assertEquals(6, loaded.result("s"));
    assertEquals(3, loaded.length("x"));
    other.close();
    other.close();
    funnel.close();
    assertThrows(IllegalStateException.class, loaded::run);
    assertThrows(IllegalStateException.class, () -> funnel.load(program));
    loaded.close();
  }
}
