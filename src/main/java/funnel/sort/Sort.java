package funnel.sort;

import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operator.ElementFunction;
import funnel.operator.ElementType;
import funnel.transform.Elementwise;
import funnel.transform.GatherStep;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A sort: the elements of an array in ascending or descending order.
 *
 * <p><b>Definition.</b> The output has the elements of the input in order: 1, 1, 3, 4 for 3, 1, 4,
 * 1, and descending 4, 3, 1, 1. The elements are bytes (0 to 255), ints, longs, floats or doubles;
 * the output has the same type and length. It stays on the device, where later operations of the
 * plan may take it. {@link #rows} sorts columns by an array; {@link Order} gives positions.
 *
 * {@snippet class="funnel.docs.SortSnippets" region="plan"}
 *
 * <p><b>Integers</b> are signed and bytes are unsigned, unless {@link #unsigned} or {@link #signed}
 * is called.
 *
 * <p><b>Floating-point numbers</b> are in the order of {@link Float#compare} and {@link
 * Double#compare}: -0.0 before 0.0, and NaN after all numbers, or descending before them. They keep
 * their bits. NaN of different bits are ordered by these: first those without a sign bit,
 * ascending, then those with one, descending.
 *
 * <p><b>Stable.</b> Elements that are equal in the {@linkplain #bits bits} that are compared keep
 * their order, in descending order too.
 *
 * <p><b>Empty input</b> gives an empty output.
 *
 * <p>There is no <b>in-place</b> form: the output must not overlap the input.
 *
 * <p><b>Cost</b> on a device: a pass for every 8 bits: one for bytes, at most 4 for ints and
 * floats, 8 for longs and doubles. Passes begin at bits that are not the same in all elements, so
 * that ints below 2<sup>16</sup> take 2. A pass reads elements twice and writes them once, 12 bytes
 * per int, 24 per long, in three launches, or four with more than 2048 tiles. A plan whose capacity
 * is at most a tile, 5888 elements, or 3328 of eight bytes, sorts in one launch. Extra memory: as
 * many elements as the input has, and 0.3 bytes per int, 0.6 per long.
 *
 * <p>The JVM uses {@code Arrays.parallelSort} for fewer than 2<sup>17</sup> elements, and where
 * this has vector code for them and there are fewer than 8 cores; else a radix sort by all cores.
 * Both need as much memory.
 *
 * <p>Immutable. After {@code DeviceRadixSort} of CUB.
 */
public final class Sort implements Operation {

  private final boolean isDescending;
  private final @Nullable Boolean isSigned; // null for the type's default
  private final int fromBit;
  private final int toBit;
  private final int keys; // for rows, else 0
  private final boolean isNanLeast; // not the largest number

  private Sort(
      boolean isDescending,
      @Nullable Boolean isSigned,
      int fromBit,
      int toBit,
      int keys,
      boolean isNanLeast) {
    this.isDescending = isDescending;
    this.isSigned = isSigned;
    this.fromBit = fromBit;
    this.toBit = toBit;
    this.keys = keys;
    this.isNanLeast = isNanLeast;
  }

  /** Sorts with the smallest element first. */
  public static Sort ascending() {
    return new Sort(false, null, 0, -1, 0, false);
  }

  /** Sorts with the largest element first. */
  public static Sort descending() {
    return new Sort(true, null, 0, -1, 0, false);
  }

  /**
   * This sort with NaN before all numbers: NaN, 1, 3 for 3, NaN, 1, and descending NaN, 3, 1, where
   * that is so anyway. It sorts positions, by which elements are gathered: all NaN are equal.
   */
  public Sort nanFirst() {
    return new Sort(isDescending, isSigned, fromBit, toBit, keys, !isDescending);
  }

  /** This sort with NaN after all numbers: descending 3, 1, NaN, like {@link #nanFirst}. */
  public Sort nanLast() {
    return new Sort(isDescending, isSigned, fromBit, toBit, keys, isDescending);
  }

  /**
   * This sort of bytes, ints or longs as unsigned numbers, as by {@code Integer.compareUnsigned}:
   * -1 is the largest int. Bytes are unsigned unless {@link #signed} is called.
   */
  public Sort unsigned() {
    return new Sort(isDescending, false, fromBit, toBit, keys, isNanLeast);
  }

  /** This sort of bytes, ints or longs as signed numbers: bytes are -128 to 127. */
  public Sort signed() {
    return new Sort(isDescending, true, fromBit, toBit, keys, isNanLeast);
  }

  /**
   * This sort by bits {@code from} to {@code to}, the latter excluded, of bytes, ints or longs. The
   * bits are compared as an unsigned number, or as a signed one if they include the highest bit and
   * the elements are signed. Bit 0 is the lowest. By bits 4 to 8, 0x31, 0x12, 0x30 become 0x12,
   * 0x31, 0x30.
   *
   * @throws IllegalArgumentException if {@code from} is negative, or {@code to} is not greater than
   *     {@code from}, or greater than 64
   */
  public Sort bits(int from, int to) {
    if (from < 0 || to <= from || to > Long.SIZE) {
      throw new IllegalArgumentException(
          "bits from=%s to=%s: give a range within 0 to 64 that is not empty".formatted(from, to));
    }
    return new Sort(isDescending, isSigned, from, to, keys, isNanLeast);
  }

  /** This sort of rows by one array of keys, see {@link #rows(int)}. */
  public Sort rows() {
    return rows(1);
  }

  /**
   * This sort of rows: the first inputs have keys, and each further input is a column of the same
   * length and any type. The outputs {@code output + "_1"}, {@code output + "_2"} and so on are the
   * columns' elements in the order of the keys. For the keys 3, 1, 1 and the columns 10, 20, 30 and
   * 0.5, 0.6, 0.7 the outputs are 20, 30, 10 and 0.6, 0.7, 0.5: rows of equal keys keep their
   * order. Keys may be a column too.
   *
   * {@snippet class="funnel.docs.SortSnippets" region="rows"}
   *
   * <p>Of several arrays of keys, of any types, the first decides, then the second where those of
   * the first are equal, and so on; bits and signs apply to each of them. By the keys 1, 0, 1 and
   * then 5, 9, 4, the rows 0, 1, 2 come in the order 1, 2, 0.
   *
   * <p>With one array of keys, a single column of ints or floats is moved with the keys in all
   * passes, even if integer keys are a column too. Otherwise positions are sorted once, as by
   * {@link Order}, and columns are gathered by them: {@code 4 + 2w} bytes for each element of
   * {@code w} bytes, and 4 bytes of extra memory for each row.
   *
   * @param arraysOfKeys how many inputs have keys
   * @throws IllegalArgumentException if it is less than 1
   */
  public Sort rows(int arraysOfKeys) {
    if (arraysOfKeys < 1) {
      throw new IllegalArgumentException(
          "arrays of keys=%s: give 1 at least".formatted(arraysOfKeys));
    }
    return new Sort(isDescending, isSigned, fromBit, toBit, arraysOfKeys, isNanLeast);
  }

  boolean isOfRows() {
    return keys > 0;
  }

  int arraysOfKeys() {
    return keys;
  }

  /**
   * A primitive that sorts integers from 0 to a limit, stably, and their positions. For 2, 0, 2, 1
   * the sorted integers are 0, 1, 2, 2 and the positions 1, 3, 0, 2.
   *
   * <p>It compares as many of the lowest bits as numbers below the limit have, and moves all keys:
   * keys outside the limit are in the output too, and each position occurs once. An empty input
   * gives empty arrays. The cost is that of a sort by so many bits; positions take 8 more bytes per
   * element and pass, and an int of extra memory per element.
   *
   * @param sorted name of the array of sorted integers, and of the primitive
   * @param positions name of the array of positions, or null for none
   * @param keys bytes, ints or longs
   * @param limit a number that all keys are less than
   * @throws IllegalArgumentException if the limit is not positive, or keys have too few bits
   */
  public static Primitive step(String sorted, @Nullable String positions, Input keys, int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit=%s: give 1 at least".formatted(limit));
    }
    int bits = Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(limit - 1));
    KeyOrder order = ascending().bits(0, bits).order(keys);
    return new RadixSortStep(sorted, keys, order, sorted, positions, null);
  }

  /**
   * A primitive that sorts keys, and with them positions or a column. For the keys 2, 0, 2, 1 and
   * the column 5, 6, 7, 8 it gives 0, 1, 2, 2 and 6, 8, 5, 7. The column is moved with the keys in
   * all passes, 8 bytes per element and pass, instead of positions by which it would be gathered.
   *
   * @param sorted name of the array of sorted keys, and of the primitive
   * @param moved name of the array of positions or of the column's elements, or null for none
   * @param keys the keys
   * @param column ints or floats, as long as the keys, or null for positions
   */
  public Primitive step(String sorted, @Nullable String moved, Input keys, @Nullable Input column) {
    return new RadixSortStep(sorted, keys, order(keys), sorted, moved, column);
  }

  /** Whether NaN of an input has another place than among its {@link KeyWords}. */
  boolean movesNan(Input input) {
    return isNanLeast && input.type().isFloating();
  }

  /** The order of keys whose NaN are where they are anyway. */
  KeyOrder order(Input input) {
    if (movesNan(input)) {
      throw new IllegalArgumentException(
          "%s: only sorts of whole arrays and of rows, and orders, have a place for NaN"
              .formatted(this));
    }
    return keyOrder(input);
  }

  private KeyOrder keyOrder(Input input) {
    ElementType type = input.type();
    int bits = 8 * type.bytes();
    if (toBit > bits || ((toBit >= 0 || isSigned != null) && type.isFloating())) {
      throw new IllegalArgumentException(
          "%s takes bytes, ints or longs of at least %s bits, input %s is of type %s"
              .formatted(this, Math.max(1, toBit), input.name(), type));
    }
    boolean hasSign = isSigned != null ? isSigned : type != ElementType.BYTE;
    return new KeyOrder(type, isDescending, hasSign, fromBit, toBit < 0 ? bits : toBit);
  }

  private interface FloatTest extends ElementFunction {
    boolean holds(float value);
  }

  private interface DoubleTest extends ElementFunction {
    boolean holds(double value);
  }

  /** Whether an element of a key is a number, or is not: what comes first is 0. */
  private Elementwise nan(ElementType type) {
    boolean isFirst = !isDescending;
    return type == ElementType.FLOAT
        ? Elementwise.of("nan", (FloatTest) v -> (v == v) == isFirst)
        : Elementwise.of("nan", (DoubleTest) v -> (v == v) == isFirst);
  }

  /** The order of positions by keys, with the same sort for each input. */
  Primitive ordering(String output, List<Input> inputs) {
    return ordering(output, inputs, inputs.stream().map(_ -> this).toList());
  }

  /**
   * Sorts positions by keys.
   *
   * @param output name of the array of positions, and of the primitive
   * @param keys arrays of keys, the most significant first
   * @param sorts the sort of each
   */
  static Primitive ordering(String output, List<Input> keys, List<Sort> sorts) {
    List<Primitive> parts = new ArrayList<>();
    List<Input> all = new ArrayList<>();
    List<KeyOrder> orders = new ArrayList<>();
    List<KeyOrder> onJvm = new ArrayList<>();
    for (int k = 0; k < keys.size(); k++) {
      Input key = keys.get(k);
      Sort sort = sorts.get(k);
      if (sort.movesNan(key)) { // by a key before it
        String nan = "%s.nan%s".formatted(output, k);
        parts.addAll(sort.nan(key.type()).expand(nan, List.of(key)).primitives());
        all.add(new Input(nan, ElementType.BYTE, key.capacity()));
        orders.add(KeyOrder.of(ElementType.BYTE, false));
      }
      all.add(key);
      orders.add(sort.keyOrder(key));
      onJvm.add(sort.keyOrder(key));
    }
    if (all.size() == 1) {
      return RadixSortStep.of(output, all.getFirst(), orders.getFirst(), true);
    }
    String source = keys.getLast().name();
    Input given = null;
    for (int k = all.size() - 1; k >= 0; k--) {
      Input key = all.get(k);
      int most = key.capacity();
      String name = k == 0 ? output : output + "." + k;
      Input inOrder = key;
      if (given != null) {
        inOrder = new Input(name + ".ordered", key.type(), most);
        parts.add(
            new GatherStep(
                inOrder.name(), key.name(), given.name(), null, source, key.type(), most));
      }
      parts.add(new RadixSortStep(name, inOrder, orders.get(k), null, name, given));
      given = new Input(name, ElementType.INT, most);
    }
    List<Boolean> areNanLeast =
        IntStream.range(0, keys.size()).mapToObj(k -> sorts.get(k).movesNan(keys.get(k))).toList();
    RowOrderStep packed = new RowOrderStep(output, List.copyOf(keys), onJvm, areNanLeast);
    return Composite.of(output, parts, Set.of(output), List.of(packed));
  }

  /**
   * Gathers columns by positions.
   *
   * @param output the name of the outputs, without their numbers
   * @param ordering the primitives that sort the positions
   * @param order the name of the positions
   * @param source an array of the same length
   */
  static Primitive columns(
      String output, List<Primitive> ordering, String order, Input source, List<Input> columns) {
    List<Primitive> parts = new ArrayList<>(ordering);
    Set<String> visible = new LinkedHashSet<>();
    for (Input column : columns) {
      String name = output + "_" + (visible.size() + 1);
      visible.add(name);
      parts.add(
          new GatherStep(
              name, column.name(), order, null, source.name(), column.type(), source.capacity()));
    }
    return Composite.of(output, parts, visible);
  }

  /**
   * @param output name of the output, an array
   * @param inputs the elements; for rows the keys, then columns
   * @throws IllegalArgumentException if inputs are too few or too many, or the elements' type lacks
   *     the bits or the sign of the sort
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    if (!isOfRows()) {
      Input only = Expansion.only(inputs, this);
      if (movesNan(only)) {
        String order = output + ".order";
        Primitive ordering = ordering(order, inputs);
        GatherStep gather =
            new GatherStep(
                output, only.name(), order, null, only.name(), only.type(), only.capacity());
        return new Expansion(
            List.of(Composite.of(output, List.of(ordering, gather), Set.of(output))), List.of());
      }
      return new Expansion(List.of(RadixSortStep.of(output, only, order(only), false)), List.of());
    }
    if (inputs.size() <= keys) {
      throw new IllegalArgumentException(
          "%s takes keys, and then columns, given=%s inputs".formatted(this, inputs.size()));
    }
    List<Input> columns = inputs.subList(keys, inputs.size());
    Primitive moving =
        keys == 1 && !movesNan(inputs.getFirst())
            ? moving(output, inputs.getFirst(), columns)
            : null;
    if (moving != null) {
      return new Expansion(List.of(moving), List.of());
    }
    String order = output + ".order";
    List<Primitive> ordering = List.of(ordering(order, inputs.subList(0, keys)));
    return new Expansion(
        List.of(columns(output, ordering, order, inputs.getFirst(), columns)), List.of());
  }

  /**
   * The primitive that sorts keys and moves columns with them: the keys themselves, if they are
   * integers, and one column as wide as positions. Null if there are other columns.
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
    return new RadixSortStep(output, key, order(key), sorted, moved, column);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Sort that
        && isDescending == that.isDescending
        && Objects.equals(isSigned, that.isSigned)
        && fromBit == that.fromBit
        && toBit == that.toBit
        && keys == that.keys
        && isNanLeast == that.isNanLeast;
  }

  @Override
  public int hashCode() {
    return Objects.hash(isDescending, isSigned, fromBit, toBit, keys, isNanLeast);
  }

  @Override
  public String toString() {
    return "%s sort%s%s%s%s"
        .formatted(
            isDescending ? "descending" : "ascending",
            keys == 0 ? "" : keys == 1 ? " of rows" : " of rows by %s keys".formatted(keys),
            isSigned == null ? "" : isSigned ? ", signed" : ", unsigned",
            toBit < 0 ? "" : " by bits %s to %s".formatted(fromBit, toBit),
            !isNanLeast ? "" : isDescending ? ", NaN last" : ", NaN first");
  }
}
