package funnel.sort;

import funnel.jit.ArrayPool;
import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.jit.VectorSorts;
import funnel.operation.ParallelRows;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Keys that are being sorted on the JVM, alone or with positions. */
@Twins({"Long"})
final class IntMovedKeys {

  /* Many keys are first put into buckets by their highest digit that varies. Each bucket then stays
   * in a core's cache while it is sorted by the other digits, least significant first: so memory is
   * passed over once, not once per digit. If a bucket would have too many keys, as floating-point
   * numbers with few exponents have, a wider digit is tried; if one still has, or there are few keys
   * or bits, all passes move all keys, least significant digit first.
   *
   * Keys are cut into parts, which several threads count and move: counts in the order (digit,
   * part) give where each part's keys of a digit begin. Digits that are the same in all keys are
   * skipped.
   *
   * Few keys without positions are sorted by the JDK, which is faster there; and many, where it
   * has vector code for them and there are few cores.
   */

  private static final int BITS = 11;

  /** The number of keys that are converted at a time. */
  private static final int BLOCK = 1 << 13;

  /** The number of keys from which buckets pay off. */
  private static final int MANY = 1 << 16;

  private static final int BUCKET_BITS = 14;
  private static final int MOST_DIGIT_BITS = 10;

  /** The width of a second attempt: sign, exponent and some more of a double. */
  private static final int WIDEST_DIGIT_BITS = 16;

  /** The size up to which a bucket is sorted by insertion. */
  private static final int FEW = 48;

  /** The number of keys without positions from which moving them pays off. */
  private static final int MANY_ALONE = 1 << 17;

  static final int ELEMENTS_OF_A_PART = 1 << 15;

  /** The number of keys before whose sort by the JDK others are sorted. */
  private static final int MANY_SORTED = 1 << 22;

  private static final @Element int[] NONE = {};

  private final int length;
  private final int parts;
  private final long compared;

  /** Keys, or keys of up to 32 bits above their positions. */
  @Element int[] words;

  /** Positions that are not packed with their keys; empty if they are. */
  int[] positions;

  private @Element int[] otherWords;
  private int[] otherPositions;

  /**
   * Memory for keys.
   *
   * @param isPacked whether positions are in the low half of words
   * @param parts how many threads may work
   * @param fromBit the lowest bit of words that is compared
   * @param bits how many bits are compared
   */
  IntMovedKeys(int length, boolean isPacked, int parts, int fromBit, int bits) {
    this(ArrayPool.like(NONE, length), length, isPacked, parts, fromBit, bits);
  }

  private IntMovedKeys(
      @Element int[] keys, int length, boolean isPacked, int parts, int fromBit, int bits) {
    this.length = length;
    this.parts = parts;
    compared = -1L >>> Long.SIZE - bits << fromBit;
    words = keys;
    otherWords = ArrayPool.like(NONE, length);
    positions = isPacked ? new int[0] : ArrayPool.ints(length);
    otherPositions = isPacked ? new int[0] : ArrayPool.ints(length);
  }

  /** Sorts the keys of each segment by all of their bits; see {@link SortLoops}. */
  static void sort(
      KeyOrder order,
      MemorySegment keys,
      int length,
      @Nullable MemorySegment firsts,
      MemorySegment output) {
    if (firsts == null && isMany(length)) {
      sortMany(order, keys, length, output, SortLoops.parts(length, keys, output));
      return;
    }
    int size = order.type().bytes();
    @Element
    int[] words =
        output.heapBase().orElse(null) instanceof @Element int[] heap
                && output.address() % size == 0
            ? heap
            : ArrayPool.like(NONE, length);
    boolean isInPlace = words == output.heapBase().orElse(null);
    int from = isInPlace ? (int) (output.address() / size) : 0;
    MemorySegment in =
        MemorySegment.ofArray(words).asSlice((long) size * from, (long) size * length);
    CompletableFuture<Void> prepared =
        firsts == null && length >= MANY_SORTED
            ? VectorSorts.prepare(order.type())
            : CompletableFuture.completedFuture(null);
    in.copyFrom(keys.asSlice(0, in.byteSize()));
    boolean isTurned = order.type().isFloating();
    @Element int sign = (@Element int) 1 << Byte.SIZE * size - 1;
    @Element int flip = (order.isDescending() ? -1 : 0) ^ (order.isSigned() ? 0 : sign);
    ParallelRows.run(
        length, length, (i, end) -> turn(words, from + i, from + end, isTurned, flip, true));
    KeyOrder ofWords = KeyOrder.of(KeyWords.typeOf(order.type()), false);
    prepared.join();
    SortLoops.inSegments(
        firsts,
        length,
        (begin, end) -> Arrays.sort(words, from + begin, from + end),
        (begin, end) -> {
          if (isMany(end - begin)) {
            MemorySegment own = in.asSlice((long) size * begin, (long) size * (end - begin));
            sortMany(ofWords, own, end - begin, own, SortLoops.parts(end - begin, own));
          } else {
            Arrays.parallelSort(words, from + begin, from + end);
          }
        });
    ParallelRows.run(
        length, length, (i, end) -> turn(words, from + i, from + end, isTurned, flip, false));
    if (!isInPlace) {
      output.copyFrom(in);
      ArrayPool.giveBack(words);
    }
  }

  /** Whether so many keys without positions are moved, and not sorted by the JDK. */
  private static boolean isMany(int length) {
    return length >= MANY_ALONE && !VectorSorts.pay(ParallelRows.cores());
  }

  /** Converts keys to words in the order of the sort, or back. */
  private static void turn(
      @Element int[] words,
      int from,
      int to,
      boolean isTurned,
      @Element int flip,
      boolean isThere) {
    for (int i = from; i < to; i++) {
      @Element int word = words[i];
      words[i] =
          !isTurned
              ? word ^ flip
              : isThere ? KeyWords.wrappedWord(word) ^ flip : KeyWords.wrappedBits(word ^ flip);
    }
  }

  /**
   * Sorts keys by all of their bits, digit by digit. They are read and written in blocks that stay
   * in the cache while they are converted.
   *
   * @param output the memory of the keys, or other memory
   */
  static void sortMany(
      KeyOrder order, MemorySegment keys, int length, MemorySegment output, int parts) {
    int size = order.type().bytes();
    boolean isTurned = order.type().isFloating();
    @Element int sign = (@Element int) 1 << Byte.SIZE * size - 1;
    @Element int flip = (order.isDescending() ? -1 : 0) ^ (order.isSigned() ? sign : 0);
    Object heap = output.address() == 0 ? output.heapBase().orElse(null) : null;
    @Element int[] given = heap instanceof @Element int[] own ? own : ArrayPool.like(NONE, length);
    IntMovedKeys moved = new IntMovedKeys(given, length, true, parts, 0, Byte.SIZE * size);
    MemorySegment in = MemorySegment.ofArray(given);
    @Element int[] ones = Arrays.copyOf(NONE, parts); // the first word of each part
    long[] differing = new long[parts];
    boolean[] isSorted = new boolean[parts];
    inBlocks(
        length,
        parts,
        (part, first, from, to) -> {
          copy(keys, in, size, from, to);
          if (from == first) {
            ones[part] = isTurned ? KeyWords.word(given[first]) ^ flip : given[first] ^ flip;
          }
          differing[part] |= turn(given, from, to, isTurned, flip, ones[part]);
          if (from == first || isSorted[part]) {
            isSorted[part] = isSorted(given, from == first ? from + 1 : from, to, sign);
          }
        });
    boolean areSorted = true;
    long varying = 0;
    for (int part = 0; part < parts; part++) {
      int first = ParallelRows.first(length, parts, part);
      areSorted &= isSorted[part] && (part == 0 || isSorted(given, first, first + 1, sign));
      varying |= differing[part] | ones[part] ^ ones[0];
    }
    if (!areSorted) {
      moved.sort(varying);
    }
    @Element int[] sorted = moved.words;
    MemorySegment out = MemorySegment.ofArray(sorted);
    inBlocks(
        length,
        parts,
        (_, _, from, to) -> {
          turn(sorted, from, to, isTurned, flip, false);
          if (sorted != heap) {
            copy(out, output, size, from, to);
          }
        });
    ArrayPool.giveBack(moved.otherWords == heap ? sorted : moved.otherWords);
    if (given != heap) {
      ArrayPool.giveBack(sorted);
    }
  }

  private interface Block {
    void sort(int part, int first, int from, int to);
  }

  private static void inBlocks(int length, int parts, Block body) {
    ParallelRows.parts(
        length,
        parts,
        (part, first, last) -> {
          for (int left = last - first; left > 0; left -= BLOCK) { // the end may be near 2^31
            body.sort(part, first, last - left, last - left + Math.min(BLOCK, left));
          }
        });
  }

  private static void copy(MemorySegment from, MemorySegment to, int size, int first, int end) {
    MemorySegment.copy(
        from, (long) size * first, to, (long) size * first, (long) size * (end - first));
  }

  /** Converts keys to words, and returns which bits are not those of one. */
  private static long turn(
      @Element int[] words,
      int from,
      int to,
      boolean isTurned,
      @Element int flip,
      @Element int one) {
    @Element int any = 0;
    for (int i = from; i < to; i++) {
      @Element int word = (isTurned ? KeyWords.word(words[i]) : words[i]) ^ flip;
      words[i] = word;
      any |= word ^ one;
    }
    return any;
  }

  /** Whether none of these words is less, as an unsigned number, than the one before it. */
  private static boolean isSorted(@Element int[] words, int from, int to, @Element int sign) {
    int i = from;
    while (i < to && (words[i - 1] ^ sign) <= (words[i] ^ sign)) {
      i++;
    }
    return i >= to;
  }

  void close() {
    ArrayPool.giveBack(words);
    ArrayPool.giveBack(otherWords);
    ArrayPool.giveBack(positions);
    ArrayPool.giveBack(otherPositions);
  }

  /**
   * Sorts the keys.
   *
   * @param differing the bits that are not the same in all words
   */
  void sort(long differing) {
    long varying = differing & compared;
    if (varying == 0) {
      return;
    }
    int low = Long.numberOfTrailingZeros(varying);
    int top = Long.SIZE - Long.numberOfLeadingZeros(varying);
    int width =
        Math.min(
            MOST_DIGIT_BITS, Integer.SIZE - Integer.numberOfLeadingZeros(length) - BUCKET_BITS);
    if (length >= MANY && top - low > BITS) {
      for (int digit : new int[] {width, Math.min(WIDEST_DIGIT_BITS, top - low)}) {
        int[] buckets = pass(top - digit, digit, length / 4);
        if (buckets != null) {
          sortBuckets(buckets, low, top - digit);
          return;
        }
      }
    }
    int passes = Math.ceilDiv(top - low, BITS);
    for (int pass = 0; pass < passes; pass++) {
      int shift = shift(low, top, pass, passes);
      int bits = shift(low, top, pass + 1, passes) - shift;
      if ((varying >>> shift & (1L << bits) - 1) != 0) {
        pass(shift, bits, length);
      }
    }
  }

  /** The lowest bit of a pass's digit. */
  private static int shift(int low, int top, int pass, int passes) {
    return low + (top - low) * pass / passes;
  }

  /**
   * Moves all keys by a digit.
   *
   * @param most the maximum number of keys with equal digits
   * @return where those of each digit begin, and their number; null if they are too many
   */
  private int @Nullable [] pass(int shift, int width, int most) {
    int mask = (1 << width) - 1;
    int[][] starts = new int[parts][];
    ParallelRows.parts(
        length,
        parts,
        (part, first, end) -> {
          starts[part] = new int[mask + 1]; // not adjacent to another part's
          count(words, first, end, shift, mask, starts[part]);
        });
    int[] bounds = new int[mask + 2];
    for (int digit = 0; digit <= mask; digit++) {
      int start = bounds[digit];
      for (int[] counts : starts) {
        int count = counts[digit];
        counts[digit] = start;
        start += count;
      }
      if (start - bounds[digit] > most) {
        return null;
      }
      bounds[digit + 1] = start;
    }
    ParallelRows.parts(
        length, parts, (part, first, end) -> move(first, end, shift, mask, starts[part], false));
    turn();
    return bounds;
  }

  private void turn() {
    @Element int[] sorted = otherWords;
    otherWords = words;
    words = sorted;
    int[] sortedPositions = otherPositions;
    otherPositions = positions;
    positions = sortedPositions;
  }

  private static void count(
      @Element int[] x, int first, int end, int shift, int mask, int[] counts) {
    for (int i = first; i < end; i++) {
      counts[KeyWords.low(x[i] >>> shift) & mask]++;
    }
  }

  /** Moves some keys to the next places of their digits, alternating between the two memories. */
  private void move(int first, int end, int shift, int mask, int[] next, boolean isBack) {
    @Element int[] from = isBack ? otherWords : words;
    @Element int[] to = isBack ? words : otherWords;
    int[] fromPositions = isBack ? otherPositions : positions;
    int[] toPositions = isBack ? positions : otherPositions;
    if (fromPositions.length == 0) {
      for (int i = first; i < end; i++) {
        @Element int word = from[i];
        to[next[KeyWords.low(word >>> shift) & mask]++] = word;
      }
    } else {
      for (int i = first; i < end; i++) {
        @Element int word = from[i];
        int at = next[KeyWords.low(word >>> shift) & mask]++;
        to[at] = word;
        toPositions[at] = fromPositions[i];
      }
    }
  }

  /** Sorts each bucket by bits {@code low} to {@code top}. */
  private void sortBuckets(int[] bounds, int low, int top) {
    int passes = Math.ceilDiv(top - low, BITS);
    ParallelRows.deal(
        bounds.length - 1,
        parts,
        _ -> {
          int[] next = new int[1 << BITS];
          IntConsumer buckets =
              bucket -> {
                int first = bounds[bucket];
                int end = bounds[bucket + 1];
                boolean areFew = end - first < FEW;
                if (areFew || isInOrder(first, end)) {
                  if (areFew) {
                    insert(first, end);
                  }
                  if (passes % 2 == 1) {
                    System.arraycopy(words, first, otherWords, first, end - first);
                    if (positions.length > 0) {
                      System.arraycopy(positions, first, otherPositions, first, end - first);
                    }
                  }
                  return;
                }
                for (int pass = 0; pass < passes; pass++) {
                  int shift = shift(low, top, pass, passes);
                  int mask = (1 << shift(low, top, pass + 1, passes) - shift) - 1;
                  boolean isBack = pass % 2 == 1;
                  Arrays.fill(next, 0, mask + 1, 0);
                  count(isBack ? otherWords : words, first, end, shift, mask, next);
                  int start = first;
                  for (int digit = 0; digit <= mask; digit++) {
                    int count = next[digit];
                    next[digit] = start;
                    start += count;
                  }
                  move(first, end, shift, mask, next, isBack);
                }
              };
          return buckets;
        });
    if (passes % 2 == 1) {
      turn();
    }
  }

  /** Whether keys are in order already, as those of one key are whose rows are ordered by time. */
  private boolean isInOrder(int first, int end) {
    int i = first + 1;
    while (i < end && Long.compareUnsigned(words[i - 1] & compared, words[i] & compared) <= 0) {
      i++;
    }
    return i >= end;
  }

  private void insert(int first, int end) {
    for (int i = first + 1; i < end; i++) {
      @Element int word = words[i];
      long key = word & compared;
      int at = i;
      while (at > first && Long.compareUnsigned(key, words[at - 1] & compared) < 0) {
        words[at] = words[at - 1];
        at--;
      }
      words[at] = word;
      if (positions.length > 0 && at < i) {
        int position = positions[i];
        System.arraycopy(positions, at, positions, at + 1, i - at);
        positions[at] = position;
      }
    }
  }
}
