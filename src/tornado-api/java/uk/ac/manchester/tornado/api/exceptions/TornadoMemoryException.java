package uk.ac.manchester.tornado.api.exceptions;

/** Something is wrong with memory. A statement of signatures. */
public class TornadoMemoryException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** With a message. */
  public TornadoMemoryException(String msg) {
    super(msg);
  }
}
