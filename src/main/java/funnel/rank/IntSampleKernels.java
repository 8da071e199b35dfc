package funnel.rank;

import funnel.block.BlockScan;
import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * Selects few candidates for {@link IntRankSelectKernels}, whose passes then need not read all
 * elements.
 */
@Twins("Long")
final class IntSampleKernels {

  /* A sample has one element of each of many equal parts of the input, at a place that only the
   * part's number decides. Each rank is between two elements of the sample, a little more than four
   * standard deviations from its expected place; overlapping ranges are joined. Then all elements
   * are read once: those strictly between two bounds are stored, and those below each bound and
   * equal to it are counted. The counts say where a rank is: at a bound itself, or among the stored
   * elements. If it is outside its bounds, or there is no room for the elements, passes read all
   * elements.
   *
   * Elements that equal a bound are only counted, so that an array of few different elements leaves
   * nothing to search; usually none of eight elements equals a bound, which costs nothing. The
   * order of elements makes no difference: a block reads rows of 256 elements at a fixed distance,
   * so that many blocks store what lies together.
   *
   * Places in the sorted sample are found by comparing each element of the sample with all others:
   * 16 per block, by 16 threads each. For 8192 elements that is 2^26 comparisons, less work than a
   * pass.
   *
   * Reads beyond the end give the last possible word. It is stored for no range; if it is counted
   * as equal to a bound, that bound is the last word, and no rank comes after it.
   */

  static final int THREADS = 256;

  /** A block finds the places of this many elements of the sample, whose size is a multiple. */
  static final int OWN = 16;

  static final int RANGES = 5;

  /* The description of ranges: two places in the sorted sample each, and for each rank its range.
   */

  private static final int OF_RANKS = 2 * RANGES;
  static final int PLACES = OF_RANKS + IntRankSelectKernels.RANKS;

  /** The place in the totals of the number of parts that had no room. */
  private static final int WITHOUT_ROOM = IntRankSelectKernels.COUNTERS - 1;

  private static final int ITEMS = 8;
  private static final int ROUNDS = 4;
  static final int DECIDERS = 64;

  private IntSampleKernels() {}

  /** The place of the sampled element of a part of the input. */
  static int place(int part, int size, int length) {
    int mixed = part * 0x9E3779B1;
    mixed = (mixed ^ ((mixed >> 15) & 0x1ffff)) * 0x85EBCA77;
    long share = ((long) part << 16) + ((mixed >> 13) & 0xffff);
    return (int) (((share * length / size) >> 16) & Integer.MAX_VALUE);
  }

  /** Takes the sample, and finds the places in it between which ranks are. */
  static void sample(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      @Value IntArray samples,
      @Value IntArray bounds,
      IntArray places,
      IntArray state,
      @AtLaunch int shapeAt,
      int size,
      int ranges,
      int bits,
      int complement,
      int kind) {
    int thread = context.localIdx;
    int i = context.globalIdx;
    int length = shape.get(shapeAt);
    if (state.get(IntRankSelectKernels.IS_SAMPLED) == 1) {
      if (i < size) {
        int from = shape.get(shapeAt + RankSelectStep.INPUT) + place(i, size, length);
        samples.set(i, IntRankSelectKernels.word(values.get(from), kind, complement));
      }
      @Value int least = ((@Value int) 1) << (bits - 1);
      if (i < 2 * ranges) {
        bounds.set(i, ~least);
        places.set(i, size);
      }
      context.localBarrier();
      if (i == 0) {
        int own = state.get(IntRankSelectKernels.OWN);
        double share = (double) size / length;
        int range = -1;
        int last = -1;
        for (int j = 0; j < own; j++) {
          int place = (int) (state.get(IntRankSelectKernels.PLACES + j) * share);
          int variance = (place + 1) * (size - place);
          int margin = 0;
          while (margin * margin * (size / 16) < variance) {
            margin = margin + 1;
          }
          margin = margin + 3;
          int isApart = place - margin > last | j == 0 ? 1 : 0;
          range = range + isApart;
          last = Scalars.max(last, place + margin);
          if (isApart == 1) {
            places.set(2 * range, place - margin);
            bounds.set(2 * range, least);
          }
          places.set(2 * range + 1, last);
          places.set(OF_RANKS + j, range);
        }
      }
    }
  }

  static void bounds(
      KernelContext context,
      @Value IntArray samples,
      @Value IntArray bounds,
      IntArray places,
      IntArray state,
      int size,
      int ranges) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    if (state.get(IntRankSelectKernels.IS_SAMPLED) == 1) {
      int[] counts = context.allocateIntLocalArray(THREADS);
      @Value int own = samples.get(block * OWN + (thread & (OWN - 1)));
      int ofThread = size / (THREADS / OWN);
      int first = thread / OWN * ofThread;
      int count = 0;
      for (int i = 0; i < ofThread; i += ITEMS) {
        for (int k = 0; k < ITEMS; k++) {
          @Value int other = samples.get(first + i + k);
          count = count + (other < own ? 1 : 0) + (other == own ? 1 << 16 : 0);
        }
      }
      counts[thread] = count;
      context.localBarrier();
      if (thread < OWN) {
        int all = 0;
        for (int k = 0; k < THREADS / OWN; k++) {
          all = all + counts[k * OWN + thread];
        }
        int less = all & 0xffff;
        int notMore = less + ((all >> 16) & 0xffff);
        for (int b = 0; b < 2 * ranges; b++) {
          int place = places.get(b);
          if (less <= place & place < notMore) {
            bounds.set(b, own);
          }
        }
      }
    }
  }

  /** Stores the elements between bounds, one block per part, and counts those below them. */
  static void filter(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      @Value IntArray candidates,
      IntArray stored,
      @Value IntArray bounds,
      IntArray state,
      IntArray totals,
      @AtLaunch int shapeAt,
      int ranges,
      int bits,
      int complement,
      int kind) {
    int thread = context.localIdx;
    int part = context.groupIdx;
    int parts = shape.get(shapeAt + RankSelectStep.PARTS);
    if (part < parts & state.get(IntRankSelectKernels.IS_SAMPLED) == 1) {
      int length = shape.get(shapeAt);
      int from = shape.get(shapeAt + RankSelectStep.INPUT);
      int room = shape.get(shapeAt + RankSelectStep.PART) / IntRankSelectKernels.ROOM;
      int to = part * room;
      int rows = (length - 1) / THREADS + 1;
      int[] counts = context.allocateIntLocalArray(2 * ranges * THREADS);
      @Value int[] limits = context.allocateIntLocalArray(2 * ranges);
      @Value int[] loaded = new @Value int[ITEMS];
      for (int c = 0; c < 2 * ranges; c++) {
        counts[c * THREADS + thread] = 0;
      }
      if (thread < 2 * ranges) {
        limits[thread] = bounds.get(thread);
      }
      context.localBarrier();
      int found = 0;
      int stride = parts * THREADS;
      int fullRows = length / THREADS;
      @Value int last = ~(((@Value int) 1) << (bits - 1));
      for (int tile = part; tile < rows; tile += ROUNDS * ITEMS * parts) {
        int isStored = 0;
        int rounds = Scalars.min((rows - tile - 1) / (ITEMS * parts) + 1, ROUNDS);
        for (int round = 0; round < rounds; round++) {
          int first = tile + round * ITEMS * parts;
          if (first + (ITEMS - 1) * parts < fullRows) {
            int at = from + first * THREADS + thread;
            for (int k = 0; k < ITEMS; k++) {
              loaded[k] = IntRankSelectKernels.word(values.get(at + k * stride), kind, complement);
            }
          } else {
            for (int k = 0; k < ITEMS; k++) {
              int row = Scalars.min(first + k * parts, rows - 1);
              int item = Scalars.min(row * THREADS + thread, length - 1);
              int isInside = first + k * parts < rows & row * THREADS < length - thread ? 1 : 0;
              @Value
              int word = IntRankSelectKernels.word(values.get(from + item), kind, complement);
              loaded[k] = isInside == 1 ? word : last;
            }
          }
          for (int range = 0; range < ranges; range++) {
            @Value int low = limits[2 * range];
            @Value int high = limits[2 * range + 1];
            int below = 0;
            int between = 0;
            int isEqual = 0;
            for (int k = 0; k < ITEMS; k++) {
              @Value int word = loaded[k];
              int isAbove = word > low ? 1 : 0;
              int isUnder = word < high ? 1 : 0;
              below = below + (word < low ? 1 : 0);
              between = between | ((isAbove & isUnder) << k);
              isEqual = isEqual | (word == low ? 1 : 0) | (word == high ? 1 : 0);
            }
            int lowEqual = 0;
            int highEqual = 0;
            if (isEqual == 1) {
              for (int k = 0; k < ITEMS; k++) {
                @Value int word = loaded[k];
                lowEqual = lowEqual + (word == low ? 1 : 0);
                highEqual = highEqual + (word == high ? 1 : 0);
              }
            }
            isStored = isStored | (between << (round * ITEMS));
            int under = below + Integer.bitCount(between) + (low < high ? lowEqual : 0);
            int ofLow = 2 * range * THREADS + thread;
            counts[ofLow] = counts[ofLow] + below + ((below + lowEqual) << 16);
            int ofHigh = ofLow + THREADS;
            counts[ofHigh] = counts[ofHigh] + under + ((under + highEqual) << 16);
          }
        }
        int[] prefixes = BlockScan.prefixSums(context, thread, THREADS, Integer.bitCount(isStored));
        int at = found + prefixes[thread];
        found = found + prefixes[THREADS + thread / THREADS];
        while (isStored != 0) {
          int rest = isStored & (isStored - 1);
          int k = Integer.bitCount((isStored ^ rest) - 1);
          int item = (tile + k * parts) * THREADS + thread;
          if (at < room) {
            candidates.set(
                to + at, IntRankSelectKernels.word(values.get(from + item), kind, complement));
          }
          at = at + 1;
          isStored = rest;
        }
        context.localBarrier();
      }
      if (thread == 0) {
        stored.set(part, Scalars.min(found, room));
        if (found > room) {
          context.atomicAdd(totals, WITHOUT_ROOM, 1);
        }
      }
      if (thread < 2 * ranges) {
        int low = 0;
        int high = 0;
        for (int u = 0; u < THREADS; u++) {
          int both = counts[thread * THREADS + ((u + thread) & (THREADS - 1))];
          low = low + (both & 0xffff);
          high = high + ((both >> 16) & 0xffff);
        }
        context.atomicAdd(totals, 2 * thread, low);
        context.atomicAdd(totals, 2 * thread + 1, high);
      }
    }
  }

  /** Directs passes to the candidates, if all ranks are between their bounds. */
  static void decide(
      KernelContext context,
      @Value IntArray words,
      @Value IntArray bounds,
      IntArray places,
      IntArray state,
      IntArray totals,
      int ranges) {
    int thread = context.localIdx;
    if (state.get(IntRankSelectKernels.IS_SAMPLED) == 1) {
      /* For each range the numbers of elements below its low bound, not above it, below its high
       * bound, and not above that.
       */
      int[] counts = context.allocateIntLocalArray(4 * RANGES);
      int[] before = context.allocateIntLocalArray(RANGES);
      int[] ranks = context.allocateIntLocalArray(IntRankSelectKernels.RANKS);
      int[] numbers = context.allocateIntLocalArray(IntRankSelectKernels.RANKS);
      int own = state.get(IntRankSelectKernels.OWN);
      int misses = totals.get(WITHOUT_ROOM);
      if (thread < 4 * ranges) {
        counts[thread] = totals.get(thread);
      }
      if (thread < IntRankSelectKernels.RANKS) {
        ranks[thread] = state.get(IntRankSelectKernels.PLACES + thread);
        numbers[thread] = state.get(IntRankSelectKernels.NUMBERS + thread);
      }
      context.localBarrier();
      totals.set(thread, 0);
      if (thread == 0) {
        totals.set(WITHOUT_ROOM, 0);
        int stored = 0;
        for (int range = 0; range < ranges; range++) {
          before[range] = stored;
          stored = stored + Scalars.max(counts[4 * range + 2] - counts[4 * range + 1], 0);
        }
        int known = 0;
        for (int j = 0; j < own; j++) {
          int c = 4 * places.get(OF_RANKS + j);
          int rank = ranks[j];
          misses = misses + (rank < counts[c] | rank >= counts[c + 3] ? 1 : 0);
          known = known + (rank < counts[c + 1] | rank >= counts[c + 2] ? 1 : 0);
        }
        int next = 0;
        int nextKnown = own - known;
        for (int j = 0; j < own; j++) {
          int range = places.get(OF_RANKS + j);
          int rank = ranks[j];
          int isLow = rank < counts[4 * range + 1] ? 1 : 0;
          int isKnown = rank >= counts[4 * range + 2] ? 1 : isLow;
          int to = isKnown == 1 ? nextKnown : next;
          int belowIt = isLow == 1 ? counts[4 * range] : counts[4 * range + 2];
          int belowStored = counts[4 * range + 1] - before[range];
          if (misses == 0) {
            state.set(
                IntRankSelectKernels.PLACES + to, rank - (isKnown == 1 ? belowIt : belowStored));
            state.set(IntRankSelectKernels.NUMBERS + to, numbers[j]);
            if (isKnown == 1) {
              words.set(to, bounds.get(2 * range + 1 - isLow));
            }
          }
          next = next + 1 - isKnown;
          nextKnown = nextKnown + isKnown;
        }
        if (misses == 0) {
          state.set(IntRankSelectKernels.IS_OF_ALL, 0);
          state.set(IntRankSelectKernels.OWN, own - known);
          if (own == known) {
            state.set(IntRankSelectKernels.WIDTH, 0);
          }
        }
      }
    }
  }
}
