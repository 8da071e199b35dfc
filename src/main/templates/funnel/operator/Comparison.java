package funnel.operator;

import funnel.jit.Element;
import funnel.jit.Overloads;
import java.io.Serializable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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
 * <p>The comparator is a static method or a lambda. It must be pure: it may be called any number of
 * times, in any temporal order, from many threads, with any two elements. {@link Operator} says
 * what it may contain on a device, and what may have other bits there. If it throws on the JVM, the
 * call throws the same exception, see {@link OperatorThrewException}.
 *
 * <p>Immutable and thread-safe.
 *
 * @param name for messages
 * @param type the type of the elements; ints may be bytes too, as their values 0 to 255
 * @param comparator an instance of the type's nested interface
 */
@Overloads({"Long", "Float", "Double"})
public record Comparison(String name, ElementType type, Comparator comparator) {

  /** A comparator, whatever its type. */
  public sealed interface Comparator extends Serializable {}

  /** A comparator of ints. */
  @FunctionalInterface
  public non-sealed interface IntComparator extends Comparator {
    /** Negative if {@code first} comes first, positive if {@code second} does, else 0. */
    int compare(@Element int first, @Element int second);
  }

  /** A comparator of rows of two ints: takes the first row, then the second. */
  @FunctionalInterface
  public non-sealed interface IntComparator2 extends Comparator {
    /** Negative if row {@code (a1, b1)} comes first, positive if {@code (a2, b2)} does, else 0. */
    int compare(@Element int a1, @Element int b1, @Element int a2, @Element int b2);
  }

  /** A comparator of rows of three ints: takes the first row, then the second. */
  @FunctionalInterface
  public non-sealed interface IntComparator3 extends Comparator {
    /** Negative if the first row comes first, positive if the second does, else 0. */
    int compare(
        @Element int a1,
        @Element int b1,
        @Element int c1,
        @Element int a2,
        @Element int b2,
        @Element int c2);
  }

  /** Requires all components to be non-null. */
  public Comparison {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(comparator, "comparator");
  }

  /** A comparison of ints. */
  public static Comparison ofInt(String name, @Element IntComparator comparator) {
    return new Comparison(name, ElementType.INT, comparator);
  }

  /** A comparison of rows of two ints. */
  public static Comparison ofInt(String name, @Element IntComparator2 comparator) {
    return new Comparison(name, ElementType.INT, comparator);
  }

  /** A comparison of rows of three ints. */
  public static Comparison ofInt(String name, @Element IntComparator3 comparator) {
    return new Comparison(name, ElementType.INT, comparator);
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

  /** Comparators of equal code that captured equal values are equal. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Comparison c
        && name.equals(c.name)
        && type == c.type
        && CapturedValues.equal(comparator, c.comparator);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, type, CapturedValues.hash(comparator));
  }

  @Override
  public String toString() {
    return name;
  }
}
