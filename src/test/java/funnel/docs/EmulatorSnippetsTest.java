package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.docs.PrimitiveSnippets.Scaled;
import funnel.emulator.Emulator;
import funnel.emulator.Interleaving;
import funnel.emulator.Order;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Input;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The examples of the emulator do what they say. */
class EmulatorSnippetsTest {

  private static int[] values(IntArray array) {
    return array.getSegment().toArray(ValueLayout.JAVA_INT);
  }

  @Test
  void sums() {
    IntArray in = IntArray.fromElements(1, 2, 3, 4, 5, 6, 7, 8);
    assertArrayEquals(new int[] {10, 26}, values(EmulatorSnippets.sums(in)));
  }

  @Test
  void orders() {
    assertArrayEquals(new int[] {1, 1, 1, 1}, values(EmulatorSnippets.shifted(Order.FORWARD)));
    assertArrayEquals(new int[] {1, 1, 2, 3}, values(EmulatorSnippets.shifted(Order.REVERSE)));
  }

  @Test
  void engine() {
    Input x = new Input("x", ElementType.INT, 1000);
    Program program = Program.of(List.of(x), List.of(new Scaled("y", x, 3)));
    assertArrayEquals(
        new int[] {3, 6, 9}, EmulatorSnippets.inEveryOrder(program, new int[] {1, 2, 3}));
  }

  @Test
  void launcher() {
    Input x = new Input("x", ElementType.INT, 1000);
    Program program = Program.of(List.of(x), List.of(new Scaled("y", x, 3)));
    try (LoadedProgram loaded = EmulatorSnippets.onOwnDevice(program, Emulator.builder().build())) {
      loaded.set("x", MemorySegment.ofArray(new int[] {1, 2, 3}));
      loaded.run();
      assertEquals(3, loaded.result("y_written"));
    }
  }

  @Test
  void interleavings() {
    assertEquals(
        List.of(2, 2, 1, 1),
        EmulatorSnippets.increments().stream().map(Interleaving::result).toList());
    assertEquals(
        List.of(
            "thread 1: 0 = m[0]", "thread 0: 0 = m[0]", "thread 0: m[0] = 1", "thread 1: m[0] = 1"),
        EmulatorSnippets.lostUpdate());
  }

  @ParameterizedTest
  @EnumSource
  void probe(Order order) {
    for (KernelTask.Kernel3<IntArray, Integer> kernel :
        List.<KernelTask.Kernel3<IntArray, Integer>>of(
            EmulatorSnippets::reverse, EmulatorSnippets::copyOfReverse)) {
      IntArray x = IntArray.fromElements(1, 2, 3);
      KernelTask task = KernelTask.of("reverse", Grid.of(1, 3), kernel, x, 3);
      Emulator.builder().order(order).detectRaces(true).build().run(task);
      assertArrayEquals(new int[] {3, 2, 1}, values(x));
    }
  }
}
