package funnel.histogram;

import funnel.kernel.KernelTask.Grid;
import funnel.operation.LengthRule;
import funnel.operation.Step;

/**
 * How a device's threads share the samples, and what kernels read about it from the shape array.
 */
final class HistogramShape {

  /*
   * Places in a histogram's part of the shape array.
   */
  static final int OFFSET = 0;
  static final int LENGTH = 1;
  static final int OUTPUT = 2;
  static final int OLD = 3;
  static final int TILES = 4;
  static final int ROUNDS = 5;
  static final int PART = 6;
  static final int WHOLE_PARTS = 7;
  static final int PER_THREAD = 8;
  static final int ONE_MORE = 9;
  static final int TOP = 10;
  static final int FIRST = 11;
  static final int SECOND = 12;
  static final int THIRD = 13;
  static final int OVERFLOW = 14;
  static final int EDGES = 15;

  /**
   * What each block finds outside the bins, in rows with an int for each block: row 0 has the
   * numbers of samples below, row 1 above, row 2 NaN; row 3 the position of the first sample that
   * is not a valid key, or the largest int; rows 4 and 5 the upper and the lower half of that
   * sample.
   */
  static final int TALLIES = 6;

  static final int WRONG = 3;

  /** Threads of a block with counters of their own. */
  static final int COUNTING_THREADS = 64;

  /** Threads of every other block. */
  static final int THREADS = 256;

  /** Counters of a pass: four per word, as many words as threads. */
  static final int PASS = 4 * COUNTING_THREADS;

  /** Samples of a thread that are loaded together. */
  static final int ROUND = 8;

  /** Samples of a thread that are loaded together before they are added atomically. */
  static final int FEW = 4;

  /** Rounds of a tile: no thread counts more than 248 in a byte. */
  static final int MOST_ROUNDS = 31;

  /**
   * The number of blocks with counters of their own that fill an H200: 12 of 17 KB on each of 132
   * multiprocessors.
   */
  static final int COUNTING_BLOCKS = 12 * 132;

  /** Other blocks that fill an H200. */
  static final int BLOCKS = 8 * 132;

  /** Counters of {@link HistogramMethod#PRIVATISED}: 32 KB. */
  static final int MOST_PRIVATISED = 1 << 13;

  /** Counters of {@link HistogramMethod#PASSES}. */
  static final int MOST_PASSED = 1 << 20;

  private HistogramShape() {}

  static int passes(int counters) {
    return Math.ceilDiv(counters, PASS);
  }

  static int countingBlocks(int counters, int capacity) {
    int most = Math.max(1, COUNTING_BLOCKS / passes(counters));
    return Math.clamp(Math.ceilDiv((long) capacity, COUNTING_THREADS * ROUND), 1, most);
  }

  static int mostTiles(int counters, int capacity) {
    int whole = COUNTING_THREADS * ROUND * MOST_ROUNDS;
    return Math.max(countingBlocks(counters, capacity), Math.ceilDiv(capacity, whole));
  }

  static int blocks(int capacity) {
    return Math.clamp(Math.ceilDiv((long) capacity, THREADS * FEW), 1, BLOCKS);
  }

  /** Blocks of kernels over all counters, also a constant. */
  static int counterBlocks(int counters) {
    int blocks = (counters + THREADS - 1) / THREADS;
    return blocks < BLOCKS ? blocks : BLOCKS;
  }

  static Grid counterGrid(int counters) {
    return Grid.of(counterBlocks(counters), THREADS);
  }

  /** States which ints follow from the number of samples, after the number itself. */
  static Step derive(Step step, String samples, int countingBlocks, int capacity) {
    int round = COUNTING_THREADS * ROUND;
    int threads = blocks(capacity) * THREADS; // of all other blocks
    return step.derives(
            ROUNDS, samples, LengthRule.parts(round * countingBlocks).within(1, MOST_ROUNDS))
        .derives(TILES, samples, LengthRule.parts(round).timesIntAt(ROUNDS))
        .derives(PART, samples, LengthRule.parts(threads).within(1, Integer.MAX_VALUE))
        .derives(WHOLE_PARTS, samples, LengthRule.wholeParts(1).timesIntAt(PART))
        .derives(PER_THREAD, samples, LengthRule.wholeParts(threads))
        .derives(ONE_MORE, samples, LengthRule.rest(threads));
  }
}
