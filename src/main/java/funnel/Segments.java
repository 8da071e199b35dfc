package funnel;

import funnel.array.Node;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.scan.LengthOffsets;
import funnel.transform.Fill;

/**
 * How an array is divided into segments, for sums, sorts and scans of each of them.
 *
 * {@snippet class="funnel.docs.ArraySnippets" region="segments"}
 *
 * <p>The segments 3, 1 and 4, 1, 5 of five elements are given by the offsets 0, 2, the lengths 2,
 * 3, the keys 7, 7, 2, 2, 2 or the heads 1, 0, 1, 0, 0. What wrong offsets and other lengths of
 * keys cause, {@link funnel.scan.Segments} says. Immutable and lazy, like an {@link Array}.
 */
public final class Segments {

  final funnel.scan.Segments how;
  private final Operand by;
  private final boolean areLengths;

  private Segments(funnel.scan.Segments how, Operand by, boolean areLengths) {
    this.how = how;
    this.by = by;
    this.areLengths = areLengths;
  }

  private Segments(funnel.scan.Segments how, Operand by) {
    this(how, by, false);
  }

  /** Segments that begin at these positions, in ascending order. Equal ones are empty segments. */
  public static Segments ofOffsets(Ints offsets) {
    return new Segments(funnel.scan.Segments.byOffsets(), offsets);
  }

  /**
   * Segments that begin at these positions but the last, which is the number of elements, as in CSR
   * matrices and Arrow's lists: 0, 2, 5 in the example.
   *
   * @throws IllegalArgumentException when it is read, if an operation finds their number
   */
  public static Segments ofOffsetsWithEnd(Ints offsets) {
    return new Segments(funnel.scan.Segments.byOffsetsWithEnd(), offsets);
  }

  /**
   * Segments of these lengths. If they do not add up to the array's, a reading is refused with a
   * {@link funnel.scan.SegmentOffsetsException}.
   */
  public static Segments ofLengths(Ints lengths) {
    return new Segments(funnel.scan.Segments.byOffsets(), lengths, true);
  }

  /** What gives the segments of an array: heads, keys or offsets. */
  Operand of(Array<?, ?> array) {
    return areLengths
        ? new Ints(
            by.funnel,
            Node.of(new LengthOffsets(), Operand.refs(by.funnel, by, array))
                .output(ElementType.INT))
        : by;
  }

  /** Runs of equal keys. */
  public static Segments ofKeys(Ints keys) {
    return new Segments(funnel.scan.Segments.byKeys(), keys);
  }

  /** Runs of equal keys. */
  public static Segments ofKeys(Longs keys) {
    return new Segments(funnel.scan.Segments.byKeys(), keys);
  }

  /** Segments that begin where a byte is not 0; the first element always begins one. */
  public static Segments ofHeads(Bytes heads) {
    return new Segments(funnel.scan.Segments.byHeads(), heads);
  }

  /** The position of each element of an array in its segment. */
  Ints positions(Array<?, ?> of) {
    Ints ones = new Ints(of.funnel, of.node(Fill.with(ElementType.INT, 1)).output(ElementType.INT));
    return ones.exclusiveScan(Operator.SUM, this);
  }

  /** Where the segment of each element begins. */
  Ints begins(Array<?, ?> of) {
    return positions(of).mapIndexed((i, position) -> i - position);
  }

  /** Where the next segment of each element begins. */
  Ints ends(Array<?, ?> of) {
    return positions(of)
        .shift(-1, 0)
        .mapIndexed((i, next) -> next == 0 ? i + 1 : Integer.MAX_VALUE)
        .reversed()
        .scan(Operator.MIN)
        .reversed();
  }

  @Override
  public String toString() {
    return "segments by %s".formatted(by);
  }
}
