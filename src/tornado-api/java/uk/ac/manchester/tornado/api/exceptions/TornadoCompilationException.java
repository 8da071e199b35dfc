package uk.ac.manchester.tornado.api.exceptions;

/** A kernel could not be compiled. A statement of signatures. */
public class TornadoCompilationException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** With a message. */
  public TornadoCompilationException(String msg) {
    super(msg);
  }
}
