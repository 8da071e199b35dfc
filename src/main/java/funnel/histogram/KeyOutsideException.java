package funnel.histogram;

/**
 * A sample of a histogram by keys is no key: the message has its position, the sample and the
 * number of bins. Nothing has been written to the output.
 *
 * {@snippet class="funnel.docs.HistogramSnippets" region="key"}
 */
public final class KeyOutsideException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  private final int position;
  private final long key;

  KeyOutsideException(String histogram, String input, int position, long key, int bins) {
    super(
        "histogram %s by keys: %s[%d]=%d, bins=%d; keys are 0 to %d, and no counter was changed"
            .formatted(histogram, input, position, key, bins, bins - 1));
    this.position = position;
    this.key = key;
  }

  /** The position of the first sample that is no key. */
  public int position() {
    return position;
  }

  /** That sample. */
  public long key() {
    return key;
  }
}
