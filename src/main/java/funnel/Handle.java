package funnel;

import funnel.operator.ElementType;
import java.lang.invoke.MethodType;
import java.util.Objects;

/**
 * An input or an output of a plan with the type of its value: an array such as {@code int[]}, or a
 * number such as {@code Long}.
 *
 * {@snippet class="funnel.docs.PlanSnippets" region="handles"}
 *
 * @param name its name in the plan
 * @param type the class of its value
 * @param <T> its value
 */
public record Handle<T>(String name, Class<T> type) {

  /** Requires both. */
  public Handle {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(type, "type");
  }

  /** A type's objects: Integer for int. */
  static Class<?> boxed(Class<?> type) {
    return MethodType.methodType(type).wrap().returnType();
  }

  /** The type of an array's elements. */
  static ElementType elements(Class<?> array) {
    for (ElementType each : ElementType.values()) {
      if (array.isArray() && array.componentType().getName().equalsIgnoreCase(each.name())) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        "%s is no array of bytes, ints, longs, floats or doubles".formatted(array.getTypeName()));
  }

  @Override
  public String toString() {
    return "%s %s".formatted(type.getSimpleName(), name);
  }
}
