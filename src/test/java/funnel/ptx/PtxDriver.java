package funnel.ptx;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import funnel.emulator.Order;
import funnel.operation.Target;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Has a stand-in for the driver hand all launches of the process to the interpreter, if {@code
 * -Dfunnel.test.driver} names its folder: so that TornadoVM compiles kernels as ever, and tests
 * that need a device get results without one. CONTRIBUTING.md says what such a driver is.
 */
@SuppressWarnings("restricted")
public final class PtxDriver implements LauncherSessionListener {

  /** Names the folder with the stand-in. */
  public static final String FOLDER = "funnel.test.driver";

  private static final int LONGEST = 10_000;

  private static final Map<String, PtxKernel> KERNELS = new HashMap<>();
  private static final PtxMemory MEMORY = new PtxMemory();
  private static final Order[] ORDERS = Order.values();

  private static long launches;
  private static String failure = "";

  /** Whether launches are interpreted. */
  private static boolean isHere() {
    return System.getProperty(FOLDER) != null;
  }

  /** Whether what a target runs is run by a device. */
  public static boolean isDevice(Target target) {
    return target == Target.TORNADO && !isHere();
  }

  /** Of the lengths to test a device with those that the interpreter gets through soon. */
  public static int[] lengths(int... all) {
    return IntStream.of(all).filter(length -> length == length(length)).toArray();
  }

  /** A length to test a device with, or the longest that the interpreter gets through soon. */
  public static int length(int length) {
    return isHere() ? Math.min(length, LONGEST) : length;
  }

  /** How many random cases to test a device with, or a fiftieth of that. */
  public static int cases(int cases) {
    return isHere() ? cases / 50 : cases;
  }

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    begin();
  }

  /** Begins to interpret launches; in a process without a session of tests too. */
  public static void begin() {
    if (isHere()) {
      System.setProperty("tornado.load.annotation.implementation", CompiledMethods.class.getName());
      System.setProperty("funnel.reduce.launches", "2");
      start(Path.of(System.getProperty(FOLDER), "libcuda.so.1"));
    }
  }

  @Override
  public void launcherSessionClosed(LauncherSession session) {
    if (launches > 0) {
      Set<String> names = KERNELS.values().stream().map(of -> of.name).collect(Collectors.toSet());
      System.err.printf(
          "interpreted: %s launches of %s kernels as they were compiled, %s%n",
          launches, KERNELS.size(), CompiledMethods.report(names));
    }
  }

  /** TornadoVM's library finds the driver under its name, as one that is there already. */
  private static void start(Path library) {
    MethodHandles.Lookup here = MethodHandles.lookup();
    Linker linker = Linker.nativeLinker();
    Arena forever = Arena.global();
    try {
      FunctionDescriptor memory = FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG);
      FunctionDescriptor launch =
          FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG);
      linker
          .downcallHandle(
              SymbolLookup.libraryLookup(library, forever).findOrThrow("funnel_interpret"),
              FunctionDescriptor.ofVoid(ADDRESS, ADDRESS))
          .invokeExact(
              linker.upcallStub(
                  here.findStatic(PtxDriver.class, "memory", type(memory)), memory, forever),
              linker.upcallStub(
                  here.findStatic(PtxDriver.class, "launch", type(launch)), launch, forever));
    } catch (Throwable e) {
      throw new IllegalStateException(
          "no stand-in for the driver in -D%s=%s: see CONTRIBUTING.md"
              .formatted(FOLDER, library.getParent()),
          e);
    }
  }

  private static MethodType type(FunctionDescriptor function) {
    return function.toMethodType();
  }

  /** Called by the driver when memory has been allocated, or, with 0 bytes, is being freed. */
  private static void memory(long address, long bytes) {
    if (bytes == 0) {
      MEMORY.freed(address);
    } else {
      MEMORY.allocated(address, bytes);
    }
  }

  /**
   * Called by the driver for each launch. After one that failed nothing runs any more in this
   * process, as on a device: what is tried again does not hide it.
   *
   * @return other than 0: the launch failed
   */
  private static synchronized int launch(
      MemorySegment module,
      MemorySegment name,
      MemorySegment dims,
      MemorySegment arguments,
      long bytes) {
    String kernel = text(name);
    try {
      if (failure.isEmpty()) {
        int[] sizes = dims.reinterpret(6L * Integer.BYTES).toArray(JAVA_INT);
        PtxKernel code =
            KERNELS.computeIfAbsent(text(module), text -> PtxKernel.parse(text, kernel));
        Order order = ORDERS[(int) (launches % ORDERS.length)];
        new PtxLaunch(code, MEMORY, arguments.reinterpret(bytes), sizes, order, launches++).run();
      }
    } catch (Throwable e) {
      failure = "launch %s, of %s: %s".formatted(launches, kernel, e);
    }
    if (!failure.isEmpty()) {
      System.err.println("interpreter: " + failure);
    }
    return failure.isEmpty() ? 0 : 1;
  }

  private static String text(MemorySegment chars) {
    return chars.reinterpret(Long.MAX_VALUE).getString(0);
  }
}
