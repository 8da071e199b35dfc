package uk.ac.manchester.tornado.api.exceptions;

/** Something went wrong at run time. A statement of signatures. */
public class TornadoRuntimeException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** With a message. */
  public TornadoRuntimeException(String msg) {
    super(msg);
  }

  /** With a cause. */
  public TornadoRuntimeException(Exception e) {
    super(e);
  }
}
