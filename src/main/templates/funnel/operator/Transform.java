package funnel.operator;

import funnel.jit.Element;
import funnel.jit.Overloads;
import java.io.Serializable;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A function of an element, or of its index and the element, that is applied before elements are
 * combined: a map, or a predicate, which gives 1 where it holds and 0 elsewhere.
 *
 * {@snippet class="funnel.docs.OperatorSnippets" region="transform"}
 *
 * <p>It must be pure: operations apply it when they load elements and do not store its values, so
 * they may call it more than once for an element, in any order and from many threads. {@link
 * Operator} says what a function may contain and call on a device. Immutable, thread-safe and, like
 * an operator, serializable.
 *
 * @param name for messages
 * @param type the type that the function takes; ints may be bytes too, as their values 0 to 255
 * @param isTest whether it is a predicate
 * @param function one of the nested interfaces, of one element; for elementwise operations also a
 *     function of three elements, or of two, which is an interface of {@link Operator}
 */
@Overloads({"Long", "Float", "Double"})
public record Transform(String name, ElementType type, boolean isTest, Serializable function)
    implements Serializable {

  /** A function of an int. */
  @Overloads({"Long", "Double"})
  @FunctionalInterface
  public interface IntMap extends @Element IntUnaryOperator, Serializable {}

  /** A function of a float. */
  @FunctionalInterface
  public interface FloatMap extends Serializable {
    /** The function's value at {@code value}. */
    float applyAsFloat(float value);
  }

  /** A function of three ints. */
  @FunctionalInterface
  public interface IntMap3 extends Serializable {
    /** The function's value. */
    @Element
    int applyAsInt(@Element int first, @Element int second, @Element int third);
  }

  /** A function of an index and the int there. */
  @FunctionalInterface
  public interface IndexedIntMap extends Serializable {
    /** The function's value. */
    @Element
    int applyAsInt(int index, @Element int value);
  }

  /** A predicate of an int. */
  @Overloads({"Long", "Double"})
  @FunctionalInterface
  public interface IntTest extends @Element IntPredicate, Serializable {}

  /** A predicate of a float. */
  @FunctionalInterface
  public interface FloatTest extends Serializable {
    /** Whether the predicate holds for {@code value}. */
    boolean test(float value);
  }

  /** A predicate of an index and the int there. */
  @FunctionalInterface
  public interface IndexedIntTest extends Serializable {
    /** Whether the predicate holds for {@code value} at {@code index}. */
    boolean test(int index, @Element int value);
  }

  /** Requires all components to be non-null. */
  public Transform {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(function, "function");
  }

  /** A function of ints. */
  public static Transform ofInt(String name, @Element IntMap function) {
    return new Transform(name, ElementType.INT, false, function);
  }

  /**
   * A function of an element's index, the first 0, and of the element, an int: {@code (i, x) -> i *
   * x}.
   */
  public static Transform indexedInt(String name, @Element IndexedIntMap function) {
    return new Transform(name, ElementType.INT, false, function);
  }

  /** A predicate of ints. */
  public static Transform testInt(String name, @Element IntTest predicate) {
    return new Transform(name, ElementType.INT, true, predicate);
  }

  /**
   * A predicate of an element's index, the first 0, and of the element, an int: {@code (i, x) -> (i
   * & 1) == 0} holds at even indices.
   */
  public static Transform testIndexedInt(String name, @Element IndexedIntTest predicate) {
    return new Transform(name, ElementType.INT, true, predicate);
  }

  /** Whether it is a function of an element's index too. */
  public boolean isIndexed() {
    return switch (function) {
      case IndexedIntMap _, IndexedLongMap _, IndexedFloatMap _, IndexedDoubleMap _ -> true;
      case IndexedIntTest _, IndexedLongTest _, IndexedFloatTest _, IndexedDoubleTest _ -> true;
      default -> false;
    };
  }

  /**
   * Requires elements of this function's type; bytes count as ints.
   *
   * @param elements their name, for the message
   * @throws IllegalArgumentException with both types
   */
  public void requireOver(String elements, ElementType of) {
    if (type != (of == ElementType.BYTE ? ElementType.INT : of)) {
      throw new IllegalArgumentException(
          "%s %s takes %s, the elements of %s are %s"
              .formatted(isTest ? "predicate" : "transform", name, type, elements, of));
    }
  }

  /** Functions of equal code that captured equal values are equal. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Transform t
        && name.equals(t.name)
        && type == t.type
        && isTest == t.isTest
        && CapturedValues.equal(function, t.function);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, type, isTest, CapturedValues.hash(function));
  }

  @Override
  public String toString() {
    return name;
  }
}
