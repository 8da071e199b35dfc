package funnel.histogram;

import funnel.jit.Combine;
import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.kernel.AtLaunch;
import funnel.kernel.KernelTask;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of a {@link ScatterReduce}'s parts over one type. */
@Twins({"Long", "Float", "Double"})
final class IntScatterReduceKernels {

  /* Each block has 1024 elements, four per thread. Of equal keys, which are neighbours, the last
   * one writes, so that no place is written twice. Keys outside the output write nothing; they
   * exist only if an index is outside or inputs were cut off.
   */

  /* Where the kernels find their ints in the shape array. */
  static final int LENGTH_AT = 0;
  static final int SIZE_AT = 1;
  static final int FROM_AT = 2;
  static final int TO_AT = 3;
  static final int VALUES_FROM_AT = 4;

  private static final int THREADS = 256;
  private static final int ITEMS = 4;
  private static final int TILE = THREADS * ITEMS;
  private static final @Element int ZERO = 0;

  private IntScatterReduceKernels() {}

  static KernelTask.Grid grid(int capacity) {
    return KernelTask.Grid.of(Math.max(1, Math.ceilDiv(capacity, TILE)), THREADS);
  }

  /** Copies the old contents to the output, unless an index is outside. */
  static void copy(
      KernelContext context,
      IntArray shape,
      @Element IntArray into,
      @Element IntArray output,
      IntArray refused,
      @AtLaunch int shapeAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int size = shape.get(shapeAt + SIZE_AT);
    int from = shape.get(shapeAt + FROM_AT);
    int to = shape.get(shapeAt + TO_AT);
    int first = block * TILE;
    int left = refused.get(0) < 0 ? size - first : 0;
    for (int k = 0; k < ITEMS; k++) {
      int item = k * THREADS + thread;
      if (item < left) {
        output.set(to + first + item, into.get(from + first + item));
      }
    }
  }

  /** Sets the output to zeros, unless an index is outside. */
  static void clear(
      KernelContext context,
      IntArray shape,
      @Element IntArray output,
      IntArray refused,
      @AtLaunch int shapeAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int size = shape.get(shapeAt + SIZE_AT);
    int to = shape.get(shapeAt + TO_AT);
    int first = block * TILE;
    int left = refused.get(0) < 0 ? size - first : 0;
    for (int k = 0; k < ITEMS; k++) {
      int item = k * THREADS + thread;
      if (item < left) {
        output.set(to + first + item, ZERO);
      }
    }
  }

  /** 1 if the numbers differ, else 0: by arithmetic, since cuda may lose a negated comparison. */
  private static int differ(int a, int b) {
    int bits = a ^ b;
    return ((bits | (0 - bits)) >> 31) & 1;
  }

  /** 1 if element {@code i} is the last of equal keys, and one of them is an index, else 0. */
  private static int isEnd(IntArray keys, int i, int key, int length, int size) {
    int next = keys.get(Scalars.max(Scalars.min(i + 1, length - 1), 0));
    int isLast = i >= length - 1 ? 1 : 0;
    int isIndex = key >= 0 & key < size ? 1 : 0;
    return (differ(key, next) | isLast) & isIndex;
  }

  /** Combines the old contents with each key's result at the end of its run. */
  static void combine(
      KernelContext context,
      IntArray shape,
      IntArray keys,
      @Element IntArray values,
      IntArray refused,
      @Element IntArray into,
      @Element IntArray output,
      IntArray done,
      int operator,
      @AtLaunch int shapeAt,
      @AtLaunch int doneAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int length = shape.get(shapeAt);
    int size = shape.get(shapeAt + SIZE_AT);
    int from = shape.get(shapeAt + FROM_AT);
    int to = shape.get(shapeAt + TO_AT);
    int isRefused = refused.get(0) < 0 ? 0 : 1;
    int first = block * TILE;
    int left = (length - first) * (1 - isRefused);
    for (int k = 0; k < ITEMS; k++) {
      int item = k * THREADS + thread;
      int i = Scalars.max(first + Scalars.min(item, left - 1), 0);
      int key = keys.get(i);
      int isEnd = isEnd(keys, i, key, length, size);
      if (item < left & isEnd == 1) {
        @Element int old = into.get(from + key);
        @Element int come = values.get(i);
        output.set(to + key, Combine.apply(operator, old, come));
      }
    }
    if (thread == 0 & block == 0) {
      int runs = RunCounter.next(done.get(doneAt + 1));
      done.set(doneAt, isRefused);
      done.set(doneAt + 1, runs);
    }
  }

  /** Writes each key's last value. */
  static void exchange(
      KernelContext context,
      IntArray shape,
      IntArray keys,
      @Element IntArray values,
      IntArray positions,
      IntArray refused,
      @Element IntArray output,
      IntArray done,
      @AtLaunch int shapeAt,
      @AtLaunch int doneAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int length = shape.get(shapeAt);
    int size = shape.get(shapeAt + SIZE_AT);
    int to = shape.get(shapeAt + TO_AT);
    int from = shape.get(shapeAt + VALUES_FROM_AT);
    int isRefused = refused.get(0) < 0 ? 0 : 1;
    int first = block * TILE;
    int left = (length - first) * (1 - isRefused);
    for (int k = 0; k < ITEMS; k++) {
      int item = k * THREADS + thread;
      int i = Scalars.max(first + Scalars.min(item, left - 1), 0);
      int key = keys.get(i);
      int isEnd = isEnd(keys, i, key, length, size);
      if (item < left & isEnd == 1) {
        output.set(to + key, values.get(from + positions.get(i)));
      }
    }
    if (thread == 0 & block == 0) {
      int runs = RunCounter.next(done.get(doneAt + 1));
      done.set(doneAt, isRefused);
      done.set(doneAt + 1, runs);
    }
  }
}
