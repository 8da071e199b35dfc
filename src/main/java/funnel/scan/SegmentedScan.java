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
 * <p><b>Segments</b> are given by a second input, in one of four ways:
 *
 * <table>
 * <caption>The segments 3, 1 and 4, 1, 5</caption>
 * <tr><th>by</th><th>second input</th><th>example</th></tr>
 * <tr><td>{@link #byHeads}, the default</td><td>a byte for each element, not zero where
 * a segment begins</td><td>1, 0, 1, 0, 0</td></tr>
 * <tr><td>{@link #byHeadBits}</td><td>a bit for each element: bit {@code i % 32} of int {@code i /
 * 32}, the lowest one first</td><td>5</td></tr>
 * <tr><td>{@link #byOffsets}</td><td>ints in ascending order, where segments begin</td><td>0,
 * 2</td></tr>
 * <tr><td>{@link #byKeys}</td><td>an int or a long for each element; a segment is a run of equal keys</td><td>7, 7, 2, 2, 2</td></tr>
 * </table>
 *
 * <p>Element 0 always begins a segment. Offsets that end with the number of elements, as in CSR,
 * are those of {@link #withEnd}. Offsets need not begin with 0; equal offsets, and an offset that
 * equals the number of elements, stand for empty segments, which have no results. If offsets
 * decrease, are negative or greater than the number of elements, the run throws a {@link
 * SegmentOffsetsException}, and the output is unchanged.
 *
 * <p><b>Lengths found on the device.</b> If an earlier operation of a plan finds the length of the
 * values, it must also determine that of heads or keys; offsets may have a length that is found on
 * its own. With head bits, lengths must be known before the run: otherwise building the plan
 * throws.
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
  private final SegmentedScanStep.By by;
  private final @Nullable ScanForm form;

  private SegmentedScan(
      Operator operator,
      @Nullable Transform map,
      boolean inclusive,
      @Nullable Number initial,
      SegmentedScanStep.By by,
      @Nullable ScanForm form) {
    this.operator = Objects.requireNonNull(operator, "operator");
    this.map = map;
    this.inclusive = inclusive;
    this.initial = initial;
    this.by = by;
    this.form = form;
  }

  /** The scan in which an element's result includes the element; by heads. */
  public static SegmentedScan inclusive(Operator operator) {
    return new SegmentedScan(operator, null, true, null, SegmentedScanStep.By.HEADS, null);
  }

  /**
   * The scan in which an element's result covers those before it in its segment alone; by heads.
   */
  public static SegmentedScan exclusive(Operator operator) {
    return new SegmentedScan(operator, null, false, null, SegmentedScanStep.By.HEADS, null);
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
        operator, map, inclusive, Objects.requireNonNull(value, "value"), by, form);
  }

  private SegmentedScan by(SegmentedScanStep.By wanted) {
    return new SegmentedScan(operator, map, inclusive, initial, wanted, form);
  }

  /** This scan in a chosen form on a device, instead of the one that was measured to be faster. */
  public SegmentedScan by(ScanForm wanted) {
    return new SegmentedScan(
        operator, map, inclusive, initial, by, Objects.requireNonNull(wanted, "form"));
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
   * @throws funnel.operator.OperatorException if it cannot be copied because it captures values
   */
  public SegmentedScan mapped(Transform function) {
    return new SegmentedScan(
        operator, FunctionCopies.requireCopyable(function), inclusive, initial, by, form);
  }

  /** Segments begin where a byte is not zero. */
  public SegmentedScan byHeads() {
    return by(SegmentedScanStep.By.HEADS);
  }

  /** Segments begin where a bit is set, 32 bits per int. */
  public SegmentedScan byHeadBits() {
    return by(SegmentedScanStep.By.HEAD_BITS);
  }

  /** Segments begin at ascending offsets. */
  public SegmentedScan byOffsets() {
    return by(SegmentedScanStep.By.OFFSETS);
  }

  /**
   * Offsets end with the number of values, as in CSR matrices and Arrow's lists: 0, 2, 5 for 3, 1
   * and 4, 1, 5. With any other last offset the run throws a {@link SegmentOffsetsException}. The
   * number of offsets must be known before the run.
   *
   * @throws IllegalStateException if segments are not given {@link #byOffsets}
   */
  public SegmentedScan withEnd() {
    if (!by.isOffsets()) {
      throw new IllegalStateException(
          "only offsets have an end, but segments are given by %s: call byOffsets() before"
              .formatted(by.label()));
    }
    return by(SegmentedScanStep.By.OFFSETS_WITH_END);
  }

  /** Segments are runs of equal keys. */
  public SegmentedScan byKeys() {
    return by(SegmentedScanStep.By.KEYS);
  }

  /** The operator. */
  public Operator operator() {
    return operator;
  }

  /** Whether an element's result contains the element. */
  public boolean isInclusive() {
    return inclusive;
  }

  /**
   * The primitives of this scan.
   *
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
   * @param segments heads, bits, offsets or keys
   * @param given where segments begin, as found by earlier steps; for offsets the input itself
   * @param type the accumulator's type: that of the values, or long for ints, or double for longs
   *     and floats
   * @throws IllegalArgumentException for the reasons of {@link #expand}, and if the scan is {@link
   *     #mapped}
   */
  public Primitive reduction(
      String output, Input values, Input segments, Segments given, ElementType type) {
    if (map != null) {
      throw new IllegalArgumentException(
          "%s takes no function: apply %s before, by Elementwise".formatted(this, map.name()));
    }
    SegmentedScanStep scan = scan(output + ".scanned", values, segments, type);
    boolean areGiven = by.isOffsets();
    return new SegmentReductionStep(
        output, scan, values.type(), given, areGiven, given.each().capacity());
  }

  private SegmentedScanStep scan(String output, Input values, Input segments, ElementType type) {
    operator.requireDefinedOn(type);
    if (map != null) {
      map.requireOver(values.name(), type);
    }
    requireSegments(segments);
    return new SegmentedScanStep(
        output,
        values.name(),
        type,
        segments.name(),
        segments.type(),
        by,
        operator,
        map,
        inclusive,
        initial == null ? operator.identity(type) : type.fitting("initial value", initial),
        form != null ? form : ScanForm.REDUCE_THEN_SCAN,
        form != null,
        values.capacity(),
        segments.capacity());
  }

  private void requireSegments(Input segments) {
    if (!by.isOf(segments.type())) {
      throw new IllegalArgumentException(
          "segments are given by %s, %s, but %s is of type %s: say how it gives them, by %s"
              .formatted(
                  by.label(),
                  by.takes(),
                  segments.name(),
                  segments.type(),
                  "byHeads(), byHeadBits(), byOffsets() or byKeys()"));
    }
  }

  /**
   * A primitive that finds where the segments of this scan begin, as a bit for each value, 32 per
   * int, the first value's in bit 0. For the heads 0, 0, 1, 0 it is 0b101: the first value always
   * begins a segment. An empty input gives no bits. Wrong heads, bits, offsets and keys throw as in
   * the scan.
   *
   * @param bits name of the array of bits, and of the primitive
   * @param values the values
   * @param segments heads, bits, offsets or keys
   * @throws IllegalArgumentException if {@code segments} has a type that cannot give segments
   */
  public Primitive bits(String bits, Input values, Input segments) {
    requireSegments(segments);
    return new SegmentBitsStep(
        bits,
        values.name(),
        segments.name(),
        segments.type(),
        by,
        values.capacity(),
        segments.capacity(),
        false);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SegmentedScan o
        && operator.equals(o.operator)
        && Objects.equals(map, o.map)
        && inclusive == o.inclusive
        && Objects.equals(initial, o.initial)
        && by == o.by
        && form == o.form;
  }

  @Override
  public int hashCode() {
    return Objects.hash(operator, map, inclusive, initial, by, form);
  }

  @Override
  public String toString() {
    return "%s segmented scan by %s%s over %s"
        .formatted(
            inclusive ? "inclusive" : "exclusive",
            operator,
            map == null ? "" : " of " + map,
            by.label());
  }
}
