package funnel.block;

import funnel.kernel.KernelTask;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** The task of a kernel whose class is also copied with a user's operator. */
interface BlockKernelTasks {

  KernelTask inOrder(LongArray in, LongArray out, int blocks, int threads, int operator);
}
