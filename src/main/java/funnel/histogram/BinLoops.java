package funnel.histogram;

import java.lang.foreign.MemorySegment;

/** JVM form of the rule that maps samples of one type to bins; each thread has its own. */
interface BinLoops {

  /** The maximum number of samples of a call of {@link #number}. */
  int CHUNK = 2048;

  /**
   * Numbers samples: {@code channel * bins + bin}; for samples in none of the bins the number of
   * all counters if below, one more if above, two more for NaN.
   *
   * @param samples all samples
   * @param first the first one to number
   * @param count the number of samples, at most {@link #CHUNK}
   * @param bins the bins
   * @param into the destination of the numbers, from 0 on
   */
  void number(MemorySegment samples, int first, int count, Bins bins, int[] into);

  /**
   * Counts samples of a single channel.
   *
   * @param samples all samples
   * @param first the first one to count
   * @param count the number of samples
   * @param bins the bins
   * @param counts one counter for each bin, then three for samples in none of the bins; invalid
   *     keys may be counted in any of the three
   */
  void count(MemorySegment samples, int first, int count, Bins bins, int[] counts);

  /** The key at a position, as a long. */
  long key(MemorySegment samples, int position);
}
