package funnel.rank;

import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Parts;
import funnel.operation.Primitive;
import funnel.operator.ElementType;
import funnel.sort.Order;
import funnel.transform.GatherStep;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * The largest or the smallest elements of an array, and their positions.
 *
 * <p><b>Definition.</b> The output has the {@code k} largest elements, the largest first, or the
 * smallest, the smallest first: for 3, 1, 4, 1, 5 the 3 largest are 5, 4, 3, and their {@linkplain
 * #positions positions} 4, 2, 0; the 2 smallest are 1, 1, at 1, 3. These are the first elements of
 * a {@link funnel.sort.Sort}, and the first positions of an {@link Order}: of equal elements the
 * one with the smaller position comes first, and if not all of them are among the {@code k}, those
 * with the smallest positions are.
 *
 * {@snippet class="funnel.docs.RankSnippets" region="top"}
 *
 * <p><b>Fewer elements.</b> If the input has fewer than {@code k} elements, the output has all of
 * them: a plan may be run over any length, and lengths may be found on the device. The length of
 * the output is found in the run, like that of a {@link funnel.select.Select}. <b>Empty input</b>
 * gives an empty output.
 *
 * <p><b>Elements</b> are bytes (0 to 255), ints, longs, floats or doubles, and are copied
 * unchanged. Floating-point numbers are in the order of {@link Float#compare} and {@link
 * Double#compare}: -0.0 before 0.0, and NaN is larger than all numbers. All NaN are equal.
 *
 * <p>There is no <b>in-place</b> form: outputs must not overlap the inputs.
 *
 * <p><b>Rows</b> with the largest keys are those at the positions: {@link funnel.transform.Gather}
 * gathers them from any column.
 *
 * <p><b>Cost</b> on a device: for 2^24 elements and more, two reads of the input, one that selects
 * few candidates for the {@code k}-th element by means of a sample, and one that counts the
 * elements before it; and a part of a third read to find the positions of all. For fewer elements,
 * or if a sample does not help, as many more reads as an element has bytes, less one. Then, if
 * {@code k} is more than 256, a sort of {@code k} elements. Extra memory: that of a sort of {@code
 * k} elements, at most 160 KB, and from 2^24 elements on, if they are wider than a byte, a quarter
 * of the input. The JVM makes two or three passes.
 *
 * <p>Immutable and serializable. After {@code DeviceTopK} of CUB, whose results have no order, and
 * {@code nlargest} of data frames.
 *
 * @param k the number of elements
 * @param isLargest whether the output is the largest elements, or the smallest
 * @param hasElements whether the elements are an output
 * @param hasPositions whether their positions are an output
 */
public record TopK(int k, boolean isLargest, boolean hasElements, boolean hasPositions)
    implements Operation, Serializable {

  /**
   * Checks the arguments.
   *
   * @throws IllegalArgumentException if {@code k} is not positive, or neither elements nor
   *     positions are an output
   */
  public TopK {
    if (k < 1) {
      throw new IllegalArgumentException("k=%s: give 1 at least".formatted(k));
    }
    if (!hasElements && !hasPositions) {
      throw new IllegalArgumentException(
          "hasElements=false, hasPositions=false: at least one must be true");
    }
  }

  /**
   * The {@code k} largest elements.
   *
   * @throws IllegalArgumentException if {@code k} is not positive
   */
  public static TopK largest(int k) {
    return new TopK(k, true, true, false);
  }

  /**
   * The {@code k} smallest elements.
   *
   * @throws IllegalArgumentException if {@code k} is not positive
   */
  public static TopK smallest(int k) {
    return new TopK(k, false, true, false);
  }

  /** This operation for positions, as ints from 0, instead of the elements. */
  public TopK positions() {
    return new TopK(k, isLargest, false, true);
  }

  /** This operation with a second output, the positions, {@code output + "_positions"}. */
  public TopK withPositions() {
    return new TopK(k, isLargest, true, true);
  }

  /**
   * @param output name of the output
   * @param inputs the elements
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    Input x = Expansion.only(inputs, this);
    String found = output + ".found";
    int most = Math.min(k, x.capacity());
    String positions = hasElements ? output + (hasPositions ? "_positions" : ".positions") : output;
    Ranks ranks = Ranks.first(k, isLargest);
    List<Primitive> parts = new ArrayList<>();
    parts.add(RankSelectStep.of(output + ".select", x, ranks, found));
    Input unordered = taken(output + ".unordered", x, found, most, parts);
    Order order = isLargest ? Order.descending() : Order.ascending();
    String ordered = output + ".order";
    parts.addAll(order.expand(ordered, List.of(unordered)).primitives());
    taken(positions, new Input(found, ElementType.INT, most), ordered, most, parts);
    List<Primitive> onDevice = new ArrayList<>();
    onDevice.add(RankSelectStep.of(output + ".select", x, ranks, positions).inOrder());
    Set<String> visible = new LinkedHashSet<>();
    if (hasPositions) {
      visible.add(positions);
    }
    if (hasElements) {
      taken(output, x, positions, most, parts);
      taken(output, x, positions, most, onDevice);
      visible.add(output);
    }
    Composite all =
        RankSelectStep.canOrder(most)
            ? Composite.of(output, onDevice, visible, parts)
            : Composite.of(output, parts, visible);
    return new Expansion(List.of(all), List.of());
  }

  /** The best of the pieces' best elements; positions are longs. */
  @Override
  public Optional<Parts<?>> inParts(List<ElementType> inputs) {
    return Optional.of(new InParts(this));
  }

  /**
   * The elements of the pieces are candidates, in the order of the pieces, and the best of them are
   * found as in any array. So of equal elements those that come first stay.
   */
  private record InParts(TopK top) implements Parts<InParts.Part> {

    /**
     * The best elements of some pieces, and their positions.
     *
     * @param best a Java array
     */
    record Part(long length, Serializable best, long[] positions) implements Serializable {}

    @Override
    public TopK ofPiece() {
      return new TopK(top.k(), top.isLargest(), true, true);
    }

    @Override
    public Part of(Piece piece) {
      int[] positions = (int[]) piece.array("_positions");
      return new Part(
          piece.length(),
          (Serializable) piece.array(""),
          Arrays.stream(positions).asLongStream().toArray());
    }

    @Override
    public Part combine(List<Part> parts, Calls onJvm) {
      long before = 0;
      long[] of = {};
      for (Part part : parts) {
        int from = of.length;
        of = Arrays.copyOf(of, from + part.positions().length);
        for (int i = from; i < of.length; i++) {
          of[i] = before + part.positions()[i - from];
        }
        before += part.length();
      }
      Outputs best = onJvm.run(ofPiece(), Parts.joined(parts.stream().map(Part::best).toList()));
      int[] at = (int[]) best.array(OUTPUT + "_positions");
      long[] positions = new long[at.length];
      for (int i = 0; i < at.length; i++) {
        positions[i] = of[at[i]];
      }
      return new Part(before, (Serializable) best.array(OUTPUT), positions);
    }

    @Override
    public void finish(Part whole, BiConsumer<String, Object> output) {
      if (top.hasElements()) {
        output.accept("", whole.best());
      }
      if (top.hasPositions()) {
        output.accept(top.hasElements() ? "_positions" : "", whole.positions());
      }
    }

    @Override
    public boolean isExact() {
      return true;
    }

    @Override
    public int size(Part part) {
      return part.positions().length;
    }
  }

  private static Input taken(
      String name, Input of, String positions, int most, List<Primitive> parts) {
    parts.add(new GatherStep(name, of.name(), positions, null, null, of.type(), most));
    return new Input(name, of.type(), most);
  }

  @Override
  public String toString() {
    return "%s %s%s"
        .formatted(
            k,
            isLargest ? "largest" : "smallest",
            !hasElements ? " by position" : hasPositions ? " with positions" : "");
  }
}
