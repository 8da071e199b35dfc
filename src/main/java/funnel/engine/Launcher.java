package funnel.engine;

import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * What a {@link DeviceProgram} needs of a device: the arrays of one program there, and its kernels.
 * It may throw whatever the platform throws; a failure that the platform does not report is found
 * by the program, from what has not come back.
 */
interface Launcher extends AutoCloseable {

  /**
   * Uploads the program's arrays.
   *
   * @return what did not reach the device, or an empty string
   */
  String upload();

  /** Runs the kernels of a routine and copies the results to the host. */
  void launch(int routine);

  /** Copies elements of an array that the last launch left on the device to the host's array. */
  void download(TornadoNativeArray array, int offset, int length);

  /** Switches the measuring of kernel time on or off. */
  void measureKernels(boolean on);

  /** Kernel time of the last launch in nanoseconds where it was measured, else -1. */
  long kernelNanos();

  @Override
  void close();
}
