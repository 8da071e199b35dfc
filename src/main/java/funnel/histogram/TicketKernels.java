package funnel.histogram;

import funnel.kernel.AtLaunch;
import funnel.kernel.KernelTask;
import funnel.operation.RunCounter;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device forms of {@link TicketSteps}. */
final class TicketKernels {

  /* Where the kernels find their ints in the shape array. */
  static final int FROM_AT = 0; // of the elements, before the scan
  static final int TO_AT = 0; // of the tickets, after it
  static final int LENGTH_AT = 1;

  private static final int THREADS = 256;
  private static final int ITEMS = 4;
  private static final int TILE = THREADS * ITEMS;

  private TicketKernels() {}

  static KernelTask.Grid grid(int capacity) {
    return KernelTask.Grid.of(Math.max(1, Math.ceilDiv(capacity, TILE)), THREADS);
  }

  static void askedBytes(
      KernelContext context,
      IntArray shape,
      ByteArray asks,
      IntArray flags,
      @AtLaunch int shapeAt) {
    int thread = context.localIdx;
    int first = context.groupIdx * TILE;
    int from = shape.get(shapeAt);
    int left = shape.get(shapeAt + LENGTH_AT) - first;
    for (int k = 0; k < ITEMS; k++) {
      int item = k * THREADS + thread;
      if (item < left) {
        int ask = asks.get(from + first + item) & 0xff;
        flags.set(first + item, ask > 0 ? 1 : 0);
      }
    }
  }

  static void askedInts(
      KernelContext context, IntArray shape, IntArray asks, IntArray flags, @AtLaunch int shapeAt) {
    int thread = context.localIdx;
    int first = context.groupIdx * TILE;
    int from = shape.get(shapeAt);
    int left = shape.get(shapeAt + LENGTH_AT) - first;
    for (int k = 0; k < ITEMS; k++) {
      int item = k * THREADS + thread;
      if (item < left) {
        int ask = asks.get(from + first + item);
        flags.set(first + item, ((ask | (0 - ask)) >> 31) & 1);
      }
    }
  }

  static void given(
      KernelContext context,
      IntArray shape,
      IntArray flags,
      IntArray before,
      IntArray tickets,
      IntArray total,
      @AtLaunch int shapeAt,
      @AtLaunch int totalAt) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int to = shape.get(shapeAt);
    int length = shape.get(shapeAt + LENGTH_AT);
    int first = block * TILE;
    int left = length - first;
    for (int k = 0; k < ITEMS; k++) {
      int item = k * THREADS + thread;
      if (item < left) {
        int flag = flags.get(first + item);
        tickets.set(to + first + item, flag * (before.get(first + item) + 1) - 1);
      }
    }
    if (thread == 0 & block == 0) {
      int last = length > 0 ? length - 1 : 0;
      int given = length > 0 ? before.get(last) + flags.get(last) : 0;
      int runs = RunCounter.next(total.get(totalAt + 1));
      total.set(totalAt, given);
      total.set(totalAt + 1, runs);
    }
  }
}
