package funnel.group;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.operation.ParallelRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

@SuppressWarnings("cast") // a twin's keys are longs
@Twins({"Long"})
final class IntGroupPlaceLoops implements GroupPlaces.Loops {

  /* Keys that are close to each other have a place for each number from the least to the largest.
   * Others, if few of them are distinct, are numbered in ascending order, by a hash table.
   */

  private static final ValueLayout.@Element OfInt KEYS = ValueLayout.JAVA_INT_UNALIGNED;

  /** The number of rows that are read at a time. */
  private static final int BLOCK = 2048;

  private static final int LEAST_RANGE = 1 << 16;
  private static final int MOST_RANGE = 1 << 24;

  /** Places between the least and the largest key for each row. */
  private static final int RANGE_OF_A_ROW = 4;

  private static final int MOST_DISTINCT = 1 << 18;

  /** The number of rows per distinct key from which hashing twice takes less time than sorting. */
  private static final int ROWS_OF_A_KEY = 8;

  IntGroupPlaceLoops() {}

  @Override
  public @Nullable GroupPlaces find(MemorySegment keys, int length, int workers) {
    GroupPlaces inRange = inRange(keys, length, workers);
    return inRange != null ? inRange : distinct(keys, length, workers);
  }

  /** Some keys in an array: their own, or one that they are copied to. */
  private record Block(@Element int[] x, int at) {
    static Block of(MemorySegment keys, int first, int count) {
      if (keys.heapBase().orElse(null) instanceof @Element int[] all
          && keys.address() % KEYS.byteSize() == 0) {
        return new Block(all, (int) (keys.address() / KEYS.byteSize()) + first);
      }
      @Element int[] copy = new @Element int[count];
      MemorySegment.copy(keys, KEYS, first * KEYS.byteSize(), copy, 0, count);
      return new Block(copy, 0);
    }
  }

  /** Work of a worker on some keys; returns whether to continue. */
  private interface Body {
    boolean keys(int worker, @Element int[] x, int at, int count);
  }

  private static void deal(MemorySegment keys, int length, int workers, Body body) {
    ParallelRows.parts(
        length,
        workers,
        (worker, begin, end) -> {
          boolean goesOn = true;
          int count;
          for (int first = begin; first < end & goesOn; first += count) {
            count = Math.min(BLOCK, end - first);
            Block block = Block.of(keys, first, count);
            goesOn = body.keys(worker, block.x, block.at, count);
          }
        });
  }

  private static @Nullable GroupPlaces inRange(MemorySegment keys, int length, int workers) {
    @Element int some = keys.get(KEYS, 0);
    @Element int[] least = new @Element int[workers];
    @Element int[] largest = new @Element int[workers];
    Arrays.fill(least, some);
    Arrays.fill(largest, some);
    deal(
        keys,
        length,
        workers,
        (worker, x, at, count) -> {
          @Element int min = least[worker];
          @Element int max = largest[worker];
          for (int i = at; i < at + count; i++) {
            min = Math.min(min, x[i]);
            max = Math.max(max, x[i]);
          }
          least[worker] = min;
          largest[worker] = max;
          return true;
        });
    @Element int first = least[0];
    @Element int last = largest[0];
    for (int worker = 1; worker < workers; worker++) {
      first = Math.min(first, least[worker]);
      last = Math.max(last, largest[worker]);
    }
    @Element int range = last - first; // unsigned
    long most = Math.clamp((long) RANGE_OF_A_ROW * length, LEAST_RANGE, MOST_RANGE);
    return range < 0 || range >= most ? null : new Range(keys, first, Math.toIntExact(range) + 1);
  }

  /** A place for each number from the first one on. */
  private record Range(MemorySegment keys, @Element int first, int count) implements GroupPlaces {
    @Override
    public Rows of(int row, int rows, int[] room) {
      Block block = Block.of(keys, row, rows);
      Object x = block.x;
      if (x instanceof int[] ints) {
        return new Rows(ints, block.at, (int) first);
      }
      @Element int least = first;
      for (int i = 0; i < rows; i++) {
        room[i] = (int) (block.x[block.at + i] - least);
      }
      return new Rows(room, 0, 0);
    }

    @Override
    public void keys(int[] places, MemorySegment output) {
      for (int g = 0; g < places.length; g++) {
        output.setAtIndex(KEYS, g, first + places[g]);
      }
    }
  }

  private static @Nullable GroupPlaces distinct(MemorySegment keys, int length, int workers) {
    int most = Math.min(length / ROWS_OF_A_KEY, MOST_DISTINCT);
    Distinct[] found = new Distinct[workers];
    Arrays.setAll(found, _ -> new Distinct(keys));
    deal(
        keys,
        length,
        workers,
        (worker, x, at, count) -> {
          Distinct own = found[worker];
          for (int i = at; i < at + count; i++) {
            own.add(x[i]);
          }
          return own.count <= most;
        });
    Distinct all = found[0];
    for (int worker = 1; worker < workers; worker++) {
      for (int n = 0; n < found[worker].count; n++) {
        all.add(found[worker].distinct[n]);
      }
    }
    if (all.count > most) {
      return null;
    }
    @Element int[] sorted = Arrays.copyOf(all.distinct, all.count);
    Arrays.sort(sorted);
    Distinct ascending = new Distinct(keys);
    for (@Element int key : sorted) {
      ascending.add(key);
    }
    return ascending;
  }

  /** Distinct keys, numbered as they are added. */
  private static final class Distinct implements GroupPlaces {
    private static final long MULTIPLIER = 0x9e3779b97f4a7c15L; // 2^64 by the golden ratio

    private final MemorySegment keys;
    private int bits = 10;
    private @Element int[] distinct = new @Element int[1 << bits - 1];
    private int[] slots = new int[1 << bits]; // a number and 1
    private int count;

    Distinct(MemorySegment keys) {
      this.keys = keys;
    }

    /** The slot of a key, or the empty one for it. */
    private int slot(@Element int key) {
      int slot = (int) (key * MULTIPLIER >>> Long.SIZE - bits);
      while (slots[slot] != 0 && distinct[slots[slot] - 1] != key) {
        slot = slot + 1 & slots.length - 1;
      }
      return slot;
    }

    void add(@Element int key) {
      int slot = slot(key);
      if (slots[slot] == 0) {
        if (count == distinct.length) {
          grow();
          slot = slot(key);
        }
        distinct[count] = key;
        count++;
        slots[slot] = count;
      }
    }

    private void grow() {
      bits++;
      slots = new int[1 << bits];
      for (int n = 0; n < count; n++) {
        slots[slot(distinct[n])] = n + 1;
      }
      distinct = Arrays.copyOf(distinct, 2 * count);
    }

    @Override
    public int count() {
      return count;
    }

    @Override
    public Rows of(int row, int rows, int[] room) {
      Block block = Block.of(keys, row, rows);
      for (int i = 0; i < rows; i++) {
        room[i] = slots[slot(block.x[block.at + i])] - 1;
      }
      return new Rows(room, 0, 0);
    }

    @Override
    public void keys(int[] places, MemorySegment output) {
      for (int g = 0; g < places.length; g++) {
        output.setAtIndex(KEYS, g, distinct[places[g]]);
      }
    }
  }
}
