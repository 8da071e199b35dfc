package funnel.group;

import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.scan.SegmentInputs;
import funnel.scan.SegmentedScan;
import funnel.scan.Segments;
import funnel.select.Runs;
import funnel.select.Select;
import funnel.transform.Elementwise;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A reduction of each segment of the input to one value.
 *
 * <p><b>Definition.</b> For 3, 1, 4, 1, 5 in the segments 3, 1 and 4, 1, 5 it is 4, 10 by {@link
 * Operator#SUM} and 3, 5 by {@link Operator#MAX}: one value for each segment, of the type of the
 * elements, which are ints, longs, floats or doubles.
 *
 * {@snippet class="funnel.docs.GroupSnippets" region="segments"}
 *
 * <p><b>Segments</b> are given by a second input, by {@linkplain Segments#byHeads heads} if not
 * said otherwise, see {@link Segments}.
 *
 * <p><b>Number of values.</b> By heads, bits and keys there are as many values as segments, a
 * number that is found on the device; element 0 always begins a segment, so that none is empty. By
 * offsets there are as many values as offsets: a segment ends where the next one begins, the last
 * one with the input. By offsets with an end there is one value fewer. Empty segments have the
 * operator's {@linkplain Operator#identity identity}, which for {@link Operator#MIN} is the largest
 * number or infinity; elements before the first offset are in no segment. After a {@link
 * funnel.scan.SegmentOffsetsException} the contents of the output are undefined.
 *
 * <p><b>Order.</b> Operands are always results over adjacent parts of one segment, the left one
 * first, so that operators need not be commutative. The order of combination depends on the length
 * and the segments alone: the value is that of a {@link SegmentedScan} for the segment's last
 * element. Floating-point results have the same bits on the JVM, in the emulator and on every
 * device, in every run. They differ from those of a plain loop. Integers wrap around; min and max
 * treat NaN and -0.0 as {@link Math} does. A sum of -0.0 alone is 0.0.
 *
 * <p><b>Empty input</b> has no segments; by offsets, all are empty. There is no <b>in-place</b>
 * form: the output must not overlap the inputs.
 *
 * <p><b>Cost</b> on a device: values are read once, and only a value per segment is written; the
 * time depends little on the number and length of segments. Offsets are read twice. For heads, bits
 * and keys, the starts of segments are found first: this moves 4 bytes per element for heads, reads
 * bits and keys once more, and writes an int per segment. Extra memory: 92 bytes for 32 KB of ints
 * or floats, 160 for 32 KB of longs or doubles, and that int. The JVM scans all segments into an
 * array like the values.
 *
 * <p>With keys it is the {@link Aggregate#of} column of {@link GroupBy#runs()}, without the keys.
 *
 * <p>Immutable. After {@code DeviceSegmentedReduce} of CUB.
 */
public final class SegmentedReduce implements Operation {

  /** Whether a segment begins, for bytes and for bits. */
  private static final Elementwise BEGINS =
      Elementwise.ofInt("begins", (i, head) -> i == 0 ? 1 : head).indexed().to(ElementType.BYTE);

  private static final Elementwise BEGINS_IN_BITS =
      Elementwise.ofInt("begins", (i, bits) -> i == 0 ? bits | 1 : bits).indexed();

  private final SegmentedScan scan;

  private SegmentedReduce(SegmentedScan scan) {
    this.scan = scan;
  }

  /** The reduction by an associative operator of segments by heads. */
  public static SegmentedReduce by(Operator operator) {
    return new SegmentedReduce(SegmentedScan.inclusive(operator));
  }

  /** This reduction of segments that are given in another way. */
  public SegmentedReduce segments(Segments wanted) {
    return new SegmentedReduce(scan.segments(wanted));
  }

  /**
   * @param output the name of the output, an array
   * @param inputs the values, then heads, bits, offsets or keys
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    if (inputs.size() != 2) {
      throw new IllegalArgumentException(
          "%s takes 2 inputs, values and segments; given are %s".formatted(this, inputs.size()));
    }
    Input values = inputs.getFirst();
    Input segments = inputs.getLast();
    if (values.type() == ElementType.BYTE) {
      throw new IllegalArgumentException(
          "%s is over int, long, float or double, input %s is of type %s"
              .formatted(this, values.name(), values.type()));
    }
    scan.expand(output, inputs); // for its checks
    List<Primitive> parts = new ArrayList<>();
    SegmentInputs found = found(output, values, segments, parts);
    Primitive reduction = scan.reduction(output, values, segments, found, values.type());
    parts.addFirst(
        new SegmentLengthsStep(output + ".lengths", values.name(), segments.name(), reduction));
    parts.add(reduction);
    return new Expansion(List.of(Composite.of(output, parts, Set.of(output))), List.of());
  }

  /**
   * Checks the lengths of a reduction of segments first, so that messages have the caller's names.
   *
   * @param values the reduction's values
   * @param segments heads, bits, offsets or keys
   * @param reduction the reduction
   */
  private record SegmentLengthsStep(String id, String values, String segments, Primitive reduction)
      implements Primitive {

    @Override
    public Step in(Setting setting) {
      return Step.of(this, setting)
          .readsFound("values", values)
          .readsFound("segments", segments)
          .requires(reduction.in(setting)::requireLengths)
          .onDevice(launches -> {})
          .onJvm(run -> {});
    }
  }

  private SegmentInputs found(String output, Input values, Input segments, List<Primitive> parts) {
    if (scan.segments().areByOffsets()) {
      return SegmentInputs.ofStarts(segments);
    }
    if (scan.segments().equals(Segments.byKeys())) {
      parts.add(Runs.step(output + ".runs", segments, false));
      return Runs.segments(output + ".runs", segments, false);
    }
    boolean areBytes = segments.type() == ElementType.BYTE;
    Input heads = new Input(output + ".heads", segments.type(), segments.capacity());
    Elementwise begins = areBytes ? BEGINS : BEGINS_IN_BITS;
    parts.addAll(begins.expand(heads.name(), List.of(segments)).primitives());
    Input elements = areBytes ? segments : values;
    Input starts = new Input(output + ".starts", ElementType.INT, elements.capacity());
    List<Input> flagged = List.of(elements, heads);
    parts.addAll(Select.flagged().positions().expand(starts.name(), flagged).primitives());
    return SegmentInputs.ofStarts(starts);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SegmentedReduce that && scan.equals(that.scan);
  }

  @Override
  public int hashCode() {
    return Objects.hash(SegmentedReduce.class, scan);
  }

  @Override
  public String toString() {
    return "segmented reduction by %s, segments by %s".formatted(scan.operator(), scan.segments());
  }
}
