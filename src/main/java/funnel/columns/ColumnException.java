package funnel.columns;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A table cannot be read as requested; the message names the table and the reason.
 *
 * {@snippet class="funnel.docs.ColumnsSnippets" region="refused"}
 */
public class ColumnException extends IOException {
  private static final long serialVersionUID = 1L;

  /** With what is wrong, and what to do. */
  ColumnException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
