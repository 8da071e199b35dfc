package uk.ac.manchester.tornado.api;

import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** What a thread of a kernel can ask of its block and device. A statement of signatures. */
public interface ExecutionContext {

  /** Waits for every thread of the block. */
  void localBarrier();

  /** A fence for memory of the device. */
  void globalBarrier();

  /** An array that the block shares. */
  int[] allocateIntLocalArray(int size);

  /** An array that the block shares. */
  long[] allocateLongLocalArray(int size);

  /** An array that the block shares. */
  float[] allocateFloatLocalArray(int size);

  /** An array that the block shares. */
  double[] allocateDoubleLocalArray(int size);

  /** An array that the block shares. */
  byte[] allocateByteLocalArray(int size);

  /** Adds to an element at once. */
  void atomicAdd(IntArray array, int index, int val);

  /** Adds to an element at once. */
  void atomicAdd(int[] array, int index, int val);

  /** Adds to an element at once. */
  void atomicAdd(LongArray array, int index, long val);

  /** Adds to an element at once. */
  void atomicAdd(FloatArray array, int index, float val);

  /** Adds to an element at once. */
  void atomicAdd(DoubleArray array, int index, double val);
}
