package funnel.plan;

import funnel.jit.FunctionCopies;
import funnel.jit.RowFunction;
import funnel.operation.Primitive.Combined;
import funnel.operation.Target;
import funnel.operator.OperatorException;
import funnel.operator.Transform;
import java.io.Serializable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks user-defined functions for what a device cannot run: throws on a device; on the JVM, which
 * runs any function, logs a warning once for each.
 */
public final class Portability {

  /** Property: whether the JVM throws for functions that a device cannot run; false by default. */
  private static final String PROPERTY = "funnel.portable";

  private static final Logger LOG = LoggerFactory.getLogger(Portability.class);

  /** Whether a function has been looked at, by its class: each lambda has one of its own. */
  private static final ClassValue<AtomicBoolean> SEEN =
      new ClassValue<>() {
        @Override
        protected AtomicBoolean computeValue(Class<?> type) {
          return new AtomicBoolean();
        }
      };

  private Portability() {}

  /**
   * Checks the functions of an operation.
   *
   * @throws OperatorException with the first one's name and the reason
   */
  public static void check(Combined combined, Target target) {
    if (target != Target.JVM || Boolean.getBoolean(PROPERTY)) {
      combined.requireForDevice();
      return;
    }
    check(combined.operator().name(), combined.operator().function());
    Transform transform = combined.transform();
    if (transform != null) {
      check(transform.name(), transform.function());
    }
  }

  private static void check(String name, @Nullable Serializable function) {
    if (function != null
        && SEEN.get(RowFunction.own(function).getClass()).compareAndSet(false, true)) {
      try {
        FunctionCopies.requireForDevice(name, function);
      } catch (OperatorException e) {
        LOG.warn(
            "function '{}' runs on the JVM only: {} (-D{}=true refuses it)",
            name,
            e.reason(),
            PROPERTY);
      }
    }
  }
}
