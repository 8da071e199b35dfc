package funnel.rank;

import funnel.block.BlockReduce;
import funnel.block.BlockScan;
import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import funnel.sort.KeyWords;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link RankSelectStep}. */
@Twins({"Byte", "Long"})
final class IntRankSelectKernels {

  /* A radix selection from the highest digit down. For each rank the leading digits of the word at
   * it are known; words with the same leading digits are its candidates. A pass counts the next
   * digit of all candidates, and a block chooses for each rank the digit whose count contains it.
   *
   * Ranks are divided into sets of 16, in ascending order, each with its own passes in the same
   * launches. Ranks with the same candidates share counters: they are a group. A set has 256
   * counters, and a digit as many bits as fit: 8 for a single group, 4 for 16. Groups ascend as
   * their ranks do, so that a word finds its group by a binary search in local memory, with as many
   * steps as the largest number of groups needs. The search is not a loop, which would keep the
   * words in slower memory.
   *
   * Counting: a block has a part of the words, consecutive tiles. Each of its 64 threads has a
   * counter of 8 bits for each digit, four of them in an int of local memory: counter c is in byte
   * c / 64 of word c % 64. They are summed before one can overflow, and a part's sums are added to
   * the set's by global atomic additions, whose order does not matter.
   *
   * What a launch must know of earlier ones is in memory: state and words of each set. If a set
   * needs fewer passes than there are launches, the others return immediately. For many elements a
   * sample may have left few candidates; passes then count only these.
   *
   * For the first elements, the last rank's word is found in this way. Then words before it and
   * equal ones are counted in each part, and stored in order from each part's start; equal ones as
   * long as there is room. Parts without any return immediately: most of them if there are few
   * such elements.
   *
   * A word is compared as it is, or as its complement if the largest comes first. Its sign is
   * inverted in the first digit. Floating-point numbers are bound as the integers of their bits,
   * which become words as they are read.
   */

  static final int COUNT_THREADS = 64;
  static final int THREADS = 256;

  /** As the least number of elements for a sample, switches samples off. */
  static final int NEVER = Integer.MAX_VALUE;

  /** A part's number of words is a multiple of this. */
  static final int TILE = 4096;

  /** Counters of a set, and the bits of a counter's index. */
  static final int COUNTERS = 256;

  static final int BITS = 8;
  static final int RANKS = 16;

  private static final int ROWS = COUNTERS / 4;
  private static final int ROUND = 8;

  /** Rounds before counters of 8 bits are summed. */
  private static final int MOST_ROUNDS = 24;

  private static final int ITEMS = 8;

  /* Ints of a set's state. */

  static final int STATE = 64;
  private static final int SHIFT = 0;
  static final int WIDTH = 1;
  private static final int FLIP = 2;
  private static final int GROUPS = 3;

  /** The ranks that passes search, the first ones of the set; the words at the others are known. */
  static final int OWN = 4;

  static final int IS_SAMPLED = 5;

  /** 1 if candidates are searched among all elements, 0 if among the stored ones. */
  static final int IS_OF_ALL = 6;

  /** For each rank its place among its candidates, its group, and its number among all. */
  static final int PLACES = 16;

  private static final int OF_GROUPS = 32;
  static final int NUMBERS = 48;

  /* A set's words: those of each rank, those of each group, and their known bits. */

  static final int WORDS = 48;
  private static final int PREFIXES = 16;
  private static final int KNOWN = 32;

  /** A part has room to store one of this many elements. */
  static final int ROOM = 4;

  /* Kinds of elements. */

  static final int INTEGERS = 0;
  static final int NUMBERS_APART = 1;
  static final int NUMBERS_MERGED = 2;

  /* Kinds of ranks. */

  static final int FIRST = 0;
  static final int QUANTILES = 1;
  static final int INTERPOLATED = 2;

  private IntRankSelectKernels() {}

  static @Value int word(@Value int bits, int kind, int complement) {
    @Value int word = kind == INTEGERS ? bits : KeyWords.word(bits);
    return (kind == NUMBERS_MERGED ? KeyWords.merged(word) : word) ^ complement;
  }

  /** The quantile that {@link Ranks#ints} states there. */
  private static double quantile(IntArray shape, int at) {
    double quantile = (double) shape.get(at) * (1 << Ranks.LOW_BITS) + shape.get(at + 1);
    int halvings = shape.get(at + 2);
    for (int i = 0; i < halvings; i++) {
      quantile = quantile * 0.5;
    }
    return quantile;
  }

  /** Makes the first state of each set, one block per set. */
  static void begin(
      KernelContext context,
      IntArray shape,
      @Value IntArray words,
      IntArray state,
      IntArray totals,
      DoubleArray places,
      DoubleArray weights,
      @AtLaunch int shapeAt,
      int rule,
      int bits,
      int isSigned,
      int leastSampled) {
    int thread = context.localIdx;
    int set = context.groupIdx;
    int length = shape.get(shapeAt);
    int number = set * RANKS + thread;
    int own = Scalars.min(shape.get(shapeAt + RankSelectStep.RANKS) - set * RANKS, RANKS);
    int isRank = thread < own & length > 0 ? 1 : 0;
    int at = set * STATE;
    int[] ranks = context.allocateIntLocalArray(RANKS);
    totals.set(set * COUNTERS + thread, 0);
    if (thread < WORDS) {
      words.set(set * WORDS + thread, (@Value int) 0);
    }
    if (isRank == 1 & rule != FIRST) {
      int quantile = rule == INTERPOLATED ? number / 2 : number;
      int between = rule == INTERPOLATED ? length - 1 : length;
      double share = quantile(shape, shapeAt + RankSelectStep.QUANTILES + quantile * Ranks.INTS);
      places.set(number, share * between);
    }
    context.localBarrier(); // a stored value is rounded, not part of a fused operation
    if (isRank == 1) {
      int rank = Scalars.min(shape.get(shapeAt + RankSelectStep.FIRST), length) - 1;
      if (rule != FIRST) {
        double place = places.get(number);
        rank = (int) place;
        if (rule == INTERPOLATED) {
          if ((number & 1) == 0) {
            weights.set(number / 2, place - rank);
          }
          rank = rank + (number & 1);
        } else {
          rank = Scalars.max(rank + (rank < place ? 1 : 0) - 1, 0);
        }
        rank = Scalars.min(rank, length - 1);
      }
      ranks[thread] = rank;
    }
    context.localBarrier();
    if (isRank == 1) {
      int rank = ranks[thread];
      int before = 0;
      for (int i = 0; i < own; i++) {
        int other = ranks[i];
        before = before + (other < rank | (other == rank & i < thread) ? 1 : 0);
      }
      state.set(at + PLACES + before, rank);
      state.set(at + OF_GROUPS + before, 0);
      state.set(at + NUMBERS + before, number);
    }
    if (thread == 0) {
      state.set(at + SHIFT, bits - BITS);
      state.set(at + WIDTH, length > 0 ? BITS : 0);
      state.set(at + FLIP, isSigned == 1 ? 1 << (BITS - 1) : 0);
      state.set(at + GROUPS, 1);
      state.set(at + OWN, own);
      state.set(at + IS_SAMPLED, length >= leastSampled ? 1 : 0);
      state.set(at + IS_OF_ALL, 1);
    }
  }

  /** Counts candidates by their next digit; each block of a set has a part. */
  static void count(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      @Value IntArray candidates,
      IntArray stored,
      @Value IntArray words,
      IntArray state,
      IntArray totals,
      @AtLaunch int shapeAt,
      @AtLaunch int parts,
      int steps,
      int complement,
      int kind,
      int leastSampled) {
    int thread = context.localIdx;
    int set = context.groupIdx / parts;
    int part = context.groupIdx % parts;
    int at = set * STATE;
    int width = state.get(at + WIDTH);
    if (part < shape.get(shapeAt + RankSelectStep.PARTS) & width > 0) {
      int ofPart = shape.get(shapeAt + RankSelectStep.PART);
      int begin = part * ofPart;
      int inPart = Scalars.min(shape.get(shapeAt) - begin, ofPart);
      int from = shape.get(shapeAt + RankSelectStep.INPUT) + begin;
      int isOfAll = 1;
      if (leastSampled < NEVER) {
        isOfAll = state.get(at + IS_OF_ALL);
      }
      if (isOfAll == 0) {
        inPart = stored.get(part);
        from = part * (ofPart / ROOM);
      }
      int shift = state.get(at + SHIFT);
      int flip = state.get(at + FLIP);
      int groups = state.get(at + GROUPS);
      int mask = (1 << width) - 1;
      @Value int known = words.get(set * WORDS + KNOWN);
      int[] counters = context.allocateIntLocalArray(ROWS * COUNT_THREADS);
      @Value int[] prefixes = context.allocateIntLocalArray(RANKS);
      @Value int[] loaded = new @Value int[ROUND];
      if (thread < RANKS) {
        prefixes[thread] = words.get(set * WORDS + PREFIXES + thread);
      }
      int sum0 = 0;
      int sum1 = 0;
      int sum2 = 0;
      int sum3 = 0;
      for (int left = inPart; left > 0; left -= MOST_ROUNDS * ROUND * COUNT_THREADS) {
        int first = from + inPart - left;
        int rounds =
            Scalars.min((left + ROUND * COUNT_THREADS - 1) / (ROUND * COUNT_THREADS), MOST_ROUNDS);
        for (int k = 0; k < ROWS; k++) {
          counters[k * COUNT_THREADS + thread] = 0;
        }
        context.localBarrier();
        for (int r = 0; r < rounds; r++) {
          int own = r * (ROUND * COUNT_THREADS) + thread;
          if (isOfAll == 1) {
            for (int k = 0; k < ROUND; k++) {
              int item = Scalars.min(own + k * COUNT_THREADS, left - 1);
              loaded[k] = word(Scalars.value(values.get(first + item)), kind, complement);
            }
          } else {
            for (int k = 0; k < ROUND; k++) {
              int item = Scalars.min(own + k * COUNT_THREADS, left - 1);
              loaded[k] = candidates.get(first + item);
            }
          }
          for (int k = 0; k < ROUND; k++) {
            @Value int word = loaded[k];
            @Value int prefix = word & known;
            int group = 0;
            for (int step = 1; step <= steps; step++) {
              int next = group + (1 << (steps - step));
              int isBefore = prefixes[next & (RANKS - 1)] > prefix ? 1 : 0;
              group = next < groups & isBefore == 0 ? next : group;
            }
            int isCandidate = prefixes[group] == prefix ? 1 : 0;
            isCandidate = own + k * COUNT_THREADS < left ? isCandidate : 0;
            int c = (group << width) + (KeyWords.low((word >> shift) & mask) ^ flip);
            int to = (c & (ROWS - 1)) * COUNT_THREADS + thread;
            counters[to] = counters[to] + (isCandidate << ((c >> 3) & 24));
          }
        }
        context.localBarrier();
        int even = 0;
        int odd = 0;
        for (int u = 0; u < COUNT_THREADS; u++) {
          int word = counters[thread * COUNT_THREADS + ((u + thread) & (COUNT_THREADS - 1))];
          even = even + (word & 0x00ff00ff);
          odd = odd + ((word >> 8) & 0x00ff00ff);
        }
        sum0 = sum0 + (even & 0xffff);
        sum1 = sum1 + (odd & 0xffff);
        sum2 = sum2 + ((even >> 16) & 0xffff);
        sum3 = sum3 + ((odd >> 16) & 0xffff);
        context.localBarrier();
      }
      int to = set * COUNTERS + thread;
      if (sum0 > 0) {
        context.atomicAdd(totals, to, sum0);
      }
      if (sum1 > 0) {
        context.atomicAdd(totals, to + ROWS, sum1);
      }
      if (sum2 > 0) {
        context.atomicAdd(totals, to + 2 * ROWS, sum2);
      }
      if (sum3 > 0) {
        context.atomicAdd(totals, to + 3 * ROWS, sum3);
      }
    }
  }

  /** Chooses each rank's digit, with a thread for each counter of a set. */
  static void choose(
      KernelContext context, @Value IntArray words, IntArray state, IntArray totals) {
    int thread = context.localIdx;
    int set = context.groupIdx;
    int at = set * STATE;
    int wordsAt = set * WORDS;
    int width = state.get(at + WIDTH);
    if (width > 0) {
      int shift = state.get(at + SHIFT);
      int mask = (1 << width) - 1;
      int[] places = context.allocateIntLocalArray(2 * RANKS);
      @Value int[] found = context.allocateIntLocalArray(RANKS);
      int total = totals.get(set * COUNTERS + thread);
      totals.set(set * COUNTERS + thread, 0);
      if (thread < RANKS) {
        places[thread] = state.get(at + PLACES + thread);
        places[RANKS + thread] = state.get(at + OF_GROUPS + thread);
        found[thread] = words.get(wordsAt + thread);
      }
      int[] starts = BlockScan.prefixSums(context, thread, THREADS, total);
      int start = starts[thread];
      int own = state.get(at + OWN);
      @Value int digit = (@Value int) ((thread & mask) ^ state.get(at + FLIP));
      for (int j = 0; j < own; j++) {
        int group = places[RANKS + j];
        int place = starts[group << width] + places[j];
        int isIn = ((thread >> width) & (COUNTERS - 1)) == group ? 1 : 0;
        if (isIn == 1 & start <= place & place - start < total) {
          state.set(at + PLACES + j, place - start);
          words.set(wordsAt + j, found[j] | (digit << shift));
        }
      }
      context.localBarrier();
      if (thread == 0) {
        words.set(wordsAt + KNOWN, words.get(wordsAt + KNOWN) | (((@Value int) mask) << shift));
        int group = 0;
        for (int j = 0; j < own; j++) {
          @Value int word = words.get(wordsAt + j);
          group = group + (word != words.get(wordsAt + Scalars.max(j - 1, 0)) ? 1 : 0);
          state.set(at + OF_GROUPS + j, group);
          words.set(wordsAt + PREFIXES + group, word);
        }
        int bits = BITS;
        while ((group + 1) << bits > COUNTERS) {
          bits = bits - 1;
        }
        bits = Scalars.min(bits, shift);
        state.set(at + SHIFT, shift - bits);
        state.set(at + WIDTH, bits);
        state.set(at + FLIP, 0);
        state.set(at + GROUPS, group + 1);
      }
    }
  }

  /** Stores the elements at all ranks, one block per set. */
  static void report(
      KernelContext context,
      IntArray shape,
      @Value IntArray words,
      IntArray state,
      @Element IntArray output,
      IntArray count,
      @AtLaunch int shapeAt,
      @AtLaunch int countAt,
      int kind) {
    int thread = context.localIdx;
    int set = context.groupIdx;
    int length = shape.get(shapeAt);
    int ranks = shape.get(shapeAt + RankSelectStep.RANKS);
    if (thread < RANKS & set * RANKS + thread < ranks & length > 0) {
      int number = state.get(set * STATE + NUMBERS + thread);
      @Value int word = words.get(set * WORDS + thread);
      output.set(
          shape.get(shapeAt + RankSelectStep.OUTPUT) + number,
          (@Element int) (kind == INTEGERS ? word : KeyWords.bits(word)));
    }
    if (thread == 0 & set == 0) {
      int runs = RunCounter.next(count.get(countAt + 1));
      count.set(countAt, length > 0 ? ranks : 0);
      count.set(countAt + 1, runs);
    }
  }

  /** Counts a part's words before the word at the last rank, and those equal to it. */
  static void sides(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      @Value IntArray words,
      IntArray before,
      IntArray equal,
      @AtLaunch int shapeAt,
      int complement,
      int kind) {
    int thread = context.localIdx;
    int part = context.groupIdx;
    if (part < shape.get(shapeAt + RankSelectStep.PARTS)) {
      int begin = part * shape.get(shapeAt + RankSelectStep.PART);
      int inPart =
          Scalars.min(shape.get(shapeAt) - begin, shape.get(shapeAt + RankSelectStep.PART));
      int from = shape.get(shapeAt + RankSelectStep.INPUT) + begin;
      @Value int last = words.get(0);
      int ownBefore = 0;
      int ownEqual = 0;
      for (int i = thread; i < inPart; i += ITEMS * THREADS) {
        for (int k = 0; k < ITEMS; k++) {
          int item = Scalars.min(i + k * THREADS, inPart - 1);
          @Value int word = word(Scalars.value(values.get(from + item)), kind, complement);
          int isInside = i + k * THREADS < inPart ? 1 : 0;
          ownBefore = ownBefore + (word < last ? isInside : 0);
          ownEqual = ownEqual + (word == last ? isInside : 0);
        }
      }
      long both = ((long) ownBefore << 32) + ownEqual;
      both = BlockReduce.sum(context, thread, THREADS, both);
      if (thread == 0) {
        before.set(part, (int) ((both >> 32) & 0xffffffffL));
        equal.set(part, (int) (both & 0xffffffffL));
      }
    }
  }

  /** Finds where the words that {@link #sides} counted in each part begin, in one block. */
  static void starts(
      KernelContext context,
      IntArray shape,
      IntArray before,
      IntArray equal,
      IntArray startsBefore,
      IntArray startsEqual,
      @AtLaunch int shapeAt) {
    int thread = context.localIdx;
    int parts = shape.get(shapeAt + RankSelectStep.PARTS);
    int own = (parts + THREADS - 1) / THREADS;
    int first = thread * own;
    long sum = 0L;
    for (int k = 0; k < own; k++) {
      int part = Scalars.min(first + k, parts - 1);
      long both = ((long) before.get(part) << 32) + equal.get(part);
      sum = sum + (first + k < parts ? both : 0L);
    }
    long start = BlockScan.exclusiveSum(context, thread, THREADS, sum);
    for (int k = 0; k < own; k++) {
      int part = Scalars.min(first + k, parts - 1);
      long both = ((long) before.get(part) << 32) + equal.get(part);
      if (first + k < parts) {
        startsBefore.set(part, (int) ((start >> 32) & 0xffffffffL));
        startsEqual.set(part, (int) (start & 0xffffffffL));
      }
      start = start + both;
    }
  }

  /**
   * Stores the positions of the first elements: those before the word at the last rank, then equal
   * ones.
   */
  static void store(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      @Value IntArray words,
      IntArray state,
      IntArray before,
      IntArray equal,
      IntArray startsBefore,
      IntArray startsEqual,
      IntArray positions,
      IntArray count,
      @AtLaunch int shapeAt,
      @AtLaunch int countAt,
      int complement,
      int kind,
      int isLast) {
    int thread = context.localIdx;
    int part = context.groupIdx;
    int length = shape.get(shapeAt);
    int wanted = Scalars.min(shape.get(shapeAt + RankSelectStep.FIRST), length);
    int equalWanted = length > 0 ? state.get(PLACES) + 1 : 0;
    int isInUse = part < shape.get(shapeAt + RankSelectStep.PARTS) ? 1 : 0;
    int at = isInUse == 1 ? startsBefore.get(part) : 0;
    int equalAt = isInUse == 1 ? startsEqual.get(part) : 0;
    int here = isInUse == 1 ? before.get(part) : 0;
    int equalHere = isInUse == 1 & equalAt < equalWanted ? equal.get(part) : 0;
    if (here + equalHere > 0) {
      int begin = part * shape.get(shapeAt + RankSelectStep.PART);
      int inPart = Scalars.min(length - begin, shape.get(shapeAt + RankSelectStep.PART));
      int from = shape.get(shapeAt + RankSelectStep.INPUT) + begin;
      int to = isLast == 1 ? shape.get(shapeAt + RankSelectStep.OUTPUT) : 0;
      int toEqual = to + wanted - equalWanted;
      @Value int last = words.get(0);
      for (int left = inPart; left > 0; left -= ITEMS * THREADS) {
        int first = inPart - left;
        int own = thread * ITEMS;
        int isBefore = 0;
        int isEqual = 0;
        for (int k = 0; k < ITEMS; k++) {
          int item = Scalars.min(own + k, left - 1);
          @Value int word = word(Scalars.value(values.get(from + first + item)), kind, complement);
          int bit = own + k < left ? 1 << k : 0;
          isBefore = isBefore | (word < last ? bit : 0);
          isEqual = isEqual | (word == last ? bit : 0);
        }
        int both = Integer.bitCount(isBefore) + (Integer.bitCount(isEqual) << 16);
        int[] prefixes = BlockScan.prefixSums(context, thread, THREADS, both);
        int next = at + (prefixes[thread] & 0xffff);
        int nextEqual = equalAt + ((prefixes[thread] >> 16) & 0xffff);
        for (int k = 0; k < ITEMS; k++) {
          int is = (isBefore >> k) & 1;
          int isTaken = (isEqual >> k) & (nextEqual < equalWanted ? 1 : 0);
          if (is == 1) {
            positions.set(to + next, begin + first + own + k);
          }
          if (isTaken == 1) {
            positions.set(toEqual + nextEqual, begin + first + own + k);
          }
          next = next + is;
          nextEqual = nextEqual + isTaken;
        }
        int all = prefixes[THREADS + thread / THREADS];
        at = at + (all & 0xffff);
        equalAt = equalAt + ((all >> 16) & 0xffff);
        context.localBarrier();
      }
    }
    if (part == 0 & thread == 0 & isLast == 1) {
      int runs = RunCounter.next(count.get(countAt + 1));
      count.set(countAt, wanted);
      count.set(countAt + 1, runs);
    }
  }

  /** Puts positions in the order of their elements, a thread each; equal ones keep theirs. */
  static void order(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      IntArray positions,
      IntArray ordered,
      IntArray count,
      @AtLaunch int shapeAt,
      @AtLaunch int countAt,
      int complement,
      int kind) {
    int thread = context.localIdx;
    int wanted = Scalars.min(shape.get(shapeAt + RankSelectStep.FIRST), shape.get(shapeAt));
    int from = shape.get(shapeAt + RankSelectStep.INPUT);
    @Value int[] words = context.allocateIntLocalArray(THREADS);
    int position = thread < wanted ? positions.get(thread) : 0;
    @Value int own = (@Value int) 0;
    if (thread < wanted) {
      own = word(Scalars.value(values.get(from + position)), kind, complement);
      words[thread] = own;
    }
    context.localBarrier();
    int before = 0;
    for (int i = 0; i < wanted; i++) {
      @Value int other = words[i];
      before = before + (other < own ? 1 : 0) + (other == own & i < thread ? 1 : 0);
    }
    if (thread < wanted) {
      ordered.set(shape.get(shapeAt + RankSelectStep.OUTPUT) + before, position);
    }
    if (thread == 0) {
      int runs = RunCounter.next(count.get(countAt + 1));
      count.set(countAt, wanted);
      count.set(countAt + 1, runs);
    }
  }
}
