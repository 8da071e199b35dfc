package funnel.sort;

import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.scan.Segments;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A sort of each segment of the input separately.
 *
 * <p><b>Definition.</b> For 3, 1, 4, 1, 5 in the segments 3, 1 and 4, 1, 5 it is 1, 3 and 1, 4, 5;
 * descending 3, 1 and 5, 4, 1. Each segment stays where it is. Element types, order and stability
 * are those of {@link Sort}.
 *
 * {@snippet class="funnel.docs.SortSnippets" region="segments"}
 *
 * <p><b>Segments</b> are given by a second input, by {@linkplain Segments#byHeads heads} if not
 * said otherwise, see {@link Segments}.
 *
 * <p><b>Empty input</b> gives an empty output.
 *
 * <p>There is no <b>in-place</b> form: the output must not overlap the inputs.
 *
 * <p><b>Cost</b> on a device. Segments of up to 2048 elements are sorted in local memory, in one
 * launch, and longer ones in pieces of 2048 elements, which are merged pairwise: {@code 2w} bytes
 * per element of {@code w} bytes, and for longer segments as many again {@code log2(length / 2048)}
 * times, rounded up. No segment delays others, however uneven they are. Extra memory: a bit per
 * element, and for rows two ints per element.
 *
 * <p>A plan first assumes that segments are short. The first run in which one of more than 256
 * elements does not fit is computed again, by launches for segments of any length, and so are later
 * runs of the plan; from then on there is extra memory for as many elements as the input has, for
 * rows twice as many.
 *
 * <p>On the JVM each segment is sorted separately, several at a time.
 *
 * <p>Immutable. After {@code DeviceSegmentedSort} of CUB, and for the merges Odeh, Green, Mwassi,
 * Shmueli and Birk, <i>Merge Path</i>, 2012.
 *
 * @param sort a sort by one array of keys
 * @param segments how segments are given
 */
public record SegmentedSort(Sort sort, Segments segments) implements Operation {

  /**
   * Checks the sort.
   *
   * @throws IllegalArgumentException if it is by several arrays of keys
   */
  public SegmentedSort {
    Objects.requireNonNull(segments, "segments");
    if (sort.arraysOfKeys() > 1) {
      throw new IllegalArgumentException(
          "%s: segments are sorted by one array of keys".formatted(sort));
    }
  }

  /** Sorts with the smallest of each segment first; segments by heads. */
  public static SegmentedSort ascending() {
    return of(Sort.ascending());
  }

  /** Sorts with the largest of each segment first; segments by heads. */
  public static SegmentedSort descending() {
    return of(Sort.descending());
  }

  /**
   * Sorts each segment in the order of a sort, by bits for example, or unsigned; segments by heads.
   * If it is of {@linkplain Sort#rows() rows}, the inputs are the keys, the segments, and then the
   * columns.
   *
   * @throws IllegalArgumentException if it is by several arrays of keys
   */
  public static SegmentedSort of(Sort sort) {
    return new SegmentedSort(sort, Segments.byHeads());
  }

  /** This sort of segments that are given in another way. */
  public SegmentedSort segments(Segments wanted) {
    return new SegmentedSort(sort, wanted);
  }

  /**
   * @param output the name of the output, an array; for rows see {@link Sort#rows()}
   * @param inputs the elements, then heads, bits, offsets or keys, then columns if it is of rows
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    if (inputs.size() < 2 || sort.isOfRows() != inputs.size() > 2) {
      throw new IllegalArgumentException(
          "%s takes elements and segments%s, given=%s inputs"
              .formatted(this, sort.isOfRows() ? ", and then columns" : "", inputs.size()));
    }
    Input values = inputs.getFirst();
    KeyOrder order = sort.order(values);
    String bits = output + ".heads";
    String sorted = sort.isOfRows() ? output + ".order" : output;
    List<Primitive> parts =
        List.of(
            segments.bits(bits, values, inputs.get(1)),
            new SegmentedSortStep(
                sorted, values.name(), bits, order, sort.isOfRows(), values.capacity()));
    return new Expansion(
        List.of(
            sort.isOfRows()
                ? Sort.columns(output, parts, sorted, values, inputs.subList(2, inputs.size()))
                : Composite.of(output, parts, Set.of(output))),
        List.of());
  }

  @Override
  public String toString() {
    return "segmented %s, segments by %s".formatted(sort, segments);
  }
}
