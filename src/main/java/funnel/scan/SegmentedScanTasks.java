package funnel.scan;

import funnel.jit.KernelTask;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** The tasks of a segmented scan: what a kernel class offers to {@link SegmentedTileScan}. */
interface SegmentedScanTasks {

  /** A non-zero byte for each element that begins a segment. */
  int HEADS = 0;

  /** A bit for each element. */
  int HEAD_BITS = 1;

  /** An int for each element; another than the one before begins a segment. */
  int INT_KEYS = 2;

  /** A long for each element, likewise. */
  int LONG_KEYS = 3;

  /** Offsets, of which bits have been made. */
  int OFFSETS = 4;

  /**
   * What the kernels of a segmented scan work on.
   *
   * @param shape the plan's shape array: offset, length, offset of the output, tiles, most tiles,
   *     offset of the segments, length of the segments, whether offsets may not be behind the
   *     values, rounds of items, polls
   * @param values the input
   * @param bytes where segments begin, if they are given so
   * @param ints where segments begin, if they are given so: bits, keys or offsets
   * @param longs where segments begin, if they are given so
   * @param bits the bits made of offsets
   * @param output as many values; it may be {@code values}
   * @param sums what each segment begins with and, in four launches, {@link SegmentedTree#places}
   *     values of pairs behind it
   * @param flags whether offsets were found wrong and, in four launches, the pairs' flags and, for
   *     each thread of each tile, which of its items begin segments
   * @param words in a single pass, {@link SegmentedTree#places} words for each 4 bytes of a value
   *     and, for bytes and keys, one for each thread of each tile
   * @param result the total and, behind it, the run counter
   * @param gaveUp 0, or 1 more than the number of a tile that waited in vain; behind it the run
   *     counter
   * @param operator code of the operator
   * @param identity its identity
   * @param shapeAt where the scan's part of the shape array begins
   * @param resultAt index of the total
   * @param gaveUpAt index of {@code gaveUp}'s value
   * @param segments one of the constants here
   * @param inclusive whether an element's result contains the element
   * @param ahead in a single pass, chunks that are summed before the first is scanned
   */
  record Arguments(
      IntArray shape,
      Object values,
      ByteArray bytes,
      IntArray ints,
      LongArray longs,
      IntArray bits,
      Object output,
      Object sums,
      IntArray flags,
      LongArray words,
      Object result,
      IntArray gaveUp,
      int operator,
      Number identity,
      int shapeAt,
      int resultAt,
      int gaveUpAt,
      int segments,
      boolean inclusive,
      int ahead) {}

  /** Finds where segments begin, and each tile's pair. */
  KernelTask pairs(String id, int tiles, Arguments arguments);

  /** Scans each chunk's pairs. */
  KernelTask prefixes(String id, int tiles, Arguments arguments);

  /** Computes each chunk's start. */
  KernelTask starts(String id, int tiles, Arguments arguments);

  /** Scans each tile. */
  KernelTask scan(String id, int tiles, Arguments arguments);

  /** All of it in one launch. */
  KernelTask singlePass(String id, int tiles, Arguments arguments);
}
