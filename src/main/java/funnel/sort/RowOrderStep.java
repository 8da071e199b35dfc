package funnel.sort;

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
import java.util.stream.LongStream;
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
   * next ones then sort these positions. So a column is read once, and in the order of rows.
   */

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

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
    int parts =
        areShared
            ? Math.clamp(length / IntMovedKeys.ELEMENTS_OF_A_PART, 1, ParallelRows.cores())
            : 1;
    long[] words = new long[length];
    int bits = 0;
    boolean isFirst = true;
    for (int k = keys.size() - 1; k >= 0; k--) {
      long[] next = new long[length];
      long least = numbers(k, run.input(keys.get(k).name()), next, parts);
      long range = least == Long.MAX_VALUE ? 0 : range(next, least, parts);
      int width = Long.SIZE - Long.numberOfLeadingZeros(range);
      if (bits + width > Long.SIZE) {
        sort(words, bits, isFirst ? null : output, output, parts);
        isFirst = false;
        words = new long[length];
        bits = 0;
      }
      add(words, next, least, bits, parts);
      bits += width;
    }
    sort(words, bits, isFirst ? null : output, output, parts);
  }

  private static void add(long[] words, long[] next, long least, int bits, int parts) {
    ParallelRows.parts(
        words.length,
        parts,
        (_, from, to) -> {
          for (int i = from; i < to; i++) {
            words[i] |= bits == Long.SIZE ? 0 : next[i] - least << bits;
          }
        });
  }

  private static long range(long[] numbers, long least, int parts) {
    long[] ranges = new long[parts];
    ParallelRows.parts(
        numbers.length,
        parts,
        (part, from, to) -> {
          long most = least;
          for (int i = from; i < to; i++) {
            most = Math.max(most, numbers[i]);
          }
          ranges[part] = most - least; // as an unsigned number
        });
    return LongStream.of(ranges).reduce(0, (a, b) -> Long.compareUnsigned(a, b) > 0 ? a : b);
  }

  /** Stores numbers in the order of a key, and returns the least. */
  private long numbers(int k, MemorySegment column, long[] numbers, int parts) {
    KeyOrder order = orders.get(k);
    long[] least = new long[parts];
    ParallelRows.parts(
        numbers.length,
        parts,
        (part, from, to) -> {
          read(order.type(), column, areNanLeast.get(k), numbers, from, to);
          least[part] = order(order, numbers, from, to);
        });
    return LongStream.of(least).min().orElse(Long.MAX_VALUE);
  }

  private static void read(
      ElementType type, MemorySegment column, boolean isNanLeast, long[] to, int first, int end) {
    switch (type) {
      case BYTE -> {
        for (int i = first; i < end; i++) {
          to[i] = column.get(ValueLayout.JAVA_BYTE, i);
        }
      }
      case INT -> {
        for (int i = first; i < end; i++) {
          to[i] = column.get(INT, 4L * i);
        }
      }
      case LONG -> MemorySegment.copy(column, LONG, 8L * first, to, first, end - first);
      case FLOAT -> {
        for (int i = first; i < end; i++) {
          int bits = column.get(INT, 4L * i);
          long word = KeyWords.merged(KeyWords.word(bits));
          boolean isNan = (bits & Integer.MAX_VALUE) > 0x7f800000;
          to[i] = isNanLeast && isNan ? Integer.MIN_VALUE - 1L : word;
        }
      }
      case DOUBLE -> {
        for (int i = first; i < end; i++) {
          long bits = column.get(LONG, 8L * i);
          long word = KeyWords.merged(KeyWords.word(bits));
          boolean isNan = (bits & Long.MAX_VALUE) > 0x7ff0000000000000L;
          to[i] = !isNanLeast ? word : isNan ? Long.MIN_VALUE : word + 1; // numbers begin there
        }
      }
    }
  }

  /** Makes numbers ascend in the order of a key. */
  private static long order(KeyOrder order, long[] numbers, int from, int to) {
    boolean isFloating = order.type().isFloating();
    int up = isFloating ? 0 : Long.SIZE - order.toBit();
    int down = isFloating ? 0 : up + order.fromBit();
    long flip = order.isDescending() ? -1 : 0;
    boolean hasSign = isFloating || order.comparesSign();
    if (!hasSign && down == 0) {
      flip ^= Long.MIN_VALUE;
    }
    long least = Long.MAX_VALUE;
    for (int i = from; i < to; i++) {
      long number = numbers[i] << up;
      number = (hasSign ? number >> down : number >>> down) ^ flip;
      numbers[i] = number;
      least = Math.min(least, number);
    }
    return least;
  }

  /** Sorts positions by words, of which only the lowest bits are used. */
  private static void sort(
      long[] words, int bits, @Nullable MemorySegment given, MemorySegment output, int parts) {
    if (words.length == 0) {
      return;
    }
    boolean isPacked = bits <= Integer.SIZE;
    int from = isPacked ? Integer.SIZE : 0;
    LongMovedKeys moved = new LongMovedKeys(words.length, isPacked, parts, from, Math.max(1, bits));
    ParallelRows.parts(
        words.length,
        parts,
        (_, first, end) -> {
          for (int i = first; i < end; i++) {
            int row = given == null ? i : given.get(INT, 4L * i);
            moved.words[i] = isPacked ? words[row] << Integer.SIZE | row : words[row];
            if (!isPacked) {
              moved.positions[i] = row;
            }
          }
        });
    moved.sort(bits == 0 ? 0 : -1L >>> Long.SIZE - bits << from);
    ParallelRows.parts(
        words.length,
        parts,
        (_, first, end) -> {
          for (int i = first; i < end; i++) {
            output.set(INT, 4L * i, isPacked ? (int) moved.words[i] : moved.positions[i]);
          }
        });
    moved.close();
  }
}
