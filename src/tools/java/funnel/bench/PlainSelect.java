package funnel.bench;

/** Loops of one thread that select elements of Java arrays; each returns how many it keeps. */
interface PlainSelect {
  /** Those over a limit. */
  int over(Object elements, int limit, Object kept);

  /** Those with a flag that is not 0. */
  int flagged(Object elements, byte[] flags, Object kept);

  /** Those over a limit, and the others. */
  int partition(Object elements, int limit, Object kept, Object rejected);

  /** Those that differ from the one before. */
  int unique(Object elements, Object heads);

  /** The same, with the lengths of runs. */
  int runs(Object elements, Object heads, int[] lengths);

  /** Those over a limit, then their inclusive sums, then the largest of these sums. */
  int chain(Object elements, int limit, Object kept, Object sums);
}
