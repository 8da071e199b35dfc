package funnel.jit;

import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Equality of user-defined functions: {@code v -> v > k}, evaluated twice, gives two lambdas, which
 * are equal if {@code k} is.
 */
public final class CapturedValues {

  /* Each lambda in the source has a class of its own, so that the class stands for the code. */

  private static final ScopedValue<Boolean> IGNORED = ScopedValue.newInstance();

  private static final Set<Class<?>> PRIMITIVES =
      Set.of(
          Boolean.class,
          Byte.class,
          Short.class,
          Character.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class);

  private CapturedValues() {}

  /** Whether two functions are equal. */
  public static boolean equal(@Nullable Serializable one, @Nullable Serializable other) {
    if (one == other || one == null || other == null || one.getClass() != other.getClass()) {
      return one == other;
    }
    return IGNORED.isBound() || one.equals(other) || equal(of(one), of(other));
  }

  private static boolean equal(@Nullable List<Object> one, @Nullable List<Object> other) {
    boolean are = one != null && other != null && one.size() == other.size();
    for (int i = 0; are && i < one.size(); i++) {
      Object value = one.get(i);
      are =
          value == other.get(i)
              || PRIMITIVES.contains(value.getClass()) && value.equals(other.get(i));
    }
    return are;
  }

  /** What a lambda captured; null if that cannot be seen. */
  private static @Nullable List<Object> of(Serializable function) {
    try {
      return StaticMethod.captured(function);
    } catch (StaticMethod.Refusal hidden) {
      return null;
    }
  }

  /** A hash code that depends on the code alone. */
  public static int hash(@Nullable Serializable function) {
    return function == null ? 0 : Objects.hashCode(function.getClass());
  }

  /** Makes a comparison in which functions are equal if their code is. */
  public static boolean ignoring(BooleanSupplier comparison) {
    return ScopedValue.where(IGNORED, true).call(comparison::getAsBoolean);
  }
}
