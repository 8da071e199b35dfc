package funnel.sort;

/**
 * An array that must be in ascending order is not: the message has the position of the first
 * element that belongs before its predecessor, or is NaN where a key may not be NaN.
 *
 * {@snippet class="funnel.docs.SortSnippets" region="ascending"}
 */
public final class NotAscendingException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  private final int position;

  NotAscendingException(String operation, int position, int length) {
    super(
        "%s takes what is in ascending order, but the element at %s of %s belongs before its predecessor, or is a NaN key: sort first"
            .formatted(operation, position, length));
    this.position = position;
  }

  /** The position of the first element that is out of order. */
  public int position() {
    return position;
  }
}
