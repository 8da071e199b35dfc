package funnel.histogram;

import funnel.operator.ElementType;

/**
 * A count of an accumulating histogram would be too large for its type: the message has the bin and
 * its channel. Nothing has been written to the output.
 *
 * {@snippet class="funnel.docs.HistogramSnippets" region="overflow"}
 */
public final class CounterOverflowException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  private final int bin;
  private final int channel;

  CounterOverflowException(String histogram, int at, Bins bins, ElementType counter) {
    super(
        "histogram %s: the sum of the previous and the new count of bin=%s, channel=%s does not fit %s; no counter was changed%s"
            .formatted(
                histogram,
                at % bins.bins(),
                at / bins.bins(),
                counter,
                counter == ElementType.INT ? "; to(ElementType.LONG) makes counters wider" : ""));
    bin = at % bins.bins();
    channel = at / bins.bins();
  }

  /** The first bin that overflows. */
  public int bin() {
    return bin;
  }

  /** The channel of the bin. */
  public int channel() {
    return channel;
  }
}
