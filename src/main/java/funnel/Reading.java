package funnel;

import funnel.array.Reader;
import java.util.Objects;

/**
 * Arrays and values that were read together, see {@link Funnel#read}.
 *
 * {@snippet class="funnel.docs.ArraySnippets" region="together"}
 */
public final class Reading {

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

  /**
   * A value: an Integer, Long, Float or Double.
   *
   * @throws IllegalArgumentException if it was not read
   * @throws java.util.NoSuchElementException if an empty array has no such value
   */
  public Number get(Value value) {
    return answer.value(Objects.requireNonNull(value, "value").ref);
  }

  int copyInto(Array<?, ?> array, Elements into) {
    return answer.copyInto(array.ref, into);
  }
}
