package funnel.scan;

/**
 * Offsets of segments decrease, lie outside the input, or do not end with its length: the message
 * has the offset, the one before it and the input's length. Nothing has been written to the output.
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
}
