package funnel.jit;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * The runs that a thread is inside: their owners, outermost first, and whether their results are
 * still wanted. It detects a user-defined function that calls the owner back, on the caller's
 * thread as well as on the helper threads of {@code ParallelRows}.
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

  /** The chain of the calling thread. */
  public static CallChain current() {
    return CURRENT.orElse(NONE);
  }

  /** Whether a thread with this chain is inside a run. */
  public boolean isInsideRun() {
    return !owners.isEmpty();
  }

  /** Whether a thread with this chain is inside a run of the owner. */
  public boolean contains(Object owner) {
    return owners.contains(owner);
  }

  /** This chain with another, inner run. */
  public CallChain with(Object owner) {
    Object[] inside = Arrays.copyOf(owners.toArray(), owners.size() + 1);
    inside[owners.size()] = owner;
    return new CallChain(List.of(inside), givenUp);
  }

  /**
   * This chain for calls that are given up when {@code condition} is true, and only then.
   *
   * @param condition called by many threads, often; must stay true once it is
   */
  public CallChain until(BooleanSupplier condition) {
    return new CallChain(owners, condition);
  }

  /** Whether the results of the calls are no longer wanted. */
  public boolean isGivenUp() {
    return givenUp.getAsBoolean();
  }

  /**
   * Ends a run of the calling thread if it is given up. To be called where the state is consistent.
   *
   * @throws CancellationException if it is given up
   */
  public static void requireWanted() {
    if (current().isGivenUp()) {
      throw new CancellationException(
          "the run was given up: its call was cancelled, or its time is over");
    }
  }

  /** Makes a call with this chain, instead of the thread's own, and returns its result. */
  public <T, E extends Throwable> T call(ScopedValue.CallableOp<? extends T, E> call) throws E {
    return ScopedValue.where(CURRENT, this).call(call);
  }

  /** Runs {@code action} with this chain, instead of the thread's own. */
  public void run(Runnable action) {
    ScopedValue.where(CURRENT, this).run(action);
  }
}
