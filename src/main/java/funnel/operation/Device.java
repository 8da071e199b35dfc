package funnel.operation;

import java.io.Serializable;
import java.util.Objects;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * A device that a Funnel is opened on and that runs a program's kernels.
 *
 * {@snippet class="funnel.docs.StreamSnippets" region="devices"}
 *
 * @param name of the device, such as {@code NVIDIA H200}; several may have the same
 * @param backend TornadoVM's backend in lower case, such as {@code ptx}, or {@code emulator}
 * @param index its number in this process, from 0 on
 * @param memory its total memory in bytes; 0 if unknown
 * @param refusal why the device cannot be used, and what to do about that; empty if it can
 */
public record Device(String name, String backend, int index, long memory, String refusal)
    implements Serializable {

  /** The emulator's device. */
  public static final Device EMULATOR = new Device("emulator", "emulator");

  /** A device of which only the name and the backend are known. */
  public Device(String name, String backend) {
    this(name, backend, 0, 0, "");
  }

  /** A device of this machine. */
  public Device {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(backend, "backend");
    Objects.requireNonNull(refusal, "refusal");
  }

  /** Whether this is the emulator. */
  public boolean isEmulator() {
    return equals(EMULATOR);
  }

  /** Whether a Funnel can be opened on it. */
  public boolean isUsable() {
    return refusal.isEmpty();
  }

  /**
   * Requires an array that kernels can reach. TornadoVM's {@code ptx} backend adds the size of an
   * array's header to the index in 32 bits. In the longest byte arrays this sum overflows for the
   * last elements, which would be accessed before the array: so the maximum is 2^31 - 16 bytes, or
   * 2^31 - 24 if the JVM runs without compressed pointers.
   *
   * @param input what the array is for, in the message
   * @param array the array
   * @param length the number of elements to be read or written
   * @throws IllegalArgumentException if there are too many, with the length and the maximum
   */
  public void requireReach(String input, TornadoNativeArray array, long length) {
    long largest = (1L << 31) - TornadoNativeArray.ARRAY_HEADER;
    if (backend.equals("ptx") && array instanceof ByteArray && length > largest) {
      throw new IllegalArgumentException(
          "input %s has more bytes than kernels reach on TornadoVM's ptx backend: length=%s, largest=%s; use fewer, the cuda backend, or -Dfunnel.engine=jvm"
              .formatted(input, length, largest));
    }
  }

  /** The number and the name, such as {@code 0: NVIDIA H200, ptx}. */
  @Override
  public String toString() {
    return "%s: %s, %s".formatted(index, name, backend);
  }
}
