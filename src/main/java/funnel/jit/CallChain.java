package funnel.jit;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * What a thread is inside of: the owners of the runs that it makes, or does a task of, outermost
 * first, and whether anybody still wants what they come to. A function of the user's that calls the
 * owner back is recognised by it, on the caller's thread as on those that {@code ParallelRows}
 * deals tasks to.
 *
 * {@snippet class="funnel.docs.EngineSnippets" region="chain"}
 */
public final class CallChain {

  private static final ScopedValue<CallChain> CURRENT = ScopedValue.newInstance();
  private static final CallChain NONE = new CallChain(List.of(), () -> false);

  private final List<Object> owners;
  private final BooleanSupplier givenUp;

  private CallChain(List<Object> owners, BooleanSupplier givenUp) {
    this.owners = owners;
    this.givenUp = givenUp;
  }

  /** That of the calling thread. */
  public static CallChain current() {
    return CURRENT.orElse(NONE);
  }

  /** Whether a thread with this chain is inside of a run of the owner's. */
  public boolean contains(Object owner) {
    return owners.contains(owner);
  }

  /** This chain with a run inside of it. */
  public CallChain with(Object owner) {
    Object[] inside = Arrays.copyOf(owners.toArray(), owners.size() + 1);
    inside[owners.size()] = owner;
    return new CallChain(List.of(inside), givenUp);
  }

  /**
   * This chain for calls of which only {@code condition} says that they are given up.
   *
   * @param condition asked by many threads, often; once true it stays so
   */
  public CallChain until(BooleanSupplier condition) {
    return new CallChain(owners, condition);
  }

  /** Whether nobody wants any more what the calls come to. */
  public boolean isGivenUp() {
    return givenUp.getAsBoolean();
  }

  /**
   * Ends a run of the calling thread's that is given up. To be called where nothing is half done.
   *
   * @throws CancellationException if it is
   */
  public static void requireWanted() {
    if (current().isGivenUp()) {
      throw new CancellationException(
          "the run was given up: what it was for is cancelled, or its time is over");
    }
  }

  /** What {@code call} returns with this chain, whatever the thread was inside of. */
  public <T, E extends Throwable> T call(ScopedValue.CallableOp<? extends T, E> call) throws E {
    return ScopedValue.where(CURRENT, this).call(call);
  }

  /** Runs {@code action} with this chain, whatever the thread was inside of. */
  public void run(Runnable action) {
    ScopedValue.where(CURRENT, this).run(action);
  }
}
