package uk.ac.manchester.tornado.api.exceptions;

/** A kernel could not be compiled or launched. A statement of signatures. */
public class TornadoBailoutRuntimeException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** With a message. */
  public TornadoBailoutRuntimeException(String msg) {
    super(msg);
  }

  /** With a message and a cause. */
  public TornadoBailoutRuntimeException(String msg, Exception e) {
    super(msg, e);
  }
}
