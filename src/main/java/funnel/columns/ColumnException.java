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

  private final String problem;

  /** An exception that says what is wrong, and what to do. */
  ColumnException(String message, @Nullable Throwable cause) {
    this(message, "", cause);
  }

  /** An exception whose message has two parts; the advice names methods of this package. */
  ColumnException(String problem, String advice, @Nullable Throwable cause) {
    super(problem + advice, cause);
    this.problem = problem;
  }

  /** The message without the advice on what to call instead, for programs that give their own. */
  public final String problem() {
    return problem;
  }
}
