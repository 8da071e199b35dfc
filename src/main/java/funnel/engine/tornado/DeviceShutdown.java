package funnel.engine.tornado;

import funnel.jit.TornadoCompiler;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the JVM's shutdown wait for runs on the device, whether by a signal, {@link System#exit},
 * or the end of the last thread.
 */
final class DeviceShutdown {

  /* TornadoVM destroys the device's context in a hook of the JVM's shutdown. Hooks run concurrently
   * with each other and with the threads of the program: on the ptx backend, a run in progress then
   * crashes the driver. Hooks have no order, and only code that has a reference to a hook can
   * remove it. So TornadoVM's hooks are found in the JVM's own list, which tornado.argfile opens,
   * and removed: the driver frees everything when the process ends. (On the cuda backend that hook
   * does nothing.) If TornadoVM has hooks that are none of its drivers', they are not understood,
   * and stay.
   *
   * The hook that replaces them ends last. It waits for all others, in which programs may still use
   * the device or wait for threads that do, and then for the locks, which it keeps: no thread is in
   * the driver when the process ends. It is added only if one was removed: so only once, even if
   * this class is loaded twice.
   */

  private static final Logger LOG = LoggerFactory.getLogger(DeviceShutdown.class);
  private static final String TORNADO = "uk.ac.manchester.tornado.";
  private static final String DRIVERS = TORNADO + "drivers.";

  /** The hooks of its API only write files. */
  private static final String API = TORNADO + "api.";

  private static final String LOST = "a signal or System.exit during a run may crash the driver";
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Signals and their numbers: a program that a signal has ended returns 128 plus its number. */
  private static final Map<String, Integer> SIGNALS = Map.of("HUP", 1, "INT", 2, "TERM", 15);

  private DeviceShutdown() {}

  /**
   * To be called once TornadoVM's drivers are loaded; all of {@code unused} can be locked while
   * nobody uses the driver.
   */
  static void install(Lock... unused) {
    install(List.of(unused), DRIVERS, PATIENCE);
  }

  /** For hooks of classes whose names begin with {@code owners}. */
  static void install(List<Lock> unused, String owners, Duration patience) {
    try {
      Class<?> list = Class.forName("java.lang.ApplicationShutdownHooks");
      Field field = list.getDeclaredField("hooks");
      field.setAccessible(true);
      Map<?, ?> hooks;
      Set<String> left = new TreeSet<>();
      boolean removed;
      synchronized (list) { // as its own methods are
        hooks = (Map<?, ?>) field.get(null);
        removed = hooks != null && removeOwned(hooks.keySet(), owners, left);
      }
      Set<String> unknown = unknown(left);
      if (!unknown.isEmpty()) {
        Internals.lack(LOST, "this TornadoVM has hooks that Funnel does not know, of " + unknown);
      }
      if (removed) {
        Set<?> all = hooks.keySet();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(all, unused, patience)));
      }
    } catch (ReflectiveOperationException | InaccessibleObjectException | IllegalStateException e) {
      Internals.lack(
          LOST, "start with %s (%s)".formatted(TornadoCompiler.argfile(), e.getMessage()));
    }
  }

  /** Those that are TornadoVM's, and may be about the device. */
  static Set<String> unknown(Set<String> owners) {
    return owners.stream()
        .filter(owner -> owner.startsWith(TORNADO) && !owner.startsWith(API))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Removes the hooks of {@code owners}, and adds the owners of all others to {@code left}. */
  private static boolean removeOwned(Set<?> hooks, String owners, Set<String> left)
      throws ReflectiveOperationException {
    boolean removed = false;
    for (Object hook : hooks.toArray()) {
      String owner = owner((Thread) hook);
      if (owner.startsWith(owners)) {
        removed |= hooks.remove(hook);
      } else {
        left.add(owner);
      }
    }
    return removed;
  }

  /** The class of a thread, or of the task of a plain one. */
  private static String owner(Thread thread) throws ReflectiveOperationException {
    if (thread.getClass() != Thread.class) {
      return thread.getClass().getName();
    }
    Object holder = value(Thread.class.getDeclaredField("holder"), thread);
    Object task = value(holder.getClass().getDeclaredField("task"), holder);
    return task == null ? "" : task.getClass().getName();
  }

  private static Object value(Field field, Object of) throws IllegalAccessException {
    field.setAccessible(true);
    return field.get(of);
  }

  private static void end(Set<?> hooks, List<Lock> unused, Duration patience) {
    try {
      for (Object hook : hooks) {
        Thread other = (Thread) hook;
        while (other.getState() == Thread.State.NEW) {
          Thread.sleep(1);
        }
        if (other != Thread.currentThread()) {
          other.join();
        }
      }
      if (unused.stream().allMatch(Lock::tryLock)) {
        return;
      }
      SIGNALS.forEach(DeviceShutdown::endAtOnceOn);
      LOG.info("waiting for a run on the device; a second signal ends the process immediately");
      for (Lock lock : unused) {
        if (!lock.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS)) {
          LOG.warn("a run on the device did not end within {}: the process ends anyway", patience);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /* By reflection: javac warns of sun.misc.Signal, and its warning cannot be suppressed. */
  private static void endAtOnceOn(String name, int number) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object halt =
          Proxy.newProxyInstance(
              handler.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, arguments) -> {
                Runtime.getRuntime().halt(128 + number);
                throw new AssertionError("halt returned");
              });
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance(name), halt);
    } catch (ReflectiveOperationException e) {
      LOG.debug("signal {} cannot be handled: {}", name, e.toString());
    }
  }
}
