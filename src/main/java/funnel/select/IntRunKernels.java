package funnel.select;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device forms of {@link RunHeadsStep} and {@link RunHeadsStep.Store}. */
@Twins({"Long", "Float", "Double", "Byte"})
final class IntRunKernels {

  /* Elements are read once, two neighbours per thread at a time. A third load per pair, which the
   * cache serves, has the element before. A thread's results pass through local memory as a single
   * int, and 16 threads' results make a word of 32 consecutive elements.
   *
   * The second launch reads words, and only those elements that begin runs. A thread puts the
   * places in its word in local memory, so that stores to the outputs are consecutive.
   *
   * Words begin a lead before element 0, so that a tile's elements begin where cache lines do.
   */

  static final int LENGTH_AT = 0;
  static final int TILES_AT = 1;
  static final int FROM_AT = 2;
  static final int ONE_AT = 3; // heads
  static final int TO_AT = 3; // store
  static final int STARTS_TO_AT = 4;

  static final int THREADS = 256;

  /** Elements of a tile: a word per thread. */
  static final int TILE = 32 * THREADS;

  private static final int WARPS = THREADS / 32;
  private static final int PAIRS = 16;
  private static final int ROUND = 4;

  private IntRunKernels() {}

  /** A bit for each of two neighbours that differs from the one before. */
  private static int two(@Value int before, @Value int low, @Value int high) {
    return Differs.of(low, before) | (Differs.of(high, low) << 1);
  }

  private static @Value int value(@Element IntArray values, int from, int length, int element) {
    return Scalars.value(values.get(from + Scalars.max(Scalars.min(element, length - 1), 0)));
  }

  /** Makes words of the elements that begin runs, and counts them in each half of a tile. */
  static void heads(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      IntArray bits,
      IntArray counts,
      IntArray done,
      int lead,
      int shapeAt,
      int doneAt) {
    int thread = context.localIdx;
    int tile = context.groupIdx;
    int length = shape.get(shapeAt);
    int isThere = tile < shape.get(shapeAt + TILES_AT) & length > 0 ? 1 : 0;
    int one = shape.get(shapeAt + ONE_AT);
    int count = 0;
    if (isThere == 1) {
      int from = shape.get(shapeAt + FROM_AT);
      int first = tile * TILE - lead;
      int isFull = first > 0 & length - first >= TILE ? 1 : 0;
      int full = PAIRS * isFull;
      int found = 0;
      for (int c = 0; c < full; c = Scalars.min(c + one * ROUND, full)) {
        int at = from + first + 2 * (c * THREADS + thread);
        @Value int v0 = Scalars.value(values.get(at - 1));
        @Value int v1 = Scalars.value(values.get(at));
        @Value int v2 = Scalars.value(values.get(at + 1));
        @Value int v3 = Scalars.value(values.get(at + 2 * THREADS - 1));
        @Value int v4 = Scalars.value(values.get(at + 2 * THREADS));
        @Value int v5 = Scalars.value(values.get(at + 2 * THREADS + 1));
        @Value int v6 = Scalars.value(values.get(at + 4 * THREADS - 1));
        @Value int v7 = Scalars.value(values.get(at + 4 * THREADS));
        @Value int v8 = Scalars.value(values.get(at + 4 * THREADS + 1));
        @Value int v9 = Scalars.value(values.get(at + 6 * THREADS - 1));
        @Value int v10 = Scalars.value(values.get(at + 6 * THREADS));
        @Value int v11 = Scalars.value(values.get(at + 6 * THREADS + 1));
        int four = two(v0, v1, v2) | (two(v3, v4, v5) << 2);
        four = four | (two(v6, v7, v8) << 4) | (two(v9, v10, v11) << 6);
        found = found | (four << (2 * c));
      }
      for (int c = full; c < PAIRS; c = Scalars.min(c + one, PAIRS)) {
        int e = first + 2 * (c * THREADS + thread);
        @Value int before = value(values, from, length, e - 1);
        @Value int low = value(values, from, length, e);
        @Value int high = value(values, from, length, e + 1);
        found = found | (two(before, low, high) << (2 * c));
      }
      int[] marks = context.allocateIntLocalArray(THREADS + THREADS / 32);
      marks[thread + thread / 32] = found;
      context.localBarrier();
      int other = (thread & 15) * PAIRS;
      int shift = thread / 16 * 2;
      int word = 0;
      for (int u = 0; u < PAIRS; u++) {
        word = word | (((marks[other + other / 32 + u] >> shift) & 3) << (2 * u));
      }
      int own = first + 32 * thread;
      int until = Scalars.max(Scalars.min(length - own, 32), 0);
      int begin = Scalars.max(-own, 0);
      int isFirst = own <= 0 & begin < 32 ? 1 : 0;
      word = word | (isFirst << (begin & 31));
      word = word & (int) ((1L << until) - (1L << Scalars.min(begin, until)));
      bits.set(tile * THREADS + thread, word);
      count = Integer.bitCount(word);
    }
    int ofWarp = WarpCounts.sum(context, count);
    int[] ofWarps = WarpCounts.ofWarps(context, thread, THREADS, ofWarp);
    if (thread < 2) {
      int ofHalf = 0;
      for (int w = 0; w < WARPS / 2; w++) {
        ofHalf += ofWarps[thread * (WARPS / 2) + w];
      }
      counts.set(2 * tile + thread, ofHalf);
    }
    if (tile == 0 & thread == 0) {
      done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
    }
  }

  /** Stores the elements that begin runs, and their positions. */
  static void store(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      IntArray bits,
      IntArray before,
      @Element IntArray output,
      IntArray starts,
      IntArray count,
      int lead,
      int hasStarts,
      int shapeAt,
      int countAt) {
    int thread = context.localIdx;
    int tile = context.groupIdx;
    int length = shape.get(shapeAt);
    int tiles = shape.get(shapeAt + TILES_AT);
    if (tile < tiles) {
      int from = length > 0 ? shape.get(shapeAt + FROM_AT) : 0;
      int first = tile * TILE - lead;
      int word = length > 0 ? bits.get(tile * THREADS + thread) : 0;
      int own = Integer.bitCount(word);
      int rank = WarpCounts.before(context, thread, own);
      int[] ofWarps = WarpCounts.ofWarps(context, thread, THREADS, rank + own);
      int zero = thread / THREADS;
      int all = 0;
      for (int w = 0; w < WARPS; w++) {
        int next = ofWarps[zero + w];
        rank += w < thread / 32 ? next : 0;
        all += next;
      }
      int[] places = context.allocateIntLocalArray(TILE + TILE / 32);
      int rest = word;
      while (rest != 0) {
        int next = rest & (rest - 1);
        places[rank + rank / 32] = 32 * thread + Integer.bitCount((rest ^ next) - 1);
        rank = rank + 1;
        rest = next;
      }
      context.localBarrier();
      int start = before.get(2 * tile);
      int to = shape.get(shapeAt + TO_AT) + start;
      int startsTo = shape.get(shapeAt + STARTS_TO_AT) + start;
      for (int i = thread; i < all; i += 4 * THREADS) {
        int more = all - i;
        int i1 = Scalars.min(i + THREADS, all - 1);
        int i2 = Scalars.min(i + 2 * THREADS, all - 1);
        int i3 = Scalars.min(i + 3 * THREADS, all - 1);
        int e0 = first + places[i + i / 32];
        int e1 = first + places[i1 + i1 / 32];
        int e2 = first + places[i2 + i2 / 32];
        int e3 = first + places[i3 + i3 / 32];
        @Element int v0 = values.get(from + e0);
        @Element int v1 = values.get(from + e1);
        @Element int v2 = values.get(from + e2);
        @Element int v3 = values.get(from + e3);
        output.set(to + i, v0);
        if (hasStarts == 1) {
          starts.set(startsTo + i, e0);
        }
        if (more > THREADS) {
          output.set(to + i + THREADS, v1);
          if (hasStarts == 1) {
            starts.set(startsTo + i + THREADS, e1);
          }
        }
        if (more > 2 * THREADS) {
          output.set(to + i + 2 * THREADS, v2);
          if (hasStarts == 1) {
            starts.set(startsTo + i + 2 * THREADS, e2);
          }
        }
        if (more > 3 * THREADS) {
          output.set(to + i + 3 * THREADS, v3);
          if (hasStarts == 1) {
            starts.set(startsTo + i + 3 * THREADS, e3);
          }
        }
      }
      if (tile == tiles - 1 & thread == 0) {
        count.set(countAt, start + all);
        count.set(countAt + 1, RunCounter.next(count.get(countAt + 1)));
      }
    }
  }
}
