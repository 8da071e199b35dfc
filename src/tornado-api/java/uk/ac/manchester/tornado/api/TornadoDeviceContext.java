package uk.ac.manchester.tornado.api;

/** The state of a device. A statement of signatures; TornadoVM's own business is left out. */
public interface TornadoDeviceContext {

  /** What the driver says about the device. */
  TornadoTargetDevice getDevice();

  /** Whether the device was reset. */
  boolean wasReset();

  /** Forgets a plan's kernels and buffers. */
  void reset(long executionPlanId);

  /** Whether the device computes with doubles. */
  boolean isFP64Supported();

  /** The number of the device. */
  int getDeviceIndex();

  /** The number of the platform. */
  int getDevicePlatform();

  /** The name. */
  String getDeviceName();

  /** The number of the backend. */
  int getDriverIndex();
}
