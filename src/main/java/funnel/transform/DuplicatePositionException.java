package funnel.transform;

/**
 * Two elements are to go to one position: the message has one of their places among the positions,
 * and the position. Nothing has been written to any output.
 *
 * {@snippet class="funnel.docs.TransformSnippets" region="duplicate"}
 */
public final class DuplicatePositionException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  private final int place;
  private final int position;

  DuplicatePositionException(String of, String input, int place, int position) {
    super(
        "%s: %s[%d]=%d, where another element goes too; give distinct positions, or use ScatterReduce. Nothing was changed"
            .formatted(of, input, place, position));
    this.place = place;
    this.position = position;
  }

  /** A place among the positions whose position is that of another one too; which, is open. */
  public int place() {
    return place;
  }

  /** The position that is there more than once. */
  public int position() {
    return position;
  }
}
