package funnel.scan;

import funnel.operation.Input;
import org.jspecify.annotations.Nullable;

/**
 * The arrays that tell primitives where segments begin: the places themselves, or a bit for each
 * value.
 *
 * <p>For 3, 1 and 4, 1, 5 the starts are 0, 2 and the bits 0b101; with a lead of 2 zeros 0b10100.
 *
 * {@snippet class="funnel.docs.ScanSnippets" region="segments"}
 *
 * <p>Immutable.
 *
 * @param each an array with one element per segment; without bits, ints in ascending order that say
 *     where the segments begin
 * @param bits the name of an array of ints that has {@code lead} zeros, then a bit for each value,
 *     then zeros up to the end of an int; or null
 * @param before if there are bits, the name of an array with the number of bits that are set before
 *     each multiple of {@code grain} bits, and before the first one that all bits are before
 * @param grain a number of bits by which 4096 can be divided
 * @param lead the number of bits before the first value's, at most 4
 */
public record SegmentInputs(
    Input each, @Nullable String bits, @Nullable String before, int grain, int lead) {

  /**
   * Segments given by where they begin, in ascending order; equal offsets stand for empty segments.
   */
  public static SegmentInputs ofStarts(Input starts) {
    return new SegmentInputs(starts, null, null, 1, 0);
  }

  /** Segments given by bits; none is empty. */
  public static SegmentInputs ofBits(Input each, String bits, String before, int grain, int lead) {
    return new SegmentInputs(each, bits, before, grain, lead);
  }
}
