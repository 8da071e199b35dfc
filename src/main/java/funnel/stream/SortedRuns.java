package funnel.stream;

import funnel.operator.ElementType;
import funnel.sort.KeyWords;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * Merges adjacent sorted runs of elements; of equal elements those of the earlier run come first.
 */
final class SortedRuns {

  /* A tree of binary merges (Brodal and Fagerberg, "Cache oblivious distribution sweeping", 2002):
   * each node has a buffer, and fills it from those of its two children whenever it is empty. All
   * buffers together fit in a core's cache. One step of a merge takes the smaller of two keys
   * without a branch, which could not be predicted; as many steps as the shorter rest has need no
   * check for an end. A key is a long that orders the elements, with all bits inverted for a
   * descending order; the elements follow from it, except in an order, where all NaN have one key:
   * there the places of the elements go along.
   *
   * Several threads merge different parts. Where a part begins in each run follows from the number
   * of elements before it: the key there is found by bisection over all longs, with a binary search
   * in what is left of each run at each step; of equal keys, those of the earlier runs come before.
   */

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  /** Keys in the buffers of all runs, and at least and at most in one. */
  private static final int KEYS = 1 << 15;

  private static final int LEAST_KEYS = 8;
  private static final int MOST_KEYS = 2048;
  private static final long[] NO_PLACES = {};

  private final MemorySegment elements;
  private final ElementType type;
  private final long turned;
  private final boolean isOrder;
  private final int size;
  private final Node root;

  /**
   * Runs.
   *
   * @param elements the elements
   * @param length the length of each run except the last
   * @param isOrder whether all NaN are equal, as in an order
   * @param before the number of merged elements to skip; less than that of all
   */
  SortedRuns(
      MemorySegment elements,
      ElementType type,
      int length,
      boolean isDescending,
      boolean isOrder,
      long before) {
    this.elements = elements;
    this.type = type;
    this.turned = isDescending ? -1 : 0;
    this.isOrder = isOrder;
    long all = elements.byteSize() / type.bytes();
    int runs = (int) Math.ceilDiv(all, (long) length);
    size = Math.clamp(KEYS / runs, LEAST_KEYS, MOST_KEYS);
    long[] at = new long[runs];
    long[] end = new long[runs];
    for (int run = 0; run < runs; run++) {
      at[run] = (long) run * length;
      end[run] = Math.min(all, at[run] + length);
    }
    skip(before, at, end);
    root = tree(at, end, 0, runs);
  }

  /** Moves the beginning of each run to its first element after {@code count} merged ones. */
  private void skip(long count, long[] at, long[] end) {
    long low = Long.MIN_VALUE;
    long high = Long.MAX_VALUE;
    long[] below = at.clone(); // after all keys less than low
    long[] above = end; // after all keys up to high
    while (low < high) {
      long middle = (low & high) + ((low ^ high) >> 1); // the mean, rounded down, without overflow
      long[] upTo = new long[at.length];
      for (int run = 0; run < at.length; run++) {
        upTo[run] = after(middle, below[run], above[run]);
      }
      if (distance(at, upTo) > count) {
        high = middle;
        above = upTo;
      } else {
        low = middle + 1;
        below = upTo;
      }
    }
    long equal = count - distance(at, below);
    for (int run = 0; run < at.length; run++) {
      long taken = Math.min(equal, above[run] - below[run]);
      equal -= taken;
      at[run] = below[run] + taken;
    }
  }

  private static long distance(long[] from, long[] to) {
    long sum = 0;
    for (int run = 0; run < from.length; run++) {
      sum += to[run] - from[run];
    }
    return sum;
  }

  /** The place between two places of a run after all elements whose keys are at most a limit. */
  private long after(long limit, long from, long to) {
    long low = from;
    long high = to;
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

  private Node tree(long[] at, long[] end, int first, int last) {
    if (last - first == 1) {
      return new Node(null, null, at[first], end[first]);
    }
    int middle = (first + last) >>> 1;
    return new Node(tree(at, end, first, middle), tree(at, end, middle, last), 0, 0);
  }

  /** Elements of some runs in their merged order. */
  private final class Node {
    private final @Nullable Node left;
    private final @Nullable Node right;
    private final long[] keys = new long[size];
    private final long[] places = isOrder ? new long[size] : NO_PLACES;
    private int next;
    private int end;
    private long at;
    private final long last;

    /** Merges two nodes, or reads a run from {@code at} to {@code last}. */
    Node(@Nullable Node left, @Nullable Node right, long at, long last) {
      this.left = left;
      this.right = right;
      this.at = at;
      this.last = last;
    }

    /** The number of elements in the buffer, which is filled if it is empty. */
    int count() {
      if (next == end) {
        next = 0;
        end = left == null || right == null ? read() : merge(left, right);
      }
      return end - next;
    }

    private int read() {
      int count = (int) Math.min(size, last - at);
      for (int i = 0; i < count; i++) {
        keys[i] = key(at + i);
      }
      for (int i = 0; i < places.length; i++) {
        places[i] = at + i;
      }
      at += count;
      return count;
    }

    private int merge(Node one, Node other) {
      int done = 0;
      while (done < size) {
        int ofOne = one.count();
        int ofOther = other.count();
        int steps = Math.min(size - done, Math.min(ofOne, ofOther));
        if (steps > 0) {
          merge(one, other, done, steps);
        } else {
          Node rest = ofOne > 0 ? one : other;
          steps = Math.min(size - done, Math.max(ofOne, ofOther));
          if (steps == 0) {
            return done;
          }
          System.arraycopy(rest.keys, rest.next, keys, done, steps);
          if (isOrder) {
            System.arraycopy(rest.places, rest.next, places, done, steps);
          }
          rest.next += steps;
        }
        done += steps;
      }
      return done;
    }

    /** Merges {@code steps} elements; both nodes have as many. */
    private void merge(Node one, Node other, int done, int steps) {
      long[] to = keys;
      long[] left = one.keys;
      long[] right = other.keys;
      int l = one.next;
      int sum = l + other.next - done; // of both places, less that of the result
      for (int i = done; i < done + steps; i++) {
        int r = sum + i - l;
        long x = left[l];
        long y = right[r];
        to[i] = Math.min(x, y);
        if (isOrder) {
          long ofLeft = one.places[l]; // both are read: to read one of them takes a branch
          long ofRight = other.places[r];
          places[i] = x <= y ? ofLeft : ofRight;
        }
        l += x <= y ? 1 : 0;
      }
      other.next += steps - (l - one.next);
      one.next = l;
    }
  }

  /** Puts the next elements into the places {@code from} to {@code to} of some memory. */
  void elements(MemorySegment into, long from, long to) {
    for (long i = from; i < to; ) {
      int count = (int) Math.min(root.count(), to - i);
      for (int k = 0; k < count; k++) {
        put(into, i + k, root.keys[root.next + k] ^ turned);
      }
      root.next += count;
      i += count;
    }
  }

  private void put(MemorySegment into, long i, long word) {
    switch (type) {
      case BYTE -> into.set(ValueLayout.JAVA_BYTE, i, (byte) word);
      case INT -> into.setAtIndex(INT, i, (int) word);
      case LONG -> into.setAtIndex(LONG, i, word);
      case FLOAT -> into.setAtIndex(INT, i, KeyWords.bits((int) word));
      case DOUBLE -> into.setAtIndex(LONG, i, KeyWords.bits(word));
    }
  }

  /**
   * Puts longs that belong to the next elements into the places {@code from} to {@code to} of some
   * memory; only for an order.
   *
   * @param longs one for each element of the runs
   */
  void longs(MemorySegment longs, MemorySegment into, long from, long to) {
    for (long i = from; i < to; ) {
      int count = (int) Math.min(root.count(), to - i);
      for (int k = 0; k < count; k++) {
        into.setAtIndex(LONG, i + k, longs.getAtIndex(LONG, root.places[root.next + k]));
      }
      root.next += count;
      i += count;
    }
  }

  /**
   * A number that orders elements. NaN are the largest: in an order all are equal; in a sort those
   * without a sign bit come before those with one.
   */
  private long key(long i) {
    long word =
        switch (type) {
          case BYTE -> elements.get(ValueLayout.JAVA_BYTE, i) & 0xff;
          case INT -> elements.getAtIndex(INT, i);
          case LONG -> elements.getAtIndex(LONG, i);
          case FLOAT -> {
            int ofFloat = KeyWords.word(elements.getAtIndex(INT, i));
            yield isOrder ? KeyWords.merged(ofFloat) : ofFloat;
          }
          case DOUBLE -> {
            long ofDouble = KeyWords.word(elements.getAtIndex(LONG, i));
            yield isOrder ? KeyWords.merged(ofDouble) : ofDouble;
          }
        };
    return word ^ turned;
  }
}
