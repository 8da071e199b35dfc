package uk.ac.manchester.tornado.api;

/** What the driver says about a device. A statement of signatures. */
public interface TornadoTargetDevice {

  /** The name. */
  String getDeviceName();

  /** Bytes of memory. */
  long getDeviceGlobalMemorySize();

  /** Bytes that a block can share. */
  long getDeviceLocalMemorySize();

  /** Number of multiprocessors. */
  int getDeviceMaxComputeUnits();

  /** The largest block along x, y, z. */
  long[] getDeviceMaxWorkItemSizes();

  /** The largest grid or block, as the backend means it. */
  long[] getDeviceMaxWorkGroupSize();

  /** Threads of the largest block. */
  int getMaxThreadsPerBlock();

  /** Clock in MHz. */
  int getDeviceMaxClockFrequency();

  /** Bytes of constant memory. */
  long getDeviceMaxConstantBufferSize();

  /** Bytes of the largest buffer. */
  long getDeviceMaxAllocationSize();

  /** A description for people. */
  String getDeviceInfo();
}
