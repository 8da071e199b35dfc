package funnel.engine;

import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Kernels of {@link RoutineContract}. */
public final class RoutineKernels {

  private RoutineKernels() {}

  /** Adds to every element; the first thread delivers the new first element. */
  static void add(
      KernelContext context,
      IntArray shape,
      IntArray values,
      IntArray result,
      int shapeAt,
      int resultAt,
      int amount) {
    int at = context.globalIdx;
    if (at < shape.get(shapeAt)) {
      values.set(at, values.get(at) + amount);
    }
    if (at == 0) {
      result.set(resultAt, values.get(0));
      result.set(resultAt + 1, RunCounter.next(result.get(resultAt + 1)));
    }
  }
}
