package funnel.bench;

/** Plain loops of one thread that select elements, over Java arrays; each says how many. */
interface PlainSelect {
  /** Those over a limit. */
  int over(Object elements, int limit, Object kept);

  /** Those with a flag that is not 0. */
  int flagged(Object elements, byte[] flags, Object kept);

  /** Those over a limit, and the others. */
  int partition(Object elements, int limit, Object kept, Object rejected);

  /** Those that are not like the one before. */
  int unique(Object elements, Object heads);

  /** The same, with the lengths of runs. */
  int runs(Object elements, Object heads, int[] lengths);

  /**
   * Those over a limit, then their sums from the first on, then at the end the largest of these.
   */
  int chain(Object elements, int limit, Object kept, Object sums);
}
