package funnel.operator;

/**
 * A function of the user's that cannot be built into a kernel: one that captures values, is a
 * method of an object, or does something that a device cannot.
 *
 * <p>The message names the operator and says what is in the way. The JVM engine calls such
 * functions as they are.
 *
 * {@snippet class="funnel.docs.OperatorSnippets" region="refused"}
 */
public final class OperatorException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private final String operator;
  private final String reason;

  /**
   * States what is in the way.
   *
   * @param operator name of the operator or transform, or of the function where it has none
   * @param reason why it cannot be built in, and what can be instead, see {@link #reason}
   */
  public OperatorException(String operator, String reason) {
    super("operator %s cannot be built into a kernel: %s".formatted(operator, reason));
    this.operator = operator;
    this.reason = reason;
  }

  /** Name of the operator. */
  public String operator() {
    return operator;
  }

  /**
   * What is in the way, in words for people: {@code "it captures 2 values"}, or several such
   * clauses with semicolons between; behind it, where something else would work, what that is:
   * {@code ". Only static methods and lambdas without captured values ..."}.
   */
  public String reason() {
    return reason;
  }
}
