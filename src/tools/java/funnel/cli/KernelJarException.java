package funnel.cli;

import java.nio.file.Path;

/** The given file is not the jar of a Java kernel for Jupyter. */
final class KernelJarException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  KernelJarException(Path file, String reason) {
    super(
        "%s is not the jar of a kernel: %s. Omit --kernel-jar to use the one from Maven Central"
            .formatted(file, reason));
  }

  KernelJarException(String message) {
    super(message);
  }
}
