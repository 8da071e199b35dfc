package funnel.emulator;

import uk.ac.manchester.tornado.api.KernelContext;

/** What the test kernels call in another class. */
final class KernelHelper {

  record Pair(int a, int b) {}

  private KernelHelper() {}

  /** The sum over a block of 64 threads. */
  static int sum(KernelContext context, int thread, int value) {
    int[] partial = context.allocateIntLocalArray(64);
    partial[thread] = value;
    for (int stride = 32; stride > 0; stride /= 2) {
      context.localBarrier();
      if (thread < stride) {
        partial[thread] += partial[thread + stride];
      }
    }
    context.localBarrier();
    return partial[0];
  }

  static int collatz(int n) {
    int steps = 0;
    while (n != 1) {
      n = n % 2 == 0 ? n / 2 : 3 * n + 1;
      steps++;
    }
    return steps;
  }
}
