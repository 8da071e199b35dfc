package funnel.sort;

import funnel.jit.ArrayPool;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.ParallelRows;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The order of rows by several keys on the JVM, in place of a sort by each.
 *
 * <p>For the keys 1, 1, 0 and 5, 9, 7 it is 2, 0, 1.
 *
 * @param id name of the positions
 * @param areNanLeast for each key whether NaN is less than all numbers
 */
record RowOrderStep(String id, List<Input> keys, List<KeyOrder> orders, List<Boolean> areNanLeast)
    implements Primitive {

  /* Each key becomes numbers in its order, from 0 to the range of those that there are. As many
   * keys as fit 64 bits, from the last one on, are one word, by which positions are sorted; the
   * next ones then sort these positions. So a column is read in the order of rows. Positions are in
   * the lowest bits of words, if these have room for them.
   */

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  @Override
  public Step in(Setting setting) {
    String first = keys.getFirst().name();
    Step step = Step.of(this, setting).reads(first, first);
    Set<String> named = new HashSet<>(Set.of(first));
    for (Input key : keys) {
      if (named.add(key.name())) {
        step.reads(key.name(), key.name())
            .equallyLong(first, key.name(), "keys of %s are equally long".formatted(id));
      }
    }
    return step.writes(
            "order", id, ElementType.INT, setting.capacity(keys.getFirst().capacity()), first)
        .onJvm(this::order);
  }

  private void order(JvmRun run) {
    int length = run.length(keys.getFirst().name());
    MemorySegment output = run.output(id);
    boolean areShared = ParallelRows.mayBeShared(output);
    for (Input key : keys) {
      areShared &= ParallelRows.mayBeShared(run.input(key.name()));
    }
    int parts = areShared ? SortLoops.parts(length) : 1;
    long[] words = ArrayPool.longs(length);
    int bits = 0;
    boolean isFirst = true;
    for (int k = keys.size() - 1; k >= 0; k--) {
      KeyNumbers next =
          new KeyNumbers(run.input(keys.get(k).name()), orders.get(k), areNanLeast.get(k));
      KeyNumbers.Range range = next.range(length, parts);
      if (bits + range.bits() > Long.SIZE) {
        order(words, bits, length, isFirst ? null : output, output, parts);
        isFirst = false;
        bits = 0;
      }
      add(words, next, range.least(), bits, length, parts);
      bits += range.bits();
    }
    order(words, bits, length, isFirst ? null : output, output, parts);
    ArrayPool.giveBack(words);
  }

  /**
   * Adds the numbers of a key to words above some bits, without what these have there.
   *
   * @param least the number that becomes 0
   */
  static void add(long[] words, KeyNumbers next, long least, int bits, int length, int parts) {
    next.inBlocks(
        length,
        parts,
        (_, first, numbers, count) -> {
          for (int i = 0; bits == 0 && i < count; i++) {
            words[first + i] = numbers[i] - least;
          }
          for (int i = 0; bits > 0 && i < count; i++) {
            words[first + i] |= numbers[i] - least << bits;
          }
        });
  }

  /** How many bits positions have below words of some bits; 0 if there is no room for them. */
  static int positionBits(int bits, int length) {
    int positionBits = Long.SIZE - Long.numberOfLeadingZeros(Math.max(0, length - 1));
    return bits + positionBits <= Long.SIZE ? positionBits : 0;
  }

  /**
   * Sorts positions by words.
   *
   * @param bits how many bits words have
   * @param from how many bits positions have below words; if 0, they are beside them
   * @param length the number of positions, at least 1
   * @param given the positions; if null, 0, 1, 2 and so on
   */
  static LongMovedKeys sorted(
      long[] words, int bits, int from, int length, @Nullable MemorySegment given, int parts) {
    boolean isPacked = from > 0;
    LongMovedKeys moved = new LongMovedKeys(length, isPacked, parts, from, Math.max(1, bits));
    ParallelRows.parts(
        length,
        parts,
        (_, first, end) -> {
          for (int i = first; i < end; i++) {
            int row = given == null ? i : given.get(INT, 4L * i);
            moved.words[i] = isPacked ? words[row] << from | row : words[row];
            if (!isPacked) {
              moved.positions[i] = row;
            }
          }
        });
    moved.sort(bits == 0 ? 0 : -1L >>> Long.SIZE - bits << from);
    return moved;
  }

  private static void order(
      long[] words,
      int bits,
      int length,
      @Nullable MemorySegment given,
      MemorySegment output,
      int parts) {
    if (length == 0) {
      return;
    }
    int positionBits = positionBits(bits, length);
    LongMovedKeys moved = sorted(words, bits, positionBits, length, given, parts);
    long mask = (1L << positionBits) - 1;
    ParallelRows.parts(
        length,
        parts,
        (_, first, end) -> {
          for (int i = first; i < end; i++) {
            int row = positionBits > 0 ? (int) (moved.words[i] & mask) : moved.positions[i];
            output.set(INT, 4L * i, row);
          }
        });
    moved.close();
  }
}
