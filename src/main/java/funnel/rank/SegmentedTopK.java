package funnel.rank;

import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Layout;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.scan.SegmentedScan;
import funnel.scan.Segments;
import funnel.select.Select;
import funnel.sort.SegmentedSort;
import funnel.sort.Sort;
import funnel.sort.SortedSearch;
import funnel.transform.AdjacentDifference;
import funnel.transform.Elementwise;
import funnel.transform.GatherStep;
import funnel.transform.Iota;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The largest or the smallest elements of each segment of an array, and their positions.
 *
 * <p><b>Definition.</b> The output has, segment after segment, the result of {@link TopK} for each
 * segment: for 3, 1, 4, 1, 5 in the segments 3, 1 and 4, 1, 5 the 2 largest are 3, 1, 5, 4, and the
 * 2 smallest 1, 3, 1, 4. Equal elements come in the order of their positions. A segment with fewer
 * than {@code k} elements gives all of them.
 *
 * <p><b>Outputs.</b> {@code output + "_offsets"} says where in the output each segment's elements
 * begin: 0, 2 in the example. They end where the next segment's elements begin, the last ones with
 * the output. By offsets there are as many as offsets, for empty segments and an end too; by heads,
 * bits and keys as many as segments, a number that is found on the device, like the length of the
 * output. With {@link TopK#withPositions}, {@code output + "_positions"} has the positions of the
 * elements in the input: 0, 1, 4, 2 for the 2 largest.
 *
 * {@snippet class="funnel.docs.RankSnippets" region="segments"}
 *
 * <p><b>Elements</b> and their order are those of {@link TopK}. <b>Segments</b> are given by a
 * second input, by {@linkplain Segments#byHeads heads} if not said otherwise, see {@link Segments}.
 * Elements before the first offset are a segment of their own without an offset: the first output
 * offset is then not 0.
 *
 * <p><b>Empty input</b> gives empty outputs; by offsets, all offsets are 0.
 *
 * <p>There is no <b>in-place</b> form: outputs must not overlap inputs.
 *
 * <p><b>Cost.</b> A {@link SegmentedSort} of rows, a segmented scan of 8 bytes per element, a
 * selection of those that are less than {@code k} places from their segment's beginning, and a
 * search for each segment. Extra memory: that of the sort, and 16 bytes per element. On the JVM
 * elements are read once, and each thread has a heap of {@code k} elements, if {@code k} is at most
 * 1024; otherwise the JVM takes the steps of a device.
 *
 * <p>Immutable. After {@code DeviceBatchedTopK} of CUB, and {@code groupby().nlargest()} of data
 * frames.
 *
 * @param top what to find in each segment
 * @param segments how segments are given
 */
public record SegmentedTopK(TopK top, Segments segments) implements Operation {

  /* Sorted segments stay in their places. So the scan of -1, which starts from k in each segment,
   * says at each element how many of the segment's first k remain, and decreases everywhere except
   * where a segment begins.
   */

  private static final Elementwise LESS = Elementwise.ofInt("less", _ -> -1);
  private static final Transform IS_LEFT = Transform.testInt("left", left -> left > 0);
  private static final Transform BEGINS = Transform.testInt("begins", change -> change >= 0);

  /** Checks that neither is null. */
  public SegmentedTopK {
    Objects.requireNonNull(top, "top");
    Objects.requireNonNull(segments, "segments");
  }

  /** The result of a {@link TopK} for each segment; segments by heads. */
  public static SegmentedTopK of(TopK top) {
    return new SegmentedTopK(top, Segments.byHeads());
  }

  /** This operation for segments that are given in another way. */
  public SegmentedTopK segments(Segments wanted) {
    return new SegmentedTopK(top, wanted);
  }

  /**
   * @param output the name of the output, an array whose length is found
   * @param inputs the elements, then heads, bits, offsets or keys
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    if (inputs.size() != 2) {
      throw new IllegalArgumentException(
          "%s takes elements and segments, given=%s inputs".formatted(this, inputs.size()));
    }
    Input values = inputs.getFirst();
    Input given = inputs.getLast();
    int capacity = values.capacity();
    Input at = new Input(output + ".at", ElementType.INT, capacity);
    Input less = new Input(output + ".less", ElementType.INT, capacity);
    Input left = new Input(output + ".left", ElementType.INT, capacity);
    Input kept = new Input(output + ".kept", ElementType.INT, capacity);
    String sorted = output + ".sorted";
    Sort sort = top.isLargest() ? Sort.descending() : Sort.ascending();
    List<Primitive> parts = new ArrayList<>();
    parts.add(Iota.positions(at.name(), values));
    SegmentedSort inOrder = SegmentedSort.of(sort.rows()).segments(segments);
    add(inOrder, sorted, List.of(values, given, at, values), parts);
    add(LESS, less.name(), List.of(at), parts);
    SegmentedScan scan = SegmentedScan.exclusive(Operator.SUM).from(top.k()).segments(segments);
    add(scan, left.name(), List.of(less, given), parts);
    add(Select.where(IS_LEFT).positions(), kept.name(), List.of(left), parts);
    Set<String> visible = new LinkedHashSet<>();
    if (top.hasElements()) {
      visible.add(output);
      parts.add(
          new GatherStep(output, sorted + "_2", kept.name(), null, null, values.type(), capacity));
    }
    if (top.hasPositions()) {
      String positions = top.hasElements() ? output + "_positions" : output;
      visible.add(positions);
      parts.add(
          new GatherStep(
              positions, sorted + "_1", kept.name(), null, null, ElementType.INT, capacity));
    }
    String offsets = output + "_offsets";
    visible.add(offsets);
    Input starts = segments.areByOffsets() ? given : starts(output, left, parts);
    add(SortedSearch.lowerBound(), offsets, List.of(kept, starts), parts);
    Composite sorting = Composite.of(output, parts, visible);
    List<Primitive> onJvm = onJvm(output, values, given, sorting.asIs().layout());
    return new Expansion(
        List.of(
            top.k() > SegmentedTopKStep.MOST
                ? sorting
                : Composite.of(output, parts, visible, onJvm)),
        List.of());
  }

  private List<Primitive> onJvm(String output, Input values, Input given, Layout sorting) {
    String bits = output + ".bits";
    Primitive heads = segments.bits(bits, values, given);
    return List.of(
        heads,
        new SegmentedTopKStep(
            output + ".tops",
            values,
            bits,
            segments.areByOffsets() ? given.name() : null,
            top,
            found(sorting, output + ".kept"),
            segments.areByOffsets() ? null : found(sorting, output + ".starts"),
            new SegmentedTopKStep.Names(
                top.hasElements() ? output : null,
                !top.hasPositions() ? null : top.hasElements() ? output + "_positions" : output,
                output + "_offsets")));
  }

  /** The result that gives the length of an array. */
  private static String found(Layout layout, String array) {
    return Objects.requireNonNull(
        Objects.requireNonNull(layout.hidden().get(array), array).found(), array);
  }

  private static Input starts(String output, Input left, List<Primitive> parts) {
    Input change = new Input(output + ".change", ElementType.INT, left.capacity());
    Input starts = new Input(output + ".starts", ElementType.INT, left.capacity());
    add(AdjacentDifference.left(), change.name(), List.of(left), parts);
    add(Select.where(BEGINS).positions(), starts.name(), List.of(change), parts);
    return starts;
  }

  private static void add(
      Operation operation, String name, List<Input> inputs, List<Primitive> parts) {
    parts.addAll(operation.expand(name, inputs).primitives());
  }

  @Override
  public String toString() {
    return "%s of each segment, by %s".formatted(top, segments);
  }
}
