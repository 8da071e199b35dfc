package funnel.engine.tornado;

import funnel.engine.device.DeviceContext;
import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.LocalAtomics;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * Tests whether {@code atomicAdd} on a local {@code int[]}, at an index known only at run time,
 * gives correct results on TornadoVM's device when many threads add to the same element.
 *
 * <p>{@code AtomicsProbe.localAdd().outcome() == Outcome.RIGHT} means that kernels may count in
 * local memory. With TornadoVM 5.2.0 it is UNSUPPORTED on backend {@code ptx}, where the module
 * does not load and the driver prints a line to standard output, and WRONG on {@code cuda}, where
 * every update goes to element 0.
 *
 * <p>The probe runs one small kernel, once per process, in this process. Only a call of {@link
 * #localAdd} and a histogram with the named method {@code PRIVATISED} run it: a fault of the device
 * would end its use in this process, so the caller must ask for it. A probe that finds no mistake
 * proves nothing; a mistake that it finds is proof. {@code funnel doctor} tries all atomic
 * operations, in processes of their own.
 */
public final class AtomicsProbe {

  private static final Logger LOG = LoggerFactory.getLogger(AtomicsProbe.class);

  /** The outcome of testing an atomic operation. */
  public enum Outcome {
    /** Every update arrived, and nothing else. */
    RIGHT,
    /** Updates were lost or went elsewhere. */
    WRONG,
    /** The kernel cannot be compiled, loaded or run there, or the outcome is unknown. */
    UNSUPPORTED
  }

  /**
   * What the probe found.
   *
   * @param outcome the finding
   * @param detail what was tried, or the first mistake
   */
  public record Finding(Outcome outcome, String detail) {}

  private static final int BLOCKS = 256; // on all multiprocessors at once
  private static final int THREADS = 256;
  private static final int ELEMENTS = 32;

  /** The kernel. */
  static final class Kernel {
    private Kernel() {}

    /**
     * Each thread adds a number that depends on the element to each element of its block's local
     * array; always 32 threads to the same element.
     */
    public static void add(KernelContext context, IntArray sums, int elements) {
      int thread = context.localIdx;
      int[] local = context.allocateIntLocalArray(elements);
      if (thread < elements) {
        local[thread] = 0;
      }
      context.localBarrier();
      for (int round = 0; round < elements; round++) {
        int i = ((thread & 7) + round) & (elements - 1);
        context.atomicAdd(local, i, i + 1);
      }
      context.localBarrier();
      if (thread < elements) {
        sums.set(context.groupIdx * elements + thread, local[thread]);
      }
    }
  }

  private static volatile @Nullable Finding found;

  /** Answers with {@link #localAdd}, which only {@code mistake} runs. */
  static final LocalAtomics LOCAL =
      new LocalAtomics() {
        @Override
        public Optional<String> mistake() {
          Finding finding = localAdd();
          return finding.outcome() == Outcome.RIGHT
              ? Optional.empty()
              : Optional.of(finding.outcome() + ": " + finding.detail());
        }

        @Override
        public boolean areKnownToBeCorrect() {
          Finding finding = found;
          return finding != null && finding.outcome() == Outcome.RIGHT;
        }
      };

  private AtomicsProbe() {}

  /**
   * The finding about TornadoVM's default device; the same for all calls. Without a device it is
   * {@link Outcome#UNSUPPORTED}.
   */
  public static synchronized Finding localAdd() {
    Finding finding = found;
    if (finding == null) {
      finding = probed(AtomicsProbe::runOnDevice);
      LOG.info("atomicAdd on a local array: {}, {}", finding.outcome(), finding.detail());
      found = finding;
    }
    return finding;
  }

  private static void runOnDevice(KernelTask task, IntArray sums) {
    TornadoEngine.start();
    TaskGraph graph = new TaskGraph("funnelLocalAdd");
    GridScheduler scheduler = new GridScheduler();
    graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, sums);
    task.addTo(graph, scheduler);
    graph.transferToHost(DataTransferMode.EVERY_EXECUTION, sums);
    try (TornadoEngine.ProbePlan plan = new TornadoEngine.ProbePlan(graph, scheduler)) {
      plan.execute();
    }
  }

  /** The finding with {@code runner}, which runs the kernel and copies the sums back. */
  static Finding probed(BiConsumer<KernelTask, IntArray> runner) {
    IntArray sums = new IntArray(BLOCKS * ELEMENTS);
    sums.init(-1);
    try {
      runner.accept(
          KernelTask.of("add", Grid.of(BLOCKS, THREADS), Kernel::add, sums, ELEMENTS), sums);
    } catch (Throwable e) { // TornadoVM's compiler throws errors of its own
      return new Finding(
          Outcome.UNSUPPORTED, "the kernel cannot be run: " + DeviceContext.reason(e));
    }
    for (int i = 0; i < sums.getSize(); i++) {
      int element = i % ELEMENTS;
      int expected = (element + 1) * THREADS;
      if (sums.get(i) != expected) {
        return new Finding(
            Outcome.WRONG,
            "element %s of block %s is %s, expected %s"
                .formatted(element, i / ELEMENTS, sums.get(i), expected));
      }
    }
    return new Finding(
        Outcome.RIGHT, "%s blocks of %s threads lost nothing".formatted(BLOCKS, THREADS));
  }
}
