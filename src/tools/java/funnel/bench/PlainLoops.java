package funnel.bench;

/** What a user would write instead of a call: plain loops of one thread, over Java arrays. */
interface PlainLoops {
  /** For {@code Placeholder.transform()}: the element itself. */
  int IDENTITY = 0;

  /** Its square. */
  int SQUARE = 1;

  /** Its product with that of the second array. */
  int PRODUCT = 2;

  /** The square of its distance from the mean. */
  int SQUARED_DEVIATION = 3;

  /** 1 if it is greater than 0. */
  int TEST = 4;

  /** For {@code Placeholder.operator()}: the last operator. */
  int LAST = 10;

  /** All elements combined. */
  Number reduce(Object values, Object others, Number identity, Number mean);

  /** The index of the smallest or the largest element. */
  int best(Object values, boolean smallest);

  /** The smallest and the largest element's sum, so that neither is left out. */
  double minMax(Object values);

  /** Scans. */
  void scan(Object values, Object output, Number identity, boolean inclusive);

  /** Scans by segments: heads (byte[]), bits or offsets (int[]), or keys (int[], long[]). */
  void segments(Object values, String by, Object segments, Object output, Number identity);

  /** Combines values into an array, each at its index. */
  void scatter(int[] indices, Object values, Object into);

  /** Adds the weights of samples to their bins, one for each value from {@code low} on. */
  void weigh(int[] samples, int low, long range, Object weights, Object sums);
}
