package funnel.block;

import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Kernels in which every thread writes down what each scan gave it. */
final class BlockScanKernels implements BlockScanTasks {

  /** For the copies that are made with a user's operator. */
  public BlockScanKernels() {}

  @Override
  public KernelTask general(
      IntArray in, IntArray out, int blocks, int threads, int operator, int identity) {
    return KernelTask.of(
        "general",
        Grid.of(blocks, threads),
        BlockScanKernels::generalInts,
        in,
        out,
        threads,
        operator,
        identity);
  }

  static void generalInts(
      KernelContext context, IntArray in, IntArray out, int threads, int operator, int identity) {
    int thread = context.localIdx;
    int at = context.groupIdx * threads + thread;
    int value = in.get(at);
    int inclusive = BlockScan.inclusive(context, operator, thread, threads, value, identity);
    int exclusive = BlockScan.exclusive(context, operator, thread, threads, value, identity);
    int[] prefixes = BlockScan.prefixes(context, operator, thread, threads, value, identity);
    out.set(5 * at, inclusive);
    out.set(5 * at + 1, exclusive);
    out.set(5 * at + 2, prefixes[thread]);
    out.set(5 * at + 3, prefixes[threads]);
    out.set(5 * at + 4, prefixes[threads - thread]);
  }

  static void sumsOfInts(KernelContext context, IntArray in, IntArray out, int threads) {
    int thread = context.localIdx;
    int at = context.groupIdx * threads + thread;
    int value = in.get(at);
    int[] prefixes = BlockScan.prefixSums(context, thread, threads, value);
    out.set(4 * at, BlockScan.inclusiveSum(context, thread, threads, value));
    out.set(4 * at + 1, BlockScan.exclusiveSum(context, thread, threads, value));
    out.set(4 * at + 2, prefixes[threads - thread]);
    out.set(4 * at + 3, prefixes[threads]);
  }

  @Override
  public KernelTask textbook(
      IntArray in, IntArray out, int blocks, int threads, int operator, int identity) {
    return KernelTask.of(
        "textbook",
        Grid.of(blocks, threads),
        BlockScanKernels::textbookInts,
        in,
        out,
        threads,
        operator,
        identity);
  }

  static void textbookInts(
      KernelContext context, IntArray in, IntArray out, int threads, int operator, int identity) {
    int thread = context.localIdx;
    int at = context.groupIdx * threads + thread;
    int value = in.get(at);
    out.set(2 * at, BlockScan.hillisSteele(context, operator, thread, threads, value));
    out.set(2 * at + 1, BlockScan.blelloch(context, operator, thread, threads, value, identity));
  }

  @Override
  public KernelTask warps(
      IntArray in, IntArray out, int blocks, int threads, int operator, int identity) {
    return KernelTask.of(
        "warps",
        Grid.of(blocks, threads),
        BlockScanKernels::warpsOfInts,
        in,
        out,
        threads,
        operator,
        identity);
  }

  static void warpsOfInts(
      KernelContext context, IntArray in, IntArray out, int threads, int operator, int identity) {
    int thread = context.localIdx;
    int at = context.groupIdx * threads + WarpScan.element(thread);
    int value = in.get(at);
    int inclusive = WarpScan.inclusive(context, operator, thread, value);
    int exclusive = WarpScan.exclusive(context, operator, thread, value, identity);
    int ofBlock = BlockScan.warpShuffle(context, operator, thread, threads, value, identity);
    out.set(3 * at, inclusive);
    out.set(3 * at + 1, exclusive);
    out.set(3 * at + 2, ofBlock);
  }

  static void warpSumsOfInts(KernelContext context, IntArray in, IntArray out) {
    int thread = context.localIdx;
    int at = WarpScan.element(context.globalIdx);
    int value = in.get(at);
    int inclusive = WarpScan.inclusiveSum(context, thread, value);
    int exclusive = WarpScan.exclusiveSum(context, thread, value);
    out.set(2 * at, inclusive);
    out.set(2 * at + 1, exclusive);
  }

  @Override
  public KernelTask general(
      LongArray in, LongArray out, int blocks, int threads, int operator, long identity) {
    return KernelTask.of(
        "general",
        Grid.of(blocks, threads),
        BlockScanKernels::generalLongs,
        in,
        out,
        threads,
        operator,
        identity);
  }

  static void generalLongs(
      KernelContext context,
      LongArray in,
      LongArray out,
      int threads,
      int operator,
      long identity) {
    int thread = context.localIdx;
    int at = context.groupIdx * threads + thread;
    long value = in.get(at);
    long inclusive = BlockScan.inclusive(context, operator, thread, threads, value, identity);
    long exclusive = BlockScan.exclusive(context, operator, thread, threads, value, identity);
    long[] prefixes = BlockScan.prefixes(context, operator, thread, threads, value, identity);
    out.set(5 * at, inclusive);
    out.set(5 * at + 1, exclusive);
    out.set(5 * at + 2, prefixes[thread]);
    out.set(5 * at + 3, prefixes[threads]);
    out.set(5 * at + 4, prefixes[threads - thread]);
  }

  static void sumsOfLongs(KernelContext context, LongArray in, LongArray out, int threads) {
    int thread = context.localIdx;
    int at = context.groupIdx * threads + thread;
    long value = in.get(at);
    long[] prefixes = BlockScan.prefixSums(context, thread, threads, value);
    out.set(4 * at, BlockScan.inclusiveSum(context, thread, threads, value));
    out.set(4 * at + 1, BlockScan.exclusiveSum(context, thread, threads, value));
    out.set(4 * at + 2, prefixes[threads - thread]);
    out.set(4 * at + 3, prefixes[threads]);
  }

  @Override
  public KernelTask textbook(
      LongArray in, LongArray out, int blocks, int threads, int operator, long identity) {
    return KernelTask.of(
        "textbook",
        Grid.of(blocks, threads),
        BlockScanKernels::textbookLongs,
        in,
        out,
        threads,
        operator,
        identity);
  }

  static void textbookLongs(
      KernelContext context,
      LongArray in,
      LongArray out,
      int threads,
      int operator,
      long identity) {
    int thread = context.localIdx;
    int at = context.groupIdx * threads + thread;
    long value = in.get(at);
    out.set(2 * at, BlockScan.hillisSteele(context, operator, thread, threads, value));
    out.set(2 * at + 1, BlockScan.blelloch(context, operator, thread, threads, value, identity));
  }

  @Override
  public KernelTask general(
      FloatArray in, FloatArray out, int blocks, int threads, int operator, float identity) {
    return KernelTask.of(
        "general",
        Grid.of(blocks, threads),
        BlockScanKernels::generalFloats,
        in,
        out,
        threads,
        operator,
        identity);
  }

  static void generalFloats(
      KernelContext context,
      FloatArray in,
      FloatArray out,
      int threads,
      int operator,
      float identity) {
    int thread = context.localIdx;
    int at = context.groupIdx * threads + thread;
    float value = in.get(at);
    float inclusive = BlockScan.inclusive(context, operator, thread, threads, value, identity);
    float exclusive = BlockScan.exclusive(context, operator, thread, threads, value, identity);
    float[] prefixes = BlockScan.prefixes(context, operator, thread, threads, value, identity);
    out.set(5 * at, inclusive);
    out.set(5 * at + 1, exclusive);
    out.set(5 * at + 2, prefixes[thread]);
    out.set(5 * at + 3, prefixes[threads]);
    out.set(5 * at + 4, prefixes[threads - thread]);
  }

  static void sumsOfFloats(KernelContext context, FloatArray in, FloatArray out, int threads) {
    int thread = context.localIdx;
    int at = context.groupIdx * threads + thread;
    float value = in.get(at);
    float[] prefixes = BlockScan.prefixSums(context, thread, threads, value);
    out.set(4 * at, BlockScan.inclusiveSum(context, thread, threads, value));
    out.set(4 * at + 1, BlockScan.exclusiveSum(context, thread, threads, value));
    out.set(4 * at + 2, prefixes[threads - thread]);
    out.set(4 * at + 3, prefixes[threads]);
  }

  @Override
  public KernelTask textbook(
      FloatArray in, FloatArray out, int blocks, int threads, int operator, float identity) {
    return KernelTask.of(
        "textbook",
        Grid.of(blocks, threads),
        BlockScanKernels::textbookFloats,
        in,
        out,
        threads,
        operator,
        identity);
  }

  static void textbookFloats(
      KernelContext context,
      FloatArray in,
      FloatArray out,
      int threads,
      int operator,
      float identity) {
    int thread = context.localIdx;
    int at = context.groupIdx * threads + thread;
    float value = in.get(at);
    out.set(2 * at, BlockScan.hillisSteele(context, operator, thread, threads, value));
    out.set(2 * at + 1, BlockScan.blelloch(context, operator, thread, threads, value, identity));
  }

  @Override
  public KernelTask warps(
      FloatArray in, FloatArray out, int blocks, int threads, int operator, float identity) {
    return KernelTask.of(
        "warps",
        Grid.of(blocks, threads),
        BlockScanKernels::warpsOfFloats,
        in,
        out,
        threads,
        operator,
        identity);
  }

  static void warpsOfFloats(
      KernelContext context,
      FloatArray in,
      FloatArray out,
      int threads,
      int operator,
      float identity) {
    int thread = context.localIdx;
    int at = context.groupIdx * threads + WarpScan.element(thread);
    float value = in.get(at);
    float inclusive = WarpScan.inclusive(context, operator, thread, value);
    float exclusive = WarpScan.exclusive(context, operator, thread, value, identity);
    float ofBlock = BlockScan.warpShuffle(context, operator, thread, threads, value, identity);
    out.set(3 * at, inclusive);
    out.set(3 * at + 1, exclusive);
    out.set(3 * at + 2, ofBlock);
  }

  static void warpSumsOfFloats(KernelContext context, FloatArray in, FloatArray out) {
    int thread = context.localIdx;
    int at = WarpScan.element(context.globalIdx);
    float value = in.get(at);
    float inclusive = WarpScan.inclusiveSum(context, thread, value);
    float exclusive = WarpScan.exclusiveSum(context, thread, value);
    out.set(2 * at, inclusive);
    out.set(2 * at + 1, exclusive);
  }

  @Override
  public KernelTask general(
      DoubleArray in, DoubleArray out, int blocks, int threads, int operator, double identity) {
    return KernelTask.of(
        "general",
        Grid.of(blocks, threads),
        BlockScanKernels::generalDoubles,
        in,
        out,
        threads,
        operator,
        identity);
  }

  static void generalDoubles(
      KernelContext context,
      DoubleArray in,
      DoubleArray out,
      int threads,
      int operator,
      double identity) {
    int thread = context.localIdx;
    int at = context.groupIdx * threads + thread;
    double value = in.get(at);
    double inclusive = BlockScan.inclusive(context, operator, thread, threads, value, identity);
    double exclusive = BlockScan.exclusive(context, operator, thread, threads, value, identity);
    double[] prefixes = BlockScan.prefixes(context, operator, thread, threads, value, identity);
    out.set(5 * at, inclusive);
    out.set(5 * at + 1, exclusive);
    out.set(5 * at + 2, prefixes[thread]);
    out.set(5 * at + 3, prefixes[threads]);
    out.set(5 * at + 4, prefixes[threads - thread]);
  }

  static void sumsOfDoubles(KernelContext context, DoubleArray in, DoubleArray out, int threads) {
    int thread = context.localIdx;
    int at = context.groupIdx * threads + thread;
    double value = in.get(at);
    double[] prefixes = BlockScan.prefixSums(context, thread, threads, value);
    out.set(4 * at, BlockScan.inclusiveSum(context, thread, threads, value));
    out.set(4 * at + 1, BlockScan.exclusiveSum(context, thread, threads, value));
    out.set(4 * at + 2, prefixes[threads - thread]);
    out.set(4 * at + 3, prefixes[threads]);
  }

  @Override
  public KernelTask textbook(
      DoubleArray in, DoubleArray out, int blocks, int threads, int operator, double identity) {
    return KernelTask.of(
        "textbook",
        Grid.of(blocks, threads),
        BlockScanKernels::textbookDoubles,
        in,
        out,
        threads,
        operator,
        identity);
  }

  static void textbookDoubles(
      KernelContext context,
      DoubleArray in,
      DoubleArray out,
      int threads,
      int operator,
      double identity) {
    int thread = context.localIdx;
    int at = context.groupIdx * threads + thread;
    double value = in.get(at);
    out.set(2 * at, BlockScan.hillisSteele(context, operator, thread, threads, value));
    out.set(2 * at + 1, BlockScan.blelloch(context, operator, thread, threads, value, identity));
  }

  /** Rounds of a loop that scan in the same memory, with the barrier that this takes. */
  static void rounds(KernelContext context, IntArray in, IntArray out, int threads, int rounds) {
    int thread = context.localIdx;
    int carry = 0;
    for (int round = 0; round < rounds; round++) {
      int at = round * threads + thread;
      int[] prefixes = BlockScan.prefixSums(context, thread, threads, in.get(at));
      out.set(at, carry + prefixes[thread]);
      carry += prefixes[threads];
      context.localBarrier();
    }
  }
}
