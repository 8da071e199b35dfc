package funnel.suite;

import java.util.concurrent.atomic.AtomicInteger;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Kernels of {@link ExchangeRules}. */
final class ExchangeKernels {

  private ExchangeKernels() {}

  public static void addInts(KernelContext context, IntArray values, IntArray sums) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      context.atomicAdd(sums, i & 3, values.get(i));
    }
  }

  public static void addLongs(KernelContext context, LongArray values, LongArray sums) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      context.atomicAdd(sums, i & 3, values.get(i));
    }
  }

  public static void addFloats(KernelContext context, FloatArray values, FloatArray sums) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      context.atomicAdd(sums, i & 3, values.get(i));
    }
  }

  public static void addDoubles(KernelContext context, DoubleArray values, DoubleArray sums) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      context.atomicAdd(sums, i & 3, values.get(i));
    }
  }

  public static void readAfterAdd(KernelContext context, IntArray values, IntArray out) {
    int i = context.globalIdx;
    if (i < values.getSize()) {
      int before = values.get(i);
      context.atomicAdd(values, i, 5);
      int after = values.get(i);
      out.set(2 * i, before);
      out.set(2 * i + 1, after);
    }
  }

  public static void ticket(KernelContext context, AtomicInteger next, IntArray out) {
    int i = context.globalIdx;
    if (i < out.getSize()) {
      out.set(i, next.getAndIncrement());
    }
  }

  public static void ticketOfBlock(
      KernelContext context, AtomicInteger next, IntArray out, int threads) {
    int i = context.globalIdx;
    int thread = context.localIdx;
    int[] drawn = context.allocateIntLocalArray(threads);
    if (thread == 0) {
      drawn[thread] = next.getAndIncrement();
    }
    context.localBarrier();
    if (i < out.getSize()) {
      out.set(i, drawn[thread / threads]);
    }
  }

  public static void ticketCompared(
      KernelContext context, AtomicInteger next, IntArray out, int last) {
    int i = context.globalIdx;
    if (i < out.getSize()) {
      int mine = next.getAndIncrement();
      if (mine == last) {
        out.set(0, 1);
      }
    }
  }

  public static void shuffleDown(KernelContext context, FloatArray values, FloatArray out) {
    int i = context.globalIdx;
    int lane = context.localIdx & 31;
    float value = values.get(i);
    float one = context.simdShuffleDown(value, 1);
    float two = context.simdShuffleDown(value, 2);
    float four = context.simdShuffleDown(value, 4);
    float eight = context.simdShuffleDown(value, 8);
    float sixteen = context.simdShuffleDown(value, 16);
    float fromOne = lane + 1 < 32 ? one : 0f;
    float fromTwo = lane + 2 < 32 ? two : 0f;
    float fromFour = lane + 4 < 32 ? four : 0f;
    float fromEight = lane + 8 < 32 ? eight : 0f;
    float fromSixteen = lane + 16 < 32 ? sixteen : 0f;
    if (i < values.getSize()) {
      out.set(5 * i, fromOne);
      out.set(5 * i + 1, fromTwo);
      out.set(5 * i + 2, fromFour);
      out.set(5 * i + 3, fromEight);
      out.set(5 * i + 4, fromSixteen);
    }
  }

  public static void warpSum(KernelContext context, FloatArray values, FloatArray out) {
    int i = context.globalIdx;
    float sum = context.simdSum(values.get(i));
    if (i < out.getSize()) {
      out.set(i, sum);
    }
  }

  public static void warpFirst(KernelContext context, FloatArray values, FloatArray out) {
    int i = context.globalIdx;
    float first = context.simdBroadcastFirst(values.get(i));
    if (i < out.getSize()) {
      out.set(i, first);
    }
  }

  public static void halfWords(KernelContext context, IntArray values, IntArray out) {
    int i = context.globalIdx;
    int lane = context.localIdx & 31;
    int value = values.get(i);
    float high = context.simdShuffleDown((float) ((value >> 16) & 0xffff), 1);
    float low = context.simdShuffleDown((float) (value & 0xffff), 1);
    int next = lane < 31 ? ((int) high << 16) | (int) low : 0;
    if (i < out.getSize()) {
      out.set(i, next);
    }
  }

  public static void shuffleUp(KernelContext context, FloatArray values, FloatArray out) {
    int thread = context.globalIdx;
    int lane = context.localIdx & 31;
    int item = thread - lane + 31 - lane;
    float value = values.get(item);
    float lower = context.simdShuffleDown(value, 3);
    float fromThird = lane + 3 < 32 ? lower : 0f;
    if (thread < values.getSize()) {
      out.set(item, fromThird);
    }
  }
}
