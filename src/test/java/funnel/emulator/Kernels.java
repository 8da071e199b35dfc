package funnel.emulator;

import java.util.concurrent.atomic.AtomicInteger;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Kernels for the emulator's tests, right and wrong ones. */
final class Kernels {

  static final int FINAL = Integer.parseInt("7");
  static final long LOADED = System.nanoTime();
  static int mutable = 7;

  private Kernels() {}

  static void ids(KernelContext context, IntArray ids) {
    int at = 15 * (context.globalIdx + context.globalIdy * context.globalGroupSizeX);
    ids.set(at, context.globalIdx);
    ids.set(at + 1, context.globalIdy);
    ids.set(at + 2, context.globalIdz);
    ids.set(at + 3, context.groupIdx);
    ids.set(at + 4, context.groupIdy);
    ids.set(at + 5, context.groupIdz);
    ids.set(at + 6, context.localIdx);
    ids.set(at + 7, context.localIdy);
    ids.set(at + 8, context.localIdz);
    ids.set(at + 9, context.globalGroupSizeX);
    ids.set(at + 10, context.globalGroupSizeY);
    ids.set(at + 11, context.globalGroupSizeZ);
    ids.set(at + 12, context.localGroupSizeX);
    ids.set(at + 13, context.localGroupSizeY);
    ids.set(at + 14, context.localGroupSizeZ);
  }

  static void sum(KernelContext context, IntArray in, IntArray sums, int threads) {
    int thread = context.localIdx;
    int[] partial = context.allocateIntLocalArray(threads);
    partial[thread] = in.get(context.globalIdx);
    for (int stride = threads / 2; stride > 0; stride /= 2) {
      context.localBarrier();
      if (thread < stride) {
        partial[thread] += partial[thread + stride];
      }
    }
    if (thread == 0) {
      sums.set(context.groupIdx, partial[0]);
    }
  }

  /** As sum, with one barrier only: the tree runs ahead of the other threads. */
  static void sumWithoutBarriers(KernelContext context, IntArray in, IntArray sums, int threads) {
    int thread = context.localIdx;
    int[] partial = context.allocateIntLocalArray(threads);
    partial[thread] = in.get(context.globalIdx);
    context.localBarrier();
    for (int stride = threads / 2; stride > 0; stride /= 2) {
      if (thread < stride) {
        partial[thread] += partial[thread + stride];
      }
    }
    if (thread == 0) {
      sums.set(context.groupIdx, partial[0]);
    }
  }

  /** Takes the left neighbour's value: right in forward order even without the barrier. */
  static void neighbourWithoutBarrier(KernelContext context, IntArray out, int threads) {
    int thread = context.localIdx;
    int[] shared = context.allocateIntLocalArray(threads);
    shared[thread] = thread;
    if (thread > 0) {
      out.set(thread, shared[thread - 1]);
    }
  }

  /** Writes into the cells that the neighbours still read. */
  static void overwriteWithoutBarrier(KernelContext context, LongArray out, int threads) {
    int thread = context.localIdx;
    long[] shared = context.allocateLongLocalArray(threads);
    shared[thread] = thread;
    context.localBarrier();
    long left = thread > 0 ? shared[thread - 1] : 0;
    shared[thread] = 2 * left;
    context.localBarrier();
    out.set(thread, shared[thread]);
  }

  static void raiseFlag(KernelContext context, IntArray in, IntArray out) {
    byte[] flag = context.allocateByteLocalArray(1);
    if (context.localIdx == 0) {
      flag[0] = 0;
    }
    context.localBarrier();
    if (in.get(context.globalIdx) > 0) {
      flag[0] = 1;
    }
    context.localBarrier();
    out.set(context.globalIdx, flag[0]);
  }

  /** Thread 1 reads what thread 0 writes, in an array of one of five types. */
  static void raceInType(KernelContext context, IntArray out, int type) {
    int thread = context.localIdx;
    int[] ints = context.allocateIntLocalArray(2);
    long[] longs = context.allocateLongLocalArray(2);
    float[] floats = context.allocateFloatLocalArray(2);
    double[] doubles = context.allocateDoubleLocalArray(2);
    byte[] bytes = context.allocateByteLocalArray(2);
    if (type == 0) {
      ints[thread] = 7;
      out.set(thread, ints[0]);
    } else if (type == 1) {
      longs[thread] = 7L;
      out.set(thread, (int) longs[0]);
    } else if (type == 2) {
      floats[thread] = 7f;
      out.set(thread, (int) floats[0]);
    } else if (type == 3) {
      doubles[thread] = 7d;
      out.set(thread, (int) doubles[0]);
    } else {
      bytes[thread] = 7;
      out.set(thread, bytes[0]);
    }
  }

  static void writeRace(KernelContext context, DoubleArray out) {
    double[] last = context.allocateDoubleLocalArray(1);
    last[0] = context.localIdx;
    context.localBarrier();
    out.set(context.localIdx, last[0]);
  }

  static void localAtomics(KernelContext context, IntArray out) {
    int[] count = context.allocateIntLocalArray(1);
    if (context.localIdx == 0) {
      count[0] = 0;
    }
    context.localBarrier();
    context.atomicAdd(count, 0, context.localIdx);
    context.localBarrier();
    out.set(context.globalIdx, count[0]);
  }

  static void localAtomicsRead(KernelContext context, IntArray out) {
    int[] count = context.allocateIntLocalArray(1);
    if (context.localIdx == 0) {
      count[0] = 0;
    }
    context.localBarrier();
    context.atomicAdd(count, 0, 1);
    out.set(context.globalIdx, count[0]);
  }

  static void uninitialised(KernelContext context, IntArray out) {
    int[] count = context.allocateIntLocalArray(32);
    count[context.localIdx] += context.localIdx;
    out.set(context.globalIdx, count[context.localIdx]);
  }

  static void uninitialisedOfAllTypes(
      KernelContext context, ByteArray b, LongArray l, FloatArray f, DoubleArray d) {
    byte[] bytes = context.allocateByteLocalArray(64);
    long[] longs = context.allocateLongLocalArray(64);
    float[] floats = context.allocateFloatLocalArray(64);
    double[] doubles = context.allocateDoubleLocalArray(64);
    b.set(context.localIdx, bytes[context.localIdx]);
    l.set(context.localIdx, longs[context.localIdx]);
    f.set(context.localIdx, floats[context.localIdx]);
    d.set(context.localIdx, doubles[context.localIdx]);
  }

  static void earlyReturn(KernelContext context, IntArray out, int n) {
    if (context.localIdx >= n) {
      return;
    }
    context.localBarrier();
    out.set(context.localIdx, 1);
  }

  static void differentBarriers(KernelContext context, IntArray out) {
    if (context.localIdx < 20) {
      context.localBarrier();
      out.set(context.localIdx, 1);
    } else {
      context.localBarrier();
      out.set(context.localIdx, 2);
    }
  }

  static void differentKinds(KernelContext context, IntArray out) {
    if (context.localIdx < 20) {
      context.localBarrier();
    } else {
      context.globalBarrier();
    }
    out.set(context.localIdx, 1);
  }

  static void get(KernelContext context, IntArray in, IntArray out, int offset) {
    out.set(context.globalIdx, in.get(context.globalIdx + offset));
  }

  static void setBytes(KernelContext context, ByteArray out, int offset) {
    out.set(context.globalIdx + offset, (byte) 1);
  }

  static void setLongs(KernelContext context, LongArray out, int offset) {
    out.set(context.globalIdx + offset, 1L);
  }

  static void setFloats(KernelContext context, FloatArray out, int offset) {
    out.set(context.globalIdx + offset, 1f);
  }

  static void setDoubles(KernelContext context, DoubleArray out, int offset) {
    out.set(context.globalIdx + offset, 1d);
  }

  static void atomicOutside(KernelContext context, IntArray out) {
    context.atomicAdd(out, context.globalIdx - 2, 1);
  }

  static void localOutside(KernelContext context, IntArray out) {
    int[] shared = context.allocateIntLocalArray(16);
    shared[context.localIdx] = 1;
    context.localBarrier();
    out.set(context.localIdx, shared[context.localIdx]);
  }

  static void endless(KernelContext context, IntArray out) {
    int n = 0;
    while (out.get(0) == 0) {
      n++;
    }
    out.set(context.globalIdx, n);
  }

  static void endlessInHelper(KernelContext context, IntArray out) {
    for (int i = 0; i >= 0; i = KernelHelper.collatz(27) & 7) {
      out.set(context.globalIdx, i);
    }
  }

  static void endlessBarriers(KernelContext context, IntArray out) {
    do {
      context.localBarrier();
    } while (out.get(0) == 0);
  }

  static void countTo(KernelContext context, IntArray out, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
      sum += i;
    }
    out.set(context.globalIdx, sum);
  }

  static void globalAtomics(
      KernelContext context, IntArray i, LongArray l, FloatArray f, DoubleArray d) {
    int bin = context.globalIdx % 3;
    context.atomicAdd(i, bin, 1);
    context.atomicAdd(l, bin, 1L << 33);
    context.atomicAdd(f, bin, 0.5f);
    context.atomicAdd(d, bin, 0.25);
  }

  static void heapAtomics(KernelContext context, int[] bins) {
    context.atomicAdd(bins, context.globalIdx % 3, 1);
  }

  static void tickets(KernelContext context, IntArray out, AtomicInteger next) {
    out.set(next.getAndIncrement(), context.globalIdx);
  }

  static void shuffles(
      KernelContext context, FloatArray in, FloatArray down, FloatArray sums, FloatArray first) {
    int i = context.globalIdx;
    float value = in.get(i);
    down.set(i, context.simdShuffleDown(value, 3));
    sums.set(i, context.simdSum(value));
    first.set(i, context.simdBroadcastFirst(value));
  }

  static void shuffleDownByLane(KernelContext context, FloatArray in, FloatArray out) {
    int i = context.globalIdx;
    out.set(i, context.simdShuffleDown(in.get(i), context.localIdx % 32));
  }

  static void shuffleInBranch(KernelContext context, FloatArray in, FloatArray out) {
    int i = context.globalIdx;
    if (context.localIdx % 32 < 16) {
      out.set(i, context.simdSum(in.get(i)));
    }
    context.localBarrier();
  }

  /** Two shuffles in one line, of which each lane reaches one. */
  static void shuffleInBothArms(KernelContext context, FloatArray in, FloatArray out) {
    float x = in.get(context.globalIdx);
    float y = context.localIdx % 2 == 0 ? context.simdSum(x) : context.simdSum(x);
    out.set(context.globalIdx, y);
  }

  static void shuffleOfSomeWarps(KernelContext context, FloatArray in, FloatArray out) {
    int i = context.globalIdx;
    if (context.localIdx < 64) {
      float sum = context.simdSum(in.get(i));
      sum += context.simdSum(sum);
      out.set(i, sum);
    }
    context.localBarrier();
  }

  static void shuffleTooFar(KernelContext context, FloatArray in, FloatArray out) {
    int i = context.globalIdx;
    out.set(i, context.simdShuffleDown(in.get(i), 32));
  }

  static void helpers(KernelContext context, IntArray in, IntArray sums) {
    int sum = KernelHelper.sum(context, context.localIdx, in.get(context.globalIdx));
    int twice = KernelHelper.sum(context, context.localIdx, 2 * in.get(context.globalIdx));
    if (context.localIdx == 0) {
      sums.set(context.groupIdx, twice - sum);
    }
  }

  static void divides(KernelContext context, IntArray in, IntArray out) {
    out.set(context.globalIdx, 100 / in.get(context.globalIdx));
  }

  static void tooMuchLocalMemory(KernelContext context, IntArray out, int size) {
    long[] one = context.allocateLongLocalArray(4096);
    int[] two = context.allocateIntLocalArray(size);
    one[context.localIdx] = 1;
    two[context.localIdx] = 1;
    out.set(context.localIdx, two[context.localIdx]);
  }

  static void differentAllocations(KernelContext context, IntArray out) {
    int[] shared = context.allocateIntLocalArray(context.localIdx < 5 ? 32 : 64);
    shared[context.localIdx] = 1;
    out.set(context.localIdx, shared[context.localIdx]);
  }

  static void staticFields(KernelContext context, IntArray out) {
    out.set(context.globalIdx, FINAL);
  }

  static void loaded(KernelContext context, LongArray out) {
    out.set(context.globalIdx, LOADED);
  }

  static void mutableStaticField(KernelContext context, IntArray out) {
    out.set(context.globalIdx, mutable);
  }

  /** Each group waits for the one before it, as in a chained scan. */
  static void chained(KernelContext context, IntArray turn, IntArray out) {
    if (context.localIdx == 0) {
      int mine = context.groupIdx;
      int now = 0;
      while (now < mine) {
        context.atomicAdd(turn, 0, 0);
        now = turn.get(0);
      }
    }
    context.localBarrier();
    int before = context.groupIdx == 0 ? 0 : out.get(context.globalIdx - context.localGroupSizeX);
    out.set(context.globalIdx, before + 1);
    context.localBarrier();
    if (context.localIdx == 0) {
      context.atomicAdd(turn, 0, 1);
    }
  }

  static void order(KernelContext context, IntArray next, IntArray order) {
    int at = next.get(0);
    next.set(0, at + 1);
    order.set(at, context.globalIdx);
    context.localBarrier();
    at = next.get(0);
    next.set(0, at + 1);
    order.set(at, context.globalIdx);
  }

  static void recordArgument(KernelContext context, KernelHelper.Pair pair) {
    context.localBarrier();
  }

  static void addOne(KernelContext context, IntArray a) {
    a.set(context.globalIdx, a.get(context.globalIdx) + 1);
  }

  static void doubled(KernelContext context, IntArray a) {
    a.set(context.globalIdx, a.get(context.globalIdx) * 2);
  }
}
