package funnel.engine.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import funnel.engine.Program;
import funnel.engine.Routine;
import funnel.operation.Input;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How many arrays a program has, and how large. */
class ProgramArraysTest {

  /** Reads x, and has scratch that others of its kind have too. */
  private record Sharing(String id) implements Primitive {
    @Override
    public Step in(Setting setting) {
      return Step.of(this, setting)
          .reads("x", "x")
          .scratch("shared", "shared", ElementType.DOUBLE, 1000)
          .scratch("own", id + ".own", ElementType.INT, 10)
          .onDevice(_ -> {});
    }
  }

  @Test
  void scratchOfOneName_isOneArray_andCountedOnce() {
    Program program =
        new Program(
            List.of(new Input("x", ElementType.INT, 100)),
            List.of(Routine.of(List.of(new Sharing("a"))), Routine.of(List.of(new Sharing("b")))));
    ProgramArrays arrays = new ProgramArrays(program, Map.of());
    assertSame(arrays.scratchArrays(0).getFirst(), arrays.scratchArrays(1).getFirst());
    assertEquals(400 + 8000 + 2 * 40, ProgramArrays.bytes(program));
  }
}
