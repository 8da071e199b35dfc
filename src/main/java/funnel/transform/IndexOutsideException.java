package funnel.transform;

/**
 * An index is outside its array: the message has its position among the indices, the index and the
 * size. Nothing has been written to any output.
 *
 * {@snippet class="funnel.docs.HistogramSnippets" region="index"}
 */
public final class IndexOutsideException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  private final int position;
  private final int index;

  IndexOutsideException(String of, String input, int position, int index, int lowest, int size) {
    super(
        size == Integer.MAX_VALUE
            ? "%s: %s[%s]=%s is less than %s; nothing was changed"
                .formatted(of, input, position, index, lowest)
            : "%s: %s[%s]=%s, size=%s; indices are %s to %s, and nothing was changed"
                .formatted(of, input, position, index, size, lowest, size - 1));
    this.position = position;
    this.index = index;
  }

  /** The position of the first index that is outside. */
  public int position() {
    return position;
  }

  /** The first index that is outside. */
  public int index() {
    return index;
  }
}
