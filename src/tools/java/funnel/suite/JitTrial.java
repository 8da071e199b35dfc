package funnel.suite;

import funnel.kernel.KernelTask;
import java.util.List;
import java.util.Optional;

/**
 * The kernel launches of one rule and what they must leave in their output arrays.
 *
 * <p>To run a trial, run {@link #tasks} in order; then, for each of {@link #changes}, make the
 * change and run them all again; then call {@link #verify}. Inputs and outputs are arguments of the
 * tasks. The expectation is computed by plain Java code, never by running the kernel.
 *
 * {@snippet class="funnel.docs.JitSuiteSnippets" region="trial"}
 *
 * @param tasks the launches, in order
 * @param outputs what must be in the output arrays at the end
 * @param launch how the worker grids are stated to TornadoVM
 * @param changes changes of the input arrays between one run of the tasks and the next
 */
public record JitTrial(
    List<KernelTask> tasks, List<Output> outputs, Launch launch, List<Runnable> changes) {

  /** How the worker grids of a trial's tasks are stated to TornadoVM. */
  public enum Launch {
    /** As the tasks say. */
    STATED,
    /** Not at all. */
    NO_WORKER_GRID,
    /** With half a block fewer threads than the tasks say, so that the last block is not full. */
    PARTIAL_BLOCK
  }

  /** Copies the lists. */
  public JitTrial {
    tasks = List.copyOf(tasks);
    outputs = List.copyOf(outputs);
    changes = List.copyOf(changes);
  }

  /** A trial of one launch. */
  static JitTrial of(KernelTask task, Output... outputs) {
    return new JitTrial(List.of(task), List.of(outputs), Launch.STATED, List.of());
  }

  /** This trial with its grids stated in another way. */
  JitTrial launched(Launch how) {
    return new JitTrial(tasks, outputs, how, changes);
  }

  /** This trial with the tasks run once more after a change of their inputs. */
  JitTrial andAgainAfter(Runnable change) {
    return new JitTrial(tasks, outputs, launch, List.of(change));
  }

  /**
   * Compares the output arrays with the results that Java requires.
   *
   * @return the first difference, empty if there is none
   */
  public Optional<String> verify() {
    return outputs.stream().map(Output::firstDifference).flatMap(Optional::stream).findFirst();
  }
}
