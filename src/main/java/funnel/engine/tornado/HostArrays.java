package funnel.engine.tornado;

import funnel.engine.UntouchedMemory;
import funnel.engine.device.ProgramArrays;
import funnel.operator.ElementType;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** TornadoVM arrays in host memory that suits copies to the device and back. */
public final class HostArrays {

  private HostArrays() {}

  /**
   * A new array of zeros of at least one element. As long as no device is open, it is in ordinary
   * memory.
   */
  public static TornadoNativeArray allocate(ElementType type, int length) {
    int size = Math.max(1, length);
    TornadoNativeArray pinned = PinnedMemory.array(type, size);
    if (pinned != null) {
      return pinned;
    }
    if ((long) size * type.bytes() >= Staging.LEAST_ARRAY && Staging.isThere()) {
      return PinnedMemory.array(type, UntouchedMemory.allocate(PinnedMemory.bytes(type, size)));
    }
    return ProgramArrays.allocate(type, size);
  }
}
