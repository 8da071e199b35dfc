package funnel.group;

import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operator.ElementType;
import funnel.operator.Operator;
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
 * <p><b>Definition.</b> Of 3, 1, 4, 1, 5 in the segments 3, 1 and 4, 1, 5 it is by {@link
 * Operator#SUM} 4, 10 and by {@link Operator#MAX} 3, 5: one value for each segment, of the type of
 * the elements, which are ints, longs, floats or doubles.
 *
 * {@snippet class="funnel.docs.GroupSnippets" region="segments"}
 *
 * <p><b>Segments</b> are given by a second input, in one of the ways of {@link SegmentedScan}: by
 * {@linkplain #byHeads heads} unless another is named, by {@linkplain #byHeadBits bits}, by
 * {@linkplain #byKeys keys} or by {@linkplain #byOffsets offsets}. What is said there of the first
 * segment, of found lengths and of offsets that are wrong holds here too.
 *
 * <p><b>How many.</b> By heads, bits and keys there are as many values as segments, which is found
 * on the device; element 0 begins one, whatever they say, so that none is empty. By offsets there
 * are as many values as offsets: each one's segment ends where the next one begins, the last one's
 * with the input. Empty ones have the operator's {@linkplain Operator#identity identity}, which is
 * of {@link Operator#MIN} the largest number or infinity; elements before the first offset are in
 * none. After a {@link funnel.scan.SegmentOffsetsException} what the output has is not said.
 *
 * <p><b>Order.</b> Operands are always results over adjacent parts of one segment, the left one
 * first, so that operators need not be commutative. Which elements meet which depends on the length
 * and the segments alone: the value is what a {@link SegmentedScan} has for the segment's last
 * element. Floating-point results have the same bits on the JVM, in the emulator and on every
 * device, run after run. They are not those of a plain loop. Integers wrap around; min and max
 * treat NaN and -0.0 as {@link Math} does. A sum of -0.0 alone is 0.0.
 *
 * <p><b>Empty input</b> has no segments; by offsets, all are empty. <b>In place</b> is nothing: the
 * output may not overlap the inputs.
 *
 * <p><b>Cost</b> on a device: values are read once, and nothing is written but a value a segment;
 * it depends little on how many segments there are and on how long they are. Offsets are read
 * twice. By heads, bits and keys, where segments begin is found first: by heads 4 bytes for each
 * element, by bits and keys one reading of them more, and an int for each segment. Extra memory: 92
 * bytes for 32 KB of ints or floats, 160 of longs or doubles, and that int. The JVM scans all
 * segments into an array like the values.
 *
 * <p>With keys it is what {@link GroupBy#runs()} has for {@link Aggregate#of}, without the keys.
 *
 * <p>Immutable. After {@code DeviceSegmentedReduce} of CUB.
 */
public final class SegmentedReduce implements Operation {

  private enum By {
    HEADS,
    HEAD_BITS,
    OFFSETS,
    KEYS
  }

  /** That a segment begins, for bytes and for bits. */
  private static final Elementwise BEGINS =
      Elementwise.ofInt("begins", (i, head) -> i == 0 ? 1 : head).indexed().to(ElementType.BYTE);

  private static final Elementwise BEGINS_IN_BITS =
      Elementwise.ofInt("begins", (i, bits) -> i == 0 ? bits | 1 : bits).indexed();

  private final SegmentedScan scan;
  private final By by;

  private SegmentedReduce(SegmentedScan scan, By by) {
    this.scan = scan;
    this.by = by;
  }

  /** The reductions by an operator, which has to be associative, of segments by heads. */
  public static SegmentedReduce by(Operator operator) {
    return new SegmentedReduce(SegmentedScan.inclusive(operator), By.HEADS);
  }

  /** The same of segments that begin where a byte is not zero. */
  public SegmentedReduce byHeads() {
    return new SegmentedReduce(scan.byHeads(), By.HEADS);
  }

  /** The same of segments that begin where a bit is set, 32 bits an int. */
  public SegmentedReduce byHeadBits() {
    return new SegmentedReduce(scan.byHeadBits(), By.HEAD_BITS);
  }

  /** The same of segments that begin at ascending offsets, one value for each of these. */
  public SegmentedReduce byOffsets() {
    return new SegmentedReduce(scan.byOffsets(), By.OFFSETS);
  }

  /** The same of segments of equal neighbouring keys. */
  public SegmentedReduce byKeys() {
    return new SegmentedReduce(scan.byKeys(), By.KEYS);
  }

  /**
   * What a plan's builder adds for these reductions.
   *
   * @param output name of the output, an array
   * @param inputs the values, then what says where segments begin
   * @throws IllegalArgumentException if there are not two inputs, or one is of a type without this
   *     reduction
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    if (inputs.size() != 2) {
      throw new IllegalArgumentException(
          "%s takes 2 inputs, values and segments; given are %d".formatted(this, inputs.size()));
    }
    Input values = inputs.getFirst();
    Input segments = inputs.getLast();
    scan.expand(output, inputs); // for its checks
    List<Primitive> parts = new ArrayList<>();
    Segments given = segments(output, values, segments, parts);
    Primitive reduction = scan.reduction(output, values, segments, given, values.type());
    parts.addFirst(
        new SegmentLengths(output + ".lengths", values.name(), segments.name(), reduction));
    parts.add(reduction);
    return new Expansion(List.of(Composite.of(output, parts, Set.of(output))), List.of());
  }

  private Segments segments(String output, Input values, Input segments, List<Primitive> parts) {
    String starts = output + ".starts";
    String heads = output + ".heads";
    return switch (by) {
      case OFFSETS -> Segments.ofStarts(segments);
      case KEYS -> {
        parts.add(Runs.step(output + ".runs", segments, false));
        yield Runs.segments(output + ".runs", segments);
      }
      case HEADS -> {
        parts.addAll(BEGINS.expand(heads, List.of(segments)).primitives());
        Input flags = new Input(heads, ElementType.BYTE, segments.capacity());
        yield flagged(starts, segments, flags, parts);
      }
      case HEAD_BITS -> {
        parts.addAll(BEGINS_IN_BITS.expand(heads, List.of(segments)).primitives());
        Input bits = new Input(heads, ElementType.INT, segments.capacity());
        yield flagged(starts, values, bits, parts);
      }
    };
  }

  private static Segments flagged(String name, Input elements, Input flags, List<Primitive> parts) {
    List<Input> inputs = List.of(elements, flags);
    parts.addAll(Select.flagged().positions().expand(name, inputs).primitives());
    return Segments.ofStarts(new Input(name, ElementType.INT, elements.capacity()));
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
    return "segmented reduction, as of %s".formatted(scan);
  }
}
