package funnel.operation;

/**
 * More elements were found than the destination of an output, or the capacity of an operation, can
 * hold. Nothing was written.
 *
 * {@snippet class="funnel.docs.SelectSnippets" region="short"}
 */
public final class OutputTooShortException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  private final long found;

  /**
   * An exception with both lengths.
   *
   * @param output name of the output
   * @param found how many elements were found
   * @param length of the destination
   */
  public OutputTooShortException(String output, long found, long length) {
    super(
        "destination of output %s is too short: found=%s, length=%s; give a longer one, or none"
            .formatted(output, found, length));
    this.found = found;
  }

  private OutputTooShortException(String message, long found) {
    super(message);
    this.found = found;
  }

  /**
   * An exception for an operation with a capacity of its own.
   *
   * @param more what there is more of, as in {@code inner join result has more pairs}
   * @param found how many elements were found
   * @param capacity how many the operation can take
   * @param call the method that takes the capacity, as in {@code Join.inner}
   */
  public static OutputTooShortException ofCapacity(
      String more, long found, int capacity, String call) {
    return new OutputTooShortException(
        found <= Input.LARGEST_CAPACITY
            ? "%s than its capacity: found=%s, capacity=%s; use %s(%s) or more"
                .formatted(more, found, capacity, call, found)
            : "%s than an array can have: found=%s, largest=%s; take the input in parts"
                .formatted(more, found, Input.LARGEST_CAPACITY),
        found);
  }

  /** An exception for an operation on what has too little room for {@code found} elements. */
  public static OutputTooShortException ofNeed(String message, long found) {
    return new OutputTooShortException(message, found);
  }

  /** How many elements were found. */
  public long found() {
    return found;
  }
}
