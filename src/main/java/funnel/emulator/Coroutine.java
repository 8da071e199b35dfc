package funnel.emulator;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Code that can stop in the middle of any call and continue from there later. */
abstract sealed class Coroutine {

  /*
   * An emulated thread has to stop at a barrier deep inside the kernel's calls. Two ways:
   *
   * Continuations (jdk.internal.vm.Continuation, what virtual threads are made of). Stopping copies
   * the few frames of the kernel to the heap and returns to the caller of resume() on the same
   * thread: no lock, no queue, no other thread woken. It is an internal class, so the JVM has to be
   * started with --add-exports java.base/jdk.internal.vm=ALL-UNNAMED, and it is reached through
   * method handles because javac's --release hides it.
   *
   * Virtual threads that pass the turn with park and unpark: the same behaviour, but each time
   * through the virtual threads' scheduler, which costs several times as much. Used if the package
   * is not exported.
   *
   * A continuation in which a thread stops serves the threads of one group and is then dropped. One
   * that looped over many groups would keep its outermost frame in the interpreter, and stopping
   * with an interpreted frame takes the JVM's slow path.
   */

  private static final Logger LOG = LoggerFactory.getLogger(Coroutine.class);

  /**
   * The internal class's operations, or placeholders that are never called if the class is not
   * accessible.
   */
  private static final class Continuations {
    static final boolean USABLE;
    static final Object SCOPE;
    static final MethodHandle NEW;
    static final MethodHandle RUN;
    static final MethodHandle YIELD;

    static {
      MethodType createType = MethodType.methodType(Object.class, Object.class, Runnable.class);
      MethodType runType = MethodType.methodType(void.class, Object.class);
      MethodType yieldType = MethodType.methodType(boolean.class, Object.class);
      boolean usable = false;
      Object scope = "none";
      MethodHandle create = MethodHandles.empty(createType);
      MethodHandle run = MethodHandles.empty(runType);
      MethodHandle yield = MethodHandles.empty(yieldType);
      try {
        Class<?> scopeClass = Class.forName("jdk.internal.vm.ContinuationScope");
        Class<?> type = Class.forName("jdk.internal.vm.Continuation");
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        scope =
            lookup
                .findConstructor(scopeClass, MethodType.methodType(void.class, String.class))
                .invoke("funnel");
        create =
            lookup
                .findConstructor(
                    type, MethodType.methodType(void.class, scopeClass, Runnable.class))
                .asType(createType);
        run = lookup.findVirtual(type, "run", MethodType.methodType(void.class)).asType(runType);
        yield =
            lookup
                .findStatic(type, "yield", MethodType.methodType(boolean.class, scopeClass))
                .asType(yieldType);
        // fails here on a JVM without continuations
        run.invokeExact((Object) create.invokeExact(scope, (Runnable) () -> {}));
        usable = true;
      } catch (Throwable t) {
        LOG.warn(
            "jdk.internal.vm.Continuation cannot be used ({}): the emulator runs every kernel"
                + " thread as a virtual thread, which is several times slower; start Java with"
                + " --add-exports java.base/jdk.internal.vm=ALL-UNNAMED",
            t.toString());
      }
      USABLE = usable;
      SCOPE = scope;
      NEW = create;
      RUN = run;
      YIELD = yield;
    }
  }

  /** Whether this JVM lets us use continuations. */
  static boolean continuationsUsable() {
    return Continuations.USABLE;
  }

  /** A coroutine that has not begun yet. */
  static Coroutine of(Runnable body, boolean continuation) {
    return continuation ? new OnContinuation(body) : new OnVirtualThread(body);
  }

  /** Runs the body until it suspends or ends. */
  abstract void resume();

  /** Called by the body: returns control to the caller of {@link #resume}. */
  abstract void suspend();

  /** Discards a body that will not be resumed. */
  abstract void abandon();

  private static final class OnContinuation extends Coroutine {
    private final Object continuation;

    OnContinuation(Runnable body) {
      try {
        continuation = (Object) Continuations.NEW.invokeExact(Continuations.SCOPE, body);
      } catch (Throwable t) {
        throw rethrown(t);
      }
    }

    @Override
    void resume() {
      try {
        Continuations.RUN.invokeExact(continuation);
      } catch (Throwable t) {
        throw rethrown(t);
      }
    }

    @Override
    void suspend() {
      try {
        boolean _ = (boolean) Continuations.YIELD.invokeExact(Continuations.SCOPE);
      } catch (Throwable t) {
        throw rethrown(t);
      }
    }

    @Override
    void abandon() {}
  }

  private static final class OnVirtualThread extends Coroutine {
    private final Thread thread;
    private volatile boolean bodysTurn;
    private volatile boolean abandoned;
    private volatile boolean ended;
    private boolean begun;
    private @Nullable Thread resumer;

    OnVirtualThread(Runnable body) {
      thread =
          Thread.ofVirtual()
              .unstarted(
                  () -> {
                    try {
                      body.run();
                    } catch (Abandoned e) {
                      // the group has failed; nothing waits for this thread
                    } finally {
                      ended = true;
                      handBack();
                    }
                  });
    }

    @Override
    void resume() {
      resumer = Thread.currentThread();
      bodysTurn = true;
      if (begun) {
        LockSupport.unpark(thread);
      } else {
        begun = true;
        thread.start();
      }
      while (bodysTurn) {
        LockSupport.park(this);
      }
    }

    @Override
    void suspend() {
      handBack();
      while (!bodysTurn) {
        LockSupport.park(this);
      }
      if (abandoned) {
        throw new Abandoned();
      }
    }

    private void handBack() {
      Thread waiting = resumer;
      bodysTurn = false;
      LockSupport.unpark(waiting);
    }

    @Override
    void abandon() {
      if (begun && !ended) {
        abandoned = true;
        resume();
      }
    }
  }

  /** Unwinds a body that will not be resumed. */
  static final class Abandoned extends Error {
    private static final long serialVersionUID = 1L;

    Abandoned() {
      super(null, null, false, false);
    }
  }

  private static RuntimeException rethrown(Throwable t) {
    return switch (t) {
      case RuntimeException e -> e;
      case Error e -> throw e;
      default -> new IllegalStateException(t);
    };
  }
}
