package funnel.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.operation.Input;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JvmRoutineTest extends RoutineContract {

  @Override
  Engine engine() {
    return new JvmEngine();
  }

  /** Writes over the first element, and throws at a negative second one. */
  private record Half(String id) implements Primitive {
    @Override
    public Step in(Setting setting) {
      return Step.of(this, setting)
          .reads("x", "x")
          .changes("x")
          .delivers("first", id, ElementType.INT)
          .onJvm(
              run -> {
                MemorySegment x = run.input("x");
                x.setAtIndex(ValueLayout.JAVA_INT_UNALIGNED, 0, 77);
                if (x.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, 1) < 0) {
                  throw new IllegalStateException("in the middle");
                }
                run.deliver(id, 1);
              });
    }
  }

  /** As on a device: neither a later run nor a reader gets what is half changed. */
  @Test
  void anInputThatAFailedRunHasHalfChanged_isLost_untilItIsSetAnew() {
    Program program =
        Program.of(List.of(new Input("x", ElementType.INT, 2)), List.of(new Half("h")));
    try (LoadedProgram loaded = engine().load(program, Map.of())) {
      loaded.set("x", MemorySegment.ofArray(new int[] {1, -2}));
      assertEquals(
          "in the middle", assertThrows(IllegalStateException.class, loaded::run).getMessage());
      int[] x = new int[2];
      for (Runnable use :
          List.<Runnable>of(loaded::run, () -> loaded.fetch("x", MemorySegment.ofArray(x)))) {
        String message =
            String.valueOf(assertThrows(IllegalStateException.class, use::run).getMessage());
        assertTrue(message.contains("lost"), message);
      }
      loaded.set("x", MemorySegment.ofArray(new int[] {3, 4}));
      loaded.fetch("x", MemorySegment.ofArray(x));
      assertArrayEquals(new int[] {3, 4}, x);
      loaded.run();
      loaded.fetch("x", MemorySegment.ofArray(x));
      assertArrayEquals(new int[] {77, 4}, x);
    }
  }
}
