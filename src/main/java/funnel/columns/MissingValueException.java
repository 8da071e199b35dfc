package funnel.columns;

/**
 * A column has no value in a row, and the call has no replacement for missing values.
 *
 * {@snippet class="funnel.docs.ColumnsSnippets" region="refused"}
 */
public final class MissingValueException extends ColumnException {
  private static final long serialVersionUID = 1L;

  MissingValueException(String table, String column, long row, String instead) {
    super(
        "%s: column '%s' has no value in row %s (from 0)".formatted(table, column, row),
        ": give a value for missing ones, " + instead,
        null);
  }
}
