package funnel.engine;

import funnel.operation.FunnelMemoryException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Counts the device memory that programs take. */
final class DeviceMemory {

  private final long limit;
  private final AtomicLong used = new AtomicLong();
  private volatile BooleanSupplier unused = () -> false;

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
   * Sets what frees memory when there is too little.
   *
   * @param gives frees something that no program uses, and returns whether there was anything
   */
  void whenShort(BooleanSupplier gives) {
    unused = gives;
  }

  /** Frees everything that no program uses, and returns whether there was anything. */
  boolean freeUnused() {
    boolean any = false;
    while (unused.getAsBoolean()) {
      any = true;
    }
    return any;
  }

  /** Allocates arrays on the host; if that fails, frees what no program uses and tries again. */
  <T> T allocated(Supplier<T> allocate) {
    try {
      return allocate.get();
    } catch (OutOfMemoryError e) {
      if (!freeUnused()) {
        throw e;
      }
      return allocate.get();
    }
  }

  /**
   * Reserves bytes for a program, and frees what no program uses as far as needed.
   *
   * @throws FunnelMemoryException if not enough are left
   */
  void reserve(Program program, long bytes) {
    long now = used.addAndGet(bytes);
    while (now > limit) {
      used.addAndGet(-bytes);
      if (bytes > limit || !unused.getAsBoolean()) {
        throw new FunnelMemoryException(
            "a plan of " + program.steps().size() + " primitives",
            bytes,
            Math.max(0, limit - (now - bytes)));
      }
      now = used.addAndGet(bytes);
    }
  }

  void free(long bytes) {
    used.addAndGet(-bytes);
  }
}
