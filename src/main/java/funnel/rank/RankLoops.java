package funnel.rank;

import funnel.operation.ParallelRows;
import funnel.operator.ElementType;
import funnel.sort.KeyWords;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** JVM form of a {@link RankSelect}: one run. */
final class RankLoops {

  /* As on a device, a radix selection from the highest digit down, over words that are compared
   * without sign, in the lowest bits of longs. Ranks with the same candidates are a group. Elements
   * are cut into parts, of which several threads each count the digits of one. When few candidates
   * are left, they are copied, and later passes read nothing else.
   */

  private static final int BITS = 11;
  private static final int MOST_COUNTERS = 1 << 16;
  private static final int BLOCK = 1 << 10;
  private static final int ELEMENTS_OF_A_PART = 1 << 15;
  private static final int PARTS_PER_CORE = 4;

  /** Of how many elements those are few that are copied. */
  private static final int FEW = 4;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  private final MemorySegment values;
  private final int length;
  private final ElementType type;
  private final Ranks ranks;
  private final int bits;
  private final long all;
  private final long flip;
  private final int parts;

  /* What is known of the words at the ranks. */

  private int low; // bits that are not known yet
  private long known; // the others, as a mask
  private long[] prefixes = {0}; // of the groups, ascending
  private int[] firsts = {}; // for each highest digit the first group that has it or a higher one
  private int[] groups; // of the ranks
  private int[] places; // of the ranks among their candidates
  private long @Nullable [][] candidates; // of each part, if they were copied

  RankLoops(MemorySegment values, int length, ElementType type, Ranks ranks) {
    this.values = values;
    this.length = length;
    this.type = type;
    this.ranks = ranks;
    bits = 8 * type.bytes();
    all = -1L >>> (Long.SIZE - bits);
    flip = (ranks.isDescending() ? all : 0) ^ (type == ElementType.BYTE ? 0 : 1L << (bits - 1));
    parts =
        ParallelRows.mayBeShared(values)
            ? Math.clamp(length / ELEMENTS_OF_A_PART, 1, PARTS_PER_CORE * ParallelRows.cores())
            : 1;
    groups = new int[0];
    places = new int[0];
  }

  /** Where a part begins. */
  private int bound(int part) {
    return (int) ((long) length * part / parts);
  }

  /** What is done with some consecutive words. */
  private interface Block {
    void words(long[] words, int count, int first);
  }

  /** The words of a part's elements, in blocks. */
  private void elements(int part, Block body) {
    long[] words = new long[BLOCK];
    byte[] bytes = new byte[type == ElementType.BYTE ? BLOCK : 0];
    int[] ints = new int[bits == Integer.SIZE ? BLOCK : 0];
    int end = bound(part + 1);
    for (int left = end - bound(part); left > 0; left -= BLOCK) { // the end may be near 2^31
      int count = Math.min(BLOCK, left);
      int first = end - left;
      switch (type) {
        case BYTE -> {
          MemorySegment.copy(values, ValueLayout.JAVA_BYTE, first, bytes, 0, count);
          for (int i = 0; i < count; i++) {
            words[i] = (bytes[i] & all) ^ flip;
          }
        }
        case INT -> {
          MemorySegment.copy(values, INT, 4L * first, ints, 0, count);
          for (int i = 0; i < count; i++) {
            words[i] = (ints[i] & all) ^ flip;
          }
        }
        case FLOAT -> {
          MemorySegment.copy(values, INT, 4L * first, ints, 0, count);
          for (int i = 0; i < count; i++) {
            int word = KeyWords.word(ints[i]);
            words[i] = ((ranks.isFirst() ? KeyWords.merged(word) : word) & all) ^ flip;
          }
        }
        case LONG -> {
          MemorySegment.copy(values, LONG, 8L * first, words, 0, count);
          for (int i = 0; i < count; i++) {
            words[i] ^= flip;
          }
        }
        case DOUBLE -> {
          MemorySegment.copy(values, LONG, 8L * first, words, 0, count);
          for (int i = 0; i < count; i++) {
            long word = KeyWords.word(words[i]);
            words[i] = (ranks.isFirst() ? KeyWords.merged(word) : word) ^ flip;
          }
        }
      }
      body.words(words, count, first);
    }
  }

  private void candidates(int part, Block body) {
    if (candidates == null) {
      elements(part, body);
    } else {
      body.words(candidates[part], candidates[part].length, 0);
    }
  }

  /** The group of a word, or a negative number. */
  private int group(long word) {
    int digit = (int) (word >>> topShift());
    return Arrays.binarySearch(prefixes, firsts[digit], firsts[digit + 1], word & known);
  }

  private int topShift() {
    return Math.max(0, bits - BITS);
  }

  /** Finds the words at ranks, which ascend. */
  private void find(int[] wanted) {
    low = bits;
    known = 0;
    places = wanted.clone();
    groups = new int[wanted.length];
    int[][] counts = new int[parts][];
    long left = length;
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
      int[] top = new int[(1 << (bits - topShift())) + 1];
      for (long prefix : prefixes) {
        top[(int) (prefix >>> topShift()) + 1]++;
      }
      Arrays.parallelPrefix(top, Integer::sum);
      firsts = top;
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

  /** Chooses each rank's counter; the counters that are chosen are the next groups. */
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
    int[] all = IntStream.range(0, ranks.count()).map(i -> ranks.at(i, length)).toArray();
    int[] sorted = IntStream.of(all).sorted().distinct().toArray();
    find(sorted);
    for (int i = 0; i < all.length; i++) {
      long word = prefixes[groups[Arrays.binarySearch(sorted, all[i])]] ^ flip;
      switch (type) {
        case BYTE -> output.set(ValueLayout.JAVA_BYTE, i, (byte) word);
        case INT -> output.set(INT, 4L * i, (int) word);
        case FLOAT -> output.set(INT, 4L * i, KeyWords.bits((int) word));
        case LONG -> output.set(LONG, 8L * i, word);
        case DOUBLE -> output.set(LONG, 8L * i, KeyWords.bits(word));
      }
    }
  }

  /** Positions that ascend, as many as there are. */
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

  /** Stores the positions of the first elements, those before the last one in front. */
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
