package funnel.bench;

/** Distributions of a histogram's samples. */
enum SampleData {
  /** Uniform over all bins. */
  UNIFORM,
  /** All equal. */
  CONSTANT,
  /** Nine in ten equal, the others uniform. */
  HOT,
  /** Uniform, and ascending. */
  SORTED,
  /** Two values in turn. */
  ALTERNATING;

  private static final int HALF_WORD = 16;
  private static final int HOT_TENTHS = 9;

  /**
   * Sample i, as in histogram.cu.
   *
   * @param length the number of samples
   * @param span samples are in [0, span); at most 2^30
   */
  long value(long i, long length, long span) {
    return switch (this) {
      case UNIFORM -> uniform(Workload.splitmix64(i), span);
      case CONSTANT -> span / 3;
      case HOT -> {
        long bits = Workload.splitmix64(i);
        long tenths = (bits & (1 << HALF_WORD) - 1) * 10;
        yield tenths < HOT_TENTHS << HALF_WORD ? span / 3 : uniform(bits, span);
      }
      case SORTED -> i * span / length;
      case ALTERNATING -> i % 2 == 0 ? span / 3 : 2 * span / 3;
    };
  }

  private static long uniform(long bits, long span) {
    return (bits >>> Integer.SIZE) * span >>> Integer.SIZE;
  }
}
