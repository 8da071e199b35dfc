package uk.ac.manchester.tornado.api;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import uk.ac.manchester.tornado.api.common.TornadoDevice;
import uk.ac.manchester.tornado.api.enums.TornadoDeviceType;

/**
 * All backends and devices. A statement of signatures: the constructor throws {@link SdkMissing}.
 */
public class TornadoDeviceMap {

  /** Asks the runtime. */
  public TornadoDeviceMap() {
    throw new SdkMissing();
  }

  /** Number of backends. */
  public int getNumBackends() {
    throw new SdkMissing();
  }

  /** All backends. */
  public List<TornadoBackend> getAllBackends() {
    throw new SdkMissing();
  }

  /** Some backends. */
  public List<TornadoBackend> getBackendsWithPredicate(
      Predicate<? super TornadoBackend> predicate) {
    throw new SdkMissing();
  }

  /** The backends of some devices. */
  public List<TornadoBackend> getBackendsWithDevicePredicate(
      Predicate<? super TornadoDevice> predicate) {
    throw new SdkMissing();
  }

  /** The devices whose names contain a text, in any case. */
  public Stream<TornadoDevice> getDevicesByName(String deviceName) {
    throw new SdkMissing();
  }

  /** The devices of a type. */
  public Stream<TornadoDevice> getDevicesByType(TornadoDeviceType deviceType) {
    throw new SdkMissing();
  }
}
