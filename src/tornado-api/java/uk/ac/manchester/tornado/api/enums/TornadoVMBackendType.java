package uk.ac.manchester.tornado.api.enums;

/** Types of backends. A statement of signatures. */
public enum TornadoVMBackendType {
  /** OpenCL C. */
  OPENCL,
  /** Metal. */
  METAL,
  /** PTX for CUDA devices. */
  PTX,
  /** CUDA C for CUDA devices. */
  CUDA,
  /** SPIR-V. */
  SPIRV,
  /** The JVM. */
  JAVA,
  /** No device at all. */
  VIRTUAL
}
