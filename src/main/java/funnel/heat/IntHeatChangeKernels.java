package funnel.heat;

import funnel.jit.Element;
import funnel.jit.Twins;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of the distance of two fields over one element type. */
@Twins({"Float", "Double"})
final class IntHeatChangeKernels {

  static final int THREADS = 256;

  /** Nodes per thread. */
  static final int EACH = 8;

  private IntHeatChangeKernels() {}

  static void distanceOfFields(
      KernelContext context,
      IntArray shape,
      @Element IntArray from,
      @Element IntArray to,
      int shapeAt) {
    int start = context.groupIdx * (THREADS * EACH);
    int left = shape.get(shapeAt) * shape.get(shapeAt + HeatLaunches.NY_AT) - start;
    for (int place = context.localIdx; place < THREADS * EACH; place += THREADS) {
      if (place < left) {
        @Element int d = to.get(start + place) - from.get(start + place);
        d = d < 0 ? -d : d;
        to.set(start + place, d + (@Element int) 0); // no -0.0
      }
    }
  }
}
