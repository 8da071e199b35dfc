package funnel.sort;

import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.transform.Take;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A sort: the elements of an array in ascending or descending order.
 *
 * <p><b>Definition.</b> The output has the elements of the input, each as often, in their order: of
 * 3, 1, 4, 1 it is 1, 1, 3, 4, and descending 4, 3, 1, 1. The elements are bytes (0 to 255), ints,
 * longs, floats or doubles; the output is of the same type and as long. It stays on the device,
 * where later operations of the plan may take it. {@link #rows} sorts columns by an array; {@link
 * Order} gives positions.
 *
 * {@snippet class="funnel.docs.SortSnippets" region="plan"}
 *
 * <p><b>Floating-point numbers</b> are in the order of {@link Float#compare} and {@link
 * Double#compare}: -0.0 before 0.0, and NaN after all numbers, or descending before them. They keep
 * their bits; NaN of different bits come in an order of these: ascending without a sign bit, then
 * descending with one.
 *
 * <p><b>Stable.</b> Elements that are equal in the {@linkplain #bits bits} that are compared stay
 * in the order that they came in, in descending order too.
 *
 * <p><b>Empty input</b> gives an empty output.
 *
 * <p><b>In place</b> is nothing: the output may not overlap the input.
 *
 * <p><b>Cost</b> on a device: a pass for each 7 bits, 2 of bytes, 5 of ints and floats, 10 of longs
 * and doubles, each of three launches. A pass reads elements twice and writes them once: 60 bytes
 * an int, 240 a long; floating-point numbers are turned into integers before and back after, which
 * takes two launches more. Extra memory: as many elements as the input has, twice as many of
 * floating-point numbers, and a quarter of a byte for each int, half a byte for each long.
 *
 * <p>On the JVM it is {@code Arrays.parallelSort} of the elements, or of integers in their place.
 *
 * <p>Immutable. After {@code DeviceRadixSort} of CUB.
 */
public final class Sort implements Operation {

  private static final Sort ASCENDING = new Sort(false, 0, -1, false);
  private static final Sort DESCENDING = new Sort(true, 0, -1, false);

  private final boolean isDescending;
  private final int fromBit;
  private final int toBit;
  private final boolean isOfRows;

  private Sort(boolean isDescending, int fromBit, int toBit, boolean isOfRows) {
    this.isDescending = isDescending;
    this.fromBit = fromBit;
    this.toBit = toBit;
    this.isOfRows = isOfRows;
  }

  /** The smallest first. */
  public static Sort ascending() {
    return ASCENDING;
  }

  /** The largest first. */
  public static Sort descending() {
    return DESCENDING;
  }

  /**
   * The same by bits {@code from} to {@code to}, the latter excluded, of bytes, ints or longs, as a
   * number without sign; with the highest bit of ints and longs among them, as one with a sign. Bit
   * 0 is the lowest. Fewer bits take fewer passes. By bits 4 to 8, of 0x31, 0x12, 0x30 it is 0x12,
   * 0x31, 0x30.
   *
   * @throws IllegalArgumentException if {@code from} is negative, or {@code to} not above it or
   *     above 64
   */
  public Sort bits(int from, int to) {
    if (from < 0 || to <= from || to > Long.SIZE) {
      throw new IllegalArgumentException(
          "bits from=%d to=%d: give a range within 0 to 64 that is not empty".formatted(from, to));
    }
    return new Sort(isDescending, from, to, isOfRows);
  }

  /**
   * The same of rows: the first input has the keys, and each of the others is a column, as long, of
   * any type, of which the elements in the keys' order are an output: {@code output + "_1"}, {@code
   * output + "_2"} and so on. Of the keys 3, 1, 1 and the columns 10, 20, 30 and 0.5, 0.6, 0.7 the
   * outputs are 20, 30, 10 and 0.6, 0.7, 0.5: rows of equal keys stay in their order. The keys may
   * be a column too.
   *
   * {@snippet class="funnel.docs.SortSnippets" region="rows"}
   *
   * <p>Positions are sorted once, as by {@link Order}, and columns gathered by them: {@code 4 + 2w}
   * bytes for each element of {@code w} bytes, and 4 bytes of extra memory for each row.
   */
  public Sort rows() {
    return new Sort(isDescending, fromBit, toBit, true);
  }

  /**
   * What a plan's builder adds for this sort.
   *
   * @param output name of the output, an array
   * @param inputs the elements; of rows the keys, and columns
   * @throws IllegalArgumentException if inputs are too few or too many, or the elements have no
   *     such bits
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    if (isOfRows && inputs.size() < 2) {
      throw new IllegalArgumentException(
          "%s takes keys, and then columns, given=%d inputs".formatted(this, inputs.size()));
    }
    Input keys = isOfRows ? inputs.getFirst() : Expansion.only(inputs, this);
    int bits = 8 * keys.type().bytes();
    if (toBit > bits || (toBit >= 0 && keys.type().isFloating())) {
      throw new IllegalArgumentException(
          "%s takes %s of at least %d bits, input %s is of type %s"
              .formatted(this, "bytes, ints or longs", toBit, keys.name(), keys.type()));
    }
    String sorted = isOfRows ? output + ".order" : output;
    int to = toBit < 0 ? bits : toBit;
    RadixSort sort =
        new RadixSort(
            sorted, keys.name(), keys.type(), isDescending, fromBit, to, isOfRows, keys.capacity());
    return new Expansion(
        List.of(isOfRows ? columns(output, sort, inputs.subList(1, inputs.size())) : sort),
        List.of());
  }

  private static Primitive columns(String output, RadixSort order, List<Input> columns) {
    List<Primitive> parts = new ArrayList<>(List.of(order));
    Set<String> visible = new HashSet<>();
    for (Input column : columns) {
      String name = output + "_" + parts.size();
      visible.add(name);
      parts.add(
          new Take(
              name,
              column.name(),
              order.id(),
              null,
              order.input(),
              column.type(),
              order.capacity()));
    }
    return Composite.of(output, parts, visible);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Sort that
        && isDescending == that.isDescending
        && fromBit == that.fromBit
        && toBit == that.toBit
        && isOfRows == that.isOfRows;
  }

  @Override
  public int hashCode() {
    return Objects.hash(isDescending, fromBit, toBit, isOfRows);
  }

  @Override
  public String toString() {
    return "%s sort%s%s"
        .formatted(
            isDescending ? "descending" : "ascending",
            isOfRows ? " of rows" : "",
            toBit < 0 ? "" : " by bits %d to %d".formatted(fromBit, toBit));
  }
}
