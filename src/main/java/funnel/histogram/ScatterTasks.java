package funnel.histogram;

import funnel.jit.FunctionCopies;
import funnel.jit.KernelTask;
import funnel.jit.TwinClass;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.lang.invoke.MethodHandles;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The tasks of a {@link ScatterReduce}'s parts, whatever the values' type. */
interface ScatterTasks {

  /**
   * Ints of the shape array: number of the keys, size, offsets of the old contents, of the output,
   * of the values.
   */
  int SHAPE_INTS = 5;

  /** The kernels over a type. */
  static Class<? extends ScatterTasks> kernels(ElementType type) {
    return TwinClass.of(MethodHandles.lookup(), IntScatterKernels.class, type)
        .asSubclass(ScatterTasks.class);
  }

  /** The tasks over a type that take no operator. */
  static ScatterTasks of(ElementType type) {
    return FunctionCopies.instance(MethodHandles.lookup(), ScatterTasks.class, kernels(type));
  }

  /** The tasks over a type with an operator. */
  static ScatterTasks of(ElementType type, Operator operator) {
    return FunctionCopies.kernels(
        MethodHandles.lookup(), ScatterTasks.class, kernels(type), operator);
  }

  /** Copies the old contents to the output, unless the run is refused. */
  KernelTask copy(
      String id,
      int capacity,
      IntArray shape,
      Object into,
      Object output,
      IntArray refused,
      int shapeAt);

  /** Sets the output to zeros, unless the run is refused. */
  KernelTask clear(
      String id, int capacity, IntArray shape, Object output, IntArray refused, int shapeAt);

  /**
   * What the kernels that write the output work on.
   *
   * @param shape the shape array
   * @param keys sorted
   * @param values what each key has come to, in the keys' order; or the values as they were given
   * @param positions where the keys were; not read by {@link #combine}
   * @param refused -1, unless nothing may be written
   * @param into the old contents
   * @param output as long; it may be {@code into}
   * @param done 1 if nothing was written, else 0; behind it the run counter
   * @param shapeAt where the part of the shape array begins
   * @param doneAt index of {@code done}'s value
   */
  record Arguments(
      IntArray shape,
      IntArray keys,
      Object values,
      IntArray positions,
      IntArray refused,
      Object into,
      Object output,
      IntArray done,
      int shapeAt,
      int doneAt) {}

  /** Combines the old contents with what each key has come to at the end of its run. */
  KernelTask combine(String id, int capacity, int operator, Arguments arguments);

  /** Writes each key's last value. */
  KernelTask exchange(String id, int capacity, Arguments arguments);
}
