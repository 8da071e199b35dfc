package funnel.scan;

import funnel.operation.Input;
import org.jspecify.annotations.Nullable;

/**
 * Segments as steps of a program find them: by where they begin, or by a bit for each value.
 *
 * <p>Of 3, 1 and 4, 1, 5 the starts are 0, 2 and the bits 0b101, with a lead of 2 zeros 0b10100.
 *
 * {@snippet class="funnel.docs.ScanSnippets" region="segments"}
 *
 * <p>Immutable.
 *
 * @param each an array that has as many elements as there are segments: of ints, where they begin,
 *     ascending, unless there are bits
 * @param bits name of an array of ints that has, after {@code lead} zeros, a bit for each value,
 *     and zeros up to a multiple of 8192, or null
 * @param before name of an array of how many bits are set before each 4096, and before one more
 *     multiple of 8192; if there are bits
 * @param lead bits before the first value's, at most 4
 */
public record Segments(Input each, @Nullable String bits, @Nullable String before, int lead) {

  /** By where each begins, ascending; by offsets some may be equal, whose segments are empty. */
  public static Segments ofStarts(Input starts) {
    return new Segments(starts, null, null, 0);
  }

  /** By bits; none is empty. */
  public static Segments ofBits(Input each, String bits, String before, int lead) {
    return new Segments(each, bits, before, lead);
  }
}
