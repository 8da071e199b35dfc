package funnel.engine.device;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** Copies an array to the host and checks that it arrives. */
final class Download {

  private Download() {}

  /**
   * Copies an array that the last launch left on the device to the host's array; returns whether it
   * arrived. TornadoVM prints that a copy failed instead of throwing an exception: the host's array
   * is then unchanged.
   */
  static boolean hasCome(Launcher from, ProgramArrays arrays, String array) {
    return !stillHolds(from, arrays, array, (byte) 0x5a)
        || !stillHolds(from, arrays, array, (byte) 0x33);
  }

  /** Fills the array's ends, copies it, and checks whether they still have the fill values. */
  private static boolean stillHolds(
      Launcher from, ProgramArrays arrays, String array, byte filling) {
    MemorySegment elements = arrays.elements(array);
    long ends = Math.min(elements.byteSize(), Long.BYTES);
    MemorySegment first = elements.asSlice(0, ends);
    MemorySegment end = elements.asSlice(elements.byteSize() - ends, ends);
    first.fill(filling);
    end.fill(filling);
    TornadoNativeArray whole = (TornadoNativeArray) arrays.array(array);
    from.download(whole, arrays.offset(array), arrays.length(array));
    return holdsOnly(first, filling) || holdsOnly(end, filling);
  }

  private static boolean holdsOnly(MemorySegment segment, byte filling) {
    for (long i = 0; i < segment.byteSize(); i++) {
      if (segment.get(ValueLayout.JAVA_BYTE, i) != filling) {
        return false;
      }
    }
    return true;
  }
}
