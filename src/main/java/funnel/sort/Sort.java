package funnel.sort;

import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operator.ElementType;
import funnel.transform.Take;
import java.util.ArrayList;
import java.util.LinkedHashSet;
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
 * <p><b>Integers</b> have signs, bytes have none, unless {@link #unsigned} or {@link #signed} is
 * said.
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
 * <p><b>Cost</b> on a device: a pass for each 7 bits, at most 2 of bytes, 5 of ints and floats, 10
 * of longs and doubles; passes begin at bits that are not the same in all elements, so that ints
 * below 2<sup>14</sup> take 2. A pass reads elements twice and writes them once, 12 bytes an int,
 * 24 a long, in three launches; one more finds the bits. A plan for no more elements than a tile
 * has, 4096 or, of eight bytes, 2048, sorts in one launch. Extra memory: as many elements as the
 * input has, and a quarter of a byte for each int, half a byte for each long.
 *
 * <p>On the JVM it is {@code Arrays.parallelSort} of the elements, or of integers in their place.
 *
 * <p>Immutable. After {@code DeviceRadixSort} of CUB.
 */
public final class Sort implements Operation {

  private static final Sort ASCENDING = new Sort(false, null, 0, -1, 0);
  private static final Sort DESCENDING = new Sort(true, null, 0, -1, 0);

  private final boolean isDescending;
  private final @Nullable Boolean isSigned; // as the type is unless said
  private final int fromBit;
  private final int toBit;
  private final int keys; // of rows, else 0

  private Sort(boolean isDescending, @Nullable Boolean isSigned, int fromBit, int toBit, int keys) {
    this.isDescending = isDescending;
    this.isSigned = isSigned;
    this.fromBit = fromBit;
    this.toBit = toBit;
    this.keys = keys;
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
   * The same of bytes, ints or longs without sign, as {@code Integer.compareUnsigned} has them: -1
   * is the largest int. Bytes have none unless {@link #signed} is said.
   */
  public Sort unsigned() {
    return new Sort(isDescending, false, fromBit, toBit, keys);
  }

  /** The same of bytes, ints or longs with a sign: bytes are -128 to 127. */
  public Sort signed() {
    return new Sort(isDescending, true, fromBit, toBit, keys);
  }

  /**
   * The same by bits {@code from} to {@code to}, the latter excluded, of bytes, ints or longs, as a
   * number without sign; with the highest bit among them, as one with a sign where the elements
   * have one. Bit 0 is the lowest. By bits 4 to 8, of 0x31, 0x12, 0x30 it is 0x12, 0x31, 0x30.
   *
   * @throws IllegalArgumentException if {@code from} is negative, or {@code to} not above it or
   *     above 64
   */
  public Sort bits(int from, int to) {
    if (from < 0 || to <= from || to > Long.SIZE) {
      throw new IllegalArgumentException(
          "bits from=%d to=%d: give a range within 0 to 64 that is not empty".formatted(from, to));
    }
    return new Sort(isDescending, isSigned, from, to, keys);
  }

  /** The same of rows with one array of keys, see {@link #rows(int)}. */
  public Sort rows() {
    return rows(1);
  }

  /**
   * The same of rows: the first inputs have keys, and each of the others is a column, as long, of
   * any type, of which the elements in the keys' order are an output: {@code output + "_1"}, {@code
   * output + "_2"} and so on. Of the keys 3, 1, 1 and the columns 10, 20, 30 and 0.5, 0.6, 0.7 the
   * outputs are 20, 30, 10 and 0.6, 0.7, 0.5: rows of equal keys stay in their order. Keys may be a
   * column too.
   *
   * {@snippet class="funnel.docs.SortSnippets" region="rows"}
   *
   * <p>Of several arrays of keys, of any types, the first one counts, then the second where those
   * of the first are equal, and so on; what is said of bits and signs is said of each. By the keys
   * 1, 0, 1 and then 5, 9, 4 the rows 0, 1, 2 come in the order 1, 2, 0.
   *
   * <p>By one array of keys, a single column of ints or floats goes with the keys in all passes,
   * and so do the keys where they are integers and a column too. Else positions are sorted once, as
   * by {@link Order}, and columns gathered by them: {@code 4 + 2w} bytes for each element of {@code
   * w} bytes, and 4 bytes of extra memory for each row.
   *
   * @param arraysOfKeys how many inputs have keys
   * @throws IllegalArgumentException if there are none
   */
  public Sort rows(int arraysOfKeys) {
    if (arraysOfKeys < 1) {
      throw new IllegalArgumentException(
          "arrays of keys=%d: give 1 at least".formatted(arraysOfKeys));
    }
    return new Sort(isDescending, isSigned, fromBit, toBit, arraysOfKeys);
  }

  boolean isOfRows() {
    return keys > 0;
  }

  int arraysOfKeys() {
    return keys;
  }

  /**
   * One step of a program: sorts integers from 0 to a limit, stably, and the positions that they
   * are at. Of 2, 0, 2, 1 the sorted ones are 0, 1, 2, 2 and the positions 1, 3, 0, 2.
   *
   * <p>It compares as many of the lowest bits as numbers below the limit have, and moves all. So of
   * others too each has a place, and the positions are each position once. No input gives empty
   * arrays. Cost is as for all sorts, by so many bits; positions take 8 bytes more an element and
   * pass, and an int of extra memory.
   *
   * @param sorted name of the array of sorted integers, and of the primitive
   * @param positions name of the array of positions, or null for none
   * @param keys bytes, ints or longs
   * @param limit what they are below
   * @throws IllegalArgumentException if the limit is not positive, or keys have too few bits
   */
  public static Primitive step(String sorted, @Nullable String positions, Input keys, int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit=%d: give 1 at least".formatted(limit));
    }
    int bits = Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(limit - 1));
    KeyOrder order = ASCENDING.bits(0, bits).order(keys);
    return new RadixSort(sorted, keys.name(), order, sorted, positions, null, keys.capacity());
  }

  /**
   * One step of a program: sorts keys, and with them positions or a column. Of the keys 2, 0, 2, 1
   * and the column 5, 6, 7, 8 it is 0, 1, 2, 2 and 6, 8, 5, 7. The column goes with the keys in all
   * passes, 8 bytes an element and pass, in the place of positions that it would be gathered by.
   *
   * @param sorted name of the array of sorted keys, and of the primitive
   * @param moved name of the array of positions or of the column's elements, or null for none
   * @param keys the keys
   * @param column ints or floats, as long as the keys, or null for positions
   */
  public Primitive step(String sorted, @Nullable String moved, Input keys, @Nullable Input column) {
    return new RadixSort(
        sorted,
        keys.name(),
        order(keys),
        sorted,
        moved,
        column == null ? null : column.name(),
        column == null ? ElementType.INT : column.type(),
        keys.capacity());
  }

  /** What is compared of an input's elements. */
  KeyOrder order(Input input) {
    ElementType type = input.type();
    int bits = 8 * type.bytes();
    if (toBit > bits || ((toBit >= 0 || isSigned != null) && type.isFloating())) {
      throw new IllegalArgumentException(
          "%s takes bytes, ints or longs of at least %d bits, input %s is of type %s"
              .formatted(this, Math.max(1, toBit), input.name(), type));
    }
    boolean hasSign = isSigned != null ? isSigned : type != ElementType.BYTE;
    return new KeyOrder(type, isDescending, hasSign, fromBit, toBit < 0 ? bits : toBit);
  }

  /** Sorts positions by keys, of each of which the same is compared. */
  List<Primitive> ordering(String output, List<Input> inputs) {
    return ordering(output, inputs, inputs.stream().map(this::order).toList());
  }

  /**
   * Sorts positions by keys.
   *
   * @param output name of the array of positions
   * @param keys arrays of them, the one that counts first in front
   * @param orders what is compared of each
   */
  static List<Primitive> ordering(String output, List<Input> keys, List<KeyOrder> orders) {
    List<Primitive> parts = new ArrayList<>();
    String source = keys.getLast().name();
    String given = null;
    for (int k = keys.size() - 1; k >= 0; k--) {
      Input key = keys.get(k);
      String name = k == 0 ? output : output + "." + k;
      String inOrder = key.name();
      if (given != null) {
        inOrder = name + ".ordered";
        parts.add(new Take(inOrder, key.name(), given, null, source, key.type(), key.capacity()));
      }
      parts.add(new RadixSort(name, inOrder, orders.get(k), null, name, given, key.capacity()));
      given = name;
    }
    return parts;
  }

  /**
   * Gathers columns by positions.
   *
   * @param output name of the outputs, without their numbers
   * @param ordering what sorts the positions
   * @param order their name
   * @param source an array that is as long as they are
   */
  static Primitive columns(
      String output, List<Primitive> ordering, String order, Input source, List<Input> columns) {
    List<Primitive> parts = new ArrayList<>(ordering);
    Set<String> visible = new LinkedHashSet<>();
    for (Input column : columns) {
      String name = output + "_" + (visible.size() + 1);
      visible.add(name);
      parts.add(
          new Take(
              name, column.name(), order, null, source.name(), column.type(), source.capacity()));
    }
    return Composite.of(output, parts, visible);
  }

  /**
   * What a plan's builder adds for this sort.
   *
   * @param output name of the output, an array
   * @param inputs the elements; of rows the keys, and columns
   * @throws IllegalArgumentException if inputs are too few or too many, or the elements have no
   *     such bits, or no sign
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    if (!isOfRows()) {
      Input only = Expansion.only(inputs, this);
      return new Expansion(List.of(RadixSort.of(output, only, order(only), false)), List.of());
    }
    if (inputs.size() <= keys) {
      throw new IllegalArgumentException(
          "%s takes keys, and then columns, given=%d inputs".formatted(this, inputs.size()));
    }
    List<Input> columns = inputs.subList(keys, inputs.size());
    Primitive moving = keys == 1 ? moving(output, inputs.getFirst(), columns) : null;
    if (moving != null) {
      return new Expansion(List.of(moving), List.of());
    }
    String order = output + ".order";
    List<Primitive> ordering = ordering(order, inputs.subList(0, keys));
    return new Expansion(
        List.of(columns(output, ordering, order, inputs.getFirst(), columns)), List.of());
  }

  /**
   * What sorts keys and moves columns with them: the keys themselves, if they are integers, and one
   * that is as wide as positions. Null if there are other columns.
   */
  private @Nullable Primitive moving(String output, Input key, List<Input> columns) {
    String sorted = null;
    String moved = null;
    Input column = null;
    for (int c = 0; c < columns.size(); c++) {
      Input each = columns.get(c);
      String name = output + "_" + (c + 1);
      boolean isKey = each.name().equals(key.name());
      if (isKey && sorted == null && !key.type().isFloating()) {
        sorted = name;
      } else if (!isKey && moved == null && each.type().bytes() == Integer.BYTES) {
        moved = name;
        column = each;
      } else {
        return null;
      }
    }
    return new RadixSort(
        output,
        key.name(),
        order(key),
        sorted,
        moved,
        column == null ? null : column.name(),
        column == null ? ElementType.INT : column.type(),
        key.capacity());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Sort that
        && isDescending == that.isDescending
        && Objects.equals(isSigned, that.isSigned)
        && fromBit == that.fromBit
        && toBit == that.toBit
        && keys == that.keys;
  }

  @Override
  public int hashCode() {
    return Objects.hash(isDescending, isSigned, fromBit, toBit, keys);
  }

  @Override
  public String toString() {
    return "%s sort%s%s%s"
        .formatted(
            isDescending ? "descending" : "ascending",
            keys == 0 ? "" : keys == 1 ? " of rows" : " of rows by %d keys".formatted(keys),
            isSigned == null ? "" : isSigned ? ", signed" : ", unsigned",
            toBit < 0 ? "" : " by bits %d to %d".formatted(fromBit, toBit));
  }
}
