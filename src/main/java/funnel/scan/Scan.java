package funnel.scan;

import funnel.jit.FunctionCopies;
import funnel.jit.TwinClass;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Output;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A scan (prefix sum): for every element the combination of all elements up to it.
 *
 * <p>Of 3, 1, 4, 1, 5, the inclusive scan by {@link Operator#SUM} is 3, 4, 8, 9, 14; the exclusive
 * scan, which leaves out the element itself, is 0, 3, 4, 8, 9. With the initial value 100 they are
 * 103, 104, 108, 109, 114 and 100, 103, 104, 108, 109. The total is 14, or 114 with the initial
 * value.
 *
 * <p><b>Order.</b> Operands are always results over adjacent parts of the input, the left one
 * first, so that operators need not be commutative. The order of combination depends on the length
 * alone; floating-point results have the same bits on the JVM, in the emulator and on every device,
 * in every run. They differ from those of a plain loop, whose error grows with the length, and are
 * nearer to the exact sums. Sums of non-negative numbers may decrease from one element to the next
 * by a rounding error, at the borders of the {@linkplain ScanForm tiles' threads}. Integers wrap
 * around; min and max treat NaN and -0.0 as {@link Math} does. A NaN stays in all results after it.
 *
 * <p><b>Empty input</b> gives an empty output, and the total is the initial value.
 *
 * <p><b>In place.</b> The output may be exactly the input's array. It must not overlap the input
 * otherwise, nor the input that the scan is {@linkplain #continuing continued} from.
 *
 * <p><b>Cost.</b> 2 or 3 elements of memory traffic for each element of the input, depending on the
 * {@link ScanForm}; extra memory is 1/1000 of the output.
 *
 * <p>Immutable and serializable. After Blelloch, <i>Prefix Sums and Their Applications</i>, 1990;
 * the forms after Dotsenko et al., <i>Fast Scan Algorithms on Graphics Processors</i>, 2008, and
 * Merrill and Garland, <i>Single-pass Parallel Prefix Scan with Decoupled Look-back</i>, 2016.
 *
 * {@snippet class="funnel.docs.ScanSnippets" region="scan"}
 */
public final class Scan implements Operation, Serializable {

  private static final long serialVersionUID = 1;

  private final Operator operator;
  private final @Nullable Transform map;
  private final boolean inclusive;
  private final @Nullable ElementType accumulator;
  private final @Nullable Number initial;
  private final boolean continuing;
  private final @Nullable ScanForm form;

  private Scan(
      Operator operator,
      @Nullable Transform map,
      boolean inclusive,
      @Nullable ElementType accumulator,
      @Nullable Number initial,
      boolean continuing,
      @Nullable ScanForm form) {
    this.operator = Objects.requireNonNull(operator, "operator");
    this.map = map;
    this.inclusive = inclusive;
    this.accumulator = accumulator;
    this.initial = initial;
    this.continuing = continuing;
    this.form = form;
  }

  /** The scan in which an element's result includes the element. */
  public static Scan inclusive(Operator operator) {
    return new Scan(operator, null, true, null, null, false, null);
  }

  /** The scan in which an element's result covers the elements before it alone. */
  public static Scan exclusive(Operator operator) {
    return new Scan(operator, null, false, null, null, false, null);
  }

  /** This scan with a wider accumulator: ints or bytes to long, floats to double. */
  public Scan to(ElementType type) {
    return new Scan(
        operator, map, inclusive, Objects.requireNonNull(type, "type"), initial, continuing, form);
  }

  /**
   * This scan from an initial value instead of the identity. With {@link Operator#SUM}, -0.0 stays
   * -0.0 until something else is added, as in a plain loop.
   *
   * @param value the value; adding the scan to a plan throws if it {@linkplain ElementType#fitting
   *     does not fit} the accumulator's type
   */
  public Scan from(Number value) {
    return new Scan(
        operator, map, inclusive, accumulator, Objects.requireNonNull(value, "value"), false, form);
  }

  /**
   * This scan with its initial value read from a second input of one element, so that it may change
   * from run to run: the total of the data before, say.
   */
  public Scan continuing() {
    return new Scan(operator, map, inclusive, accumulator, null, true, form);
  }

  /** This scan in a chosen form on a device, instead of the one that was measured to be faster. */
  public Scan by(ScanForm wanted) {
    return new Scan(
        operator,
        map,
        inclusive,
        accumulator,
        initial,
        continuing,
        Objects.requireNonNull(wanted, "form"));
  }

  /**
   * This scan over a function's values, which are not stored: the sums of squares of 3, 1, 4 are 9,
   * 10, 26, and by {@code (i, x) -> i * x} they are 0, 1, 9. The function must be pure, since it
   * may be called more than once for an element. {@link Operator} says what it may contain on a
   * device.
   *
   * {@snippet class="funnel.docs.ScanSnippets" region="mapped"}
   *
   * @param function a function over the type of the elements, ints for bytes
   * @throws IllegalArgumentException if it is a predicate
   */
  public Scan mapped(Transform function) {
    return new Scan(
        operator,
        FunctionCopies.requireMap(function),
        inclusive,
        accumulator,
        initial,
        continuing,
        form);
  }

  /** The operator. */
  public Operator operator() {
    return operator;
  }

  /** The function whose values are scanned, if it is {@link #mapped}. */
  public Optional<Transform> map() {
    return Optional.ofNullable(map);
  }

  /** The initial value, if {@link #from} has set one. */
  public Optional<Number> initial() {
    return Optional.ofNullable(initial);
  }

  /** Whether an element's result contains the element. */
  public boolean isInclusive() {
    return inclusive;
  }

  /**
   * The initial value: the one set by {@link #from}, or the identity.
   *
   * @return the value in the results' type
   * @throws IllegalArgumentException if the scan is not defined for elements of this type, or the
   *     value does not fit the results' type
   */
  public Number initial(ElementType element) {
    ElementType type = resultType(element);
    return initial == null ? operator.identity(type) : type.fitting("initial value", initial);
  }

  /** Whether the initial value is a second input. */
  public boolean isContinuing() {
    return continuing;
  }

  /**
   * The type of the results for elements of type {@code element}.
   *
   * @throws IllegalArgumentException if the scan is not defined for that type
   */
  public ElementType resultType(ElementType element) {
    ElementType type = accumulator;
    if (type == null) {
      type = element == ElementType.BYTE ? ElementType.INT : element;
    }
    operator.requireDefinedOn(type);
    if (TwinClass.find(MethodHandles.lookup(), IntToIntScanKernels.class, element, type)
        .isEmpty()) {
      throw new IllegalArgumentException("no scan of %s elements to %s".formatted(element, type));
    }
    return type;
  }

  /**
   * @param output name of the output
   * @param inputs the values, then the initial value if the scan is {@linkplain #continuing
   *     continuing}
   * @throws IllegalArgumentException if the inputs are too few or too many, the scan is not defined
   *     for their type, or the initial value does not fit the accumulator's type
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    int wanted = continuing ? 2 : 1;
    if (inputs.size() != wanted) {
      throw new IllegalArgumentException(
          "%s takes %s inputs, given are %s".formatted(this, wanted, inputs.size()));
    }
    Input values = inputs.getFirst();
    ElementType type = resultType(values.type());
    if (map != null) {
      map.requireOver(values.name(), values.type());
    }
    if (continuing && inputs.getLast().type() != type) {
      throw new IllegalArgumentException(
          "the initial value of %s is of type %s, its results of %s"
              .formatted(this, inputs.getLast().type(), type));
    }
    Number start = continuing ? null : initial(values.type());
    ScanStep scan =
        new ScanStep(
            output,
            values,
            type,
            operator,
            map,
            inclusive,
            start,
            continuing ? inputs.getLast().name() : null,
            form);
    return new Expansion(
        List.of(scan), List.of(Output.of(ScanStep.total(output), type, values.name(), "")));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Scan o
        && operator.equals(o.operator)
        && Objects.equals(map, o.map)
        && inclusive == o.inclusive
        && accumulator == o.accumulator
        && Objects.equals(initial, o.initial)
        && continuing == o.continuing
        && form == o.form;
  }

  @Override
  public int hashCode() {
    return Objects.hash(operator, map, inclusive, accumulator, initial, continuing, form);
  }

  @Override
  public String toString() {
    return "%s scan by %s%s"
        .formatted(
            inclusive ? "inclusive" : "exclusive", operator, map == null ? "" : " of " + map);
  }
}
