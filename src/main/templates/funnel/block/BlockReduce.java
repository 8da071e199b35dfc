package funnel.block;

import funnel.jit.Element;
import funnel.jit.Overloads;
import funnel.operator.OperatorCode;
import uk.ac.manchester.tornado.api.KernelContext;

/**
 * Reductions over the threads of one block: each thread brings a value, every thread gets the
 * result.
 *
 * <p>With {@code threads=4} and the values 3, 1, 4, 1 in threads 0 to 3, {@code sum} returns 9 in
 * all four.
 *
 * <p>All threads of the block must call, with the same {@code operator} and {@code threads}. {@code
 * threads} is the block's size, any number, and a constant of the kernel (a literal or a scalar
 * argument of the task). A device does not detect a number other than the block's size, and results
 * are then wrong; the emulator throws. {@code thread} is {@code context.localIdx}, read in the
 * kernel itself, since TornadoVM cannot compile a field of the context inside a helper.
 *
 * <p>Each call uses local memory for one value per thread ({@code threads * 4} or {@code threads *
 * 8} bytes), of which a block has 48 KB in total, and {@code 1 + log2(threads)} barriers, with the
 * logarithm rounded up. The shape of the tree depends on {@code threads} alone, so floating-point
 * results have the same bits in every run and on the JVM. Integer sums and products wrap around;
 * min and max treat NaN and -0.0 as {@link Math} does.
 *
 * {@snippet class="funnel.docs.BlockSnippets" region="kernel"}
 */
@Overloads({"Long", "Float", "Double"})
public final class BlockReduce {
  private BlockReduce() {}

  /**
   * The smallest power of two that is not less than the number of threads; a constant if that is.
   */
  static int powerOfTwo(int threads) {
    int ones = threads - 1;
    ones = ones | (ones >> 1);
    ones = ones | (ones >> 2);
    ones = ones | (ones >> 4);
    ones = ones | (ones >> 8);
    return ones + 1;
  }

  /** The sum of the block's values. */
  public static @Element int sum(
      KernelContext context, int thread, int threads, @Element int value) {
    return IntBlockReduce.interleaved(context, OperatorCode.SUM, thread, threads, value);
  }

  /** The product of the block's values. */
  public static @Element int product(
      KernelContext context, int thread, int threads, @Element int value) {
    return IntBlockReduce.interleaved(context, OperatorCode.PRODUCT, thread, threads, value);
  }

  /** The smallest of the block's values. */
  public static @Element int min(
      KernelContext context, int thread, int threads, @Element int value) {
    return IntBlockReduce.interleaved(context, OperatorCode.MIN, thread, threads, value);
  }

  /** The largest of the block's values. */
  public static @Element int max(
      KernelContext context, int thread, int threads, @Element int value) {
    return IntBlockReduce.interleaved(context, OperatorCode.MAX, thread, threads, value);
  }

  /**
   * The block's values combined by an operator of {@link OperatorCode} that is commutative: thread
   * t's value is first combined with that of thread t + threads/2 (of t + p/2, if that thread
   * exists, where p is the next power of two if {@code threads} is not one).
   */
  public static @Element int reduce(
      KernelContext context, int operator, int thread, int threads, @Element int value) {
    return IntBlockReduce.interleaved(context, operator, thread, threads, value);
  }

  /**
   * The block's values combined from left to right: operands are always neighbours, that of the
   * lower threads on the left.
   */
  public static @Element int reduceInOrder(
      KernelContext context, int operator, int thread, int threads, @Element int value) {
    return IntBlockReduce.neighboured(context, operator, thread, threads, value);
  }
}
