package funnel.engine;

import funnel.operation.FunnelMemoryException;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the bytes that programs take on a device. */
final class DeviceMemory {

  private final long limit;
  private final AtomicLong used = new AtomicLong();

  DeviceMemory(long limit) {
    this.limit = limit;
  }

  long limit() {
    return limit;
  }

  long left() {
    return Math.max(0, limit - used.get());
  }

  /**
   * Takes bytes for a program.
   *
   * @throws FunnelMemoryException if there are not so many left
   */
  void reserve(Program program, long bytes) {
    long now = used.addAndGet(bytes);
    if (now > limit) {
      used.addAndGet(-bytes);
      throw new FunnelMemoryException(
          "a plan of " + program.primitives().size() + " primitives",
          bytes,
          Math.max(0, limit - (now - bytes)));
    }
  }

  void free(long bytes) {
    used.addAndGet(-bytes);
  }
}
