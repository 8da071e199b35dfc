package funnel.engine.tornado;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import funnel.Funnel;
import funnel.Sdk;
import funnel.emulator.Emulator;
import funnel.emulator.Order;
import funnel.engine.tornado.AtomicsProbe.Finding;
import funnel.engine.tornado.AtomicsProbe.Outcome;
import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Target;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

class AtomicsProbeTest {

  @ParameterizedTest
  @EnumSource
  void rightInTheEmulator(Order order) {
    for (boolean parallel : new boolean[] {false, true}) {
      Emulator emulator = Emulator.builder().order(order).parallel(parallel).build();
      assertEquals(
          new Finding(Outcome.RIGHT, "256 blocks of 256 threads lost nothing"),
          AtomicsProbe.probed((task, sums) -> emulator.run(task)));
    }
  }

  /** As on a backend cuda: the threads of a block all add to its element 0. */
  @Test
  void wrongWhereUpdatesGoElsewhere() {
    Finding finding =
        AtomicsProbe.probed(
            (task, sums) -> {
              for (int i = 0; i < sums.getSize(); i++) {
                sums.set(i, i % 32 == 0 ? 256 * (32 * 33 / 2) : 0);
              }
            });
    assertEquals(
        new Finding(Outcome.WRONG, "element 0 of block 0 is 135168, expected 256"), finding);
  }

  @Test
  void wrongWhereOneUpdateOfTheLastBlockIsLost() {
    Emulator emulator = Emulator.builder().build();
    Finding finding =
        AtomicsProbe.probed(
            (task, sums) -> {
              emulator.run(task);
              sums.set(256 * 32 - 1, sums.get(256 * 32 - 1) - 32);
            });
    assertEquals(
        new Finding(Outcome.WRONG, "element 31 of block 255 is 8160, expected 8192"), finding);
  }

  /** TornadoVM prints errors of the driver and goes on. */
  @Test
  void wrongWhereNothingIsRun() {
    assertEquals(
        new Finding(Outcome.WRONG, "element 0 of block 0 is -1, expected 256"),
        AtomicsProbe.probed((task, sums) -> {}));
  }

  @Test
  void unsupportedWhereItCannotBeRun() {
    Finding finding =
        AtomicsProbe.probed(
            (task, sums) -> {
              throw new AssertionError(new IllegalStateException("no module"));
            });
    assertEquals(new Finding(Outcome.UNSUPPORTED, "the kernel cannot be run: no module"), finding);
  }

  @Test
  void withoutTornadoVmItIsUnsupported() {
    assumeFalse(Sdk.isHere(), "there is a TornadoVM");
    assertFalse(AtomicsProbe.LOCAL.areKnownToBeCorrect());
    assertSame(Outcome.UNSUPPORTED, AtomicsProbe.localAdd().outcome());
    assertTrue(AtomicsProbe.LOCAL.mistake().orElseThrow().startsWith("UNSUPPORTED: the kernel "));
    assertFalse(AtomicsProbe.LOCAL.areKnownToBeCorrect());
  }

  @Tag("gpu")
  @Test
  void onDevice() {
    Finding finding = AtomicsProbe.localAdd();
    assertSame(finding, AtomicsProbe.localAdd());
    assertEquals(finding.outcome() == Outcome.RIGHT, AtomicsProbe.LOCAL.areKnownToBeCorrect());
    assertEquals(finding.outcome() == Outcome.RIGHT, AtomicsProbe.LOCAL.mistake().isEmpty());
    try (Funnel funnel = Funnel.open(Target.TORNADO)) {
      assertEquals(6, funnel.sum(new int[] {1, 2, 3}), "the probe has harmed this process");
    }
  }

  static void none(KernelContext context, IntArray sums) {
    int i = context.globalIdx;
    if (i < sums.getSize()) {
      sums.set(i, 0);
    }
  }

  /** On backend cuda, closing a plan while another one executes ended in device faults. */
  @Tag("gpu")
  @Test
  void aProbesPlanIsClosedWhenNoOtherExecutes() throws Exception {
    TornadoEngine.start();
    IntArray sums = new IntArray(32);
    TaskGraph graph = new TaskGraph("funnelTestProbePlan");
    GridScheduler scheduler = new GridScheduler();
    graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, sums);
    KernelTask.of("none", Grid.of(1, 32), AtomicsProbeTest::none, sums).addTo(graph, scheduler);
    graph.transferToHost(DataTransferMode.EVERY_EXECUTION, sums);
    TornadoEngine.ProbePlan plan = new TornadoEngine.ProbePlan(graph, scheduler);
    ReentrantReadWriteLock inUse = (ReentrantReadWriteLock) TornadoLauncher.IN_USE;
    inUse.readLock().lock(); // as while another plan executes
    FutureTask<Boolean> closed =
        new FutureTask<>(
            () -> {
              plan.close();
              return true;
            });
    Thread closing = Thread.ofPlatform().start(closed);
    try {
      while (!inUse.hasQueuedThread(closing)) {
        assertTrue(closing.isAlive(), "closed while another plan executed");
        Thread.onSpinWait();
      }
    } finally {
      inUse.readLock().unlock();
    }
    assertTrue(closed.get());
  }
}
