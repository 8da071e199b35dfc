package funnel.operation;

import org.jspecify.annotations.Nullable;

/**
 * A kernel does not compile or gave a wrong result when it was checked, or the device failed. The
 * message names kernel, backend and versions. The run has no results; a wrong result is never
 * returned.
 *
 * {@snippet class="funnel.docs.EngineSnippets" region="device-failure"}
 */
public final class FunnelDeviceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** An exception that says what happened, and what to do. */
  public FunnelDeviceException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
