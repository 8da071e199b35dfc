package funnel.block;

import funnel.operator.OperatorCode;
import uk.ac.manchester.tornado.api.KernelContext;

/**
 * Votes of the threads of one block: each thread passes a predicate, and every thread learns how
 * many of them hold, whether all do, or whether any does. CUDA's {@code __syncthreads_count},
 * {@code _and} and {@code _or}.
 *
 * <p>With {@code threads=4} and the predicates true, false, true, true, {@code count} returns 3,
 * {@code all} false and {@code any} true in all four threads.
 *
 * <p>All threads of the block must call; the parameters, local memory ({@code threads * 4} bytes)
 * and barriers are those of {@link BlockReduce}.
 *
 * {@snippet class="funnel.docs.BlockSnippets" region="vote"}
 */
public final class BlockVote {

  private BlockVote() {}

  /** The number of threads whose predicate holds. */
  public static int count(KernelContext context, int thread, int threads, boolean predicate) {
    return IntBlockReduce.interleaved(
        context, OperatorCode.SUM, thread, threads, predicate ? 1 : 0);
  }

  /** Whether the predicate holds in every thread. */
  public static boolean all(KernelContext context, int thread, int threads, boolean predicate) {
    return count(context, thread, threads, predicate) == threads;
  }

  /** Whether the predicate holds in at least one thread. */
  public static boolean any(KernelContext context, int thread, int threads, boolean predicate) {
    return count(context, thread, threads, predicate) > 0;
  }
}
