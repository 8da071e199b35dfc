package funnel.engine.tornado;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * Copies between pinned memory and a device that the driver makes one after the other, while the
 * host does something else. The memory is that of slots, which have numbers.
 */
final class CopyStream implements AutoCloseable {

  /* TornadoVM waits for each of its copies, and copies whole arrays. The driver itself takes any
   * part of an array, and the next copy while one is under way; and it returns a status, where
   * TornadoVM prints it.
   */

  private static final int NON_BLOCKING = 1; // does not wait for the stream that all threads share
  private static final int WITHOUT_TIME = 2;
  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG;

  private final @Nullable MemorySegment context;
  private final long stream;

  /** For each slot the end of its last copy. */
  private final long[] ends;

  private final MethodHandle copyIn =
      PinnedMemory.handle("cuMemcpyHtoDAsync_v2", WORD, ValueLayout.ADDRESS, WORD, WORD);
  private final MethodHandle copyOut =
      PinnedMemory.handle("cuMemcpyDtoHAsync_v2", ValueLayout.ADDRESS, WORD, WORD, WORD);
  private final MethodHandle record = PinnedMemory.handle("cuEventRecord", WORD, WORD);
  private final MethodHandle awaitEvent = PinnedMemory.handle("cuEventSynchronize", WORD);
  private final MethodHandle awaitAll = PinnedMemory.handle("cuStreamSynchronize", WORD);

  /**
   * A stream of a device; only if {@link PinnedMemory#isThere}.
   *
   * @param context the device's context; null for that of the default device
   * @param slots their number
   */
  CopyStream(@Nullable MemorySegment context, int slots) {
    this.context = context;
    stream = created("cuStreamCreate", NON_BLOCKING);
    ends = new long[slots];
    for (int slot = 0; slot < slots; slot++) {
      ends[slot] = created("cuEventCreate", WITHOUT_TIME);
    }
  }

  private long created(String call, int flags) {
    MethodHandle create = PinnedMemory.handle(call, ValueLayout.ADDRESS, ValueLayout.JAVA_INT);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment place = arena.allocate(WORD);
      call(call, () -> (int) create.invokeExact(place, flags));
      return place.get(WORD, 0);
    }
  }

  /** A call that returns a status. */
  private interface Call {
    int make() throws Throwable;
  }

  private void call(String name, Call call) {
    PinnedMemory.call(context, () -> PinnedMemory.call(name, call.make()));
  }

  /** Queues a copy from a slot to an address on the device. */
  void in(int slot, MemorySegment from, long to) {
    long bytes = from.byteSize();
    queue(slot, bytes, "cuMemcpyHtoD", () -> (int) copyIn.invokeExact(to, from, bytes, stream));
  }

  /** Queues a copy from an address on the device to a slot. */
  void out(int slot, long from, MemorySegment to) {
    long bytes = to.byteSize();
    queue(slot, bytes, "cuMemcpyDtoH", () -> (int) copyOut.invokeExact(to, from, bytes, stream));
  }

  private void queue(int slot, long bytes, String name, Call copy) {
    if (bytes > 0) {
      PinnedMemory.call(
          context,
          () -> {
            PinnedMemory.call(name, copy.make());
            PinnedMemory.call("cuEventRecord", (int) record.invokeExact(ends[slot], stream));
          });
    }
  }

  /** Waits until the last copy of a slot has been made. */
  void await(int slot) {
    call("cuEventSynchronize", () -> (int) awaitEvent.invokeExact(ends[slot]));
  }

  /** Waits until all copies have been made. */
  void await() {
    call("cuStreamSynchronize", () -> (int) awaitAll.invokeExact(stream));
  }

  @Override
  public void close() {
    MethodHandle destroy = PinnedMemory.handle("cuStreamDestroy_v2", WORD);
    MethodHandle destroyEvent = PinnedMemory.handle("cuEventDestroy_v2", WORD);
    call("cuStreamDestroy", () -> (int) destroy.invokeExact(stream));
    for (long end : ends) {
      call("cuEventDestroy", () -> (int) destroyEvent.invokeExact(end));
    }
  }
}
