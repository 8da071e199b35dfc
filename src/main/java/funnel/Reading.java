package funnel;

import funnel.array.Reader;
import java.util.Objects;

/**
 * Arrays and values that were read together, see {@link Funnel#read}.
 *
 * {@snippet class="funnel.docs.ArraySnippets" region="together"}
 */
public final class Reading {

  /** A function of three arrays, for {@link Funnel#read(Array, Array, Array, TriFunction)}. */
  @FunctionalInterface
  public interface TriFunction<A, B, C, R> {
    /** The function's value. */
    R apply(A a, B b, C c);
  }

  /**
   * A function of four arrays, for {@link Funnel#read(Array, Array, Array, Array, QuadFunction)}.
   */
  @FunctionalInterface
  public interface QuadFunction<A, B, C, D, R> {
    /** The function's value. */
    R apply(A a, B b, C c, D d);
  }

  private final Reader.Answer answer;

  Reading(Reader.Answer answer) {
    this.answer = answer;
  }

  /**
   * The elements of an array, in a new Java array for each call.
   *
   * @throws IllegalArgumentException if it was not read
   */
  @SuppressWarnings("unchecked") // an array of its type
  public <A> A get(Array<A, ?> array) {
    return (A) answer.copy(Objects.requireNonNull(array, "array").ref);
  }

  /** The elements of an array, of a reading that is not asked for it again. */
  @SuppressWarnings("unchecked") // an array of its type
  <A> A own(Array<A, ?> array) {
    return (A) answer.own(array.ref);
  }

  /**
   * A value: an Integer, Long, Float or Double.
   *
   * @throws IllegalArgumentException if it was not read
   * @throws java.util.NoSuchElementException if an empty array has no such value
   */
  public Number get(Value value) {
    return answer.value(Objects.requireNonNull(value, "value").ref);
  }

  /**
   * A value that is an int.
   *
   * @throws IllegalArgumentException if it was not read, or is of another type
   * @throws java.util.NoSuchElementException if an empty array has no such value
   */
  public int getInt(Value value) {
    return answer.results().getInt(answer.name(value.ref));
  }

  /** A value that is a long or an int, as a long; exceptions as {@link #getInt}. */
  public long getLong(Value value) {
    return answer.results().getLong(answer.name(value.ref));
  }

  /** A value that is a double, float or int, as a double; exceptions as {@link #getInt}. */
  public double getDouble(Value value) {
    return answer.results().getDouble(answer.name(value.ref));
  }

  int copyInto(Array<?, ?> array, Elements into) {
    return answer.copyInto(array.ref, into);
  }
}
