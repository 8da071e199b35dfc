package funnel.block;

import funnel.kernel.KernelTask;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** The tasks of kernels whose class is also copied with a user's operator. */
interface BlockScanTasks {

  KernelTask general(
      IntArray in, IntArray out, int blocks, int threads, int operator, int identity);

  KernelTask textbook(
      IntArray in, IntArray out, int blocks, int threads, int operator, int identity);

  KernelTask warps(IntArray in, IntArray out, int blocks, int threads, int operator, int identity);

  KernelTask general(
      LongArray in, LongArray out, int blocks, int threads, int operator, long identity);

  KernelTask textbook(
      LongArray in, LongArray out, int blocks, int threads, int operator, long identity);

  KernelTask general(
      FloatArray in, FloatArray out, int blocks, int threads, int operator, float identity);

  KernelTask textbook(
      FloatArray in, FloatArray out, int blocks, int threads, int operator, float identity);

  KernelTask warps(
      FloatArray in, FloatArray out, int blocks, int threads, int operator, float identity);

  KernelTask general(
      DoubleArray in, DoubleArray out, int blocks, int threads, int operator, double identity);

  KernelTask textbook(
      DoubleArray in, DoubleArray out, int blocks, int threads, int operator, double identity);
}
