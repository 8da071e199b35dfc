package funnel.operator;

import java.io.Serializable;
import java.util.Objects;
import java.util.function.DoublePredicate;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;

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
 * @param type the type that the function takes
 * @param isTest whether it is a predicate
 * @param function one of the nested interfaces, of one element; for elementwise operations also a
 *     function of three elements, or of two, which is an interface of {@link Operator}
 */
public record Transform(String name, ElementType type, boolean isTest, Serializable function)
    implements Serializable {

  /** A function of an int. */
  @FunctionalInterface
  public interface IntMap extends IntUnaryOperator, Serializable {}

  /** A function of a long. */
  @FunctionalInterface
  public interface LongMap extends LongUnaryOperator, Serializable {}

  /** A function of a float. */
  @FunctionalInterface
  public interface FloatMap extends Serializable {
    /** The function's value at {@code value}. */
    float applyAsFloat(float value);
  }

  /** A function of a double. */
  @FunctionalInterface
  public interface DoubleMap extends DoubleUnaryOperator, Serializable {}

  /** A function of three ints. */
  @FunctionalInterface
  public interface IntMap3 extends Serializable {
    /** The function's value. */
    int applyAsInt(int first, int second, int third);
  }

  /** A function of three longs. */
  @FunctionalInterface
  public interface LongMap3 extends Serializable {
    /** The function's value. */
    long applyAsLong(long first, long second, long third);
  }

  /** A function of three floats. */
  @FunctionalInterface
  public interface FloatMap3 extends Serializable {
    /** The function's value. */
    float applyAsFloat(float first, float second, float third);
  }

  /** A function of three doubles. */
  @FunctionalInterface
  public interface DoubleMap3 extends Serializable {
    /** The function's value. */
    double applyAsDouble(double first, double second, double third);
  }

  /** A function of an index and the int there. */
  @FunctionalInterface
  public interface IndexedIntMap extends Serializable {
    /** The function's value. */
    int applyAsInt(int index, int value);
  }

  /** A function of an index and the long there. */
  @FunctionalInterface
  public interface IndexedLongMap extends Serializable {
    /** The function's value. */
    long applyAsLong(int index, long value);
  }

  /** A function of an index and the float there. */
  @FunctionalInterface
  public interface IndexedFloatMap extends Serializable {
    /** The function's value. */
    float applyAsFloat(int index, float value);
  }

  /** A function of an index and the double there. */
  @FunctionalInterface
  public interface IndexedDoubleMap extends Serializable {
    /** The function's value. */
    double applyAsDouble(int index, double value);
  }

  /** A predicate of an int. */
  @FunctionalInterface
  public interface IntTest extends IntPredicate, Serializable {}

  /** A predicate of a long. */
  @FunctionalInterface
  public interface LongTest extends LongPredicate, Serializable {}

  /** A predicate of a float. */
  @FunctionalInterface
  public interface FloatTest extends Serializable {
    /** Whether the predicate holds for {@code value}. */
    boolean test(float value);
  }

  /** A predicate of a double. */
  @FunctionalInterface
  public interface DoubleTest extends DoublePredicate, Serializable {}

  /** A predicate of an index and the int there. */
  @FunctionalInterface
  public interface IndexedIntTest extends Serializable {
    /** Whether the predicate holds for {@code value} at {@code index}. */
    boolean test(int index, int value);
  }

  /** A predicate of an index and the long there. */
  @FunctionalInterface
  public interface IndexedLongTest extends Serializable {
    /** Whether the predicate holds for {@code value} at {@code index}. */
    boolean test(int index, long value);
  }

  /** A predicate of an index and the float there. */
  @FunctionalInterface
  public interface IndexedFloatTest extends Serializable {
    /** Whether the predicate holds for {@code value} at {@code index}. */
    boolean test(int index, float value);
  }

  /** A predicate of an index and the double there. */
  @FunctionalInterface
  public interface IndexedDoubleTest extends Serializable {
    /** Whether the predicate holds for {@code value} at {@code index}. */
    boolean test(int index, double value);
  }

  /** Requires all components to be non-null. */
  public Transform {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(function, "function");
  }

  /** A function of ints. */
  public static Transform ofInt(String name, IntMap function) {
    return new Transform(name, ElementType.INT, false, function);
  }

  /** A function of longs. */
  public static Transform ofLong(String name, LongMap function) {
    return new Transform(name, ElementType.LONG, false, function);
  }

  /** A function of floats. */
  public static Transform ofFloat(String name, FloatMap function) {
    return new Transform(name, ElementType.FLOAT, false, function);
  }

  /** A function of doubles. */
  public static Transform ofDouble(String name, DoubleMap function) {
    return new Transform(name, ElementType.DOUBLE, false, function);
  }

  /**
   * A function of an element's index, the first 0, and of the element, an int: {@code (i, x) -> i *
   * x}.
   */
  public static Transform indexedInt(String name, IndexedIntMap function) {
    return new Transform(name, ElementType.INT, false, function);
  }

  /** A function of an element's index and of the element, a long. */
  public static Transform indexedLong(String name, IndexedLongMap function) {
    return new Transform(name, ElementType.LONG, false, function);
  }

  /** A function of an element's index and of the element, a float. */
  public static Transform indexedFloat(String name, IndexedFloatMap function) {
    return new Transform(name, ElementType.FLOAT, false, function);
  }

  /** A function of an element's index and of the element, a double. */
  public static Transform indexedDouble(String name, IndexedDoubleMap function) {
    return new Transform(name, ElementType.DOUBLE, false, function);
  }

  /** A predicate of ints, or of unsigned bytes as 0 to 255. */
  public static Transform testInt(String name, IntTest predicate) {
    return new Transform(name, ElementType.INT, true, predicate);
  }

  /** A predicate of longs. */
  public static Transform testLong(String name, LongTest predicate) {
    return new Transform(name, ElementType.LONG, true, predicate);
  }

  /** A predicate of floats. */
  public static Transform testFloat(String name, FloatTest predicate) {
    return new Transform(name, ElementType.FLOAT, true, predicate);
  }

  /** A predicate of doubles. */
  public static Transform testDouble(String name, DoubleTest predicate) {
    return new Transform(name, ElementType.DOUBLE, true, predicate);
  }

  /**
   * A predicate of an element's index, the first 0, and of the element, an int: {@code (i, x) -> (i
   * & 1) == 0} holds at even indices.
   */
  public static Transform testIndexedInt(String name, IndexedIntTest predicate) {
    return new Transform(name, ElementType.INT, true, predicate);
  }

  /** A predicate of an element's index and of the element, a long. */
  public static Transform testIndexedLong(String name, IndexedLongTest predicate) {
    return new Transform(name, ElementType.LONG, true, predicate);
  }

  /** A predicate of an element's index and of the element, a float. */
  public static Transform testIndexedFloat(String name, IndexedFloatTest predicate) {
    return new Transform(name, ElementType.FLOAT, true, predicate);
  }

  /** A predicate of an element's index and of the element, a double. */
  public static Transform testIndexedDouble(String name, IndexedDoubleTest predicate) {
    return new Transform(name, ElementType.DOUBLE, true, predicate);
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

  @Override
  public String toString() {
    return name;
  }
}
