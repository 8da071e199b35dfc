package funnel.emulator;

import org.jspecify.annotations.Nullable;

/**
 * The emulator cannot run this kernel as a GPU would, or no GPU can; the message names the part of
 * the kernel, and what to write instead.
 *
 * {@snippet class="funnel.docs.KernelMistakesSnippets" region="unsupported"}
 */
public final class UnsupportedKernelException extends EmulatorException {

  private static final long serialVersionUID = 1L;

  UnsupportedKernelException(Place place, String problem, @Nullable Throwable cause) {
    super(place, problem, cause);
  }
}
