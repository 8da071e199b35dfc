package funnel.rank;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link Interpolate}. */
@Twins({"Byte", "Long", "Float", "Double"})
final class IntInterpolateKernels {

  static final int THREADS = 64;

  private IntInterpolateKernels() {}

  /* As Quantiles.between. Products are stored and read again across a barrier, since a device would
   * otherwise fuse them with the sums. Halves and doubles are exact here, so that fusing them
   * changes nothing.
   */
  static void interpolate(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      DoubleArray weights,
      DoubleArray products,
      DoubleArray output,
      IntArray count,
      int shapeAt,
      int countAt) {
    int i = context.globalIdx;
    int length = shape.get(shapeAt);
    int from = shape.get(shapeAt + 1);
    int to = shape.get(shapeAt + 2);
    double first = 0;
    double second = 0;
    double weight = 0;
    if (i < length) {
      first = Scalars.value(values.get(from + 2 * i));
      second = Scalars.value(values.get(from + 2 * i + 1));
      weight = weights.get(i);
      double difference = second - first;
      double half = second * 0.5 - first * 0.5;
      double step = difference - difference == 0 ? difference : half;
      products.set(i, step * (weight < 0.5 ? weight : 1 - weight));
    }
    context.localBarrier();
    if (i < length) {
      double product = products.get(i);
      double difference = second - first;
      double move = difference - difference == 0 ? product : product * 2;
      double between = weight < 0.5 ? first + move : second - move;
      double sum = first + second;
      double number = difference - difference == 0 | sum - sum == 0 ? between : sum;
      output.set(to + i, first == second | weight == 0 ? first : number);
    }
    if (i == 0) {
      int runs = RunCounter.next(count.get(countAt + 1));
      count.set(countAt, length);
      count.set(countAt + 1, runs);
    }
  }
}
