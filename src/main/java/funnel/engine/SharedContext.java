package funnel.engine;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import uk.ac.manchester.tornado.api.TornadoBackend;
import uk.ac.manchester.tornado.api.common.TornadoDevice;
import uk.ac.manchester.tornado.api.runtime.TornadoRuntimeProvider;

/** Whether TornadoVM's devices are devices: on some backends all of them compute on the first. */
final class SharedContext {

  /* TornadoVM 5.2.0's cuda backend makes one context for all devices, which the driver makes on the
   * first of them: memory, modules and launches of all are there. Nothing in TornadoVM's API says so,
   * but the state of such a device names the context of its platform, for which cuda.argfile exports
   * a package. Backends with a context for each device have no such method.
   */

  private static final String METHOD = "getPlatformContext";

  private SharedContext() {}

  /** What is wrong with the devices beside this one; empty if nothing is. */
  static String finding(TornadoDevice device) {
    TornadoBackend backend =
        TornadoRuntimeProvider.getTornadoRuntime().getBackend(device.getBackendIndex());
    int devices = backend.getNumDevices();
    boolean shared =
        devices > 1
            && isShared(
                backend.getDevice(0).getDeviceContext(), backend.getDevice(1).getDeviceContext());
    return shared
        ? "%d devices with one context: TornadoVM's backend %s computes on the first for all of them"
            .formatted(devices, device.getTornadoVMBackend())
        : "";
  }

  /** Refuses a device other than the first whose work the first one would do. */
  static void requireOwn(TornadoDevice device, int number) {
    String finding = number == 0 ? "" : finding(device);
    if (!finding.isEmpty()) {
      throw new IllegalStateException(
          ("device %d is no other than device 0 (%s); start the process with"
                  + " CUDA_VISIBLE_DEVICES=%d and without -Dtornado.device")
              .formatted(number, finding, number));
    }
  }

  /** For the state of two devices. */
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
}
