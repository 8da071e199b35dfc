package funnel.scan;

import funnel.jit.Combine;
import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import funnel.kernel.ShapeLongs;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link WindowStep}. */
@Twins({"Long", "Float", "Double"})
final class IntWindowKernels {

  /* A block has the elements of its tile and those before it that windows of a tile reach, in local
   * memory. It doubles the windows of all of them at each level, from one half of the places to the
   * other, and adds to an element's result what the level has for it: all of this is of places that
   * only one thread writes, so that a barrier after each level is enough. Places at the beginning do
   * not see as far as they should; no result needs those.
   *
   * Longer windows are doubled in global memory, a launch for each level, which knows its level from
   * the launch before.
   */

  static final int FROM_AT = 0;
  static final int LENGTH_AT = 1;
  static final int TO_AT = 2;
  static final int GIVEN_FROM_AT = 3;
  static final int ROWS_AT = 4;
  static final int TILE_AT = 5;
  static final int LAST_OF_TILES_AT = 6;
  static final int LAST_AT = 7;
  static final int DECAY_AT = 8;

  static final int THREADS = 256;
  private static final int ITEMS = 6;

  /** Elements of a tile, and those before it. */
  static final int PLACES = ITEMS * THREADS;

  /** The largest number of elements of a window that tiles alone combine. */
  static final int MOST = 512;

  private IntWindowKernels() {}

  /** A block's number of elements where windows have {@code rows} elements. */
  static int tile(int rows) {
    return PLACES - Scalars.min(rows, MOST) + 1;
  }

  private static int reach(int kind, int own, int i) {
    return kind == WindowStep.IN_SEGMENTS ? Scalars.max(Scalars.min(own, i), 0) : i;
  }

  private static int width(int kind, int own, int i, int rows) {
    return kind == WindowStep.WIDTHS ? Scalars.max(Scalars.min(own, i + 1), 1) : rows;
  }

  private static @Element int combine(
      int operator, @Element int decay, @Element int left, @Element int right) {
    return operator == WindowStep.DECAYED
        ? Scalars.fma(decay, left, right)
        : Combine.apply(operator, left, right);
  }

  private static @Element int decay(IntArray shape, int shapeAt, int operator) {
    @Element int like = (@Element int) 0;
    return operator == WindowStep.DECAYED
        ? Scalars.ofBits(ShapeLongs.get(shape, shapeAt + DECAY_AT), like)
        : like;
  }

  static void tiles(
      KernelContext context,
      IntArray shape,
      @Element IntArray values,
      IntArray given,
      @Element IntArray even,
      @Element IntArray output,
      IntArray levels,
      IntArray done,
      int kind,
      int operator,
      int isAlone,
      @AtLaunch int shapeAt,
      @AtLaunch int doneAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int length = shape.get(shapeAt + LENGTH_AT);
    int from = shape.get(shapeAt + FROM_AT);
    int to = shape.get(shapeAt + TO_AT);
    int givenFrom = shape.get(shapeAt + GIVEN_FROM_AT);
    int rows = shape.get(shapeAt + ROWS_AT);
    int tile = shape.get(shapeAt + TILE_AT);
    int last = shape.get(shapeAt + LAST_OF_TILES_AT);
    int first = block * tile;
    int start = Scalars.max(first + tile - PLACES, 0);
    int lead = first - start;
    int count = Scalars.min(length - first, tile) + lead;
    @Element int decay = decay(shape, shapeAt, operator);
    @Element int[] places = context.allocateIntLocalArray(3 * PLACES);
    if (first < length) {
      int end = from + start + count - 1;
      int at = from + start + thread;
      @Element int v0 = values.get(Scalars.min(at, end));
      @Element int v1 = values.get(Scalars.min(at + THREADS, end));
      @Element int v2 = values.get(Scalars.min(at + 2 * THREADS, end));
      @Element int v3 = values.get(Scalars.min(at + 3 * THREADS, end));
      @Element int v4 = values.get(Scalars.min(at + 4 * THREADS, end));
      @Element int v5 = values.get(Scalars.min(at + 5 * THREADS, end));
      places[thread] = v0;
      places[thread + THREADS] = v1;
      places[thread + 2 * THREADS] = v2;
      places[thread + 3 * THREADS] = v3;
      places[thread + 4 * THREADS] = v4;
      places[thread + 5 * THREADS] = v5;
    }
    context.localBarrier();
    int now = 0;
    for (int distance = 1; distance <= last; distance <<= 1) {
      for (int k = thread; k < count; k += THREADS) {
        int i = start + k;
        int own = kind == WindowStep.ROWS ? 0 : given.get(givenFrom + i);
        int reach = reach(kind, own, i);
        int width = width(kind, own, i, rows);
        int nearer = width & (distance - 1);
        @Element int value = places[now + k];
        if (k >= lead & (width & distance) != 0 & reach >= nearer) {
          @Element int far = places[now + k - nearer];
          @Element int near = places[2 * PLACES + k];
          places[2 * PLACES + k] = nearer == 0 ? value : combine(operator, decay, far, near);
        }
        if (k >= distance & reach >= distance) {
          value = combine(operator, decay, places[now + k - distance], value);
        }
        places[PLACES - now + k] = value;
      }
      context.localBarrier();
      now = PLACES - now;
      decay *= decay;
    }
    for (int k = thread; k < count; k += THREADS) {
      int i = start + k;
      if (k >= lead) {
        output.set(to + i, places[2 * PLACES + k]);
        if (isAlone == 0) {
          even.set(i, places[now + k]);
        }
        if (kind == WindowStep.WIDTHS) {
          if (isAlone == 1 & Scalars.min(given.get(givenFrom + i), i + 1) > MOST) {
            done.set(doneAt, 1);
          }
        }
      }
    }
    if (thread == 0 & block == 0) {
      levels.set(0, MOST);
      if (last == shape.get(shapeAt + LAST_AT)) {
        done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
      }
    }
  }

  static void level(
      KernelContext context,
      IntArray shape,
      @Element IntArray even,
      @Element IntArray odd,
      IntArray given,
      @Element IntArray output,
      IntArray levels,
      IntArray done,
      int kind,
      int operator,
      int turn,
      @AtLaunch int shapeAt,
      @AtLaunch int doneAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int length = shape.get(shapeAt + LENGTH_AT);
    int to = shape.get(shapeAt + TO_AT);
    int givenFrom = shape.get(shapeAt + GIVEN_FROM_AT);
    int rows = shape.get(shapeAt + ROWS_AT);
    int distance = levels.get(turn);
    @Element int decay = decay(shape, shapeAt, operator);
    for (int doubled = 1; doubled < distance; doubled <<= 1) {
      decay *= decay;
    }
    int end = Scalars.min(length - block * PLACES, PLACES);
    for (int k = thread; k < end; k += THREADS) {
      int i = block * PLACES + k;
      int own = kind == WindowStep.ROWS ? 0 : given.get(givenFrom + i);
      int reach = reach(kind, own, i);
      int width = width(kind, own, i, rows);
      int nearer = width & (distance - 1);
      @Element int value = turn == 0 ? even.get(i) : odd.get(i);
      if ((width & distance) != 0 & reach >= nearer) {
        @Element int far = turn == 0 ? even.get(i - nearer) : odd.get(i - nearer);
        @Element int near = output.get(to + i);
        output.set(to + i, nearer == 0 ? value : combine(operator, decay, far, near));
      }
      if (reach >= distance) {
        @Element int far = turn == 0 ? even.get(i - distance) : odd.get(i - distance);
        value = combine(operator, decay, far, value);
      }
      if (turn == 0) {
        odd.set(i, value);
      } else {
        even.set(i, value);
      }
    }
    if (thread == 0 & block == 0) {
      levels.set(1 - turn, 2 * distance);
      if (distance == shape.get(shapeAt + LAST_AT)) {
        done.set(doneAt + 1, RunCounter.next(done.get(doneAt + 1)));
      }
    }
  }
}
