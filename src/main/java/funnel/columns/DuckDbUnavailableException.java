package funnel.columns;

/**
 * DuckDB's driver cannot be found or does not start; the message says where to get it, or why it
 * does not start.
 *
 * {@snippet class="funnel.docs.ColumnsSnippets" region="refused"}
 */
public final class DuckDbUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DuckDbUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
