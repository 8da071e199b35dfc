package funnel.engine;

import funnel.operation.FunnelDeviceException;
import funnel.operation.FunnelMemoryException;
import funnel.operation.Primitive;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.util.Map;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Runs programs: on the JVM's cores, or on a device through TornadoVM.
 *
 * <p>Engines may be used from many threads; a loaded program by one at a time.
 *
 * <p>With {@code Scaled}, the example of {@link Primitive}:
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="load"}
 */
public interface Engine extends AutoCloseable {

  /** What it runs on. */
  Target target();

  /** A line for logs and reports: the device and how it is reached. */
  String description();

  /** Versions and limits of what it runs on, in a fixed order, for reports. */
  Map<String, String> details();

  /**
   * Prepares a program: allocates its arrays and compiles its kernels where the engine has any, or
   * reuses those of a closed program of the same kind.
   *
   * @param program inputs and primitives
   * @param bound the caller's TornadoVM arrays that serve as inputs without a copy, by the input's
   *     name
   * @param kept kept arrays of this engine that serve as inputs, or are written from their
   *     beginning on and not copied to the host
   * @throws IllegalArgumentException if a kept array is in the memory of another engine
   * @throws IllegalStateException if a kept array is closed
   * @throws FunnelMemoryException if the arrays do not fit
   * @throws FunnelDeviceException if a kernel does not compile
   */
  LoadedProgram load(Program program, Map<String, TornadoNativeArray> bound, KeptArrays kept);

  /** {@link #load(Program, Map, KeptArrays)} without kept arrays. */
  default LoadedProgram load(Program program, Map<String, TornadoNativeArray> bound) {
    return load(program, bound, KeptArrays.NONE);
  }

  /**
   * Starts to compile the kernels that a program and its check need and that are not known yet, in
   * the background. Returns at once: a kernel that does not compile fails the compilation. It does
   * not delay runs on the device, and {@link #load} does not wait for others in the queue. The JVM
   * and the emulator have nothing to compile.
   */
  default Compilation compile(Program program) {
    return Compilation.NONE;
  }

  /** Bytes that the arrays of a program would take on the device, 0 on the JVM. */
  default long deviceBytes(
      Program program, Map<String, TornadoNativeArray> bound, KeptArrays kept) {
    return 0;
  }

  /**
   * Allocates an array that stays in the device's memory until it is closed.
   *
   * @param length the number of elements that it has room for
   * @throws IllegalArgumentException if the length is negative
   * @throws FunnelMemoryException if it does not fit, even after all programs of closed plans have
   *     been freed
   * @throws FunnelDeviceException if the device fails
   */
  KeptArray keep(ElementType type, int length);

  /** Frees what it holds, and cancels the compilations that have not ended. */
  @Override
  void close();
}
