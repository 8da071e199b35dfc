package funnel.operator;

/**
 * A user-defined function cannot be compiled into a kernel: it captures an object, is an instance
 * method, or does something that a device cannot do.
 *
 * <p>The message names the operator and the reason. The JVM engine calls such functions.
 *
 * {@snippet class="funnel.docs.OperatorSnippets" region="refused"}
 */
public final class OperatorException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private final String operator;
  private final String reason;

  /**
   * An exception with the reason.
   *
   * @param operator name of the operator or transform, or if it has none, of the function
   * @param reason why it cannot be compiled, and what can be used instead, see {@link #reason}
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
   * The reason in words: {@code "it captures an object of type int[]"}, or several such clauses
   * separated by semicolons; then, if something else would work, what that is: {@code ". Only
   * static methods, and lambdas that capture nothing but numbers ..."}.
   */
  public String reason() {
    return reason;
  }
}
