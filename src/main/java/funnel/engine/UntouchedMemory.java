package funnel.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Zero-filled memory that is not backed by pages until it is written. */
@SuppressWarnings("restricted") // what the C library is called with is stated here alone
public final class UntouchedMemory {

  /* A large array of a program has host memory because all TornadoVM arrays have, but its elements
   * are copied directly from the caller's memory to the device. The JDK writes zeros to all memory
   * that it allocates, which takes half a second per gigabyte; the C library maps pages of zeros,
   * which the system allocates when they are written.
   */

  private static final MethodHandle CALLOC =
      handle(
          "calloc",
          FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
  private static final MethodHandle FREE =
      handle("free", FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));

  private UntouchedMemory() {}

  private static MethodHandle handle(String name, FunctionDescriptor descriptor) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().find(name).orElseThrow(), descriptor);
  }

  /** Allocates memory that is freed when it is unreachable. */
  public static MemorySegment allocate(long bytes) {
    return allocate(bytes, Arena.ofAuto());
  }

  /** Allocates memory, aligned for all element types, that is freed with the arena. */
  public static MemorySegment allocate(long bytes, Arena arena) {
    try {
      MemorySegment memory = (MemorySegment) CALLOC.invokeExact(1L, bytes);
      if (memory.address() == 0) {
        throw new OutOfMemoryError("%s bytes outside the heap are not available".formatted(bytes));
      }
      return memory.reinterpret(bytes, arena, UntouchedMemory::free);
    } catch (Error | RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static void free(MemorySegment memory) {
    try {
      FREE.invokeExact(memory);
    } catch (Error | RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
