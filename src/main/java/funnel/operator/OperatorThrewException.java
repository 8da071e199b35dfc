package funnel.operator;

import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Names the operator or transform that threw. The call throws the exception of the user-defined
 * function itself, the same object, once the call's last thread has ended. If several elements make
 * the function throw, it is always the exception of the same element, whatever the threads do. On
 * the JVM that exception carries an OperatorThrewException among its {@linkplain
 * Throwable#getSuppressed suppressed} exceptions, where {@link #of} finds it.
 *
 * <p>The memory for the results then holds some of them, or intermediate values; inputs are
 * unchanged, and the next call is not affected.
 *
 * {@snippet class="funnel.docs.OperatorSnippets" region="threw"}
 */
public final class OperatorThrewException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private record Names(String operator, @Nullable String transform) implements Serializable {}

  private volatile Names names;

  private OperatorThrewException(Names names) {
    super(null, null, false, false);
    this.names = names;
  }

  /**
   * Runs work that calls user-defined functions, whose exceptions then carry their names. An
   * exception that is thrown several times carries only the names of the last time.
   *
   * @param operator the operator whose function the work calls, if it is user-defined
   * @param transform the transform whose function it calls too, if there is one
   */
  public static void naming(Operator operator, @Nullable Transform transform, Runnable work) {
    String function = transform == null ? null : transform.name();
    naming(
        operator.isUser() || transform != null ? new Names(operator.name(), function) : null, work);
  }

  /**
   * Runs work that calls functions of transforms alone.
   *
   * @param transforms the transforms, any of which may throw; if there are none, no user-defined
   *     function is called
   */
  public static void naming(List<Transform> transforms, Runnable work) {
    String functions = transforms.stream().map(Transform::name).collect(Collectors.joining(" or "));
    naming(functions.isEmpty() ? null : new Names("", functions), work);
  }

  private static void naming(@Nullable Names names, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      if (names != null) {
        name(e, names);
      }
      throw e;
    }
  }

  private static synchronized void name(RuntimeException thrown, Names names) {
    of(thrown)
        .ifPresentOrElse(
            known -> known.names = names,
            () -> thrown.addSuppressed(new OperatorThrewException(names)));
  }

  /**
   * The OperatorThrewException that an exception carries; empty if no user-defined function threw
   * it.
   *
   * @param thrown what a call threw
   */
  public static Optional<OperatorThrewException> of(Throwable thrown) {
    return Stream.of(thrown.getSuppressed())
        .filter(OperatorThrewException.class::isInstance)
        .map(OperatorThrewException.class::cast)
        .findFirst();
  }

  @Override
  public String getMessage() {
    Names now = names;
    if (now.operator.isEmpty()) {
      return "thrown by transform " + now.transform;
    }
    return now.transform == null
        ? "thrown by operator " + now.operator
        : "thrown by %s of %s".formatted(now.operator, now.transform);
  }

  /** The name of the operator; empty if only a transform was called. */
  public String operator() {
    return names.operator;
  }

  /**
   * The name of the transform whose values were combined; empty if there was none. If there is one,
   * operator or transform may have thrown: the stack trace says which.
   */
  public Optional<String> transform() {
    return Optional.ofNullable(names.transform);
  }
}
