package funnel.operation;

/**
 * An operation of a plan must know the length of an array before the run, and an earlier operation
 * finds it during the run. Read the array, and give it to another plan.
 */
public final class UnknownLengthException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  private final String primitive;

  /**
   * An exception.
   *
   * @param primitive the name of the primitive that must know a length
   */
  public UnknownLengthException(String primitive, String message) {
    super(message);
    this.primitive = primitive;
  }

  /** Whether an operation's primitives include the one that must know a length. */
  public boolean isOf(String output) {
    return primitive.startsWith(output)
        && (primitive.length() == output.length()
            || !Character.isLetterOrDigit(primitive.charAt(output.length())));
  }
}
