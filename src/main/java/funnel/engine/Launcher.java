package funnel.engine;

import funnel.operation.Device;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * What a program needs of a device: its arrays there, and its kernels. Whatever launches kernels is
 * behind this interface; what is to be uploaded, run and fetched, and what is done about failures,
 * is the same for all ({@link #load}).
 *
 * <p>It may throw whatever the platform throws; a failure that the platform does not report is
 * found by the program, from what has not come back.
 *
 * {@snippet class="funnel.docs.EmulatorSnippets" region="launcher"}
 */
public interface Launcher extends AutoCloseable {

  /**
   * Loads a program onto a device whose memory is not counted and which is not checked against the
   * JVM.
   *
   * @param program the program, in the forms for the device
   * @param bound arrays of the caller's, by name
   * @param device what messages say of it
   * @param launchers what launches the kernels of a program over its arrays: made when the program
   *     is loaded, and again after each failure
   */
  static LoadedProgram load(
      Program program,
      Map<String, TornadoNativeArray> bound,
      Device device,
      BiFunction<Program, ProgramArrays, Launcher> launchers) {
    DeviceContext context = new DeviceContext(() -> device, device::name, () -> true);
    DeviceMemory uncounted = new DeviceMemory(Long.MAX_VALUE);
    return new DeviceProgram(program, bound, context, uncounted, launchers, null, null);
  }

  /**
   * Does what is to be done once before the first launch, unless it is done.
   *
   * @return what did not reach the device, or an empty string
   */
  default String begin() {
    return "";
  }

  /**
   * Uploads the program's inputs, presets and shape, and before the first launch its results, and
   * sees them arrive.
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
   * Whether elements of an array go straight from the caller's memory to the device ({@link #send})
   * and back ({@link #receive}): then the host's array is neither uploaded nor downloaded.
   */
  default boolean isStaged(String array) {
    return false;
  }

  /**
   * Copies elements into a staged array on the device, from where it begins, and sees them arrive.
   *
   * @return what did not reach the device, or an empty string
   */
  default String send(String input, MemorySegment elements) {
    throw new UnsupportedOperationException("no array is staged");
  }

  /**
   * Copies elements of a staged array from the device.
   *
   * @return whether all of them came
   */
  default boolean receive(String array, MemorySegment destination) {
    throw new UnsupportedOperationException("no array is staged");
  }

  /**
   * Goes on for another program of the same kind, over the same arrays: messages are to have the
   * names of that one, and nothing of the program before is needed any more.
   */
  default void lendTo(Program program, ProgramArrays arrays) {}

  /**
   * Whether a kernel, or a function of the user's in it, threw this: then the program's caller gets
   * it as it is, and nothing is tried again. No kernel on a GPU throws.
   */
  default boolean isOfKernel(Throwable thrown) {
    return false;
  }

  /**
   * Switches the measuring of kernel time on or off, where it is measured.
   *
   * @return whether that can be done; else it needs another launcher, which is told before it runs
   *     anything
   */
  default boolean measureKernels(boolean on) {
    return true;
  }

  /** Kernel time of the last launch in nanoseconds where it was measured, else -1. */
  default long kernelNanos() {
    return -1;
  }

  /** Nanoseconds of each kernel of the last launch, in order; none where it was not measured. */
  default List<Long> kernelTimes() {
    return List.of();
  }

  @Override
  void close();
}
