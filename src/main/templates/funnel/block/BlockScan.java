package funnel.block;

import funnel.jit.Element;
import funnel.jit.Overloads;
import funnel.operator.OperatorCode;
import uk.ac.manchester.tornado.api.KernelContext;

/**
 * Scans over the threads of one block: each thread passes a value, and gets the values of the
 * threads up to itself (inclusive) or before itself (exclusive), combined from left to right.
 *
 * <p>With {@code threads=4} and the values 3, 1, 4, 1 in threads 0 to 3, {@code inclusiveSum}
 * returns 3, 4, 8 and 9, and {@code exclusiveSum} 0, 3, 4 and 8. {@code prefixSums} returns the
 * local array {0, 3, 4, 8, 9}: the exclusive sums, followed by the sum of all, the block's
 * aggregate.
 *
 * <p>All threads of the block must call, with the same {@code operator}, {@code threads} and {@code
 * identity}. {@code operator} is one of {@link OperatorCode}; it need not be commutative, since
 * operands are always neighbours, the left one first. {@code identity} is its identity, a constant
 * of the kernel like {@code threads}: a literal or a scalar argument of the task. {@code threads}
 * is the block's size, any number up to 1024, but a multiple of 32 for {@code warpShuffle}. A
 * device does not detect a number other than the block's size, and results are then wrong; the
 * emulator throws. {@code thread} is {@code context.localIdx}, read in the kernel itself, since
 * TornadoVM cannot compile a field of the context in any other method.
 *
 * <p>The cost of a call, with {@code w} the width of a value in bytes (4 or 8); a block has 48 KB
 * of local memory:
 *
 * <table>
 * <caption>Barriers and local memory</caption>
 * <tr><th>form</th><th>barriers</th><th>local memory at 256 threads</th></tr>
 * <tr><td>inclusive, exclusive, and their sums</td><td>2</td><td>272 w</td></tr>
 * <tr><td>prefixes, prefixSums</td><td>3</td><td>529 w</td></tr>
 * <tr><td>hillisSteele</td><td>1 + log2(threads)</td><td>512 w</td></tr>
 * <tr><td>blelloch</td><td>2 + 2 log2(threads)</td><td>264 w</td></tr>
 * <tr><td>warpShuffle</td><td>2</td><td>32 w</td></tr>
 * </table>
 *
 * <p>Each call site in a kernel has memory of its own. If a loop reaches the same call site again,
 * put a {@code context.localBarrier()} into the loop, so that no thread begins a scan while another
 * still reads the results of the last one.
 *
 * <p><b>The order of operations</b> depends on {@code threads} alone, so floating-point results
 * have the same bits in every run and on the JVM. The threads are cut into groups of 16 neighbours
 * (32 if there are more than 256 threads); the last group may be smaller. Within a group, values
 * are combined one after the other, starting from the identity; so are the groups' totals, also for
 * the aggregate. A thread's exclusive result is the combination of the groups before its own,
 * combined with that of the values before it in its group; the inclusive result is that, combined
 * with its own value. Sums start from +0.0: a sum of -0.0 alone is +0.0. Integer sums and products
 * wrap around; min and max treat NaN and -0.0 as {@link Math} does.
 *
 * <p>A thread may have several items, which it combines before and scans after the call:
 *
 * {@snippet class="funnel.docs.ScanBlockSnippets" region="tile"}
 *
 * <p>{@code hillisSteele}, {@code blelloch} and {@code warpShuffle} are other algorithms for the
 * same result, for comparison; each has its own order of operations. {@code hillisSteele} and
 * {@code warpShuffle} do not start from the identity: with them, a sum of -0.0 alone stays -0.0.
 */
@Overloads({"Long", "Float", "Double"})
public final class BlockScan {
  private BlockScan() {}

  /** The values of the threads up to this one, combined from left to right. */
  public static @Element int inclusive(
      KernelContext context,
      int operator,
      int thread,
      int threads,
      @Element int value,
      @Element int identity) {
    return IntBlockScan.inclusive(context, operator, thread, threads, value, identity);
  }

  /**
   * The values of the threads before this one, combined from left to right; {@code identity} in the
   * first thread.
   */
  public static @Element int exclusive(
      KernelContext context,
      int operator,
      int thread,
      int threads,
      @Element int value,
      @Element int identity) {
    return IntBlockScan.exclusive(context, operator, thread, threads, value, identity);
  }

  /**
   * The exclusive results of all threads and the block's aggregate, for every thread to read: entry
   * t of the array is thread t's, entry {@code threads} the aggregate.
   *
   * @return a local array of {@code threads + 1} entries, which the kernel may also write to
   */
  public static @Element int[] prefixes(
      KernelContext context,
      int operator,
      int thread,
      int threads,
      @Element int value,
      @Element int identity) {
    return IntBlockScan.prefixes(context, operator, thread, threads, value, identity);
  }

  /**
   * All threads' values combined from left to right, for every thread: the result that {@link
   * #exclusive} would have for a thread after the last.
   */
  public static @Element int total(
      KernelContext context,
      int operator,
      int thread,
      int threads,
      @Element int value,
      @Element int identity) {
    return IntBlockScan.total(context, operator, thread, threads, value, identity);
  }

  /** The sum of the values of the threads up to this one. */
  public static @Element int inclusiveSum(
      KernelContext context, int thread, int threads, @Element int value) {
    return IntBlockScan.inclusiveSum(context, thread, threads, value);
  }

  /** The sum of the values of the threads before this one; 0 in the first thread. */
  public static @Element int exclusiveSum(
      KernelContext context, int thread, int threads, @Element int value) {
    return IntBlockScan.exclusiveSum(context, thread, threads, value);
  }

  /** The exclusive sums of all threads and the block's sum, as {@link #prefixes} has them. */
  public static @Element int[] prefixSums(
      KernelContext context, int thread, int threads, @Element int value) {
    return IntBlockScan.prefixSums(context, thread, threads, value);
  }

  /**
   * The inclusive scan of Hillis and Steele: log2(threads) steps, in each of which every thread
   * combines its value with the one of the thread 1, 2, 4, ... before it. Needs no identity.
   * O(threads log threads) operations.
   */
  public static @Element int hillisSteele(
      KernelContext context, int operator, int thread, int threads, @Element int value) {
    return IntBlockScan.hillisSteele(context, operator, thread, threads, value);
  }

  /**
   * The inclusive scan of Blelloch: a tree of sums upwards, then prefixes down the same tree.
   * O(threads) operations.
   */
  public static @Element int blelloch(
      KernelContext context,
      int operator,
      int thread,
      int threads,
      @Element int value,
      @Element int identity) {
    return IntBlockScan.blelloch(context, operator, thread, threads, value, identity);
  }

  /**
   * The inclusive scan by shuffles: each warp scans its values, then the first warp scans the
   * warps' totals, then each warp combines the total of those before it. 1024 threads are 32 warps.
   *
   * <p>The lanes are mirrored: thread t passes element {@code t ^ 31} of the block, see {@link
   * WarpScan}, and gets the result of that element. {@code threads} is a multiple of 32.
   */
  @Overloads("Float")
  public static @Element int warpShuffle(
      KernelContext context,
      int operator,
      int thread,
      int threads,
      @Element int value,
      @Element int identity) {
    return IntWarpScan.ofBlock(context, operator, thread, threads, value, identity);
  }
}
