package funnel.columns;

/**
 * A column, or one of its values, is not of the requested type.
 *
 * {@snippet class="funnel.docs.ColumnsSnippets" region="refused"}
 */
public final class ColumnTypeException extends ColumnException {
  private static final long serialVersionUID = 1L;

  ColumnTypeException(String message) {
    super(message, null);
  }
}
