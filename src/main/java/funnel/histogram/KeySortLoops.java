package funnel.histogram;

import funnel.operation.ParallelRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** JVM form of a {@link KeySort}: the same order, with wider digits. */
final class KeySortLoops {

  /* Least significant digit first. The keys are cut into parts; each counts its digits, the counts in
   * the order (digit, part) give where each part's keys of a digit begin, and each part moves its
   * own.
   */

  private static final int BITS = 11;
  private static final int ELEMENTS_OF_A_PART = 1 << 16;
  private static final int MOST_PARTS = 64;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  private KeySortLoops() {}

  private static int get(MemorySegment ints, int i) {
    return ints.get(INT, 4L * i);
  }

  private static void set(MemorySegment ints, int i, int value) {
    ints.set(INT, 4L * i, value);
  }

  private static MemorySegment temporary(int length) {
    return MemorySegment.ofArray(new int[length]);
  }

  /**
   * Sorts keys by their lowest bits.
   *
   * @param keys the keys, which are only read
   * @param length how many
   * @param bits how many of their bits are compared
   * @param sorted where the sorted keys go
   * @param positions where the positions that they came from go
   */
  static void sort(
      MemorySegment keys,
      int length,
      int bits,
      MemorySegment sorted,
      @Nullable MemorySegment positions) {
    if (length == 0) {
      return;
    }
    int passes = Math.ceilDiv(bits, BITS);
    int shared =
        ParallelRows.mayBeShared(keys, sorted)
                && ParallelRows.mayBeShared(keys, positions == null ? sorted : positions)
            ? length
            : 0;
    MemorySegment other = passes > 1 ? temporary(length) : sorted;
    MemorySegment otherPositions = passes > 1 && positions != null ? temporary(length) : positions;
    MemorySegment from = keys;
    MemorySegment fromPositions = null;
    for (int pass = 0; pass < passes; pass++) {
      boolean isToOutput = (passes - pass) % 2 == 1;
      MemorySegment to = isToOutput ? sorted : other;
      MemorySegment toPositions = isToOutput ? positions : otherPositions;
      int shift = bits * pass / passes;
      int width = bits * (pass + 1) / passes - shift;
      move(from, fromPositions, to, toPositions, length, shift, width, shared);
      from = to;
      fromPositions = toPositions;
    }
  }

  /** Where a part of so many begins. */
  static int bound(int length, int parts, int part) {
    return (int) ((long) length * part / parts);
  }

  private static void move(
      MemorySegment keys,
      @Nullable MemorySegment positions,
      MemorySegment to,
      @Nullable MemorySegment toPositions,
      int length,
      int shift,
      int width,
      int shared) {
    int digits = 1 << width;
    int parts = Math.clamp(shared / ELEMENTS_OF_A_PART, 1, MOST_PARTS);
    int[][] starts = new int[parts][digits];
    ParallelRows.run(
        parts,
        shared,
        (first, behind) -> {
          for (int part = first; part < behind; part++) {
            int[] counts = starts[part];
            for (int i = bound(length, parts, part); i < bound(length, parts, part + 1); i++) {
              counts[get(keys, i) >>> shift & digits - 1]++;
            }
          }
        });
    int start = 0;
    for (int digit = 0; digit < digits; digit++) {
      for (int[] counts : starts) {
        int count = counts[digit];
        counts[digit] = start;
        start += count;
      }
    }
    ParallelRows.run(
        parts,
        shared,
        (first, behind) -> {
          for (int part = first; part < behind; part++) {
            int[] next = starts[part];
            for (int i = bound(length, parts, part); i < bound(length, parts, part + 1); i++) {
              int key = get(keys, i);
              int at = next[key >>> shift & digits - 1]++;
              set(to, at, key);
              if (toPositions != null) {
                set(toPositions, at, positions == null ? i : get(positions, i));
              }
            }
          }
        });
  }
}
