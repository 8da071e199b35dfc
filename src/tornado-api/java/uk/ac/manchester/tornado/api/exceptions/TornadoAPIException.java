package uk.ac.manchester.tornado.api.exceptions;

/** The API was used wrongly. A statement of signatures. */
public class TornadoAPIException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** With a message and a cause. */
  public TornadoAPIException(String msg, Exception e) {
    super(msg, e);
  }

  /** With a message. */
  public TornadoAPIException(String msg) {
    super(msg);
  }
}
