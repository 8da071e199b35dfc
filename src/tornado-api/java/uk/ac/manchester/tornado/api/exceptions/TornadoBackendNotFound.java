package uk.ac.manchester.tornado.api.exceptions;

/** There is no such backend. A statement of signatures. */
public class TornadoBackendNotFound extends TornadoRuntimeException {
  private static final long serialVersionUID = 1;

  /** With a message. */
  public TornadoBackendNotFound(String msg) {
    super(msg);
  }
}
