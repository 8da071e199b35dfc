package funnel.engine;

import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Kernels of {@link FoundLengthContract}, each for one thread. */
final class FoundLengthKernels {

  private FoundLengthKernels() {}

  /** Of each run of equal keys the key, where it begins, and how many there are. */
  static void runs(
      KernelContext context,
      IntArray shape,
      IntArray keys,
      IntArray distinct,
      IntArray begins,
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
        begins.set(found, i);
        counts.set(found, 0);
        found++;
      }
      counts.set(found - 1, counts.get(found - 1) + 1);
    }
    groups.set(groupsAt, found);
    groups.set(groupsAt + 1, RunCounter.next(groups.get(groupsAt + 1)));
  }

  static void scan(
      KernelContext context,
      IntArray shape,
      IntArray values,
      IntArray sums,
      IntArray done,
      int shapeAt,
      int doneAt) {
    int length = shape.get(shapeAt);
    int sum = 0;
    for (int i = 0; i < length; i++) {
      sum += values.get(i);
      sums.set(i, sum);
    }
    done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
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
    sum.set(sumAt + 1, RunCounter.next(sum.get(sumAt + 1)));
  }
}
