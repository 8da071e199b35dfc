package funnel.bench;

/** Plain loops of one thread that count samples, over Java arrays. */
interface PlainCounts {
  /** By key. */
  void keys(Object samples, int[] counts);

  /** In even bins over integers; returns how many are in none. */
  int even(Object samples, long low, long range, int[] counts);

  /** The same, for a range so wide that a long cannot hold its product with a bin's number. */
  int wide(Object samples, long low, long range, int[] counts);

  /** In even bins over floating-point numbers; returns how many are in none. */
  int even(Object samples, double low, double high, int[] counts);

  /** In ranges, by binary search; returns how many are in none. */
  int ranges(Object samples, double[] edges, int[] counts);

  /** By key, in interleaved channels. */
  void channels(Object samples, int channels, int[] counts);
}
