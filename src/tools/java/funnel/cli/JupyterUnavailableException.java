package funnel.cli;

/** Python or Jupyter is missing, or does not work. */
final class JupyterUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  JupyterUnavailableException(String message) {
    super(message);
  }
}
