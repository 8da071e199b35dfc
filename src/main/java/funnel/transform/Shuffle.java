package funnel.transform;

import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operator.ElementType;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The elements of an array in a random order.
 *
 * <p><b>Definition.</b> {@code y[i] = x[p(i)]}, where {@code p} is a permutation determined by the
 * seed and the length: for 30, 10, 40 one of its six orders, all equally frequent among the seeds.
 * A seed gives the same order on every engine, whatever the elements. Elements are bytes, ints,
 * longs, floats or doubles; the output has the same type and length. It stays on the device, where
 * later operations of the plan may take it. Elements are copied unchanged, NaN and -0.0 included.
 *
 * {@snippet class="funnel.docs.TransformSnippets" region="shuffle"}
 *
 * <p><b>{@link #positions}</b> are the permutation itself, by which {@link Gather} puts several
 * arrays into the same order, and {@link Scatter} puts elements back.
 *
 * <p><b>How random.</b> There are at most 2^64 orders, as many as seeds. Not for cryptography.
 *
 * <p><b>Empty input</b> gives an empty output.
 *
 * <p>There is no <b>in-place</b> form: the output must not overlap the input.
 *
 * <p><b>Cost.</b> One launch, no extra memory and no sort: each element's place is computed from
 * its index alone, by 12 rounds, which are done once or twice on average. Elements are read far
 * apart, a sector of 32 bytes each.
 *
 * <p>Immutable. The permutation is a Feistel network; values beyond the length go through it again.
 * After R. Mitchell, D. Stokes, E. Frank and G. Holmes, "Bandwidth-optimal random shuffling for
 * GPUs", ACM TOPC 2022, and J. Black and P. Rogaway, "Ciphers with arbitrary finite domains",
 * CT-RSA 2002. {@code shuffle} of Thrust is a different permutation.
 */
public final class Shuffle implements Operation {

  private final long seed;
  private final int length; // for positions, else TabulateStep.ALL

  private Shuffle(long seed, int length) {
    this.seed = seed;
    this.length = length;
  }

  /** The shuffle with a seed. */
  public static Shuffle by(long seed) {
    return new Shuffle(seed, TabulateStep.ALL);
  }

  /**
   * The permutation itself, as ints: the positions from which {@link #by} takes the elements of an
   * array of this length. It has no input.
   *
   * @throws IllegalArgumentException if the length is negative or more than an array can have
   */
  public static Shuffle positions(int length, long seed) {
    return new Shuffle(seed, Input.requireLength("Shuffle.positions: length", length));
  }

  /**
   * The primitives of this shuffle.
   *
   * @param output name of the output, an array
   * @param inputs the elements; none for positions
   * @throws IllegalArgumentException if there is not exactly one input, or any input for positions
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    long key = Bijection.key(seed);
    if (length != TabulateStep.ALL) {
      Iota.requireNone(this, inputs);
      return TabulateStep.expansion(output, TabulateStep.POSITION, ElementType.INT, key, 0, length);
    }
    return TabulateStep.expansion(output, TabulateStep.PERMUTE, Expansion.only(inputs, this), key);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Shuffle that && seed == that.seed && length == that.length;
  }

  @Override
  public int hashCode() {
    return Objects.hash(seed, length);
  }

  @Override
  public String toString() {
    return "shuffle by seed " + seed;
  }
}
