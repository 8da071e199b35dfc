package uk.ac.manchester.tornado.api.exceptions;

/** A failure. A statement of signatures. */
public class TornadoFailureException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** With a message. */
  public TornadoFailureException(String msg) {
    super(msg);
  }

  /** With a cause. */
  public TornadoFailureException(Exception e) {
    super(e);
  }
}
