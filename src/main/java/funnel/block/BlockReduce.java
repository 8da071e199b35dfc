package funnel.block;

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
  public static int sum(KernelContext context, int thread, int threads, int value) {
    return IntBlockReduce.interleaved(context, OperatorCode.SUM, thread, threads, value);
  }

  /** The product of the block's values. */
  public static int product(KernelContext context, int thread, int threads, int value) {
    return IntBlockReduce.interleaved(context, OperatorCode.PRODUCT, thread, threads, value);
  }

  /** The smallest of the block's values. */
  public static int min(KernelContext context, int thread, int threads, int value) {
    return IntBlockReduce.interleaved(context, OperatorCode.MIN, thread, threads, value);
  }

  /** The largest of the block's values. */
  public static int max(KernelContext context, int thread, int threads, int value) {
    return IntBlockReduce.interleaved(context, OperatorCode.MAX, thread, threads, value);
  }

  /**
   * The block's values combined by an operator of {@link OperatorCode} that is commutative: thread
   * t's value is first combined with that of thread t + threads/2 (of t + p/2, if that thread
   * exists, where p is the next power of two if {@code threads} is not one).
   */
  public static int reduce(
      KernelContext context, int operator, int thread, int threads, int value) {
    return IntBlockReduce.interleaved(context, operator, thread, threads, value);
  }

  /**
   * The block's values combined from left to right: operands are always neighbours, that of the
   * lower threads on the left.
   */
  public static int reduceInOrder(
      KernelContext context, int operator, int thread, int threads, int value) {
    return IntBlockReduce.neighboured(context, operator, thread, threads, value);
  }

  /** The sum of the block's values. */
  public static long sum(KernelContext context, int thread, int threads, long value) {
    return LongBlockReduce.interleaved(context, OperatorCode.SUM, thread, threads, value);
  }

  /** The product of the block's values. */
  public static long product(KernelContext context, int thread, int threads, long value) {
    return LongBlockReduce.interleaved(context, OperatorCode.PRODUCT, thread, threads, value);
  }

  /** The smallest of the block's values. */
  public static long min(KernelContext context, int thread, int threads, long value) {
    return LongBlockReduce.interleaved(context, OperatorCode.MIN, thread, threads, value);
  }

  /** The largest of the block's values. */
  public static long max(KernelContext context, int thread, int threads, long value) {
    return LongBlockReduce.interleaved(context, OperatorCode.MAX, thread, threads, value);
  }

  /**
   * The block's values combined by an operator of {@link OperatorCode} that is commutative: thread
   * t's value is first combined with that of thread t + threads/2 (of t + p/2, if that thread
   * exists, where p is the next power of two if {@code threads} is not one).
   */
  public static long reduce(
      KernelContext context, int operator, int thread, int threads, long value) {
    return LongBlockReduce.interleaved(context, operator, thread, threads, value);
  }

  /**
   * The block's values combined from left to right: operands are always neighbours, that of the
   * lower threads on the left.
   */
  public static long reduceInOrder(
      KernelContext context, int operator, int thread, int threads, long value) {
    return LongBlockReduce.neighboured(context, operator, thread, threads, value);
  }

  /** The sum of the block's values. */
  public static float sum(KernelContext context, int thread, int threads, float value) {
    return FloatBlockReduce.interleaved(context, OperatorCode.SUM, thread, threads, value);
  }

  /** The product of the block's values. */
  public static float product(KernelContext context, int thread, int threads, float value) {
    return FloatBlockReduce.interleaved(context, OperatorCode.PRODUCT, thread, threads, value);
  }

  /** The smallest of the block's values. */
  public static float min(KernelContext context, int thread, int threads, float value) {
    return FloatBlockReduce.interleaved(context, OperatorCode.MIN, thread, threads, value);
  }

  /** The largest of the block's values. */
  public static float max(KernelContext context, int thread, int threads, float value) {
    return FloatBlockReduce.interleaved(context, OperatorCode.MAX, thread, threads, value);
  }

  /**
   * The block's values combined by an operator of {@link OperatorCode} that is commutative: thread
   * t's value is first combined with that of thread t + threads/2 (of t + p/2, if that thread
   * exists, where p is the next power of two if {@code threads} is not one).
   */
  public static float reduce(
      KernelContext context, int operator, int thread, int threads, float value) {
    return FloatBlockReduce.interleaved(context, operator, thread, threads, value);
  }

  /**
   * The block's values combined from left to right: operands are always neighbours, that of the
   * lower threads on the left.
   */
  public static float reduceInOrder(
      KernelContext context, int operator, int thread, int threads, float value) {
    return FloatBlockReduce.neighboured(context, operator, thread, threads, value);
  }

  /** The sum of the block's values. */
  public static double sum(KernelContext context, int thread, int threads, double value) {
    return DoubleBlockReduce.interleaved(context, OperatorCode.SUM, thread, threads, value);
  }

  /** The product of the block's values. */
  public static double product(KernelContext context, int thread, int threads, double value) {
    return DoubleBlockReduce.interleaved(context, OperatorCode.PRODUCT, thread, threads, value);
  }

  /** The smallest of the block's values. */
  public static double min(KernelContext context, int thread, int threads, double value) {
    return DoubleBlockReduce.interleaved(context, OperatorCode.MIN, thread, threads, value);
  }

  /** The largest of the block's values. */
  public static double max(KernelContext context, int thread, int threads, double value) {
    return DoubleBlockReduce.interleaved(context, OperatorCode.MAX, thread, threads, value);
  }

  /**
   * The block's values combined by an operator of {@link OperatorCode} that is commutative: thread
   * t's value is first combined with that of thread t + threads/2 (of t + p/2, if that thread
   * exists, where p is the next power of two if {@code threads} is not one).
   */
  public static double reduce(
      KernelContext context, int operator, int thread, int threads, double value) {
    return DoubleBlockReduce.interleaved(context, operator, thread, threads, value);
  }

  /**
   * The block's values combined from left to right: operands are always neighbours, that of the
   * lower threads on the left.
   */
  public static double reduceInOrder(
      KernelContext context, int operator, int thread, int threads, double value) {
    return DoubleBlockReduce.neighboured(context, operator, thread, threads, value);
  }
}
