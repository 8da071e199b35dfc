package uk.ac.manchester.tornado.api;

import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * A kernel's thread: its place in the grid and what it can ask of its block. A statement of
 * signatures with TornadoVM's behaviour on the JVM, which is that of no grid at all: every index
 * and size is 0, barriers do nothing, a local array is a new array, a sum or shuffle over the warp
 * returns the thread's own value. {@code atomicAdd} adds, though not atomically; on {@link
 * FloatArray} and {@link DoubleArray} TornadoVM's own body does nothing on the JVM.
 */
public class KernelContext implements ExecutionContext {

  /** Index of the thread in the grid along x. */
  public final Integer globalIdx = 0;

  /** Index of the thread in the grid along y. */
  public final Integer globalIdy = 0;

  /** Index of the thread in the grid along z. */
  public final Integer globalIdz = 0;

  /** Index of the block in the grid along x. */
  public final Integer groupIdx = 0;

  /** Index of the block in the grid along y. */
  public final Integer groupIdy = 0;

  /** Index of the block in the grid along z. */
  public final Integer groupIdz = 0;

  /** Index of the thread in its block along x. */
  public final Integer localIdx = 0;

  /** Index of the thread in its block along y. */
  public final Integer localIdy = 0;

  /** Index of the thread in its block along z. */
  public final Integer localIdz = 0;

  /** Threads of the grid along x. */
  public final Integer globalGroupSizeX = 0;

  /** Threads of the grid along y. */
  public final Integer globalGroupSizeY = 0;

  /** Threads of the grid along z. */
  public final Integer globalGroupSizeZ = 0;

  /** Threads of a block along x. */
  public final Integer localGroupSizeX = 0;

  /** Threads of a block along y. */
  public final Integer localGroupSizeY = 0;

  /** Threads of a block along z. */
  public final Integer localGroupSizeZ = 0;

  /** A context outside of any grid. */
  public KernelContext() {}

  @Override
  public void localBarrier() {}

  @Override
  public void globalBarrier() {}

  @Override
  public int[] allocateIntLocalArray(int size) {
    return new int[size];
  }

  @Override
  public byte[] allocateByteLocalArray(int size) {
    return new byte[size];
  }

  @Override
  public long[] allocateLongLocalArray(int size) {
    return new long[size];
  }

  @Override
  public float[] allocateFloatLocalArray(int size) {
    return new float[size];
  }

  @Override
  public double[] allocateDoubleLocalArray(int size) {
    return new double[size];
  }

  /** The sum over the warp; on the JVM, {@code val}. */
  public float simdSum(float val) {
    return val;
  }

  /** The value of the thread {@code delta} further in the warp; on the JVM, {@code val}. */
  public float simdShuffleDown(float val, int delta) {
    return val;
  }

  /** The value of the warp's first thread; on the JVM, {@code val}. */
  public float simdBroadcastFirst(float val) {
    return val;
  }

  @Override
  public void atomicAdd(IntArray array, int index, int val) {
    array.set(index, array.get(index) + val);
  }

  @Override
  public void atomicAdd(int[] array, int index, int val) {
    array[index] += val;
  }

  @Override
  public void atomicAdd(LongArray array, int index, long val) {
    array.set(index, array.get(index) + val);
  }

  @Override
  public void atomicAdd(FloatArray array, int index, float val) {
    array.set(index, array.get(index) + val);
  }

  @Override
  public void atomicAdd(DoubleArray array, int index, double val) {
    array.set(index, array.get(index) + val);
  }
}
