package funnel.scan;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The check of offsets in the device form of a {@link SegmentReductionStep}. */
@Twins({"Long", "Float", "Double"})
final class IntSegmentCheckKernels {

  private static final int THREADS = SegmentedTree.THREADS;

  /** Offsets per thread: a grid with a thread for each would be too large to launch. */
  private static final int CHECKED = 2;

  private IntSegmentCheckKernels() {}

  static int blocks(int mostOffsets) {
    return Math.max(1, Math.ceilDiv(mostOffsets, CHECKED * THREADS));
  }

  /** Checks offsets, and gives empty segments the identity. */
  static void check(
      KernelContext context,
      IntArray shape,
      IntArray starts,
      @Element IntArray output,
      @Element IntArray sums,
      IntArray flags,
      @AtLaunch int shapeAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int length = shape.get(shapeAt + SegmentedTree.LENGTH_AT);
    int to = shape.get(shapeAt + SegmentedTree.TO_AT);
    int from = shape.get(shapeAt + SegmentedTree.SEGMENTS_FROM_AT);
    int count = shape.get(shapeAt + SegmentedTree.OFFSETS_AT);
    int strict = shape.get(shapeAt + SegmentedTree.STRICTNESS_AT);
    int hasEnd = strict > 1 ? 1 : 0;
    int all = count + hasEnd;
    for (int k = 0; k < CHECKED; k++) {
      int j = (block * CHECKED + k) * THREADS + thread;
      if (j < all) {
        int offset = starts.get(from + j);
        int next = starts.get(from + Scalars.min(j, all - 2) + 1);
        int last = j == all - 1 ? 1 : 0;
        next = last == 1 ? Scalars.max(offset, length) : next;
        int wrong = (offset < 0 ? 1 : 0) | (next < offset ? 1 : 0);
        wrong = wrong | (strict & (offset > length ? 1 : 0));
        wrong = wrong | (hasEnd & last & (offset < length ? 1 : 0));
        if (wrong == 1) {
          flags.set(0, 1);
        }
        if (j < count & offset >= Scalars.min(next, length)) {
          output.set(to + j, sums.get(0));
        }
      }
    }
  }
}
