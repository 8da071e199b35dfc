package funnel.transform;

import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operator.ElementType;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Counter-based random numbers: each follows from the seed and its index alone, so that all can be
 * computed in parallel.
 *
 * <p><b>Definition.</b> Element {@code i} is the result of call {@code i}, from 0, of {@code
 * nextInt()}, {@code nextLong()}, {@code nextFloat()} or {@code nextDouble()}, depending on the
 * type, of a new {@link java.util.SplittableRandom} with the seed: ints with the seed 42 begin with
 * {@code new SplittableRandom(42).nextInt()}. Ints and longs take all values of their type, floats
 * and doubles multiples of 2^-24 and 2^-53 from 0 below 1. There is no input. The bits are the same
 * on every engine. The output stays on the device, where later operations of the plan may take it:
 * an {@link Elementwise} turns it into other ranges and distributions.
 *
 * {@snippet class="funnel.docs.TransformSnippets" region="random"}
 *
 * <p><b>A length of 0</b> gives an empty output. Every run gives the same numbers; {@link #from}
 * gives those that follow.
 *
 * <p><b>Not for cryptography:</b> a few of the numbers reveal all others.
 *
 * <p><b>Cost.</b> The output is written once; no extra memory. Other seeds and lengths do not need
 * another compilation of the kernel.
 *
 * <p>Immutable. The generator is that of Guy L. Steele Jr., Doug Lea and Christine H. Flood, "Fast
 * splittable pseudorandom number generators", OOPSLA 2014.
 */
public final class RandomNumbers implements Operation {

  private final ElementType type;
  private final long seed;
  private final long skip;
  private final int length;

  private RandomNumbers(ElementType type, long seed, long skip, int length) {
    this.type = type;
    this.seed = seed;
    this.skip = skip;
    this.length = length;
  }

  /**
   * Random numbers from the first on.
   *
   * @param type ints, longs, floats or doubles
   * @param seed any number
   * @param length the number of elements
   * @throws IllegalArgumentException if the type is byte, or the length is negative or more than an
   *     array can have
   */
  public static RandomNumbers of(ElementType type, long seed, int length) {
    if (Objects.requireNonNull(type, "type") == ElementType.BYTE) {
      throw new IllegalArgumentException(
          "random numbers are ints, longs, floats or doubles: make bytes of ints by Elementwise");
    }
    return new RandomNumbers(
        type, seed, 0, Input.requireLength("RandomNumbers.of: length", length));
  }

  /** These numbers from index {@code newSkip} of the sequence on. */
  public RandomNumbers from(long newSkip) {
    return new RandomNumbers(type, seed, newSkip, length);
  }

  /**
   * The primitives of these numbers.
   *
   * @param output name of the output, an array
   * @param inputs none
   * @throws IllegalArgumentException if there are any
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    Iota.requireNone(this, inputs);
    long state = seed + skip * SplitMix.GAMMA;
    return TabulateStep.expansion(output, TabulateStep.RANDOM, type, state, SplitMix.GAMMA, length);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RandomNumbers that
        && type == that.type
        && seed == that.seed
        && skip == that.skip
        && length == that.length;
  }

  @Override
  public int hashCode() {
    return Objects.hash(type, seed, skip, length);
  }

  @Override
  public String toString() {
    return "random numbers of %s by seed %s".formatted(type, seed);
  }
}
