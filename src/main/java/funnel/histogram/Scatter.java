package funnel.histogram;

import funnel.jit.FunctionCopies;
import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorThrewException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last part of a {@link ScatterReduce}: writes the output.
 *
 * @param id name of the output and, with a suffix, of its tasks
 * @param names what it reads
 * @param element type of the values
 * @param type of the output, which values are widened to
 * @param operator the operator; if null, the last value of each index is written
 * @param sortedOnJvm whether the JVM runs the parts before, too
 * @param valuesCapacity the most values
 * @param capacity the most elements of the output
 */
record Scatter(
    String id,
    Names names,
    ElementType element,
    ElementType type,
    @Nullable Operator operator,
    boolean sortedOnJvm,
    int valuesCapacity,
    int capacity)
    implements Primitive {

  /* On the JVM, values are combined one after the other into the output, without the sort, where that
   * gives the same: integer operators are associative bit by bit, and so are min and max. Of other
   * floating-point values it makes the same tree, for which it counts indices first. That takes
   * arrays as large as the output; where this is larger than the values, it takes the parts' way.
   */

  /**
   * Names of what is read.
   *
   * @param indices the indices as they were given
   * @param values the values as they were given
   * @param into the old contents
   * @param refused the array of an {@link IndexCheck}
   * @param keys the indices, sorted
   * @param positions where they were
   * @param come what they have come to; with no operator, the values
   */
  record Names(
      String indices,
      String values,
      String into,
      String refused,
      String keys,
      String positions,
      String come) {}

  /** Whether the JVM does without the parts before. */
  static boolean isDirectOnJvm(ElementType type, @Nullable Operator operator) {
    return operator == null
        || !type.isFloating()
        || operator.equals(Operator.MIN)
        || operator.equals(Operator.MAX);
  }

  /** Whether the JVM needs the parts before, for so many values at most and such an output. */
  static boolean isSortedOnJvm(
      ElementType type, @Nullable Operator operator, int values, int size) {
    return !isDirectOnJvm(type, operator) && size > values;
  }

  @Override
  public Layout layout() {
    String into = names.into();
    Layout layout =
        Layout.reads(names.indices(), names.values(), into, names.refused())
            .alsoReads(names.keys())
            .alsoReads(names.positions())
            .alsoReads(names.come())
            .writes(id, type, capacity, into)
            .counts(id);
    boolean isReadElsewhere = into.equals(names.values()) || into.equals(names.indices());
    return isReadElsewhere ? layout : layout.inPlaceOf(id, into);
  }

  @Override
  public void requireLengths(Lengths lengths) {
    int indices = lengths.length(names.indices());
    int values = lengths.length(names.values());
    if (indices != values) {
      throw new IllegalArgumentException(
          "scatter reduction %s takes an index for each value: length of %s=%d, length of %s=%d"
              .formatted(id, names.indices(), indices, names.values(), values));
    }
  }

  @Override
  public int[] shape(Lengths lengths) {
    return new int[] {
      lengths.length(names.indices()),
      lengths.length(names.into()),
      lengths.offset(names.into()),
      lengths.offset(id),
      lengths.offset(names.values())
    };
  }

  /** The kernels over a type, with an operator if there is one. */
  static Class<?> kernels(ElementType type, @Nullable Operator operator) {
    Class<?> kernels = TwinClass.of(MethodHandles.lookup(), IntScatterKernels.class, type);
    return operator == null
        ? kernels
        : FunctionCopies.kernels(MethodHandles.lookup(), kernels, operator, null);
  }

  @Override
  public void launch(Launches launches) {
    Class<?> kernels = kernels(type, operator);
    launches
        .array("keys", names.keys())
        .array("values", names.come())
        .array("positions", names.positions())
        .array("refused", names.refused())
        .array("into", names.into())
        .array("output", id);
    if (!launches.isInPlace(id, names.into())) {
      launches.add("copy", kernels, "copy", IntScatterKernels.grid(capacity));
    }
    Grid grid = IntScatterKernels.grid(valuesCapacity);
    if (operator == null) {
      launches.add("exchange", kernels, "exchange", grid);
    } else {
      launches.value("operator", operator.code()).add("combine", kernels, "combine", grid);
    }
  }

  @Override
  public Primitive in(Setting setting) {
    return new Scatter(
        id,
        names,
        element,
        type,
        operator,
        sortedOnJvm,
        setting.capacity(valuesCapacity),
        setting.capacity(capacity));
  }

  /**
   * The loops over values of a type.
   *
   * @param come the values'; those that were sorted are widened already
   * @param type the output's
   */
  static ScatterLoops loops(ElementType come, ElementType type, Operator by) {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    return FunctionCopies.loops(
        lookup,
        ScatterLoops.class,
        TwinClass.of(lookup, IntToIntScatterLoops.class, come, type).asSubclass(ScatterLoops.class),
        by);
  }

  @Override
  public List<Combined> combined() {
    return operator == null
        ? List.of()
        : List.of(new Combined(operator, names.values(), type, null));
  }

  @Override
  public void runOnJvm(JvmRun run) {
    MemorySegment old = run.input(names.into());
    MemorySegment output = run.output(id);
    if (output.byteSize() > 0 && !output.equals(old)) {
      MemorySegment.copy(old, 0, output, 0, output.byteSize());
    }
    if (operator == null) {
      exchange(run, output);
    } else {
      OperatorThrewException.naming(operator, null, () -> combine(run, output, operator));
    }
  }

  private void combine(JvmRun run, MemorySegment output, Operator by) {
    int size = run.length(names.into());
    int length = run.length(names.indices());
    ElementType come = sortedOnJvm ? type : element;
    ScatterLoops loops = run.kept(id, ScatterLoops.class, () -> loops(come, type, by));
    MemorySegment indices = run.input(names.indices());
    MemorySegment values = run.input(names.values());
    if (isDirectOnJvm(type, by)) {
      loops.all(indices, values, length, output, size, by.function());
    } else if (!sortedOnJvm) {
      loops.tree(indices, values, length, output, size, by.function(), by.neutral(type));
    } else if (length > 0) {
      loops.ends(
          run.input(names.keys()), run.input(names.come()), length, output, size, by.function());
    }
  }

  private void exchange(JvmRun run, MemorySegment output) {
    int size = run.length(names.into());
    int length = run.length(names.indices());
    MemorySegment indices = run.input(names.indices());
    MemorySegment values = run.input(names.values());
    long bytes = type.bytes();
    for (int i = 0; i < length; i++) {
      int index = indices.get(ValueLayout.JAVA_INT_UNALIGNED, 4L * i);
      if (index >= 0 && index < size) {
        if (bytes == Integer.BYTES) {
          int bits = values.get(ValueLayout.JAVA_INT_UNALIGNED, i * bytes);
          output.set(ValueLayout.JAVA_INT_UNALIGNED, index * bytes, bits);
        } else {
          long bits = values.get(ValueLayout.JAVA_LONG_UNALIGNED, i * bytes);
          output.set(ValueLayout.JAVA_LONG_UNALIGNED, index * bytes, bits);
        }
      }
    }
  }
}
