package funnel.engine.tornado;

import funnel.engine.device.DeviceContext;
import funnel.operator.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** Host memory that stays pinned for the device until the process ends. */
@SuppressWarnings("restricted") // what the driver is called with is stated here alone
final class PinnedMemory {

  /* TornadoVM pins the memory of every array of a task graph, and unpins it when a plan is closed:
   * on the cuda backend that of all plans. A copy that was recorded in a CUDA graph then reads
   * unpinned memory, which is a device fault. TornadoVM does not unpin memory that the driver
   * reports as pinned already. So memory for recorded copies is pinned here, before TornadoVM sees
   * it.
   *
   * Addresses that were freed while TornadoVM had them pinned are still pinned, but their old
   * pages, not the new ones. The driver does not pin them again: then other memory is allocated,
   * and that memory is not used.
   *
   * Small arrays are allocated from slabs, one slab per size, and are reused once the garbage
   * collector has found their memory unreachable: TornadoVM may hold arrays longer than their plan
   * lives.
   */

  private static final Logger LOG = LoggerFactory.getLogger(PinnedMemory.class);
  private static final int PORTABLE = 1;
  private static final int PAGE = 4096;
  private static final int SLAB_BYTES = 1 << 18;

  /** The minimum distance of blocks, so that no two arrays share a cache line. */
  private static final int LEAST_BLOCK = 128;

  private static final int LARGEST_BLOCK = 1 << 16;
  private static final int IS_PINNED = 712;

  /** The driver's attributes of a device that are its compute capability. */
  private static final int MAJOR = 75;

  private static final int MINOR = 76;
  private static final int TRIES = 32;

  private static volatile @Nullable PinnedMemory instance;

  private final SymbolLookup driver;
  private final MethodHandle register;
  private final MethodHandle currentContext;
  private final MethodHandle setContext;
  private final MemorySegment context;
  private final Map<Integer, Deque<MemorySegment>> free = new HashMap<>();
  private final List<MemorySegment> slabs = new ArrayList<>();

  private PinnedMemory(SymbolLookup driver) throws Throwable {
    this.driver = driver;
    register =
        handle(
            driver,
            "cuMemHostRegister_v2",
            ValueLayout.ADDRESS,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_INT);
    currentContext = handle(driver, "cuCtxGetCurrent", ValueLayout.ADDRESS);
    setContext = handle(driver, "cuCtxSetCurrent", ValueLayout.ADDRESS);
    context = current();
    if (context.address() == 0) {
      throw new IllegalStateException("no context of the driver's is current");
    }
  }

  /** A call of the driver's, which returns a status; only if {@link #isThere}. */
  static MethodHandle handle(String name, MemoryLayout... parameters) {
    return handle(Objects.requireNonNull(instance).driver, name, parameters);
  }

  private static MethodHandle handle(SymbolLookup driver, String name, MemoryLayout... parameters) {
    return Linker.nativeLinker()
        .downcallHandle(
            driver
                .find(name)
                .orElseThrow(() -> new IllegalStateException("the driver has no " + name)),
            FunctionDescriptor.of(ValueLayout.JAVA_INT, parameters));
  }

  /** Makes the driver look for devices: this takes long, and TornadoVM does it late. */
  static void startDriver(String library) {
    try {
      SymbolLookup driver = SymbolLookup.libraryLookup(library, Arena.global());
      int status = (int) handle(driver, "cuInit", ValueLayout.JAVA_INT).invokeExact(0);
      LOG.debug("cuInit: {}", status);
    } catch (Throwable e) {
      LOG.debug(
          "the driver cannot be found: {}",
          DeviceContext.reason(e)); // TornadoVM reports the consequences
    }
  }

  /**
   * Starts pinning memory, in a thread in which TornadoVM has just used the device. If that is not
   * possible, nothing is pinned here, and {@link Internals} says so.
   *
   * @param library the driver's library
   */
  static synchronized void begin(String library) {
    if (instance != null) {
      return;
    }
    try {
      PinnedMemory begun = new PinnedMemory(SymbolLookup.libraryLookup(library, Arena.global()));
      MemorySegment slab = begun.pinned(SLAB_BYTES);
      if (slab == null) {
        throw new IllegalStateException("all memory is pinned already");
      }
      for (ElementType type : ElementType.values()) {
        var _ = array(type, slab);
      }
      instance = begun;
    } catch (Throwable e) {
      Internals.lack(
          "large arrays go to the device as a whole, and runs are not recorded as CUDA graphs",
          "host memory cannot be pinned (%s)".formatted(DeviceContext.reason(e)));
    }
  }

  /** Whether memory can be pinned. */
  static boolean isThere() {
    return instance != null;
  }

  /** New memory at the beginning of a page, or null; only if {@link #isThere}. */
  static @Nullable MemorySegment allocate(long bytes) {
    return Objects.requireNonNull(instance).pinned(bytes);
  }

  /** A new array of zeros in pinned memory; null if there is none, or the array is too large. */
  static @Nullable TornadoNativeArray array(ElementType type, int length) {
    PinnedMemory there = instance;
    long bytes = bytes(type, length);
    if (there == null || bytes > LARGEST_BLOCK) {
      return null;
    }
    int size = Math.max(LEAST_BLOCK, Integer.highestOneBit((int) bytes - 1) << 1);
    MemorySegment block = there.take(size);
    if (block == null) {
      return null;
    }
    MemorySegment lent = block.reinterpret(bytes, Arena.ofAuto(), _ -> there.give(block));
    return array(type, lent);
  }

  /** The bytes of an array with its header. */
  static long bytes(ElementType type, int length) {
    return TornadoNativeArray.ARRAY_HEADER + (long) length * type.bytes();
  }

  /** An array over memory, its header first. */
  static TornadoNativeArray array(ElementType type, MemorySegment memory) {
    return switch (type) {
      case BYTE -> ByteArray.fromSegmentShallow(memory);
      case INT -> IntArray.fromSegmentShallow(memory);
      case LONG -> LongArray.fromSegmentShallow(memory);
      case FLOAT -> FloatArray.fromSegmentShallow(memory);
      case DOUBLE -> DoubleArray.fromSegmentShallow(memory);
    };
  }

  /** Whether an array is in pinned memory of this class. */
  static boolean has(TornadoNativeArray array) {
    PinnedMemory there = instance;
    return there != null && there.contains(array.getSegment().address());
  }

  private synchronized boolean contains(long address) {
    return slabs.stream()
        .anyMatch(s -> s.address() <= address && address < s.address() + s.byteSize());
  }

  private synchronized @Nullable MemorySegment take(int size) {
    Deque<MemorySegment> blocks = free.computeIfAbsent(size, _ -> new ArrayDeque<>());
    if (blocks.isEmpty()) {
      MemorySegment slab = pinned(SLAB_BYTES);
      if (slab == null) {
        return null;
      }
      for (long at = 0; at < SLAB_BYTES; at += size) {
        blocks.add(slab.asSlice(at, size));
      }
    }
    return blocks.remove().fill((byte) 0);
  }

  private synchronized void give(MemorySegment block) {
    free.computeIfAbsent((int) block.byteSize(), _ -> new ArrayDeque<>()).add(block);
  }

  private synchronized @Nullable MemorySegment pinned(long bytes) {
    long pages = Math.ceilDiv(bytes, PAGE) * PAGE;
    for (int i = 0; i < TRIES; i++) {
      MemorySegment memory = Arena.global().allocate(pages, PAGE);
      int[] status = new int[1];
      inContext(null, () -> status[0] = (int) register.invokeExact(memory, pages, PORTABLE));
      if (status[0] != IS_PINNED) {
        call("cuMemHostRegister", status[0]);
        slabs.add(memory);
        return memory;
      }
    }
    return null;
  }

  /** Calls of the driver. */
  interface Calls {
    /** Makes them. */
    void make() throws Throwable;
  }

  /**
   * Makes calls for a device, not during a recording; only if {@link #isThere}.
   *
   * @param context the device's context; null for that of the default device
   */
  static void call(@Nullable MemorySegment context, Calls calls) {
    Objects.requireNonNull(instance).inContext(context, calls);
  }

  private void inContext(@Nullable MemorySegment wanted, Calls calls) {
    MemorySegment of = Objects.requireNonNullElse(wanted, context);
    TornadoLauncher.IN_USE.readLock().lock(); // not during a recording
    try {
      MemorySegment before = current();
      call("cuCtxSetCurrent", (int) setContext.invokeExact(of));
      try {
        calls.make();
      } finally {
        call("cuCtxSetCurrent", (int) setContext.invokeExact(before));
      }
    } catch (RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    } finally {
      TornadoLauncher.IN_USE.readLock().unlock();
    }
  }

  /** The context that this thread has used last; only if {@link #isThere}. */
  static MemorySegment currentContext() {
    try {
      return Objects.requireNonNull(instance).current();
    } catch (RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** The driver's number of the device of that context; -1 if unknown. */
  static int currentDevice() {
    PinnedMemory there = instance;
    if (there == null) {
      return -1;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment place = arena.allocate(ValueLayout.JAVA_INT);
      MethodHandle device = handle("cuCtxGetDevice", ValueLayout.ADDRESS);
      call("cuCtxGetDevice", (int) device.invokeExact(place));
      return place.get(ValueLayout.JAVA_INT, 0);
    } catch (Throwable e) {
      LOG.info("the driver does not report which device it uses: {}", DeviceContext.reason(e));
      return -1;
    }
  }

  /**
   * Ten times the compute capability of a device.
   *
   * @param device its number for the driver
   * @throws IllegalStateException if it cannot be had
   */
  static int computeCapability(int device) {
    if (!isThere()) {
      throw new IllegalStateException("the driver cannot be asked");
    }
    int[] capability = new int[1];
    call(
        null,
        () -> {
          try (Arena arena = Arena.ofConfined()) {
            MemorySegment place = arena.allocate(ValueLayout.JAVA_INT);
            MethodHandle attribute =
                handle(
                    "cuDeviceGetAttribute",
                    ValueLayout.ADDRESS,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT);
            call("cuDeviceGetAttribute", (int) attribute.invokeExact(place, MAJOR, device));
            capability[0] = 10 * place.get(ValueLayout.JAVA_INT, 0);
            call("cuDeviceGetAttribute", (int) attribute.invokeExact(place, MINOR, device));
            capability[0] += place.get(ValueLayout.JAVA_INT, 0);
          }
        });
    return capability[0];
  }

  /**
   * Runs an action in this thread with a given context, if the driver can set it.
   *
   * @param wanted the context; null for that of the thread that has called {@link #begin}
   */
  static void within(@Nullable MemorySegment wanted, Runnable action) {
    PinnedMemory there = instance;
    if (there == null) {
      action.run();
      return;
    }
    try {
      MemorySegment before = there.current();
      MemorySegment context = Objects.requireNonNullElse(wanted, there.context);
      // a lost context may fail: then TornadoVM gets the same error
      int _ = (int) there.setContext.invokeExact(context);
      try {
        action.run();
      } finally {
        int _ = (int) there.setContext.invokeExact(before);
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private MemorySegment current() throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment place = arena.allocate(ValueLayout.ADDRESS);
      call("cuCtxGetCurrent", (int) currentContext.invokeExact(place));
      return place.get(ValueLayout.ADDRESS, 0);
    }
  }

  /** A call of the driver failed. */
  static final class Failure extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private Failure(String call, int status) {
      super("%s: CUDA error %s".formatted(call, status));
    }
  }

  /**
   * Throws if the status is that of a call that failed.
   *
   * @throws Failure if it is
   */
  static void call(String call, int status) {
    if (status != 0) {
      throw new Failure(call, status);
    }
  }
}
