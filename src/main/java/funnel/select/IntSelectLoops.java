package funnel.select;

import funnel.jit.Calls;
import funnel.jit.Element;
import funnel.jit.JvmValues;
import funnel.jit.Placeholder;
import funnel.jit.Twins;
import funnel.operation.ParallelRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** JVM form of {@link TileSelect}. */
@Twins({"Long", "Float", "Double", "Byte"})
final class IntSelectLoops implements SelectLoops {

  /* Elements are taken in blocks. Where elements that are kept are all that is wanted, each element
   * of a block is stored, at a place that moves on if it is kept: no branch, which of mixed elements
   * would be mispredicted as often as not. Else the places of those that are kept and of those that
   * are not are stored so, and outputs filled by them. A block's outputs are in a buffer, since what
   * is stored after the last that is kept may not reach the output.
   *
   * With several workers, stretches of blocks are counted first; each then begins where it has to.
   */

  private static final int BLOCK = 1 << 10;
  private static final int STRETCH = 1 << 16;

  private static final ValueLayout.@Element OfInt VALUES = ValueLayout.JAVA_INT_UNALIGNED;

  /** One worker's view of a block, and its buffers. */
  private static final class Block {
    final Given given;
    final int by; // a copy of the class around has its own
    final boolean isArray;
    @Element int[] x;
    int at;
    int first;
    int count;
    final byte[] flags = new byte[BLOCK];
    final int[] bits = new int[BLOCK / Integer.SIZE];
    final int[] places = new int[BLOCK];
    final int[] others = new int[BLOCK];
    final @Element int[] buffer = new @Element int[BLOCK];

    Block(Given given, int by) {
      this.given = given;
      this.by = by;
      Object heap = given.values().heapBase().orElse(null);
      isArray = heap instanceof @Element int[] && given.values().address() % VALUES.byteSize() == 0;
      x = isArray ? (@Element int[]) Objects.requireNonNull(heap) : new @Element int[BLOCK + 1];
    }

    /** Moves to the block that begins with an element. */
    void moveTo(int newFirst) {
      first = newFirst;
      count = Math.min(BLOCK, given.length() - first);
      at = (int) (given.values().address() / VALUES.byteSize()) + first;
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

  /** 1 if an element is kept, else 0. */
  private static int is(
      @Nullable Object function,
      @Element int[] x,
      int at,
      int first,
      byte[] flags,
      int[] bits,
      int i,
      int keeps) {
    int holds =
        switch (Placeholder.transform()) {
          case IntSelectKernels.FLAGS -> flags[i] == 0 ? 0 : 1;
          case IntSelectKernels.BITS -> (bits[i / Integer.SIZE] >> i) & 1;
          case IntSelectKernels.HEADS ->
              first + i == 0 ? 1 : Differs.of(JvmValues.of(x[at + i]), JvmValues.of(x[at + i - 1]));
          case Calls.TEST -> Calls.test(function, JvmValues.of(x[at + i])) ? 1 : 0;
          default -> Placeholder.test(JvmValues.of(x[at + i])) ? 1 : 0;
        };
    return holds ^ keeps ^ 1;
  }

  private static int count(Block b, int stretch, int end) {
    int kept = 0;
    for (int first = stretch * STRETCH; first < end; first += BLOCK) {
      b.moveTo(first);
      kept += count(b);
    }
    return kept;
  }

  private static int count(Block b) {
    @Element int[] x = b.x;
    byte[] flags = b.flags;
    int[] bits = b.bits;
    Object function = b.given.function();
    int keeps = b.given.keeps() ? 1 : 0;
    int kept = 0;
    for (int i = 0; i < b.count; i++) {
      kept += is(function, x, b.at, b.first, flags, bits, i, keeps);
    }
    return kept;
  }

  private static int compact(Block b) {
    @Element int[] x = b.x;
    @Element int[] buffer = b.buffer;
    byte[] flags = b.flags;
    int[] bits = b.bits;
    Object function = b.given.function();
    int keeps = b.given.keeps() ? 1 : 0;
    int kept = 0;
    for (int i = 0; i < b.count; i++) {
      buffer[kept] = x[b.at + i];
      kept += is(function, x, b.at, b.first, flags, bits, i, keeps);
    }
    return kept;
  }

  private static int split(Block b) {
    @Element int[] x = b.x;
    int[] places = b.places;
    int[] others = b.others;
    byte[] flags = b.flags;
    int[] bits = b.bits;
    Object function = b.given.function();
    int keeps = b.given.keeps() ? 1 : 0;
    int kept = 0;
    for (int i = 0; i < b.count; i++) {
      places[kept] = i;
      others[i - kept] = i;
      kept += is(function, x, b.at, b.first, flags, bits, i, keeps);
    }
    return kept;
  }

  private static void put(
      Block b,
      int[] places,
      int count,
      int to,
      @Nullable MemorySegment elements,
      @Nullable MemorySegment positions) {
    @Element int[] buffer = b.buffer;
    if (elements != null) {
      for (int i = 0; i < count; i++) {
        buffer[i] = b.x[b.at + places[i]];
      }
      MemorySegment.copy(buffer, 0, elements, VALUES, to * VALUES.byteSize(), count);
    }
    if (positions != null) {
      for (int i = 0; i < count; i++) {
        places[i] += b.first;
      }
      MemorySegment.copy(places, 0, positions, ValueLayout.JAVA_INT_UNALIGNED, 4L * to, count);
    }
  }

  /**
   * Selects among the elements of a stretch, and says how many are kept up to its end.
   *
   * @param start how many are kept before it
   * @param others where elements that are not kept begin
   */
  private static int store(Block b, Outputs outputs, int from, int to, int start, int others) {
    MemorySegment rejected = outputs.isJoined() ? outputs.kept() : outputs.rejected();
    int kept = start;
    for (int first = from; first < to; first += BLOCK) {
      b.moveTo(first);
      if (outputs.isKeptAlone()) {
        int count = compact(b);
        MemorySegment all = Objects.requireNonNull(outputs.kept());
        MemorySegment.copy(b.buffer, 0, all, VALUES, kept * VALUES.byteSize(), count);
        kept += count;
      } else {
        int count = split(b);
        int othersTo = others + first - kept;
        put(b, b.places, count, kept, outputs.kept(), outputs.positions());
        put(b, b.others, b.count - count, othersTo, rejected, null);
        kept += count;
      }
    }
    return kept;
  }

  @Override
  public int select(Given given, Outputs outputs) {
    int length = given.length();
    int workers = outputs.mayBeShared(given) && length > STRETCH ? ParallelRows.cores() : 1;
    if (workers == 1 && !outputs.isJoined()) {
      return store(new Block(given, Placeholder.transform()), outputs, 0, length, 0, 0);
    }
    int stretches = Math.ceilDiv(length, STRETCH);
    int[] starts = new int[stretches + 1];
    deal(
        given,
        workers,
        stretches,
        (b, stretch, end) -> starts[stretch + 1] = count(b, stretch, end));
    for (int stretch = 1; stretch <= stretches; stretch++) {
      starts[stretch] += starts[stretch - 1];
    }
    int kept = starts[stretches];
    deal(
        given,
        workers,
        stretches,
        (b, stretch, end) ->
            store(
                b,
                outputs,
                stretch * STRETCH,
                end,
                starts[stretch],
                outputs.isJoined() ? kept : 0));
    return kept;
  }

  @FunctionalInterface
  private interface OfStretch {
    void run(Block block, int stretch, int end);
  }

  private static void deal(Given given, int workers, int stretches, OfStretch task) {
    ParallelRows.deal(
        stretches,
        workers,
        _ -> {
          Block block = new Block(given, Placeholder.transform());
          return stretch ->
              task.run(block, stretch, (int) Math.min(given.length(), (stretch + 1L) * STRETCH));
        });
  }
}
