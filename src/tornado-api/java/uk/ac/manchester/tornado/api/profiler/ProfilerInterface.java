package uk.ac.manchester.tornado.api.profiler;

/** What TornadoVM measures. A statement of signatures. */
public interface ProfilerInterface {

  /** Nanoseconds of the whole execution. */
  long getTotalTime();

  /** Nanoseconds of compilation. */
  long getCompileTime();

  /** Nanoseconds of compilation in TornadoVM. */
  long getTornadoCompilerTime();

  /** Nanoseconds of compilation in the driver. */
  long getDriverInstallTime();

  /** Nanoseconds of copies. */
  long getDataTransfersTime();

  /** Nanoseconds of copies to the device. */
  long getDeviceWriteTime();

  /** Nanoseconds of copies to the host. */
  long getDeviceReadTime();

  /** Nanoseconds between asking for copies and their start. */
  long getDataTransferDispatchTime();

  /** Nanoseconds between asking for kernels and their start. */
  long getKernelDispatchTime();

  /** Nanoseconds of kernels. */
  long getDeviceKernelTime();

  /** The profile as JSON. */
  String getProfileLog();

  /** Bytes copied to the device. */
  long getTotalBytesCopyIn();

  /** Bytes copied to the host. */
  long getTotalBytesCopyOut();

  /** Bytes copied. */
  long getTotalBytesTransferred();

  /** Bytes held on the device. */
  long getTotalDeviceMemoryUsage();
}
