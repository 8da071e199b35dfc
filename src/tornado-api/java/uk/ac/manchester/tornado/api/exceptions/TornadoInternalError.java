package uk.ac.manchester.tornado.api.exceptions;

/** Something in TornadoVM is broken or missing. A statement of signatures. */
public class TornadoInternalError extends Error {
  private static final long serialVersionUID = 1;

  /** With a message, as for {@link String#format}. */
  public TornadoInternalError(String msg, Object... args) {
    super(msg.formatted(args));
  }

  /** With a cause. */
  public TornadoInternalError(Throwable cause) {
    super(cause);
  }
}
