package funnel.operator;

/**
 * Names the operator or transform that threw. On the JVM the exception of the user's function is
 * thrown on as it is, and carries one of these among its {@linkplain Throwable#getSuppressed
 * suppressed} ones.
 *
 * {@snippet class="funnel.docs.OperatorSnippets" region="threw"}
 */
public final class OperatorThrewException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * For the function of one name.
   *
   * @param operator name of the operator or transform
   */
  public OperatorThrewException(String operator) {
    super("thrown by " + operator, null, false, false);
  }
}
