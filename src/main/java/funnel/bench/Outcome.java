package funnel.bench;

/**
 * What a run gave.
 *
 * @param result as text
 * @param wrong what is wrong with it, or empty
 */
record Outcome(String result, String wrong) {

  /** Of a check that names no result. */
  static Outcome of(String wrong) {
    return new Outcome(Measurement.RIGHT, wrong);
  }
}
