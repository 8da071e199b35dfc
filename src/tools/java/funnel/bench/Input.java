package funnel.bench;

/** The input of a benchmark. */
interface Input {

  /** Its size. */
  long bytes();
}
