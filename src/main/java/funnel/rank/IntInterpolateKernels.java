package funnel.rank;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link InterpolateStep}. */
@Twins({"Byte", "Long", "Float", "Double"})
final class IntInterpolateKernels {

  static final int LENGTH_AT = 0;
  static final int FROM_AT = 1;
  static final int TO_AT = 2;

  static final int THREADS = 64;

  private IntInterpolateKernels() {}

  /* Products are stored and read again across a barrier, since a device would otherwise fuse them
   * with the sums.
   */
  static void interpolate(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      DoubleArray weights,
      DoubleArray products,
      DoubleArray output,
      IntArray count,
      @AtLaunch int shapeAt,
      @AtLaunch int countAt) {
    int i = context.globalIdx;
    int length = shape.get(shapeAt);
    int from = shape.get(shapeAt + FROM_AT);
    int to = shape.get(shapeAt + TO_AT);
    double first = 0;
    double second = 0;
    double weight = 0;
    if (i < length) {
      first = Scalars.value(values.get(from + 2 * i));
      second = Scalars.value(values.get(from + 2 * i + 1));
      weight = weights.get(i);
      products.set(i, Interpolation.product(first, second, weight));
    }
    context.localBarrier();
    if (i < length) {
      output.set(to + i, Interpolation.between(first, second, weight, products.get(i)));
    }
    if (i == 0) {
      int runs = RunCounter.next(count.get(countAt + 1));
      count.set(countAt, length);
      count.set(countAt + 1, runs);
    }
  }
}
