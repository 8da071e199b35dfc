package funnel;

import funnel.operator.ElementType;
import funnel.sort.KeyWords;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Merges adjacent sorted runs of elements; of equal elements those of the earlier run come first.
 */
final class SortedRuns {

  /* A tree of losers (Knuth, The Art of Computer Programming 3, 5.4.1): each inner node has the run
   * that lost there, and that run's key. The next element is the winner's; the winner's next
   * element then plays against the losers from its leaf to the root: as many comparisons as the
   * tree is high. Run r is leaf r + runs. A key is a long that orders the elements, with all bits
   * inverted for a descending order; a run at its end loses to all others.
   *
   * Several threads merge different parts. Where a part begins in each run follows from the number
   * of elements before it: the key there is found by bisection over all longs, with binary searches
   * in all runs at each step; of equal keys, those of the earlier runs come before.
   */

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  private final MemorySegment keys;
  private final ElementType type;
  private final long turned;
  private final boolean isOrder;
  private final long[] at;
  private final long[] end;
  private final long[] key;
  private final int[] loser;
  private int winner;

  /**
   * Runs.
   *
   * @param keys the elements
   * @param length the length of each run except the last
   * @param isOrder whether all NaN are equal, as in an order
   * @param before the number of merged elements before the first that {@link #next} gives; less
   *     than that of all
   */
  SortedRuns(
      MemorySegment keys,
      ElementType type,
      int length,
      boolean isDescending,
      boolean isOrder,
      long before) {
    this.keys = keys;
    this.type = type;
    this.turned = isDescending ? -1 : 0;
    this.isOrder = isOrder;
    long all = keys.byteSize() / type.bytes();
    int runs = (int) Math.ceilDiv(all, (long) length);
    at = new long[runs];
    end = new long[runs];
    key = new long[runs];
    loser = new int[runs];
    for (int run = 0; run < runs; run++) {
      at[run] = (long) run * length;
      end[run] = Math.min(all, at[run] + length);
    }
    if (before > 0) {
      skip(before);
    }
    for (int run = 0; run < runs; run++) {
      if (at[run] < end[run]) {
        key[run] = key(at[run]);
      }
    }
    winner = play(1);
  }

  /** Moves each run to its first element after {@code count} merged ones. */
  private void skip(long count) {
    long low = Long.MIN_VALUE;
    long high = Long.MAX_VALUE;
    while (low < high) {
      long middle = (low & high) + ((low ^ high) >> 1); // the mean, rounded down, without overflow
      if (upTo(middle) > count) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    long equal = low == Long.MIN_VALUE ? count : count - upTo(low - 1);
    for (int run = 0; run < at.length; run++) {
      long first = low == Long.MIN_VALUE ? at[run] : after(run, low - 1);
      long taken = Math.min(equal, after(run, low) - first);
      equal -= taken;
      at[run] = first + taken;
    }
  }

  /** The number of elements whose keys are at most a limit. */
  private long upTo(long limit) {
    long count = 0;
    for (int run = 0; run < at.length; run++) {
      count += after(run, limit) - at[run];
    }
    return count;
  }

  /** The place in a run after all elements whose keys are at most a limit. */
  private long after(int run, long limit) {
    long low = at[run];
    long high = end[run];
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (key(middle) <= limit) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Lets the runs below a node play, and returns the winner. */
  private int play(int node) {
    int runs = at.length;
    if (node >= runs) {
      return node - runs;
    }
    int left = play(2 * node);
    int right = play(2 * node + 1);
    boolean isLeft = isBefore(left, right);
    loser[node] = isLeft ? right : left;
    return isLeft ? left : right;
  }

  private boolean isBefore(int run, int other) {
    if (at[run] == end[run] || at[other] == end[other]) {
      return at[run] < end[run];
    }
    return key[run] < key[other] || key[run] == key[other] && run < other;
  }

  /** The index of the next element, which must exist. */
  long next() {
    int run = winner;
    long found = at[run]++;
    if (at[run] < end[run]) {
      key[run] = key(at[run]);
    }
    for (int node = (run + at.length) / 2; node > 0; node /= 2) {
      if (!isBefore(run, loser[node])) {
        int other = loser[node];
        loser[node] = run;
        run = other;
      }
    }
    winner = run;
    return found;
  }

  /**
   * A number that orders elements. NaN are the largest: in an order all are equal; in a sort those
   * without a sign bit come before those with one.
   */
  private long key(long i) {
    long word =
        switch (type) {
          case BYTE -> keys.get(ValueLayout.JAVA_BYTE, i) & 0xff;
          case INT -> keys.getAtIndex(INT, i);
          case LONG -> keys.getAtIndex(LONG, i);
          case FLOAT -> {
            int ofFloat = KeyWords.word(keys.getAtIndex(INT, i));
            yield isOrder ? KeyWords.merged(ofFloat) : ofFloat;
          }
          case DOUBLE -> {
            long ofDouble = KeyWords.word(keys.getAtIndex(LONG, i));
            yield isOrder ? KeyWords.merged(ofDouble) : ofDouble;
          }
        };
    return word ^ turned;
  }
}
