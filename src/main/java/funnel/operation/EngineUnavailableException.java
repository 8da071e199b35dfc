package funnel.operation;

import org.jspecify.annotations.Nullable;

/**
 * A requested engine is not available; the message says why and what to do.
 *
 * {@snippet class="funnel.docs.EngineSnippets" region="unavailable"}
 */
public final class EngineUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** An exception that says why, and what to do. */
  public EngineUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
