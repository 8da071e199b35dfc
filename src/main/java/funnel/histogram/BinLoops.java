package funnel.histogram;

import java.lang.foreign.MemorySegment;

/** JVM form of the rule that gives samples their bins, over samples of one type, for a thread. */
interface BinLoops {

  /** The most samples of a call of {@link #number}. */
  int CHUNK = 2048;

  /**
   * Numbers samples: {@code channel * bins + bin}; for those in no bin the number of all counters,
   * and one more for those above, two more for NaN.
   *
   * @param samples all samples
   * @param first the first one to be numbered
   * @param count how many, at most {@link #CHUNK}
   * @param bins the bins
   * @param into where the numbers go, from 0 on
   */
  void number(MemorySegment samples, int first, int count, Bins bins, int[] into);

  /**
   * Counts samples of a single channel.
   *
   * @param samples all samples
   * @param first the first one to be counted
   * @param count how many
   * @param bins the bins
   * @param counts as many as bins, and three more for samples in none, those of what is no key in
   *     any of them
   */
  void count(MemorySegment samples, int first, int count, Bins bins, int[] counts);

  /** The key at a position, as a long. */
  long key(MemorySegment samples, int position);
}
