package funnel.engine.tornado;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.stream.IntStream;

/** Makes a device's code, a cubin, of the text that TornadoVM's compiler emits. */
@SuppressWarnings("restricted") // calls NVIDIA's compilers
sealed interface Assembler {

  /** What the code depends on besides the text: the compiler, its version and its options. */
  String version();

  /**
   * The cubin of a text. Several threads may make some at a time.
   *
   * @throws IllegalStateException with the compiler's messages if it fails
   */
  byte[] assemble(String text);

  /**
   * The one for a backend.
   *
   * @param emitsC whether the backend emits CUDA C, not PTX
   * @param architecture ten times the device's compute capability
   * @throws IllegalStateException if the compiler cannot be had
   */
  static Assembler of(boolean emitsC, int architecture) {
    return emitsC ? new OfC(architecture) : new OfPtx(architecture);
  }

  private static int called(MethodHandle handle, Object... arguments) {
    try {
      return (int) handle.invokeWithArguments(arguments);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * NVIDIA's run-time compiler of CUDA C.
   *
   * <p>TornadoVM gives it the architecture and no other option. It would then make one operation,
   * rounded once, of a product and a sum, so that results had other bits than on the JVM.
   */
  final class OfC implements Assembler {
    private static final List<String> LIBRARIES =
        List.of("libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so");
    private static final String EXACT = "--fmad=false";

    private final SymbolLookup library;
    private final String architecture;
    private final String version;
    private final MethodHandle create;
    private final MethodHandle compile;
    private final MethodHandle destroy;

    OfC(int number) {
      library = library();
      architecture = "--gpu-architecture=sm_" + number;
      create =
          handle(
              "nvrtcCreateProgram",
              ValueLayout.ADDRESS,
              ValueLayout.ADDRESS,
              ValueLayout.ADDRESS,
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS,
              ValueLayout.ADDRESS);
      compile =
          handle(
              "nvrtcCompileProgram",
              ValueLayout.ADDRESS,
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS);
      destroy = handle("nvrtcDestroyProgram", ValueLayout.ADDRESS);
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment numbers = arena.allocate(ValueLayout.JAVA_INT, 2);
        MethodHandle asked = handle("nvrtcVersion", ValueLayout.ADDRESS, ValueLayout.ADDRESS);
        require("nvrtcVersion", called(asked, numbers, numbers.asSlice(Integer.BYTES)));
        version =
            "nvrtc %s.%s %s %s"
                .formatted(
                    numbers.getAtIndex(ValueLayout.JAVA_INT, 0),
                    numbers.getAtIndex(ValueLayout.JAVA_INT, 1),
                    architecture,
                    EXACT);
        requireKnown(arena, number);
      }
    }

    private void requireKnown(Arena arena, int number) {
      MemorySegment count = arena.allocate(ValueLayout.JAVA_INT);
      require(
          "nvrtcGetNumSupportedArchs",
          called(handle("nvrtcGetNumSupportedArchs", ValueLayout.ADDRESS), count));
      int all = count.get(ValueLayout.JAVA_INT, 0);
      MemorySegment known = arena.allocate(ValueLayout.JAVA_INT, all);
      require(
          "nvrtcGetSupportedArchs",
          called(handle("nvrtcGetSupportedArchs", ValueLayout.ADDRESS), known));
      if (IntStream.range(0, all)
          .noneMatch(i -> known.getAtIndex(ValueLayout.JAVA_INT, i) == number)) {
        throw new IllegalStateException(
            "%s does not know the device's architecture sm_%s".formatted(version, number));
      }
    }

    private static SymbolLookup library() {
      for (String name : LIBRARIES) {
        try {
          return SymbolLookup.libraryLookup(name, Arena.global());
        } catch (IllegalArgumentException e) {
          // the next one
        }
      }
      throw new IllegalStateException("there is none of the libraries " + LIBRARIES);
    }

    private MethodHandle handle(String name, MemoryLayout... parameters) {
      return Linker.nativeLinker()
          .downcallHandle(
              library
                  .find(name)
                  .orElseThrow(() -> new IllegalStateException("NVRTC has no " + name)),
              FunctionDescriptor.of(ValueLayout.JAVA_INT, parameters));
    }

    private static void require(String call, int status) {
      if (status != 0) {
        throw new IllegalStateException("%s: NVRTC error %s".formatted(call, status));
      }
    }

    @Override
    public String version() {
      return version;
    }

    @Override
    public byte[] assemble(String text) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment place = arena.allocate(ValueLayout.ADDRESS);
        MemorySegment none = MemorySegment.NULL;
        require(
            "nvrtcCreateProgram",
            called(create, place, arena.allocateFrom(text), none, 0, none, none));
        MemorySegment program = place.get(ValueLayout.ADDRESS, 0);
        try {
          MemorySegment options = arena.allocate(ValueLayout.ADDRESS, 2);
          options.setAtIndex(ValueLayout.ADDRESS, 0, arena.allocateFrom(architecture));
          options.setAtIndex(ValueLayout.ADDRESS, 1, arena.allocateFrom(EXACT));
          int status = called(compile, program, 2, options);
          if (status != 0) {
            byte[] log = bytes(arena, program, "nvrtcGetProgramLogSize", "nvrtcGetProgramLog");
            throw new IllegalStateException(
                "NVRTC error %s: %s".formatted(status, new String(log).strip()));
          }
          return bytes(arena, program, "nvrtcGetCUBINSize", "nvrtcGetCUBIN");
        } finally {
          require("nvrtcDestroyProgram", called(destroy, place));
        }
      }
    }

    private byte[] bytes(Arena arena, MemorySegment program, String size, String get) {
      MemorySegment count = arena.allocate(ValueLayout.JAVA_LONG);
      require(size, called(handle(size, ValueLayout.ADDRESS, ValueLayout.ADDRESS), program, count));
      MemorySegment bytes = arena.allocate(count.get(ValueLayout.JAVA_LONG, 0));
      require(get, called(handle(get, ValueLayout.ADDRESS, ValueLayout.ADDRESS), program, bytes));
      return bytes.toArray(ValueLayout.JAVA_BYTE);
    }
  }

  /** The driver's compiler of PTX. */
  final class OfPtx implements Assembler {
    private static final int LEVEL = 7; // CU_JIT_OPTIMIZATION_LEVEL
    private static final int ERRORS = 5; // CU_JIT_ERROR_LOG_BUFFER
    private static final int ERRORS_BYTES = 6;
    private static final int TARGET = 9;
    private static final int PTX = 1;
    private static final long HIGHEST = 4;
    private static final int MOST_ERRORS = 8192;

    private final int architecture;
    private final String version;
    private final MethodHandle create =
        PinnedMemory.handle(
            "cuLinkCreate_v2",
            ValueLayout.JAVA_INT,
            ValueLayout.ADDRESS,
            ValueLayout.ADDRESS,
            ValueLayout.ADDRESS);
    private final MethodHandle add =
        PinnedMemory.handle(
            "cuLinkAddData_v2",
            ValueLayout.ADDRESS,
            ValueLayout.JAVA_INT,
            ValueLayout.ADDRESS,
            ValueLayout.JAVA_LONG,
            ValueLayout.ADDRESS,
            ValueLayout.JAVA_INT,
            ValueLayout.ADDRESS,
            ValueLayout.ADDRESS);
    private final MethodHandle complete =
        PinnedMemory.handle(
            "cuLinkComplete", ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.ADDRESS);
    private final MethodHandle destroy = PinnedMemory.handle("cuLinkDestroy", ValueLayout.ADDRESS);

    OfPtx(int architecture) {
      this.architecture = architecture;
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment number = arena.allocate(ValueLayout.JAVA_INT);
        PinnedMemory.call(
            "cuDriverGetVersion",
            called(PinnedMemory.handle("cuDriverGetVersion", ValueLayout.ADDRESS), number));
        version =
            "driver %s sm_%s level %s"
                .formatted(number.get(ValueLayout.JAVA_INT, 0), architecture, HIGHEST);
      }
    }

    @Override
    public String version() {
      return version;
    }

    @Override
    public byte[] assemble(String text) {
      byte[][] made = new byte[1][];
      PinnedMemory.within(null, () -> made[0] = linked(text));
      return made[0];
    }

    private byte[] linked(String text) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment errors = arena.allocate(MOST_ERRORS);
        MemorySegment options =
            arena.allocateFrom(ValueLayout.JAVA_INT, LEVEL, TARGET, ERRORS, ERRORS_BYTES);
        MemorySegment values =
            arena.allocateFrom(
                ValueLayout.JAVA_LONG, HIGHEST, architecture, errors.address(), MOST_ERRORS);
        MemorySegment place = arena.allocate(ValueLayout.ADDRESS);
        PinnedMemory.call("cuLinkCreate", called(create, 4, options, values, place));
        MemorySegment state = place.get(ValueLayout.ADDRESS, 0);
        try {
          MemorySegment data = arena.allocateFrom(text);
          MemorySegment none = MemorySegment.NULL;
          MemorySegment bytes = arena.allocate(ValueLayout.JAVA_LONG);
          int status =
              called(
                  add, state, PTX, data, data.byteSize(), arena.allocateFrom("k"), 0, none, none);
          status = status != 0 ? status : called(complete, state, place, bytes);
          if (status != 0) {
            throw new IllegalStateException(
                "CUDA error %s: %s".formatted(status, errors.getString(0).strip()));
          }
          return place
              .get(ValueLayout.ADDRESS, 0)
              .reinterpret(bytes.get(ValueLayout.JAVA_LONG, 0))
              .toArray(ValueLayout.JAVA_BYTE);
        } finally {
          PinnedMemory.call("cuLinkDestroy", called(destroy, state));
        }
      }
    }
  }
}
