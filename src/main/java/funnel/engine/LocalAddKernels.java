package funnel.engine;

import funnel.jit.KernelTask;
import funnel.jit.KernelTask.Grid;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The kernel of {@link AtomicsProbe}: each block counts in local memory. */
final class LocalAddKernels {

  /* In round r, thread t of block b counts in element b + t * r: in the first round all threads in
   * the same one, which differs from block to block, in odd rounds each in another, in even rounds
   * two or more in one. There are enough blocks to be on all multiprocessors at once.
   */

  private static final int BLOCKS = 256;
  private static final int THREADS = 256;
  private static final int ROUNDS = 16;

  static final String TRIED =
      "%d blocks of %d threads, %d additions each".formatted(BLOCKS, THREADS, ROUNDS);

  private LocalAddKernels() {}

  /** The written array is also uploaded and not all overwritten, as far as the compiler knows. */
  public static void count(KernelContext context, IntArray counts, int threads, int rounds) {
    int thread = context.localIdx;
    int block = context.groupIdx;
    int[] local = context.allocateIntLocalArray(threads);
    local[thread] = 0;
    context.localBarrier();
    for (int round = 0; round < rounds; round++) {
      context.atomicAdd(local, (block + thread * round) & (threads - 1), 1);
    }
    context.localBarrier();
    if (thread < threads) {
      counts.set(block * threads + thread, local[thread]);
    }
  }

  /** Counts that no kernel writes. */
  static IntArray newCounts() {
    IntArray counts = new IntArray(BLOCKS * THREADS);
    counts.init(-1);
    return counts;
  }

  static KernelTask task(IntArray counts) {
    return KernelTask.of(
        "count", Grid.of(BLOCKS, THREADS), LocalAddKernels::count, counts, THREADS, ROUNDS);
  }

  /** The first count that is not what a plain loop counts, or an empty string. */
  static String firstMistake(IntArray counts) {
    for (int block = 0; block < BLOCKS; block++) {
      int[] expected = new int[THREADS];
      for (int round = 0; round < ROUNDS; round++) {
        for (int thread = 0; thread < THREADS; thread++) {
          expected[(block + thread * round) % THREADS]++;
        }
      }
      for (int i = 0; i < THREADS; i++) {
        int count = counts.get(block * THREADS + i);
        if (count != expected[i]) {
          return "element %d of block %d was %d, expected %d"
              .formatted(i, block, count, expected[i]);
        }
      }
    }
    return "";
  }
}
