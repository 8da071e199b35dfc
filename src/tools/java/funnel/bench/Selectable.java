package funnel.bench;

import funnel.engine.tornado.HostArrays;
import funnel.operation.ParallelRows;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** Elements to select from, and those that a plain loop keeps: the input of a benchmark. */
final class Selectable implements Input {

  /* Elements are whole numbers from 0 to 127 in each type: random ones from splitmix64(i), or runs
   * 0, 0, 1, 1, ... Those over 63 are flagged. select.cu has the same.
   */

  private static final int SPAN = 128;
  private static final int FLAGGED_OVER = 63;

  private final ElementType type;
  private final int length;
  private final int run;
  private final TornadoNativeArray array;
  private final TornadoNativeArray flags;
  private final Map<SelectTask, Kept> kept = new EnumMap<>(SelectTask.class);

  /**
   * The kept elements.
   *
   * @param count their number
   * @param hash the hash of all outputs, see {@link #hash}; for a chain the largest sum
   */
  record Kept(long count, long hash) {
    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%s %016x", count, hash);
    }
  }

  /**
   * Makes elements.
   *
   * @param length at least 1
   * @param run how many neighbours are equal, or 0 for random elements
   */
  Selectable(ElementType type, int length, int run) {
    this.type = type;
    this.length = length;
    this.run = run;
    this.array = HostArrays.allocate(type, length);
    this.flags = HostArrays.allocate(ElementType.BYTE, length);
    ParallelRows.run(length, length, this::fill);
  }

  private void fill(int from, int to) {
    MemorySegment segment = array.getSegment();
    for (int i = from; i < to; i++) {
      int value = value(i);
      flags.getSegment().set(ValueLayout.JAVA_BYTE, i, (byte) (value > FLAGGED_OVER ? 1 : 0));
      switch (type) {
        case BYTE -> segment.set(ValueLayout.JAVA_BYTE, i, (byte) value);
        case INT -> segment.setAtIndex(ValueLayout.JAVA_INT, i, value);
        case LONG -> segment.setAtIndex(ValueLayout.JAVA_LONG, i, value);
        case FLOAT -> segment.setAtIndex(ValueLayout.JAVA_FLOAT, i, value);
        case DOUBLE -> segment.setAtIndex(ValueLayout.JAVA_DOUBLE, i, value);
      }
    }
  }

  private int value(int i) {
    return run == 0 ? (int) (Workload.splitmix64(i) >>> 57) : i / run % SPAN;
  }

  ElementType type() {
    return type;
  }

  int length() {
    return length;
  }

  int run() {
    return run;
  }

  TornadoNativeArray array() {
    return array;
  }

  TornadoNativeArray flags() {
    return flags;
  }

  @Override
  public long bytes() {
    return (long) length * (type.bytes() + 1);
  }

  /** The result of a plain loop. */
  Kept kept(SelectTask task) {
    return kept.computeIfAbsent(task, this::selected);
  }

  private Kept selected(SelectTask task) {
    boolean isOfInts = task.others(type) == ElementType.INT;
    long count = 0;
    long others = 0;
    long hash = 0;
    int start = 0;
    long sum = 0;
    long largest = Long.MIN_VALUE;
    for (int i = 0; i < length; i++) {
      int value = value(i);
      if (task.run() > 0 ? i == 0 || value != value(i - 1) : value > task.limit()) {
        hash += value * (2 * count + 1);
        if (task.isRuns() && count > 0) {
          hash += (i - start) * (2 * count - 1);
        }
        start = i;
        count++;
        sum += value;
        largest = Math.max(largest, isOfInts ? (int) sum : sum);
      } else if (task == SelectTask.PARTITION_50) {
        hash += value * (2 * others + 1);
        others++;
      }
    }
    return new Kept(
        count,
        task == SelectTask.CHAIN_50
            ? largest
            : task.isRuns() ? hash + (length - start) * (2 * count - 1) : hash);
  }

  /** The sum of elements, each times 2 k + 1 for index k; select.cu prints the same. */
  static long hash(ElementType type, MemorySegment elements, long count) {
    long hash = 0;
    for (long i = 0; i < count; i++) {
      long value =
          switch (type) {
            case BYTE -> elements.get(ValueLayout.JAVA_BYTE, i);
            case FLOAT, DOUBLE -> (long) Workload.floating(type, elements, i);
            default -> Workload.whole(type, elements, i);
          };
      hash += value * (2 * i + 1);
    }
    return hash;
  }
}
