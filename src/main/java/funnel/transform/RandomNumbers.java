package funnel.transform;

import funnel.kernel.Scalars;
import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operator.ElementType;
import java.util.List;
import java.util.Objects;
import java.util.Set;
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
 * on every engine. The output stays on the device, where later operations of the plan may take it.
 *
 * {@snippet class="funnel.docs.TransformSnippets" region="random"}
 *
 * <p><b>Other distributions</b> follow from the same generator, one call for each element: {@link
 * #between} a range, {@link #exponential}, {@link #normal} and {@link #flags}. Their functions are
 * made of operations that every engine rounds alike.
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

  private enum Distribution {
    STANDARD,
    BETWEEN,
    EXPONENTIAL,
    NORMAL,
    FLAGS
  }

  private record Of(
      ElementType type,
      long seed,
      long skip,
      int length,
      Distribution distribution,
      double first,
      double second) {}

  private final Of of;

  private RandomNumbers(Of of) {
    this.of = of;
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
    int checked = Input.requireLength("RandomNumbers.of: length", length);
    return new RandomNumbers(new Of(type, seed, 0, checked, Distribution.STANDARD, 0, 0));
  }

  /**
   * Random bytes, 1 with a probability and else 0.
   *
   * @throws IllegalArgumentException if the probability is not from 0 to 1, or the length is
   *     negative or more than an array can have
   */
  public static RandomNumbers flags(long seed, int length, double probability) {
    if (!(probability >= 0 && probability <= 1)) {
      throw new IllegalArgumentException("probability=%s, from 0 to 1".formatted(probability));
    }
    int checked = Input.requireLength("RandomNumbers.flags: length", length);
    return new RandomNumbers(
        new Of(ElementType.BYTE, seed, 0, checked, Distribution.FLAGS, probability, 0));
  }

  /** These numbers from index {@code newSkip} of the sequence on. */
  public RandomNumbers from(long newSkip) {
    return new RandomNumbers(
        new Of(of.type, of.seed, newSkip, of.length, of.distribution, of.first, of.second));
  }

  private RandomNumbers as(Distribution distribution, double first, double second) {
    return new RandomNumbers(
        new Of(of.type, of.seed, of.skip, of.length, distribution, first, second));
  }

  private void requireFloating(String what) {
    if (!of.type.isFloating()) {
      throw new IllegalArgumentException(
          "%s numbers are floats or doubles, not of type %s".formatted(what, of.type));
    }
  }

  /**
   * Numbers from {@code origin} below {@code bound}, all equally frequent: of ints up to a part of
   * 2^-32, of floats and doubles as far as they are multiples of the range's 2^-53.
   *
   * @param origin the smallest number; for ints and floats it is converted to the type
   * @throws IllegalArgumentException if it is not less than the bound, the range is not finite, the
   *     type is long, or both are no ints where ints are wanted
   */
  public RandomNumbers between(double origin, double bound) {
    boolean isInt = of.type == ElementType.INT;
    if (of.type == ElementType.LONG) {
      throw new IllegalArgumentException("random longs have no range: use ints or doubles");
    }
    double last = Double.isNaN(bound) ? bound : isInt ? bound - 1 : below(bound);
    double first = of.type.fitting("origin", origin).doubleValue();
    if (!(first <= last) || Double.isInfinite(bound - origin)) {
      throw new IllegalArgumentException(
          "origin=%s, bound=%s: the origin is less, and their difference is finite"
              .formatted(origin, bound));
    }
    if (isInt) {
      var _ = of.type.fitting("bound minus 1", last);
    }
    return as(Distribution.BETWEEN, first, bound);
  }

  private double below(double bound) {
    return of.type == ElementType.FLOAT ? Math.nextDown((float) bound) : Math.nextDown(bound);
  }

  /**
   * Exponentially distributed floats or doubles, from 0 to 36.8 times the mean, by the inverse of
   * the distribution function.
   *
   * @param mean the mean, 1 divided by the rate
   * @throws IllegalArgumentException if they are ints or longs, or the mean is not above 0 and
   *     finite
   */
  public RandomNumbers exponential(double mean) {
    requireFloating("exponential");
    if (!(mean > 0 && mean < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("mean=%s: above 0 and finite".formatted(mean));
    }
    return as(Distribution.EXPONENTIAL, mean, 0);
  }

  /**
   * Normally distributed floats or doubles, within 8.3 deviations of the mean, by the inverse of
   * the distribution function. It has an error of at most 4 ulps.
   *
   * @param mean any finite number
   * @param deviation the standard deviation, the root of the variance
   * @throws IllegalArgumentException if they are ints or longs, the mean is not finite, or the
   *     deviation is not above 0 and finite
   */
  public RandomNumbers normal(double mean, double deviation) {
    requireFloating("normal");
    if (!Double.isFinite(mean) || !(deviation > 0 && deviation < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "mean=%s, deviation=%s: both are finite, and the deviation is above 0"
              .formatted(mean, deviation));
    }
    return as(Distribution.NORMAL, mean, deviation);
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
    long start = of.seed + of.skip * SplitMix.GAMMA;
    return of.distribution == Distribution.STANDARD
        ? TabulateStep.expansion(
            output, TabulateStep.RANDOM, of.type, start, SplitMix.GAMMA, of.length)
        : new Expansion(
            List.of(
                Composite.of(
                        output,
                        function(start)
                            .indexed(of.length)
                            .to(of.type)
                            .expand(output, inputs)
                            .primitives(),
                        Set.of(output))
                    .exact()),
            List.of());
  }

  /** The function of the index, without a product that an addition follows. */
  private Elementwise function(long start) {
    double first = of.first;
    double second = of.second;
    switch (of.distribution) {
      case FLAGS -> {
        return Elementwise.ofInt("flags", (int i) -> Draws.uniform(start, i) < first ? 1 : 0);
      }
      case EXPONENTIAL -> {
        return Elementwise.ofDouble(
            "exponential", (double i) -> first * Draws.exponential(start, (int) i));
      }
      case NORMAL -> {
        return Elementwise.ofDouble(
            "normal", (double i) -> Scalars.fma(second, Draws.normal(start, (int) i), first));
      }
      default -> {
        if (of.type == ElementType.INT) {
          int origin = (int) first;
          long count = (long) second - origin;
          return Elementwise.ofInt("ints", (int i) -> origin + Draws.below(count, start, i));
        }
        double range = second - first;
        double last = below(second);
        return Elementwise.ofDouble(
            "between",
            (double i) -> {
              double number = Scalars.fma(range, Draws.uniform(start, (int) i), first);
              return number > last ? last : number;
            });
      }
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RandomNumbers that && of.equals(that.of);
  }

  @Override
  public int hashCode() {
    return of.hashCode();
  }

  @Override
  public String toString() {
    String numbers =
        switch (of.distribution) {
          case STANDARD -> "random numbers";
          case BETWEEN -> "random numbers from %s below %s".formatted(of.first, of.second);
          case EXPONENTIAL -> "exponential numbers of mean %s".formatted(of.first);
          case NORMAL ->
              "normal numbers of mean %s and deviation %s".formatted(of.first, of.second);
          case FLAGS -> "flags of probability %s".formatted(of.first);
        };
    return "%s of %s by seed %s".formatted(numbers, of.type, of.seed);
  }
}
