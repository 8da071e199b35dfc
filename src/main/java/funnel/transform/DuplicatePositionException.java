package funnel.transform;

/**
 * Two elements would go to the same position: the message has the position, and its index in the
 * array of positions for one of the two. Nothing has been written to any output.
 *
 * {@snippet class="funnel.docs.TransformSnippets" region="duplicate"}
 */
public final class DuplicatePositionException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  private final int place;
  private final int position;

  DuplicatePositionException(String of, String input, int place, int position) {
    super(
        "%s: %s[%s]=%s, where another element goes too; give distinct positions, or use ScatterReduce. Nothing was changed"
            .formatted(of, input, place, position));
    this.place = place;
    this.position = position;
  }

  /** The index of one of the elements that share the position; which one is unspecified. */
  public int place() {
    return place;
  }

  /** The position that occurs more than once. */
  public int position() {
    return position;
  }
}
