package funnel.scan;

import funnel.operation.Input;
import funnel.operation.Primitive;
import funnel.operator.ElementType;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How an operation is told where segments of its input begin.
 *
 * <p><b>Definition.</b> Segments are adjacent parts of an array, which together are the array. A
 * second input says where they begin. For the segments 3, 1 and 4, 1, 5 of 3, 1, 4, 1, 5 it is one
 * of these:
 *
 * <table>
 * <caption>The segments 3, 1 and 4, 1, 5</caption>
 * <tr><th>segments</th><th>second input</th><th>example</th></tr>
 * <tr><td>{@link #byHeads}, the default</td><td>a byte for each element, not zero where a segment
 * begins</td><td>1, 0, 1, 0, 0</td></tr>
 * <tr><td>{@link #byHeadBits}</td><td>a bit for each element, set where a segment begins: bit
 * {@code i % 32} of int {@code i / 32}, the lowest one first</td><td>5</td></tr>
 * <tr><td>{@link #byOffsets}</td><td>ints in ascending order, where segments begin</td><td>0,
 * 2</td></tr>
 * <tr><td>{@link #byOffsetsWithEnd}</td><td>the same, and then the number of elements</td><td>0, 2,
 * 5</td></tr>
 * <tr><td>{@link #byKeys}</td><td>an int or a long for each element; a segment is a run of equal
 * keys</td><td>7, 7, 2, 2, 2</td></tr>
 * </table>
 *
 * {@snippet class="funnel.docs.ScanSnippets" region="ways"}
 *
 * <p>Element 0 always begins a segment, whatever its head or bit; offsets need not begin with 0.
 * Equal offsets, and an offset that equals the number of elements, stand for empty segments. By
 * heads, bits and keys no segment is empty.
 *
 * <p><b>Empty input</b> has no segments by heads, bits and keys, which are empty too. Offsets may
 * then be any number of zeros, and with the end at least one.
 *
 * <p><b>Errors.</b> If the second input has another type, adding the operation to a plan throws an
 * {@link IllegalArgumentException}; so does a run with more or fewer heads, bits or keys than
 * elements, or with no offset where the last one is the end. If offsets decrease, are negative or
 * greater than the number of elements, or do not end with it although the last one is the end, the
 * run throws a {@link SegmentOffsetsException}.
 *
 * <p><b>Lengths found on the device.</b> If an earlier operation of a plan finds the length of the
 * values, it must also determine that of heads or keys; offsets may have a length that is found on
 * its own. The number of offsets with an end, and all lengths with head bits, must be known before
 * the run: otherwise building the plan throws.
 *
 * <p>Immutable. After the head flags of Blelloch, <i>Prefix Sums and Their Applications</i>, 1990,
 * and the offsets of CSR matrices, Arrow's lists and CUB.
 */
public final class Segments {

  enum By {
    HEADS("a byte for each element", ElementType.BYTE),
    HEAD_BITS("a bit for each element in ints", ElementType.INT),
    OFFSETS("ints", ElementType.INT),
    OFFSETS_WITH_END("ints", ElementType.INT),
    KEYS("an int or a long for each element", ElementType.INT, ElementType.LONG);

    private final String takes;
    private final List<ElementType> types;

    By(String takes, ElementType... types) {
      this.takes = takes;
      this.types = List.of(types);
    }

    boolean isOffsets() {
      return this == OFFSETS || this == OFFSETS_WITH_END;
    }

    String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  private final By by;

  private Segments(By by) {
    this.by = by;
  }

  /** Segments begin where a byte is not zero. */
  public static Segments byHeads() {
    return new Segments(By.HEADS);
  }

  /** Segments begin where a bit is set, 32 bits per int. */
  public static Segments byHeadBits() {
    return new Segments(By.HEAD_BITS);
  }

  /** Segments begin at ascending offsets; the last one ends with the input. */
  public static Segments byOffsets() {
    return new Segments(By.OFFSETS);
  }

  /**
   * Segments begin at ascending offsets, after which comes the number of elements, as in CSR
   * matrices and Arrow's lists: for {@code n} segments there are {@code n + 1}.
   */
  public static Segments byOffsetsWithEnd() {
    return new Segments(By.OFFSETS_WITH_END);
  }

  /** Segments are runs of equal keys. */
  public static Segments byKeys() {
    return new Segments(By.KEYS);
  }

  /** Whether they are given by offsets, with or without an end. */
  public boolean areByOffsets() {
    return by.isOffsets();
  }

  By by() {
    return by;
  }

  void require(Input segments) {
    if (!by.types.contains(segments.type())) {
      throw new IllegalArgumentException(
          "segments are given by %s, %s, but %s is of type %s: say how it gives them, with %s"
              .formatted(
                  by.label(),
                  by.takes,
                  segments.name(),
                  segments.type(),
                  "segments(Segments.byHeads()), byHeadBits(), byOffsets(), byOffsetsWithEnd() or"
                      + " byKeys()"));
    }
  }

  /**
   * A primitive that finds where segments begin, as a bit for each value, 32 per int, the first
   * value's in bit 0. For the heads 0, 0, 1, 0 it is 0b101: the first value always begins a
   * segment. An empty input gives no bits.
   *
   * @param bits name of the array of bits, and of the primitive
   * @param values the values
   * @param segments heads, bits, offsets or keys
   * @throws IllegalArgumentException if {@code segments} has a type that does not give segments in
   *     this way
   */
  public Primitive bits(String bits, Input values, Input segments) {
    require(segments);
    return new SegmentBitsStep(bits, values, segments, by, false);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Segments that && by == that.by;
  }

  @Override
  public int hashCode() {
    return by.hashCode();
  }

  /** For messages: {@code heads}, {@code head bits}, {@code offsets with end}. */
  @Override
  public String toString() {
    return by.label();
  }
}
