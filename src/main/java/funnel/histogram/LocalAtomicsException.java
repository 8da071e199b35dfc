package funnel.histogram;

import funnel.operation.Device;

/**
 * The method of a histogram uses atomic additions in local memory, on a device where a test did not
 * find these correct: the message has the device and its backend.
 *
 * {@snippet class="funnel.docs.HistogramSnippets" region="local-atomics"}
 */
public final class LocalAtomicsException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  private final Device device;
  private final String finding;

  LocalAtomicsException(String histogram, Device device, String finding) {
    super(
        "histogram %s by method %s: atomic additions in local memory are not correct on device %s with backend %s: %s (see funnel doctor); name another method, or none"
            .formatted(
                histogram,
                HistogramMethod.PRIVATISED.label(),
                device.name(),
                device.backend(),
                finding));
    this.device = device;
    this.finding = finding;
  }

  /** The device and its backend. */
  public Device device() {
    return device;
  }

  /** What a test found about {@code atomicAdd} on a local array there. */
  public String finding() {
    return finding;
  }
}
