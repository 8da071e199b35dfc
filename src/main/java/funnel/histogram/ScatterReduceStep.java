package funnel.histogram;

import funnel.jit.FunctionCopies;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Input;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The last part of a {@link ScatterReduce}: writes each element combined with the values of its
 * index.
 *
 * @param check the part that looks for indices outside
 * @param operator the operator; if null, the last value of each index is written
 */
record ScatterReduceStep(
    String id, Arrays arrays, IndexCheckStep check, @Nullable Operator operator)
    implements Primitive {

  /* On the JVM, values are combined one after the other into the output, without the sort, if that
   * gives the same bits: operators on integers are associative bit by bit, and so are min and max.
   * For other floating-point values it builds the same tree, for which it counts indices first.
   * That takes arrays as large as the output; if the output is larger than the values, the JVM runs
   * the parts instead.
   */

  /**
   * The inputs.
   *
   * @param into the old contents, of the type of the output, which values are widened to
   * @param keys the indices, sorted
   * @param positions their original positions
   * @param come the scanned values in the order of the keys; without an operator the values
   */
  record Arrays(
      Input indices, Input values, Input into, String keys, String positions, String come) {}

  /**
   * JVM form of the part that writes the output of a {@link ScatterReduce}, for any type of values.
   */
  interface Loops {

    /**
     * Combines the output's elements with each key's scanned value at the end of its run.
     *
     * @param come the scanned values, in the keys' order
     * @param output the old contents
     * @param size the number of its elements; keys outside are skipped
     */
    void ends(MemorySegment keys, MemorySegment come, int length, MemorySegment output, int size);

    /**
     * Combines the output's elements with values, one after the other.
     *
     * @param indices one for each value; those after the end of the output are skipped
     * @param output the old contents
     */
    void oneByOne(MemorySegment indices, MemorySegment values, int length, MemorySegment output);

    /** Keys of values, a block of at most {@link Bins#CHUNK} at a time, for one thread. */
    interface Keys {
      /** An array that contains {@code count} keys from {@code first} on. */
      int[] load(int first, int count);

      default int at(int first) {
        return 0;
      }

      /** Keys in memory: read from a Java array, or copied to one. */
      static Keys of(MemorySegment keys) {
        if (keys.heapBase().orElse(null) instanceof int[] all && keys.address() % 4 == 0) {
          return new Keys() {
            @Override
            public int[] load(int first, int count) {
              return all;
            }

            @Override
            public int at(int first) {
              return (int) (keys.address() / 4) + first;
            }
          };
        }
        int[] block = new int[Bins.CHUNK];
        return (first, count) -> {
          MemorySegment.copy(keys, ValueLayout.JAVA_INT_UNALIGNED, 4L * first, block, 0, count);
          return block;
        };
      }
    }

    /**
     * Combines the old contents with values in copies of the output, one for each worker. If a key
     * is outside, the output is unchanged.
     *
     * @param keys gives each worker its own view of the keys, one for each value
     * @param limit keys are less than this; results of keys after the end of the output are dropped
     * @return whether all keys are inside
     */
    boolean all(
        Supplier<Keys> keys,
        MemorySegment values,
        int length,
        int workers,
        MemorySegment old,
        MemorySegment output,
        int limit,
        Number neutral);

    /**
     * Combines the old contents with the total of each key's values, in the tree of a segmented
     * scan over the sorted keys, but without a sort.
     *
     * @param keys one for each value
     * @param counts how often each key occurs, and one more element; it is overwritten
     * @param limit keys are less than this; results of keys after the end of the output are dropped
     */
    void tree(
        Keys keys,
        int[] counts,
        MemorySegment values,
        int length,
        MemorySegment old,
        MemorySegment output,
        int limit,
        Number neutral);
  }

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

  private ElementType type() {
    return arrays.into().type();
  }

  /** Whether the JVM needs the earlier parts. */
  boolean isSortedOnJvm() {
    int values = arrays.indices().capacity();
    return isSortedOnJvm(type(), operator, values, arrays.into().capacity());
  }

  @Override
  public Step in(Setting setting) {
    String indices = arrays.indices().name();
    String values = arrays.values().name();
    String into = arrays.into().name();
    int most = setting.capacity(arrays.into().capacity());
    Grid grid = IntScatterReduceKernels.grid(setting.capacity(arrays.indices().capacity()));
    Step step =
        Step.of(this, setting)
            .reads("indices", indices)
            .derives(IntScatterReduceKernels.LENGTH_AT, indices, LengthRule.LENGTH)
            .reads("into", into, IntScatterReduceKernels.FROM_AT, IntScatterReduceKernels.SIZE_AT)
            .reads("refused", check.id())
            .readsFound("given", values, IntScatterReduceKernels.VALUES_FROM_AT)
            .readsFound("keys", arrays.keys())
            .readsFound("positions", arrays.positions())
            .readsFound("values", arrays.come())
            .equallyLong(
                indices, values, "scatter reduction %s takes an index for each value".formatted(id))
            .writes("output", id, type(), most, into, IntScatterReduceKernels.TO_AT)
            .counts()
            .onDevice(
                launches -> {
                  launches.kernels(IntScatterReduceKernels.class, type());
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
    if (!into.equals(values) && !into.equals(indices)) {
      step.inPlaceOf(id, into);
    }
    return operator == null ? step : step.combines(operator, values, type(), null);
  }

  /**
   * The loops over values of a type.
   *
   * @param come the type of the values; sorted values are already widened
   */
  static Loops loops(ElementType come, ElementType type, Operator by) {
    return FunctionCopies.loops(
        Loops.class, IntToIntScatterReduceLoops.class, by, null, come, type);
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
    MemorySegment old = run.input(arrays.into().name());
    MemorySegment output = run.output(id);
    MemorySegment own = run.input(arrays.indices().name());
    MemorySegment indices = own;
    MemorySegment values = run.input(arrays.values().name());
    int length = run.length(arrays.indices().name());
    int size = run.length(arrays.into().name());
    int limit = check.size(setting, run::length);
    ElementType type = type();
    ElementType come = isSortedOnJvm() ? type : arrays.values().type();
    Loops loops = run.kept(id, Loops.class, () -> loops(come, type, by));
    Number none = by.neutral(type);
    boolean areInside = true;
    if (isSortedOnJvm()) {
      copy(old, output);
      loops.ends(run.input(arrays.keys()), run.input(arrays.come()), length, output, size);
    } else if (!isDirectOnJvm(type, by)) {
      if (limit > size) { // the inputs have been cut off
        check.requireInside(setting, run);
        indices = cutOff(indices, length, size);
        limit = size + 1;
      }
      int[] counts = HistogramLoops.count(indices, length, ElementType.INT, Bins.keys(limit, 1));
      areInside = counts[limit] == 0;
      if (areInside) {
        Loops.Keys keys = Loops.Keys.of(indices);
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
      areInside =
          loops.all(() -> Loops.Keys.of(own), values, length, workers, old, output, limit, none);
    }
    if (!areInside) {
      check.requireInside(setting, run);
    }
  }

  private void exchange(JvmRun run, Setting setting) {
    MemorySegment old = run.input(arrays.into().name());
    MemorySegment output = run.output(id);
    MemorySegment indices = run.input(arrays.indices().name());
    MemorySegment values = run.input(arrays.values().name());
    int length = run.length(arrays.indices().name());
    int size = run.length(arrays.into().name());
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
    ParallelRows.parts(
        length,
        workers,
        (worker, from, end) -> {
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
    long bytes = type().bytes();
    if (bytes == Integer.BYTES) {
      int bits = values.get(ValueLayout.JAVA_INT_UNALIGNED, from * bytes);
      output.set(ValueLayout.JAVA_INT_UNALIGNED, to * bytes, bits);
    } else {
      long bits = values.get(ValueLayout.JAVA_LONG_UNALIGNED, from * bytes);
      output.set(ValueLayout.JAVA_LONG_UNALIGNED, to * bytes, bits);
    }
  }
}
