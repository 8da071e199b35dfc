package funnel.cli;

import java.nio.file.Path;

/** A file that was named as the jar of a Java kernel for Jupyter is none. */
final class KernelJarException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  KernelJarException(Path file, String reason) {
    super(
        "%s is no kernel's jar: %s. Leave --kernel-jar out for the one from Maven Central"
            .formatted(file, reason));
  }

  KernelJarException(String message) {
    super(message);
  }
}
