package funnel.jit;

import java.util.Arrays;
import java.util.List;

/**
 * What a thread is inside of: the owners of the runs that it makes, or does a task of, outermost
 * first. A function of the user's that calls the owner back is recognised by it, on the caller's
 * thread as on those that {@code ParallelRows} deals tasks to.
 *
 * {@snippet class="funnel.docs.EngineSnippets" region="chain"}
 */
public final class CallChain {

  private static final ScopedValue<CallChain> CURRENT = ScopedValue.newInstance();
  private static final CallChain NONE = new CallChain(List.of());

  private final List<Object> owners;

  private CallChain(List<Object> owners) {
    this.owners = owners;
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
    return new CallChain(List.of(inside));
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
