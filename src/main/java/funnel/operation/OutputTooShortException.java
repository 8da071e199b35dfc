package funnel.operation;

/**
 * More elements were found than the destination of an output can hold. Nothing was written to it.
 *
 * {@snippet class="funnel.docs.SelectSnippets" region="short"}
 */
public final class OutputTooShortException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  private final long found;

  /**
   * With both lengths.
   *
   * @param output name of the output
   * @param found how many elements were found
   * @param length of the destination
   */
  public OutputTooShortException(String output, long found, long length) {
    super(
        "destination of output %s is too short: found=%d, length=%d; give a longer one, or none"
            .formatted(output, found, length));
    this.found = found;
  }

  /** How many elements were found. */
  public long found() {
    return found;
  }
}
