package funnel.reduce;

/** Codes of the pair reductions in their kernels. */
final class PairCode {
  /** Smallest element and its first index. */
  static final int ARG_MIN = 0;

  /** Largest element and its first index. */
  static final int ARG_MAX = 1;

  /** Smallest and largest element. */
  static final int MIN_MAX = 2;

  private PairCode() {}
}
