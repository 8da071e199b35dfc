package funnel.engine.device;

import funnel.engine.KeptArrays;
import funnel.engine.Program;
import funnel.operation.FunnelMemoryException;
import funnel.operator.ElementType;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** Counts the device memory that programs take. */
public final class DeviceMemory {

  private final long limit;
  private final BiFunction<ElementType, Integer, TornadoNativeArray> allocation;
  private final AtomicLong used = new AtomicLong();
  private volatile BooleanSupplier unused = () -> false;

  /** Memory for programs whose arrays on the host are ordinary ones. */
  DeviceMemory(long limit) {
    this(limit, ProgramArrays::allocate);
  }

  /**
   * A device's memory.
   *
   * @param limit its bytes for programs
   * @param allocation returns a new array on the host, of zeros, of a type and at least a number of
   *     elements
   */
  public DeviceMemory(long limit, BiFunction<ElementType, Integer, TornadoNativeArray> allocation) {
    this.limit = limit;
    this.allocation = allocation;
  }

  /** The bytes for programs. */
  public long limit() {
    return limit;
  }

  /** The bytes that are taken. */
  public long reserved() {
    return used.get();
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

  /** Bytes that a program takes on the device, without those of kept arrays. */
  public long bytes(Program program, KeptArrays kept) {
    return ProgramArrays.bytes(program) - kept.bytesOf(program);
  }

  /** Allocates arrays on the host, as those of programs must be. */
  BiFunction<ElementType, Integer, TornadoNativeArray> allocation() {
    return allocation;
  }

  /**
   * Allocates a program's arrays on the host; if that fails, frees what no program uses and tries
   * again.
   */
  ProgramArrays arrays(
      Program program,
      Map<String, TornadoNativeArray> bound,
      Map<TornadoNativeArray, @Nullable Object> buffers) {
    return allocated(() -> new ProgramArrays(program, bound, allocation, buffers));
  }

  /** Allocates an array on the host as {@link #arrays} does. */
  TornadoNativeArray array(ElementType type, int length) {
    return allocated(() -> allocation.apply(type, length));
  }

  private <T> T allocated(Supplier<T> make) {
    try {
      return make.get();
    } catch (OutOfMemoryError e) {
      if (!freeUnused()) {
        throw e;
      }
      return make.get();
    }
  }

  /**
   * Reserves bytes for a program, and frees what no program uses as far as needed.
   *
   * @throws FunnelMemoryException if not enough are left
   */
  void reserve(Program program, long bytes) {
    reserve("a plan of " + program.steps().size() + " primitives", bytes);
  }

  /** Reserves bytes, as for a program, for something with this description. */
  void reserve(String what, long bytes) {
    long now = used.addAndGet(bytes);
    while (now > limit) {
      used.addAndGet(-bytes);
      if (bytes > limit || !unused.getAsBoolean()) {
        throw new FunnelMemoryException(what, bytes, Math.max(0, limit - (now - bytes)));
      }
      now = used.addAndGet(bytes);
    }
  }

  void free(long bytes) {
    used.addAndGet(-bytes);
  }
}
