package funnel.histogram;

import java.util.Locale;

/**
 * The methods by which a device counts; the results are the same.
 *
 * {@snippet class="funnel.docs.HistogramSnippets" region="method"}
 */
public enum HistogramMethod {
  /**
   * Each thread counts a contiguous part of the samples, by atomic additions in global memory.
   * Neighbouring threads read addresses far apart, which is slow in itself. For any number of bins.
   */
  SECTIONED,

  /**
   * Each thread takes samples at a stride of the number of threads, so that neighbouring threads
   * read neighbouring samples, and counts by atomic additions in global memory. The fastest method
   * if there are very many bins and the samples are spread over them; if many samples are equal,
   * additions to one address queue up. For any number of bins.
   */
  STRIDED,

  /**
   * As {@link #STRIDED} into a copy of all counters in each block's local memory, which are added
   * up at the end. For up to 8192 counters, on devices where atomic additions in local memory are
   * correct: building the first such plan on a device tests them ({@link
   * funnel.operation.LocalAtomics}), and throws a {@link LocalAtomicsException} if they are not.
   * Unless {@link Histogram#by} sets it, this method is used only where they are already known to
   * be correct.
   */
  PRIVATISED,

  /**
   * Each thread has its own counters: one byte each, packed in local memory so that no two threads
   * of a warp access the same bank, and emptied before one can wrap. No atomic additions, so the
   * time does not depend on the samples. For up to 256 counters.
   */
  THREAD_COUNTERS,

  /**
   * {@link #THREAD_COUNTERS} for one group of 256 counters after the other; each pass reads all
   * samples but those in tiles of up to 15,872 that are all in one counter, which are read once.
   * For up to 2^20 counters.
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
