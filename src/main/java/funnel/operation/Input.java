package funnel.operation;

import funnel.operator.ElementType;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A named input of a program.
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="input"}
 *
 * @param name unique among the program's inputs
 * @param type its elements' type
 * @param capacity the largest number of elements that it can have in any run
 * @param value the single value of an earlier operation that it is; null for elements
 */
public record Input(String name, ElementType type, int capacity, @Nullable Output value) {

  /** An input of elements. */
  public Input(String name, ElementType type, int capacity) {
    this(name, type, capacity, null);
  }

  /** The largest number of elements of an array; see also {@link Device#requireReach}. */
  public static final int LARGEST_CAPACITY = Integer.MAX_VALUE - 8;

  /**
   * Requires a length that an array can have.
   *
   * @param what the length's name in the message, as in {@code Fill.with: length}
   * @return the length
   * @throws IllegalArgumentException if it is negative or greater than {@link #LARGEST_CAPACITY}
   */
  public static int requireLength(String what, int length) {
    if (length < 0 || length > LARGEST_CAPACITY) {
      throw new IllegalArgumentException(
          "%s=%s, at least 0 and at most %s".formatted(what, length, LARGEST_CAPACITY));
    }
    return length;
  }

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if the capacity is negative or greater than {@link
   *     #LARGEST_CAPACITY}
   */
  public Input {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(type, "type");
    if (capacity < 0 || capacity > LARGEST_CAPACITY) {
      throw new IllegalArgumentException(
          "capacity of input %s out of range: capacity=%s, largest=%s"
              .formatted(name, capacity, LARGEST_CAPACITY));
    }
  }
}
