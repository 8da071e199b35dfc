package funnel.operator;

import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Names the operator or transform that threw. On the JVM the exception of the user's function is
 * thrown on as it is, and carries one of these among its {@linkplain Throwable#getSuppressed
 * suppressed} ones, where {@link #of} finds it.
 *
 * {@snippet class="funnel.docs.OperatorSnippets" region="threw"}
 */
public final class OperatorThrewException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String operator;
  private final @Nullable String transform;

  /** For the function of an operator. */
  public OperatorThrewException(Operator operator) {
    super("thrown by operator " + operator.name(), null, false, false);
    this.operator = operator.name();
    this.transform = null;
  }

  /** For the function of a transform, or that of the operator which combines what it gives. */
  public OperatorThrewException(Operator operator, Transform transform) {
    super("thrown by %s of %s".formatted(operator.name(), transform.name()), null, false, false);
    this.operator = operator.name();
    this.transform = transform.name();
  }

  /**
   * What an exception carries of these: the last one, if it carries several; empty if no function
   * of the user's threw it.
   *
   * @param thrown what a call threw
   */
  public static Optional<OperatorThrewException> of(Throwable thrown) {
    return Stream.of(thrown.getSuppressed())
        .filter(OperatorThrewException.class::isInstance)
        .map(OperatorThrewException.class::cast)
        .reduce((first, last) -> last);
  }

  /** Name of the operator. */
  public String operator() {
    return operator;
  }

  /**
   * Name of the transform whose values were combined; empty if there was none. Where there is one,
   * either may have thrown: the stack trace says which.
   */
  public Optional<String> transform() {
    return Optional.ofNullable(transform);
  }
}
