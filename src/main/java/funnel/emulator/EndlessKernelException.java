package funnel.emulator;

/**
 * A thread took more steps than {@link Emulator.Builder#maxSteps(long)} allows.
 *
 * {@snippet class="funnel.docs.KernelMistakesSnippets" region="endless"}
 */
public final class EndlessKernelException extends EmulatorException {

  private static final long serialVersionUID = 1L;

  private final long maxSteps;

  EndlessKernelException(Place place, long maxSteps, String at) {
    super(
        place,
        ("the thread does not end: more than maxSteps=%s steps (jumps back in loops), last at %s;"
                + " correct the loop's condition, or allow more with Emulator.Builder.maxSteps")
            .formatted(maxSteps, at),
        null);
    this.maxSteps = maxSteps;
  }

  /** The number of steps that were allowed. */
  public long maxSteps() {
    return maxSteps;
  }
}
