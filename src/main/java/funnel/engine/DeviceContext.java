package funnel.engine;

import funnel.operation.Device;
import funnel.operation.FunnelDeviceException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What all programs of a device share: whether it can still be used in this process, and what
 * messages say of it.
 */
final class DeviceContext {

  private final Supplier<Device> device;
  private final Supplier<String> description;
  private final BooleanSupplier probe;
  private volatile @Nullable String lost;

  /**
   * A device that works.
   *
   * @param device which device
   * @param description what messages say of it
   * @param probe has it do something small, and says whether that was done
   */
  DeviceContext(Supplier<Device> device, Supplier<String> description, BooleanSupplier probe) {
    this.device = device;
    this.description = description;
    this.probe = probe;
  }

  Device device() {
    return device.get();
  }

  FunnelDeviceException failure(String what, @Nullable Throwable cause) {
    return new FunnelDeviceException("%s [%s]".formatted(what, description.get()), cause);
  }

  boolean isUsable() {
    return lost == null;
  }

  /** Refuses everything once the context is lost. */
  void requireUsable() {
    String first = lost;
    if (first != null) {
      throw failure(
          "the device's context was lost earlier in this process and only a new process gets"
              + " another; first failure: "
              + first,
          null);
    }
  }

  /**
   * To be called after a failure: finds out whether the context was lost by it, or has been before.
   */
  boolean isLostBy(String failure) {
    if (lost == null && !probe.getAsBoolean()) {
      lost = failure;
    }
    return lost != null;
  }
}
