package uk.ac.manchester.tornado.api.exceptions;

/** The device has no more memory. A statement of signatures. */
public class TornadoOutOfMemoryException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** With a message. */
  public TornadoOutOfMemoryException(String msg) {
    super(msg);
  }
}
