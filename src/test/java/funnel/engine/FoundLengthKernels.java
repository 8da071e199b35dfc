package funnel.engine;

import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Kernels of {@link FoundLengthContract}, each for one thread. */
final class FoundLengthKernels {

  private FoundLengthKernels() {}

  private static void count(IntArray result, int resultAt) {
    int runs = result.get(resultAt + 1) + 1;
    if (runs > RunCounter.LAST) {
      runs = 0;
    }
    result.set(resultAt + 1, runs);
  }

  /** Of each run of equal keys the key, and how many there are. */
  static void runs(
      KernelContext context,
      IntArray shape,
      IntArray keys,
      IntArray distinct,
      IntArray counts,
      IntArray groups,
      int shapeAt,
      int groupsAt) {
    int length = shape.get(shapeAt);
    int found = 0;
    for (int i = 0; i < length; i++) {
      int key = keys.get(i);
      int before = keys.get(i > 0 ? i - 1 : 0);
      if (i == 0 | key != before) {
        distinct.set(found, key);
        counts.set(found, 0);
        found++;
      }
      counts.set(found - 1, counts.get(found - 1) + 1);
    }
    groups.set(groupsAt, found);
    count(groups, groupsAt);
  }

  /** Puts a length that was found in the place of the capacity. */
  static void length(
      KernelContext context, IntArray shape, IntArray found, int shapeAt, int foundAt) {
    shape.set(shapeAt, found.get(foundAt));
  }

  static void squares(
      KernelContext context,
      IntArray shape,
      IntArray values,
      IntArray squares,
      IntArray done,
      int shapeAt,
      int doneAt) {
    int length = shape.get(shapeAt);
    for (int i = 0; i < length; i++) {
      squares.set(i, values.get(i) * values.get(i));
    }
    count(done, doneAt);
  }

  static void sum(
      KernelContext context,
      IntArray shape,
      IntArray values,
      IntArray sum,
      int shapeAt,
      int sumAt) {
    int length = shape.get(shapeAt);
    int total = 0;
    for (int i = 0; i < length; i++) {
      total += values.get(i);
    }
    sum.set(sumAt, total);
    count(sum, sumAt);
  }
}
