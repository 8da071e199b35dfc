package funnel.histogram;

import java.util.Locale;

/**
 * The methods by which a device counts; results are the same.
 *
 * {@snippet class="funnel.docs.HistogramSnippets" region="method"}
 */
public enum HistogramMethod {
  /**
   * Each thread counts a contiguous part of the samples, by atomic additions in global memory.
   * Neighbouring threads read far apart, which is slow by itself. For any number of bins.
   */
  SECTIONED,

  /**
   * Each thread takes every so many samples, so that neighbouring threads read neighbours, and
   * counts by atomic additions in global memory. The fastest where there are very many bins and the
   * samples are spread over them; where many samples are alike, additions to one address queue up.
   * For any number of bins.
   */
  STRIDED,

  /**
   * As {@link #STRIDED} into a copy of all counters in each block's local memory, which are added
   * up at the end. For up to 8192 counters, where atomic additions in local memory are right: the
   * first such plan on a device tries them there ({@link funnel.engine.AtomicsProbe}), and is
   * refused by a {@link LocalAtomicsException} if they are not. Without a name this method is taken
   * only where they are known to be right by then.
   */
  PRIVATISED,

  /**
   * Each thread has counters of its own: a byte each, packed in local memory such that no two
   * threads of a warp meet in a bank, and emptied before one can wrap. No atomic additions, so the
   * time does not depend on the samples. For up to 256 counters.
   */
  THREAD_COUNTERS,

  /**
   * {@link #THREAD_COUNTERS} for 256 counters after the other, each of which reads all samples. For
   * up to 2^20 counters.
   */
  PASSES,

  /**
   * The bins' numbers are sorted, and the lengths of runs are the counts. The time does not depend
   * on the samples. For any number of bins.
   */
  SORTED;

  /** The name on the command line: lower case, hyphens. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
