package funnel.select;

import funnel.jit.Element;
import funnel.jit.JvmValues;
import funnel.jit.Placeholder;
import funnel.jit.Twins;
import funnel.operation.ParallelRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

@Twins({"Long", "Float", "Double", "Byte"})
final class IntSelectLoops implements SelectStep.Loops {

  /* Elements are processed in blocks, each in one of two ways. One stores every element, at a place
   * that advances if the element is kept: this has no branch, which would often be mispredicted for
   * mixed elements. It stores into a buffer, since stores after the last kept element must not
   * reach the output. The other way branches and stores only kept elements, directly in the output:
   * it is faster if the branch is predictable, as for sorted elements. Two blocks out of many are
   * used to measure which way is faster.
   *
   * Workers take stretches of blocks in order, and the output of each stretch begins where that of
   * the one before ends. So stretches are counted first, which takes less time than waiting for
   * other workers, any of which may be delayed.
   */

  private static final int BLOCK = 1 << 12;
  private static final int STRETCH = 1 << 15;

  /**
   * Of this many blocks the first is processed without branches, the next with branches, the rest
   * in the faster way.
   */
  private static final int TURNS = 64;

  private static final ValueLayout.@Element OfInt VALUES = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfInt POSITIONS = ValueLayout.JAVA_INT_UNALIGNED;

  private static @Element int @Nullable [] array(@Nullable MemorySegment memory) {
    return memory != null
            && memory.address() % VALUES.byteSize() == 0
            && memory.heapBase().orElse(null) instanceof @Element int[] array
        ? array
        : null;
  }

  private static int index(@Nullable MemorySegment memory, long size) {
    return memory == null ? 0 : (int) (memory.address() / size);
  }

  record Places(
      @Element int @Nullable [] kept,
      int keptAt,
      int @Nullable [] positions,
      int positionsAt,
      @Element int @Nullable [] rejected,
      int rejectedAt) {

    static Places buffers(Outputs outputs, int length) {
      return new Places(
          outputs.kept() == null ? null : new @Element int[length],
          0,
          outputs.positions() == null ? null : new int[length],
          0,
          othersOf(outputs) == null ? null : new @Element int[length],
          0);
    }

    /** The outputs' arrays, or null if one is not in an array. */
    static @Nullable Places of(Outputs outputs) {
      MemorySegment positions = outputs.positions();
      Places places =
          new Places(
              array(outputs.kept()),
              index(outputs.kept(), VALUES.byteSize()),
              positions != null
                      && positions.address() % POSITIONS.byteSize() == 0
                      && positions.heapBase().orElse(null) instanceof int[] ints
                  ? ints
                  : null,
              index(positions, POSITIONS.byteSize()),
              array(othersOf(outputs)),
              index(othersOf(outputs), VALUES.byteSize()));
      return (places.kept() == null) == (outputs.kept() == null)
              && (places.positions() == null) == (positions == null)
              && (places.rejected() == null) == (othersOf(outputs) == null)
          ? places
          : null;
    }
  }

  private static @Nullable MemorySegment othersOf(Outputs outputs) {
    return outputs.isJoined() ? outputs.kept() : outputs.rejected();
  }

  /** One worker's view of a block, and its buffers. */
  private static final class Block {
    final Given given;
    final int by; // each copy of the outer class has its own
    final boolean isArray;
    final @Element int[] x;
    final byte[] flags;
    final int[] bits;
    final Places buffers;
    final @Nullable Places arrays;
    final long[] nanos = new long[2];
    int turn;
    int at;
    int first;
    int count;

    Block(Given given, Outputs outputs, int by, int buffered) {
      this.given = given;
      this.by = by;
      int most = Math.min(BLOCK, given.length());
      @Element int @Nullable [] array = array(given.values());
      isArray = array != null;
      x = array != null ? array : new @Element int[most + 1];
      flags = new byte[by == IntSelectKernels.FLAGS ? most : 0];
      bits = new int[by == IntSelectKernels.BITS ? Math.ceilDiv(most, Integer.SIZE) : 0];
      buffers = Places.buffers(outputs, Math.min(buffered, given.length()));
      arrays = Places.of(outputs);
    }

    /** Moves to the block that begins with an element. */
    void moveTo(int newFirst, int end) {
      first = newFirst;
      count = Math.min(BLOCK, end - first);
      at = index(given.values(), VALUES.byteSize()) + first;
      if (!isArray) {
        int before = Math.min(first, 1);
        MemorySegment.copy(
            given.values(),
            VALUES,
            (first - before) * VALUES.byteSize(),
            x,
            1 - before,
            count + before);
        at = 1;
      }
      if (by == IntSelectKernels.FLAGS) {
        MemorySegment.copy(given.criterion(), ValueLayout.JAVA_BYTE, first, flags, 0, count);
      }
      if (by == IntSelectKernels.BITS) {
        MemorySegment.copy(
            given.criterion(),
            ValueLayout.JAVA_INT_UNALIGNED,
            first / Byte.SIZE,
            bits,
            0,
            Math.ceilDiv(count, Integer.SIZE));
      }
    }
  }

  IntSelectLoops() {}

  private static boolean isKept(
      @Element int[] x, int at, int zero, byte[] flags, int[] bits, int from, @Element int value) {
    boolean holds =
        switch (Placeholder.transform()) {
          case IntSelectKernels.FLAGS -> flags[at - from] != 0;
          case IntSelectKernels.BITS ->
              ((bits[(at - from) / Integer.SIZE] >> (at - from)) & 1) != 0;
          case IntSelectKernels.HEADS ->
              at == zero || Differs.onJvm(JvmValues.of(value), JvmValues.of(x[at - 1]));
          default -> Placeholder.test(at - zero, JvmValues.of(value));
        };
    return Placeholder.operator() != 0 ? holds : !holds;
  }

  /** A kept element, or in a copy of this class with a user-defined function, its value. */
  private static @Element int mapped(int index, @Element int value) {
    return (@Element int) Placeholder.map(index, JvmValues.of(value));
  }

  private static int count(Block b) {
    @Element int[] x = b.x;
    byte[] flags = b.flags;
    int[] bits = b.bits;
    int from = b.at;
    int end = from + b.count;
    int zero = from - b.first;
    int kept = 0;
    for (int i = from; i < end; i++) {
      kept += isKept(x, i, zero, flags, bits, from, x[i]) ? 1 : 0;
    }
    return kept;
  }

  /** Stores all elements, later ones over rejected ones, and returns how many are kept. */
  private static int storeAll(Block b, Places places, int kept, int rejected) {
    @Element int[] x = b.x;
    byte[] flags = b.flags;
    int[] bits = b.bits;
    @Element int[] elements = places.kept();
    int[] positions = places.positions();
    @Element int[] others = places.rejected();
    int from = b.at;
    int end = from + b.count;
    int zero = from - b.first;
    int to = places.keptAt() + kept;
    int positionsAt = places.positionsAt() - places.keptAt();
    int othersAt = places.rejectedAt() + rejected + to - from;
    for (int i = from; i < end; i++) {
      @Element int value = x[i];
      if (elements != null) {
        elements[to] = mapped(i - zero, value);
      }
      if (positions != null) {
        positions[positionsAt + to] = i - zero;
      }
      if (others != null) {
        others[othersAt + i - to] = value;
      }
      to += isKept(x, i, zero, flags, bits, from, value) ? 1 : 0;
    }
    return to - places.keptAt() - kept;
  }

  /** Stores kept elements and rejected elements directly in their places. */
  private static int storeEach(Block b, Places places, int kept, int rejected) {
    @Element int[] x = b.x;
    byte[] flags = b.flags;
    int[] bits = b.bits;
    @Element int[] elements = places.kept();
    int[] positions = places.positions();
    @Element int[] others = places.rejected();
    int from = b.at;
    int end = from + b.count;
    int zero = from - b.first;
    int to = places.keptAt() + kept;
    int positionsAt = places.positionsAt() - places.keptAt();
    int othersAt = places.rejectedAt() + rejected + to - from;
    if (elements != null && positions == null && others == null) {
      for (int i = from; i < end; i++) {
        @Element int value = x[i];
        if (isKept(x, i, zero, flags, bits, from, value)) {
          elements[to++] = mapped(i - zero, value);
        }
      }
      return to - places.keptAt() - kept;
    }
    for (int i = from; i < end; i++) {
      @Element int value = x[i];
      if (isKept(x, i, zero, flags, bits, from, value)) {
        if (elements != null) {
          elements[to] = mapped(i - zero, value);
        }
        if (positions != null) {
          positions[positionsAt + to] = i - zero;
        }
        to++;
      } else if (others != null) {
        others[othersAt + i - to] = value;
      }
    }
    return to - places.keptAt() - kept;
  }

  private static void copy(
      @Nullable MemorySegment memory,
      ValueLayout layout,
      @Nullable Object from,
      int count,
      int to) {
    if (memory != null && count > 0) {
      MemorySegment.copy(
          Objects.requireNonNull(from), 0, memory, layout, to * layout.byteSize(), count);
    }
  }

  private static void empty(
      Block b, Outputs outputs, int kept, int to, int rejected, int othersTo) {
    copy(outputs.kept(), VALUES, b.buffers.kept(), kept, to);
    copy(outputs.positions(), POSITIONS, b.buffers.positions(), kept, to);
    copy(othersOf(outputs), VALUES, b.buffers.rejected(), rejected, othersTo);
  }

  /**
   * Selects among the elements of a stretch.
   *
   * @param others where the rejected elements begin
   */
  private static void store(Block b, Outputs outputs, int stretch, int[] starts, int others) {
    int from = stretch * STRETCH;
    int end = (int) Math.min(b.given.length(), (stretch + 1L) * STRETCH);
    int to = starts[stretch];
    for (int rest = end - from; rest > 0; rest -= BLOCK) { // the end may be near 2^31
      int first = end - rest;
      int turn = b.turn++ % TURNS;
      long began = turn < 2 ? System.nanoTime() : 0;
      boolean each = turn == 1 || (turn > 1 && b.nanos[1] < b.nanos[0]);
      b.moveTo(first, end);
      int othersTo = others + first - to;
      if (each && b.arrays != null) {
        to += storeEach(b, b.arrays, to, othersTo);
      } else {
        int count = each ? storeEach(b, b.buffers, 0, 0) : storeAll(b, b.buffers, 0, 0);
        empty(b, outputs, count, to, b.count - count, othersTo);
        to += count;
      }
      if (turn < 2) {
        b.nanos[turn] = System.nanoTime() - began;
      }
    }
    starts[stretch + 1] = to; // the same if it was counted
  }

  @Override
  public int select(Given given, Outputs outputs) {
    int stretches = Math.ceilDiv(given.length(), STRETCH);
    int workers = stretches > 2 && outputs.mayBeShared(given) ? ParallelRows.cores() : 1;
    int[] starts = new int[stretches + 1];
    if (outputs.isJoined() || workers > 1) {
      count(given, outputs, workers, starts);
    }
    int others = outputs.isJoined() ? starts[stretches] : 0;
    ParallelRows.deal(
        stretches,
        workers,
        _ -> {
          Block b = new Block(given, outputs, Placeholder.transform(), BLOCK);
          return stretch -> store(b, outputs, stretch, starts, others);
        });
    return starts[stretches];
  }

  /** Finds where stretches start, before anything is stored. */
  private static void count(Given given, Outputs outputs, int workers, int[] starts) {
    int stretches = starts.length - 1;
    ParallelRows.deal(
        stretches,
        workers,
        _ -> {
          Block b = new Block(given, outputs, Placeholder.transform(), 0);
          return stretch -> {
            int end = (int) Math.min(given.length(), (stretch + 1L) * STRETCH);
            int kept = 0;
            for (int rest = end - stretch * STRETCH; rest > 0; rest -= BLOCK) {
              b.moveTo(end - rest, end);
              kept += count(b);
            }
            starts[stretch + 1] = kept;
          };
        });
    for (int stretch = 1; stretch <= stretches; stretch++) {
      starts[stretch] += starts[stretch - 1];
    }
  }
}
