package funnel.block;

import funnel.jit.Element;
import funnel.jit.Overloads;
import funnel.operator.OperatorCode;
import uk.ac.manchester.tornado.api.KernelContext;

/**
 * Scans over the 32 values of one warp, by shuffles: no local memory, no barrier.
 *
 * <p><b>The lanes are mirrored.</b> TornadoVM has one shuffle, from a higher lane to a lower one.
 * So the first element must be in the highest lane: thread t passes element {@link #element
 * element(t)}, which is {@code t ^ 31}, and gets the result of that element. With the values 1, 2,
 * 3, ..., 32 as elements 0 to 31, thread 31 passes 1 and gets 1, thread 30 passes 2 and gets 1 + 2
 * = 3, and thread 0 passes 32 and gets 528. Mirrored loads and stores of a warp access the same
 * words as others, and are as fast:
 *
 * {@snippet class="funnel.docs.ScanBlockSnippets" region="warp"}
 *
 * <p>All 32 lanes of a warp must call, at the same call site; whole warps may skip the call. The
 * block size must be a multiple of 32. {@code thread} is {@code context.localIdx}, read in the
 * kernel itself. Operands are always neighbours, the left one first, so {@code operator}, of {@link
 * OperatorCode}, need not be commutative.
 *
 * <p>Ints are shuffled as two halves of 16 bits, each an exact float, which takes two shuffles per
 * step instead of one. Floats are shuffled unchanged, NaN and -0.0 included. The shape of the tree
 * is fixed: at distances 1, 2, 4, 8 and 16 each element is combined with the one at that distance
 * before it; so floats have the same bits in every run and on the JVM. Integer sums and products
 * wrap around; min and max treat NaN and -0.0 as {@link Math} does. Scans do not start from the
 * identity: an inclusive sum of -0.0 alone is -0.0. For longs and doubles use {@link BlockScan}.
 */
@Overloads("Float")
public final class WarpScan {

  private WarpScan() {}

  /**
   * The element that a thread of a block passes: {@code thread ^ 31}. In the second warp, threads
   * 32, 33, ..., 63 pass elements 63, 62, ..., 32.
   */
  public static int element(int thread) {
    return thread ^ 31;
  }

  /**
   * The value of the element {@code distance} before this thread's own; for the warp's first {@code
   * distance} elements the result is some value of the warp.
   *
   * @param distance 1 to 31, the same in all lanes
   */
  public static float below(KernelContext context, float value, int distance) {
    return context.simdShuffleDown(value, distance);
  }

  /** As for floats, with two shuffles. */
  public static int below(KernelContext context, int value, int distance) {
    float high = context.simdShuffleDown((float) ((value >> 16) & 0xffff), distance);
    float low = context.simdShuffleDown((float) (value & 0xffff), distance);
    return ((int) high << 16) | (int) low;
  }

  /** The warp's elements up to this thread's own, combined from left to right. */
  public static @Element int inclusive(
      KernelContext context, int operator, int thread, @Element int value) {
    return IntWarpScan.inclusive(context, operator, thread, value);
  }

  /** The sum of the warp's elements up to this thread's own. */
  public static @Element int inclusiveSum(KernelContext context, int thread, @Element int value) {
    return IntWarpScan.inclusive(context, OperatorCode.SUM, thread, value);
  }

  /** The warp's elements before this thread's own; {@code identity} for the first. */
  public static @Element int exclusive(
      KernelContext context, int operator, int thread, @Element int value, @Element int identity) {
    return IntWarpScan.exclusive(context, operator, thread, value, identity);
  }

  /** The sum of the warp's elements before this thread's own; 0 for the first. */
  public static @Element int exclusiveSum(KernelContext context, int thread, @Element int value) {
    return IntWarpScan.exclusive(context, OperatorCode.SUM, thread, value, 0);
  }
}
