package funnel;

import funnel.array.Ref;
import funnel.operator.ElementType;
import funnel.operator.Operator;
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
  final Operand by;

  private Segments(funnel.scan.Segments how, Operand by) {
    this.how = how;
    this.by = by;
  }

  /** Segments that begin at these positions, in ascending order. Equal ones are empty segments. */
  public static Segments ofOffsets(Ints offsets) {
    return new Segments(funnel.scan.Segments.byOffsets(), offsets);
  }

  /** Segments of these lengths; the last one ends with the array, however long it is. */
  public static Segments ofLengths(Ints lengths) {
    return ofOffsets(lengths.exclusiveScan(Operator.SUM));
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

  Ref in(Funnel funnel) {
    return Operand.refs(funnel, by)[0];
  }

  @Override
  public String toString() {
    return "segments by %s".formatted(by);
  }
}
