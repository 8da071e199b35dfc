package funnel.operation;

import funnel.kernel.AtLaunch;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Prepares a run for notes of look-ups outside arrays, see {@link funnel.kernel.LookUps}. */
final class MissKernels {

  private MissKernels() {}

  /** One thread states that there is none. */
  static void clear(KernelContext context, LongArray misses, @AtLaunch int missesAt) {
    misses.set(missesAt, 0L);
    misses.set(missesAt + 1, RunCounter.next(misses.get(missesAt + 1)));
  }
}
