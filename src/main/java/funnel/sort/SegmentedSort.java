package funnel.sort;

import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.scan.SegmentedScan;
import funnel.transform.Iota;
import funnel.transform.Take;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A sort that begins anew in each segment of the input.
 *
 * <p><b>Definition.</b> Of 3, 1, 4, 1, 5 in the segments 3, 1 and 4, 1, 5 it is 1, 3 and 1, 4, 5;
 * descending 3, 1 and 5, 4, 1. Each segment stays where it is. The elements, their order, and that
 * equal ones stay in theirs, is as of {@link Sort}.
 *
 * {@snippet class="funnel.docs.SortSnippets" region="segments"}
 *
 * <p><b>Segments</b> are given by a second input, in one of the ways of {@link SegmentedScan}: by
 * {@linkplain #byHeads heads} unless another is named, by {@linkplain #byHeadBits bits}, by
 * {@linkplain #byOffsets offsets} or by {@linkplain #byKeys keys}. What is said there of the first
 * segment, of empty ones, of found lengths and of offsets that are wrong holds here too.
 *
 * <p><b>Empty input</b> gives an empty output.
 *
 * <p><b>In place</b> is nothing: the output may not overlap the inputs.
 *
 * <p><b>Cost.</b> Positions are sorted by the elements and then by where their segments begin, of
 * which only the bits that vary take passes, and the elements are gathered: how long segments are
 * makes no difference. Per element some 20 bytes a pass, and 60 around them; extra memory: 28 bytes
 * for each element, and twice the elements.
 *
 * <p>Immutable. After {@code DeviceSegmentedSort} of CUB.
 */
public final class SegmentedSort implements Operation {

  private static final SegmentedScan FIRST = SegmentedScan.inclusive(Operator.MIN);

  private final Sort sort;
  private final SegmentedScan firsts;

  private SegmentedSort(Sort sort, SegmentedScan firsts) {
    this.sort = sort;
    this.firsts = firsts;
  }

  /** The smallest of each segment first; segments by heads. */
  public static SegmentedSort ascending() {
    return of(Sort.ascending());
  }

  /** The largest of each segment first; segments by heads. */
  public static SegmentedSort descending() {
    return of(Sort.descending());
  }

  /**
   * Each segment in the order of a sort, by bits for example, or without signs; segments by heads.
   * If it is one of {@linkplain Sort#rows() rows}, the inputs are the keys, what says where
   * segments begin, and then the columns.
   *
   * @param sort by one array of keys
   * @throws IllegalArgumentException if it is by several
   */
  public static SegmentedSort of(Sort sort) {
    if (sort.arraysOfKeys() > 1) {
      throw new IllegalArgumentException(
          "%s: segments are sorted by one array of keys".formatted(sort));
    }
    return new SegmentedSort(sort, FIRST);
  }

  private SegmentedSort by(UnaryOperator<SegmentedScan> segments) {
    return new SegmentedSort(sort, segments.apply(FIRST));
  }

  /** The same over segments that begin where a byte is not zero. */
  public SegmentedSort byHeads() {
    return by(SegmentedScan::byHeads);
  }

  /** The same over segments that begin where a bit is set, 32 bits an int. */
  public SegmentedSort byHeadBits() {
    return by(SegmentedScan::byHeadBits);
  }

  /** The same over segments that begin at ascending offsets. */
  public SegmentedSort byOffsets() {
    return by(SegmentedScan::byOffsets);
  }

  /** The same over segments of equal neighbouring keys. */
  public SegmentedSort byKeys() {
    return by(SegmentedScan::byKeys);
  }

  /**
   * What a plan's builder adds for this sort.
   *
   * @param output name of the output, an array; of rows as {@link Sort#rows()} says
   * @param inputs the elements, what says where segments begin, and columns if it is of rows
   * @throws IllegalArgumentException if inputs are too few or too many, or of a type that is not
   *     taken
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    if (inputs.size() < 2 || sort.isOfRows() != inputs.size() > 2) {
      throw new IllegalArgumentException(
          "%s takes elements and segments%s, given=%d inputs"
              .formatted(this, sort.isOfRows() ? ", and then columns" : "", inputs.size()));
    }
    Input values = inputs.getFirst();
    Input places = new Input(output + ".places", ElementType.INT, values.capacity());
    Input first = new Input(output + ".first", ElementType.INT, values.capacity());
    String order = output + ".order";
    KeyOrder compared = sort.order(values);
    List<Primitive> parts = new ArrayList<>();
    parts.add(Iota.positions(places.name(), values));
    parts.addAll(firsts.expand(first.name(), List.of(places, inputs.get(1))).primitives());
    List<Primitive> onJvm = new ArrayList<>(parts);
    KeyOrder keys = sort.isOfRows() ? compared : compared.tellingNaNApart();
    parts.addAll(
        Sort.ordering(
            order, List.of(first, values), List.of(KeyOrder.of(ElementType.INT, false), keys)));
    if (sort.isOfRows()) {
      return new Expansion(
          List.of(Sort.columns(output, parts, order, values, inputs.subList(2, inputs.size()))),
          List.of());
    }
    parts.add(
        new Take(
            output, values.name(), order, null, values.name(), values.type(), values.capacity()));
    onJvm.add(new SegmentLoops(output, values.name(), first.name(), keys, values.capacity()));
    return new Expansion(
        List.of(Composite.of(output, parts, Set.of(output), keys.isOfAllBits() ? onJvm : parts)),
        List.of());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SegmentedSort that
        && sort.equals(that.sort)
        && firsts.equals(that.firsts);
  }

  @Override
  public int hashCode() {
    return Objects.hash(sort, firsts);
  }

  @Override
  public String toString() {
    return "segmented %s, segments as of %s".formatted(sort, firsts);
  }
}
