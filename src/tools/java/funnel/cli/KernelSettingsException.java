package funnel.cli;

/** A Java kernel for Jupyter could not be started with this JDK, SDK or these options. */
final class KernelSettingsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  KernelSettingsException(String message) {
    super(message);
  }
}
