package funnel.rank;

import funnel.operation.ParallelRows;
import funnel.operator.ElementType;
import funnel.sort.KeyWords;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** JVM form of a {@link RankSelectStep}, for one run. */
final class RankSelectLoops {

  /* As on a device, a radix selection from the highest digit down, over words that are compared as
   * unsigned numbers, in the lowest bits of longs. Ranks with the same candidates are a group.
   * Several threads count the digits of parts of the elements. When few candidates are left, they
   * are copied, and later passes read only these.
   *
   * For many elements a sample selects the few that matter, as on a device: a rank is nearly always
   * between the sample's elements four standard deviations before and after its expected place. One
   * read counts the elements before each such range, and copies those in it. If a rank is in no
   * range, or too many elements are in ranges, it continues as without a sample.
   *
   * Leading bits may be the same in all words, as in small numbers: if some words at the beginning
   * share a digit, all words are compared, in a vectorized loop. Counting such a digit would be
   * slowest, since all additions would wait for the same counter.
   */

  private static final int BITS = 11;
  private static final int MOST_COUNTERS = 1 << 16;
  private static final int ELEMENTS_OF_A_PART = 1 << 15;
  private static final int PARTS_PER_CORE = 4;

  /** Candidates are copied if they are at most this fraction of the elements. */
  private static final int FEW = 4;

  private static final int SAMPLE = 1 << 13;

  /** Passes over fewer elements take no longer than a sample. */
  private static final int LEAST_SAMPLED = 1 << 20;

  /** With more ranks, passes over all elements take no longer. */
  private static final int MOST_SAMPLED = 8;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  private final int length;
  private final ElementType type;
  private final Ranks ranks;
  private final int bits;
  private final RankWords words;
  private final int parts;
  private final int leastSampled;

  /* What is known of the words at the ranks. */

  private int top; // bits below those that are the same in all words
  private int low; // number of bits that are not known yet
  private long known; // the others, as a mask
  private long[] prefixes = {0}; // of the groups, ascending
  private int[]
      firsts = {}; // for each digit below the top the first group that has it or a higher one
  private int[] groups = {}; // of the ranks
  private int[] places = {}; // of the ranks among their candidates
  private long @Nullable [][] candidates; // of each part, if they were copied

  RankSelectLoops(MemorySegment values, int length, ElementType type, Ranks ranks) {
    this(values, length, type, ranks, LEAST_SAMPLED);
  }

  /** Loops that also sample fewer elements, at least one. */
  RankSelectLoops(
      MemorySegment values, int length, ElementType type, Ranks ranks, int leastSampled) {
    this.leastSampled = leastSampled;
    this.length = length;
    this.type = type;
    this.ranks = ranks;
    bits = 8 * type.bytes();
    words = new RankWords(values, type, ranks.isDescending(), ranks.isFirst());
    parts =
        ParallelRows.mayBeShared(values)
            ? Math.clamp(length / ELEMENTS_OF_A_PART, 1, PARTS_PER_CORE * ParallelRows.cores())
            : 1;
    top = bits;
  }

  private int bound(int part) {
    return ParallelRows.first(length, parts, part);
  }

  private void elements(int part, RankWords.Block body) {
    words.elements(bound(part), bound(part + 1), body);
  }

  private void candidates(int part, RankWords.Block body) {
    if (candidates == null) {
      elements(part, body);
    } else {
      body.words(candidates[part], candidates[part].length, 0);
    }
  }

  /** The group of a word, or a negative number. */
  private int group(long word) {
    int digit = topDigit(word);
    int first = firsts[digit];
    int end = firsts[digit + 1];
    if (end - first < 2) {
      return first < end && prefixes[first] == (word & known) ? first : -1;
    }
    return Arrays.binarySearch(prefixes, first, end, word & known);
  }

  private int topShift() {
    return Math.max(0, top - BITS);
  }

  private int topDigit(long word) {
    return (int) (word >>> topShift()) & (1 << top - topShift()) - 1;
  }

  /** Bits that are set in all words of a range, and bits that are in any. */
  private record Common(long inAll, long inAny) {
    int top() {
      return Long.SIZE - Long.numberOfLeadingZeros(inAll ^ inAny);
    }

    Common and(Common other) {
      return new Common(inAll & other.inAll, inAny | other.inAny);
    }
  }

  private static Common common(long[] words, int count) {
    long inAll = -1;
    long inAny = 0;
    for (int i = 0; i < count; i++) {
      inAll &= words[i];
      inAny |= words[i];
    }
    return new Common(inAll, inAny);
  }

  private Common common(int part) {
    Common[] all = {new Common(-1, 0)};
    candidates(part, (words, count, _) -> all[0] = all[0].and(common(words, count)));
    return all[0];
  }

  /** Whether some words at the beginning have the same digit in front. */
  private boolean mayShareDigit() {
    boolean[] share = {false};
    words.elements(
        0,
        Math.min(RankWords.BLOCK, length),
        (words, count, _) -> share[0] = common(words, count).top() <= bits - BITS);
    return share[0];
  }

  /** Records the bits that all words share, if they are at least a digit. */
  private void begin() {
    top = bits;
    known = 0;
    prefixes = new long[] {0};
    if (candidates != null || mayShareDigit()) {
      Common[] ofParts = new Common[parts];
      ParallelRows.deal(parts, part -> ofParts[part] = common(part));
      Common common = ofParts[0];
      for (Common each : ofParts) {
        common = common.and(each);
      }
      top = common.top();
      known = top == Long.SIZE ? 0 : words.all() & -1L << top;
      prefixes[0] = common.inAll() & known;
    }
    low = top;
  }

  /** Finds the words at the ranks, which ascend. */
  private void find(int[] wanted) {
    places = wanted.clone();
    groups = new int[wanted.length];
    long left = length >= leastSampled && wanted.length <= MOST_SAMPLED ? sample() : length;
    begin();
    int[][] counts = new int[parts][];
    while (low > 0) {
      int width = Math.min(BITS, low);
      while (prefixes.length << width > MOST_COUNTERS) {
        width--;
      }
      int ofWidth = width;
      int shift = low - width;
      ParallelRows.deal(parts, part -> counts[part] = counts(part, shift, ofWidth));
      int[] totals = counts[0].clone();
      for (int part = 1; part < parts; part++) {
        for (int c = 0; c < totals.length; c++) {
          totals[c] += counts[part][c];
        }
      }
      int[] chosen = choose(totals, width);
      low = shift;
      known |= ((1L << width) - 1) << shift;
      long[] next = new long[chosen.length];
      long of = 0;
      for (int g = 0; g < chosen.length; g++) {
        long digit = chosen[g] & ((1 << width) - 1);
        next[g] = prefixes[chosen[g] >> width] | digit << shift;
        of += totals[chosen[g]];
      }
      prefixes = next;
      firsts = new int[(1 << top - topShift()) + 1];
      for (long prefix : prefixes) {
        firsts[topDigit(prefix) + 1]++;
      }
      Arrays.parallelPrefix(firsts, Integer::sum);
      if (low > 0 && of <= left / FEW) {
        long[][] copied = new long[parts][];
        ParallelRows.deal(
            parts,
            part -> {
              int size = IntStream.of(chosen).map(c -> counts[part][c]).sum();
              copied[part] = copied(part, size);
            });
        candidates = copied;
        left = of;
      }
    }
  }

  /**
   * A range of words, from {@code low} to {@code low + span}, and the numbers of elements before
   * and in it.
   */
  private static final class Range {
    private final long low;
    private long span;
    private long before;
    private long inside;

    Range(long low, long span) {
      this.low = low;
      this.span = span;
    }

    /** Adds 1 to the marks of words that are in it; for words of less than 64 bits it is faster. */
    void mark(long[] words, int count, boolean isNarrow, long[] marks) {
      long less = 0;
      long in = 0;
      if (isNarrow) {
        for (int i = 0; i < count; i++) { // C2 vectorizes only this loop
          long above = words[i] - low;
          long isIn = ~(above | span - above) >>> Long.SIZE - 1;
          less += above >>> Long.SIZE - 1;
          in += isIn;
          marks[i] += isIn;
        }
      } else {
        for (int i = 0; i < count; i++) {
          long above = words[i] - low;
          long isIn = 1 - borrowed(span, above);
          less += borrowed(words[i], low);
          in += isIn;
          marks[i] += isIn;
        }
      }
      before += less;
      inside += in;
    }

    /** 1 if {@code a} is less than {@code b} as unsigned numbers, else 0. */
    private static long borrowed(long a, long b) {
      return (~a & b | (~a | b) & a - b) >>> Long.SIZE - 1;
    }
  }

  /** The ranges in which a sample expects the ranks, ascending, and each rank's range. */
  private List<Range> ranges(int[] ofRanks) {
    long[] sample = new long[SAMPLE];
    ParallelRows.run( // each may be on a page of a file that is not loaded yet
        SAMPLE,
        parts > 1 ? length : 0,
        (from, end) -> {
          for (int i = from; i < end; i++) {
            int to = i;
            int at = IntSampleKernels.place(i, SAMPLE, length);
            words.elements(at, at + 1, (some, _, _) -> sample[to] = some[0] ^ Long.MIN_VALUE);
          }
        });
    Arrays.sort(sample);
    List<Range> ranges = new ArrayList<>();
    for (int j = 0; j < places.length; j++) {
      double place = (double) places[j] * SAMPLE / length;
      double margin = 4 * Math.sqrt((place + 1) * (SAMPLE - place) / SAMPLE) + 3;
      long low = place < margin ? 0 : sample[(int) (place - margin)] ^ Long.MIN_VALUE;
      boolean isLast = place + margin >= SAMPLE - 1;
      long high = isLast ? words.all() : sample[(int) (place + margin)] ^ Long.MIN_VALUE;
      Range before = ranges.isEmpty() ? null : ranges.getLast();
      if (before != null && Long.compareUnsigned(low, before.low + before.span) <= 0) {
        before.span = high - before.low;
      } else {
        ranges.add(new Range(low, high - low));
      }
      ofRanks[j] = ranges.size() - 1;
    }
    return ranges;
  }

  /**
   * Copies the candidates that a sample leaves, and returns their number; returns the number of
   * elements if there are too many candidates, or a rank is not among them.
   */
  private long sample() {
    int[] ofRanks = new int[places.length];
    List<Range> ranges = ranges(ofRanks);
    Range[][] own = new Range[parts][];
    long[][] copied = new long[parts][];
    AtomicLong room = new AtomicLong(length / FEW);
    ParallelRows.deal(
        parts,
        part -> {
          Range[] mine = ranges.stream().map(r -> new Range(r.low, r.span)).toArray(Range[]::new);
          long[][] to = {new long[2 * RankWords.BLOCK]};
          int[] at = {0};
          long[] marks = new long[RankWords.BLOCK];
          elements(
              part,
              (words, count, _) -> {
                if (room.get() >= 0) {
                  Arrays.fill(marks, 0);
                  for (Range range : mine) {
                    range.mark(words, count, bits < Long.SIZE, marks);
                  }
                  int begin = at[0];
                  if (to[0].length < begin + count) {
                    to[0] = Arrays.copyOf(to[0], 2 * begin + count);
                  }
                  at[0] = copyMarked(words, marks, count, to[0], begin);
                  room.addAndGet(begin - at[0]);
                }
              });
          own[part] = mine;
          copied[part] = Arrays.copyOf(to[0], at[0]);
        });
    if (room.get() < 0) {
      return length;
    }
    long[] inBefore = new long[ranges.size() + 1];
    for (int r = 0; r < ranges.size(); r++) {
      Range range = ranges.get(r);
      for (Range[] ofPart : own) {
        range.before += ofPart[r].before;
        range.inside += ofPart[r].inside;
      }
      inBefore[r + 1] = inBefore[r] + range.inside;
    }
    int[] among = new int[places.length];
    for (int j = 0; j < among.length; j++) {
      Range range = ranges.get(ofRanks[j]);
      long place = places[j] - range.before;
      if (place < 0 || place >= range.inside) {
        return length;
      }
      among[j] = (int) (inBefore[ofRanks[j]] + place);
    }
    places = among;
    candidates = copied;
    return inBefore[ranges.size()];
  }

  /** Copies the words that are marked by 1 and not by 0, without a branch, and returns the end. */
  private static int copyMarked(long[] words, long[] marks, int count, long[] to, int begin) {
    int end = begin;
    for (int i = 0; i < count; i++) {
      to[end] = words[i];
      end += (int) marks[i];
    }
    return end;
  }

  private int[] counts(int part, int shift, int width) {
    int[] counts = new int[prefixes.length << width];
    int mask = (1 << width) - 1;
    long prefix = prefixes[0];
    candidates(
        part,
        prefixes.length == 1
            ? (words, count, _) -> {
              for (int i = 0; i < count; i++) {
                if ((words[i] & known) == prefix) {
                  counts[(int) (words[i] >>> shift) & mask]++;
                }
              }
            }
            : (words, count, _) -> {
              for (int i = 0; i < count; i++) {
                int group = group(words[i]);
                if (group >= 0) {
                  counts[(group << width) + ((int) (words[i] >>> shift) & mask)]++;
                }
              }
            });
    return counts;
  }

  /** Selects each rank's counter; the selected counters are the next groups. */
  private int[] choose(int[] totals, int width) {
    int[] chosen = new int[places.length];
    int next = -1;
    for (int j = 0; j < places.length; j++) {
      int counter = groups[j] << width;
      while (places[j] >= totals[counter]) {
        places[j] -= totals[counter++];
      }
      if (next < 0 || chosen[next] != counter) {
        chosen[++next] = counter;
      }
      groups[j] = next;
    }
    return Arrays.copyOf(chosen, next + 1);
  }

  private long[] copied(int part, int size) {
    long[] copied = new long[size];
    int[] at = {0};
    long prefix = prefixes[0];
    candidates(
        part,
        (words, count, _) -> {
          int to = at[0];
          for (int i = 0; i < count; i++) {
            if (prefixes.length == 1 ? (words[i] & known) == prefix : group(words[i]) >= 0) {
              copied[to++] = words[i];
            }
          }
          at[0] = to;
        });
    return copied;
  }

  /** Stores the elements at all ranks, if there are any elements. */
  void elements(MemorySegment output) {
    if (length == 0) {
      return;
    }
    int[] all = IntStream.range(0, ranks.count()).map(i -> (int) ranks.at(i, length)).toArray();
    int[] sorted = IntStream.of(all).sorted().distinct().toArray();
    find(sorted);
    for (int i = 0; i < all.length; i++) {
      long word = prefixes[groups[Arrays.binarySearch(sorted, all[i])]] ^ words.flip();
      switch (type) {
        case BYTE -> output.set(ValueLayout.JAVA_BYTE, i, (byte) word);
        case INT -> output.set(INT, 4L * i, (int) word);
        case FLOAT -> output.set(INT, 4L * i, KeyWords.bits((int) word));
        case LONG -> output.set(LONG, 8L * i, word);
        case DOUBLE -> output.set(LONG, 8L * i, KeyWords.bits(word));
      }
    }
  }

  /** Positions in ascending order. */
  private static final class Positions {
    private int[] positions = new int[16];
    private int count;

    void add(int position) {
      if (count == positions.length) {
        positions = Arrays.copyOf(positions, 2 * count);
      }
      positions[count++] = position;
    }

    int store(MemorySegment output, int at, int most) {
      int stored = Math.min(count, most);
      MemorySegment.copy(positions, 0, output, INT, 4L * at, stored);
      return at + stored;
    }
  }

  /**
   * Stores the positions of the first elements, those before the element at the last rank in front.
   */
  void positions(int wanted, MemorySegment output) {
    if (wanted == 0) {
      return;
    }
    find(new int[] {wanted - 1});
    long last = prefixes[0];
    int equalWanted = places[0] + 1;
    Positions[] before = new Positions[parts];
    Positions[] equal = new Positions[parts];
    ParallelRows.deal(
        parts,
        part -> {
          Positions ownBefore = new Positions();
          Positions ownEqual = new Positions();
          elements(
              part,
              (words, count, first) -> {
                for (int i = 0; i < count; i++) {
                  if (Long.compareUnsigned(words[i], last) < 0) {
                    ownBefore.add(first + i);
                  } else if (words[i] == last && ownEqual.count < equalWanted) {
                    ownEqual.add(first + i);
                  }
                }
              });
          before[part] = ownBefore;
          equal[part] = ownEqual;
        });
    int at = 0;
    for (Positions each : before) {
      at = each.store(output, at, wanted);
    }
    for (Positions each : equal) {
      at = each.store(output, at, wanted - at);
    }
  }
}
