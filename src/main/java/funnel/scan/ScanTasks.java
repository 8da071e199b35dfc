package funnel.scan;

import funnel.jit.KernelTask;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** The tasks of a scan, whatever its types: what a kernel class offers to {@link TileScan}. */
interface ScanTasks {

  /**
   * What the kernels of a scan work on.
   *
   * @param shape the plan's shape array: offset, length, offset of the output, tiles, most tiles,
   *     rounds of eight items, polls, index of the initial value
   * @param values the input, a TornadoVM array of the element type
   * @param output accumulators; it may be {@code values}
   * @param initial an array of accumulators with the initial value
   * @param sums accumulators, {@link ScanTree#places} of them
   * @param words as many words for the single pass, or twice as many for 8-byte accumulators; all
   *     zero before the first run
   * @param result accumulators: the total and, behind it, the run counter
   * @param gaveUp 0 until a block has waited too long
   * @param operator code of the operator
   * @param identity identity over the accumulator type
   * @param shapeAt where the scan's part of the shape array begins
   * @param resultAt index of the total
   * @param gaveUpAt index of {@code gaveUp}
   * @param inclusive whether an element's result contains the element
   */
  record Arguments(
      IntArray shape,
      Object values,
      Object output,
      Object initial,
      Object sums,
      LongArray words,
      Object result,
      IntArray gaveUp,
      int operator,
      Number identity,
      int shapeAt,
      int resultAt,
      int gaveUpAt,
      boolean inclusive) {}

  /** Sums each tile. */
  KernelTask sums(String id, int tiles, Arguments arguments);

  /** Sums each chunk's tiles' sums. */
  KernelTask totals(String id, int tiles, Arguments arguments);

  /** Computes each group's start. */
  KernelTask starts(String id, int tiles, Arguments arguments);

  /** Scans each tile. */
  KernelTask scan(String id, int tiles, Arguments arguments);

  /** Does all that in one launch. */
  KernelTask singlePass(String id, int tiles, Arguments arguments);
}
