package funnel.engine;

import funnel.operation.FunnelDeviceException;
import funnel.operation.FunnelMemoryException;
import funnel.operation.Primitive;
import funnel.operation.Target;
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
   * @throws FunnelMemoryException if the arrays do not fit
   * @throws FunnelDeviceException if a kernel does not compile
   */
  LoadedProgram load(Program program, Map<String, TornadoNativeArray> bound);

  /** Bytes that the arrays of a program would take on the device, 0 on the JVM. */
  default long deviceBytes(Program program, Map<String, TornadoNativeArray> bound) {
    return 0;
  }

  @Override
  void close();
}
