package funnel;

import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Kernels of {@link FirstOf}: a thread an element, up to the capacity. */
final class FirstOfKernels {

  private FirstOfKernels() {}

  private static int wanted(IntArray shape, IntArray count, int shapeAt) {
    int given = count.get(shape.get(shapeAt));
    return Scalars.min(Scalars.max(given, 0), shape.get(shapeAt + 1));
  }

  private static int from(IntArray shape, int shapeAt, int number, int i, int wanted) {
    return shape.get(shapeAt + 2 + number) + Scalars.max(Scalars.min(i, wanted - 1), 0);
  }

  static void bytes(
      KernelContext context,
      IntArray shape,
      IntArray count,
      ByteArray values,
      ByteArray first,
      int shapeAt,
      int number,
      int capacity) {
    int i = context.globalIdx;
    int wanted = wanted(shape, count, shapeAt);
    int value = values.get(from(shape, shapeAt, number, i, wanted));
    if (i < capacity) {
      first.set(i, (byte) (i < wanted ? value : -1));
    }
  }

  static void ints(
      KernelContext context,
      IntArray shape,
      IntArray count,
      IntArray values,
      IntArray first,
      int shapeAt,
      int number,
      int capacity) {
    int i = context.globalIdx;
    int wanted = wanted(shape, count, shapeAt);
    int value = values.get(from(shape, shapeAt, number, i, wanted));
    if (i < capacity) {
      first.set(i, i < wanted ? value : -1);
    }
  }

  static void longs(
      KernelContext context,
      IntArray shape,
      IntArray count,
      LongArray values,
      LongArray first,
      int shapeAt,
      int number,
      int capacity) {
    int i = context.globalIdx;
    int wanted = wanted(shape, count, shapeAt);
    long value = values.get(from(shape, shapeAt, number, i, wanted));
    if (i < capacity) {
      first.set(i, i < wanted ? value : -1L);
    }
  }

  static void floats(
      KernelContext context,
      IntArray shape,
      IntArray count,
      FloatArray values,
      FloatArray first,
      int shapeAt,
      int number,
      int capacity) {
    int i = context.globalIdx;
    int wanted = wanted(shape, count, shapeAt);
    float value = values.get(from(shape, shapeAt, number, i, wanted));
    if (i < capacity) {
      first.set(i, i < wanted ? value : Float.NaN);
    }
  }

  static void doubles(
      KernelContext context,
      IntArray shape,
      IntArray count,
      DoubleArray values,
      DoubleArray first,
      int shapeAt,
      int number,
      int capacity) {
    int i = context.globalIdx;
    int wanted = wanted(shape, count, shapeAt);
    double value = values.get(from(shape, shapeAt, number, i, wanted));
    if (i < capacity) {
      first.set(i, i < wanted ? value : Double.NaN);
    }
  }

  /** One thread delivers how many there are. */
  static void tell(
      KernelContext context,
      IntArray shape,
      IntArray count,
      IntArray length,
      int shapeAt,
      int lengthAt) {
    length.set(lengthAt, wanted(shape, count, shapeAt));
    length.set(lengthAt + 1, RunCounter.next(length.get(lengthAt + 1)));
  }
}
