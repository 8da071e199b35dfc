package funnel.transform;

import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.UnknownLengthException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A random sample of an array's elements, without replacement.
 *
 * <p><b>Definition.</b> The first {@code count} elements of {@link Shuffle#by} the same seed: for
 * 30, 10, 40 and a count of 2, two elements at different positions, in a random order. The elements
 * are bytes, ints, longs, floats or doubles, and are copied unchanged; the output has the same
 * type. It stays on the device, where later operations of the plan may take it.
 *
 * {@snippet class="funnel.docs.TransformSnippets" region="sample"}
 *
 * <p><b>A count</b> of 0 gives an empty output; a count of more than the number of elements throws
 * an {@link IllegalArgumentException}. That number must be known before the run.
 *
 * <p>There is no <b>in-place</b> form: the output must not overlap the input.
 *
 * <p><b>Cost.</b> That of a shuffle of {@code count} elements: others are not read.
 *
 * <p>Immutable. After {@code sample} of the C++ standard library.
 */
public final class Sample implements Operation {

  private record Of(int count, long seed) {}

  private final Of of;

  private Sample(Of of) {
    this.of = of;
  }

  /**
   * A sample of {@code count} elements.
   *
   * @throws IllegalArgumentException if the count is negative or more than an array can have
   */
  public static Sample of(int count, long seed) {
    return new Sample(new Of(Input.requireLength("Sample.of: count", count), seed));
  }

  /**
   * The primitives of this sample.
   *
   * @param output name of the output, an array
   * @param inputs the elements
   * @throws IllegalArgumentException if there is not exactly one input, or its capacity is less
   *     than the count
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    Input values = Expansion.only(inputs, this);
    if (values.capacity() < of.count) {
      throw new UnknownLengthException(
          "%s: input %s cannot have as many, capacity=%s"
              .formatted(this, values.name(), values.capacity()),
          List.of(values.name()));
    }
    return new Expansion(
        List.of(
            new TabulateStep(
                output,
                TabulateStep.PERMUTE,
                values.name(),
                values.type(),
                Bijection.key(of.seed),
                0,
                of.count,
                values.capacity())),
        List.of());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Sample that && of.equals(that.of);
  }

  @Override
  public int hashCode() {
    return of.hashCode();
  }

  @Override
  public String toString() {
    return "sample of %s elements by seed %s".formatted(of.count, of.seed);
  }
}
