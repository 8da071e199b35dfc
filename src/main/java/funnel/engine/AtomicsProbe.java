package funnel.engine;

import funnel.jit.KernelTask;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.exceptions.TornadoExecutionPlanException;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * Finds out whether {@code atomicAdd} on a local {@code int[]}, at an index of run time, gives
 * right results on TornadoVM's device when many threads want the same element.
 *
 * <p>{@code AtomicsProbe.localAdd().outcome() == Outcome.RIGHT} says that kernels may count in
 * local memory. With TornadoVM 5.2.0 it is UNSUPPORTED on backend {@code ptx}, whose module does
 * not load, of which the driver prints a line to standard output, and WRONG on {@code cuda}, where
 * every update goes to element 0.
 *
 * <p>The probe runs one small kernel, in this process, once a process. Nothing else makes it than a
 * call of {@link #localAdd} and a histogram whose method is named {@code PRIVATISED}: a fault of
 * the device would end its use in this process, so that is for the caller to ask for. A probe that
 * finds no mistake proves nothing; one that finds one does. {@code funnel doctor} tries all atomic
 * operations, in processes of their own.
 *
 * {@snippet class="funnel.docs.EngineSnippets" region="atomics"}
 */
public final class AtomicsProbe {

  private static final Logger LOG = LoggerFactory.getLogger(AtomicsProbe.class);
  private static final String EMULATOR = "emulator";

  /** What an atomic operation was found to be. */
  public enum Outcome {
    /** Every update arrived, and nothing else. */
    RIGHT,
    /** Updates were lost or went elsewhere. */
    WRONG,
    /** The kernel cannot be compiled, loaded or run there, or that could not be found out. */
    UNSUPPORTED
  }

  /**
   * What the probe found.
   *
   * @param outcome the finding
   * @param detail what was tried, or the first mistake
   */
  public record Finding(Outcome outcome, String detail) implements Serializable {}

  /** Runs the kernel; the counts are then on the host. */
  interface Run {
    void run(KernelTask task, IntArray counts) throws Exception;
  }

  private static volatile @Nullable Finding found;

  private AtomicsProbe() {}

  /**
   * The finding about TornadoVM's default device; from the first call on, the same one. Where there
   * is no device, it is {@link Outcome#UNSUPPORTED}.
   */
  public static Finding localAdd() {
    try {
      TornadoEngine.open().close(); // TornadoVM has to be started as engines start it
    } catch (EngineUnavailableException e) {
      return new Finding(Outcome.UNSUPPORTED, String.valueOf(e.getMessage()));
    }
    return onDefaultDevice();
  }

  /**
   * The finding about what an engine runs on: in the emulator it is right, without a probe; any
   * other device is TornadoVM's.
   */
  public static Finding localAdd(Device device) {
    return device.backend().equals(EMULATOR)
        ? new Finding(Outcome.RIGHT, "by construction of the emulator")
        : onDefaultDevice();
  }

  /**
   * Whether it is right there by what is known so far, without a probe: false on TornadoVM's device
   * until {@link #localAdd} has found it right.
   */
  public static boolean isKnownToBeRight(Device device) {
    Finding finding = device.backend().equals(EMULATOR) ? localAdd(device) : found;
    return finding != null && finding.outcome() == Outcome.RIGHT;
  }

  private static synchronized Finding onDefaultDevice() {
    Finding finding = found;
    if (finding == null) {
      finding = probed(AtomicsProbe::runOnDevice);
      LOG.info("atomicAdd on a local array: {}, {}", finding.outcome(), finding.detail());
      found = finding;
    }
    return finding;
  }

  private static void runOnDevice(KernelTask task, IntArray counts)
      throws TornadoExecutionPlanException {
    TaskGraph graph = new TaskGraph("funnelLocalAdd");
    GridScheduler scheduler = new GridScheduler();
    graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, counts);
    task.addTo(graph, scheduler);
    graph.transferToHost(DataTransferMode.EVERY_EXECUTION, counts);
    try (TornadoEngine.ProbePlan plan = new TornadoEngine.ProbePlan(graph, scheduler)) {
      plan.execute();
    }
  }

  /** The finding of a run. */
  static Finding probed(Run run) {
    IntArray counts = LocalAddKernels.newCounts();
    try {
      run.run(LocalAddKernels.task(counts), counts);
    } catch (Throwable e) { // TornadoVM's compiler throws errors of its own
      return new Finding(
          Outcome.UNSUPPORTED, "the kernel cannot be run: " + DeviceProgram.reason(e));
    }
    String mistake = LocalAddKernels.firstMistake(counts);
    return mistake.isEmpty()
        ? new Finding(Outcome.RIGHT, LocalAddKernels.TRIED)
        : new Finding(Outcome.WRONG, mistake);
  }
}
