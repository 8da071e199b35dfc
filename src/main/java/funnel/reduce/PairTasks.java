package funnel.reduce;

import funnel.jit.KernelTask;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The tasks of a reduction to two values, whatever its types. */
interface PairTasks {

  /**
   * What the kernels work on.
   *
   * @param shape the plan's shape array
   * @param values the input
   * @param firstPartials first value of each row
   * @param secondPartials second value of each row
   * @param firstResult where the first result goes, and its run counter
   * @param secondResult where the second result goes, and its run counter
   * @param code a {@link PairCode}
   * @param shapeAt where the reduction's part of the shape array begins
   * @param firstAt index of the first result
   * @param secondAt index of the second result
   */
  record Arguments(
      IntArray shape,
      Object values,
      Object firstPartials,
      Object secondPartials,
      Object firstResult,
      Object secondResult,
      int code,
      int shapeAt,
      int firstAt,
      int secondAt) {}

  /** Reduces each row. */
  KernelTask rows(String id, int blocks, Arguments arguments);

  /** Reduces the rows' results. */
  KernelTask finish(String id, int blocks, Arguments arguments);
}
