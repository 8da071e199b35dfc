package funnel.operator;

import java.io.Serializable;
import java.util.Objects;

/**
 * A user-defined comparison: an order of elements, for operations that sort and merge, or of rows,
 * for {@code MergeSort}.
 *
 * {@snippet class="funnel.docs.OperatorSnippets" region="comparison"}
 *
 * <p>Like a {@link java.util.Comparator}, the comparator returns a negative number if its first
 * argument comes before its second, a positive one if it comes after it, and 0 if neither does: by
 * {@code a % 10 - b % 10}, 21 comes before 13, and 3 and 13 are equal. It must be an order: it
 * always gives the same answer for the same two arguments, the opposite answer if they are
 * exchanged, and it is transitive. {@code (a, b) -> a - b} is not an order, since it overflows;
 * {@code Integer.compare(a, b)} is. If the comparator is not an order, the result has no order, may
 * lack some elements and may contain others twice; no other memory is read or written.
 *
 * <p>Rows have two or three columns of one type, and the comparator takes the elements of one row
 * and then those of the other: by {@code (a1, b1, a2, b2) -> Integer.compare(a1 * b2, a2 * b1)} the
 * fraction 1/3 comes before 1/2.
 *
 * <p>The comparator is a static method or a lambda without captured values. It must be pure: it may
 * be called any number of times, in any temporal order, from many threads, with any two elements.
 * {@link Operator} says what it may contain on a device, and that a product with a following
 * addition may be contracted there. If it throws on the JVM, the call throws the same exception,
 * see {@link OperatorThrewException}.
 *
 * <p>Immutable and thread-safe.
 *
 * @param name for messages
 * @param type the type of the elements; ints may be bytes too, as their values 0 to 255
 * @param comparator an instance of the type's nested interface
 */
public record Comparison(String name, ElementType type, Comparator comparator) {

  /** A comparator, whatever its type. */
  public sealed interface Comparator extends Serializable {}

  /** A comparator of ints. */
  @FunctionalInterface
  public non-sealed interface IntComparator extends Comparator {
    /** Negative if {@code first} comes first, positive if {@code second} does, else 0. */
    int compare(int first, int second);
  }

  /** A comparator of longs. */
  @FunctionalInterface
  public non-sealed interface LongComparator extends Comparator {
    /** Negative if {@code first} comes first, positive if {@code second} does, else 0. */
    int compare(long first, long second);
  }

  /** A comparator of floats. */
  @FunctionalInterface
  public non-sealed interface FloatComparator extends Comparator {
    /** Negative if {@code first} comes first, positive if {@code second} does, else 0. */
    int compare(float first, float second);
  }

  /** A comparator of doubles. */
  @FunctionalInterface
  public non-sealed interface DoubleComparator extends Comparator {
    /** Negative if {@code first} comes first, positive if {@code second} does, else 0. */
    int compare(double first, double second);
  }

  /** A comparator of rows of two ints: takes the first row, then the second. */
  @FunctionalInterface
  public non-sealed interface IntComparator2 extends Comparator {
    /** Negative if row {@code (a1, b1)} comes first, positive if {@code (a2, b2)} does, else 0. */
    int compare(int a1, int b1, int a2, int b2);
  }

  /** A comparator of rows of three ints: takes the first row, then the second. */
  @FunctionalInterface
  public non-sealed interface IntComparator3 extends Comparator {
    /** Negative if the first row comes first, positive if the second does, else 0. */
    int compare(int a1, int b1, int c1, int a2, int b2, int c2);
  }

  /** A comparator of rows of two longs: takes the first row, then the second. */
  @FunctionalInterface
  public non-sealed interface LongComparator2 extends Comparator {
    /** Negative if row {@code (a1, b1)} comes first, positive if {@code (a2, b2)} does, else 0. */
    int compare(long a1, long b1, long a2, long b2);
  }

  /** A comparator of rows of three longs: takes the first row, then the second. */
  @FunctionalInterface
  public non-sealed interface LongComparator3 extends Comparator {
    /** Negative if the first row comes first, positive if the second does, else 0. */
    int compare(long a1, long b1, long c1, long a2, long b2, long c2);
  }

  /** A comparator of rows of two floats: takes the first row, then the second. */
  @FunctionalInterface
  public non-sealed interface FloatComparator2 extends Comparator {
    /** Negative if row {@code (a1, b1)} comes first, positive if {@code (a2, b2)} does, else 0. */
    int compare(float a1, float b1, float a2, float b2);
  }

  /** A comparator of rows of three floats: takes the first row, then the second. */
  @FunctionalInterface
  public non-sealed interface FloatComparator3 extends Comparator {
    /** Negative if the first row comes first, positive if the second does, else 0. */
    int compare(float a1, float b1, float c1, float a2, float b2, float c2);
  }

  /** A comparator of rows of two doubles: takes the first row, then the second. */
  @FunctionalInterface
  public non-sealed interface DoubleComparator2 extends Comparator {
    /** Negative if row {@code (a1, b1)} comes first, positive if {@code (a2, b2)} does, else 0. */
    int compare(double a1, double b1, double a2, double b2);
  }

  /** A comparator of rows of three doubles: takes the first row, then the second. */
  @FunctionalInterface
  public non-sealed interface DoubleComparator3 extends Comparator {
    /** Negative if the first row comes first, positive if the second does, else 0. */
    int compare(double a1, double b1, double c1, double a2, double b2, double c2);
  }

  /** Requires all components to be non-null. */
  public Comparison {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(comparator, "comparator");
  }

  /** A comparison of ints, or of unsigned bytes as 0 to 255. */
  public static Comparison ofInt(String name, IntComparator comparator) {
    return new Comparison(name, ElementType.INT, comparator);
  }

  /** A comparison of longs. */
  public static Comparison ofLong(String name, LongComparator comparator) {
    return new Comparison(name, ElementType.LONG, comparator);
  }

  /** A comparison of floats. */
  public static Comparison ofFloat(String name, FloatComparator comparator) {
    return new Comparison(name, ElementType.FLOAT, comparator);
  }

  /** A comparison of doubles. */
  public static Comparison ofDouble(String name, DoubleComparator comparator) {
    return new Comparison(name, ElementType.DOUBLE, comparator);
  }

  /** A comparison of rows of two ints, or of unsigned bytes as 0 to 255. */
  public static Comparison ofInt(String name, IntComparator2 comparator) {
    return new Comparison(name, ElementType.INT, comparator);
  }

  /** A comparison of rows of three ints, or of unsigned bytes as 0 to 255. */
  public static Comparison ofInt(String name, IntComparator3 comparator) {
    return new Comparison(name, ElementType.INT, comparator);
  }

  /** A comparison of rows of two longs. */
  public static Comparison ofLong(String name, LongComparator2 comparator) {
    return new Comparison(name, ElementType.LONG, comparator);
  }

  /** A comparison of rows of three longs. */
  public static Comparison ofLong(String name, LongComparator3 comparator) {
    return new Comparison(name, ElementType.LONG, comparator);
  }

  /** A comparison of rows of two floats. */
  public static Comparison ofFloat(String name, FloatComparator2 comparator) {
    return new Comparison(name, ElementType.FLOAT, comparator);
  }

  /** A comparison of rows of three floats. */
  public static Comparison ofFloat(String name, FloatComparator3 comparator) {
    return new Comparison(name, ElementType.FLOAT, comparator);
  }

  /** A comparison of rows of two doubles. */
  public static Comparison ofDouble(String name, DoubleComparator2 comparator) {
    return new Comparison(name, ElementType.DOUBLE, comparator);
  }

  /** A comparison of rows of three doubles. */
  public static Comparison ofDouble(String name, DoubleComparator3 comparator) {
    return new Comparison(name, ElementType.DOUBLE, comparator);
  }

  /** The number of columns of the rows that a comparator compares: 1 if it compares elements. */
  public static int columns(Comparator comparator) {
    return switch (comparator) {
      case IntComparator _, LongComparator _, FloatComparator _, DoubleComparator _ -> 1;
      case IntComparator2 _, LongComparator2 _, FloatComparator2 _, DoubleComparator2 _ -> 2;
      case IntComparator3 _, LongComparator3 _, FloatComparator3 _, DoubleComparator3 _ -> 3;
    };
  }

  /** The comparator as a function that is compiled into kernels and loops. */
  public Transform function() {
    return new Transform(name, type, false, comparator);
  }

  @Override
  public String toString() {
    return name;
  }
}
