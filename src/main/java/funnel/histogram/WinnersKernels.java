package funnel.histogram;

import funnel.kernel.AtLaunch;
import funnel.kernel.KernelTask;
import funnel.kernel.Scalars;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link WinnersStep}. */
final class WinnersKernels {

  /* Where the kernels find their ints in the shape array. */
  static final int LENGTH_AT = 0;
  static final int SEATS_AT = 1;
  static final int TO_AT = 2;
  static final int WON_TO_AT = 3;

  private static final int THREADS = 256;
  private static final int ITEMS = 4;
  private static final int TILE = THREADS * ITEMS;

  private WinnersKernels() {}

  static KernelTask.Grid grid(int capacity) {
    return KernelTask.Grid.of(Math.max(1, Math.ceilDiv(capacity, TILE)), THREADS);
  }

  static void clear(
      KernelContext context,
      IntArray shape,
      IntArray refused,
      IntArray winners,
      @AtLaunch int shapeAt) {
    int thread = context.localIdx;
    int first = context.groupIdx * TILE;
    int to = shape.get(shapeAt + TO_AT);
    int left = refused.get(0) < 0 ? shape.get(shapeAt + SEATS_AT) - first : 0;
    for (int k = 0; k < ITEMS; k++) {
      int item = k * THREADS + thread;
      if (item < left) {
        winners.set(to + first + item, -1);
      }
    }
  }

  static void first(
      KernelContext context,
      IntArray shape,
      IntArray refused,
      IntArray keys,
      IntArray positions,
      IntArray winners,
      IntArray won,
      IntArray done,
      @AtLaunch int shapeAt,
      @AtLaunch int doneAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int length = shape.get(shapeAt);
    int seats = shape.get(shapeAt + SEATS_AT);
    int to = shape.get(shapeAt + TO_AT);
    int toWon = shape.get(shapeAt + WON_TO_AT);
    int isRefused = refused.get(0) < 0 ? 0 : 1;
    int first = block * TILE;
    int left = (length - first) * (1 - isRefused);
    for (int k = 0; k < ITEMS; k++) {
      int item = k * THREADS + thread;
      int i = Scalars.max(first + Scalars.min(item, left - 1), 0);
      int seat = keys.get(i);
      int bits = seat ^ keys.get(Scalars.max(i - 1, 0));
      int isFirst = (((bits | (0 - bits)) >> 31) & 1) | (i < 1 ? 1 : 0);
      int isSeat = seat >= 0 & seat < seats ? 1 : 0;
      int wins = isFirst & isSeat;
      if (item < left) {
        int asker = positions.get(i);
        won.set(toWon + asker, wins);
        if (wins == 1) {
          winners.set(to + seat, asker);
        }
      }
    }
    if (thread == 0 & block == 0) {
      int runs = RunCounter.next(done.get(doneAt + 1));
      done.set(doneAt, isRefused);
      done.set(doneAt + 1, runs);
    }
  }
}
