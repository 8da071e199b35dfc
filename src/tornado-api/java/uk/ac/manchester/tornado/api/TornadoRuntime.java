package uk.ac.manchester.tornado.api;

import uk.ac.manchester.tornado.api.common.TornadoDevice;
import uk.ac.manchester.tornado.api.enums.TornadoVMBackendType;

/** The runtime: backends and their devices. A statement of signatures. */
public interface TornadoRuntime {

  /** A backend by its number. */
  TornadoBackend getBackend(int index);

  /** Chooses the default backend. */
  void setDefaultBackend(int index);

  /** The type of a backend. */
  TornadoVMBackendType getBackendType(int index);

  /** A backend by its class. */
  <D extends TornadoBackend> D getBackend(Class<D> type);

  /** Number of backends. */
  int getNumBackends();

  /** The device that is used where none is chosen. */
  TornadoDevice getDefaultDevice();

  /** The number of a backend. */
  <D extends TornadoBackend> int getBackendIndex(Class<D> driverClass);

  /** Whether the profiler is on. */
  boolean isProfilerEnabled();

  /** Whether power is measured. */
  boolean isPowerMonitoringEnabled();

  /** Milliwatts now. */
  long getPowerMetric();
}
