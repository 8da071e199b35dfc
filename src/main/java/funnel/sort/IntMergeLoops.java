package funnel.sort;

import funnel.jit.Element;
import funnel.jit.JvmValues;
import funnel.jit.Placeholder;
import funnel.jit.Twins;
import funnel.operation.ParallelRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * JVM form of {@link MergeStep}, {@link MergeSortStep}, {@link SetMembersStep} and {@link
 * MergedColumnStep}.
 */
@Twins({"Byte", "Long", "Float", "Double"})
final class IntMergeLoops implements MergeLoops {

  /* As on a device, tiles that fit into a core's cache are sorted first. Then runs are merged to
   * runs twice as long, a tile of the output at a time; a binary search finds its elements in the
   * two runs. So all cores work in every pass.
   *
   * The order of two elements is not predictable, so it decides no branch: the comparison gives 0
   * or 1, from which the next element's index is computed.
   *
   * Set members are found in stretches of the merge that begin with the first of several equal
   * elements. So all equal elements are in one stretch, and no stretch depends on those before it.
   *
   * Always run as a copy of this class in which Placeholder.transform() is a constant.
   */

  private static final int TILE = 1 << 14;

  /** Elements that are sorted by insertion. */
  private static final int FEW = 8;

  private static final ValueLayout.@Element OfInt KEYS = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfInt POSITIONS = ValueLayout.JAVA_INT_UNALIGNED;

  IntMergeLoops() {}

  /** Elements, and their original positions or null. */
  private static final class Buffer {
    final @Element int[] keys;
    final int @Nullable [] positions;

    Buffer(int length, boolean hasPositions) {
      keys = new @Element int[length];
      positions = hasPositions ? new int[length] : null;
    }
  }

  record Place(@Nullable MemorySegment keys, @Nullable MemorySegment positions) {

    static Place scratch(int length, boolean hasPositions) {
      return new Place(
          MemorySegment.ofArray(new @Element int[length]),
          hasPositions ? MemorySegment.ofArray(new int[length]) : null);
    }

    void store(Buffer from, int at, int count) {
      if (keys != null) {
        MemorySegment.copy(from.keys, 0, keys, KEYS, at * KEYS.byteSize(), count);
      }
      if (positions != null && from.positions != null) {
        MemorySegment.copy(from.positions, 0, positions, POSITIONS, 4L * at, count);
      }
    }
  }

  /** 1 if the later one of two elements comes before the earlier one, else 0. */
  private static int overtakes(@Element int later, @Element int earlier) {
    return switch (Placeholder.transform()) {
      case IntOvertakes.ASCENDING -> Precedes.onJvm(JvmValues.of(later), JvmValues.of(earlier));
      case IntOvertakes.DESCENDING -> Precedes.onJvm(JvmValues.of(earlier), JvmValues.of(later));
      default -> Placeholder.compare(JvmValues.of(later), JvmValues.of(earlier)) >>> 31;
    };
  }

  @Override
  public void sort(
      MemorySegment keys,
      int length,
      @Nullable MemorySegment sorted,
      @Nullable MemorySegment positions) {
    int passes = 0;
    for (long run = TILE; run < length; run *= 2) {
      passes++;
    }
    boolean hasPositions = positions != null;
    Place result = new Place(sorted, positions);
    Place[] places = {
      sorted == null && passes > 1
          ? new Place(MemorySegment.ofArray(new @Element int[length]), positions)
          : result,
      passes == 0 ? result : Place.scratch(length, hasPositions)
    };
    MemorySegment any = sorted == null ? keys : sorted;
    boolean isShared =
        ParallelRows.mayBeShared(keys, any)
            && ParallelRows.mayBeShared(keys, positions == null ? keys : positions);
    Place from = places[passes % 2];
    deal(
        length,
        isShared,
        hasPositions,
        (buffers, first) -> sortTile(keys, first, length, from, buffers));
    for (int pass = 0; pass < passes; pass++) {
      int run = TILE << pass;
      Place source = places[(passes - pass) % 2];
      Place target = pass == passes - 1 ? result : places[(passes - pass - 1) % 2];
      deal(
          length,
          isShared,
          hasPositions,
          (buffers, first) -> {
            int pair = first & -(2 * run);
            int ofFirst = Math.min(run, length - pair);
            int ofSecond = Math.min(run, length - pair - ofFirst);
            MemorySegment of = source.keys();
            if (of != null) {
              Part early = new Part(of, pair, ofFirst);
              Part late = new Part(of, pair + ofFirst, ofSecond);
              mergeTile(early, late, first - pair, source, target, first, buffers);
            }
          });
    }
  }

  @Override
  public void merge(
      Part first, Part second, @Nullable MemorySegment merged, @Nullable MemorySegment positions) {
    MemorySegment any = merged == null ? first.keys() : merged;
    boolean isShared =
        ParallelRows.mayBeShared(first.keys(), second.keys())
            && ParallelRows.mayBeShared(any, positions == null ? any : positions);
    deal(
        first.length() + second.length(),
        isShared,
        positions != null,
        (buffers, at) ->
            mergeTile(first, second, at, null, new Place(merged, positions), at, buffers));
  }

  /** Work on a tile that begins at an element. */
  private interface Task {
    void tile(Buffer[] buffers, int first);
  }

  private static void deal(int length, boolean isShared, boolean hasPositions, Task task) {
    ParallelRows.deal(
        Math.ceilDiv(length, TILE),
        isShared ? ParallelRows.cores() : 1,
        _ -> {
          int most = Math.min(TILE, length);
          Buffer[] buffers = {new Buffer(most, hasPositions), new Buffer(most, hasPositions)};
          IntConsumer tiles = tile -> task.tile(buffers, tile * TILE);
          return tiles;
        });
  }

  private static void sortTile(
      MemorySegment keys, int first, int length, Place target, Buffer[] buffers) {
    int count = Math.min(TILE, length - first);
    Buffer from = buffers[0];
    Buffer to = buffers[1];
    MemorySegment.copy(keys, KEYS, first * KEYS.byteSize(), from.keys, 0, count);
    number(from.positions, 0, count, first);
    for (int begin = 0; begin < count; begin += FEW) {
      insert(from.keys, from.positions, begin, Math.min(begin + FEW, count));
    }
    for (int run = FEW; run < count; run *= 2) {
      for (int begin = 0; begin < count; begin += 2 * run) {
        int middle = Math.min(begin + run, count);
        merge(from, begin, middle, Math.min(middle + run, count), to);
      }
      Buffer sorted = to;
      to = from;
      from = sorted;
    }
    target.store(from, first, count);
  }

  private static void number(int @Nullable [] positions, int from, int to, int first) {
    if (positions != null) {
      for (int k = from; k < to; k++) {
        positions[k] = first + k - from;
      }
    }
  }

  private static void insert(@Element int[] x, int @Nullable [] positions, int from, int to) {
    for (int i = from + 1; i < to; i++) {
      @Element int key = x[i];
      int at = i;
      while (at > from && overtakes(key, x[at - 1]) == 1) {
        x[at] = x[at - 1];
        at--;
      }
      x[at] = key;
      if (positions != null && at < i) {
        int position = positions[i];
        System.arraycopy(positions, at, positions, at + 1, i - at);
        positions[at] = position;
      }
    }
  }

  /** Merges two adjacent runs into the same places of another buffer. */
  private static void merge(Buffer from, int begin, int middle, int end, Buffer to) {
    @Element int[] x = from.keys;
    @Element int[] y = to.keys;
    int i = begin;
    int j = middle;
    int k = begin;
    int[] p = from.positions;
    int[] q = to.positions;
    if (p == null || q == null) {
      while (i < middle && j < end) {
        int isLate = overtakes(x[j], x[i]);
        y[k++] = x[i + ((j - i) & -isLate)];
        j += isLate;
        i += 1 - isLate;
      }
    } else {
      while (i < middle && j < end) {
        int isLate = overtakes(x[j], x[i]);
        int at = i + ((j - i) & -isLate);
        y[k] = x[at];
        q[k++] = p[at];
        j += isLate;
        i += 1 - isLate;
      }
      System.arraycopy(p, i, q, k, middle - i);
      System.arraycopy(p, j, q, k + middle - i, end - j);
    }
    System.arraycopy(x, i, y, k, middle - i);
    System.arraycopy(x, j, y, k + middle - i, end - j);
  }

  /** How many of the first {@code diagonal} elements of the merge are from the first part. */
  private static int split(Part first, Part second, int diagonal) {
    int low = Math.max(0, diagonal - second.length());
    int high = Math.min(diagonal, first.length());
    while (low < high) {
      int half = low + (high - low) / 2;
      @Element int late = key(second, diagonal - 1 - half);
      if (overtakes(late, key(first, half)) == 1) {
        high = half;
      } else {
        low = half + 1;
      }
    }
    return low;
  }

  private static void mergeTile(
      Part first,
      Part second,
      int diagonal,
      @Nullable Place positions,
      Place target,
      int at,
      Buffer[] buffers) {
    int count = Math.min(TILE, first.length() + second.length() - diagonal);
    int begin = split(first, second, diagonal);
    int end = split(first, second, diagonal + count);
    int ofFirst = Math.clamp(end - begin, 0, count); // may be none if inputs are not sorted
    Buffer from = buffers[0];
    load(first, begin, ofFirst, 0, positions, 0, from);
    load(second, diagonal - begin, count - ofFirst, first.length(), positions, ofFirst, from);
    merge(from, 0, ofFirst, count, buffers[1]);
    target.store(buffers[1], at, count);
  }

  /** Loads some elements of a part, with the positions that come with them or their own. */
  private static void load(
      Part part, int begin, int count, int before, @Nullable Place positions, int at, Buffer to) {
    long from = part.from() + begin;
    MemorySegment.copy(part.keys(), KEYS, from * KEYS.byteSize(), to.keys, at, count);
    MemorySegment known = positions == null ? null : positions.positions();
    if (known != null && to.positions != null) {
      MemorySegment.copy(known, POSITIONS, 4 * from, to.positions, at, count);
    } else {
      number(to.positions, at, at + count, before + begin);
    }
  }

  @Override
  public int members(
      Part first,
      Part second,
      int kept,
      @Nullable MemorySegment members,
      @Nullable MemorySegment positions) {
    int total = first.length() + second.length();
    int tiles = Math.ceilDiv(total, TILE);
    Members[] ofTiles = new Members[tiles];
    int[] ofFirst = new int[tiles + 1];
    int[] ofSecond = new int[tiles + 1];
    int workers =
        ParallelRows.mayBeShared(first.keys(), second.keys(), members, positions)
            ? ParallelRows.cores()
            : 1;
    ParallelRows.deal(
        tiles,
        workers,
        _ ->
            tile -> {
              int i = split(first, second, tile * TILE);
              int j = tile * TILE - i;
              boolean isLate =
                  i == first.length()
                      || (j < second.length() && overtakes(key(second, j), key(first, i)) == 1);
              @Element int next = isLate ? key(second, j) : key(first, i);
              ofFirst[tile] = begin(first, i, next);
              ofSecond[tile] = begin(second, j, next);
            });
    ofFirst[tiles] = first.length();
    ofSecond[tiles] = second.length();
    Arrays.parallelPrefix(ofFirst, Math::max); // may decrease if inputs are not sorted
    Arrays.parallelPrefix(ofSecond, Math::max);
    ParallelRows.deal(
        tiles,
        workers,
        _ ->
            tile -> {
              int i = ofFirst[tile];
              int j = ofSecond[tile];
              int earlyOnes = ofFirst[tile + 1] - i;
              int lateOnes = ofSecond[tile + 1] - j;
              Buffer from = new Buffer(earlyOnes + lateOnes, positions != null);
              load(first, i, earlyOnes, 0, null, 0, from);
              load(second, j, lateOnes, first.length(), null, earlyOnes, from);
              ofTiles[tile] = members(from, earlyOnes, kept);
            });
    int[] starts = new int[tiles + 1];
    for (int tile = 0; tile < tiles; tile++) {
      starts[tile + 1] = starts[tile] + ofTiles[tile].count();
    }
    Place target = new Place(members, positions);
    ParallelRows.deal(
        tiles,
        workers,
        _ -> tile -> target.store(ofTiles[tile].of(), starts[tile], ofTiles[tile].count()));
    return starts[tiles];
  }

  /** The members of a stretch: the first elements of a buffer. */
  record Members(Buffer of, int count) {}

  private static Members members(Buffer from, int ofFirst, int kept) {
    Buffer to = new Buffer(from.keys.length, from.positions != null);
    @Element int[] x = from.keys;
    @Element int[] y = to.keys;
    int[] p = from.positions;
    int[] q = to.positions;
    int i = 0;
    int j = ofFirst;
    int k = 0;
    while (i < ofFirst && j < x.length) {
      int isLate = overtakes(x[j], x[i]);
      int isEarly = (1 - isLate) & overtakes(x[i], x[j]); // not both: the loop must end
      int at = i + ((j - i) & -isLate);
      y[k] = x[at];
      if (p != null && q != null) {
        q[k] = p[at];
      }
      k += (kept >>> (isEarly + 2 * isLate)) & 1; // neither: they are equal
      i += 1 - isLate;
      j += 1 - isEarly;
    }
    int restOfFirst = (kept & IntSetMembersKernels.FIRST) == 0 ? 0 : ofFirst - i;
    int restOfSecond = (kept & IntSetMembersKernels.SECOND) == 0 ? 0 : x.length - j;
    System.arraycopy(x, i, y, k, restOfFirst);
    System.arraycopy(x, j, y, k + restOfFirst, restOfSecond);
    if (p != null && q != null) {
      System.arraycopy(p, i, q, k, restOfFirst);
      System.arraycopy(p, j, q, k + restOfFirst, restOfSecond);
    }
    return new Members(to, k + restOfFirst + restOfSecond);
  }

  @Override
  public void column(
      Part first, Part second, MemorySegment positions, int length, MemorySegment column) {
    int ofFirst = first.length();
    ParallelRows.run(
        length,
        ParallelRows.mayBeShared(first.keys(), second.keys(), positions, column) ? length : 0,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            int at = positions.getAtIndex(POSITIONS, i);
            @Element int value = at < ofFirst ? key(first, at) : key(second, at - ofFirst);
            column.setAtIndex(KEYS, i, value);
          }
        });
  }

  /** Where the elements that equal {@code value} begin in a part, up to a place. */
  private static int begin(Part part, int end, @Element int value) {
    int low = 0;
    int high = end;
    while (low < high) {
      int half = low + (high - low) / 2;
      if (overtakes(key(part, half), value) == 1) {
        low = half + 1;
      } else {
        high = half;
      }
    }
    return low;
  }

  private static @Element int key(Part part, int at) {
    return part.keys().getAtIndex(KEYS, part.from() + at);
  }
}
