package funnel.bench;

/** What a benchmark works on. */
interface Input {

  /** Its size. */
  long bytes();
}
