package funnel.scan;

import funnel.jit.FunctionCopies;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Output;
import funnel.operation.Primitive;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A segmented scan: a scan that starts again in each segment of the input.
 *
 * <p>Of 3, 1, 4, 1, 5 in the segments 3, 1 and 4, 1, 5, the inclusive scan by {@link Operator#SUM}
 * is 3, 4, 4, 5, 10; the exclusive scan, which leaves out the element itself, is 0, 3, 0, 4, 5.
 * With the initial value 100, from which every segment starts, they are 103, 104, 104, 105, 110 and
 * 100, 103, 100, 104, 105. The total is that of the last segment: 10, or 110 with the initial
 * value.
 *
 * <p><b>Definition.</b> It is a scan over pairs of a flag, which says whether a segment begins at
 * the element, and a value, by the operator lifted to pairs: {@code (f1, v1) * (f2, v2) = (f1 | f2,
 * f2 ? v2 : v1 op v2)}. The lifted operator is associative if {@code op} is. So the work does not
 * depend on the number or length of segments: a single segment takes the same time as one segment
 * per element.
 *
 * <p><b>Segments</b> are given by a second input, by {@linkplain Segments#byHeads heads} if not
 * said otherwise, see {@link Segments}. Empty segments have no results. If offsets are wrong, the
 * output is unchanged.
 *
 * <p><b>Order.</b> Operands are always results over adjacent parts of one segment, the left one
 * first, so that operators need not be commutative. The order of combination depends on the length
 * and the segments alone; floating-point results have the same bits on the JVM, in the emulator and
 * on every device, in every run. They differ from those of a plain loop. Integers wrap around; min
 * and max treat NaN and -0.0 as {@link Math} does. A NaN stays in all results after it in its
 * segment.
 *
 * <p><b>Empty input</b> gives an empty output, and the total is the initial value.
 *
 * <p><b>In place.</b> The output may be exactly the array of the values, or that of keys or bits:
 * it is then computed by {@link ScanForm#REDUCE_THEN_SCAN}. It must not overlap them otherwise.
 *
 * <p><b>Cost.</b> A {@linkplain ScanForm#SINGLE_PASS single pass} takes 2 elements of memory
 * traffic for each element of the input; values are read once more from the second-level cache.
 * {@linkplain ScanForm#REDUCE_THEN_SCAN The other form} takes 3 elements. An earlier launch reads
 * the second input once and writes a bit for each element, which the scan reads; these bits are
 * extra memory. Head bits are not copied for a single pass. Other extra memory is 8 or 16 bytes for
 * 32 KB of values.
 *
 * <p>Immutable. After Blelloch, <i>Prefix Sums and Their Applications</i>, 1990, and Sengupta et
 * al., <i>Scan Primitives for GPU Computing</i>, 2007.
 *
 * {@snippet class="funnel.docs.ScanSnippets" region="segmented"}
 */
public final class SegmentedScan implements Operation {

  private final Operator operator;
  private final @Nullable Transform map;
  private final boolean inclusive;
  private final @Nullable Number initial;
  private final Segments segments;
  private final @Nullable ScanForm form;

  private SegmentedScan(
      Operator operator,
      @Nullable Transform map,
      boolean inclusive,
      @Nullable Number initial,
      Segments segments,
      @Nullable ScanForm form) {
    this.operator = Objects.requireNonNull(operator, "operator");
    this.map = map;
    this.inclusive = inclusive;
    this.initial = initial;
    this.segments = segments;
    this.form = form;
  }

  /** The scan in which an element's result includes the element; by heads. */
  public static SegmentedScan inclusive(Operator operator) {
    return new SegmentedScan(operator, null, true, null, Segments.byHeads(), null);
  }

  /**
   * The scan in which an element's result covers those before it in its segment alone; by heads.
   */
  public static SegmentedScan exclusive(Operator operator) {
    return new SegmentedScan(operator, null, false, null, Segments.byHeads(), null);
  }

  /**
   * This scan, each segment starting from an initial value instead of the identity. With {@link
   * Operator#SUM}, -0.0 stays -0.0 until something else is added, as in a plain loop.
   *
   * @param value the value; adding the scan to a plan throws if it {@linkplain ElementType#fitting
   *     does not fit} the elements' type
   */
  public SegmentedScan from(Number value) {
    return new SegmentedScan(
        operator, map, inclusive, Objects.requireNonNull(value, "value"), segments, form);
  }

  /** This scan of segments that are given in another way. */
  public SegmentedScan segments(Segments wanted) {
    return new SegmentedScan(
        operator, map, inclusive, initial, Objects.requireNonNull(wanted, "segments"), form);
  }

  /** This scan in a chosen form on a device, instead of the one that was measured to be faster. */
  public SegmentedScan by(ScanForm wanted) {
    return new SegmentedScan(
        operator, map, inclusive, initial, segments, Objects.requireNonNull(wanted, "form"));
  }

  /**
   * This scan over a function's values, which are not stored, see {@link Scan#mapped}: by {@code
   * (i, x) -> i * x} over 3, 1 and 4, 1, 5 the inclusive sums are 0, 1, 8, 11, 31. Indices count
   * from the start of the input, not of the segment.
   *
   * {@snippet class="funnel.docs.ScanSnippets" region="segmentedMapped"}
   *
   * @param function a function over the type of the values
   * @throws IllegalArgumentException if it is a predicate
   */
  public SegmentedScan mapped(Transform function) {
    return new SegmentedScan(
        operator, FunctionCopies.requireMap(function), inclusive, initial, segments, form);
  }

  /** The operator. */
  public Operator operator() {
    return operator;
  }

  /** Whether an element's result contains the element. */
  public boolean isInclusive() {
    return inclusive;
  }

  /** How segments are given. */
  public Segments segments() {
    return segments;
  }

  /**
   * @param output name of the output
   * @param inputs the values, then heads, bits, offsets or keys
   * @throws IllegalArgumentException if there are not two inputs, the scan is not defined for their
   *     types, or the initial value does not fit the values' type
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    if (inputs.size() != 2) {
      throw new IllegalArgumentException(
          "%s takes 2 inputs, values and segments; given are %s".formatted(this, inputs.size()));
    }
    Input values = inputs.getFirst();
    ElementType type = values.type();
    if (type == ElementType.BYTE) {
      throw new IllegalArgumentException(
          "%s is over int, long, float or double, input %s is of type %s"
              .formatted(this, values.name(), type));
    }
    return new Expansion(
        List.of(scan(output, values, inputs.getLast(), type)),
        List.of(Output.of(ScanStep.total(output), type, values.name(), "")));
  }

  /**
   * A primitive for the total of each segment, without the scan itself. For 3, 1 and 4, 1, 5 by
   * {@link Operator#SUM} it is 4, 10. Values are read once.
   *
   * @param output name of the primitive and of its output, which has one element per segment
   * @param values ints, longs, floats or doubles
   * @param given heads, bits, offsets or keys
   * @param found where segments begin, as found by earlier steps; for offsets the input itself
   * @param type the accumulator's type: that of the values, or long for ints, or double for longs
   *     and floats
   * @throws IllegalArgumentException for the reasons of {@link #expand}, and if the scan is {@link
   *     #mapped}
   */
  public Primitive reduction(
      String output, Input values, Input given, SegmentInputs found, ElementType type) {
    if (map != null) {
      throw new IllegalArgumentException(
          "%s takes no function: apply %s before, by Elementwise".formatted(this, map.name()));
    }
    SegmentedScanStep scan = scan(output + ".scanned", values, given, type);
    return new SegmentReductionStep(output, scan, found);
  }

  private SegmentedScanStep scan(String output, Input values, Input given, ElementType type) {
    operator.requireDefinedOn(type);
    if (map != null) {
      map.requireOver(values.name(), type);
    }
    segments.require(given);
    return new SegmentedScanStep(
        output,
        values,
        type,
        given,
        segments.by(),
        operator,
        map,
        inclusive,
        initial == null ? operator.identity(type) : type.fitting("initial value", initial),
        form);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SegmentedScan o
        && operator.equals(o.operator)
        && Objects.equals(map, o.map)
        && inclusive == o.inclusive
        && Objects.equals(initial, o.initial)
        && segments.equals(o.segments)
        && form == o.form;
  }

  @Override
  public int hashCode() {
    return Objects.hash(operator, map, inclusive, initial, segments, form);
  }

  @Override
  public String toString() {
    return "%s segmented scan by %s%s, segments by %s"
        .formatted(
            inclusive ? "inclusive" : "exclusive",
            operator,
            map == null ? "" : " of " + map,
            segments);
  }
}
