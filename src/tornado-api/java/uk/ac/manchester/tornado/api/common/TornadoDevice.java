package uk.ac.manchester.tornado.api.common;

import uk.ac.manchester.tornado.api.TornadoDeviceContext;
import uk.ac.manchester.tornado.api.TornadoTargetDevice;
import uk.ac.manchester.tornado.api.enums.TornadoDeviceType;
import uk.ac.manchester.tornado.api.enums.TornadoVMBackendType;

/** A device. A statement of signatures; what only TornadoVM itself calls is left out. */
public interface TornadoDevice {

  /** Forgets compiled kernels and buffers. */
  void clean();

  /** The name among the backend's devices. */
  String getDeviceName();

  /** A description for people. */
  String getDescription();

  /** The name of the platform. */
  String getPlatformName();

  /** The state of the device. */
  TornadoDeviceContext getDeviceContext();

  /** What the driver says about the device. */
  TornadoTargetDevice getPhysicalDevice();

  /** The type. */
  TornadoDeviceType getDeviceType();

  /** Bytes of the largest buffer. */
  long getMaxAllocMemory();

  /** Bytes of memory. */
  long getMaxGlobalMemory();

  /** Bytes that a block can share. */
  long getDeviceLocalMemorySize();

  /** The largest block along x, y, z. */
  long[] getDeviceMaxWorkgroupDimensions();

  /** The version of OpenCL C, where it is one. */
  String getDeviceOpenCLCVersion();

  /** The driver's own description. */
  Object getDeviceInfo();

  /** The number of the backend. */
  int getBackendIndex();

  /** Processors of the host. */
  default int getAvailableProcessors() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** The type of the backend. */
  TornadoVMBackendType getTornadoVMBackend();

  /** Whether the device takes SPIR-V. */
  boolean isSPIRVSupported();
}
