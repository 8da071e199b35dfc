package funnel.emulator;

import funnel.kernel.BlockSize;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * The methods that the emulator's copies of kernels call. Not for direct use: it is public because
 * the copies are in class loaders of their own.
 *
 * <p>A kernel, and what its copy does:
 *
 * {@snippet class="funnel.docs.EmulatorSnippets" region="probe"}
 */
public final class Probe {

  /*
   * The instrumented copies of kernels (see InstrumentedClasses) call these methods. On the common
   * path none of them may cost more than a few instructions: they are inlined, take what they need
   * as constants, and find the emulated thread only to fail. step() is the exception: it needs a
   * counter for each emulated thread. Thread.currentThread() is a register on the JVMs that we
   * know, and a carrier is a Thread of our own class with a field, so that costs two loads; a
   * ThreadLocal or a ScopedValue costs a hash lookup.
   */

  private Probe() {}

  /** A jump back in a loop. */
  public static void step() {
    KernelThread thread = KernelThread.current();
    if (--thread.stepsLeft < 0) {
      throw thread.endless();
    }
  }

  /** An access to element {@code index} of a TornadoVM array or vector of {@code size} elements. */
  public static void checkIndex(int index, int size, String type) {
    if (index < 0 || index >= size) {
      throw KernelThread.current().outOfBounds(type, index, size, null);
    }
  }

  /** A call in the line {@code site} of a method that may reach a barrier. */
  public static void enter(String site) {
    KernelThread.current().enter(site);
  }

  /** The return from the call that was entered last. */
  public static void leave() {
    KernelThread.current().leave();
  }

  /** An array that is passed to the method {@code callee}. */
  public static void passed(Object array, String callee) {
    KernelThread.current()
        .requireNotLocal(
            array,
            "a local array is passed to "
                + callee
                + ", and TornadoVM computes wrong addresses for it there; use it in the method that"
                + " allocates it, or let the callee allocate it and return it");
  }

  /** {@code array.length}. */
  public static void length(Object array) {
    KernelThread.current()
        .requireNotLocal(
            array,
            "length of a local array, for which a device reads one of its elements; use the number"
                + " that it was allocated with");
  }

  /** {@link BlockSize#require}. */
  public static void blockSize(int threads) {
    KernelThread.current().requireBlockSize(threads);
  }

  /** {@code context.localBarrier()} in the line {@code site}. */
  public static void localBarrier(KernelContext context, String site) {
    KernelThread.current().barrier(site);
  }

  /** {@code context.globalBarrier()} in the line {@code site}. */
  public static void globalBarrier(KernelContext context, String site) {
    KernelThread.current().barrier(site);
  }

  /** {@code context.simdSum(value)} in the line {@code site}. */
  public static float simdSum(KernelContext context, float value, String site) {
    return KernelThread.current().shuffle(KernelThread.Shuffle.SUM, value, 0, site);
  }

  /** {@code context.simdShuffleDown(value, delta)} in the line {@code site}. */
  public static float simdShuffleDown(KernelContext context, float value, int delta, String site) {
    return KernelThread.current().shuffle(KernelThread.Shuffle.DOWN, value, delta, site);
  }

  /** {@code context.simdBroadcastFirst(value)} in the line {@code site}. */
  public static float simdBroadcastFirst(KernelContext context, float value, String site) {
    return KernelThread.current().shuffle(KernelThread.Shuffle.FIRST, value, 0, site);
  }

  /** {@code context.allocateIntLocalArray(size)} in the line {@code site}. */
  public static int[] allocateIntLocalArray(KernelContext context, int size, String site) {
    return (int[]) KernelThread.current().allocate(int.class, size, site);
  }

  /** {@code context.allocateByteLocalArray(size)} in the line {@code site}. */
  public static byte[] allocateByteLocalArray(KernelContext context, int size, String site) {
    return (byte[]) KernelThread.current().allocate(byte.class, size, site);
  }

  /** {@code context.allocateLongLocalArray(size)} in the line {@code site}. */
  public static long[] allocateLongLocalArray(KernelContext context, int size, String site) {
    return (long[]) KernelThread.current().allocate(long.class, size, site);
  }

  /** {@code context.allocateFloatLocalArray(size)} in the line {@code site}. */
  public static float[] allocateFloatLocalArray(KernelContext context, int size, String site) {
    return (float[]) KernelThread.current().allocate(float.class, size, site);
  }

  /** {@code context.allocateDoubleLocalArray(size)} in the line {@code site}. */
  public static double[] allocateDoubleLocalArray(KernelContext context, int size, String site) {
    return (double[]) KernelThread.current().allocate(double.class, size, site);
  }

  /** {@code context.atomicAdd(array, index, value)}. */
  public static void atomicAdd(KernelContext context, IntArray array, int index, int value) {
    KernelThread.current().atomicAdd(array, index, value);
  }

  /** {@code context.atomicAdd(array, index, value)}. */
  public static void atomicAdd(KernelContext context, int[] array, int index, int value) {
    KernelThread.current().atomicAdd(array, index, value);
  }

  /** {@code context.atomicAdd(array, index, value)}. */
  public static void atomicAdd(KernelContext context, LongArray array, int index, long value) {
    KernelThread.current().atomicAdd(array, index, value);
  }

  /** {@code context.atomicAdd(array, index, value)}. */
  public static void atomicAdd(KernelContext context, FloatArray array, int index, float value) {
    KernelThread.current().atomicAdd(array, index, value);
  }

  /** {@code context.atomicAdd(array, index, value)}. */
  public static void atomicAdd(KernelContext context, DoubleArray array, int index, double value) {
    KernelThread.current().atomicAdd(array, index, value);
  }

  /** A call of a {@link KernelContext} method that the emulator does not know. */
  public static void unsupportedCall(String method) {
    throw KernelThread.current()
        .unsupported("KernelContext." + method + " is not emulated; use another operation");
  }

  /** A use of a static field that is not final. */
  public static void mutableStatic(String field) {
    throw KernelThread.current()
        .unsupported(
            "the kernel uses the static field "
                + field
                + ", which is not final, and the emulator's copy of the class has a field of its"
                + " own; pass the value as an argument, or make the field final");
  }

  /** An access to an element of a TornadoVM array, before which another thread may run. */
  public static void access(Object array, int index, boolean writes) {
    KernelThread.current().access(array, index, writes ? Access.Kind.WRITE : Access.Kind.READ);
  }

  /** A read of an array on the heap, which may be local memory. */
  public static void read(Object array, int index) {
    KernelThread.current().read(array, index);
  }

  /** A write to an array on the heap, which may be local memory. */
  public static void write(int[] array, int index, int value) {
    KernelThread.current()
        .write(array, index, inside(index, array.length) && array[index] == value);
  }

  /** A write to an array on the heap, which may be local memory. */
  public static void write(long[] array, int index, long value) {
    KernelThread.current()
        .write(array, index, inside(index, array.length) && array[index] == value);
  }

  /** A write to an array on the heap, which may be local memory. */
  public static void write(float[] array, int index, float value) {
    KernelThread.current()
        .write(
            array,
            index,
            inside(index, array.length)
                && Float.floatToRawIntBits(array[index]) == Float.floatToRawIntBits(value));
  }

  /** A write to an array on the heap, which may be local memory. */
  public static void write(double[] array, int index, double value) {
    KernelThread.current()
        .write(
            array,
            index,
            inside(index, array.length)
                && Double.doubleToRawLongBits(array[index]) == Double.doubleToRawLongBits(value));
  }

  /** A write to an array of bytes (or booleans) on the heap, which may be local memory. */
  public static void write(Object array, int index, int value) {
    boolean same =
        array instanceof byte[] bytes
            && inside(index, bytes.length)
            && bytes[index] == (byte) value;
    KernelThread.current().write(array, index, same);
  }

  private static boolean inside(int index, int length) {
    return index >= 0 && index < length;
  }
}
