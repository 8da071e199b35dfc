package uk.ac.manchester.tornado.api.enums;

/** Types of devices. A statement of signatures. */
public enum TornadoDeviceType {
  /** Not known. */
  UNKNOWN,
  /** The default one. */
  DEFAULT,
  /** A processor. */
  CPU,
  /** A graphics processor. */
  GPU,
  /** A field-programmable gate array. */
  FPGA,
  /** Another accelerator. */
  ACCELERATOR,
  /** A custom one. */
  CUSTOM,
  /** Any. */
  ALL
}
