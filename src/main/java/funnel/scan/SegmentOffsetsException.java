package funnel.scan;

/**
 * Offsets of segments decrease, lie outside the input, or do not end with its length, or lengths of
 * segments do not add up to it: the message has the offset and the one before it, or the sum, and
 * the input's length. Nothing has been written to the output.
 *
 * {@snippet class="funnel.docs.ScanSnippets" region="offsets"}
 */
public final class SegmentOffsetsException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  SegmentOffsetsException(
      String operation,
      String input,
      int index,
      int offset,
      int before,
      int length,
      boolean hasEnd) {
    super(
        "segments of %s by offsets %s: offset[%s]=%s, previous offset=%s, length=%s; offsets ascend from 0 to the length%s"
            .formatted(
                operation,
                input,
                index,
                offset,
                before,
                length,
                hasEnd ? ", which is the last" : ""));
  }

  SegmentOffsetsException(String lengths, int sum, int length) {
    super(
        "lengths of segments %s add up to %s, but there are %s elements: give the lengths of all segments"
            .formatted(lengths, sum, length));
  }
}
