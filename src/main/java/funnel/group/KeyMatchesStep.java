package funnel.group;

import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.ParallelRows;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the sort and searches of a {@link Join} on the JVM: right rows grouped by keys, and for
 * each left key where its matches begin there.
 *
 * @param places for each left key how many right rows come before its matches, or -1
 * @param matches the number of matches of each left key; if null, neither these nor {@code order}
 *     are written
 * @param order the right positions, with those of equal keys adjacent and ascending; if null, right
 *     rows already are in such an order
 * @param ifNot the primitives to use if right keys are declared sorted but are not
 */
record KeyMatchesStep(
    String id,
    Input left,
    Input right,
    String places,
    @Nullable String matches,
    @Nullable String order,
    List<Primitive> ifNot)
    implements Primitive {

  /* Distinct keys are numbered in input order, and lists of those with the same hash begin in a
   * table. The table need not grow, and holds any number of keys.
   */

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final int MOST_BITS = 30;

  private static final class Table {
    private final int bits;
    private final int[] newest; // of those with a hash, plus 1
    private final int[] older; // with the same hash, plus 1
    private final long[] keys;
    private int size;

    Table(int most) {
      bits = Math.clamp(Integer.SIZE - Integer.numberOfLeadingZeros(most), 1, MOST_BITS);
      newest = new int[1 << bits];
      older = new int[most];
      keys = new long[most];
    }

    private int hash(long key) {
      return (int) (key * 0x9E3779B97F4A7C15L >>> Long.SIZE - bits);
    }

    int find(long key) {
      int at = newest[hash(key)] - 1;
      while (at >= 0 && keys[at] != key) {
        at = older[at] - 1;
      }
      return at;
    }

    int findOrAdd(long key) {
      int at = find(key);
      if (at < 0) {
        at = size++;
        int hash = hash(key);
        keys[at] = key;
        older[at] = newest[hash];
        newest[hash] = size;
      }
      return at;
    }
  }

  private static long key(MemorySegment keys, boolean isLong, int i) {
    return isLong ? keys.getAtIndex(LONG, i) : keys.getAtIndex(INT, i);
  }

  private static boolean isAscending(MemorySegment keys, boolean isLong, int length) {
    int i = 1;
    while (i < length && key(keys, isLong, i - 1) <= key(keys, isLong, i)) {
      i++;
    }
    return i >= length;
  }

  @Override
  public Step in(Setting setting) {
    return Step.of(this, setting)
        .reads("left", left.name())
        .reads("right", right.name())
        .onJvm(this::match);
  }

  private void match(JvmRun run) {
    MemorySegment of = run.input(right.name());
    boolean isLong = right.type() == ElementType.LONG;
    int rows = run.length(right.name());
    if (!ifNot.isEmpty() && !isAscending(of, isLong, rows)) {
      ifNot.forEach(part -> part.asIs().runOnJvm(run));
      return;
    }
    Table table = new Table(rows);
    int[] numbers = new int[rows];
    for (int j = 0; j < rows; j++) {
      numbers[j] = table.findOrAdd(key(of, isLong, j));
    }
    MemorySegment wanted = run.input(left.name());
    int length = run.length(left.name());
    MemorySegment at = run.output(places);
    int shared = ParallelRows.mayBeShared(wanted, at) ? length : 0;
    if (matches == null) {
      ParallelRows.run(
          length,
          shared,
          (from, to) -> {
            for (int i = from; i < to; i++) {
              at.setAtIndex(INT, i, table.find(key(wanted, isLong, i)));
            }
          });
      return;
    }
    int[] starts = grouped(numbers, table.size, order == null ? null : run.output(order));
    MemorySegment counts = run.output(matches);
    ParallelRows.run(
        length,
        shared,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            int number = table.find(key(wanted, isLong, i));
            at.setAtIndex(INT, i, number < 0 ? -1 : starts[number]);
            counts.setAtIndex(INT, i, number < 0 ? 0 : starts[number + 1] - starts[number]);
          }
        });
  }

  /** Orders rows by number, and returns where those of each number begin. */
  private static int[] grouped(int[] numbers, int size, @Nullable MemorySegment order) {
    int[] starts = new int[size + 1];
    for (int number : numbers) {
      starts[number]++;
    }
    for (int number = 1; number <= size; number++) {
      starts[number] += starts[number - 1];
    }
    for (int j = numbers.length - 1; j >= 0; j--) {
      int at = --starts[numbers[j]];
      if (order != null) {
        order.setAtIndex(INT, at, j);
      }
    }
    return starts;
  }
}
