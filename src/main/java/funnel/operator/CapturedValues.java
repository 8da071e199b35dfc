package funnel.operator;

import java.io.Serializable;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Array;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Equality of user-defined functions: {@code v -> v > k}, evaluated twice, gives two lambdas, which
 * are equal if {@code k} is.
 *
 * {@snippet class="funnel.docs.OperatorSnippets" region="equal"}
 */
public final class CapturedValues {

  /* Each lambda in the source has a class of its own, so that the class stands for the code. */

  private static final ScopedValue<Boolean> IGNORED = ScopedValue.newInstance();

  private static final int LEAST_CAPACITY = 1024;
  private static final int LARGEST_CAPACITY = Integer.MAX_VALUE - 8;

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

  private static final ClassValue<Optional<Method>> WRITE_REPLACE =
      new ClassValue<>() {
        @Override
        protected Optional<Method> computeValue(Class<?> type) {
          try {
            Method writeReplace = type.getDeclaredMethod("writeReplace");
            writeReplace.setAccessible(true);
            return Optional.of(writeReplace);
          } catch (NoSuchMethodException e) {
            return Optional.empty();
          }
        }
      };

  private CapturedValues() {}

  /** Whether two functions are equal. */
  public static boolean equal(@Nullable Serializable one, @Nullable Serializable other) {
    if (one == other || one == null || other == null || one.getClass() != other.getClass()) {
      return one == other;
    }
    List<Object> values = of(one);
    List<Object> others = of(other);
    if (values == null || others == null) {
      return IGNORED.isBound() || one.equals(other);
    }
    return IntStream.range(0, values.size()).allMatch(i -> equal(values.get(i), others.get(i)));
  }

  /*
   * What a method of an object does depends on the object's class; what memory a captured array
   * needs, on its length.
   */
  private static boolean equal(@Nullable Object value, @Nullable Object other) {
    if (value == other || value == null || other == null || value.getClass() != other.getClass()) {
      return value == other;
    }
    if (!IGNORED.isBound()) {
      return PRIMITIVES.contains(value.getClass()) && value.equals(other);
    }
    return !value.getClass().isArray()
        || capacity(Array.getLength(value)) == capacity(Array.getLength(other));
  }

  /** A length rounded up to an eighth of a power of two, so that similar lengths share a plan. */
  public static int capacity(int length) {
    if (length <= LEAST_CAPACITY) {
      return LEAST_CAPACITY;
    }
    int step = Integer.highestOneBit(length - 1) >> 3;
    long rounded = (length + (long) step - 1) / step * step;
    return (int) Math.min(rounded, LARGEST_CAPACITY);
  }

  /** What a lambda captured; null if that cannot be seen. */
  private static @Nullable List<Object> of(Serializable function) {
    try {
      SerializedLambda lambda = lambda(function);
      return lambda == null ? null : of(lambda);
    } catch (InaccessibleObjectException hidden) {
      return null;
    }
  }

  /** What a lambda captured, in order. */
  public static List<Object> of(SerializedLambda lambda) {
    return IntStream.range(0, lambda.getCapturedArgCount())
        .mapToObj(lambda::getCapturedArg)
        .toList();
  }

  /**
   * The parts of a lambda or method reference; null for another object.
   *
   * @throws InaccessibleObjectException if its package is not open
   */
  public static @Nullable SerializedLambda lambda(Serializable function) {
    Method writeReplace = WRITE_REPLACE.get(function.getClass()).orElse(null);
    try {
      return writeReplace != null
              && writeReplace.invoke(function) instanceof SerializedLambda lambda
          ? lambda
          : null;
    } catch (InvocationTargetException | IllegalAccessException e) {
      return null; // an object that is Serializable in another way
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
