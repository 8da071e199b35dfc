package funnel.histogram;

import funnel.histogram.ScatterReduceLoops.Keys;
import funnel.jit.FunctionCopies;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.LengthRule;
import funnel.operation.ParallelRows;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorThrewException;
import funnel.transform.IndexCheckStep;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The last part of a {@link ScatterReduce}: writes each element combined with the values of its
 * index.
 *
 * @param id name of the output and, with a suffix, of its tasks
 * @param names what it reads
 * @param check the part that looks for indices outside
 * @param element the type of the values
 * @param type the type of the output, which values are widened to
 * @param operator the operator; if null, the last value of each index is written
 * @param sortedOnJvm whether the JVM runs the earlier parts, too
 * @param valuesCapacity the largest number of values
 * @param capacity the largest number of elements of the output
 */
record ScatterReduceStep(
    String id,
    Names names,
    IndexCheckStep check,
    ElementType element,
    ElementType type,
    @Nullable Operator operator,
    boolean sortedOnJvm,
    int valuesCapacity,
    int capacity)
    implements Primitive {

  /* On the JVM, values are combined one after the other into the output, without the sort, if that
   * gives the same bits: operators on integers are associative bit by bit, and so are min and max.
   * For other floating-point values it builds the same tree, for which it counts indices first.
   * That takes arrays as large as the output; if the output is larger than the values, the JVM runs
   * the parts instead.
   */

  /**
   * Names of the inputs.
   *
   * @param indices the original indices
   * @param values the original values
   * @param into the old contents
   * @param keys the indices, sorted
   * @param positions their original positions
   * @param come the scanned values in the order of the keys; without an operator the values
   */
  record Names(
      String indices, String values, String into, String keys, String positions, String come) {}

  /** The largest number of elements of an output that the JVM combines in an array of its own. */
  private static final int MOST_OWN = 1 << 24;

  /** Whether the JVM does not need the earlier parts. */
  static boolean isDirectOnJvm(ElementType type, @Nullable Operator operator) {
    return operator == null
        || !type.isFloating()
        || operator.equals(Operator.MIN)
        || operator.equals(Operator.MAX);
  }

  /** Whether the JVM needs the earlier parts, for capacities of the values and the output. */
  static boolean isSortedOnJvm(
      ElementType type, @Nullable Operator operator, int values, int size) {
    return !isDirectOnJvm(type, operator) && size > values;
  }

  @Override
  public Step in(Setting setting) {
    String into = names.into();
    int most = setting.capacity(capacity);
    Grid grid = IntScatterReduceKernels.grid(setting.capacity(valuesCapacity));
    Step step =
        Step.of(this, setting)
            .reads("indices", names.indices())
            .derives(IntScatterReduceKernels.LENGTH_AT, names.indices(), LengthRule.LENGTH)
            .reads("into", into, IntScatterReduceKernels.FROM_AT, IntScatterReduceKernels.SIZE_AT)
            .reads("refused", check.id())
            .readsFound("given", names.values(), IntScatterReduceKernels.VALUES_FROM_AT)
            .readsFound("keys", names.keys())
            .readsFound("positions", names.positions())
            .readsFound("values", names.come())
            .equallyLong(
                names.indices(),
                names.values(),
                "scatter reduction %s takes an index for each value".formatted(id))
            .writes("output", id, type, most, into, IntScatterReduceKernels.TO_AT)
            .counts()
            .onDevice(
                launches -> {
                  launches.kernels(IntScatterReduceKernels.class, type);
                  if (!launches.isInPlace(id, into)) {
                    launches.launch("copy", "copy", IntScatterReduceKernels.grid(most));
                  }
                  if (operator == null) {
                    launches.launch("exchange", "exchange", grid);
                  } else {
                    launches.value("operator", operator.code()).launch("combine", "combine", grid);
                  }
                })
            .onJvm(
                run -> {
                  if (operator == null) {
                    exchange(run, setting);
                  } else {
                    OperatorThrewException.naming(
                        operator, null, () -> combine(run, setting, operator));
                  }
                });
    if (!into.equals(names.values()) && !into.equals(names.indices())) {
      step.inPlaceOf(id, into);
    }
    return operator == null ? step : step.combines(operator, names.values(), type, null);
  }

  /**
   * The loops over values of a type.
   *
   * @param come the type of the values; sorted values are already widened
   * @param type the type of the output
   */
  static ScatterReduceLoops loops(ElementType come, ElementType type, Operator by) {
    return FunctionCopies.loops(
        ScatterReduceLoops.class, IntToIntScatterReduceLoops.class, by, null, come, type);
  }

  static void copy(MemorySegment old, MemorySegment output) {
    if (output.byteSize() > 0 && !output.equals(old)) {
      MemorySegment.copy(old, 0, output, 0, output.byteSize());
    }
  }

  /** Indices, with all those that are not less than the size replaced by the size. */
  private static MemorySegment cutOff(MemorySegment indices, int length, int size) {
    int[] keys = new int[length];
    for (int i = 0; i < length; i++) {
      keys[i] = Math.min(indices.get(ValueLayout.JAVA_INT_UNALIGNED, 4L * i), size);
    }
    return MemorySegment.ofArray(keys);
  }

  private void combine(JvmRun run, Setting setting, Operator by) {
    MemorySegment old = run.input(names.into());
    MemorySegment output = run.output(id);
    MemorySegment own = run.input(names.indices());
    MemorySegment indices = own;
    MemorySegment values = run.input(names.values());
    int length = run.length(names.indices());
    int size = run.length(names.into());
    int limit = check.size(setting, run::length);
    ElementType come = sortedOnJvm ? type : element;
    ScatterReduceLoops loops = run.kept(id, ScatterReduceLoops.class, () -> loops(come, type, by));
    Number none = by.neutral(type);
    boolean areInside = true;
    if (sortedOnJvm) {
      copy(old, output);
      loops.ends(run.input(names.keys()), run.input(names.come()), length, output, size);
    } else if (!isDirectOnJvm(type, by)) {
      if (limit > size) { // the inputs have been cut off
        check.requireInside(setting, run);
        indices = cutOff(indices, length, size);
        limit = size + 1;
      }
      int[] counts = HistogramLoops.count(indices, length, ElementType.INT, Bins.keys(limit, 1));
      areInside = counts[limit] == 0;
      if (areInside) {
        Keys keys = Keys.of(indices);
        loops.tree(keys, counts, values, length, old, output, limit, none);
      }
    } else if (limit > Math.min(length, MOST_OWN)) {
      check.requireInside(setting, run);
      copy(old, output);
      loops.oneByOne(indices, values, length, output);
    } else {
      if (by.isUser()) {
        check.requireInside(setting, run); // before it is called
      }
      int workers = by.isUser() ? 1 : HistogramLoops.workers(own, values, length, limit);
      areInside = loops.all(() -> Keys.of(own), values, length, workers, old, output, limit, none);
    }
    if (!areInside) {
      check.requireInside(setting, run);
    }
  }

  private void exchange(JvmRun run, Setting setting) {
    MemorySegment old = run.input(names.into());
    MemorySegment output = run.output(id);
    MemorySegment indices = run.input(names.indices());
    MemorySegment values = run.input(names.values());
    int length = run.length(names.indices());
    int size = run.length(names.into());
    int limit = check.size(setting, run::length);
    if (limit > Math.min(length, MOST_OWN)) {
      check.requireInside(setting, run);
      copy(old, output);
      for (int i = 0; i < length; i++) {
        int index = indices.get(ValueLayout.JAVA_INT_UNALIGNED, 4L * i);
        if (index < size) {
          exchange(values, i, output, index);
        }
      }
      return;
    }
    int workers = HistogramLoops.workers(indices, indices, length, limit);
    int[][] last = new int[workers][];
    AtomicBoolean isOutside = new AtomicBoolean();
    ParallelRows.deal(
        workers,
        worker -> {
          int from = HistogramLoops.bound(length, workers, worker);
          int end = HistogramLoops.bound(length, workers, worker + 1);
          last[worker] = new int[limit]; // not adjacent to another worker's
          if (!last(indices, from, end, last[worker])) {
            isOutside.set(true);
          }
        });
    if (isOutside.get()) {
      check.requireInside(setting, run);
    }
    copy(old, output);
    for (int[] positions : last) {
      for (int key = 0; key < size; key++) {
        if (positions[key] > 0) {
          exchange(values, positions[key] - 1, output, key);
        }
      }
    }
  }

  /** Stores for each index the position of its last value, plus one. */
  private static boolean last(MemorySegment indices, int from, int to, int[] last) {
    for (int i = from; i < to; i++) {
      int index = indices.get(ValueLayout.JAVA_INT_UNALIGNED, 4L * i);
      if (index < 0 || index >= last.length) {
        return false;
      }
      last[index] = i + 1;
    }
    return true;
  }

  private void exchange(MemorySegment values, int from, MemorySegment output, int to) {
    long bytes = type.bytes();
    if (bytes == Integer.BYTES) {
      int bits = values.get(ValueLayout.JAVA_INT_UNALIGNED, from * bytes);
      output.set(ValueLayout.JAVA_INT_UNALIGNED, to * bytes, bits);
    } else {
      long bits = values.get(ValueLayout.JAVA_LONG_UNALIGNED, from * bytes);
      output.set(ValueLayout.JAVA_LONG_UNALIGNED, to * bytes, bits);
    }
  }
}
