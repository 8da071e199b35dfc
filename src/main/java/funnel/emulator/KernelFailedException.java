package funnel.emulator;

/**
 * A kernel threw an exception of its own, which is the {@linkplain #getCause() cause}. A kernel on
 * a GPU cannot throw: it would have continued with an undefined value.
 *
 * {@snippet class="funnel.docs.KernelMistakesSnippets" region="failed"}
 */
public final class KernelFailedException extends EmulatorException {

  private static final long serialVersionUID = 1L;

  KernelFailedException(Place place, String at, Throwable cause) {
    super(place, "the kernel threw %s, at %s".formatted(cause, at), cause);
  }
}
