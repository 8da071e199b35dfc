package funnel;

import funnel.array.Ref;

/**
 * A single value of an array that is not read yet, such as {@code x.value(Reduction.mean())}.
 *
 * {@snippet class="funnel.docs.ArraySnippets" region="normalise"}
 *
 * <p>As an argument of a function it stays on the device. If its array is empty and it is therefore
 * not defined, as a mean is not, a reading of what the function makes of any elements throws a
 * {@link java.util.NoSuchElementException}. Immutable and lazy, like an {@link Array}.
 */
public final class Value extends Operand {

  Value(Funnel funnel, Ref ref) {
    super(funnel, ref);
  }

  /**
   * Computes the value: an Integer, Long, Float or Double, as {@link
   * funnel.reduce.Reduction#resultType} says.
   *
   * @throws java.util.NoSuchElementException if an empty array has no such value
   */
  public Number get() {
    return funnel.read(this).get(this);
  }

  @Override
  public String toString() {
    return "a value, not computed";
  }
}
