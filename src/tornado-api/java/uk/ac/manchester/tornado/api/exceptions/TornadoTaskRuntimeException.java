package uk.ac.manchester.tornado.api.exceptions;

/** A task graph was built wrongly. A statement of signatures. */
public class TornadoTaskRuntimeException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** With a message. */
  public TornadoTaskRuntimeException(String msg) {
    super(msg);
  }

  /** With a message and a cause. */
  public TornadoTaskRuntimeException(String msg, Exception e) {
    super(msg, e);
  }
}
