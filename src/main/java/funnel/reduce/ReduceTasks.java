package funnel.reduce;

import funnel.jit.KernelTask;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The tasks of a reduction, whatever its types: what a kernel class offers to {@link Reduce}. */
interface ReduceTasks {

  /**
   * What the kernels of a reduction work on.
   *
   * @param shape the plan's shape array
   * @param values the input, a TornadoVM array of the element type
   * @param others the second input, or {@code values} again
   * @param parameter an accumulator array that the transform may read, or {@code partials}
   * @param partials one accumulator a row
   * @param result accumulators: the result and, behind it, the run counter
   * @param operator code of the operator
   * @param transform code of the transform
   * @param identity identity over the accumulator type
   * @param shapeAt where the reduction's part of the shape array begins
   * @param parameterAt index of the parameter
   * @param resultAt index of the result
   */
  record Arguments(
      IntArray shape,
      Object values,
      Object others,
      Object parameter,
      Object partials,
      Object result,
      int operator,
      int transform,
      Number identity,
      int shapeAt,
      int parameterAt,
      int resultAt) {}

  /** Reduces each row in the striped tree; {@code threads} divides {@link ReduceTree#LANES}. */
  KernelTask rows(String id, int blocks, int threads, Arguments arguments);

  /** Reduces the rows' results in the striped tree. */
  KernelTask finish(String id, int blocks, int threads, Arguments arguments);

  /** Reduces each row in the ordered tree. */
  KernelTask orderedRows(String id, int blocks, Arguments arguments);

  /** Reduces the rows' results in the ordered tree. */
  KernelTask orderedFinish(String id, int blocks, Arguments arguments);
}
