package funnel.group;

import funnel.group.GroupNumbers.Numbered;
import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.operation.ParallelRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** Loops of {@link GroupNumbers} over keys of a type. */
@Twins({"Long"})
final class IntGroupNumberLoops implements GroupNumbers.Loops {

  /* Each pass is one over all rows, by several threads. Those that find keys write the same number
   * where they meet.
   */

  private static final ValueLayout.@Element OfInt KEYS = ValueLayout.JAVA_INT_UNALIGNED;
  private static final int ELEMENTS_OF_A_PART = 1 << 15;

  IntGroupNumberLoops() {}

  private static int bound(int length, int parts, int part) {
    return (int) ((long) length * part / parts);
  }

  @Override
  public @Nullable Numbered number(MemorySegment keys, int length, int mostEntries) {
    if (length == 0) {
      return null;
    }
    boolean isArray =
        keys.heapBase().orElse(null) instanceof @Element int[]
            && keys.address() % KEYS.byteSize() == 0;
    @Element
    int[] x = isArray ? (@Element int[]) keys.heapBase().orElseThrow() : keys.toArray(KEYS);
    int shift = isArray ? (int) (keys.address() / KEYS.byteSize()) : 0;
    int parts = Math.clamp(length / ELEMENTS_OF_A_PART, 1, ParallelRows.cores());
    @Element int[] least = new @Element int[parts];
    @Element int[] largest = new @Element int[parts];
    ParallelRows.deal(
        parts,
        part -> {
          @Element int min = x[shift + bound(length, parts, part)];
          @Element int max = min;
          for (int i = bound(length, parts, part); i < bound(length, parts, part + 1); i++) {
            min = Math.min(min, x[shift + i]);
            max = Math.max(max, x[shift + i]);
          }
          least[part] = min;
          largest[part] = max;
        });
    for (int part = 1; part < parts; part++) {
      least[0] = Math.min(least[0], least[part]);
      largest[0] = Math.max(largest[0], largest[part]);
    }
    @Element int first = least[0];
    @Element int range = largest[0] - first; // without a sign
    if (range < 0 || range >= mostEntries) {
      return null;
    }
    int[] table = new int[Math.toIntExact(range) + 1];
    ParallelRows.deal(
        parts,
        part -> {
          for (int i = bound(length, parts, part); i < bound(length, parts, part + 1); i++) {
            table[Math.toIntExact(x[shift + i] - first)] = 1;
          }
        });
    int groups = 0;
    for (int k = 0; k < table.length; k++) {
      int isThere = table[k];
      table[k] = groups;
      groups += isThere;
    }
    int counters = groups <= length / (2 * parts) ? parts : 1;
    int[][] counts = new int[counters][groups];
    int[] rows = new int[length];
    ParallelRows.deal(
        counters,
        part -> {
          int[] own = counts[part];
          for (int i = bound(length, counters, part); i < bound(length, counters, part + 1); i++) {
            int number = table[Math.toIntExact(x[shift + i] - first)];
            rows[i] = number;
            own[number]++;
          }
        });
    for (int part = 1; part < counters; part++) {
      for (int g = 0; g < groups; g++) {
        counts[0][g] += counts[part][g];
      }
    }
    return new Numbered(rows, counts[0]);
  }

  @Override
  public void take(MemorySegment keys, int[] rows, MemorySegment output) {
    for (int k = 0; k < rows.length; k++) {
      output.setAtIndex(KEYS, k, keys.getAtIndex(KEYS, rows[k]));
    }
  }
}
