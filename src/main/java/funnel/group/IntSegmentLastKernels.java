package funnel.group;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link SegmentLast}. */
@Twins({"Long", "Float", "Double"})
final class IntSegmentLastKernels {

  /* A thread has four segments, whose loads do not wait for each other. Where there is no segment
   * the last one is looked at again, and nothing is written. Starts that are refused, and those
   * after values that were cut off, lead to places that are kept within the values.
   */

  static final int THREADS = 256;
  private static final int TILE = 4 * THREADS;

  private IntSegmentLastKernels() {}

  /** Blocks for so many segments. */
  static int blocks(int capacity) {
    return Math.max(1, Math.ceilDiv(capacity, TILE));
  }

  /** After the last element of a segment, or 0 if it has none. */
  private static int end(IntArray starts, int from, int segment, int segments, int length) {
    int start = starts.get(from + segment);
    int next = starts.get(from + Scalars.min(segment, segments - 2) + 1);
    int end = segment == segments - 1 ? length : Scalars.min(next, length);
    return start < end ? Scalars.max(end, 0) : 0;
  }

  static void last(
      KernelContext context,
      IntArray shape,
      IntArray starts,
      @Element IntArray values,
      @Element IntArray output,
      IntArray done,
      @Element int none,
      int shapeAt,
      int doneAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int segments = shape.get(shapeAt);
    int length = shape.get(shapeAt + 1);
    int startsFrom = shape.get(shapeAt + 2);
    int from = shape.get(shapeAt + 3);
    int to = shape.get(shapeAt + 4);
    int first = block * TILE;
    int left = segments - first;
    if (left > 0) {
      int s0 = first + Scalars.min(thread, left - 1);
      int s1 = first + Scalars.min(thread + THREADS, left - 1);
      int s2 = first + Scalars.min(thread + 2 * THREADS, left - 1);
      int s3 = first + Scalars.min(thread + 3 * THREADS, left - 1);
      int e0 = end(starts, startsFrom, s0, segments, length);
      int e1 = end(starts, startsFrom, s1, segments, length);
      int e2 = end(starts, startsFrom, s2, segments, length);
      int e3 = end(starts, startsFrom, s3, segments, length);
      @Element int v0 = values.get(from + Scalars.max(e0 - 1, 0));
      @Element int v1 = values.get(from + Scalars.max(e1 - 1, 0));
      @Element int v2 = values.get(from + Scalars.max(e2 - 1, 0));
      @Element int v3 = values.get(from + Scalars.max(e3 - 1, 0));
      if (thread < left) {
        output.set(to + s0, e0 > 0 ? v0 : none);
      }
      if (thread + THREADS < left) {
        output.set(to + s1, e1 > 0 ? v1 : none);
      }
      if (thread + 2 * THREADS < left) {
        output.set(to + s2, e2 > 0 ? v2 : none);
      }
      if (thread + 3 * THREADS < left) {
        output.set(to + s3, e3 > 0 ? v3 : none);
      }
    }
    if (thread == 0 & block == 0) {
      done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
    }
  }
}
