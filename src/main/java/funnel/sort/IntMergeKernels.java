package funnel.sort;

import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.jit.Value;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import funnel.operator.ElementType;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * Device form of merges: of {@link MergeStep}, {@link MergeSortStep} and {@link SetMembersStep}.
 */
@Twins({"Byte", "Long", "Float", "Double"})
final class IntMergeKernels {

  /* Merge path: the first elements of a merge, however many, are first elements of each input, and
   * a binary search along a diagonal finds how many of each. So a launch with a thread for each
   * tile of the output finds where tiles begin in the inputs. A block loads the elements of its
   * tile; each of its threads searches for its own 16 (or 8) elements there and merges them one by
   * one. A search takes as long as merging some 10 elements, so a thread merges as many as fit into
   * local memory. Merged keys go to another local array, from which a warp writes neighbours; one
   * place in 33 is left free there, since threads write at distances of 16 or 8. For
   * positions, places are merged instead, and keys and columns are read by them.
   *
   * To sort a tile, a thread sorts groups of eight elements in registers by an odd-even
   * transposition sort, whose exchanges of neighbours are stable. Then runs are merged as above, to
   * runs of twice the length, from one half of an array to the other. While runs are shorter than a
   * thread's elements, it merges several pairs of them. Incomplete groups are filled with their
   * largest element, which is sorted after the existing ones.
   *
   * After the last element one more is read, so that a comparator sees only elements. Whatever the
   * comparator returns, and if inputs are not sorted, every index stays inside: a split is between
   * 0 and both lengths, and a tile's number of elements of the first input is clamped to what fits.
   *
   * Rows are keys with a second and third column, which each pass moves along, so that a row's
   * elements have one index. Only keys are in local memory, since three columns would not fit; the
   * others are read from global memory, in stretches that caches hold. A merge of two arrays has no
   * further columns, and a pass over rows reads only one array: the second array's parameter serves
   * both, since a task has no room for more parameters.
   *
   * Eight elements are read before any of them is stored: the cuda backend's compiler assumes that
   * a store to local memory may change what is read next, and waits. The eight are variables, and
   * sortTiles is long, since ptx keeps no third private array in registers, and a local array
   * cannot be passed to another method. Rounds of exchanges and merges have a count that no
   * compiler knows: otherwise they would be unrolled, and with them the user's comparator.
   */

  static final int THREADS = 256;

  /** Places of the threads' n-th elements, with one free place in 33. */
  private static final int PITCH = THREADS + THREADS / 32;

  /** Elements that a thread reads before it stores any. */
  private static final int ROUND = 8;

  private static final int GROUP = 8;

  static final int SPLIT_THREADS = 64;

  /* Outputs. */
  static final int KEYS = 1;
  static final int POSITIONS = 2;

  /** Written positions are read with the keys; otherwise they are the keys' current positions. */
  static final int MOVED = 4;

  static final int LAST = 8;

  /* Indices in the ints of the shape. */
  static final int LENGTH = 0;
  static final int SECOND_LENGTH = 1;
  static final int IN_FIRST = 2;
  static final int IN_SECOND = 3;
  static final int IN_OUTPUT = 4;
  static final int IN_OTHER = 5;

  static final int IN_SECOND_COLUMN = 8;
  static final int IN_THIRD_COLUMN = 9;

  /** The distance from the offset of keys to that of their positions. */
  private static final int POSITIONS_AT = 2;

  static final int POSITIONS_IN_OUTPUT = IN_OUTPUT + POSITIONS_AT;
  static final int POSITIONS_IN_OTHER = IN_OTHER + POSITIONS_AT;

  private IntMergeKernels() {}

  static int items(ElementType type) {
    return type.bytes() < Long.BYTES ? 16 : 8;
  }

  /** Elements that a thread of a block sorts. */
  static int sortedItems(ElementType type, boolean isPlaced) {
    return isPlaced ? 8 : items(type);
  }

  /** Tiles of a number of elements, at least one. */
  static int tiles(int capacity, int items) {
    return Math.max(1, Math.ceilDiv(capacity, items * THREADS));
  }

  private static int place(int item) {
    return item + (item >> 5);
  }

  /** Moves the other elements of a row. */
  private static void move(
      int by,
      @Element IntArray second,
      @Element IntArray third,
      int secondAt,
      int thirdAt,
      @Element IntArray movedSecond,
      @Element IntArray movedThird,
      int to) {
    if (by >= IntOvertakes.COMPARED_ROWS_OF_2) {
      movedSecond.set(to, second.get(secondAt));
    }
    if (by == IntOvertakes.COMPARED_ROWS_OF_3) {
      movedThird.set(to, third.get(thirdAt));
    }
  }

  static void sortTiles(
      KernelContext context,
      IntArray shape,
      @Element IntArray keys,
      @Element IntArray column2,
      @Element IntArray column3,
      @Element IntArray sortedKeys,
      @Element IntArray sorted2,
      @Element IntArray sorted3,
      IntArray sortedPositions,
      IntArray done,
      @AtLaunch int shapeAt,
      @AtLaunch int doneAt,
      int by,
      int outputs,
      @AtLaunch int toAt,
      int items) {
    int thread = context.localIdx;
    int tile = context.groupIdx;
    int length = shape.get(shapeAt);
    int isPlaced = (outputs & POSITIONS) != 0 ? 1 : 0;
    int half = items * THREADS + 32;
    int places = place(half);
    int first = tile * (items * THREADS);
    int left = length - first;
    if (left > 0) {
      int count = Scalars.min(left, items * THREADS);
      int from = shape.get(shapeAt + IN_FIRST) + first;
      int from2 = shape.get(shapeAt + IN_SECOND_COLUMN) + first;
      int from3 = shape.get(shapeAt + IN_THIRD_COLUMN) + first;
      @Value int[] loaded = context.allocateIntLocalArray(isPlaced == 1 ? places : 2 * places);
      int[] order = context.allocateIntLocalArray(isPlaced == 1 ? 2 * places : 1);
      int most = count - 1;
      int column = place(thread);
      for (int r = 0; r < items / ROUND; r++) {
        int item = r * (ROUND * THREADS) + thread;
        int to = r * (ROUND * PITCH) + column;
        @Value int k0 = Scalars.value(keys.get(from + Scalars.min(item, most)));
        @Value int k1 = Scalars.value(keys.get(from + Scalars.min(item + THREADS, most)));
        @Value int k2 = Scalars.value(keys.get(from + Scalars.min(item + 2 * THREADS, most)));
        @Value int k3 = Scalars.value(keys.get(from + Scalars.min(item + 3 * THREADS, most)));
        @Value int k4 = Scalars.value(keys.get(from + Scalars.min(item + 4 * THREADS, most)));
        @Value int k5 = Scalars.value(keys.get(from + Scalars.min(item + 5 * THREADS, most)));
        @Value int k6 = Scalars.value(keys.get(from + Scalars.min(item + 6 * THREADS, most)));
        @Value int k7 = Scalars.value(keys.get(from + Scalars.min(item + 7 * THREADS, most)));
        loaded[to] = k0;
        loaded[to + PITCH] = k1;
        loaded[to + 2 * PITCH] = k2;
        loaded[to + 3 * PITCH] = k3;
        loaded[to + 4 * PITCH] = k4;
        loaded[to + 5 * PITCH] = k5;
        loaded[to + 6 * PITCH] = k6;
        loaded[to + 7 * PITCH] = k7;
        if (item == 0) { // for reads after the last element
          loaded[place(items * THREADS)] = k0;
          if (isPlaced == 0) {
            loaded[place(half + count)] = k0;
          }
          if (isPlaced == 1) {
            order[place(count)] = 0;
            order[place(half + count)] = 0;
          }
        }
      }
      context.localBarrier();
      int own = thread * items;
      int ownEnd = Scalars.min(own + items, count);
      for (int begin = own; begin < ownEnd; begin += GROUP) {
        int base = place(begin);
        int inside = ownEnd - begin;
        int largest = begin;
        int shortEnd = inside < GROUP ? ownEnd : 0;
        for (int item = begin + 1; item < shortEnd; item++) {
          @Value int key = loaded[place(item)];
          @Value int other = loaded[place(largest)];
          int isLess =
              IntOvertakes.of(by, key, other, column2, column3, from2, from3, item, largest);
          largest = isLess == 1 ? largest : item;
        }
        @Value int[] mine = new @Value int[GROUP];
        int[] mineAt = new int[GROUP];
        for (int k = 0; k < GROUP; k++) {
          mineAt[k] = k < inside ? begin + k : largest;
          mine[k] = loaded[place(mineAt[k])];
        }
        for (int r = Scalars.min(count, GROUP); r > 0; r -= 2) {
          for (int pair = 0; pair < GROUP - 1; pair++) {
            int k = 2 * pair < GROUP ? 2 * pair : 2 * pair - GROUP + 1;
            @Value int early = mine[k];
            @Value int late = mine[k + 1];
            int earlyAt = mineAt[k];
            int lateAt = mineAt[k + 1];
            int swaps =
                IntOvertakes.of(by, late, early, column2, column3, from2, from3, lateAt, earlyAt);
            mine[k] = swaps == 1 ? late : early;
            mine[k + 1] = swaps == 1 ? early : late;
            mineAt[k] = swaps == 1 ? lateAt : earlyAt;
            mineAt[k + 1] = swaps == 1 ? earlyAt : lateAt;
          }
        }
        for (int k = 0; k < GROUP; k++) {
          if (isPlaced == 0) {
            loaded[base + k] = mine[k];
          }
          if (isPlaced == 1) {
            order[base + k] = mineAt[k];
          }
        }
      }
      context.localBarrier();
      int at = 0;
      for (int width = GROUP; width < count; width = 2 * width) {
        int to = half - at;
        int step = Scalars.min(2 * width, items);
        for (int begin = own; begin < ownEnd; begin += step) {
          int pair = at + (begin & -(2 * width));
          int middle = Scalars.min(pair + width, at + count);
          int pairEnd = Scalars.min(pair + 2 * width, at + count);
          int diagonal = at + begin - pair;
          int low = Scalars.max(0, diagonal - (pairEnd - middle));
          int high = Scalars.min(diagonal, middle - pair);
          while (low < high) {
            int probe = (low + high) >> 1;
            int early = place(pair + probe);
            int late = place(middle + diagonal - 1 - probe);
            if (isPlaced == 1) {
              early = order[early];
              late = order[late];
            }
            @Value int lateKey = loaded[isPlaced == 1 ? place(late) : late];
            @Value int earlyKey = loaded[isPlaced == 1 ? place(early) : early];
            int isLate =
                IntOvertakes.of(by, lateKey, earlyKey, column2, column3, from2, from3, late, early);
            high = isLate == 1 ? probe : high;
            low = isLate == 1 ? low : probe + 1;
          }
          int a = pair + low;
          int b = middle + diagonal - low;
          int early = place(a);
          int late = place(b);
          if (isPlaced == 1) {
            early = order[early];
            late = order[late];
          }
          @Value int earlyKey = loaded[isPlaced == 1 ? place(early) : early];
          @Value int lateKey = loaded[isPlaced == 1 ? place(late) : late];
          int item = place(to + begin);
          int steps = Scalars.min(step, ownEnd - begin);
          for (int k = 0; k < steps; k++) {
            int isBefore =
                IntOvertakes.of(by, lateKey, earlyKey, column2, column3, from2, from3, late, early);
            int isLate = (b < pairEnd ? 1 : 0) & ((a < middle ? 0 : 1) | isBefore);
            if (isPlaced == 1) {
              order[item + k] = isLate == 1 ? late : early;
            }
            if (isPlaced == 0) {
              loaded[item + k] = isLate == 1 ? lateKey : earlyKey;
            }
            int next = (isLate == 1 ? b : a) + 1;
            a = isLate == 1 ? a : next;
            b = isLate == 1 ? next : b;
            int nextAt = place(next);
            if (isPlaced == 1) {
              nextAt = order[nextAt];
              early = isLate == 1 ? early : nextAt;
              late = isLate == 1 ? nextAt : late;
            }
            @Value int nextKey = loaded[isPlaced == 1 ? place(nextAt) : nextAt];
            earlyKey = isLate == 1 ? earlyKey : nextKey;
            lateKey = isLate == 1 ? nextKey : lateKey;
          }
        }
        context.localBarrier();
        at = half - at;
      }
      int outputFrom = shape.get(shapeAt + toAt) + first;
      int positionsFrom = shape.get(shapeAt + toAt + POSITIONS_AT) + first;
      for (int k = 0; k < items; k++) {
        int item = k * THREADS + thread;
        if (item < count) {
          int source = place(at) + column + k * PITCH;
          if (isPlaced == 1) {
            source = order[source];
            sortedPositions.set(positionsFrom + item, first + source);
          }
          if ((outputs & KEYS) != 0) {
            int to = outputFrom + item;
            int place = isPlaced == 1 ? place(source) : source;
            sortedKeys.set(to, (@Element int) loaded[place]);
            move(by, column2, column3, from2 + source, from3 + source, sorted2, sorted3, to);
          }
        }
      }
    }
    if ((outputs & LAST) != 0 & thread == 0 & tile == 0) {
      done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
    }
  }

  static void split(
      KernelContext context,
      IntArray shape,
      @Element IntArray first,
      @Element IntArray second,
      @Element IntArray column3,
      IntArray splits,
      @AtLaunch int shapeAt,
      int run,
      int least,
      int by,
      @AtLaunch int fromAt,
      int items) {
    int tile = context.groupIdx * SPLIT_THREADS + context.localIdx;
    int length = shape.get(shapeAt);
    int total = run == 0 ? length + shape.get(shapeAt + SECOND_LENGTH) : length;
    if (total > least & tile <= total / (items * THREADS)) {
      int begin = tile * (items * THREADS);
      int pair = run == 0 ? 0 : begin & -(2 * run);
      int firstLength = run == 0 ? length : Scalars.min(run, total - pair);
      int rest = total - pair - firstLength;
      int secondLength = run == 0 ? rest : Scalars.min(run, rest);
      int a = shape.get(shapeAt + fromAt) + pair;
      int b = run == 0 ? shape.get(shapeAt + IN_SECOND) : a + firstLength;
      int diagonal = begin - pair;
      int low = Scalars.max(0, diagonal - secondLength);
      int high = Scalars.min(diagonal, firstLength);
      while (low < high) {
        int half = low + (high - low) / 2;
        @Value int early = Scalars.value(first.get(a + half));
        int lateAt = b + diagonal - 1 - half;
        @Value
        int late = run == 0 ? Scalars.value(second.get(lateAt)) : Scalars.value(first.get(lateAt));
        int isLate = IntOvertakes.of(by, late, early, second, column3, 0, 0, lateAt, a + half);
        high = isLate == 1 ? half : high;
        low = isLate == 1 ? low : half + 1;
      }
      splits.set(tile, low);
    }
  }

  /** The key of an item of a tile, whose parts begin at two places. */
  private static @Value int key(
      int run,
      @Element IntArray first,
      @Element IntArray second,
      int a,
      int b,
      int ofFirst,
      int item) {
    int at = (item < ofFirst ? a : b) + item;
    if (run != 0) {
      return Scalars.value(first.get(at));
    }
    return item < ofFirst ? Scalars.value(first.get(at)) : Scalars.value(second.get(at));
  }

  static void merge(
      KernelContext context,
      IntArray shape,
      @Element IntArray first,
      @Element IntArray second,
      @Element IntArray column3,
      IntArray splits,
      IntArray positions,
      @Element IntArray merged,
      @Element IntArray merged2,
      @Element IntArray merged3,
      IntArray mergedPositions,
      IntArray done,
      @AtLaunch int shapeAt,
      @AtLaunch int doneAt,
      int run,
      int least,
      int by,
      int outputs,
      @AtLaunch int fromAt,
      int items) {
    int thread = context.localIdx;
    int tile = context.groupIdx;
    int length = shape.get(shapeAt);
    int total = run == 0 ? length + shape.get(shapeAt + SECOND_LENGTH) : length;
    int isPlaced = (outputs & POSITIONS) != 0 ? 1 : 0;
    int all = items * THREADS;
    int begin = tile * all;
    int left = total - begin;
    if (total > least & left > 0) {
      int count = Scalars.min(left, all);
      int pair = run == 0 ? 0 : begin & -(2 * run);
      int firstLength = run == 0 ? length : Scalars.min(run, total - pair);
      int rest = total - pair - firstLength;
      int secondLength = run == 0 ? rest : Scalars.min(run, rest);
      int isLast = begin - pair + count == firstLength + secondLength ? 1 : 0;
      int split = splits.get(tile);
      int nextSplit = splits.get(tile + 1);
      int splitEnd = isLast == 1 ? firstLength : nextSplit;
      int ofFirst = Scalars.min(Scalars.max(splitEnd - split, 0), count);
      int secondAt = firstLength + begin - pair - split - ofFirst;
      int a = shape.get(shapeAt + fromAt) + pair + split;
      int b = run == 0 ? shape.get(shapeAt + IN_SECOND) - firstLength : a - split;
      b = b + secondAt;
      @Value int[] loaded = context.allocateIntLocalArray(all + 1);
      @Value int[] keys = context.allocateIntLocalArray(isPlaced == 1 ? 1 : items * PITCH);
      int[] order = context.allocateIntLocalArray(isPlaced == 1 ? items * PITCH : 1);
      int most = count - 1;
      for (int r = 0; r < items / ROUND; r++) {
        int item = r * (ROUND * THREADS) + thread;
        int i1 = Scalars.min(item + THREADS, most);
        int i2 = Scalars.min(item + 2 * THREADS, most);
        int i3 = Scalars.min(item + 3 * THREADS, most);
        int i4 = Scalars.min(item + 4 * THREADS, most);
        int i5 = Scalars.min(item + 5 * THREADS, most);
        int i6 = Scalars.min(item + 6 * THREADS, most);
        int i7 = Scalars.min(item + 7 * THREADS, most);
        @Value int k0 = key(run, first, second, a, b, ofFirst, Scalars.min(item, most));
        @Value int k1 = key(run, first, second, a, b, ofFirst, i1);
        @Value int k2 = key(run, first, second, a, b, ofFirst, i2);
        @Value int k3 = key(run, first, second, a, b, ofFirst, i3);
        @Value int k4 = key(run, first, second, a, b, ofFirst, i4);
        @Value int k5 = key(run, first, second, a, b, ofFirst, i5);
        @Value int k6 = key(run, first, second, a, b, ofFirst, i6);
        @Value int k7 = key(run, first, second, a, b, ofFirst, i7);
        loaded[item] = k0;
        loaded[item + THREADS] = k1;
        loaded[item + 2 * THREADS] = k2;
        loaded[item + 3 * THREADS] = k3;
        loaded[item + 4 * THREADS] = k4;
        loaded[item + 5 * THREADS] = k5;
        loaded[item + 6 * THREADS] = k6;
        loaded[item + 7 * THREADS] = k7;
        if (thread == 0) {
          loaded[all] = k0;
        }
      }
      context.localBarrier();
      int diagonal = Scalars.min(thread * items, count);
      int low = Scalars.max(0, diagonal - (count - ofFirst));
      int high = Scalars.min(diagonal, ofFirst);
      while (low < high) {
        int early = (low + high) >> 1;
        int late = ofFirst + diagonal - 1 - early;
        @Value int lateKey = loaded[late];
        @Value int earlyKey = loaded[early];
        int isLate =
            IntOvertakes.of(by, lateKey, earlyKey, second, column3, 0, 0, b + late, a + early);
        high = isLate == 1 ? early : high;
        low = isLate == 1 ? low : early + 1;
      }
      int early = low;
      int late = ofFirst + diagonal - low;
      @Value int earlyKey = loaded[early];
      @Value int lateKey = loaded[late];
      int to = place(diagonal);
      int steps = Scalars.min(items, count - diagonal);
      for (int k = 0; k < steps; k++) {
        int lateAt = b + Scalars.min(late, most);
        int earlyAt = a + Scalars.min(early, Scalars.max(ofFirst - 1, 0));
        int isBefore =
            IntOvertakes.of(by, lateKey, earlyKey, second, column3, 0, 0, lateAt, earlyAt);
        int isLate = (late < count ? 1 : 0) & ((early < ofFirst ? 0 : 1) | isBefore);
        if (isPlaced == 1) {
          order[to + k] = isLate == 1 ? late : early;
        }
        if (isPlaced == 0) {
          keys[to + k] = isLate == 1 ? lateKey : earlyKey;
        }
        int next = (isLate == 1 ? late : early) + 1;
        early = isLate == 1 ? early : next;
        late = isLate == 1 ? next : late;
        @Value int nextKey = loaded[next];
        earlyKey = isLate == 1 ? earlyKey : nextKey;
        lateKey = isLate == 1 ? nextKey : lateKey;
      }
      context.localBarrier();
      int toAt = fromAt == IN_OUTPUT ? IN_OTHER : IN_OUTPUT;
      int outputFrom = shape.get(shapeAt + toAt) + begin;
      int positionsFrom = shape.get(shapeAt + fromAt + POSITIONS_AT);
      int positionsTo = shape.get(shapeAt + toAt + POSITIONS_AT) + begin;
      int column = place(thread);
      if (isPlaced == 0 & count == all) {
        for (int k = 0; k < items; k++) {
          @Value int key = keys[column + k * PITCH];
          merged.set(outputFrom + thread + k * THREADS, (@Element int) key);
        }
      }
      if (isPlaced == 0 & count < all) {
        for (int item = thread; item < count; item += THREADS) {
          merged.set(outputFrom + item, (@Element int) keys[place(item)]);
        }
      }
      for (int k = 0; k < items * isPlaced; k++) {
        int item = k * THREADS + thread;
        if (item < count) {
          int source = order[column + k * PITCH];
          int position = pair + source + (source < ofFirst ? split : secondAt);
          if ((outputs & KEYS) != 0) {
            merged.set(outputFrom + item, (@Element int) loaded[source]);
            int from = source < ofFirst ? a + source : b + source;
            move(by, second, column3, from, from, merged2, merged3, outputFrom + item);
          }
          if ((outputs & MOVED) != 0) {
            position = positions.get(positionsFrom + position);
          }
          mergedPositions.set(positionsTo + item, position);
        }
      }
    }
    if ((outputs & LAST) != 0 & thread == 0 & tile == 0) {
      int runs = RunCounter.next(done.get(doneAt + 1));
      done.set(doneAt, total);
      done.set(doneAt + 1, runs);
    }
  }
}
