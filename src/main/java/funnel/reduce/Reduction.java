package funnel.reduce;

import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Output;
import funnel.operation.Parts;
import funnel.operation.Primitive;
import funnel.operation.UnknownLengthException;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A reduction of an array to one value or two: {@code Reduction.sum()} of 3, 1, 4, 1 is 9.
 *
 * <p><b>Types.</b> Unless a method says otherwise, a reduction works on int, long, float and double
 * elements and gives a value of the same type; {@link ElementType#BYTE} elements are unsigned and
 * give an int. Integer sums and products wrap around.
 *
 * <p><b>Order.</b> Operators that are not commutative combine neighbours only, from left to right;
 * commutative ones first combine elements that are 1024 places apart. Either tree depends on the
 * length alone, so that float and double results have the same bits on every engine and in every
 * run. A sum of n floats differs from the exact sum by at most {@code (n/2^21 + 24) * 2^-24 *
 * sum(|x|)}, one of doubles by {@code (n/2^21 + 24) * 2^-53 * sum(|x|)}. Bounds hold if nothing
 * overflows or underflows.
 *
 * <p><b>NaN and -0.0</b> are treated as in {@link Math}: min and max give NaN if any element is
 * NaN, and -0.0 is smaller than 0.0.
 *
 * <p><b>Empty input</b> gives the operator's identity. Min, max, arg min, arg max, min-max, mean
 * and variance have no value then: reading it throws {@link java.util.NoSuchElementException}.
 *
 * <p><b>Cost.</b> Each element is read once (twice for the variance); only results are written.
 * Extra memory is at most 2112 accumulators.
 *
 * <p>Source: the row decomposition follows the Reduce of Merrill and Grimshaw's scan primitives;
 * fixed trees for reproducibility are those of CUB's run-to-run reductions.
 *
 * <p>Immutable, thread-safe and serializable.
 *
 * {@snippet class="funnel.docs.ReduceSnippets" region="reduction"}
 */
public final class Reduction implements Operation, Serializable {

  private static final long serialVersionUID = 1;

  enum Form {
    SINGLE,
    MEAN,
    MEAN_FROM_FIRST,
    VARIANCE,
    SAMPLE_VARIANCE,
    ARG_MIN,
    ARG_MAX,
    MIN_MAX
  }

  private enum Width {
    SAME,
    LONG,
    DOUBLE,
    WIDEST,
    COUNT
  }

  private final String name;
  final Form form;
  final Operator operator;
  private final int transformCode;
  private final @Nullable Transform transform;
  private final Width width;

  private Reduction(
      String name,
      Form form,
      Operator operator,
      int transformCode,
      @Nullable Transform transform,
      Width width) {
    this.name = name;
    this.form = form;
    this.operator = operator;
    this.transformCode = transformCode;
    this.transform = transform;
    this.width = width;
  }

  private static Reduction single(String name, Operator operator, int transformCode, Width width) {
    return new Reduction(name, Form.SINGLE, operator, transformCode, null, width);
  }

  private static Reduction of(String name, Form form) {
    return new Reduction(name, form, Operator.SUM, TransformCode.IDENTITY, null, Width.SAME);
  }

  /** All elements combined by an operator: {@code of(Operator.MAX)} of 3, 1, 4 is 4. */
  public static Reduction of(Operator operator) {
    Objects.requireNonNull(operator, "operator");
    return single(operator.name(), operator, TransformCode.IDENTITY, Width.SAME);
  }

  /**
   * Applies a function to each element, or to its index and the element, and combines the values by
   * an operator. The function takes and returns the elements' own type (int for bytes). By {@code
   * (i, x) -> i * x} and {@link Operator#SUM}, 3, 1, 4 give 9.
   *
   * {@snippet class="funnel.docs.ReduceSnippets" region="indexed"}
   *
   * @throws IllegalArgumentException if {@code transform} is a predicate
   */
  public static Reduction of(Operator operator, Transform transform) {
    Objects.requireNonNull(operator, "operator");
    Objects.requireNonNull(transform, "transform");
    if (transform.isTest()) {
      throw new IllegalArgumentException(
          "transform %s is a predicate: use Reduction.countIf".formatted(transform));
    }
    return new Reduction(
        operator + " of " + transform,
        Form.SINGLE,
        operator,
        TransformCode.MAP,
        transform,
        Width.SAME);
  }

  /** The sum in the elements' own type: of 3, 1, 4 it is 8. */
  public static Reduction sum() {
    return of(Operator.SUM);
  }

  /** The sum of integers as a long, which the sum of an int array cannot overflow. */
  public static Reduction sumAsLong() {
    return single("sum as long", Operator.SUM, TransformCode.IDENTITY, Width.LONG);
  }

  /**
   * The sum as a double, each element widened first. It differs from the exact sum of n elements by
   * at most {@code (n/2^21 + 25) * 2^-53 * sum(|x|)}.
   */
  public static Reduction sumAsDouble() {
    return single("sum as double", Operator.SUM, TransformCode.IDENTITY, Width.DOUBLE);
  }

  /** The product: of 3, 1, 4 it is 12. */
  public static Reduction product() {
    return of(Operator.PRODUCT);
  }

  /** The smallest element. */
  public static Reduction min() {
    return of(Operator.MIN);
  }

  /** The largest element. */
  public static Reduction max() {
    return of(Operator.MAX);
  }

  /**
   * The sum of the elements' squares, 26 for 3, 1, 4: as a long for integers, which wraps around,
   * as a double for float and double. Each product is rounded before it is added.
   */
  public static Reduction sumOfSquares() {
    return single("sum of squares", Operator.SUM, TransformCode.SQUARE, Width.WIDEST);
  }

  /**
   * The sum of products of two inputs' elements, 17 for (3, 1, 4) and (2, 7, 1): as a long for
   * integers, which wraps around, as a double for float and double. Each product is rounded before
   * it is added.
   */
  public static Reduction dot() {
    return single("dot product", Operator.SUM, TransformCode.PRODUCT, Width.WIDEST);
  }

  /**
   * The number of elements for which a predicate holds, as a long: {@code x > 2} holds for 2 of 3,
   * 1, 4.
   *
   * @throws IllegalArgumentException if {@code predicate} is not a predicate
   */
  public static Reduction countIf(Transform predicate) {
    Objects.requireNonNull(predicate, "predicate");
    if (!predicate.isTest()) {
      throw new IllegalArgumentException(
          "transform %s is not a predicate: make it with Transform.test%s"
              .formatted(predicate, "Int, testLong, testFloat or testDouble"));
    }
    return new Reduction(
        "count of " + predicate,
        Form.SINGLE,
        Operator.SUM,
        TransformCode.TEST,
        predicate,
        Width.COUNT);
  }

  /**
   * The arithmetic mean as a double: the sum as a double, divided by the length. It differs from
   * the exact mean of n elements by at most {@code (n/2^21 + 26) * 2^-53 * sum(|x|) / n}.
   */
  public static Reduction mean() {
    return of("mean", Form.MEAN);
  }

  /**
   * The distance of the mean from the first element, as a double: 2.0 for 2, 4, 6. It keeps digits
   * that a mean far from zero loses, see {@link Moments}. With an element that is NaN or infinite
   * it is NaN or infinite; in parts, NaN if a piece begins with such an element.
   */
  public static Reduction meanFromFirst() {
    return of("mean from first", Form.MEAN_FROM_FIRST);
  }

  /**
   * The variance as a double: the mean of the squared distances from the mean, which is 8/3 for 2,
   * 4, 6. The first element is subtracted from each element before longs become doubles, so that
   * nothing cancels: of n elements the relative error is at most {@code (n/2^21 + 2 sqrt(n) + 30) *
   * 2^-53}, however far they are from zero. Elements further apart than the largest double give
   * NaN.
   */
  public static Reduction variance() {
    return of("variance", Form.VARIANCE);
  }

  /** The variance with divisor length - 1; NaN for a single element. */
  public static Reduction sampleVariance() {
    return of("sample variance", Form.SAMPLE_VARIANCE);
  }

  /**
   * The index of the smallest element, the first one on ties (of 3, 1, 1 it is 1); output {@code
   * name_value} is the element itself.
   */
  public static Reduction argMin() {
    return of("arg min", Form.ARG_MIN);
  }

  /**
   * The index of the largest element, the first one on ties (of 3, 1, 3 it is 0); output {@code
   * name_value} is the element itself.
   */
  public static Reduction argMax() {
    return of("arg max", Form.ARG_MAX);
  }

  /**
   * The smallest and the largest element in one pass, as outputs {@code name_min} and {@code
   * name_max}.
   */
  public static Reduction minMax() {
    return of("min-max", Form.MIN_MAX);
  }

  /** The name of the reduction. */
  public String name() {
    return name;
  }

  /** Whether it takes two inputs of equal length. */
  public boolean takesTwoInputs() {
    return transformCode == TransformCode.PRODUCT;
  }

  /** Whether it has two outputs, neither of which is the main one. */
  public boolean isPairOfElements() {
    return form == Form.MIN_MAX;
  }

  /** The type of the result for elements of type {@code element}. */
  public ElementType resultType(ElementType element) {
    return switch (form) {
      case MEAN, MEAN_FROM_FIRST, VARIANCE, SAMPLE_VARIANCE -> ElementType.DOUBLE;
      case ARG_MIN, ARG_MAX -> ElementType.INT;
      case MIN_MAX -> value(element);
      case SINGLE -> width == Width.COUNT ? ElementType.LONG : accumulator(element);
    };
  }

  /** The type of an element's value. */
  private static ElementType value(ElementType element) {
    return element == ElementType.BYTE ? ElementType.INT : element;
  }

  private ElementType accumulator(ElementType element) {
    return switch (width) {
      case SAME -> value(element);
      case LONG -> {
        if (element.isFloating()) {
          throw new IllegalArgumentException(
              "sum as long is not defined for %s elements: use sumAsDouble".formatted(element));
        }
        yield ElementType.LONG;
      }
      case DOUBLE -> ElementType.DOUBLE;
      case WIDEST -> element.isFloating() ? ElementType.DOUBLE : ElementType.LONG;
      case COUNT ->
          switch (element) {
            case BYTE, INT -> ElementType.INT;
            case LONG -> ElementType.LONG;
            case FLOAT, DOUBLE -> ElementType.DOUBLE;
          };
    };
  }

  /**
   * The primitives that compute this reduction.
   *
   * @param id the name of the output, and the beginning of the names of others
   * @param inputs one input, or two of one type and capacity
   * @throws IllegalArgumentException if the reduction is not defined for the inputs' type, or takes
   *     a different number of inputs
   */
  @Override
  public Expansion expand(String id, List<Input> inputs) {
    return expand(id, inputs, ReductionStep.THREADS);
  }

  /** Expands for blocks of {@code threads} threads; results do not depend on the number. */
  Expansion expand(String id, List<Input> inputs, int threads) {
    requireInputs(inputs);
    Input input = inputs.getFirst();
    ElementType element = input.type();
    String none =
        "%s of an empty array is not defined: length of %s=0".formatted(name, input.name());
    return switch (form) {
      case SINGLE -> {
        ElementType accumulator = accumulator(element);
        operator.requireDefinedOn(accumulator);
        if (transform != null) {
          transform.requireOver(input.name(), element);
        }
        ReductionStep reduce =
            new ReductionStep(
                id,
                inputs.stream().map(Input::name).toList(),
                element,
                accumulator,
                operator,
                transformCode,
                transform,
                null,
                input.capacity(),
                threads);
        String emptyReason = operator.hasEmptyResult() ? "" : none;
        yield new Expansion(
            List.of(reduce),
            List.of(
                width == Width.COUNT
                    ? new Output(
                        id,
                        ElementType.LONG,
                        input.name(),
                        emptyReason,
                        id,
                        new Output.OnDevice(id, accumulator, ElementType.LONG, -1))
                    : Output.of(id, accumulator, input.name(), emptyReason)));
      }
      case MEAN, MEAN_FROM_FIRST -> {
        int code = form == Form.MEAN ? TransformCode.IDENTITY : TransformCode.DISTANCE;
        Primitive sum = doubleSum(id, input, code, null, threads);
        yield new Expansion(List.of(sum), List.of(quotient(id, input, none, 0)));
      }
      case VARIANCE, SAMPLE_VARIANCE -> {
        String sum = id + ".sum";
        yield new Expansion(
            List.of(
                doubleSum(sum, input, TransformCode.DISTANCE, null, threads),
                doubleSum(id, input, TransformCode.SQUARED_DEVIATION, sum, threads)),
            List.of(quotient(id, input, none, form == Form.VARIANCE ? 0 : 1)));
      }
      case ARG_MIN, ARG_MAX -> {
        int code = form == Form.ARG_MIN ? PairCode.ARG_MIN : PairCode.ARG_MAX;
        PairReductionStep pair =
            new PairReductionStep(id, input.name(), element, code, input.capacity());
        yield new Expansion(
            List.of(pair),
            List.of(
                renamed(id, ElementType.INT, input, none, pair.second()),
                renamed(id + "_value", value(element), input, none, pair.first())));
      }
      case MIN_MAX -> {
        PairReductionStep pair =
            new PairReductionStep(id, input.name(), element, PairCode.MIN_MAX, input.capacity());
        yield new Expansion(
            List.of(pair),
            List.of(
                renamed(id + "_min", value(element), input, none, pair.first()),
                renamed(id + "_max", value(element), input, none, pair.second())));
      }
    };
  }

  /**
   * Values of pieces are combined as the elements of an array; see {@link Moments} for variances.
   */
  @Override
  public Optional<Parts<?>> inParts(List<ElementType> inputs) {
    return Optional.of(new ReductionParts(this));
  }

  private void requireInputs(List<Input> inputs) {
    int wanted = takesTwoInputs() ? 2 : 1;
    if (inputs.size() != wanted) {
      throw new IllegalArgumentException(
          "%s takes %s input(s), given=%s".formatted(name, wanted, inputs.size()));
    }
    Input first = inputs.getFirst();
    Input last = inputs.getLast();
    if (first.type() != last.type() || first.capacity() != last.capacity()) {
      String message =
          "%s takes inputs of one type and capacity: %s is %s[%s], %s is %s[%s]"
              .formatted(
                  name,
                  first.name(),
                  first.type(),
                  first.capacity(),
                  last.name(),
                  last.type(),
                  last.capacity());
      throw first.type() != last.type()
          ? new IllegalArgumentException(message)
          : new UnknownLengthException(message, List.of(first.name(), last.name()));
    }
  }

  private static ReductionStep doubleSum(
      String id, Input input, int transformCode, @Nullable String parameter, int threads) {
    return new ReductionStep(
        id,
        List.of(input.name()),
        input.type(),
        ElementType.DOUBLE,
        Operator.SUM,
        transformCode,
        null,
        parameter,
        input.capacity(),
        threads);
  }

  private static Output quotient(String id, Input input, String none, int fewer) {
    return new Output(
        id,
        ElementType.DOUBLE,
        input.name(),
        none,
        id,
        new Output.OnDevice(id, ElementType.DOUBLE, ElementType.DOUBLE, fewer));
  }

  private static Output renamed(
      String name, ElementType type, Input input, String none, String result) {
    return Output.ofResult(name, type, input.name(), none, result);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Reduction r
        && form == r.form
        && operator.equals(r.operator)
        && transformCode == r.transformCode
        && Objects.equals(transform, r.transform)
        && width == r.width;
  }

  @Override
  public int hashCode() {
    return Objects.hash(form, operator, transformCode, transform, width);
  }

  @Override
  public String toString() {
    return name;
  }
}
