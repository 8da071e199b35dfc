package uk.ac.manchester.tornado.api;

import java.util.List;
import uk.ac.manchester.tornado.api.common.TornadoDevice;
import uk.ac.manchester.tornado.api.enums.TornadoDeviceType;
import uk.ac.manchester.tornado.api.enums.TornadoVMBackendType;

/** A backend and its devices. A statement of signatures. */
public interface TornadoBackend {

  /** The device that is used where none is chosen. */
  TornadoDevice getDefaultDevice();

  /** Chooses the default device. */
  void setDefaultDevice(int index);

  /** Number of devices. */
  int getNumDevices();

  /** A device by its number. */
  TornadoDevice getDevice(int index);

  /** All devices. */
  List<TornadoDevice> getAllDevices();

  /** The type of the default device. */
  TornadoDeviceType getTypeDefaultDevice();

  /** The name. */
  String getName();

  /** Number of platforms. */
  int getNumPlatforms();

  /** The type. */
  TornadoVMBackendType getBackendType();
}
