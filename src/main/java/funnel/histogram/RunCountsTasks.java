package funnel.histogram;

import funnel.jit.KernelTask;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The task of {@link RunCounts}, whatever the counts' type. */
interface RunCountsTasks {

  /** Ints of the shape array: offset and length of the keys, offset of the counts. */
  int SHAPE_INTS = 3;

  /**
   * Counts the keys of each bin.
   *
   * @param id name of the task
   * @param bins how many bins
   * @param shape the shape array
   * @param keys sorted
   * @param counts a TornadoVM array of {@code bins} counts
   * @param counted the keys in any bin and, behind it, the run counter
   * @param shapeAt where the part of the shape array begins
   * @param countedAt index of {@code counted}'s value
   */
  KernelTask counts(
      String id,
      int bins,
      IntArray shape,
      IntArray keys,
      Object counts,
      IntArray counted,
      int shapeAt,
      int countedAt);
}
