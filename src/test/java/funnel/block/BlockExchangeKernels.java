package funnel.block;

import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Kernels that take a tile from striped to blocked and back. */
final class BlockExchangeKernels {

  private BlockExchangeKernels() {}

  /** Blocked as they were loaded; and striped again, each with its thread and item when blocked. */
  static void ints(
      KernelContext context,
      IntArray in,
      IntArray blocked,
      IntArray striped,
      int begin,
      int end,
      int threads,
      int items) {
    int thread = context.localIdx;
    int tileBegin = context.groupIdx * threads * items;
    int[] tile =
        BlockExchange.load(context, in, begin + tileBegin, end, -1, thread, threads, items);
    for (int item = 0; item < items; item++) {
      int element = BlockExchange.blocked(thread, items, item);
      int slot = BlockExchange.slot(element, Integer.BYTES);
      int value = tile[slot];
      blocked.set(tileBegin + element, value);
      tile[slot] = value + thread * items + item;
    }
    context.localBarrier();
    for (int item = 0; item < items; item++) {
      int element = BlockExchange.striped(thread, threads, item);
      striped.set(tileBegin + element, tile[BlockExchange.slot(element, Integer.BYTES)]);
    }
  }

  /** Blocked as they were loaded; and striped again, each with its thread and item when blocked. */
  static void longs(
      KernelContext context,
      LongArray in,
      LongArray blocked,
      LongArray striped,
      int begin,
      int end,
      int threads,
      int items) {
    int thread = context.localIdx;
    int tileBegin = context.groupIdx * threads * items;
    long[] tile =
        BlockExchange.load(context, in, begin + tileBegin, end, -1, thread, threads, items);
    for (int item = 0; item < items; item++) {
      int element = BlockExchange.blocked(thread, items, item);
      int slot = BlockExchange.slot(element, Long.BYTES);
      long value = tile[slot];
      blocked.set(tileBegin + element, value);
      tile[slot] = value + thread * items + item;
    }
    context.localBarrier();
    for (int item = 0; item < items; item++) {
      int element = BlockExchange.striped(thread, threads, item);
      striped.set(tileBegin + element, tile[BlockExchange.slot(element, Long.BYTES)]);
    }
  }

  /** Blocked as they were loaded; and striped again, each with its thread and item when blocked. */
  static void floats(
      KernelContext context,
      FloatArray in,
      FloatArray blocked,
      FloatArray striped,
      int begin,
      int end,
      int threads,
      int items) {
    int thread = context.localIdx;
    int tileBegin = context.groupIdx * threads * items;
    float[] tile =
        BlockExchange.load(context, in, begin + tileBegin, end, -1, thread, threads, items);
    for (int item = 0; item < items; item++) {
      int element = BlockExchange.blocked(thread, items, item);
      int slot = BlockExchange.slot(element, Float.BYTES);
      float value = tile[slot];
      blocked.set(tileBegin + element, value);
      tile[slot] = value + thread * items + item;
    }
    context.localBarrier();
    for (int item = 0; item < items; item++) {
      int element = BlockExchange.striped(thread, threads, item);
      striped.set(tileBegin + element, tile[BlockExchange.slot(element, Float.BYTES)]);
    }
  }

  /** Blocked as they were loaded; and striped again, each with its thread and item when blocked. */
  static void doubles(
      KernelContext context,
      DoubleArray in,
      DoubleArray blocked,
      DoubleArray striped,
      int begin,
      int end,
      int threads,
      int items) {
    int thread = context.localIdx;
    int tileBegin = context.groupIdx * threads * items;
    double[] tile =
        BlockExchange.load(context, in, begin + tileBegin, end, -1, thread, threads, items);
    for (int item = 0; item < items; item++) {
      int element = BlockExchange.blocked(thread, items, item);
      int slot = BlockExchange.slot(element, Double.BYTES);
      double value = tile[slot];
      blocked.set(tileBegin + element, value);
      tile[slot] = value + thread * items + item;
    }
    context.localBarrier();
    for (int item = 0; item < items; item++) {
      int element = BlockExchange.striped(thread, threads, item);
      striped.set(tileBegin + element, tile[BlockExchange.slot(element, Double.BYTES)]);
    }
  }
}
