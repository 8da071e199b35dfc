package funnel.emulator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import funnel.Funnel;
import funnel.GraphResults;
import funnel.Plan;
import funnel.Sdk;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.scan.Scan;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.WorkerGrid;
import uk.ac.manchester.tornado.api.WorkerGrid1D;
import uk.ac.manchester.tornado.api.WorkerGrid2D;
import uk.ac.manchester.tornado.api.WorkerGrid3D;
import uk.ac.manchester.tornado.api.annotations.Parallel;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Task graphs of the user's, in the emulator. */
class GraphInEmulatorTest {

  static void plus(KernelContext context, IntArray in, IntArray out, int summand) {
    int i = context.globalIdx;
    if (i < in.getSize()) {
      out.set(i, in.get(i) + summand);
    }
  }

  static void loops(IntArray in, IntArray out, int factor) {
    for (@Parallel int i = 0; i < in.getSize(); i++) {
      out.set(i, factor * in.get(i));
    }
  }

  static void broken(IntArray in) {
    in.set(0, 1 / in.get(0));
  }

  static void places(KernelContext context, IntArray out) {
    int i = context.globalIdx + context.globalIdy * context.globalGroupSizeX;
    out.set(i, 10 * context.localGroupSizeX + context.localGroupSizeY);
  }

  static void contextLast(IntArray out, KernelContext context) {
    out.set(context.globalIdx, 1);
  }

  private static WorkerGrid workers(int global, int local) {
    WorkerGrid grid = new WorkerGrid1D(global);
    grid.setLocalWork(local, 1, 1);
    return grid;
  }

  private static void needOurTaskGraph() {
    assumeFalse(Sdk.isHere(), "TornadoVM's own task graph does not tell its tasks");
  }

  private static Emulator emulator() {
    return Emulator.builder().detectRaces(true).seed(3).build();
  }

  @Test
  void ownKernel_scanOfAPlan_ownKernel_inOrder() {
    needOurTaskGraph();
    int n = 3000;
    IntArray in = new IntArray(n);
    IntArray before = new IntArray(n);
    IntArray after = new IntArray(n);
    for (int i = 0; i < n; i++) {
      in.set(i, i % 11);
    }
    try (Funnel funnel = Funnel.open(Target.JVM);
        Plan plan =
            funnel
                .plan("sums")
                .input("x", ElementType.INT, n)
                .add("y", Scan.inclusive(Operator.SUM), "x")
                .build()) {
      TaskGraph graph = new TaskGraph("mine");
      GridScheduler scheduler = new GridScheduler("mine.before", workers(3072, 256));
      scheduler.addWorkerGrid("mine.after", workers(3072, 64));
      graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, in);
      graph.task("before", GraphInEmulatorTest::plus, new KernelContext(), in, before, 5);
      GraphResults results = plan.addTo(graph, scheduler, Map.of("x", before));
      IntArray sums = (IntArray) results.written("y");
      graph.task("after", GraphInEmulatorTest::plus, new KernelContext(), sums, after, -1);
      graph.transferToHost(DataTransferMode.EVERY_EXECUTION, after);

      for (int length : new int[] {n, 100, 1, n}) {
        results.setLength("x", length);
        emulator().run(graph, scheduler);
        int sum = 0;
        for (int i = 0; i < length; i++) {
          sum += in.get(i) + 5;
          assertEquals(sum - 1, after.get(i), "length " + length + ", element " + i);
        }
        assertEquals(sum, results.get("y_total"));
      }
    }
  }

  @Test
  void loops_runAsJava_betweenKernels() {
    needOurTaskGraph();
    IntArray a = IntArray.fromElements(1, 2, 3, 4);
    IntArray b = new IntArray(4);
    TaskGraph graph = new TaskGraph("g");
    graph.task("twice", GraphInEmulatorTest::loops, a, b, 2);
    graph.task("plus", GraphInEmulatorTest::plus, new KernelContext(), b, a, 1);
    emulator().run(graph, new GridScheduler("g.plus", workers(4, 2)));
    assertArrayEquals(new int[] {3, 5, 7, 9}, a.toHeapArray());

    a.set(0, 0);
    TaskGraph failing = new TaskGraph("f").task("broken", GraphInEmulatorTest::broken, a);
    KernelFailedException e =
        assertThrows(
            KernelFailedException.class, () -> emulator().run(failing, new GridScheduler()));
    assertTrue(e.getMessage().contains("f.broken"), e.getMessage());
    assertTrue(e.getMessage().contains("GraphInEmulatorTest.broken("), e.getMessage());
  }

  @Test
  void grid_ofTwoDimensions() {
    needOurTaskGraph();
    IntArray out = new IntArray(48);
    WorkerGrid grid = new WorkerGrid2D(8, 6);
    grid.setLocalWork(4, 3, 1);
    TaskGraph graph = new TaskGraph("g");
    graph.task("places", GraphInEmulatorTest::places, new KernelContext(), out);
    emulator().run(graph, new GridScheduler("g.places", grid));
    int[] expected = new int[48];
    Arrays.fill(expected, 43);
    assertArrayEquals(expected, out.toHeapArray());
  }

  private static String refused(WorkerGrid grid) {
    IntArray a = IntArray.fromElements(1, 2, 3, 4);
    TaskGraph graph = new TaskGraph("g");
    graph.task("loops", GraphInEmulatorTest::loops, a, a, 2);
    graph.task("plus", GraphInEmulatorTest::plus, new KernelContext(), a, a, 1);
    GridScheduler scheduler = new GridScheduler("g.minus", workers(4, 4));
    if (grid != null) {
      scheduler.addWorkerGrid("g.plus", grid);
    }
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> emulator().run(graph, scheduler));
    assertArrayEquals(new int[] {1, 2, 3, 4}, a.toHeapArray(), "nothing has run");
    return e.getMessage();
  }

  @Test
  void gridsThatADeviceWouldTakeOtherwise_areRefused() {
    needOurTaskGraph();
    String missing = refused(null);
    assertTrue(missing.contains("g.plus") && missing.contains("g.minus"), missing);
    String uneven = refused(workers(1000, 256));
    assertTrue(uneven.contains("global=[1000, 1, 1], local=[256, 1, 1]"), uneven);
    String small = refused(workers(4, 256));
    assertTrue(small.contains("multiple"), small);
    String open = refused(new WorkerGrid1D(4));
    assertTrue(open.contains("setLocalWork"), open);
    WorkerGrid deep = new WorkerGrid3D(4, 1, 2);
    deep.setLocalWork(4, 1, 1);
    String three = refused(deep);
    assertTrue(three.contains("two dimensions"), three);
    WorkerGrid shifted = workers(4, 4);
    shifted.setGlobalOffset(1, 0, 0);
    assertTrue(refused(shifted).contains("offset=[1, 0, 0]"));
  }

  @Test
  void codeThatIsNoMethodReference_isRefused() {
    needOurTaskGraph();
    IntArray a = new IntArray(4);
    int two = a.getSize() / 2;
    GridScheduler scheduler = new GridScheduler("g.t", workers(4, 4));
    TaskGraph capturing = new TaskGraph("g");
    capturing.task("t", (context, x) -> plus(context, x, x, two), new KernelContext(), a);
    UnsupportedKernelException e =
        assertThrows(UnsupportedKernelException.class, () -> emulator().run(capturing, scheduler));
    assertTrue(e.getMessage().contains("captures"), e.getMessage());
    TaskGraph last = new TaskGraph("g");
    last.task("t", GraphInEmulatorTest::contextLast, a, new KernelContext());
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> emulator().run(last, scheduler))
            .getMessage()
            .contains("first argument"));
    TaskGraph lambda = new TaskGraph("g");
    lambda.task("t", (context, x) -> plus(context, x, x, 2), new KernelContext(), a);
    emulator().run(lambda, scheduler);
    assertArrayEquals(new int[] {2, 2, 2, 2}, a.toHeapArray());
  }

  @Test
  void tornadoVmsOwnGraph_isRefused() {
    assumeTrue(Sdk.isHere(), "needs TornadoVM's own task graph");
    UnsupportedOperationException e =
        assertThrows(
            UnsupportedOperationException.class,
            () -> emulator().run(new TaskGraph("g"), new GridScheduler()));
    assertTrue(e.getMessage().contains("jvm-api"), e.getMessage());
  }
}
