package funnel.engine.tornado;

import funnel.engine.device.DeviceContext;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;

/** Gives devices a context of their own if TornadoVM has one for all, on the first of them. */
final class OwnContext {

  /* TornadoVM 5.2.0's cuda backend creates one context for all devices, which the driver creates on
   * the first of them: memory, modules and launches of all are there. Nothing in TornadoVM's API
   * shows this, but the state of such a device has the context of its platform. Backends with a
   * context for each device have no such method.
   *
   * The platform makes a context for the first of the devices that it gets. So it gets one alone,
   * and the state of that device, which all work on it goes through, gets the new context
   * before its first use. cuda.argfile opens the package for that. What stays in the first one is a
   * few bytes for atomic integers of TornadoVM's, which no kernel here uses.
   */

  private static final String METHOD = "getPlatformContext";

  private OwnContext() {}

  /** Whether the states of two devices have one context. */
  static boolean isShared(Object first, Object second) {
    try {
      Method method = first.getClass().getMethod(METHOD);
      return method.invoke(first) == method.invoke(second);
    } catch (NoSuchMethodException e) {
      return false;
    } catch (IllegalAccessException | InvocationTargetException e) {
      return true; // java was started without cuda.argfile
    }
  }

  /**
   * Why a device neither has nor can get a context of its own, and what to do about it; empty if
   * nothing is wrong. Creates nothing.
   *
   * @param first the state of the first device
   * @param state the state of another device
   * @param number the number of that device
   */
  static synchronized String refusal(Object first, Object state, int number) {
    if (number == 0 || !isShared(first, state)) {
      return "";
    }
    try {
      making(state);
      return "";
    } catch (ReflectiveOperationException | RuntimeException e) {
      return refusal(number, e);
    }
  }

  private static String refusal(int number, Throwable e) {
    boolean isClosed = e instanceof InaccessibleObjectException;
    return ("device %s has no context of its own, so device 0 would do its work: start %sa process"
            + " for each device with CUDA_VISIBLE_DEVICES=%s and without -Dtornado.device (%s)")
        .formatted(
            number,
            isClosed ? "java with tornado-config/cuda.argfile, or " : "",
            number,
            isClosed
                ? DeviceContext.reason(e)
                : "this TornadoVM has another way to make one: " + e);
  }

  /**
   * Gives a device a context of its own unless it has one, before its first use.
   *
   * @throws IllegalStateException if that is impossible
   */
  static synchronized void give(Object first, Object state, int number) {
    if (number == 0 || !isShared(first, state)) {
      return;
    }
    try {
      making(state).call();
    } catch (Exception e) {
      throw new IllegalStateException(refusal(number, e), e);
    }
  }

  /**
   * Throws if the default device is not the first, which would do its work. A context of its own
   * does not help there: TornadoVM finds compiled code by the device's name, and the first device
   * with that name is used.
   */
  static void requireOwn(Object first, Object state, int number) {
    if (number > 0 && isShared(first, state)) {
      throw new IllegalStateException(
          ("device %s is in fact device 0, with one context for both: open it by"
                  + " Funnel.open(device), or start the process with CUDA_VISIBLE_DEVICES=%s, and"
                  + " without -Dtornado.device")
              .formatted(number, number));
    }
  }

  /** Finds everything that is needed before a context is created. */
  private static Callable<Object> making(Object state) throws ReflectiveOperationException {
    Field ofState = open(state.getClass().getDeclaredField("context"));
    Object shared = Objects.requireNonNull(ofState.get(state));
    Object platform = asked(shared, "getPlatform");
    long device = (long) asked(asked(state, "getDevice"), "getDevicePointer");
    long pointer = open(platform.getClass().getDeclaredField("oclPlatformPtr")).getLong(platform);
    Method create =
        open(platform.getClass().getDeclaredMethod("clCreateContext", long.class, long[].class));
    Constructor<?> constructor =
        open(shared.getClass().getConstructor(platform.getClass(), long.class, List.class));
    Object devices = asked(shared, "devices");
    return () -> {
      long made = (long) create.invoke(platform, pointer, new long[] {device});
      ofState.set(state, constructor.newInstance(platform, made, devices));
      return state;
    };
  }

  private static <T extends AccessibleObject> T open(T member) {
    member.setAccessible(true);
    return member;
  }

  private static Object asked(Object object, String method) throws ReflectiveOperationException {
    return Objects.requireNonNull(open(object.getClass().getMethod(method)).invoke(object));
  }
}
