package funnel.engine.tornado;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Copies by the driver alone, between pinned memory and the default device, to measure the link.
 */
public final class PinnedCopies {

  private static final int NON_BLOCKING = 1;

  private PinnedCopies() {}

  /** Whether they are possible: a device is open, and memory can be pinned. */
  public static boolean areThere() {
    return Staging.isThere();
  }

  /**
   * Copies {@code in} bytes to the device and {@code out} bytes back, simultaneously, while Funnel
   * transfers nothing. They come from and go to the same few MiB.
   *
   * @return the nanoseconds from the first copy's beginning to the last one's end
   * @throws IllegalStateException if copies are {@linkplain #areThere impossible}, or the driver
   *     fails
   */
  public static long nanos(long in, long out) {
    if (!areThere()) {
      throw new IllegalStateException("no device is open, or no memory can be pinned for it");
    }
    Staging.DEFAULT.link.writeLock().lock();
    try {
      long[] nanos = new long[1];
      PinnedMemory.call(driver -> nanos[0] = nanos(driver, in, out));
      return nanos[0];
    } finally {
      Staging.DEFAULT.link.writeLock().unlock();
    }
  }

  private static long nanos(PinnedMemory driver, long in, long out) throws Throwable {
    ValueLayout.OfLong word = ValueLayout.JAVA_LONG;
    MethodHandle allocate = driver.handle("cuMemAlloc_v2", ValueLayout.ADDRESS, word);
    MethodHandle free = driver.handle("cuMemFree_v2", word);
    MethodHandle create =
        driver.handle("cuStreamCreate", ValueLayout.ADDRESS, ValueLayout.JAVA_INT);
    MethodHandle destroy = driver.handle("cuStreamDestroy_v2", word);
    MethodHandle await = driver.handle("cuStreamSynchronize", word);
    MethodHandle copyIn =
        driver.handle("cuMemcpyHtoDAsync_v2", word, ValueLayout.ADDRESS, word, word);
    MethodHandle copyOut =
        driver.handle("cuMemcpyDtoHAsync_v2", ValueLayout.ADDRESS, word, word, word);
    Staging.Lane lane = Staging.DEFAULT.first();
    long[] memory = new long[Staging.SLOTS];
    long[] streams = new long[Staging.SLOTS];
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment place = arena.allocate(word);
      for (int slot = 0; slot < Staging.SLOTS; slot++) {
        PinnedMemory.call(
            "cuMemAlloc", (int) allocate.invokeExact(place, lane.slot(slot).byteSize()));
        memory[slot] = place.get(word, 0);
        PinnedMemory.call("cuStreamCreate", (int) create.invokeExact(place, NON_BLOCKING));
        streams[slot] = place.get(word, 0);
      }
      long step = lane.slot(0).byteSize();
      long begin = System.nanoTime();
      for (long at = 0; at < Math.max(in, out); at += step) {
        if (at < in) {
          long bytes = Math.min(step, in - at);
          PinnedMemory.call(
              "cuMemcpyHtoDAsync",
              (int) copyIn.invokeExact(memory[0], lane.slot(0), bytes, streams[0]));
        }
        if (at < out) {
          long bytes = Math.min(step, out - at);
          PinnedMemory.call(
              "cuMemcpyDtoHAsync",
              (int) copyOut.invokeExact(lane.slot(1), memory[1], bytes, streams[1]));
        }
      }
      for (long stream : streams) {
        PinnedMemory.call("cuStreamSynchronize", (int) await.invokeExact(stream));
      }
      return System.nanoTime() - begin;
    } finally {
      for (int slot = 0; slot < Staging.SLOTS; slot++) {
        int ignored = streams[slot] == 0 ? 0 : (int) destroy.invokeExact(streams[slot]);
        ignored |= memory[slot] == 0 ? 0 : (int) free.invokeExact(memory[slot]);
      }
    }
  }
}
