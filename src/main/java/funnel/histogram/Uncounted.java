package funnel.histogram;

import java.io.Serializable;

/**
 * How many samples of a {@link Histogram} are in none of its bins.
 *
 * <p>For -1, 0, 5, 9 and even bins from 0 to 9 they are 1 below, 1 above and no NaN. Histograms by
 * keys have none: a key outside makes the run throw.
 *
 * {@snippet class="funnel.docs.HistogramSnippets" region="uncounted"}
 *
 * @param below samples below the first bin
 * @param above samples at the end of the last bin, unless it is {@linkplain Histogram#closed
 *     closed}, or above
 * @param nan samples that are NaN
 */
public record Uncounted(long below, long above, long nan) implements Serializable {

  /** The number of samples in none of the bins. */
  public long total() {
    return below + above + nan;
  }
}
