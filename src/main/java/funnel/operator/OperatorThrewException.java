package funnel.operator;

import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Names the operator or transform that threw. The exception of the user's function is thrown on as
 * it is, the very object, once the call's last thread has ended; where several elements make the
 * function throw, it is always that of the same one, which does not depend on the threads. On the
 * JVM it carries one of these among its {@linkplain Throwable#getSuppressed suppressed} ones, where
 * {@link #of} finds it.
 *
 * <p>The memory that results were to be put into then has some of them, or what was computed on the
 * way; inputs are as they were, and the next call is not affected.
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
   * Does work that calls functions of the user's, whose exceptions then carry their names. An
   * exception carries one of these, however often it is thrown: that of the last time.
   *
   * @param operator whose function the work calls, if it is a user's
   * @param transform whose function it calls too, if there is one
   */
  public static void naming(Operator operator, @Nullable Transform transform, Runnable work) {
    String function = transform == null ? null : transform.name();
    naming(
        operator.isUser() || transform != null ? new Names(operator.name(), function) : null, work);
  }

  /**
   * The same where functions of transforms alone are called.
   *
   * @param transforms the transforms, any of which may have thrown; if there are none, no function
   *     of the user's is called
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
   * What an exception carries of these; empty if no function of the user's threw it.
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

  /** Name of the operator; empty if a transform was called alone. */
  public String operator() {
    return names.operator;
  }

  /**
   * Name of the transform whose values were combined; empty if there was none. Where there is one,
   * either may have thrown: the stack trace says which.
   */
  public Optional<String> transform() {
    return Optional.ofNullable(names.transform);
  }
}
