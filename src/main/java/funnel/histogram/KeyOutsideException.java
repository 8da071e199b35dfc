package funnel.histogram;

/**
 * A sample of a histogram by keys is not a valid key: the message has its position, the sample and
 * the number of bins. Nothing has been written to the output.
 *
 * {@snippet class="funnel.docs.HistogramSnippets" region="key"}
 */
public final class KeyOutsideException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  private final String histogram;
  private final String input;
  private final int bins;
  private final long position;
  private final long key;

  KeyOutsideException(String histogram, String input, long position, long key, int bins) {
    super(
        "histogram %s: %s[%s]=%s is not a key, ofKeys(%s) takes 0 to %s; nothing was counted"
            .formatted(histogram, input, position, key, bins, bins - 1));
    this.histogram = histogram;
    this.input = input;
    this.bins = bins;
    this.position = position;
    this.key = key;
  }

  /** The position of the first sample that is not a valid key. */
  public long position() {
    return position;
  }

  /** The first sample that is not a valid key. */
  public long key() {
    return key;
  }

  /** This exception for a source with {@code samples} samples before those that were counted. */
  public KeyOutsideException after(long samples) {
    KeyOutsideException after =
        new KeyOutsideException(histogram, input, samples + position, key, bins);
    after.initCause(this);
    return after;
  }
}
