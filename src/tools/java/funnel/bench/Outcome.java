package funnel.bench;

/**
 * The outcome of a run.
 *
 * @param result the result as text
 * @param wrong what is wrong with it, or empty
 */
record Outcome(String result, String wrong) {

  /** The outcome of a check that has no result to show. */
  static Outcome of(String wrong) {
    return new Outcome(Measurement.RIGHT, wrong);
  }
}
