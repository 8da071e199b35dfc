package funnel.stream;

import funnel.jit.ArrayPool;
import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.jit.VectorSorts;
import funnel.operator.ElementType;
import funnel.sort.KeyWords;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sorted runs of elements of up to four bytes, or of eight. */
@Twins({"Long"})
final class IntSortedRuns implements SortedRuns {

  /* A tree of binary merges (Brodal and Fagerberg, "Cache oblivious distribution sweeping", 2002):
   * each node has a buffer, and fills it from those of its two children whenever it is empty. All
   * buffers together fit in a core's cache. One step of a merge takes the smaller of two keys
   * without a branch, which could not be predicted; as many steps as the shorter rest has need no
   * check for an end. Each step needs the result of the one before: so two halves are merged by
   * turns, the second from where a binary search finds it to begin. A key is an integer that orders
   * the elements, with all bits inverted for a descending order; the elements follow from it,
   * except in an order, where all NaN have one key: there the places of the elements go along.
   *
   * Several threads merge different parts. Where a part begins in each run follows from the number
   * of elements before it: the key there is found by bisection over all keys, with a binary search
   * in what is left of each run at each step; of equal keys, those of the earlier runs come before.
   */

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  /** Keys in the buffers of all runs, and at least and at most in one. */
  private static final int KEYS = 1 << 15;

  private static final int LEAST_KEYS = 8;
  private static final int MOST_KEYS = 2048;

  /** The number of keys that are converted while they are in a core's cache. */
  private static final int BLOCK = 1 << 13;

  private static final @Element int[] NONE = {};
  private static final long[] NO_PLACES = {};

  private final List<MemorySegment> runs;
  private final ElementType type;
  private final boolean areKeys;
  private final boolean isOrder;
  private final @Element int turned;
  private final int size;
  private final Node root;

  /** Runs, as {@link SortedRuns#of}. */
  IntSortedRuns(
      List<MemorySegment> runs,
      ElementType type,
      boolean areKeys,
      boolean isDescending,
      boolean isOrder,
      long before) {
    this.runs = runs;
    this.type = type;
    this.areKeys = areKeys;
    this.isOrder = isOrder;
    this.turned = isDescending ? -1 : 0;
    size = Math.clamp(KEYS / runs.size(), LEAST_KEYS, MOST_KEYS);
    long[] at = new long[runs.size()];
    long[] end = runs.stream().mapToLong(run -> run.byteSize() / type.bytes()).toArray();
    long[] first = new long[runs.size()];
    for (int run = 1; run < first.length; run++) {
      first[run] = first[run - 1] + end[run - 1];
    }
    skip(before, at, end);
    root = tree(at, end, first, 0, runs.size());
  }

  /** Keys of elements, as {@link SortedRuns#sortedKeys}. */
  static MemorySegment sortedKeys(MemorySegment elements, ElementType type, boolean isDescending) {
    int length = (int) (elements.byteSize() / type.bytes());
    @Element int[] keys = ArrayPool.like(NONE, length);
    MemorySegment all = MemorySegment.ofArray(keys).asSlice(0, elements.byteSize());
    for (int at = 0; at < length; at += BLOCK) {
      int end = at + Math.min(BLOCK, length - at);
      MemorySegment.copy(
          elements,
          (long) type.bytes() * at,
          all,
          (long) type.bytes() * at,
          (long) type.bytes() * (end - at));
      toKeys(keys, at, end, type, false, isDescending ? -1 : 0);
    }
    VectorSorts.prepare(type).join();
    Arrays.sort(keys, 0, length);
    return all;
  }

  /**
   * Makes keys of elements: their {@link KeyWords}. NaN are the largest: in an order all are equal;
   * in a sort those without a sign bit come before those with one.
   */
  private static void toKeys(
      @Element int[] keys,
      int from,
      int to,
      ElementType type,
      boolean isOrder,
      @Element int turned) {
    if (type.isFloating()) {
      for (int i = from; i < to; i++) {
        @Element int word = KeyWords.wrappedWord(keys[i]);
        keys[i] = (isOrder ? KeyWords.merged(word) : word) ^ turned;
      }
    } else if (turned != 0) {
      for (int i = from; i < to; i++) {
        keys[i] ^= turned;
      }
    }
  }

  /** Moves the beginning of each run to its first element after {@code count} merged ones. */
  private void skip(long count, long[] at, long[] end) {
    @Element int low = (@Element int) 1 << Byte.SIZE * Math.max(Integer.BYTES, type.bytes()) - 1;
    @Element int high = ~low;
    long[] below = at.clone(); // after all keys less than low
    long[] above = end; // after all keys up to high
    while (low < high) {
      @Element
      int middle = (low & high) + ((low ^ high) >> 1); // the mean, rounded down, without overflow
      long[] upTo = new long[at.length];
      for (int run = 0; run < at.length; run++) {
        upTo[run] = after(middle, runs.get(run), below[run], above[run]);
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
  private long after(@Element int limit, MemorySegment run, long from, long to) {
    @Element int[] key = Arrays.copyOf(NONE, 1);
    long low = from;
    long high = to;
    while (low < high) {
      long middle = (low + high) >>> 1;
      read(run, middle, key, 1);
      if (key[0] <= limit) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Reads elements of a run as keys. */
  private void read(MemorySegment run, long from, @Element int[] into, int count) {
    if (type == ElementType.BYTE) {
      for (int i = 0; i < count; i++) {
        into[i] = run.get(ValueLayout.JAVA_BYTE, from + i) & 0xff;
      }
    } else {
      MemorySegment.copy(
          run, from * type.bytes(), MemorySegment.ofArray(into), 0, (long) type.bytes() * count);
    }
    if (!areKeys) {
      toKeys(into, 0, count, type, isOrder, turned);
    }
  }

  private Node tree(long[] at, long[] end, long[] places, int first, int last) {
    if (last - first == 1) {
      return new Node(runs.get(first), at[first], end[first], places[first]);
    }
    int middle = (first + last) >>> 1;
    return new Node(tree(at, end, places, first, middle), tree(at, end, places, middle, last));
  }

  /** Elements of some runs in their merged order. */
  private final class Node {
    private final @Nullable Node left;
    private final @Nullable Node right;
    private final MemorySegment run;
    private final @Element int[] keys;
    private final long[] places = isOrder ? new long[size] : NO_PLACES;
    private int next;
    private int end;
    private long at;
    private final long last;
    private final long place;

    /** Merges two nodes. */
    Node(Node left, Node right) {
      this.left = left;
      this.right = right;
      keys = Arrays.copyOf(NONE, size);
      run = MemorySegment.NULL;
      last = 0;
      place = 0;
    }

    /**
     * Reads a run from {@code at} to {@code last}, whose first element has a place. Keys in an
     * array stay where they are.
     */
    Node(MemorySegment run, long at, long last, long place) {
      left = null;
      right = null;
      this.run = run;
      this.last = last;
      this.place = place;
      if (run.heapBase().orElse(null) instanceof @Element int[] array
          && areKeys
          && runs.size() > 1) {
        keys = array;
        next = (int) (run.address() / type.bytes() + at);
        end = (int) (run.address() / type.bytes() + last);
        this.at = last;
      } else {
        keys = Arrays.copyOf(NONE, size);
        this.at = at;
      }
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
      IntSortedRuns.this.read(run, at, keys, count);
      for (int i = 0; i < places.length; i++) {
        places[i] = place + at + i;
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
      if (isOrder) {
        mergeWithPlaces(one, other, done, steps);
        return;
      }
      @Element int[] to = keys;
      @Element int[] left = one.keys;
      @Element int[] right = other.keys;
      int half = steps / 2;
      int l = one.next;
      int r = other.next;
      int low = 0; // of the first half, those of one
      int high = half;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (left[l + middle] <= right[r + half - 1 - middle]) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      int l2 = l + low;
      int sum = l + r - done; // of both places, less that of the result
      int sum2 = sum + half;
      for (int i = done; i < done + half; i++) {
        r = sum + i - l;
        @Element int x = left[l];
        @Element int y = right[r];
        to[i] = Math.min(x, y);
        l += x <= y ? 1 : 0;
        int r2 = sum2 + i - l2;
        @Element int x2 = left[l2];
        @Element int y2 = right[r2];
        to[half + i] = Math.min(x2, y2);
        l2 += x2 <= y2 ? 1 : 0;
      }
      if (steps % 2 == 1) {
        @Element int x2 = left[l2];
        @Element int y2 = right[one.next + other.next + steps - 1 - l2];
        to[done + steps - 1] = Math.min(x2, y2);
        l2 += x2 <= y2 ? 1 : 0;
      }
      other.next += steps - (l2 - one.next);
      one.next = l2;
    }

    private void mergeWithPlaces(Node one, Node other, int done, int steps) {
      @Element int[] left = one.keys;
      @Element int[] right = other.keys;
      int l = one.next;
      int sum = l + other.next - done; // of both places, less that of the result
      for (int i = done; i < done + steps; i++) {
        int r = sum + i - l;
        @Element int x = left[l];
        @Element int y = right[r];
        long ofLeft = one.places[l]; // both are read: to read one of them takes a branch
        long ofRight = other.places[r];
        keys[i] = Math.min(x, y);
        places[i] = x <= y ? ofLeft : ofRight;
        l += x <= y ? 1 : 0;
      }
      other.next += steps - (l - one.next);
      one.next = l;
    }
  }

  @Override
  public void elements(MemorySegment into, long from, long to) {
    for (long i = from; i < to; ) {
      int count = (int) Math.min(root.count(), to - i);
      put(root.keys, root.next, count, into, i);
      root.next += count;
      i += count;
    }
  }

  /** Puts some keys as elements, and overwrites them. */
  private void put(@Element int[] keys, int from, int count, MemorySegment into, long at) {
    if (type.isFloating()) {
      for (int i = from; i < from + count; i++) {
        keys[i] = KeyWords.wrappedBits(keys[i] ^ turned);
      }
    } else if (turned != 0) {
      for (int i = from; i < from + count; i++) {
        keys[i] ^= turned;
      }
    }
    if (type == ElementType.BYTE) {
      for (int i = 0; i < count; i++) {
        into.set(ValueLayout.JAVA_BYTE, at + i, (byte) keys[from + i]);
      }
    } else {
      int size = type.bytes();
      MemorySegment.copy(
          MemorySegment.ofArray(keys), (long) size * from, into, size * at, (long) size * count);
    }
  }

  @Override
  public void longs(MemorySegment longs, MemorySegment into, long from, long to) {
    for (long i = from; i < to; ) {
      int count = (int) Math.min(root.count(), to - i);
      for (int k = 0; k < count; k++) {
        into.setAtIndex(LONG, i + k, longs.getAtIndex(LONG, root.places[root.next + k]));
      }
      root.next += count;
      i += count;
    }
  }
}
