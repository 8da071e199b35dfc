package funnel.bench;

/** Plain loops of one thread that count samples, over Java arrays. */
interface PlainCounts {
  /** By keys. */
  void keys(Object samples, int[] counts);

  /** In even bins over integers; how many are in none. */
  int even(Object samples, long low, long range, int[] counts);

  /** In even bins over a range whose products with a bin's number no long holds. */
  int wide(Object samples, long low, long range, int[] counts);

  /** In even bins over floating-point numbers; how many are in none. */
  int even(Object samples, double low, double high, int[] counts);

  /** In ranges, by binary search; how many are in none. */
  int ranges(Object samples, double[] edges, int[] counts);

  /** By keys, in channels that are interleaved. */
  void channels(Object samples, int channels, int[] counts);
}
