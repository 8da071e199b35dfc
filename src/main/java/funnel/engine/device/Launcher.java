package funnel.engine.device;

import funnel.engine.KeptArrays;
import funnel.engine.KernelsOfProgram;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.operation.Device;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * A program's access to a device: its arrays there, and its kernels. Everything that launches
 * kernels implements this interface; what is uploaded, run and fetched, and the handling of
 * failures, are the same for all ({@link #load}).
 *
 * <p>It may throw any exception of the platform; the program detects failures that the platform
 * does not report, from counters that have not come back.
 *
 * {@snippet class="funnel.docs.EmulatorSnippets" region="launcher"}
 */
public interface Launcher extends AutoCloseable {

  /**
   * Loads a program onto a device without counting its memory or checking it against the JVM.
   *
   * @param program the program, in the forms for the device
   * @param bound the caller's arrays, by name
   * @param device its description in messages
   * @param launchers makes what launches the kernels of a program over its arrays, when the program
   *     is loaded, and again after each failure
   */
  static LoadedProgram load(
      Program program,
      Map<String, TornadoNativeArray> bound,
      Device device,
      BiFunction<Program, ProgramArrays, Launcher> launchers) {
    DeviceContext context = new DeviceContext(() -> device, device::name, () -> true);
    DeviceMemory uncounted = new DeviceMemory(Long.MAX_VALUE);
    return new DeviceProgram(
        program, bound, KeptArrays.NONE, null, context, uncounted, launchers, null, null);
  }

  /**
   * Does what must be done once before the first launch, unless it is done.
   *
   * @return what did not reach the device, or an empty string
   */
  default String begin() {
    return "";
  }

  /**
   * Uploads the program's inputs, presets and shape, and before the first launch its results, and
   * checks that they arrive.
   *
   * @return what did not reach the device, or an empty string
   */
  String upload();

  /**
   * Runs the kernels of a routine over what was uploaded last, and copies the results to the host.
   *
   * @param routine its number in the program
   */
  void launch(int routine);

  /**
   * {@linkplain #upload Uploads}, and if all arrives, {@linkplain #launch runs} the first routine.
   *
   * @return what did not reach the device, or an empty string
   */
  default String uploadAndLaunch() {
    String missing = upload();
    if (missing.isEmpty()) {
      launch(0);
    }
    return missing;
  }

  /** Copies elements of an array that the last launch left on the device to the host's array. */
  void download(TornadoNativeArray array, int offset, int length);

  /**
   * Whether elements of an array are copied directly from the caller's memory to the device ({@link
   * #send}) and back ({@link #receive}): then the host's array is neither uploaded nor downloaded.
   */
  default boolean isStaged(String array) {
    return false;
  }

  /**
   * Copies elements into a staged array on the device, from its beginning, and checks that they
   * arrive.
   *
   * @return what did not reach the device, or an empty string
   */
  default String send(String input, MemorySegment elements) {
    throw new UnsupportedOperationException("no array is staged");
  }

  /**
   * Copies elements into several staged arrays, possibly those of one while others are under way.
   *
   * @param elements by inputs
   * @param arrived takes each input whose elements have arrived when this ends, also by an
   *     exception
   * @return what did not reach the device, or an empty string
   */
  default String send(Map<String, MemorySegment> elements, Consumer<String> arrived) {
    for (Map.Entry<String, MemorySegment> each : elements.entrySet()) {
      String missing = send(each.getKey(), each.getValue());
      if (!missing.isEmpty()) {
        return missing;
      }
      arrived.accept(each.getKey());
    }
    return "";
  }

  /**
   * Copies elements of a staged array from the device.
   *
   * @return whether all of them arrived
   */
  default boolean receive(String array, MemorySegment destination) {
    throw new UnsupportedOperationException("no array is staged");
  }

  /**
   * What stands for an array that this has allocated on the device, and that launchers of other
   * programs on the same device {@linkplain ProgramArrays#buffers use} until this is closed.
   */
  default Object buffer(TornadoNativeArray array) {
    throw new UnsupportedOperationException("no array can be shared");
  }

  /**
   * Continues over other memory that is on the device already: the next launch uses it.
   *
   * @param buffers what launchers on the same device said of it ({@link #buffer}), by arrays of
   *     {@link ProgramArrays#buffers}
   */
  default void lend(Map<TornadoNativeArray, @Nullable Object> buffers) {
    throw new UnsupportedOperationException("no array can be shared");
  }

  /**
   * Continues for another program of the same kind, over the same arrays: messages must have that
   * program's names, and nothing of the earlier program is needed.
   */
  default void lendTo(Program program, ProgramArrays arrays) {}

  /**
   * Whether a kernel, or a user-defined function in it, threw this exception: then the program's
   * caller gets it as it is, and nothing is repeated. Kernels on a GPU do not throw.
   */
  default boolean isOfKernel(Throwable thrown) {
    return false;
  }

  /** The kernels that this launches, and how many of them were compiled when it was made. */
  default KernelsOfProgram kernels() {
    return KernelsOfProgram.NONE;
  }

  /**
   * Switches the measurement of kernel time on or off, if it is measured.
   *
   * @return whether that is possible; otherwise another launcher is needed, for which this is
   *     called before it runs anything
   */
  default boolean measureKernels(boolean on) {
    return true;
  }

  /** The kernel time of the last launch in nanoseconds if it was measured, else -1. */
  default long kernelNanos() {
    List<Long> times = kernelTimes();
    return times.isEmpty() ? -1 : times.stream().mapToLong(Long::longValue).sum();
  }

  /** The nanoseconds of each kernel of the last launch, in order; empty if not measured. */
  default List<Long> kernelTimes() {
    return List.of();
  }

  @Override
  void close();
}
