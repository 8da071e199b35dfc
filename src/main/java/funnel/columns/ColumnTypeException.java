package funnel.columns;

import funnel.operator.ElementType;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A column, or one of its values, is not of the requested type.
 *
 * {@snippet class="funnel.docs.ColumnsSnippets" region="refused"}
 */
public final class ColumnTypeException extends ColumnException {
  private static final long serialVersionUID = 1L;

  private final @Nullable ElementType other;

  ColumnTypeException(String problem, String advice, @Nullable ElementType other) {
    super(problem, advice, null);
    this.other = other;
  }

  /**
   * The type as which the column, or this value, can be read: {@code LONG} for 3,000,000,000, which
   * is no {@code int}; {@code DOUBLE} for 2.5 among integers, and for integers of more than 64
   * bits, which are rounded. Empty if it is no number, or no double is near it.
   */
  public Optional<ElementType> other() {
    return Optional.ofNullable(other);
  }
}
