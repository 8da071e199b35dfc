package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import funnel.Graphs;
import funnel.Sdk;
import funnel.emulator.Emulator;
import funnel.emulator.UnsupportedKernelException;
import funnel.jit.FusedMultiplyAddTest;
import funnel.jit.TornadoCompiler;
import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.runtime.TornadoRuntimeProvider;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** The examples of kernels do what they say. */
class KernelSnippetsTest {

  private static final float ODD = 1 + 0x1p-12f;

  /** Runs a task in one of the ways that are to be tried. */
  private interface Run {
    void run(KernelTask task, Object... arrays) throws Exception;
  }

  @Test
  void task_emulated() {
    FloatArray out = new FloatArray(3);
    KernelSnippets.emulate(FloatArray.fromElements(1, 2, 3), out);
    assertArrayEquals(new float[] {2, 4, 6}, out.toHeapArray());
  }

  @Test
  void named_emulated() {
    FloatArray out = new FloatArray(3);
    Emulator emulator = Emulator.builder().build();
    emulator.run(KernelSnippets.tripled(FloatArray.fromElements(1, 2, 3), out));
    assertArrayEquals(new float[] {3, 6, 9}, out.toHeapArray());
  }

  @Test
  void part_fromEachPlace_emulated() {
    FloatArray in = FloatArray.fromElements(1, 2, 3, 4);
    for (int from = 0; from < 3; from++) {
      FloatArray out = new FloatArray(2);
      Emulator.builder().build().run(KernelSnippets.partFrom(in, out, from));
      assertArrayEquals(new float[] {from + 1, from + 2}, out.toHeapArray());
    }
  }

  @Test
  void lookUp_emulated() {
    Emulator emulator = Emulator.builder().build();
    IntArray table = IntArray.fromElements(5, 6, 7, 8, 9);
    IntArray element = new IntArray(1);
    LongArray misses = new LongArray(1);
    for (int index : new int[] {4, 9, -1, Integer.MIN_VALUE}) {
      emulator.run(
          KernelTask.of(
              "lookUp", Grid.of(1, 1), KernelSnippets::lookUp, table, element, misses, index));
      assertEquals(
          index == 4 ? "found" : "table 2 has no element " + index,
          KernelSnippets.missed(table, misses));
      assertEquals(index == 4 ? 9 : 5, element.get(0));
    }
  }

  @Test
  void task_inAGraph() {
    assumeFalse(Sdk.isHere(), "looks into our own statement of TaskGraph");
    FloatArray in = FloatArray.fromElements(1, 2, 3);
    FloatArray out = new FloatArray(3);
    GridScheduler scheduler = new GridScheduler();
    TaskGraph graph = KernelSnippets.graph(in, out, scheduler);
    assertEquals(Set.of("scaling.doubled"), scheduler.keySet());
    assertTrue(graph.getArgumentsLookup().contains(in));
    assertTrue(graph.getOutputs().contains(out));
  }

  @Test
  void blockSize_ofTheBlockOnly() {
    IntArray x = IntArray.fromElements(1, 2, 4, 8);
    Emulator emulator = Emulator.builder().detectRaces(true).build();
    emulator.run(KernelTask.of("unions", Grid.of(1, 4), KernelSnippets::unions, x, 4));
    assertArrayEquals(new int[] {15, 15, 15, 15}, x.toHeapArray());
    UnsupportedKernelException e =
        assertThrows(
            UnsupportedKernelException.class,
            () ->
                emulator.run(KernelTask.of("unions", Grid.of(1, 4), KernelSnippets::unions, x, 8)));
    assertTrue(e.getMessage().contains("threads=8 in a block of 4"), e.getMessage());
  }

  @Tag("gpu")
  @Test
  void task_onDevice() throws Exception {
    FloatArray in = FloatArray.fromElements(1, 2, 3);
    FloatArray out = new FloatArray(3);
    Graphs.run(KernelSnippets.doubled(in, out), in, out);
    assertArrayEquals(new float[] {2, 4, 6}, out.toHeapArray());
  }

  private static void scalars(Run run) throws Exception {
    IntArray keys = IntArray.fromElements(1, 0x70000000, -1);
    IntArray digits = new IntArray(3);
    run.run(
        KernelTask.of("digits", Grid.of(1, 64), KernelSnippets::digits, keys, digits),
        keys,
        digits);
    assertArrayEquals(new int[] {0, 7, 15}, digits.toHeapArray());
  }

  private static void errors(Run run) throws Exception {
    FloatArray x = FloatArray.fromElements(3, ODD);
    FloatArray squares = FloatArray.fromElements(9, ODD * ODD);
    FloatArray errors = new FloatArray(2);
    run.run(
        KernelTask.of("errors", Grid.of(1, 64), KernelSnippets::errors, x, squares, errors),
        x,
        squares,
        errors);
    assertArrayEquals(new float[] {0, 0x1p-24f}, errors.toHeapArray());
  }

  @Test
  void kernels_inTheEmulator() throws Exception {
    Emulator emulator = Emulator.builder().build();
    scalars((task, arrays) -> emulator.run(task));
    errors((task, arrays) -> emulator.run(task));
  }

  @Tag("gpu")
  @Test
  void kernels_onDevice() throws Exception {
    scalars(Graphs::run);
    assertEquals(
        "Math.fma is an instruction",
        KernelSnippets.teach(TornadoRuntimeProvider.getTornadoRuntime().getBackend(0)));
    errors(Graphs::run);
  }

  @Test
  void teach_saysThatABackendCannotBeTaught() {
    String message = KernelSnippets.teach(FusedMultiplyAddTest.unknownBackend());
    assertTrue(message.contains("start with " + TornadoCompiler.argfile() + ", "), message);
  }

  @Test
  void longs() {
    for (long value : new long[] {0, 3 + (1L << 22), -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      assertEquals(value, KernelSnippets.throughInts(value));
    }
  }
}
