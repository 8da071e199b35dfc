package funnel.emulator;

import org.jspecify.annotations.Nullable;

/**
 * A mistake in an emulated kernel. Every message begins with the kernel, the group and the thread,
 * if there is one, gives the numbers, and ends with what to do.
 *
 * <p>The permitted subclasses are the kinds of mistakes that the {@link Emulator} distinguishes.
 *
 * {@snippet class="funnel.docs.KernelMistakesSnippets" region="any"}
 */
public abstract sealed class EmulatorException extends RuntimeException
    permits BarrierDivergenceException,
        EndlessKernelException,
        KernelBoundsException,
        KernelFailedException,
        LocalMemoryException,
        LocalRaceException,
        UnsupportedKernelException {

  private static final long serialVersionUID = 1L;

  private final String kernel;
  private final int group;
  private final int thread;

  EmulatorException(Place place, String problem, @Nullable Throwable cause) {
    super(place + ": " + problem, cause);
    this.kernel = place.kernel();
    this.group = place.group();
    this.thread = place.thread();
  }

  /** The task's id and the kernel method, such as {@code "sum (example.Kernels.sum)"}. */
  public String kernel() {
    return kernel;
  }

  /** The group's number, x varying fastest: {@code groupIdx + groupIdy * blocks}; -1 if none. */
  public int group() {
    return group;
  }

  /**
   * The thread's number within its group, x varying fastest: {@code localIdx + localIdy * threads};
   * -1 if it is a mistake of the whole group.
   */
  public int thread() {
    return thread;
  }
}
