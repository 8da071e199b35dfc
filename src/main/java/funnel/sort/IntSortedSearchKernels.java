package funnel.sort;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link SortedSearchStep}. */
@Twins({"Byte", "Long", "Float", "Double"})
final class IntSortedSearchKernels {

  /* A thread has four searches at a time, whose loads do not wait for each other. Each search takes
   * every step: past the end of the array it reads the last element and does not take the step. In
   * place of a missing element to search for, the last one is searched again, and nothing is
   * written. In an empty part, the element before it is read, or the first one.
   */

  static final int SIZE_AT = 0;
  static final int LENGTH_AT = 1;
  static final int FROM_AT = 2;
  static final int WANTED_FROM_AT = 3;
  static final int TO_AT = 4;
  static final int BEGINS_FROM_AT = 5;
  static final int ENDS_FROM_AT = 6;

  static final int THREADS = 256;
  private static final int TILE = 4 * THREADS;

  private IntSortedSearchKernels() {}

  static int blocks(int capacity) {
    return Math.max(1, Math.ceilDiv(capacity, TILE));
  }

  /** The place after a step of the search. */
  private static int next(
      @Element IntArray sorted,
      int from,
      int begin,
      int size,
      int step,
      int sign,
      int limit,
      @Value int wanted,
      int place) {
    int to = place + Scalars.min(step, size - place);
    @Value int value = Scalars.value(sorted.get(from + Scalars.max(begin + to - 1, 0)));
    int isBefore = Scalars.compare(value, wanted) * sign < limit ? 1 : 0;
    int isInside = step <= size - place ? 1 : 0;
    return (isBefore & isInside) == 1 ? to : place;
  }

  /** The result for a place. */
  private static int found(
      @Element IntArray sorted,
      int from,
      int begin,
      int size,
      int isExact,
      @Value int wanted,
      int place) {
    int isEqual = 1 - isExact;
    if (isExact == 1 & size > 0) {
      @Value int value = Scalars.value(sorted.get(from + begin + Scalars.min(place, size - 1)));
      isEqual = (place < size ? 1 : 0) & (Scalars.compare(value, wanted) == 0 ? 1 : 0);
    }
    return isEqual == 1 ? place : -1 - place;
  }

  /** Where a part begins or ends. */
  private static int part(IntArray parts, int at, int isWithin, int least, int size, int whole) {
    return isWithin == 1 ? Scalars.clamp(parts.get(at), least, size) : whole;
  }

  static void search(
      KernelContext context,
      IntArray shape,
      @Element IntArray sorted,
      @Element IntArray wanted,
      IntArray begins,
      IntArray ends,
      IntArray places,
      IntArray done,
      int sign,
      int limit,
      int isExact,
      int isWithin,
      @AtLaunch int shapeAt,
      @AtLaunch int doneAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int size = shape.get(shapeAt);
    int from = shape.get(shapeAt + FROM_AT);
    int wantedFrom = shape.get(shapeAt + WANTED_FROM_AT);
    int to = shape.get(shapeAt + TO_AT);
    int beginsFrom = isWithin == 1 ? shape.get(shapeAt + BEGINS_FROM_AT) : 0;
    int endsFrom = isWithin == 1 ? shape.get(shapeAt + ENDS_FROM_AT) : 0;
    int first = block * TILE;
    int left = shape.get(shapeAt + LENGTH_AT) - first;
    if (left > 0) {
      int i0 = first + Scalars.min(thread, left - 1);
      int i1 = first + Scalars.min(thread + THREADS, left - 1);
      int i2 = first + Scalars.min(thread + 2 * THREADS, left - 1);
      int i3 = first + Scalars.min(thread + 3 * THREADS, left - 1);
      @Value int w0 = Scalars.value(wanted.get(wantedFrom + i0));
      @Value int w1 = Scalars.value(wanted.get(wantedFrom + i1));
      @Value int w2 = Scalars.value(wanted.get(wantedFrom + i2));
      @Value int w3 = Scalars.value(wanted.get(wantedFrom + i3));
      int b0 = part(begins, beginsFrom + i0, isWithin, 0, size, 0);
      int b1 = part(begins, beginsFrom + i1, isWithin, 0, size, 0);
      int b2 = part(begins, beginsFrom + i2, isWithin, 0, size, 0);
      int b3 = part(begins, beginsFrom + i3, isWithin, 0, size, 0);
      int n0 = part(ends, endsFrom + i0, isWithin, b0, size, size) - b0;
      int n1 = part(ends, endsFrom + i1, isWithin, b1, size, size) - b1;
      int n2 = part(ends, endsFrom + i2, isWithin, b2, size, size) - b2;
      int n3 = part(ends, endsFrom + i3, isWithin, b3, size, size) - b3;
      int p0 = 0;
      int p1 = 0;
      int p2 = 0;
      int p3 = 0;
      int largest = 1;
      while (largest <= size - largest) {
        largest += largest;
      }
      int step = Scalars.min(largest, size); // 0 in an empty array
      while (step > 0) {
        p0 = next(sorted, from, b0, n0, step, sign, limit, w0, p0);
        p1 = next(sorted, from, b1, n1, step, sign, limit, w1, p1);
        p2 = next(sorted, from, b2, n2, step, sign, limit, w2, p2);
        p3 = next(sorted, from, b3, n3, step, sign, limit, w3, p3);
        step = Scalars.logicalShiftRight(step, 1);
      }
      if (thread < left) {
        places.set(to + i0, found(sorted, from, b0, n0, isExact, w0, p0));
      }
      if (thread + THREADS < left) {
        places.set(to + i1, found(sorted, from, b1, n1, isExact, w1, p1));
      }
      if (thread + 2 * THREADS < left) {
        places.set(to + i2, found(sorted, from, b2, n2, isExact, w2, p2));
      }
      if (thread + 3 * THREADS < left) {
        places.set(to + i3, found(sorted, from, b3, n3, isExact, w3, p3));
      }
    }
    if (thread == 0 & block == 0) {
      done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
    }
  }
}
