package funnel.engine.tornado;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;

/**
 * Copies by the driver alone, between pinned memory and the default device, to measure the link.
 */
public final class PinnedCopies {

  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG;

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
    long[] memory = new long[2];
    try (CopyStream there = new CopyStream(null, 1);
        CopyStream back = new CopyStream(null, 1);
        Arena arena = Arena.ofConfined()) {
      MemorySegment first = Staging.DEFAULT.first().slot(0, Staging.SLOT);
      MemorySegment second = Staging.DEFAULT.first().slot(1, Staging.SLOT);
      MemorySegment place = arena.allocate(WORD);
      for (int i = 0; i < memory.length; i++) {
        PinnedMemory.call(null, () -> allocate(place));
        memory[i] = place.get(WORD, 0);
      }
      long begin = System.nanoTime();
      for (long at = 0; at < Math.max(in, out); at += Staging.SLOT) {
        if (at < in) {
          there.in(0, first.asSlice(0, Math.min(Staging.SLOT, in - at)), memory[0]);
        }
        if (at < out) {
          back.out(0, memory[1], second.asSlice(0, Math.min(Staging.SLOT, out - at)));
        }
      }
      there.await();
      back.await();
      return System.nanoTime() - begin;
    } finally {
      Arrays.stream(memory).filter(each -> each != 0).forEach(PinnedCopies::free);
      Staging.DEFAULT.link.writeLock().unlock();
    }
  }

  private static void allocate(MemorySegment place) throws Throwable {
    MethodHandle allocate = PinnedMemory.handle("cuMemAlloc_v2", ValueLayout.ADDRESS, WORD);
    PinnedMemory.call("cuMemAlloc", (int) allocate.invokeExact(place, Staging.SLOT));
  }

  private static void free(long memory) {
    MethodHandle free = PinnedMemory.handle("cuMemFree_v2", WORD);
    PinnedMemory.call(null, () -> PinnedMemory.call("cuMemFree", (int) free.invokeExact(memory)));
  }
}
