package funnel;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Bytes of 0 that take memory only where something is written: an arena would write all. */
@SuppressWarnings("restricted")
public final class LargeZeros {

  private LargeZeros() {}

  private static MethodHandle function(String name, FunctionDescriptor descriptor) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor);
  }

  /** Allocates them until the arena is closed. */
  public static MemorySegment allocate(Arena arena, long bytes) {
    MethodHandle calloc =
        function(
            "calloc",
            FunctionDescriptor.of(
                ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
    MethodHandle free = function("free", FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));
    try {
      MemorySegment zeros = (MemorySegment) calloc.invokeExact(bytes, 1L);
      if (zeros.address() == 0) {
        throw new OutOfMemoryError(bytes + " bytes of zeros");
      }
      return zeros.reinterpret(
          bytes,
          arena,
          all -> {
            try {
              free.invokeExact(all);
            } catch (Throwable e) {
              throw new AssertionError(e);
            }
          });
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
