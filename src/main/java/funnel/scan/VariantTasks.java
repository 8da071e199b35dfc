package funnel.scan;

import funnel.jit.KernelTask;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The launches of a {@link VariantScan} by scan and propagation, whatever its type. */
interface VariantTasks {

  /**
   * What the launches of one level work on.
   *
   * @param shape the plan's shape array
   * @param values the level's elements: the input, or the totals of the level below
   * @param out where their scan goes; it may be {@code values}
   * @param result the scan's total and, behind it, the run counter
   * @param operator code of the operator
   * @param identity its identity
   * @param shapeAt where this level's part of the shape array begins: offset, length, offset of
   *     {@code out}
   * @param resultAt index of the total
   */
  record Level(
      IntArray shape,
      Object values,
      Object out,
      Object result,
      int operator,
      Number identity,
      int shapeAt,
      int resultAt) {}

  /**
   * Scans each block's part and leaves its total.
   *
   * @param totals one place a block
   * @param isLast whether this is the last launch, which counts the run
   */
  KernelTask scan(
      ScanVariant variant,
      String id,
      int blocks,
      int threads,
      Level level,
      Object totals,
      boolean isLast);

  /**
   * Combines the scanned total before each block with the block's elements.
   *
   * @param scannedTotals the scan of the level's totals
   * @param isLast whether this is the last launch, which counts the run
   */
  KernelTask propagate(
      ScanVariant variant,
      String id,
      int blocks,
      int threads,
      Level level,
      Object scannedTotals,
      boolean isLast);
}
