package funnel.scan;

/**
 * Offsets of segments decrease, or lie outside the input: the message has the offset, the one
 * before it and the input's length. Nothing has been written to the output.
 *
 * {@snippet class="funnel.docs.ScanSnippets" region="offsets"}
 */
public final class SegmentOffsetsException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  SegmentOffsetsException(
      String scan, String input, int index, int offset, int before, int length) {
    super(
        "segments of scan %s by offsets %s: offset[%d]=%d, previous offset=%d, length=%d; offsets ascend from 0 to the length"
            .formatted(scan, input, index, offset, before, length));
  }
}
